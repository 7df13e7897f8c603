"""Answers kept by key, so that no position is asked about twice.

Positions with equal keys are equal, but for the order in which their moves are listed: weights are kept with the moves they belong to. Memory is bounded; the
answers that have gone longest without being asked for go first.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from kibitz.core.compile import game
from kibitz.core.errors import InputError
from kibitz.evaluators.batch import Batch
from kibitz.evaluators.evaluator import Answer, Evaluator

MOST = 1 << 18  # positions


class Remembered(Evaluator):
    """Another evaluator, with a memory."""

    def __init__(self, other: Evaluator, most: int = MOST) -> None:
        super().__init__(other.game)
        if most < 1:
            raise InputError(f"a memory of {most} answers; give 1 or more")
        self.other, self.most, self.name = other, most, other.name
        self.kept: OrderedDict[int, tuple[float, Any, Any]] = OrderedDict()  # value, moves, weights
        self.asked, self.known = 0, 0  # positions, so far: of all, and of those whose answer was there

    def answer(self, batch: Batch) -> Answer:
        keys = np.empty(len(batch), np.uint64)
        self.game.bind(list_keys, label="keys")(batch.states.copy(), keys)
        told = [int(key) for key in keys]
        self._ask(told, batch)
        values, weights = np.empty(len(batch)), np.zeros(batch.moves.shape)
        for i, key in enumerate(told):
            value, moves, its = self.kept[key]
            count = batch.counts[i]
            values[i] = value
            if np.array_equal(moves, batch.moves[i, :count]):
                weights[i, :count] = its
            else:  # the same moves in another order
                by_move = dict(zip(moves.tolist(), its, strict=True))
                weights[i, :count] = [by_move[move] for move in batch.moves[i, :count].tolist()]
        while len(self.kept) > self.most:
            self.kept.popitem(last=False)
        return Answer(values, weights)

    def _ask(self, keys: list[int], batch: Batch) -> None:
        """Have an answer for each key."""
        new: dict[int, int] = {}
        for i, key in enumerate(keys):
            if key in self.kept:
                self.kept.move_to_end(key)
                self.known += 1
            elif key not in new:
                new[key] = i
        self.asked += len(keys)
        if new:
            rows = np.fromiter(new.values(), np.int64)
            fresh = self.gatherer.batch(batch.states[rows])
            values, weights = self.other.checked(self.other.answer(fresh), fresh)
            for place, key in enumerate(new):
                count = fresh.counts[place]
                self.kept[key] = (float(values[place]), fresh.moves[place, :count].copy(), weights[place, :count].copy())


def list_keys(states: Any, keys: Any) -> None:
    """Kernel."""
    for i in range(states.shape[0]):
        keys[i] = game.key(states[i])
