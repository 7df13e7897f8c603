"""Batches of positions with their moves and network inputs, collected by compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.core.compiling.binder import game
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position

FINE, BAD_VALUE, BAD_WEIGHTS = 0, 1, 2  # what an answer is


@dataclass(frozen=True)
class Batch:
    """Positions in which a player is to move."""

    game: Game
    states: Any  # records, one a position
    players: npt.NDArray[np.int64]  # to move
    counts: npt.NDArray[np.int64]  # of moves
    moves: npt.NDArray[Any]  # a row a position; what stands beyond `counts` means nothing
    gatherer: Gatherer

    def __len__(self) -> int:
        return len(self.states)

    @property
    def positions(self) -> list[Position]:
        """For evaluators that would rather look at positions one by one."""
        return [Position(self.game, s.tobytes()) for s in self.states]

    @property
    def inputs(self) -> npt.NDArray[np.float32]:
        """What the game's `inputs` shows of each position, for a network: the first axis is the batch, the others are the game's INPUTS."""
        return self.gatherer.inputs(self)

    def by_slots(self, outputs: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The moves' own numbers out of a network's outputs, of which the game's `slot` says whose they are; 0 beyond a position's moves."""
        return self.gatherer.by_slots(self, outputs)


class Gatherer:
    """Makes batches of one game; keeps nothing of them."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def batch(self, states: Any) -> Batch:
        """A batch of positions with these states."""
        states = np.ascontiguousarray(states)
        constants = self.game.constants
        if states.dtype != constants["State"] or states.ndim != 1:
            raise InputError(f"a batch of {self.game.name} is an array of its states, with one axis")
        made = Batch(
            self.game,
            states,
            np.empty(len(states), np.int64),
            np.empty(len(states), np.int64),
            np.zeros((len(states), constants["MAX_MOVES"]), constants["MOVE"]),
            self,
        )
        self.game.bind(list_moves, label="batches")(states.copy(), made.players, made.counts, made.moves)
        if len(states) and made.players.min() < 0:
            raise InputError(f"a batch of {self.game.name} has a position in which no player is to move; leave it out")
        return made

    def empty(self) -> Batch:
        """A batch without positions."""
        return self.batch(np.empty(0, self.game.constants["State"]))

    def of(self, states: Any, players: Any, counts: Any, moves: Any) -> Batch:
        """A batch of positions whose moves are listed already."""
        return Batch(self.game, np.ascontiguousarray(states), players, counts, np.ascontiguousarray(moves), self)

    def own(self, batch: Batch) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Values and weights by the game's own `evaluate` and `policy`."""
        values, weights = np.empty(len(batch)), np.zeros(batch.moves.shape)
        self.game.bind(ask_game, label="evaluation")(batch.states.copy(), batch.players, batch.counts, batch.moves, values, weights)
        return values, weights

    def inputs(self, batch: Batch) -> npt.NDArray[np.float32]:
        shape = self.network()[0]
        out = np.zeros((len(batch), int(np.prod(shape))), np.float32)
        self.game.bind(fill_inputs, label="inputs")(batch.states.copy(), out)
        return out.reshape(len(batch), *shape)

    def by_slots(self, batch: Batch, outputs: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        slots = self.network()[1]
        if outputs.shape != (len(batch), slots):
            raise InputError(
                f"the policy has the shape {outputs.shape}; {self.game.name} has {slots} slots, so it must be ({len(batch)}, {slots})"
            )
        weights = np.zeros(batch.moves.shape)
        given = np.ascontiguousarray(outputs, np.float64)
        self.game.bind(pick_slots, label="slots")(batch.states.copy(), batch.counts, batch.moves, given, weights)
        return weights

    def audited(self, values: Any, weights: Any, counts: Any, low: float, high: float) -> int:
        """Are values from `low` to `high`, and weights of moves numbers, none negative, not all 0? FINE, and they add up to 1 now; or what is wrong."""
        return int(self.game.bind(audit, label="answers")(np.ascontiguousarray(values), weights, np.ascontiguousarray(counts), low, high))

    def network(self) -> tuple[tuple[int, ...], int]:
        """The shape of what a network is shown, and how many outputs its policy has."""
        shape, slots = self.game.constants["INPUTS"], self.game.constants["SLOTS"]
        if not (shape and slots and self.game.defines("inputs") and self.game.defines("slot")):
            raise InputError(
                f"{self.game.name} does not say what a network is shown; write INPUTS and inputs(s, out), SLOTS and slot(s, move) in its file"
            )
        return tuple(shape), int(slots)


# --- kernels ---


def audit(values: Any, weights: Any, counts: Any, low: float, high: float) -> int:
    for i in range(values.shape[0]):
        if not low <= values[i] <= high:
            return BAD_VALUE
        total = 0.0
        for k in range(counts[i]):
            if not 0.0 <= weights[i, k] < np.inf:
                return BAD_WEIGHTS
            total += weights[i, k]
        if not 0.0 < total < np.inf:
            return BAD_WEIGHTS
        for k in range(weights.shape[1]):
            weights[i, k] = weights[i, k] / total if k < counts[i] else 0.0
    return FINE


def list_moves(states: Any, players: Any, counts: Any, moves: Any) -> None:
    for i in range(states.shape[0]):
        players[i] = game.player(states[i])
        counts[i] = game.moves(states[i], moves[i]) if players[i] >= 0 else 0


def ask_game(states: Any, players: Any, counts: Any, moves: Any, values: Any, weights: Any) -> None:
    for i in range(states.shape[0]):
        values[i] = game.evaluate(states[i], players[i])
        game.policy(states[i], moves[i], counts[i], weights[i])


def fill_inputs(states: Any, out: Any) -> None:
    for i in range(states.shape[0]):
        game.inputs(states[i], out[i])


def pick_slots(states: Any, counts: Any, moves: Any, given: Any, weights: Any) -> None:
    for i in range(states.shape[0]):
        for k in range(counts[i]):
            weights[i, k] = given[i, game.slot(states[i], moves[i, k])]
