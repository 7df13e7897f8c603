"""What a result may say, and what it must then be."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.core.position.result import ESTIMATE, EXACT, LOWER, UPPER, Candidate, Result
from kibitz.core.protocol.rules import CHANCE
from tests.differential import judging_players
from tests.differential.options import NOT_PRUNING
from tests.naive_graphs import Standing, Truth

TOLERANCE = 1e-9
MOST_OVER = 20  # nodes beyond a limit: those of each thread, and of what was begun
EXACT_TO_DEPTH = ("minimax", "alphabeta", "negascout", "mtdf", "scout", "expectiminimax", "star0", "star05", "star1", "star2", "star25")


def same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


class Judge:
    """Holds the results of one search of one position against the truth."""

    def __init__(self, truth: Truth, here: Standing, search: str, settings: Mapping[str, Any], number: int = 0) -> None:
        self.jury = judging_players.Jury(truth, here, search, settings, number) if search in judging_players.SEARCHES else None
        self.truth, self.here, self.search, self.settings = truth, here, search, settings
        self.player = truth.player(here)
        self.viewer = max(0, self.player)  # where chance is to move, values are the first player's
        self.labels = [e.label for e in truth.moves(here)]
        self.allowed = [int(word) for word in settings.get("only", "").split()]

    def faults(self, result: Result) -> Iterator[str]:
        """All that is wrong with it."""
        yield from self._form(result)
        yield from self._line(result.line, "line")
        if self.jury is not None:
            yield from self.jury.faults(result)
            return
        if result.bound != ESTIMATE:
            yield from self._certain(result)
        elif self._is_exact_to_depth(result):
            yield from self._depth_value(result)
        if result.lower is not None and result.upper is not None:
            yield from self._between(result.lower, result.upper)
        if self.settings.get("all") and result.ended == "solved" and sorted(c.numbers[0] for c in result.table) != sorted(self.labels):
            yield f"every move was asked for; {[c.numbers[0] for c in result.table]} are told, {self.labels} are legal"
        for candidate in result.table:
            yield from self._candidate(candidate, result)
        if self.settings.get("lines", 1) > 1 and result.table:
            yield from self._several(result)
        if result.outlooks:
            yield from self._outlooks(result)

    # --- what it looks like ---

    def _form(self, result: Result) -> Iterator[str]:
        low, high = self.truth.values
        if result.bound not in (EXACT, LOWER, UPPER, ESTIMATE):
            yield f"bound is {result.bound!r}"
        if not math.isfinite(result.value):
            yield f"the value is {result.value}"
        elif self._value_in_range and not low - TOLERANCE <= result.value <= high + TOLERANCE:
            yield f"the value {result.value} is outside {low} to {high}"
        if self.player == CHANCE and (result.move is not None or result.line):
            yield f"chance is to move, and the move {result.move!r} is told"
        if self.player != CHANCE and (result.move is None or int(result.move) not in self.labels):
            yield f"{result.move!r} is no move; legal are {self.labels}"
        elif result.move is not None and self.allowed and int(result.move) not in self.allowed:
            yield f"{result.move!r} is told, only {self.allowed} were to be looked at"
        elif result.move is not None and int(result.line[0]) != int(result.move):
            yield f"the move is {int(result.move)} but the line begins with {int(result.line[0])}"
        if self.search in EXACT_TO_DEPTH and self.settings["nodes"] and result.nodes > self.settings["nodes"] + MOST_OVER:
            yield f"{result.nodes} nodes were visited, the limit is {self.settings['nodes']}"
        if result.nodes < 0 or (result.playouts or 0) < 0 or result.seconds < 0:
            yield "negative effort"

    @property
    def _value_in_range(self) -> bool:
        return not (self.settings.get("only") or self.settings.get("null"))

    def _line(self, line: tuple[int, ...], name: str) -> Iterator[str]:
        here: Standing | None = self.here
        for i, move in enumerate(line):
            here = self.truth.follow(here, int(move)) if here is not None else None
            if here is None:
                yield f"the {name} {[int(m) for m in line]} is illegal at move {i + 1}"
                return

    # --- what is certain ---

    def _certain(self, result: Result) -> Iterator[str]:
        if result.bound == EXACT:
            yield from self._worth_exactly(self.here, result.value, "exact value")
            yield from self._keeps_value(result.line, result.value)
            if result.distance is not None and self.truth.opposite:
                value, plies = self.truth.distance(self.here)
                if same(value, result.value) and plies != result.distance:
                    yield f"the distance is {plies}, not {result.distance}"
        elif self.truth.opposite:
            value = self.truth.value(self.here)[self.viewer]
            wrong = value < result.value - TOLERANCE if result.bound == LOWER else value > result.value + TOLERANCE
            if wrong:
                yield f"the value is {value}, and {result.bound} bound {result.value} is told"

    def _between(self, lower: float, upper: float) -> Iterator[str]:
        """Does the interval that is told hold the value?"""
        value = self.truth.value(self.here)[self.viewer]
        if not lower - TOLERANCE <= value <= upper + TOLERANCE:
            yield f"the value is {value}, and the interval [{lower}, {upper}] is told"

    def _worth_exactly(self, here: Standing, value: float, what: str) -> Iterator[str]:
        """Must `here` be worth that, to whoever moves at the root?"""
        if self.truth.opposite:
            true = self.truth.value(here)[self.viewer]
            if not same(true, value):
                yield f"{what} {value} is told; it is {true}"
        else:
            true_ones = {v[self.viewer] for v in self.truth.outcomes(here)}
            if not all(same(true, value) for true in true_ones):
                yield f"{what} {value} is told; it is one of {sorted(true_ones)}"

    def _keeps_value(self, line: tuple[int, ...], value: float) -> Iterator[str]:
        """Every move of a line that is called best must be; among several players only one's own is certain."""
        if not line or self.settings.get("risk", "neutral") != "neutral":  # not meant to be the best
            return
        here: Standing | None = self.here
        for i, move in enumerate(line if self.truth.opposite else line[:1]):
            here = self.truth.follow(here, int(move)) if here is not None else None
            if here is None:
                return
            for fault in self._worth_exactly(here, value, f"after {i + 1} moves of the best line {[int(m) for m in line]}, exact value"):
                yield fault
                return

    def _candidate(self, candidate: Candidate, result: Result) -> Iterator[str]:
        yield from self._line(candidate.numbers, "candidate's line")
        if candidate.bound == EXACT and candidate.numbers:
            child = self.truth.follow(self.here, candidate.numbers[0])
            if child is not None:
                yield from self._worth_exactly(child, candidate.value, f"candidate {candidate.numbers[0]}: exact value")
                if self.search == "solver" and candidate.distance is not None:
                    plies = 1 + (self.truth.distance(child)[1] if self.truth.moves(child) else 0)
                    if plies != candidate.distance:
                        yield f"candidate {candidate.numbers[0]}: the distance is {plies}, not {candidate.distance}"
        if (
            result.bound == EXACT
            and candidate.numbers
            and self.player >= 0
            and self.truth.opposite
            and candidate.bound == EXACT
            and candidate.value > result.value + TOLERANCE
        ):
            yield f"candidate {candidate.numbers[0]} is proven better ({candidate.value}) than the exact value {result.value}"

    def _several(self, result: Result) -> Iterator[str]:
        """The best moves in their order, each with its own value."""
        moves, values = [c.numbers[0] for c in result.table], [c.value for c in result.table]
        wanted = min(self.settings["lines"], len(self.allowed or self.labels))
        if len(set(moves)) != wanted or not set(moves) <= set(self.allowed or self.labels):
            yield f"the lines begin with {moves}; {wanted} of {self.allowed or self.labels} were asked for"
        elif self._is_exact_to_depth(result) and result.depth > 0:
            if any(one < other - TOLERANCE for one, other in itertools.pairwise(values)):
                yield f"the lines' values {values} are not in order"
            for candidate in result.table:
                child = self.truth.follow(self.here, candidate.numbers[0])
                assert child is not None
                if candidate.bound != EXACT and not same(true := self._to_depth(child, result.depth - 1), candidate.value):
                    yield f"to depth {result.depth} the line of {candidate.numbers[0]} is worth {true}, not {candidate.value}"

    # --- to its depth ---

    def _is_exact_to_depth(self, result: Result) -> bool:
        """Does the search promise the value of plain recursion to the depth it tells?"""
        s = self.settings
        if self.search == "selective":
            plain = all(s[name] in (v, -1) for name, v in NOT_PRUNING.items()) and not s["singular"] and not s["extend"]
            if not plain or result.ended in ("nodes", "time", "interrupted"):
                return False
        elif self.search not in EXACT_TO_DEPTH:
            return False
        if s.get("distance", "off") != "off" and not self.truth.guesses_stay_clear:
            return False
        if s.get("sample") or s.get("approximate", "none") != "none":
            return False
        if any(s.get(name) for name in ("last", "chances", "apart")) and (s["beyond"] == "skip" or s["quiescence"]):
            return False
        table = s.get("table", 0.0) if self.search not in ("minimax", "scout", "expectiminimax") else 0.0
        return not table or (bool(s["strict"]) and self.truth.repetition == "none")

    def _to_depth(self, here: Standing, depth: int) -> float:
        s = self.settings
        if any(s.get(name) for name in ("last", "chances", "apart")):
            path = () if here == self.here else (False,)
            return self.truth.with_limits(here, depth, s["last"], s["chances"], s["apart"], path)[self.viewer]
        return self.truth.value_to_depth(here, depth, max(0, s.get("quiescence", 0)))[self.viewer]

    def _depth_value(self, result: Result) -> Iterator[str]:
        if result.depth == 0:
            return
        true = self._to_depth(self.here, result.depth)
        if self.allowed:
            of_moves = [self._to_depth(self.truth.follow(self.here, label), result.depth - 1) for label in self.allowed]  # type: ignore[arg-type]
            true = max(of_moves)
        if not same(true, result.value):
            yield f"to depth {result.depth} the value is {true}, not {result.value}"
        elif result.move is not None and self.settings.get("risk", "neutral") == "neutral":
            child = self.truth.follow(self.here, int(result.move))
            if child is not None and not same(of_move := self._to_depth(child, result.depth - 1), true):
                yield f"to depth {result.depth} the move {int(result.move)} is worth {of_move}, the best one {true}"

    # --- risk ---

    def _outlooks(self, result: Result) -> Iterator[str]:
        s, best = self.settings, max(o.mean for o in result.outlooks)
        if sorted(int(o.move) for o in result.outlooks) != sorted(self.labels):
            yield "outlooks are not those of the legal moves"
            return
        for o in result.outlooks:
            if not same(sum(o.shares), 1.0) or o.win < -TOLERANCE or o.loss < -TOLERANCE or o.win + o.loss > 1 + TOLERANCE:
                yield f"the outlook of {int(o.move)} does not add up"
        if (result.bound == EXACT or self._is_exact_to_depth(result)) and not same(best, result.value):
            yield f"the best outlook's mean is {best}, the value {result.value}"
        if self._is_exact_to_depth(result):
            for o in result.outlooks:
                child = self.truth.follow(self.here, int(o.move))
                assert child is not None
                if result.bound == EXACT and same(self.truth.value(child)[self.viewer], o.mean):
                    continue  # solved: looked at as deep as the solution goes
                if not same(true := self._to_depth(child, result.depth - 1), o.mean):
                    yield f"the outlook of {int(o.move)} has the mean {o.mean}; to depth {result.depth} it is worth {true}"
        if s["risk"] != "neutral" and result.move is not None:
            low, high = self.truth.values
            mean = next(o.mean for o in result.outlooks if int(o.move) == int(result.move))
            if mean < best - s["margin"] * (high - low) - TOLERANCE:
                yield f"the move {int(result.move)} gives up more than the margin"
