"""Games that are walks on a graph, thousands of small random ones in one, and what their positions are worth by plain iteration: the slow twin of the builders."""

import random
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import CHANCE, DRAW, GENERAL, OVER
from kibitz.core.records.record import record

NODES = 9  # of one small graph
MOST = 3  # moves of a node


class Graphs:
    """Small graphs side by side; a node is its number. `ends[n]` is what the first player gets where the game ends in n."""

    def __init__(self, count: int, seed: int, chance: bool = False, cycles: bool = True) -> None:
        draw = random.Random(seed)
        self.size = count * NODES
        self.mover = np.full(self.size, OVER)
        self.ends = np.zeros(self.size)
        self.moves = np.full((self.size, MOST), -1)
        self.weights = np.ones((self.size, MOST))
        for first in range(0, self.size, NODES):
            self._fill(first, draw, chance, cycles)

    def _fill(self, first: int, draw: random.Random, chance: bool, cycles: bool) -> None:
        finished = draw.randrange(1, NODES // 2)
        for node in range(first, first + NODES):
            if node < first + finished:
                self.ends[node] = draw.choice([-1, -1, 0, 1, 1])
                continue
            self.mover[node] = draw.choice([0, 1, CHANCE] if chance else [0, 1])
            low, high = first, first + NODES if cycles else node
            for k, target in enumerate(draw.sample(range(low, high), min(high - low, draw.randrange(1, MOST + 1)))):
                self.moves[node, k] = target
                self.weights[node, k] = draw.randrange(1, 5)
            if self.mover[node] == CHANCE:  # so that no play goes on for ever
                self.moves[node, 0] = first

    def targets(self, node: int) -> list[int]:
        return [int(t) for t in self.moves[node] if t >= 0]


def game_of(graphs: Graphs, sections: int = 1, ranked: bool = True, chance: bool = False, unplays: bool = False) -> Game:
    """The game on these graphs. With sections, each has some of the graphs: none leads to another. With `unplays` it lists predecessors, some of them twice."""
    mover, ends, moves_, weights_ = graphs.mover, graphs.ends, graphs.moves, graphs.weights
    size, most, over = graphs.size, MOST, OVER

    def start(s: Any) -> None:
        s.node = size - 1

    def player(s: Any) -> int:
        return mover[s.node]

    def moves(s: Any, out: Any) -> int:
        n = 0
        for k in range(most):
            if moves_[s.node, k] >= 0:
                out[n] = k
                n += 1
        return n

    def outcomes(s: Any, out: Any, weights: Any) -> int:
        n = moves(s, out)
        for k in range(n):
            weights[k] = weights_[s.node, out[k]]
        return n

    def play(s: Any, move: int) -> None:
        s.node = moves_[s.node, move]

    def utility(s: Any, player: int) -> float:
        return ends[s.node] if player == 0 else -ends[s.node]

    def rank(s: Any) -> int:
        return s.node

    def unrank(i: int, s: Any) -> bool:
        s.node = i
        return mover[i] != over or i % 2 == 0  # some finished games have no number

    before = [
        [n for n in range(size) if n // NODES == node // NODES and node in graphs.targets(n)] for node in range(size if unplays else 0)
    ]
    widest = 2 * max(map(len, before), default=0)
    sources = np.array([[*b, *b, *[-1] * (widest - 2 * len(b))] for b in before] or [[-1]])

    def unplay(s: Any, out: Any) -> int:
        n = 0
        while n < widest and sources[s.node, n] >= 0:
            out[n] = s
            out[n].node = sources[s.node, n]
            n += 1
        return n

    width = size // sections
    names = {
        "State": record(node=np.int32),
        "PLAYERS": 2,
        "MAX_MOVES": MOST,
        "MAX_PLIES": 10_000,
        "VALUES": (-1.0, 1.0),
        **{f.__name__: f for f in (start, player, moves, play, utility)},
        **({"outcomes": outcomes, "CHANCE_KIND": GENERAL} if chance else {"REPETITION": DRAW}),
    }
    if unplays:
        names |= {"unplay": unplay, "MAX_UNPLAYS": max(1, widest)}
    if ranked:
        parts = [(f"part{k}", k * width, size if k == sections - 1 else (k + 1) * width, k) for k in range(sections)]
        names |= {"rank": rank, "unrank": unrank, "SIZE": size, "SECTIONS": tuple(parts) if sections > 1 else ()}
    return Game(vars(SimpleNamespace(**names)), "graphs")


# --- slow twins ---


def results(graphs: Graphs) -> dict[int, int]:
    """Distances by going over all positions again and again: d for a win in d, -d for a loss, 0 for a draw; for whoever is to move."""
    value: dict[int, int] = {}
    nodes = [n for n in range(graphs.size) if graphs.mover[n] != OVER]
    d, last = 0, 1
    while last >= d - 1:  # no position is decided at a distance without some at the one before
        d += 1
        decided = {n: v for n in nodes if n not in value and (v := _decided(graphs, value, n, d)) is not None}
        value |= decided
        last = d if decided else last
    return {n: value.get(n, 0) for n in nodes}


def _decided(graphs: Graphs, value: dict[int, int], node: int, d: int) -> int | None:
    """Is the node won or lost in d plies, given all that is decided in less?"""
    outcomes = []
    for target in graphs.targets(node):
        if graphs.mover[target] == OVER:
            worth = graphs.ends[target] * (1 if graphs.mover[node] == 0 else -1)
            outcomes.append((worth, 0))
        elif target in value:
            worth = np.sign(value[target]) * (1 if graphs.mover[target] == graphs.mover[node] else -1)
            outcomes.append((worth, abs(value[target])))
        else:
            outcomes.append((0, 0))
    if any(worth > 0 and plies == d - 1 for worth, plies in outcomes):
        return d
    if all(worth < 0 for worth, _ in outcomes) and max(plies for _, plies in outcomes) == d - 1:
        return -d
    return None


def equities(graphs: Graphs, sweeps: int) -> dict[int, float]:
    """The first player's expected utility, by going over all positions so often."""
    value = {n: float(graphs.ends[n]) for n in range(graphs.size)}
    for _ in range(sweeps):
        before = dict(value)
        for n in range(graphs.size):
            if graphs.mover[n] != OVER:
                value[n] = _expected(graphs, before, n, float)
    return value


def exact_equities(graphs: Graphs) -> dict[int, Fraction]:
    """The same for graphs without cycles, in fractions: every move leads to a lower node."""
    value: dict[int, Fraction] = {}
    for n in range(graphs.size):
        value[n] = Fraction(int(graphs.ends[n])) if graphs.mover[n] == OVER else _expected(graphs, value, n, Fraction)
    return value


def _expected(graphs: Graphs, value: Any, node: int, kind: Callable[[int], Any]) -> Any:
    worth = [value[t] for t in graphs.targets(node)]
    if graphs.mover[node] == CHANCE:
        weights = [kind(int(w)) for w, t in zip(graphs.weights[node], graphs.moves[node], strict=True) if t >= 0]
        return sum(v * w for v, w in zip(worth, weights, strict=True)) / sum(weights)
    return max(worth) if graphs.mover[node] == 0 else min(worth)
