"""Answers cached by key, so that no position is evaluated twice.

Positions with equal keys are equal, but for the order in which their moves may be listed: weights are kept with the moves they belong to. A game that says what is
banked may leave that out of its key, and an evaluation may not: there the whole state is the key. Memory is bounded: when it is full, the answer that has been
there longest makes room.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import InputError
from kibitz.core.records.hashing import hash_record
from kibitz.evaluators.batch import Batch
from kibitz.evaluators.evaluator import Answer, Evaluator

MOST_BYTES = 64 << 20


class AnswerCache(Evaluator):
    """Another evaluator, with a memory of `most` positions, or of 64 MB."""

    def __init__(self, other: Evaluator, most: int | None = None) -> None:
        super().__init__(other.game)
        wide = self.game.constants["MAX_MOVES"]
        if most is not None and most < 1:
            raise InputError(f"a memory of {most} answers; give 1 or more")
        self.most = most or max(1, MOST_BYTES // (16 * wide))
        self.other, self.name = other, other.name
        self.places: dict[int, int] = {}  # by key
        self.keys: list[int] = []  # by place
        self.oldest = 0  # the place to be taken next, where all are
        self.values = np.empty(self.most)
        self.moves = np.empty((self.most, wide), self.game.constants["MOVE"])
        self.weights = np.empty((self.most, wide))
        self.asked, self.known = 0, 0  # positions so far: all, and those whose answer was there

    def answer(self, batch: Batch) -> Answer:
        told = self._keys(batch)
        places = [self.places.get(key, -1) for key in told]
        self.asked += len(told)
        self.known += len(told) - places.count(-1)
        fresh = list({key: i for i, key in reversed(list(enumerate(told))) if places[i] < 0}.values())
        values, weights = self.values[places], self.weights[places]
        if fresh:
            asked = self.gatherer.of(batch.states[fresh], batch.players[fresh], batch.counts[fresh], batch.moves[fresh])
            found = self.other.judge_batch(asked)
            rows = {told[i]: row for row, i in enumerate(fresh)}
            for i, place in enumerate(places):
                if place < 0:
                    values[i], weights[i] = found.values[rows[told[i]]], found.weights[rows[told[i]]]
        known = np.array(places) >= 0
        differ = known & ((self.moves[places] != batch.moves) & (np.arange(batch.moves.shape[1]) < batch.counts[:, None])).any(axis=1)
        for i in np.flatnonzero(differ).tolist():  # the same moves in another order
            by_move = dict(zip(self.moves[places[i]].tolist(), self.weights[places[i]].tolist(), strict=False))
            weights[i, : batch.counts[i]] = [by_move[move] for move in batch.moves[i, : batch.counts[i]].tolist()]
        if fresh:
            self._keep([told[i] for i in fresh], asked, found)
        return Answer(values, weights)

    def prepare(self) -> None:
        super().prepare()
        self._keys(self.gatherer.empty())
        self.other.prepare()

    def _keys(self, batch: Batch) -> list[int]:
        """What answers are kept by: the whole state where the game's key may leave out what is banked, and evaluations do not."""
        keys = np.empty(len(batch), np.uint64)
        options = {"BANKED": self.game.defines("banked")}
        self.game.bind(list_keys, options, label="keys")(batch.states.copy(), keys)
        return keys.tolist()

    def _keep(self, keys: list[int], batch: Batch, answer: Answer) -> None:
        for row, key in enumerate(keys):
            if len(self.keys) < self.most:
                place = len(self.keys)
                self.keys.append(key)
            else:
                place = self.oldest
                self.oldest = (place + 1) % self.most
                del self.places[self.keys[place]]
                self.keys[place] = key
            self.places[key] = place
            self.values[place], self.weights[place], self.moves[place] = answer.values[row], answer.weights[row], batch.moves[row]


def list_keys(states: Any, keys: Any) -> None:
    """Kernel."""
    for i in range(states.shape[0]):
        keys[i] = hash_record(states[i]) if options.BANKED else game.key(states[i])
