"""The most probable lines of a guided search, computed on demand: most callers only want a move.

The tree is kept until its lines are computed. The next search may change that tree and need its memory: before it begins, the lines of every
result that is still referenced are computed.
"""

from __future__ import annotations

import heapq
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

import numpy as np

from kibitz.core.position.game import Position
from kibitz.core.position.result import Likely
from kibitz.core.protocol.rules import FORBIDDEN
from kibitz.searches.mcts.tree.layout import REPEATED
from kibitz.searches.mcts.tree.memory import Tree

LINES, LONGEST, LOOKED = 5, 8, 500  # likeliest lines; plies of them; positions looked at to find them

Shares = Callable[[int], Any]  # of a node's edges, adding up to 1


class LikelyLines(Sequence[Likely]):
    """A tuple of lines that is made the first time it is asked for anything."""

    def __init__(self, find: Callable[[], tuple[Likely, ...]]) -> None:
        self._find: Callable[[], tuple[Likely, ...]] | None = find
        self._found: tuple[Likely, ...] = ()
        self._one_at_a_time = threading.Lock()
        _open.add(self)

    def look(self) -> tuple[Likely, ...]:
        """The lines; the tree is let go."""
        with self._one_at_a_time:
            if self._find is not None:
                self._found, self._find = self._find(), None
        return self._found

    @overload
    def __getitem__(self, index: int) -> Likely: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Likely, ...]: ...
    def __getitem__(self, index: int | slice) -> Likely | tuple[Likely, ...]:
        return self.look()[index]

    def __len__(self) -> int:
        return len(self.look())

    def __iter__(self) -> Iterator[Likely]:
        return iter(self.look())

    def __eq__(self, other: object) -> bool:
        return self.look() == (other.look() if isinstance(other, LikelyLines) else other)

    def __hash__(self) -> int:
        return hash(self.look())

    def __repr__(self) -> str:
        return repr(self.look())

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self.look(),)


class _Open:
    """Those that nobody has looked at yet, and somebody holds. By identity: to compare them would be to look."""

    def __init__(self) -> None:
        self._references: dict[int, weakref.ref[LikelyLines]] = {}
        self._one_at_a_time = threading.Lock()

    def add(self, lines: LikelyLines) -> None:
        with self._one_at_a_time:
            self._references[id(lines)] = weakref.ref(lines)

    def take_all(self) -> list[LikelyLines]:
        with self._one_at_a_time:
            held = [lines for reference in self._references.values() if (lines := reference()) is not None]
            self._references.clear()
        return held


_open = _Open()


def look_at_open_lines() -> None:
    """Find what is still to be found in trees that may change from now on."""
    for lines in _open.take_all():
        lines.look()


def find_likeliest_lines(position: Position, tree: Tree, shares: Shares) -> tuple[Likely, ...]:
    """The likeliest lines from the root: to positions beyond which nothing was searched, or up to the given number of plies.

    The likeliest first, and of a position's moves only the likeliest that has not been looked at waits for its turn: positions may have hundreds.
    """
    forbids = position.game.constants["REPETITION"] == FORBIDDEN
    waiting: list[tuple[float, int, int, int]] = []  # minus how likely, and to break ties: the place among those opened, and the edge
    opened: list[tuple[tuple[int, ...], float, Any, Any, Any]] = []
    found: list[Likely] = []

    def expand(line: tuple[int, ...], likely: float, at: int) -> None:
        block = tree.edges_of(at)
        share = np.array(shares(at))
        if forbids:
            share[[child >= 0 and tree.nodes[child].player == REPEATED for child in block["child"].tolist()]] = 0.0
        order = np.argsort(-share, kind="stable")
        opened.append((line, likely, block, share, order))
        push(len(opened) - 1, 0)

    def push(place: int, rank: int) -> None:
        _, likely, _, share, order = opened[place]
        if rank < len(order) and share[order[rank]] > 0.0:
            heapq.heappush(waiting, (-likely * float(share[order[rank]]), place, int(order[rank]), rank))

    expand((), 1.0, int(tree.trunk.root))
    while waiting and len(found) < LINES and len(opened) < LOOKED:
        minus, place, i, rank = heapq.heappop(waiting)
        push(place, rank + 1)
        line, _, block, _, _ = opened[place]
        line, at = (*line, int(block["move"][i])), int(block["child"][i])
        if forbids and at < 0 and line[-1] not in position.after_line(list(line[:-1])).numbers:
            continue  # nobody has tried it, or the tree would know
        if at < 0 or len(line) == LONGEST or not tree.nodes[at].count:
            found.append(Likely(position.named_line(list(line)), -minus))
        else:
            expand(line, -minus, at)
    return tuple(found)
