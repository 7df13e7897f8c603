"""Values, windows and visits in few characters, for people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.core.position.game import Game, Position
from kibitz.pictures.trace_tree import AT_LEAST, AT_MOST, EXACT, Node, Visit
from kibitz.searches import trace
from kibitz.searches.scale import Scale

MOST_VISITS = 4  # told one by one
SHORTER = 3  # digits


@dataclass(frozen=True)
class Words:
    """How the values of one search are written, and who moves. `step` is what a ply to the end of the game costs in them; 0: nothing."""

    game: Game
    step: float
    hero: int | None = None  # against whom all others are one side
    passes: int = 1  # nodes on a path for each ply, at most
    vectors: bool = False  # has the search a value for each player?

    def number(self, value: float) -> str:
        """A value; one that carries a distance as the utility and the ply at which the game ends."""
        if math.isnan(value):
            return "?"
        if math.isinf(value):
            return "∞" if value > 0 else "-∞"
        told, plies = self.split_distance(value)
        if plies is not None:
            return f"{told:g} in {plies}"
        return f"{value + 0.0:.12g}" if value == round(value) else f"{value:.3g}"

    def split_distance(self, value: float) -> tuple[float, int | None]:
        """A value as the game counts it, and at which ply the game ends; None where the value carries no distance."""
        if not self.step or not math.isfinite(value):
            return value, None
        return Scale(self.game, True, self.hero is not None, self.passes).without_distance(
            value, 0
        )  # both players' own values have the same range

    def vector(self, values: Sequence[float]) -> str:
        """Everybody's values."""
        return f"({', '.join(map(self.number, values))})"

    def utility(self, position: Position) -> str:
        """What a finished game is worth, to whom the tree is for."""
        if self.vectors:
            return self.vector([position.utility(p) for p in range(self.game.players)])
        return self.number(position.utility(self.hero or 0))

    def side(self, mover: int) -> int:
        """Who moves, as a tree shows it: MAX, MIN, another player, chance or nobody."""
        return mover if self.hero is None or mover < 0 else int(mover != self.hero)

    @property
    def numbered(self) -> bool:
        """Do players bear numbers in place of the shapes of MAX and MIN?"""
        return self.hero is None and (self.vectors or self.game.players > 2)

    def value(self, node: Node) -> str:
        """What is known of a node's value."""
        if self.vectors:
            done = [v for v in node.visits if not v.is_open]
            return "?" if not done else self.answer(next((v for v in reversed(done) if v.relation == EXACT), done[-1]), node.mover)
        known = node.known
        return "?" if known is None else self.number(known) if isinstance(known, float) else self.answer(known)

    def window(self, visit: Visit) -> str:
        """`(2, 5)`, or as a question where nothing lies between; empty where there is no window."""
        if not visit.has_window:
            return ""
        if visit.is_question:
            return f"≥ {self.number(visit.high)}?" if _asks_for_high(visit) else f"> {self.number(visit.low)}?"
        return f"({self.number(visit.low)}, {self.number(visit.high)})"

    def answer(self, visit: Visit, mover: int = 0) -> str:
        """The visit's value, with what it says of the true one; of a vector that is not whole what `mover` has."""
        if visit.is_open:
            return "unfinished"
        if visit.vector:
            return self.vector(visit.vector) if visit.relation == EXACT else f"{visit.relation} {self.number(visit.value)} for {mover + 1}"
        if visit.relation == EXACT:
            return self.number(visit.value)
        if visit.is_question and visit.relation == AT_LEAST and visit.value == visit.high and not _asks_for_high(visit):
            return f"> {self.number(visit.low)}"
        if visit.is_question and visit.relation == AT_MOST and visit.value == visit.low and _asks_for_high(visit):
            return f"< {self.number(visit.high)}"
        return f"{visit.relation} {self.number(visit.value)}"

    def said(self, visit: Visit, mover: int = 0) -> str:
        """The answer, as short as its question allows."""
        if visit.is_question and visit.value in (visit.low, visit.high):
            return "yes" if visit.relation == AT_LEAST else "no"
        return self.answer(visit, mover)

    def ending(self, node: Node, visit: Visit) -> str:
        """How the visit ended, where that is not plain to see."""
        if node.cuts(visit):
            return trace.ENDINGS[trace.CUT] if node.left_early(visit) else ""
        return "" if visit.how in (trace.OPEN, trace.SEARCHED, *trace.LEAVES) else trace.ENDINGS[visit.how]

    def visits(self, node: Node) -> list[str]:
        """A line for each visit: its window, and, where there are several, which one it was and what it found."""
        if len(node.visits) == 1:
            visit = node.visits[0]
            said = self.window(visit)
            if visit.is_question and not visit.is_open:
                said += " yes" if visit.relation == AT_LEAST else " no"
            said = "unfinished" if visit.is_open else said
            line = " ".join(part for part in (said, self.ending(node, visit)) if part)
            return [line] if line else []
        if node.is_leaf:
            return [f"seen {len(node.visits)} times"]
        numbered = list(enumerate(node.visits, 1))
        left_out = len(numbered) - MOST_VISITS
        if left_out > 1:
            numbered = [*numbered[: MOST_VISITS - 1], numbered[-1]]
        lines = [" ".join(p for p in (f"{i}:", self.window(v), self.said(v, node.mover), self.ending(node, v)) if p) for i, v in numbered]
        return [*lines[:-1], f"… {left_out} more", lines[-1]] if left_out > 1 else lines

    def running(self, node: Node) -> str:
        """What the parent's value had to lie between once this node was known."""
        last = node.visits[-1]
        return "" if math.isnan(last.least) else f"[{self.number(last.least)}, {self.number(last.most)}]"

    def step_to(self, node: Node) -> str:
        """The move that led to a node, with its probability where chance made it."""
        return node.name if node.chance is None else f"{node.name} · {node.chance:.3g}"


def _asks_for_high(visit: Visit) -> bool:
    """Is the upper end of a window of one float the number that was asked about? It is written shorter, then, than its neighbour."""
    return len(repr(visit.high)) + SHORTER <= len(repr(visit.low))
