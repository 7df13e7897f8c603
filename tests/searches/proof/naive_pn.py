"""The slow obvious twin of proof-number search: the tree as nested objects, all numbers computed anew before every step; and random trees to try it on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import Any

from kibitz.core.position.game import Position


@dataclass
class Node:
    position: Position
    path: tuple[str, ...] = ()
    children: list[Node] = field(default_factory=list)


class Question:
    """Does `player` get at least `threshold`? Answered as the lecture says, or (`both`) by way of the most proving node."""

    def __init__(self, position: Position, player: int, threshold: float, both: bool) -> None:
        self.player, self.threshold, self.both = player, threshold, both
        self.root, self.order = Node(position), list[tuple[str, ...]]()

    def numbers(self, node: Node) -> tuple[float, float]:
        """Proof and disproof number."""
        if node.position.is_over:
            return (0, inf) if node.position.utility(self.player) >= self.threshold else (inf, 0)
        if not node.children:
            return 1, 1
        proofs, disproofs = zip(*(self.numbers(child) for child in node.children), strict=True)
        return (min(proofs), sum(disproofs)) if node.position.player == self.player else (sum(proofs), min(disproofs))

    def chosen(self, node: Node, proving: bool) -> Node:
        """The child on the way to the next leaf, leftmost among equals."""
        at_or, numbers = node.position.player == self.player, [self.numbers(child) for child in node.children]
        if self.both:
            return node.children[min(range(len(numbers)), key=lambda i: numbers[i][0 if at_or else 1])]
        mine = [n[0 if proving else 1] for n in numbers]
        if at_or == proving:
            return node.children[min((i for i in range(len(mine)) if mine[i]), key=lambda i: mine[i])]
        return node.children[next(i for i in range(len(mine)) if mine[i])]

    def step(self) -> bool:
        """Expand one more leaf; False where there is nothing left to do."""
        proof, disproof = self.numbers(self.root)
        if 0 in (proof, disproof):
            return False
        node = self.root
        while node.children:
            node = self.chosen(node, proof <= disproof)
        self.order.append(node.path)
        at_or = node.position.player == self.player
        for move in node.position.moves:
            child = Node(node.position.play(int(move)), (*node.path, str(move)))
            node.children.append(child)
            if self.numbers(child)[0 if at_or else 1] == 0:
                break
        return True

    def all_numbers(self) -> dict[tuple[str, ...], tuple[float, float]]:
        found, rest = {}, [self.root]
        while rest:
            node = rest.pop()
            found[node.path] = self.numbers(node)
            rest += node.children
        return found


def random_tree(rng: Random, values: list[int], depth: int = 5, alternate: bool = False) -> str:
    """A tree in the notation of `trees`; players take turns or, sometimes, do not."""

    def grown(left: int) -> Any:
        if left == 0 or (left < depth and rng.random() < 0.25):
            return rng.choice(values)
        below = [grown(left - 1) for _ in range(rng.choice((1, 2, 2, 3)))]
        return below if alternate or rng.random() < 0.7 else {"player": rng.randrange(2), "moves": below}

    return json.dumps(grown(depth))
