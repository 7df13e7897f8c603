"""The slow obvious truth about games of any number of players written out as graphs: plain recursions in the words of the rules, beside those of tests/naive_graphs.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records.hashing import combine
from tests.naive_graphs import Standing, Truth

Found = tuple[tuple[float, ...], float]  # values, and the plies of the line to them


class MaxN:
    """Max^n with one rule of ties; `hero` is to move at the root, `number` tells the graph's keys apart."""

    def __init__(self, truth: Truth, rule: str, hero: int, seed: int, number: int) -> None:
        self.truth, self.rule, self.hero, self.seed, self.number = truth, rule, hero, seed, number
        low, high = truth.values
        self.even = truth.sum / truth.players if truth.players > 1 and truth.sum is not None else 0.5 * (low + high)
        self.known: dict[Any, Found] = {}

    def values(self, here: Standing, depth: int | None = None) -> tuple[float, ...]:
        """To the end, or to a depth."""
        return self.found(here, depth)[0]

    def found(self, here: Standing, depth: int | None) -> Found:
        if (here, depth) not in self.known:
            self.known[here, depth] = self._find(here, depth)
        return self.known[here, depth]

    def _find(self, here: Standing, depth: int | None) -> Found:
        truth, mover = self.truth, self.truth.player(here)
        truth._step()
        if mover == OVER:
            return truth.end(here), 0
        if depth == 0 and mover != CHANCE:
            return truth.guess(here), 0
        edges = truth.moves(here)
        below = depth if depth is None or mover == CHANCE else depth - 1
        after = [self.found(truth.after(here, e), below) for e in edges]
        if mover == CHANCE:
            total = sum(e.weight for e in edges)
            plies = sum(e.weight * plies for e, (_, plies) in zip(edges, after, strict=True)) / total
            return truth._mean(edges, [values for values, _ in after]), plies + 1
        most = max(values[mover] for values, _ in after)
        equals = [i for i, (values, _) in enumerate(after) if values[mover] == most]
        best = min(equals, key=lambda i: (self._wish(mover, *after[i]), self._lot(here, edges[i].label) if self.rule == "random" else i))
        return after[best][0], after[best][1] + 1

    def _wish(self, mover: int, values: tuple[float, ...], plies: float) -> float:
        """The less, the better, among moves that are worth the same to the mover."""
        others = [v for p, v in enumerate(values) if p != mover]
        own = values[mover]
        wishes: dict[str, Callable[[], float]] = {
            "soon": lambda: plies if own > self.even else -plies if own < self.even else 0.0,
            "against": lambda: values[self.hero],
            "leader": lambda: max(others, default=0.0),
            "spiteful": lambda: sum(others),
            "kind": lambda: -sum(others),
        }
        return wishes[self.rule]() if self.rule in wishes else 0.0

    def _lot(self, here: Standing, move: int) -> int:
        with np.errstate(over="ignore"):
            key = combine(np.uint64(self.number), np.uint64(here.at))
            return int(combine(combine(key, np.uint64(self.seed)), np.uint64(move)))


def paranoid(truth: Truth, here: Standing, hero: int, depth: int | None, known: dict[Any, float]) -> float:
    """What the hero gets if all others are against him."""
    if (here, depth) in known:
        return known[here, depth]
    truth._step()
    mover = truth.player(here)
    if mover == OVER:
        value = truth.end(here)[hero]
    elif depth == 0:
        value = truth.guess(here)[hero]
    else:
        below = [paranoid(truth, truth.after(here, e), hero, None if depth is None else depth - 1, known) for e in truth.moves(here)]
        value = max(below) if mover == hero else min(below)
    known[here, depth] = value
    return value


def best_reply(truth: Truth, here: Standing, hero: int, depth: int) -> float:
    """What the hero gets if after every move of his the one reply of all the others' that harms him most is made. Without repetition."""
    truth._step()
    mover = truth.player(here)
    if mover == OVER:
        return truth.end(here)[hero]
    if depth <= 0:
        return truth.guess(here)[hero]
    if mover == hero:
        return max(best_reply(truth, truth.after(here, e), hero, depth - 1) for e in truth.moves(here))
    found = []
    for passed in range(truth.players - 1):
        who = truth.player(here)
        found += [best_reply(truth, _passed_on(truth, truth.after(here, e), hero, who), hero, depth - 1) for e in truth.moves(here)]
        there = _skipped(truth, here)
        if passed == truth.players - 2 or there is None or truth.player(there) in (hero, CHANCE, OVER):
            break
        here = there
    return min(found)


def _skipped(truth: Truth, here: Standing) -> Standing | None:
    to = truth.nodes[here.at].passes
    return Standing(to, (), here.bank) if to >= 0 and not here.repeated else None


def _passed_on(truth: Truth, here: Standing, hero: int, who: int) -> Standing:
    """All others pass, but whoever made the last move."""
    for _ in range(truth.players - 2):
        if truth.player(here) in (OVER, hero, who):
            break
        there = _skipped(truth, here)
        if there is None or truth.player(there) < 0:
            break
        here = there
    return here
