"""The last simulation of a search, step by step, and the tree around it: for pictures.

The kernel records nothing. A search that is given `Steps` as its setting `trace` makes its last simulation by itself; then the tree is read from its
memory, and the path of the simulation from the workspace. The counts before it follow: one visit less along the path, and the reward subtracted.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import CHANCE, NO_MOVE
from kibitz.searches.mcts.rule import ucb1
from kibitz.searches.mcts.tree.layout import NONE, PRUNED
from kibitz.searches.mcts.tree.memory import Tree

MOST = 20_000  # positions read, unless told


@dataclass(eq=False)
class Twig:
    """A position of the tree, as it is after the last simulation."""

    move: int  # that led here; NO_MOVE at the root
    owner: int  # whose rewards are counted: who moved here; at the root, the player who does not move there, if there are two
    visits: int
    total: float  # of the owner's rewards, each from 0 to 1
    children: list[Twig] = field(default_factory=list)  # in play, in the order in which they came into play
    untried: int = 0  # moves that are not in play
    below: int = 0  # children in play that were not read
    proven: float | None = None  # what the position is worth to player 0, where that is certain
    pruned: bool = False  # best play does not need it
    by_chance: bool = False  # is it chance that decides here?
    gained: float | None = None  # what the last simulation brought the owner, where it came through here

    @property
    def on_path(self) -> bool:
        """Did the last simulation come through here?"""
        return self.gained is not None

    @property
    def visits_before(self) -> int:
        """The last simulation."""
        return self.visits - self.on_path

    @property
    def total_before(self) -> float:
        return self.total - (self.gained or 0.0)

    @property
    def is_new(self) -> bool:
        """Did the last simulation put it in the tree?"""
        return self.visits_before == 0


@dataclass
class Steps:
    """Kept by a Monte Carlo search; given to it as the setting `trace`."""

    room: int = MOST
    root: Twig | None = None
    path: list[Twig] = field(default_factory=list)  # of the last simulation, the root first; nothing where the root was proven before it
    rewards: tuple[float, ...] = ()  # of the last simulation, for each player
    explore: float | None = None  # C, where moves are selected by their upper confidence bounds
    simulations: int = 0

    def keep(self, game: Game, tree: Tree, w: Any, depth: int | None, options: Mapping[str, Any]) -> None:
        """Read the tree; the last simulation, made in workspace `w`, went `depth` plies down in it; None where there was none."""
        edges = [int(e) for e in w.steps[1 : depth + 1]] if depth is not None else []
        self.rewards = tuple(float(r) for r in w.result) if depth is not None else ()
        by_ucb = options["select"] is ucb1.select and not options["TRANSPOSITIONS"]
        self.explore = float(w.explore) if by_ucb else None
        self.root = _TreeReader(game, tree, options, self.rewards).read(edges, self.room)
        self.simulations = self.root.visits
        self.path = [self.root] if depth is not None else []
        for _ in edges:
            self.path.append(next(child for child in self.path[-1].children if child.on_path))

    def bound(self, parent: Twig, child: Twig) -> float | None:
        """The upper confidence bound by which the last simulation compared the child with its siblings; None where it did not."""
        if self.explore is None or parent.by_chance or not child.visits_before or parent not in self.path or child.pruned:
            return None
        place = self.path.index(parent)
        if place + 1 >= len(self.path) or self.path[place + 1].is_new:
            return None
        mean = SimpleNamespace(value=child.total_before / child.visits_before, scale=child.visits_before**-0.5)
        return float(ucb1.ucb(mean, self.explore * ucb1.root_log(parent.visits_before)))


class _TreeReader:
    """One reading of a tree: the most visited positions, and those on the path."""

    def __init__(self, game: Game, tree: Tree, options: Mapping[str, Any], rewards: tuple[float, ...]) -> None:
        self.tree, self.options, self.rewards = tree, options, rewards
        low, high = game.constants["VALUES"]
        self.even = self.options["OPPOSITE"] and game.constants["SUM"] == low + high  # the players' rewards add up to 1

    def read(self, path: list[int], room: int) -> Twig:
        at = int(self.tree.trunk.root)
        n = self.tree.nodes[at]
        turned = self.even and n.player == 0  # the tree keeps player 0's rewards there
        root = Twig(NO_MOVE, 1 if turned else 0, int(n.visits), float(n.visits - n.total) if turned else float(n.total))
        root.gained = self.rewards[root.owner] if self.rewards else None
        root.proven = self._proven(n)
        waiting: list[tuple[bool, int, int, int, Twig]] = [(False, 0, 0, at, root)]  # the path first, then by visits
        count = 1
        while waiting:
            _, _, _, at, twig = heapq.heappop(waiting)
            n = self.tree.nodes[at]
            block = list(self.tree.block_of(at))[: int(n.opened)]
            twig.untried, twig.by_chance = int(n.count) - len(block), bool(n.player == CHANCE)
            for e in block:
                if count >= room and e not in path:
                    twig.below += 1
                    continue
                child = self._child(e, twig.owner if n.player == CHANCE else int(n.player), e in path)
                twig.children.append(child)
                count += 1
                if self.tree.edges[e].child >= 0:
                    heapq.heappush(waiting, (not child.on_path, -child.visits, count, int(self.tree.edges[e].child), child))
        return root

    def _child(self, e: int, owner: int, on_path: bool) -> Twig:
        x = self.tree.edges[e]
        at = int(x.child)
        visits = int(self.tree.nodes[at].visits) if at >= 0 else NONE - at
        total = float(self.tree.nodes[at].total) if at >= 0 else float(x.value) * visits
        twig = Twig(int(x.move), owner, visits, total, gained=self.rewards[owner] if on_path else None)
        if at >= 0:
            twig.proven = self._proven(self.tree.nodes[at])
        twig.pruned = bool(x.value <= 0.5 * PRUNED)
        return twig

    def _proven(self, n: Any) -> float | None:
        return float(n.low[0]) if self.options["SOLVE"] and all(n.low[p] >= n.high[p] for p in range(len(n.low))) else None
