"""The slow obvious twin of UCT, an oracle for any number of players, and a look at a tree's memory from outside.

The twin keeps a tree of Python objects and plays on positions; it draws the same lots in the same order and rounds where the fast code rounds, so that
both must grow the same tree, visit for visit.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

import kibitz as kb
from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import OVER
from kibitz.core.records import maths, random
from kibitz.core.records.random import Rng
from kibitz.core.records.record import blank, record
from kibitz.searches.mcts.tree.layout import NONE
from kibitz.searches.mcts.tree.memory import Tree


class Leaf:
    """A position of the naive tree; `children` stays None until it is visited again."""

    def __init__(self, position: Position, owner: int, move: int = -1) -> None:
        self.position, self.owner, self.move = position, owner, move
        self.visits, self.total = 0, 0.0
        self.square = np.float32(0.0)  # the mean of the squares of the rewards
        self.everybody: list[float] = [0.0] * position.game.players  # rewards of every player, added up
        self.untried: list[int] | None = None
        self.children: list[Leaf] = []

    def bound(self, reach: float) -> float:
        """Upper confidence bound; mean and 1/sqrt(N) are kept in single precision."""
        return float(np.float32(self.total / self.visits)) + reach * float(np.float32(math.sqrt(1.0 / self.visits)))

    def tuned_bound(self, explore: float, log: float) -> float:
        """UCB1-Tuned, as the paper has it but for C; `log` is ln N_parent."""
        mean = float(np.float32(self.total / self.visits))
        radius = math.sqrt(log) * float(np.float32(math.sqrt(1.0 / self.visits)))
        variance = max(0.0, float(self.square) - mean**2) + math.sqrt(2.0) * radius
        return mean + explore / math.sqrt(2.0) * radius * math.sqrt(min(0.25, variance))

    def count(self, reward: float) -> None:
        """One more visit, which brought this."""
        self.visits += 1
        self.total += reward
        self.square = np.float32(float(self.square) + (reward * reward - float(self.square)) / self.visits)


def uct(position: Position, playouts: int, explore: float, seed: int, stream: int = 0, rule: str = "ucb1") -> Leaf:
    """The root of a tree after a number of simulations, without chance."""
    rng = blank(Rng)
    with np.errstate(over="ignore"):
        random.seed(rng, seed, stream)
        root = Leaf(position, 0)
        for _ in range(playouts):
            path = [root]
            while True:
                here = path[-1]
                if here.position.is_over or (len(path) > 1 and here.visits == 0):
                    break
                path.append(_next(here, explore, rng, rule))
            end = path[-1].position
            while not end.is_over:
                end = end.play(int(end.moves[random.below(rng, len(end.moves))]))
            for leaf in path:
                leaf.count(_reward(end, leaf.owner))
                leaf.everybody = [sum_ + _reward(end, p) for p, sum_ in enumerate(leaf.everybody)]
    return root


def _next(here: Leaf, explore: float, rng: Any, rule: str) -> Leaf:
    if here.untried is None:
        here.untried = [int(m) for m in here.position.moves]
    if here.untried:
        chosen = random.below(rng, len(here.untried))
        here.untried[0], here.untried[chosen] = here.untried[chosen], here.untried[0]
        move = here.untried.pop(0)
        here.children.append(Leaf(here.position.play(move), here.position.player, move))
        return here.children[-1]
    log = maths.log(float(here.visits))
    if rule == "tuned":
        return max(here.children, key=lambda child: child.tuned_bound(explore, log))
    return max(here.children, key=lambda child: child.bound(explore * math.sqrt(log)))


def _reward(end: Position, player: int) -> float:
    low, high = end.game.constants["VALUES"]
    return (end.utility(player) - low) / (high - low)


def same(tree: Tree, at: int, leaf: Leaf) -> bool:
    """Is the subtree at `at` the naive one, in visits, totals, moves and their order?"""
    n = tree.nodes[at]
    if (n.visits, n.opened) != (leaf.visits, len(leaf.children)) or (leaf.owner >= 0 and abs(n.total - leaf.total) > 1e-9):
        return False
    for e, child in zip(tree.block_of(at), leaf.children, strict=False):
        x = tree.edges[e]
        if x.move != child.move:
            return False
        if x.child >= 0:
            if not same(tree, x.child, child):
                return False
        elif (-1 - x.child, x.value) != (child.visits, float(np.float32(child.total / child.visits))):
            return False
    return True


# --- memory ---


def sound(tree: Tree) -> None:
    """Blocks overlap nowhere and fill the memory used; what is reachable, garbage and free together is all there is; visits add up."""
    t, node_units = tree.trunk, tree.node_units
    pieces: list[tuple[int, int]] = []

    def take(at: int) -> None:
        pieces.append((at, node_units + int(tree.nodes[at].count)))

    def walk(at: int) -> int:
        take(at)
        n, found = tree.nodes[at], 1
        assert 0 <= n.opened <= n.count
        for i, e in enumerate(tree.block_of(at)):
            child = int(tree.edges[e].child)
            if i >= n.opened:
                assert child == NONE
            elif child >= 0:
                found += walk(child)
        return found

    reachable = walk(int(t.root))
    waiting, garbage = 0, int(t.garbage)
    while garbage != NONE:
        link = int(tree.nodes[garbage].visits)
        waiting += walk(garbage)
        garbage = link
    assert reachable + waiting == t.nodes
    for count, first in enumerate(t.free_blocks):
        at = int(first)
        while at != NONE:
            pieces.append((at, node_units + count))
            at = int(tree.nodes[at].visits)
    pieces.sort()
    assert pieces[0][0] == 0
    for (at, size), (following, _) in itertools.pairwise(pieces):
        assert at + size == following
    assert sum(pieces[-1]) == t.end <= t.limit


def visits_add_up(tree: Tree, at: int, least: int = 0) -> None:
    """A node's visits are those of its edges, the ones it had as a leaf, and playouts from itself; totals lie between 0 and the visits."""
    n = tree.nodes[at]
    assert -1e-6 <= n.total <= n.visits + 1e-6  # the means of leaves are rounded
    below = 0
    for e in list(tree.block_of(at))[: n.opened]:
        child = int(tree.edges[e].child)
        below += int(tree.nodes[child].visits) if child >= 0 else -1 - child
        if child >= 0:
            visits_add_up(tree, child, 1)
    assert n.opened == 0 or below + least <= n.visits


# --- three players ---

CAPACITY = 64


class Trees3:
    """Three players on a tree written out in the state: a leaf has a utility for each."""

    State = record(
        at=np.int16, first=(np.int16, CAPACITY), count=(np.int16, CAPACITY), mover=(np.int8, CAPACITY), worth=(np.float64, (CAPACITY, 3))
    )
    PLAYERS, MAX_MOVES, MAX_PLIES, VALUES, SUM, GRAIN = 3, CAPACITY, CAPACITY, (0.0, 16.0), None, 0.0

    def start(s):  # type: ignore[no-untyped-def]
        s.mover[0] = OVER

    def player(s):  # type: ignore[no-untyped-def]
        return s.mover[s.at]

    def moves(s, out):  # type: ignore[no-untyped-def]
        for i in range(s.count[s.at]):
            out[i] = i
        return s.count[s.at]

    def play(s, move):  # type: ignore[no-untyped-def]
        s.at = s.first[s.at] + move

    def utility(s, player):  # type: ignore[no-untyped-def]
        return s.worth[s.at, player]


THREE = kb.Game(Trees3, name="trees3")


def three_players(tree: Any) -> Position:
    """A tree is a leaf (u0, u1, u2) or {player: [children]} as a pair (player, children)."""
    s = blank(Trees3.State)
    waiting, used = [(0, tree)], 1
    while waiting:
        at, here = waiting.pop(0)
        if isinstance(here, tuple) and len(here) == 3:
            s.mover[at] = OVER
            s.worth[at] = here
        else:
            player, children = here
            s.mover[at], s.first[at], s.count[at] = player, used, len(children)
            waiting += [(used + i, child) for i, child in enumerate(children)]
            used += len(children)
    return Position(THREE, s.tobytes())


def max_n(tree: Any) -> set[tuple[float, ...]]:
    """Every outcome that players who each maximise their own utility may arrive at, however they choose among equals."""
    if isinstance(tree, tuple) and len(tree) == 3:
        return {tree}
    player, children = tree
    outcomes = set()
    for choice in itertools.product(*(max_n(child) for child in children)):
        best = max(found[player] for found in choice)
        outcomes |= {found for found in choice if found[player] == best}
    return outcomes
