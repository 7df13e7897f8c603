"""The slow obvious twin of UCT with transpositions, and a look at the memory of a tree whose nodes are shared.

The twin keeps a dictionary of positions; it draws the same lots in the same order and rounds where the fast code rounds.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from kibitz.core.position.game import Position
from kibitz.core.records import random
from kibitz.core.records.random import Rng
from kibitz.core.records.record import blank
from kibitz.searches.montecarlo import shared
from kibitz.searches.montecarlo.tree import NONE, Tree

Key = tuple[bytes, int, int]  # a position, whose rewards are counted there, and how many plies from the root


class Spot:
    """A node: its visits and rewards are those of all paths."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.visits, self.total = 0, 0.0
        self.untried = [int(m) for m in position.moves]
        self.ways: list[Way] = []


class Way:
    """An edge; a leaf's visits and rewards are its own."""

    def __init__(self, move: int) -> None:
        self.move = move
        self.spot: Spot | None = None
        self.times, self.total = 0, 0.0

    @property
    def mean(self) -> float:
        """What the move is worth, by all that is known of where it leads."""
        return self.spot.total / self.spot.visits if self.spot else self.total / self.times

    def bound(self, reach: float) -> float:
        return float(np.float32(self.mean)) + reach * float(np.float32(1.0 / math.sqrt(self.times)))


class Shared:
    """UCT without chance and proofs, in which a position is one node, whatever path leads to it."""

    def __init__(self, position: Position, explore: float, seed: int) -> None:
        self.explore, self.rng = explore, blank(Rng)
        with np.errstate(over="ignore"):
            random.seed(self.rng, seed, 0)
        self.root = Spot(position)
        self.known: dict[Key, Spot] = {}

    def run(self, playouts: int) -> Shared:
        with np.errstate(over="ignore"):
            for _ in range(playouts):
                self.simulate()
        return self

    def simulate(self) -> None:
        spots, ways = [self.root], []
        end = self.root.position
        while True:
            here = spots[-1]
            way = self.way(here)
            ways.append(way)
            end = here.position.play(way.move)
            if way.spot is None and not end.is_over:
                key = (end.data, here.position.player, len(ways))
                if key not in self.known and way.times > 0:
                    self.known[key] = Spot(end)
                if key in self.known:
                    way.spot = self.known[key]
                    way.spot.visits += way.times
                    way.spot.total += way.total
            if way.spot is None:
                break
            spots.append(way.spot)
        while not end.is_over:
            end = end.play(int(end.moves[random.below(self.rng, len(end.moves))]))
        low, high = end.game.constants["VALUES"]
        rewards = [(end.utility(player) - low) / (high - low) for player in range(end.game.players)]
        self.root.visits += 1
        self.root.total += rewards[0]
        for spot, way in zip(spots, ways, strict=True):
            way.times += 1
            target: Any = way.spot or way
            target.total += rewards[spot.position.player]
            if way.spot:
                way.spot.visits += 1

    def way(self, here: Spot) -> Way:
        if here.untried:
            chosen = random.below(self.rng, len(here.untried))
            here.untried[0], here.untried[chosen] = here.untried[chosen], here.untried[0]
            here.ways.append(Way(here.untried.pop(0)))
            return here.ways[-1]
        reach = self.explore * math.sqrt(math.log(here.visits))
        return max(here.ways, key=lambda way: way.bound(reach))


def same(tree: Tree, twin: Shared) -> None:
    """The same nodes with the same counts, and shared in the same places."""
    places: dict[int, Spot] = {}
    waiting = [(int(tree.trunk.root), twin.root)]
    while waiting:
        at, spot = waiting.pop()
        if at in places:
            assert places[at] is spot
            continue
        places[at] = spot
        n = tree.nodes[at]
        assert (n.visits, n.opened) == (spot.visits, len(spot.ways))
        assert abs(n.total - spot.total) < 1e-9
        for e, way in zip(tree.block_of(at), spot.ways, strict=False):
            x = tree.edges[e]
            assert x.move == way.move
            if way.spot is None:
                assert x.child == -1 - way.times
            else:
                assert x.times == way.times
                waiting.append((int(x.child), way.spot))
    assert len(places) == tree.trunk.nodes == len(twin.known) + 1


# --- memory ---


def sound(tree: Tree) -> int:
    """Blocks fill the memory used; links are counted rightly; the table knows all that is reachable and no garbage. Returns how many nodes have several links."""
    t, node_units = tree.trunk, tree.node_units
    slots = tree.nodes.memory[: int(t.slots) * shared.SLOT].view(np.int32)
    listed: set[int] = set()
    for number, first in enumerate(slots.tolist()):
        at = first
        while at != NONE:
            assert at not in listed
            listed.add(at)
            assert int(tree.nodes[at].key) % int(t.slots) == number
            at = int(tree.nodes[at].chain)
    keys = [int(tree.nodes[at].key) for at in listed]
    assert len(set(keys)) == len(keys)
    garbage: list[int] = []
    at = int(t.garbage)
    while at != NONE:
        garbage.append(at)
        at = int(tree.nodes[at].visits)
    links: dict[int, int] = {int(t.root): 1, **dict.fromkeys(garbage, 0)}
    waiting = [int(t.root), *garbage]
    while waiting:
        at = waiting.pop()
        for i, e in enumerate(tree.block_of(at)):
            child = int(tree.edges[e].child)
            if i >= tree.nodes[at].opened:
                assert child == NONE
            elif child >= 0:
                if child not in links:
                    links[child] = 0
                    waiting.append(child)
                links[child] += 1
    assert all(int(tree.nodes[at].links) == number for at, number in links.items())
    assert len(links) == t.nodes
    assert listed <= set(links)
    assert not listed & set(garbage)
    unlisted = set(links) - listed - set(garbage) - {int(t.root)}
    assert all(tree.nodes[at].count == 0 for at in unlisted)  # finished games are not looked up
    pieces = [(at, node_units + int(tree.nodes[at].count)) for at in links]
    for count, first in enumerate(t.free_blocks):
        at = int(first)
        while at != NONE:
            pieces.append((at, node_units + count))
            at = int(tree.nodes[at].visits)
    pieces.sort()
    assert pieces[0][0] == -(-int(t.slots) * shared.SLOT // tree.nodes.unit)
    for (at, size), (following, _) in itertools.pairwise(pieces):
        assert at + size == following
    assert sum(pieces[-1]) == t.end <= t.limit
    return sum(number > 1 for number in links.values())


def visits_add_up(tree: Tree) -> None:
    """A node's visits are at least those of its edges, each counted once, and totals lie between 0 and the visits."""
    waiting, seen = [int(tree.trunk.root)], set()
    arrivals: dict[int, int] = {}
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        n, below = tree.nodes[at], 0
        assert -1e-6 <= n.total <= n.visits + 1e-6
        for e in list(tree.block_of(at))[: n.opened]:
            x = tree.edges[e]
            times = int(x.times) if x.child >= 0 else NONE - int(x.child)
            below += times
            if x.child >= 0:
                arrivals[int(x.child)] = arrivals.get(int(x.child), 0) + times
                waiting.append(int(x.child))
        assert below <= n.visits
    assert all(tree.nodes[at].visits == times for at, times in arrivals.items())
