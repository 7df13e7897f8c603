"""The growth of a proof-number search tree: each expanded leaf and the numbers it changed, for pictures and lessons.

The search is that of pn.py, stopped after every expansion. Nodes are numbered in the order in which they came into the tree; the root is 0.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz.core.errors import InputError, nearest
from kibitz.core.position.game import Position
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT
from kibitz.searches.method import Method, opposite_interests
from kibitz.searches.proof import numbers, pn
from kibitz.searches.proof.numbers import NEVER
from kibitz.searches.proof.prove import LEAVES, Asking, Settings
from kibitz.tables.proof.claim import DISPROVEN, MOST_PLIES, PROVEN, UNKNOWN, WIN, Claim, claimed

Numbers = tuple[int, int]  # proof and disproof

OPTIONS = (
    Parameter("goal", WIN, None, None, None, "win, not lose, or a value to reach such as 'value >= 3', in quotes"),
    Parameter("player", 0, 0, 2, None, "whose claim it is; 0: of the player to move"),
    Parameter("within", 0, 0, MOST_PLIES, None, "the game must be over within this number of plies; 0: no limit"),
    Parameter("leaf", LEAVES[0], None, None, LEAVES, "what an open position costs"),
    Parameter("lecture", False, None, None, None, "the lecture's way down: try to prove, or to disprove; else to the most proving node"),
)
LIMITS = (
    Parameter("steps", 0, 0, 10**6, None, "nodes to expand; 0: no limit"),
    Parameter("time", 0.0, 0.0, 1e9, None, "seconds; 0: no limit"),
    Parameter("nodes", 0, 0, 10**18, None, "positions to visit; 0: no limit"),
)
ABOUT = {"pn": "proof-number search, best first", "pn2": "the same, with a search of its own at each leaf"}
DRAWN = {name: Method(name, about, OPTIONS, opposite_interests, lambda *_: iter(()), LIMITS) for name, about in ABOUT.items()}
UNDRAWN = "dfpn"  # keeps numbers in a table, and no tree


@dataclass(eq=False)
class Grown:
    """A node, with its numbers as they came and as they are at the end."""

    number: int
    move: int  # that led here
    mover: int
    parent: Grown | None
    first: Numbers
    came: int  # with which step
    numbers: Numbers
    expanded: int = 0  # by which step; 0: never
    children: list[Grown] = field(default_factory=list)

    @property
    def is_settled(self) -> bool:
        return 0 in self.numbers

    @property
    def line(self) -> list[int]:
        """The moves from the root."""
        return [] if self.parent is None else [*self.parent.line, self.move]

    def walk(self) -> Iterator[Grown]:
        """This node and all below, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)


@dataclass(frozen=True)
class Step:
    """One leaf expanded."""

    leaf: Grown
    changed: tuple[tuple[Grown, Numbers], ...]  # nodes with other numbers afterwards, from the leaf up; not its new children


@dataclass(frozen=True)
class Growth:
    """The tree, and how it came to be."""

    claim: Claim
    engine: str
    root: Grown
    steps: tuple[Step, ...]
    visited: int  # positions
    following: Grown | None  # the leaf that would be expanded next
    ended: str  # solved, or what came first

    @property
    def verdict(self) -> str:
        proof, disproof = self.root.numbers
        if disproof == 0 and self.ended == "length":
            return UNKNOWN
        return PROVEN if proof == 0 else DISPROVEN if disproof == 0 else UNKNOWN

    def settling(self) -> set[Grown]:
        """The nodes that settle the root: of one kind of node a child, of the other all; where it is open, the way to the next leaf."""
        if self.following is not None:
            node: Grown | None = self.following
            found = set()
            while node is not None:
                found.add(node)
                node = node.parent
            return found
        found, stack = set(), [self.root] if self.root.is_settled else []
        holder = self.claim.player if self.root.numbers[0] == 0 else 1 - self.claim.player
        while stack:
            node = stack.pop()
            found.add(node)
            settled = [child for child in node.children if child.numbers == self.root.numbers]
            stack += settled[:1] if node.mover == holder else settled
        return found


def method_of(name: str) -> Method | None:
    """The search of this name that `grow` shows; None for any other search."""
    if name == UNDRAWN:
        raise InputError(f"{UNDRAWN} keeps a table and no tree to draw; draw {' or '.join(DRAWN)}")
    return DRAWN.get(name)


def grow(position: Position, name: str, given: Mapping[str, Any], room: int) -> Growth:
    """Search for the answer to a claim, and keep each step of it; a tree of at most `room` nodes."""
    method = DRAWN.get(name)
    if method is None:
        raise InputError(f"'{name}' grows no tree of proof numbers; {nearest(name, DRAWN, 'searches that do')}")
    set_to = method.settings(given)
    claim = claimed(position, set_to["goal"], set_to["player"] - 1 if set_to["player"] else None, set_to["within"])
    if position.game.repeats and not claim.bound:
        raise InputError(f"{position.game.name} may come back to a position; ask for a bounded claim: {name}(within=5)")
    usual = method.settings({})
    changed = ", ".join(f"{n}={v!r}" if n == "goal" else f"{n}={v}" for n, v in set_to.items() if v != usual[n])
    return _Recording(claim, name, set_to, room).run(f"{name}({changed})" if changed else name)


class _Recording:
    def __init__(self, claim: Claim, name: str, set_to: Mapping[str, Any], room: int) -> None:
        self.claim, self.set_to, self.constants = claim, set_to, claim.position.game.constants
        asking = Asking(claim, Settings(method=name, leaf=set_to["leaf"], memory=0.001), None)
        self.w = blank(record(**pn.fields(self.constants)))
        with np.errstate(over="ignore"):
            asking.prepare(self.w, claim)
        kind, size = pn.node_record(self.constants), room + int(self.constants["MAX_MOVES"])
        self.tree, self.second = np.zeros(size, kind), np.zeros(size if name == "pn2" else 1, kind)
        constants = {**asking.constants(claim), "SQUARED": name == "pn2", "BOTH": not set_to["lecture"]}
        self.kernel = claim.position.game.bind(pn.search, constants, label=name)
        self.most_proving = claim.position.game.bind(pn.most_proving, constants, "python")
        self.nodes: list[Grown] = []
        self.steps: list[Step] = []

    def run(self, engine: str) -> Growth:
        position, w = self.claim.position, self.w
        w.states[0], w.control.limit, w.used = position.state, self.set_to["nodes"] or NO_LIMIT, 0
        if position.is_over:
            found = (0, NEVER) if position.utility(self.claim.player) >= self.claim.threshold else (NEVER, 0)
            root = Grown(0, -1, position.player, None, found, 0, found)
            return Growth(self.claim, engine, root, (), 0, None, "solved")
        ended = self._record()
        root = self.nodes[0]
        if root.is_settled:
            ended = "length" if root.numbers[1] == 0 and not self.claim.bound and w.horizons else "solved"
        return Growth(self.claim, engine, root, tuple(self.steps), int(w.control.nodes), None if root.is_settled else self._next(), ended)

    def _record(self) -> str:
        """One expansion after another; what ended them."""
        w, begun = self.w, time.monotonic()
        w.most_expanded = 0
        self.kernel(w, self.tree, self.second)
        self._add(0, None, self.claim.position.player)
        while not self.nodes[0].is_settled:
            if self.set_to["steps"] and len(self.steps) >= self.set_to["steps"]:
                return "steps"
            if self.set_to["time"] and time.monotonic() - begun >= self.set_to["time"]:
                return "time"
            w.most_expanded = w.expanded + 1
            self.kernel(w, self.tree, self.second)
            if w.expanded < w.most_expanded:
                return "room" if w.full else "nodes"
            self._note(self.nodes[int(w.leaf)])
        return "solved"

    def _numbers(self, number: int) -> Numbers:
        return int(self.tree[number]["proof"]), int(self.tree[number]["disproof"])

    def _add(self, number: int, parent: Grown | None, mover: int) -> Grown:
        found, move = self._numbers(number), int(self.tree[number]["move"]) if parent is not None else -1
        node = Grown(number, move, mover, parent, found, len(self.steps) + (parent is not None), found)
        self.nodes.append(node)
        return node

    def _note(self, leaf: Grown) -> None:
        """What the expansion of a leaf has changed."""
        leaf.expanded = len(self.steps) + 1
        first, count = int(self.tree[leaf.number]["first"]), int(self.tree[leaf.number]["count"])
        if count:
            here = self.claim.position.after_line(leaf.line)
            leaf.children = [self._add(i, leaf, _mover(here.after_line([int(self.tree[i]["move"])]))) for i in range(first, first + count)]
        changed, node = [], leaf
        while True:
            found = self._numbers(node.number)
            if found != node.numbers:
                node.numbers = found
                changed.append((node, found))
            if node.parent is None:
                break
            node = node.parent
        self.steps.append(Step(leaf, tuple(changed)))

    def _next(self) -> Grown:
        """The most proving leaf of the tree as it is."""
        self.w.states[0] = self.claim.position.state
        with np.errstate(over="ignore"):
            node, _ = self.most_proving(self.w, self.tree, 0, 0)
        return self.nodes[int(node)]


def _mover(position: Position) -> int:
    """Whose turn it is by the board alone: repetition is not looked at."""
    return int(position.game.rule("player")(position.state))


def shown(number: int) -> str:
    """A proof or disproof number."""
    return "∞" if number == NEVER else str(number)


def finite(pair: Numbers) -> list[int | None]:
    """Both numbers for JSON, which has no infinity."""
    return [None if n == numbers.NEVER else n for n in pair]
