"""Which part of a tree is shown: the best line, then what is near the root, as much as there is room for; the rest folds into stubs."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.pictures.nodes import Node

DRAWN, LISTED = 30, 60  # nodes in a picture and in a text, unless told
LEAF = 0.5  # the room that a leaf takes in a picture; a node with moves, and its windows, takes 1
FEW = 4  # moves that were not searched are shown one by one if they are so few
AT_LEAST = 3  # moves shown of a node on the best line, however little room there is


@dataclass(eq=False)
class Item:
    """Something shown: a node, a move that was not searched, or a stub that stands for what is not shown."""

    node: Node | None = None
    skipped: tuple[Move, ...] = ()  # moves that were not searched; more than one in a stub
    position: Position | None = None  # after the one move that was not searched
    said: str = ""  # of a stub
    cut: bool = False  # not searched because the node above was good enough
    children: list[Item] = field(default_factory=list)

    @property
    def is_stub(self) -> bool:
        """Does it stand for what is not shown?"""
        return self.node is None and not self.skipped

    @property
    def stub(self) -> str:
        """What stands for all that is below, where nothing of it is shown."""
        return self.children[0].said if len(self.children) == 1 and self.children[0].is_stub else ""

    @property
    def best(self) -> bool:
        return self.node is not None and self.node.best


def folded(root: Node, room: int, apart: bool = True) -> Item:
    """The root as an item, and about `room` nodes in all.

    `apart`: for a picture, where leaves take less room, and moves that were not searched stand one by one if they are few.
    """
    top = Item(root)
    left = room - 1.0
    kept = (AT_LEAST + 1) * len(_always_open(root))  # before anything else
    waiting: list[tuple[bool, int, int, Item]] = [(False, 0, 0, top)]  # the best line first, then what is near the root
    count = 0
    while waiting:
        _, ply, _, item = heapq.heappop(waiting)
        node = item.node
        if node is None or not (node.children or node.skipped):
            item.children = [Item(said=_nodes(node.below))] if node is not None and not node.is_recorded else []
            continue
        kept -= AT_LEAST + 1 if node.best or node is root else 0
        shown = _shown(node, left - kept, LEAF if apart else 1.0)
        hidden = [child for child in node.children.values() if child not in shown]
        if not shown and hidden:
            item.children = [Item(said=_nodes(node.below))]
            continue
        item.children = [Item(child) for child in shown]
        if hidden:
            item.children.append(Item(said=f"… {len(hidden)} moves, {_nodes(sum(1 + c.below for c in hidden))[2:]}"))
        item.children += _not_searched(node, apart)
        left -= sum(_size(child.node, LEAF if apart else 1.0) for child in item.children)
        for child in item.children:
            count += 1
            heapq.heappush(waiting, (not child.best, ply + 1, count, child))
    return top


def _always_open(root: Node) -> list[Node]:
    """The root, and the nodes on the best line, if they have children."""
    line: list[Node] = []
    node: Node | None = root
    while node is not None and node.children:
        line.append(node)
        node = next((child for child in node.children.values() if child.best), None)
    return line


def _size(node: Node | None, leaf: float) -> float:
    return leaf if node is None or node.is_leaf else 1.0


def _shown(node: Node, room: float, leaf: float) -> list[Node]:
    """The children to show: all that there is room for, or none; of the root and on the best line some in any case, the best among them."""
    children = list(node.children.values())
    if sum(_size(child, leaf) for child in children) + leaf * min(len(node.skipped), 1) <= room:
        return children
    if not node.best and node.parent is not None:
        return []
    keep = max(AT_LEAST, int(room) - 1)
    best = [child for child in children if child.best]
    others = [child for child in children if not child.best][: keep - len(best)]
    return [child for child in children if child in best or child in others]


def _not_searched(node: Node, apart: bool) -> list[Item]:
    if not node.is_recorded:
        return [Item(said="… more")]
    if apart and len(node.skipped) <= FEW:
        return [Item(skipped=(move,), position=node.position.play(int(move)), cut=node.is_cut) for move in node.skipped]
    return [Item(skipped=node.skipped, said=f"{len(node.skipped)} skipped", cut=node.is_cut)] if node.skipped else []


def _nodes(number: int) -> str:
    return f"… {number} node{'' if number == 1 else 's'}"
