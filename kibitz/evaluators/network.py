"""A network in an ONNX file, run by onnxruntime.

It takes one input, what the game's `inputs` shows of each position, and gives two outputs: logits of the policy, one for each of the game's SLOTS, and the
value for the player to move from -1, lost, to 1, won. They are known by their names, `policy` and `value`, or else by their shapes. Only the logits of
legal moves count, by a softmax.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game
from kibitz.evaluators.batch import Batch
from kibitz.evaluators.evaluator import Answer, Evaluator

SHIPPED = Path(__file__).parent / "networks"


def place(text: str) -> Path:
    """The file that is meant: a path, or the name of a network that comes with kibitz."""
    path, shipped = Path(text), SHIPPED / f"{text}.onnx"
    if path.is_file() or not shipped.is_file():
        return path
    return shipped


class Network(Evaluator):
    """One model for one game."""

    def __init__(self, game: Game, path: Path, threads: int = 1) -> None:
        super().__init__(game)
        self.name = path.name
        self.shape, self.slots = self.gatherer.network()
        self.session = _session(path, threads)
        self.input = self._input()
        self.policy, self.value = self._outputs()

    def answer(self, batch: Batch) -> Answer:
        low, high = self.game.constants["VALUES"]
        try:
            logits, value = self.session.run([self.policy, self.value], {self.input: batch.inputs})
        except Exception as error:  # onnxruntime's own kinds, which it does not export
            raise InputError(f"{self.name}: the network failed: {_first_line(error)}") from None
        logits = np.asarray(logits, np.float64).reshape(len(batch), -1)
        if not np.isfinite(logits).all():
            raise InputError(f"{self.name}: the policy has an output that is not a finite number")
        mine = batch.by_slots(logits)
        legal = np.arange(mine.shape[1]) < batch.counts[:, None]
        mine = np.where(legal, mine, -np.inf)
        weights = np.where(legal, np.exp(mine - mine.max(axis=1, keepdims=True)), 0.0)
        return Answer(low + (np.asarray(value, np.float64).reshape(-1) + 1.0) * 0.5 * (high - low), weights)

    def prepare(self) -> None:
        super().prepare()
        none = self.gatherer.empty()
        none.by_slots(np.empty((len(none.inputs), self.slots)))

    def _input(self) -> str:
        given = self.session.get_inputs()
        if len(given) != 1:
            raise InputError(f"{self.name}: a network with {len(given)} inputs; it must have one, what the game's `inputs` shows")
        shape = tuple(given[0].shape)
        fixed = tuple(size for size in shape[1:] if isinstance(size, int))
        if len(shape) != 1 + len(self.shape) or (len(fixed) == len(self.shape) and fixed != self.shape):
            raise InputError(
                f"{self.name}: its input has the shape {_shown(shape)}; {self.game.name} shows (batch, {_shown(self.shape)[1:]}"
            )
        if isinstance(shape[0], int):
            raise InputError(f"{self.name}: it takes batches of {shape[0]} only; export it with a batch axis of any size")
        return str(given[0].name)

    def _outputs(self) -> tuple[str, str]:
        outputs = {str(o.name): tuple(o.shape) for o in self.session.get_outputs()}
        if {"policy", "value"} <= set(outputs):
            chosen = ("policy", "value")
        else:
            policies = [name for name, shape in outputs.items() if shape[-1:] == (self.slots,)]
            values = [name for name, shape in outputs.items() if name not in policies and (len(shape) == 1 or shape[-1:] == (1,))]
            if len(policies) != 1 or len(values) != 1:
                raise InputError(
                    f"{self.name}: no outputs called policy and value; name them so, of shapes (batch, {self.slots}) and (batch, 1)"
                )
            chosen = (policies[0], values[0])
        if isinstance(outputs[chosen[0]][-1], int) and outputs[chosen[0]][-1] != self.slots:
            raise InputError(f"{self.name}: its policy has {outputs[chosen[0]][-1]} outputs; {self.game.name} has {self.slots} slots")
        return chosen


def _session(path: Path, threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise InputError("networks need onnxruntime; install it with: pip install onnxruntime") from None
    if not path.is_file():
        own = ", ".join(sorted(p.stem for p in SHIPPED.glob("*.onnx")))
        raise InputError(f"there is no network {path}; give the path of an ONNX file, or one of ours: {own}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4  # it would write to the terminal
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise InputError(f"{path} is no network that onnxruntime can load: {_first_line(error)}") from None


def _shown(shape: tuple[Any, ...]) -> str:
    return f"({', '.join(str(size) for size in shape)})"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
