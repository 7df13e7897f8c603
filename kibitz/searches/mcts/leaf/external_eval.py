"""External evaluators: a network, a Python function, a small search; asked about all leaves of a wave at once.

An evaluator knows positions in which a player is to move, and their value for that player: so they fit games without chance, of one player or of two whose
gain is the other's loss.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game
from kibitz.core.protocol.parameters import Parameter
from kibitz.evaluators.answer_cache import AnswerCache
from kibitz.evaluators.batch import Batch
from kibitz.evaluators.evaluator import Called, Evaluator
from kibitz.evaluators.network import Network, place
from kibitz.searches.mcts.leaf.subtree_eval import SubtreeEvaluator
from kibitz.searches.mcts.step import waves

EVALUATORS = (
    Parameter(
        "network",
        "",
        None,
        None,
        None,
        "an ONNX file for evaluation and policy, in place of the game's; or the name of a shipped network, such as connect4",
    ),
    Parameter(
        "subtree", 0, 0, 1 << 30, None, "evaluate a new position by a search of its own, with this many playouts, and forget that search"
    ),
)

Given = Evaluator | Callable[[Batch], Any]


class Leaves:
    """An evaluator as waves ask it."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        constants = evaluator.game.constants
        self.low, self.high = constants["VALUES"]
        self.wide = constants["MAX_MOVES"]
        self.total = float(constants["SUM"] or 0.0)

    def prepare(self) -> None:
        """Compile what asking takes."""
        self.evaluator.prepare()

    def __call__(self, batch: Any) -> None:
        """Write the rewards and weights of those leaves that are asked about."""
        known = batch["kind"] != waves.ASKED
        leaves = batch[~known] if known.any() else batch
        if not len(leaves):
            return
        players = leaves["player"]
        asked = self.evaluator.gatherer.of(leaves["state"], players, leaves["count_"], leaves["moves"][:, : self.wide])
        values, weights = self.evaluator.judge_batch(asked)
        leaves["weights"][:, : self.wide] = weights
        every, rewards = np.arange(len(leaves)), leaves["rewards"]
        rewards[every, players] = self._rewards(values)
        if rewards.shape[1] == 2:
            rewards[every, 1 - players] = self._rewards(self.total - values)
        if leaves is not batch:
            batch[~known] = leaves

    def _rewards(self, values: Any) -> Any:
        return np.minimum(np.maximum((values - self.low) / (self.high - self.low), 0.0), 1.0)


def choose_evaluator(game: Game, settings: Mapping[str, Any], given: Given | None) -> Leaves | None:
    """The evaluator that the settings name or somebody gave; None where the game itself is to be asked."""
    named = [name for name, wanted in (("network", settings["network"]), ("subtree", settings["subtree"]), ("evaluator", given)) if wanted]
    if not named:
        return None
    if len(named) > 1:
        raise InputError(f"{' and '.join(named)}: there can be one evaluator only; leave out one of them")
    if game.has_chance or game.players > 2 or (game.players == 2 and game.constants["SUM"] is None):
        raise InputError(
            f"{named[0]}: evaluators need a game without chance of one player, or of two with opposite interests; {game.name} is none"
        )
    if settings["reward"] == "win":
        raise InputError(f"{named[0]} with reward=win: an evaluation is no win or loss; use reward=score")
    if isinstance(given, Evaluator):
        return Leaves(given)
    if given is not None:
        return Leaves(Called(game, given))
    if settings["subtree"]:
        return Leaves(SubtreeEvaluator(game, settings["subtree"], settings["seed"]))
    path = place(settings["network"])
    return Leaves(_network(game, path, path.stat().st_mtime if path.is_file() else 0.0))


@lru_cache(maxsize=4)
def _network(game: Game, path: Path, written: float) -> Evaluator:  # noqa: ARG001  # another file under the same name is another network
    """With its answers so far."""
    return AnswerCache(Network(game, path))
