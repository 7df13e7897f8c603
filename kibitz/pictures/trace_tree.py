"""A trace as a tree: the visits of one node, whichever pass or search they belong to, come together in one place.

All windows and values are those of player 0, MAX, as in textbooks, whoever the search computed them for; where one player is searched against all others, his; and where a
search has a value for each player, a visit's own value is that of whoever moves there, beside the `vector` of all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.core.protocol.rules import CHANCE, NO_MOVE, OVER
from kibitz.searches import trace
from kibitz.searches.chance import sampling

EXACT, AT_LEAST, AT_MOST = "=", "≥", "≤"
TURNED = {EXACT: EXACT, AT_LEAST: AT_MOST, AT_MOST: AT_LEAST}


@dataclass(frozen=True)
class Visit:
    """One visit of a node."""

    number: int
    parent: int  # the number of a visit of the parent; NO_MOVE at the root
    depth: int  # plies still to search
    how: int  # see kibitz/searches/trace.py
    has_window: bool  # does the search have windows at all?
    low: float  # the window; infinite where it is open, NaN at leaves
    high: float
    value: float
    least: float  # once this was known, the parent's value had to lie between these; NaN where unknown
    most: float
    relation: str  # what the value says of the true one: EXACT, AT_LEAST or AT_MOST
    entered: int  # visits one ply down, recorded or not
    nodes: int  # visited below, recorded or not; UNCOUNTED where they were not counted, or the visit was not finished
    vector: tuple[float, ...] = ()  # everybody's value, where the search has one for each player

    @property
    def is_open(self) -> bool:
        """Was it never finished?"""
        return self.how == trace.OPEN

    @property
    def is_question(self) -> bool:
        """Is there nothing between the ends of the window, so that the answer can only be yes or no?"""
        return self.high <= math.nextafter(self.low, math.inf)


@dataclass(eq=False)
class Node:
    """A node that was visited."""

    move: int  # that led here; NO_MOVE at the root, and where a turn was skipped
    mover: int
    parent: Node | None
    root: Position
    sample: tuple[int, int] | None = None  # outcomes drawn at each chance node, and the seed; None where all were looked at
    visits: list[Visit] = field(default_factory=list)
    children: dict[int, Node] = field(default_factory=dict)  # by move, in the order in which they were first visited
    size: int = 1  # nodes from here on
    best: bool = False  # on the best line

    @cached_property
    def position(self) -> Position:
        if self.parent is None:
            return self.root
        before = self.parent.position
        if self.move == NO_MOVE:
            s = before.state
            before.game.rule("skip")(s)
            return Position(before.game, s.tobytes())
        return self._on_turn(before.after_line([self.move]))

    def _on_turn(self, position: Position) -> Position:
        """The position with the node's mover on turn: a search may let the others pass."""
        for _ in range(position.game.players if self.mover >= 0 else 0):
            s = position.state
            if position.player in (self.mover, OVER) or not position.game.rule("skip")(s):
                break
            position = Position(position.game, s.tobytes())
        return position

    @cached_property
    def name(self) -> str:
        """The move that led here, in the game's notation."""
        if self.parent is None:
            return ""
        return "skip" if self.move == NO_MOVE else str(self.parent.position.named_line([self.move])[0])

    @property
    def chance(self) -> float | None:
        """How likely the outcome is that led here; None where a player moved."""
        return None if self.parent is None else self.parent.chances.get(self.move)

    @cached_property
    def chances(self) -> dict[int, float]:
        """How likely each outcome is, of those that the search looks at; nothing where a player moves."""
        if not self.position.is_chance:
            return {}
        if self.sample is not None:
            return sampling.shares(self.position, *self.sample)
        return dict(zip(map(int, self.position.moves), self.position.chances, strict=True))

    @property
    def is_leaf(self) -> bool:
        return not self.children and self.visits[-1].how in trace.LEAVES

    @property
    def is_cut(self) -> bool:
        return any(self.cuts(v) for v in self.visits)

    def cuts(self, visit: Visit) -> bool:
        """Was the visit's value good enough, or bad enough where chance decides, whatever the other moves are worth?"""
        return visit.how == trace.CUT or (self.mover == CHANCE and visit.how == trace.SEARCHED and visit.relation != EXACT)

    def left_early(self, visit: Visit) -> bool:
        """Did a cut save this visit any moves?"""
        entered = sum(any(v.parent == visit.number for v in child.visits) for child in self.children.values())
        return self.cuts(visit) and entered < (len(self.chances) or len(self.position.moves))

    @property
    def is_recorded(self) -> bool:
        """Was there room for all visits one ply down?"""
        return sum(v.entered for v in self.visits) == sum(len(c.visits) for c in self.children.values())

    @property
    def below(self) -> int:
        """How many nodes were visited below, in all visits; where they were not counted, how many are recorded."""
        counts = [v.nodes for v in self.visits]
        return self.size - 1 if trace.UNCOUNTED in counts else sum(counts)

    @cached_property
    def skipped(self) -> tuple[Move, ...]:
        """Legal moves that no visit went into, though some visit looked at the moves; unknown, so none, where visits were not recorded."""
        if not self.is_recorded or all(v.how in trace.WITHOUT_MOVES for v in self.visits):
            return ()
        there = [move for move in self.position.moves if self.sample is None or not self.chances or int(move) in self.chances]
        return tuple(move for move in there if int(move) not in self.children)

    @property
    def known(self) -> Visit | float | None:
        """The value, if the visits of the last one's depth together leave only one; else the last visit; None where none was finished."""
        done = [v for v in self.visits if not v.is_open]
        if not done:
            return None
        same = [v for v in done if v.depth == done[-1].depth]
        low = max((v.value for v in same if v.relation != AT_MOST), default=-math.inf)
        high = min((v.value for v in same if v.relation != AT_LEAST), default=math.inf)
        return low if low == high else done[-1]

    def walk(self) -> Iterator[Node]:
        """This node and all below, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children.values())


def build_tree(position: Position, recorder: trace.Recorder, sample: tuple[int, int] | None = None) -> Node:
    """The tree of the nodes that were visited, from the position searched; see `Node` for `sample`."""
    one_sided = recorder.hero is not None or recorder.vectors is not None  # nothing is to be turned over
    total = float(position.game.constants["SUM"] or 0.0)
    vectors = recorder.vectors.tolist() if recorder.vectors is not None else []
    nodes: list[Node] = []  # by visit
    made: list[Node] = []
    events = _plain(recorder.events)
    for number, event in enumerate(events):
        parent = nodes[event["parent"]] if event["parent"] != NO_MOVE else None
        if parent is None:
            node = nodes[0] if nodes else None
        else:
            node = parent.children.get(event["move"])
        if node is None:
            node = Node(event["move"], event["mover"], parent, position, sample)
            made.append(node)
            if parent is not None:
                parent.children[event["move"]] = node
        nodes.append(node)
        above = events[event["parent"]]["side"] if parent is not None else event["side"]
        if one_sided:
            above = event["side"] = 0
        visit = _visit(number, event, above, total, position.game.constants["VALUES"])
        node.visits.append(replace(visit, has_window=False, vector=tuple(vectors[number])) if vectors else visit)
    for node in reversed(made):
        node.size = 1 + sum(child.size for child in node.children.values())
    return made[0]


def _plain(events: Any) -> list[dict[str, Any]]:
    return [dict(zip(events.dtype.names, row, strict=True)) for row in events.tolist()]


def _visit(number: int, event: dict[str, Any], above: int, total: float, values: tuple[float, float]) -> Visit:
    """In MAX's eyes; a window's end that no value can lie beyond is no end. `above`: the side of the parent, whose bounds were noted here."""
    low, high, least, most, value = (event[name] for name in ("low", "high", "least", "most", "value"))
    relation = _relation(event)
    has_window = low > -math.inf or high < math.inf
    if event["side"] == 1:
        low, high, value, relation = total - high, total - low, total - value, TURNED[relation]
    if above == 1:
        least, most = total - most, total - least
    if least <= values[0] and most >= values[1]:
        least = most = math.nan
    low, high = -math.inf if low < values[0] else low, math.inf if high > values[1] else high
    known = (has_window, low, high, value, least, most, relation)
    nodes = trace.UNCOUNTED if event["how"] == trace.OPEN else event["nodes"]
    return Visit(number, event["parent"], event["depth"], event["how"], *known, event["entered"], nodes)


def _relation(event: dict[str, Any]) -> str:
    """In the eyes of the event's own side."""
    if event["value"] >= event["high"]:
        return AT_LEAST
    if event["value"] <= event["low"]:
        return AT_MOST
    if event["how"] == trace.PROBED and event["mover"] != CHANCE:
        return AT_LEAST if event["mover"] == event["side"] else AT_MOST
    return EXACT


def mark_line(root: Node, line: tuple[Move, ...]) -> None:
    """Mark the best line, as far as it was visited."""
    node: Node | None = root
    for move in line:
        if node is None:
            return
        node.best = True
        node = node.children.get(int(move))
    if node is not None:
        node.best = True
