"""Realization-probability search (Tsuruoka, Yokoyama and Chikayama 2002): likely lines are searched deep, unlikely ones are not.

For two-player games of opposite interests without chance or hidden information; not exact. In place of a depth a node has a budget, and a move
costs -log of how likely it is to be played, by the game's `policy`: a forced move costs nothing, one of four equally likely moves costs a
ply. (`likely` says how many equally likely moves make a ply; budgets and costs count in hundredths.) A line ends where the budget does, so
that all lines that are about equally likely end together. A game without a policy thinks all its moves equally likely: then positions with few moves are
searched deeper than those with many.

If a move turns out better than all before it, its probability was too low: with `improve` it is searched again as if it were the most probable.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.searches import deepening
from kibitz.searches.method import Method, opposite_interests
from kibitz.searches.window import frame, node, ordering
from kibitz.tables.transposition import packed

PLY = 100  # budget of a ply
LEAST = 1e-6  # how likely any legal move is, at least

# --- kernels ---


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. Meaningless once a limit is met."""
    return frame.root(w, arrays, depth * PLY, alpha, beta)


def window(w: Any, f: Any) -> tuple[float, float, int]:
    """A move for its price: the first in the whole window, the others are asked first whether they are better."""
    floor = max(f.alpha, f.best)
    if not f.again:
        f.cost, f.high = w.prices[f.ply, f.at], f.beta if f.at == 0 else np.nextafter(floor, np.inf)
    left = f.depth - f.cost
    if f.following < 0 or left <= 0 or f.ply + 1 == min(game.MAX_PLIES, node.DEEPEST):
        f.high, left = f.beta, np.int64(0)
    return floor, f.high, left


def answer(w: Any, f: Any, v: float) -> float:  # noqa: ARG001
    """What surprises is searched again for the lowest price, then in the whole window."""
    surprise = options.IMPROVE and f.following >= 0 and f.cost > f.cheapest and f.at > 0
    f.again = v > max(f.alpha, f.best) and (surprise or (f.high < f.beta and v < f.beta))
    if surprise:
        f.cost = f.cheapest
    else:
        f.high = f.beta
    return v


def list_priced(w: Any, f: Any, ply: int, first: int) -> int:
    """The node's moves in order with their prices; how many."""
    n, f.cheapest = priced(w, w.states[ply], ply, f.side, first)
    return n


def priced(w: Any, s: Any, ply: int, mover: int, first: int) -> tuple[int, int]:
    """Moves in order with their prices in w.prices; how many, and the lowest price. The likeliest is tried first, the table's before that."""
    moves, prices, weights = w.lists[ply], w.prices[ply], w.weights
    n = game.moves(s, moves)
    game.policy(s, moves, n, weights)
    total, most = 0.0, 0.0
    for i in range(n):
        total += weights[i]
        most = max(most, weights[i])
    for i in range(n):
        move, weight = moves[i], weights[i]
        score = np.inf if packed(move) == first else weight * (1.0 + 1e-6 * ordering.worth(w, s, ply, mover, move, first))
        j = i
        while j > 0 and w.scores[j - 1] < score:
            w.scores[j], moves[j], prices[j] = w.scores[j - 1], moves[j - 1], prices[j - 1]
            j -= 1
        w.scores[j], moves[j], prices[j] = score, move, price(weight, total)
    return n, price(most, total)


def price(weight: float, total: float) -> int:
    """What a move costs that is so likely, in hundredths of a ply."""
    likely = weight / total if total > 0.0 else 0.0
    return np.int64(np.rint(-np.log(max(likely, LEAST)) * options.RATE))  # type: ignore[return-value]


RULE = frame.Rule(window, answer, list_priced)

# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Results of ever larger budgets; see the module's docstring."""
    constants = position.game.constants
    most = constants["MAX_MOVES"]
    extra = {
        "frames": node.frames(constants, cost=np.int64, cheapest=np.int64, high=np.float64),
        "prices": (np.int64, (node.plies(constants) + 1, most)),
        "weights": (np.float64, most),
    }
    chosen = {"IMPROVE": settings["improve"], "RATE": PLY / math.log(settings["likely"]), "PLY_UNITS": PLY, **RULE.options()}
    return deepening.deepen(position, settings, engine, deepening.Kernel(root, chosen, extra, approximate=True))


METHOD = Method(
    name="realization",
    about="searches likely lines deeper, by the game's policy; not exact",
    options=(
        Parameter("likely", 4.0, 1.5, 1000.0, None, "number of equally likely moves that make a ply"),
        Parameter("improve", True, None, None, None, "search a move that is better than the likely ones again, at the lowest price"),
        *(p for p in deepening.OPTIONS if p.name != "threads"),
    ),
    unfit=opposite_interests,
    run=run,
    endings=True,
)
