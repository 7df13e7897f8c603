"""The slow obvious twin of PUCT, ESPRIT and the regularised policy: a tree of Python objects over positions, formulas as they are printed.

It rounds where the fast code rounds: priors and the values of moves are kept in single precision.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.position.game import Position
from kibitz.core.records import maths
from kibitz.core.records.hashing import mix
from kibitz.searches.mcts.tree.memory import Tree


class Spot:
    """A position of the naive tree, visited or not."""

    def __init__(self, position: Position, owner: int, move: int = -1, prior: float = 1.0) -> None:
        self.position, self.owner, self.move, self.prior = position, owner, move, prior
        self.visits, self.total, self.waiting = 0, 0.0, 0
        self.below: list[Spot] | None = None

    @property
    def value(self) -> float:
        """The owner's mean reward."""
        return float(np.float32(self.total * (1.0 / self.visits)))

    @property
    def lot(self) -> int:
        with np.errstate(over="ignore"):
            return int(mix(np.uint64(self.move)))

    def children(self) -> list[Spot]:
        if self.below is None:
            moves, mover = self.position.moves, self.position.player
            weights = np.zeros(len(moves))
            self.position.game.rule("policy")(self.position.state, [int(m) for m in moves], len(moves), weights)
            total = 0.0
            for weight in weights:
                total += float(weight)
            self.below = [
                Spot(self.position.play(m), mover, int(m), float(np.float32(weight / total)))
                for m, weight in zip(moves, weights, strict=True)
            ]
        return self.below


def guided(position: Position, playouts: int, rule: str, of: Mapping[str, float]) -> Spot:
    """The root of a tree after a number of simulations."""
    root = Spot(position, 0)
    root.visits, root.total = 1, rewards(position)[0]
    for _ in range(playouts):
        path = [root]
        while not path[-1].position.is_over and path[-1].visits > 0:
            path.append(best(path[-1], rule, of))
        back_up(path)
    return root


def back_up(path: list[Spot]) -> None:
    gained = rewards(path[-1].position)
    for spot in path:
        spot.visits += 1
        spot.total += gained[spot.owner]
    if path[-1].visits == 1 or path[-1].position.is_over:  # a leaf keeps its mean in its edge
        path[-1].total = path[-1].visits * float(np.float32(gained[path[-1].owner]))


def waves(position: Position, playouts: int, rule: str, of: Mapping[str, float], size: int) -> Spot:
    """The same in waves: whoever goes down counts on its way until all are back; a leaf takes one of them."""
    root = Spot(position, 0)
    root.visits, root.total = 1, rewards(position)[0]
    done = 0
    while done < playouts:
        paths = []
        for _ in range(min(size, playouts - done)):
            path: list[Spot] = [root]
            while not path[-1].position.is_over and path[-1].visits > 0:
                wanted = best_of_wave(path[-1], rule, of)
                if wanted is None:
                    path = []
                    break
                path.append(wanted)
            for spot in path:
                spot.waiting += 1
            paths += [path] if path else []
        for path in paths:
            back_up(path)
            for spot in path:
                spot.waiting = 0
        done += len(paths)
    return root


def best_of_wave(here: Spot, rule: str, of: Mapping[str, float]) -> Spot | None:
    children = here.children()
    if not any(c.waiting for c in children):
        return best(here, rule, of)
    scores = {"puct": puct_reinterpreted, "esprit": esprit}[rule](here, children, of)
    free = [(c, s) for c, s in zip(children, scores, strict=True) if not (c.waiting and (c.visits == 0 or c.position.is_over))]
    ranked = [(s * (1.0 + c.visits) / (1.0 + c.visits + c.waiting), worth(c, here, of), c.prior, c.lot) for c, s in free]
    return free[ranked.index(max(ranked))][0] if free else None


def rewards(position: Position) -> list[float]:
    low, high = position.game.constants["VALUES"]
    evaluate = position.game.rule("evaluate")
    players = range(position.game.players)
    values = [position.utility(p) if position.is_over else float(evaluate(position.state, p)) for p in players]
    if len(values) == 2 and position.game.constants["SUM"] is not None:
        values[1] = position.game.constants["SUM"] - values[0]
    return [(value - low) / (high - low) for value in values]


def best(here: Spot, rule: str, of: Mapping[str, float]) -> Spot:
    children = here.children()
    scores = {"puct": puct, "puct9": puct_reinterpreted, "esprit": esprit, "regularised": regularised}[rule](here, children, of)
    ranked = [(score, worth(c, here, of), c.prior, c.lot) for c, score in zip(children, scores, strict=True)]
    return children[ranked.index(max(ranked))]


def worth(child: Spot, here: Spot, of: Mapping[str, float]) -> float:
    """v, of unvisited moves what the options say."""
    if child.visits:
        return child.value
    if not of.get("from_parent"):
        return of["first"]
    tried = [c for c in sorted(here.children(), key=lambda c: (-c.prior, -c.lot)) if c.visits]
    total, visits = 0.0, 0.0
    for c in tried:
        total += c.value * c.visits
        visits += c.visits
    return max(0.0, total / visits - of["first"]) if tried else 0.0


def constant(here: Spot, of: Mapping[str, float]) -> float:
    return of["c0"] + maths.log((1.0 + here.visits + of["c1"]) / of["c1"])


def puct(here: Spot, children: list[Spot], of: Mapping[str, float]) -> list[float]:
    """(1) and (2)."""
    reach = constant(here, of) * math.sqrt(here.visits)
    return [worth(c, here, of) + reach / (1.0 + c.visits) * c.prior for c in children]


def puct_reinterpreted(here: Spot, children: list[Spot], of: Mapping[str, float]) -> list[float]:
    """(9)."""
    pull = math.sqrt(here.visits) / constant(here, of)
    return [(c.prior + pull * worth(c, here, of) * (1.0 + c.visits) / here.visits) / (1.0 + c.visits) for c in children]


def esprit_shares(n: list[int], v: list[float], p: list[float], of: Mapping[str, float]) -> list[float]:
    """(3) to (7), before they are made to add up to 1; n, v, p in the order in which moves come into play."""
    alpha, gamma, sigma, lam = of["alpha"], of["gamma"], of["sigma"], of["lam"]
    z = [math.sqrt(k) if alpha == 0.5 else float(k) ** alpha for k in n]
    total = 0.0
    for size in z:
        total += size
    rate = math.sqrt(total / len(n)) / sigma
    bases = [1.0 + (max(v) - x) * rate for x in v]
    q = [1.0 / (b * b * b) if gamma == 3.0 else b**-gamma for b in bases]
    untried = [quality for quality, k in zip(q, n, strict=True) if k == 0]
    qualities = len(untried) * untried[0] if untried else 0.0
    for quality, k in zip(q, n, strict=True):
        if k:
            qualities += quality
    return [(lam * p_ + z_ * q_ / qualities) / (lam + z_) if z_ else p_ for p_, z_, q_ in zip(p, z, q, strict=True)]


def esprit(here: Spot, children: list[Spot], of: Mapping[str, float]) -> list[float]:
    order = sorted(children, key=lambda c: (-c.prior, -c.lot))  # moves come into play in this order
    r = esprit_shares([c.visits for c in order], [worth(c, here, of) for c in order], [c.prior for c in order], of)
    found = {c.move: share / (1.0 + c.visits) for c, share in zip(order, r, strict=True)}
    return [found[c.move] for c in children]


def regularised_shares(n: list[int], v: list[float], p: list[float], k: float) -> list[float]:
    """k p / (a - v) with the a that makes them add up to 1, found by halving."""
    low, high = max(x + k * prior for x, prior in zip(v, p, strict=True)), max(v) + k * sum(p) * 1.001 + 1e-9
    for _ in range(200):
        middle = 0.5 * (low + high)
        if sum(k * prior / (middle - x) for x, prior in zip(v, p, strict=True)) > 1.0:
            low = middle
        else:
            high = middle
    return [k * prior / (high - x) for x, prior in zip(v, p, strict=True)]


def regularised(here: Spot, children: list[Spot], of: Mapping[str, float]) -> list[float]:
    below = here.visits - 1.0
    k = constant(here, of) * math.sqrt(below) / (len(children) + below)
    v, p = [worth(c, here, of) for c in children], [c.prior for c in children]
    y = regularised_shares([c.visits for c in children], v, p, k) if below else p
    return [share / (1.0 + c.visits) for share, c in zip(y, children, strict=True)]


def visits_of(spot: Spot) -> dict[int, Any]:
    """Visits below a position, as deep as the tree is: {move: (visits, {move: ...})}."""
    return {c.move: (c.visits, visits_of(c)) for c in spot.below or [] if c.visits}


def visits_in(tree: Tree, at: int) -> dict[int, Any]:
    """The same of a tree in memory."""
    found = {}
    for e in list(tree.block_of(at))[: int(tree.nodes[at].opened)]:
        x = tree.edges[e]
        if x.child >= 0:
            found[int(x.move)] = (int(tree.nodes[x.child].visits), visits_in(tree, int(x.child)))
        elif x.child < -1:
            found[int(x.move)] = (-1 - int(x.child), {})
    return found
