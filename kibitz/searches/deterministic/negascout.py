"""NegaScout, also known as principal variation search (Reinefeld 1983): the first move with the whole window, the others with a null window.

Exact, to its depth, for two-player games of opposite interests without chance or hidden information; players need not alternate. A null window
asks only whether a move is better than the best so far, which is cheaper to answer; a move that is gets searched again, from the value that the
question brought to light. Fewer nodes than alpha-beta where the first move is usually the best: use it with a table and an order.

A null window is the next float, so that nothing lies between its edges, whatever the evaluation. No move is searched again where its value is
exact already: that of a leaf, and, two plies before the horizon, of a reply searched in full (nothing known in advance may have cut it short).

`value` returns v for the player to move. Against the true value x of the same depth (fail-soft):

    v <= alpha         x <= v
    alpha < v < beta   x == v
    v >= beta          x >= v
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compile import game, options
from kibitz.core.position import Position
from kibitz.core.result import Result
from kibitz.core.rules import NO_MOVE
from kibitz.searches import deepening, node, ordering
from kibitz.searches.method import Method, opposite_interests

# --- kernels ---


def root(w: Any, table: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. Meaningless once a limit is met."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    return value(w, table, np.int64(0), depth, alpha, beta, game.player(w.states[0]))  # type: ignore[arg-type]


def value(w: Any, table: Any, ply: int, depth: int, alpha: float, beta: float, mover: int) -> float:
    s = w.states[ply]
    w.line_end[ply] = ply

    # 1. Known already, or at least a move to try first.
    key = game.key(s) if options.TABLE else np.uint64(0)
    foreseen = node.foreseen(w, table, key, ply, depth, alpha, beta, mover)
    if not np.isnan(foreseen):
        return foreseen
    first = w.entry.move if options.TABLE else NO_MOVE

    # 2. The first move in full; the others asked first whether they are better.
    horizons, before, own = w.horizons, node.NEVER, True
    if options.REPEATS:
        before = node.enter_loop(w)
    best, best_move = -np.inf, NO_MOVE
    n = game.moves(s, w.lists[ply])
    ordering.sort(w, s, ply, n, mover, first)
    for i in range(n):
        following = node.step(w, ply, w.lists[ply, i])
        floor = max(alpha, best)
        ceiling = beta if i == 0 else np.nextafter(floor, np.inf)
        v, asking = -np.inf, True
        while asking:  # at most twice
            if following < 0 or depth == 1:
                v = node.leaf(w, ply + 1, following, mover)
                ceiling = beta
            elif following == mover:
                v = max(v, value(w, table, ply + 1, depth - 1, floor, ceiling, following))
            else:
                v = max(v, game.SUM - value(w, table, ply + 1, depth - 1, game.SUM - ceiling, game.SUM - floor, following))
            in_full = depth == 2 and following != mover and not options.TABLE and not options.BEST_CASE
            asking = ceiling < beta and floor < v < beta and not in_full and w.control.nodes < w.control.limit
            floor, ceiling = v, beta
        if w.control.nodes >= w.control.limit:
            return best
        if v > best:
            best, best_move = v, w.lists[ply, i]
            if v > alpha:
                node.extend_line(w, ply, best_move)
            if v >= beta:
                ordering.cut(w, ply, mover, best_move, depth)
                break

    # 3. Remember.
    if options.REPEATS:
        own = node.leave_loop(w, ply, before)
    if options.TABLE and own:
        node.remember(w, table, key, ply, depth, w.horizons == horizons, (alpha, beta), best, best_move, mover)
    return best


# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    return deepening.deepen(position, settings, engine, root, {"SOFT": True})


METHOD = Method(
    name="negascout",
    about="alpha-beta that only asks of later moves whether they are better",
    options=deepening.OPTIONS,
    unfit=opposite_interests,
    run=run,
)
