"""What results of searches of many players may say, and what it must then be: the truths are in tests/naive_graph_players.py."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.core.position.result import ESTIMATE, EXACT, LOWER, Candidate, Result
from kibitz.core.protocol.rules import CHANCE
from tests.naive_graph_players import MaxN, best_reply, paranoid
from tests.naive_graphs import Standing, Truth

TOLERANCE = 1e-9
SEARCHES = ("maxn", "paranoid", "bestreply")


def same(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return len(one) == len(other) and all(math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE) for a, b in zip(one, other, strict=True))


class Jury:
    """Holds the results of one search of one position against the truth."""

    def __init__(self, truth: Truth, here: Standing, search: str, settings: Mapping[str, Any], number: int) -> None:
        self.truth, self.here, self.search, self.settings = truth, here, search, settings
        self.hero = max(0, truth.player(here))
        self.maxn = MaxN(truth, settings.get("ties", "first"), self.hero, int(settings.get("seed", 0)), number)
        self.guaranteed: dict[Any, float] = {}

    def faults(self, result: Result) -> Iterator[str]:
        if self.search == "maxn":
            if result.values[self.hero] != result.value:
                yield f"the value is {result.value}, and of the values {result.values} player {self.hero} has another"
            yield from self._vectors(result)
        elif result.bound not in ((LOWER, ESTIMATE) if self.search == "paranoid" else (ESTIMATE,)):
            yield f"{self.search} claims {result.bound}"
        elif self.search == "paranoid":
            yield from self._guarantee(result)
        elif self._is_to_depth(result) and any(n.passes >= 0 for n in self.truth.nodes):  # graphs of shipped games do not say who may pass
            value = best_reply(self.truth, self.here, self.hero, result.depth)
            if not same((value,), (result.value,)):
                yield f"to depth {result.depth} the best reply leaves {value}, not {result.value}"

    # --- max^n ---

    def _vectors(self, result: Result) -> Iterator[str]:
        if result.bound == EXACT:
            yield from self._comes_to(self.here, result.values, "exact values")
            here: Standing | None = self.here
            for i, move in enumerate(result.line):
                here = self.truth.follow(here, int(move)) if here is not None else None
                if here is not None:
                    yield from self._comes_to(here, result.values, f"after {i + 1} moves of the line, exact values")
            if "indifferent: the values are the same" in result.note and len(self.truth.outcomes(self.here)) > 1:
                yield f"it is said that no rule of ties matters; there are {sorted(self.truth.outcomes(self.here))}"
        elif result.bound != ESTIMATE:
            yield f"maxn claims {result.bound}"
        elif self._is_to_depth(result):
            true = self.maxn.values(self.here, result.depth)
            if not same(true, result.values):
                yield f"to depth {result.depth} the values are {true}, not {result.values}"
            elif result.move is not None and (child := self.truth.follow(self.here, int(result.move))) is not None:
                found = self.maxn.values(child, result.depth - 1)
                if not same(found, true):
                    yield f"to depth {result.depth} the move comes to {found}, the best one to {true}"
        for candidate in result.table:
            yield from self._candidate(candidate)

    def _comes_to(self, here: Standing, values: tuple[float, ...], what: str) -> Iterator[str]:
        true = self.maxn.values(here)
        if not same(true, values):
            yield f"{what} {values} are told; they are {true}"

    def _candidate(self, candidate: Candidate) -> Iterator[str]:
        child = self.truth.follow(self.here, candidate.numbers[0])
        if candidate.bound == EXACT and child is not None:
            yield from self._comes_to(child, candidate.values, f"candidate {candidate.numbers[0]}: exact values")

    # --- against all others ---

    def _guarantee(self, result: Result) -> Iterator[str]:
        if result.bound == LOWER:
            yield from self._promised(self.here, result.value, "the value")
            if result.move is not None and (child := self.truth.follow(self.here, int(result.move))) is not None:
                yield from self._promised(child, result.value, "the move")
        elif self._is_to_depth(result):
            value = paranoid(self.truth, self.here, self.hero, result.depth, self.guaranteed)
            if not same((value,), (result.value,)):
                yield f"to depth {result.depth} it is sure of {value}, not {result.value}"
        for candidate in result.table:
            child = self.truth.follow(self.here, candidate.numbers[0])
            if candidate.bound == LOWER and child is not None:
                yield from self._promised(child, candidate.value, f"candidate {candidate.numbers[0]}")

    def _promised(self, here: Standing, value: float, what: str) -> Iterator[str]:
        true = paranoid(self.truth, here, self.hero, None, self.guaranteed)
        if not same((true,), (value,)):
            yield f"{what} is said to promise {value}; it promises {true}"

    # --- to a depth ---

    def _is_to_depth(self, result: Result) -> bool:
        s = self.settings
        if s.get("only") or result.depth == 0 or self.truth.player(self.here) == CHANCE:
            return False
        if s.get("distance", "off") != "off" and not self.truth.guesses_stay_clear:
            return False
        return not s["table"] or (bool(s["strict"]) and self.truth.repetition == "none")
