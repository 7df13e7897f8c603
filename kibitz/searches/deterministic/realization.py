"""Realization-probability search (Tsuruoka, Yokoyama and Chikayama 2002): likely lines are searched deep, unlikely ones are not.

For two-player games of opposite interests without chance or hidden information; not exact. In place of a depth a node has a budget, and a move
costs -log of how likely it is to be played, by the game's `policy`: a forced move costs nothing, one of four equally likely moves costs a
ply. (`likely` says how many equally likely moves make a ply; budgets and costs count in hundredths.) A line ends where the budget does, so
that all lines that are about equally likely end together. A game without a policy thinks all its moves equally likely: then positions with few moves are
searched deeper than those with many.

A move that turns out better than all before it was thought too unlikely: with `improve` it is searched again as if it were the likeliest.
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
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.searches import deepening, node, ordering, quiescence, trace
from kibitz.searches.method import Method, opposite_interests
from kibitz.tables.transposition import packed

PLY = 100  # budget of a ply
LEAST = 1e-6  # how likely any legal move is, at least

# --- kernels ---


def root(w: Any, table: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. Meaningless once a limit is met."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    return value(w, table, np.int64(0), depth * PLY, alpha, beta, np.int64(game.player(w.states[0])))  # type: ignore[arg-type]


def value(w: Any, table: Any, ply: int, budget: int, alpha: float, beta: float, mover: int) -> float:
    """The value for the mover with so much to spend, more than nothing; fail-soft."""
    s = w.states[ply]
    w.line_end[ply] = ply
    trace.enter(w, ply, budget // PLY, alpha, beta, mover)

    # 1. Known already, or at least a move to try first.
    key = game.key(s) if options.TABLE else np.uint64(0)
    foreseen = node.foreseen(w, table, key, ply, budget, alpha, beta, mover)
    if not np.isnan(foreseen):
        return foreseen
    first = w.entry.move if options.TABLE else NO_MOVE

    # 2. Every move for its price; what surprises, for the lowest.
    horizons, before, own = w.horizons, node.NEVER, True
    if options.REPEATS:
        before = node.enter_loop(w, ply)
    best, best_move = -np.inf, NO_MOVE
    n, cheapest = priced(w, s, ply, mover, first)
    for i in range(n):
        following = node.step(w, ply, w.lists[ply, i])
        floor = max(alpha, best)
        ceiling = beta if i == 0 else np.nextafter(floor, np.inf)
        cost, v, asking = w.prices[ply, i], -np.inf, True
        while asking:  # for its price, for the lowest, in the whole window
            if following < 0 or budget <= cost or ply + 1 == min(game.MAX_PLIES, node.DEEPEST):
                v = quiescence.leaf(w, ply + 1, following, mover, floor, beta)
                ceiling = beta
            elif following == mover:
                v = value(w, table, ply + 1, budget - cost, floor, ceiling, following)
            else:
                v = -value(w, table, ply + 1, budget - cost, -ceiling, -floor, following)
            surprise = options.IMPROVE and following >= 0 and cost > cheapest and i > 0
            asking = v > floor and (surprise or (ceiling < beta and v < beta)) and w.control.nodes < w.control.limit
            ceiling = ceiling if surprise and ceiling < beta else beta
            cost = cheapest if surprise else cost
        if w.control.nodes >= w.control.limit:
            return best
        if v > best:
            best, best_move = v, w.lists[ply, i]
            if v > alpha:
                node.extend_line(w, ply, best_move)
            if v >= beta:
                ordering.cut(w, ply, mover, best_move, budget // PLY)
                break

    # 3. Remember.
    if options.REPEATS:
        own = node.leave_loop(w, ply, before)
    if options.TABLE and own:
        node.remember(w, table, key, ply, budget, w.horizons == horizons, (alpha, beta), best, best_move, mover)
    trace.leave(w, ply, best)
    return best


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


# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Results of ever larger budgets; see the module's docstring."""
    constants = position.game.constants
    most = constants["MAX_MOVES"]
    extra = {"prices": (np.int64, (node.plies(constants) + 1, most)), "weights": (np.float64, most)}
    chosen = {"SOFT": True, "IMPROVE": settings["improve"], "RATE": PLY / math.log(settings["likely"])}
    return deepening.Search(position, settings, engine, root, chosen, extra, approximate=True).results()


METHOD = Method(
    name="realization",
    about="searches likely lines deeper, by the game's policy; not exact",
    options=(
        Parameter("likely", 4.0, 1.5, 1000.0, None, "so many equally likely moves make a ply"),
        Parameter("improve", True, None, None, None, "search a move again, at the lowest price, that is better than the likely ones"),
        *(p for p in deepening.OPTIONS if p.name != "threads"),
    ),
    unfit=opposite_interests,
    run=run,
)
