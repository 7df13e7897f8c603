"""NegaScout, also known as principal variation search (Reinefeld 1983): the first move with the whole window, the others with a null window.

Exact, to its depth, for two-player games of opposite interests without chance or hidden information; players need not alternate. A null window
asks only whether a move is better than the best so far, which is cheaper to answer; a move that is gets searched again, from the value that the
question brought to light. Fewer nodes than alpha-beta where the first move is usually the best: use it with a table and an order.

A null window is the next float, so that nothing lies between its edges, whatever the evaluation. No move is searched again where its value is
exact already: that of a leaf, and, two plies before the horizon, of a reply searched in full (nothing known in advance may have cut it short, and
leaves must have a value, not a bound as quiescence gives them).

`value` returns v for the player to move. Against the true value x of the same depth (fail-soft):

    v <= alpha         x <= v
    alpha < v < beta   x == v
    v >= beta          x >= v

`value_for_max` is the same search as textbooks draw it: all values and windows are those of the first player, MAX, whose nodes take the greatest;
MIN's take the least. Its null window is one grain of the game's values (the next float where they have none): [m, m + 1] for whole numbers. A
value strictly inside it, as an evaluation may give, is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.searches import deepening, node, ordering, quiescence, sharing, trace
from kibitz.searches.method import Method, opposite_interests

MAX = 0  # the player whose values the MAX/MIN form speaks of

# --- kernels ---


def root(w: Any, table: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. Meaningless once a limit is met."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    mover: Any = np.int64(game.player(w.states[0]))
    if options.NEGAMAX:
        return value(w, table, np.int64(0), depth, alpha, beta, mover)  # type: ignore[arg-type]
    low, high = node.seen(alpha, beta, mover)
    return node.turned(value_for_max(w, table, np.int64(0), depth, low, high, mover), MAX, mover)  # type: ignore[arg-type]


def value(w: Any, table: Any, ply: int, depth: int, alpha: float, beta: float, mover: int) -> float:
    s = w.states[ply]
    w.line_end[ply] = ply
    trace.enter(w, ply, depth, alpha, beta, mover)

    # 1. Known already, or at least a move to try first.
    key = game.key(s) if options.TABLE else np.uint64(0)
    foreseen = node.foreseen(w, table, key, ply, depth, alpha, beta, mover)
    if not np.isnan(foreseen):
        return foreseen
    first = w.entry.move if options.TABLE else NO_MOVE

    # 2. The first move in full; the others asked first whether they are better.
    horizons, before, own = w.horizons, node.NEVER, True
    if options.REPEATS:
        before = node.enter_loop(w, ply)
    best, best_move = -np.inf, NO_MOVE
    n = game.moves(s, w.lists[ply])
    ordering.sort(w, s, ply, n, mover, first)
    fresh = n
    for i in range(n):
        if options.SHARED:
            fresh = sharing.put_off(w, table, key, ply, i, n, fresh, depth)
            sharing.begin(table, key, w.lists[ply, i], depth)
        following = node.step(w, ply, w.lists[ply, i])
        floor = max(alpha, best)
        ceiling = beta if i == 0 else np.nextafter(floor, np.inf)
        v, asking = -np.inf, True
        while asking:  # at most twice
            if following < 0 or depth == 1:
                v = quiescence.leaf(w, ply + 1, following, mover, floor, beta)
                ceiling = beta
            elif following == mover:
                v = max(v, value(w, table, ply + 1, depth - 1, floor, ceiling, following))
            else:
                v = max(v, -value(w, table, ply + 1, depth - 1, -ceiling, -floor, following))
            in_full = depth == 2 and following != mover and not (options.TABLE or options.BEST_CASE or options.QUIESCENCE)
            asking = ceiling < beta and floor < v < beta and not in_full and w.control.nodes < w.control.limit
            floor, ceiling = v, beta
        if options.SHARED:
            sharing.end(table, key, w.lists[ply, i], depth)
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
    trace.leave(w, ply, best)
    return best


def value_for_max(w: Any, table: Any, ply: int, depth: int, alpha: float, beta: float, mover: int) -> float:
    """The search in terms of MAX. One loop for both players: `sign` turns MIN's comparisons around.

    `near` is the end of the window that the mover has to get past, `far` the end that is good enough.
    """
    s = w.states[ply]
    w.line_end[ply] = ply
    trace.enter(w, ply, depth, alpha, beta, MAX)
    sign, near, far = (1.0, alpha, beta) if mover == MAX else (-1.0, beta, alpha)
    low, high = node.seen(alpha, beta, mover)

    # 1. Known already, or at least a move to try first.
    key = game.key(s) if options.TABLE else np.uint64(0)
    foreseen = node.foreseen(w, table, key, ply, depth, low, high, mover)
    if not np.isnan(foreseen):
        return node.turned(foreseen, mover, MAX)
    first = w.entry.move if options.TABLE else NO_MOVE

    # 2. The first move in full; the others asked first whether they are better.
    horizons, before, own = w.horizons, node.NEVER, True
    if options.REPEATS:
        before = node.enter_loop(w, ply)
    best, best_move = -sign * np.inf, NO_MOVE
    n = game.moves(s, w.lists[ply])
    ordering.sort(w, s, ply, n, mover, first)
    fresh = n
    for i in range(n):
        if options.SHARED:
            fresh = sharing.put_off(w, table, key, ply, i, n, fresh, depth)
            sharing.begin(table, key, w.lists[ply, i], depth)
        following = node.step(w, ply, w.lists[ply, i])
        floor = best if sign * best > sign * near else near
        ceiling = far if i == 0 else beyond(floor, sign)
        v, asking = -sign * np.inf, True
        while asking:  # at most twice
            if following < 0 or depth == 1:
                v = sign * quiescence.leaf(w, ply + 1, following, mover, sign * floor, sign * far)
                ceiling = far
            else:
                found = value_for_max(w, table, ply + 1, depth - 1, min(floor, ceiling), max(floor, ceiling), following)
                v = found if sign * found > sign * v else v
            in_full = depth == 2 and following != mover and not (options.TABLE or options.BEST_CASE or options.QUIESCENCE)
            reached = sign * v >= sign * ceiling and sign * v < sign * far
            asking = reached and not in_full and w.control.nodes < w.control.limit
            floor, ceiling = v, far
        if options.SHARED:
            sharing.end(table, key, w.lists[ply, i], depth)
        if w.control.nodes >= w.control.limit:
            return best
        if sign * v > sign * best:
            best, best_move = v, w.lists[ply, i]
            if sign * v > sign * near:
                node.extend_line(w, ply, best_move)
            if sign * v >= sign * far:
                ordering.cut(w, ply, mover, best_move, depth)
                break

    # 3. Remember.
    if options.REPEATS:
        own = node.leave_loop(w, ply, before)
    if options.TABLE and own:
        node.remember(w, table, key, ply, depth, w.horizons == horizons, (low, high), node.turned(best, MAX, mover), best_move, mover)
    trace.settle(w, ply, best, trace.CUT if sign * best >= sign * far else trace.SEARCHED)
    return best


def beyond(value: float, sign: float) -> float:
    """The other end of a null window at `value`: the next value there can be, or the next float."""
    return value + sign * game.GRAIN if game.GRAIN > 0.0 else np.nextafter(value, sign * np.inf)


# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    return deepening.deepen(position, settings, engine, root, {"SOFT": True, "NEGAMAX": settings["form"] == "negamax"})


METHOD = Method(
    name="negascout",
    about="alpha-beta that only asks of later moves whether they are better",
    options=(
        Parameter("form", "negamax", None, None, ("negamax", "minimax"), "values for the player to move, or all for the first player"),
        *deepening.OPTIONS,
    ),
    unfit=opposite_interests,
    run=run,
)
