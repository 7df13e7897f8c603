"""Alpha-beta search (Knuth and Moore 1975, section 2; fail-soft: Fishburn 1983), with a transposition table and move ordering.

Exact, to its depth, for two-player games of opposite interests without chance or hidden information; players need not alternate. Deeper and
deeper until a limit is met; the answer is that of the deepest search that was finished. Two forms that visit the same nodes in the
same order: recursive, and with an explicit stack.

`value` returns v for the player to move. Against the true value x of the same depth:

    v <= alpha         x <= v      no move reaches alpha      (fail-hard: v == alpha)
    alpha < v < beta   x == v
    v >= beta          x >= v      some move is good enough   (fail-hard: v == beta)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records.record import record
from kibitz.searches import deepening, node, ordering, quiescence, sharing, trace
from kibitz.searches.method import Method, opposite_interests

Frame = record(
    alpha=np.float64,
    beta=np.float64,
    best=np.float64,
    best_move=np.int64,
    at=np.int64,  # the move being searched
    count=np.int64,
    mover=np.int64,
    horizons=np.int64,
    key=np.uint64,
    before=np.int64,  # what the parent depends on: see node.enter_loop
)

# --- kernels ---


def root(w: Any, table: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. Meaningless once a limit is met."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    mover: Any = np.int64(game.player(w.states[0]))
    if options.RECURSIVE:
        return value(w, table, np.int64(0), depth, alpha, beta, mover)  # type: ignore[arg-type]  # a literal 0 would be a type of its own
    return value_with_stack(w, table, depth, alpha, beta, mover)


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

    # 2. Every move, until one is good enough.
    horizons, before, own = w.horizons, node.NEVER, True
    if options.REPEATS:
        before = node.enter_loop(w, ply)
    best, best_move = -np.inf if options.SOFT else alpha, NO_MOVE
    n = game.moves(s, w.lists[ply])
    ordering.sort(w, s, ply, n, mover, first)
    fresh = n
    for i in range(n):
        if options.SHARED:
            fresh = sharing.put_off(w, table, key, ply, i, n, fresh, depth)
            sharing.begin(table, key, w.lists[ply, i], depth)
        following = node.step(w, ply, w.lists[ply, i])
        floor = max(alpha, best)
        if following < 0 or depth == 1:
            v = quiescence.leaf(w, ply + 1, following, mover, floor, beta)
        elif following == mover:
            v = value(w, table, ply + 1, depth - 1, floor, beta, following)
        else:
            v = -value(w, table, ply + 1, depth - 1, -beta, -floor, following)
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
    if not options.SOFT:
        best = min(best, beta)
    if options.REPEATS:
        own = node.leave_loop(w, ply, before)
    if options.TABLE and own:
        node.remember(w, table, key, ply, depth, w.horizons == horizons, (alpha, beta), best, best_move, mover)
    trace.leave(w, ply, best)
    return best


def value_with_stack(w: Any, table: Any, depth: int, alpha: float, beta: float, mover: int) -> float:
    """`value` of ply 0 as a loop over frames; a frame is a node whose moves are being searched."""
    ply = 0
    v = enter(w, table, 0, depth, alpha, beta, mover)
    entered = not np.isnan(v)  # True: the node was settled at once, v is its value
    while True:
        f = w.frames[ply]
        if not entered:
            # The next move of the node at `ply`: a leaf has its value now, else its own frame comes first.
            following = node.step(w, ply, w.lists[ply, f.at])
            floor = max(f.alpha, f.best)
            if following < 0 or depth - ply == 1:
                v = quiescence.leaf(w, ply + 1, following, f.mover, floor, f.beta)
            else:
                same = following == f.mover
                low, high = (floor, f.beta) if same else (-f.beta, -floor)
                v = enter(w, table, ply + 1, depth - ply - 1, low, high, following)
                if np.isnan(v):
                    ply += 1
                    continue
                v = v if same else -v
        elif ply == 0:
            return v
        else:
            ply -= 1
            parent = w.frames[ply]
            v = v if parent.mover == f.mover else -v
        # `v` is the value of the move `at` of the frame at `ply`, for its mover.
        if w.control.nodes >= w.control.limit:
            return v
        entered = take(w, ply, depth - ply, v)
        if entered:
            v = leave(w, table, ply, depth - ply)


def enter(w: Any, table: Any, ply: int, depth: int, alpha: float, beta: float, mover: int) -> float:
    """Steps 1 and 2 of `value` up to the loop. NaN, unless the table settles the node."""
    s, f = w.states[ply], w.frames[ply]
    w.line_end[ply] = ply
    trace.enter(w, ply, depth, alpha, beta, mover)
    f.alpha, f.beta, f.mover, f.at = alpha, beta, mover, 0
    f.key = game.key(s) if options.TABLE else np.uint64(0)
    foreseen = node.foreseen(w, table, f.key, ply, depth, alpha, beta, mover)
    if not np.isnan(foreseen):
        return foreseen
    first = w.entry.move if options.TABLE else NO_MOVE
    f.horizons, f.best, f.best_move = w.horizons, -np.inf if options.SOFT else alpha, NO_MOVE
    if options.REPEATS:
        f.before = node.enter_loop(w, ply)
    f.count = game.moves(s, w.lists[ply])
    ordering.sort(w, s, ply, f.count, mover, first)
    return np.nan


def take(w: Any, ply: int, depth: int, v: float) -> bool:
    """The loop's body of `value` after a child's value is known. True when the node is done."""
    f = w.frames[ply]
    if v > f.best:
        f.best, f.best_move = v, w.lists[ply, f.at]
        if v > f.alpha:
            node.extend_line(w, ply, w.lists[ply, f.at])
        if v >= f.beta:
            ordering.cut(w, ply, f.mover, w.lists[ply, f.at], depth)
            return True
    f.at += 1
    return f.at == f.count


def leave(w: Any, table: Any, ply: int, depth: int) -> float:
    """Step 3 of `value`."""
    f = w.frames[ply]
    best, own = f.best if options.SOFT else min(f.best, f.beta), True
    if options.REPEATS:
        own = node.leave_loop(w, ply, f.before)
    if options.TABLE and own:
        node.remember(w, table, f.key, ply, depth, w.horizons == f.horizons, (f.alpha, f.beta), best, f.best_move, f.mover)
    trace.leave(w, ply, best)
    return best


# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    constants = position.game.constants
    if settings["threads"] > 1 and settings["form"] != "recursive":
        raise InputError(f"threads={settings['threads']}: only form=recursive searches with several threads")
    extra = {} if settings["form"] == "recursive" else {"frames": (Frame, node.plies(constants) + 1)}
    chosen = {"SOFT": settings["soft"], "RECURSIVE": settings["form"] == "recursive"}
    return deepening.deepen(position, settings, engine, root, chosen, extra)


METHOD = Method(
    name="alphabeta",
    about="exact to its depth, skipping what cannot matter",
    options=(
        Parameter("soft", True, None, None, None, "fail-soft: values outside the window are bounds, not the window's edge"),
        Parameter("form", "recursive", None, None, ("recursive", "stack"), "how the tree is walked"),
        *deepening.OPTIONS,
    ),
    unfit=opposite_interests,
    run=run,
)
