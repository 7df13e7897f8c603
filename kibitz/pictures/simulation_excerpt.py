"""Which part of a Monte Carlo tree is shown: the path of the last simulation, then what was visited most; the rest is counted."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

from kibitz.core.position.game import Position
from kibitz.searches.mcts.report.last_simulation import Twig


@dataclass(eq=False)
class Shown:
    """A position that is shown."""

    twig: Twig
    position: Position
    name: str  # of the move that led here; empty at the root
    children: list[Shown] = field(default_factory=list)
    rest: str = ""  # what stands for the moves that are not shown

    @property
    def mover(self) -> int:
        return self.position.player

    @property
    def hidden(self) -> int:
        """How many moves are not shown, tried or not."""
        return len(self.twig.children) - len(self.children) + self.twig.below + self.twig.untried

    @property
    def certain(self) -> str:
        """What is proven of it, in words."""
        if self.twig.proven is not None:
            return f"proven {self.twig.proven:+g} for {self.position.game.side(0)}"
        return "not needed" if self.twig.pruned else ""

    def walk(self) -> Iterator[Shown]:
        """This one and all below, parents first."""
        stack = [self]
        while stack:
            item = stack.pop()
            yield item
            stack += reversed(item.children)


def fold_simulation(root: Twig, position: Position, room: int) -> Shown:
    """The root and about `room` positions in all."""
    top = Shown(root, position, "")
    waiting: list[tuple[bool, int, int, Shown, Twig]] = []
    count = 0

    def offer(parent: Shown) -> None:
        nonlocal count
        for twig in parent.twig.children:
            count += 1
            heapq.heappush(waiting, (not twig.on_path, -twig.visits, count, parent, twig))

    offer(top)
    left = room - 1
    items = [top]
    while waiting and (left > 0 or not waiting[0][0]):
        _, _, _, parent, twig = heapq.heappop(waiting)
        item = Shown(twig, parent.position.after_line([twig.move]), str(parent.position.named_line([twig.move])[0]))
        parent.children.append(item)
        items.append(item)
        left -= 1
        offer(item)
    for item in items:
        item.children.sort(key=lambda child: item.twig.children.index(child.twig))
        item.rest = _rest(item)
    return top


def counts(total: float, visits: int) -> str:
    """U/N."""
    return f"{round(total)}/{visits}" if abs(total - round(total)) < 0.005 else f"{total:.1f}/{visits}"


def _rest(item: Shown) -> str:
    """In words, what of an item's moves is not shown."""
    there = {id(child.twig) for child in item.children}
    hidden = [t for t in item.twig.children if id(t) not in there]
    more = len(hidden) + item.twig.below
    said = []
    if more:
        visits = sum(t.visits for t in hidden)
        said.append(f"{more} more" + (f", {visits} visit{'' if visits == 1 else 's'}" if not item.twig.below else ""))
    if item.twig.untried:
        said.append(f"{item.twig.untried} not tried")
    return f"… {'; '.join(said)}" if said else ""
