"""Alpha-beta search (Knuth and Moore 1975, section 2; fail-soft: Fishburn 1983), with a transposition table and move ordering.

Exact, to its depth, for two-player games of opposite interests without chance or hidden information; players need not alternate. Deeper and
deeper until a limit is met; the answer is that of the deepest search that was finished. Two forms that visit the same nodes in the
same order: `stack`, the rule of kibitz/searches/window/frame.py that asks about every move in the window that is left; and `recursive`, where all of it can
be read in one function.

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
from kibitz.searches import deepening, trace
from kibitz.searches.method import Method, opposite_interests
from kibitz.searches.window import frame, node, ordering

RULE = frame.Rule()

# --- kernels ---


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. Meaningless once a limit is met."""
    if not options.RECURSIVE:
        return frame.root(w, arrays, depth, alpha, beta)
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    # A literal 0 would be a type of its own.
    return value(w, arrays, np.int64(0), depth, alpha, beta, np.int64(game.player(w.states[0])))  # type: ignore[arg-type]


def value(w: Any, arrays: Any, ply: int, depth: int, alpha: float, beta: float, mover: int) -> float:
    """The recursive form: what the frame does with RULE, written out."""
    s = w.states[ply]
    w.line_end[ply] = ply
    trace.enter(w, ply, depth, alpha, beta, mover)

    # 1. Known already, or at least a move to try first.
    key = game.key(s) if options.TABLE else np.uint64(0)
    foreseen = node.foreseen(w, arrays.table, key, ply, depth, alpha, beta, mover)
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
    for i in range(n):
        following = node.step(w, ply, w.lists[ply, i])
        floor = max(alpha, best)
        if following < 0 or depth == 1:
            v = frame.leaf(w, ply + 1, following, mover, floor, beta)
        elif following == mover:
            v = value(w, arrays, ply + 1, depth - 1, floor, beta, following)
        else:
            v = -value(w, arrays, ply + 1, depth - 1, -beta, -floor, following)
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
        node.remember(w, arrays.table, key, ply, depth, w.horizons == horizons, (alpha, beta), best, best_move, mover)
    trace.leave(w, ply, best)
    return best


# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    if settings["threads"] > 1 and settings["form"] == "recursive":
        raise InputError(f"threads={settings['threads']}: form=recursive searches with one thread; leave it out")
    if (settings["lines"] > 1 or settings["only"]) and settings["form"] == "recursive":
        raise InputError(f"{'lines' if settings['lines'] > 1 else 'only'}: form=recursive looks at all moves of the root; leave it out")
    return deepening.deepen(position, settings, engine, kernel(settings["soft"], settings["form"] == "recursive"))


def kernel(soft: bool = True, recursive: bool = False) -> deepening.Kernel:
    return deepening.Kernel(root, {"SOFT": soft, "RECURSIVE": recursive, **RULE.options()})


METHOD = Method(
    name="alphabeta",
    about="exact to its depth, with cutoffs by a window",
    options=(
        Parameter("soft", True, None, None, None, "fail-soft: values outside the window are bounds, not the window's edge"),
        Parameter("form", "stack", None, None, ("recursive", "stack"), "how the tree is walked"),
        *deepening.OPTIONS,
        *deepening.ROOTS,
    ),
    unfit=opposite_interests,
    run=run,
    endings=True,
)
