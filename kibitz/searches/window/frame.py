"""The frame: what every search with a window does at a node, once, and the one loop that walks the tree.

A frame is a node on the path from the root (`node.FRAME`): a question, what is it worth to `side` in the window (alpha, beta), and what is known of the
answer. `search` puts a frame on top of another for every question, and hands the answer down, with four functions:

    open_node     the table, the game's best case, the trace: an answer at once, or a list of moves in order
    ask_move      make the next move: a leaf's value at once, or a question for the frame above
    take_answer   the best move so far, its line, the cutoff
    close_node    the table and the trace again: the answer

They see to the table, the order of moves, repetition, the trace, threads, limits, the best line and distance. What is left to a search is its `Rule`: in which window
it asks about a move, and whether the answer will do. Without recursion there is one function to compile, and a device without a stack can run it.

Searches that do more at a node than ask about its moves, `selective` and those of games with chance, call themselves instead, which is faster there, and share the duties of
kibitz/searches/window/node.py.

NaN stands for an answer that is not there yet. A value v of a node of which x is the true value:

    v <= alpha         x <= v      no move reaches alpha
    alpha < v < beta   x == v
    v >= beta          x >= v      some move is good enough
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.searches import scale, trace
from kibitz.searches.window import flags, node, ordering, quiescence, threads

# --- the loop ---


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. Meaningless once a limit is met."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    return search(w, arrays, depth, node.side_of(w, w.states[0]), alpha, beta)


def search(w: Any, arrays: Any, depth: int, side: int, alpha: float, beta: float) -> float:
    """The value of the root, which is not over, for `side`, its mover; once a limit is met, of the best move so far."""
    node.pose(w, 0, 0, depth, side, alpha, beta)
    return answered(w, arrays)


def answered(w: Any, arrays: Any) -> float:
    """The answer to the question in the first frame."""
    top = 0
    while True:
        v = open_frame(w, arrays, top)
        while True:
            if np.isnan(v):
                v = ask(w, arrays, top)
                if np.isnan(v):
                    break
            elif top == 0:
                return v
            else:
                top -= 1
                v = v if w.frames[top].side == w.frames[top + 1].side else -v
            if w.control.nodes >= w.control.limit:
                return w.frames[0].best
            v = close(w, arrays, top) if take(w, arrays, top, v) else np.nan
        top += 1


def leaf(w: Any, ply: int, following: int, mover: int, alpha: float, beta: float) -> float:
    """The value for `mover`, who moved here, of a finished game or of a position at the horizon: for searches that keep no frames."""
    if not options.QUIESCENCE or following < 0:
        return node.leaf(w, ply, following, mover)
    low, high = (alpha, beta) if following == mover else (-beta, -alpha)
    return scale.turned(quiescence.value(w, ply, following, low, high), following, mover)


# --- at each frame: the four functions, or beyond the horizon those of quiescence ---


def open_frame(w: Any, arrays: Any, top: int) -> float:
    if options.QUIESCENCE and w.frames[top].beyond > 0:
        return quiescence.open_node(w, top)
    return open_node(w, arrays, top)


def ask(w: Any, arrays: Any, top: int) -> float:
    if options.QUIESCENCE and w.frames[top].beyond > 0:
        return quiescence.ask_move(w, top)
    return ask_move(w, arrays, top)


def take(w: Any, arrays: Any, top: int, v: float) -> bool:
    if options.QUIESCENCE and w.frames[top].beyond > 0:
        return quiescence.take_answer(w, top, v)
    return take_answer(w, arrays, top, v)


def close(w: Any, arrays: Any, top: int) -> float:
    if options.QUIESCENCE and w.frames[top].beyond > 0:
        return quiescence.close_node(w, top)
    return close_node(w, arrays, top)


# --- open ---


def open_node(w: Any, arrays: Any, top: int) -> float:
    """The node's value, where it is known without a move; else NaN, and its moves are listed."""
    f, ply = w.frames[top], top
    w.line_end[ply] = ply
    enter_trace(w, f, ply)
    f.key = game.key(w.states[ply]) if options.TABLE else np.uint64(0)
    known = node.foreseen(w, arrays.table, f.key, ply, f.depth, f.alpha, f.beta, f.side)
    if np.isnan(known):
        first = w.entry.move if options.TABLE else NO_MOVE
        begin_moves(w, f, ply)
        f.count = options.LIST(w, f, ply, first)
        if options.ROOTED and top == 0 and w.rooted > 0:
            f.count = list_roots(w, f, ply, first)
        f.fresh = f.count
    return known


def enter_trace(w: Any, f: Any, ply: int) -> None:
    if options.FOR_FIRST:
        low, high = scale.seen(f.alpha, f.beta, f.side)
        trace.enter(w, ply, f.depth // options.PLY_UNITS, low, high, 0)
    else:
        trace.enter(w, ply, f.depth // options.PLY_UNITS, f.alpha, f.beta, f.side)


def begin_moves(w: Any, f: Any, ply: int) -> None:
    """Nothing is known of the node's moves yet; from here on, what its value depends on is watched."""
    f.horizons, f.best, f.best_move = w.horizons, -np.inf if options.SOFT else f.alpha, NO_MOVE
    f.at = 0
    if options.ASKS_AGAIN:
        f.again = False
    if options.REPEATS:
        f.before = node.enter_loop(w, ply)


def list_moves(w: Any, f: Any, ply: int, first: int) -> int:
    """All moves of the node, in order; how many. `first` is the table's move, or NO_MOVE."""
    n = game.moves(w.states[ply], w.lists[ply])
    ordering.sort(w, w.states[ply], ply, n, f.side, first)
    return n


def list_roots(w: Any, f: Any, ply: int, first: int) -> int:
    """In place of all moves of the root those that were asked for; its value is then that of these, and none for the table."""
    n = w.rooted
    for i in range(n):
        w.lists[ply, i] = w.roots[i]
    ordering.sort(w, w.states[ply], ply, n, f.side, first)
    return n


# --- ask ---


def ask_move(w: Any, arrays: Any, top: int) -> float:
    """The value of the move `at` where it leads to a leaf, or NaN: the frame above is asked."""
    f, ply = w.frames[top], top
    side = f.side
    following = f.following if options.ASKS_AGAIN and f.again else make_move(w, arrays, f, ply)
    low, high, left = options.WINDOW(w, f)
    if following < 0 or left <= 0:
        return ask_leaf(w, top, ply, following, low)
    if following == side:
        node.pose(w, top + 1, ply + 1, left, following, low, high)
    else:
        node.pose(w, top + 1, ply + 1, left, following, -high, -low)
    return np.nan


def make_move(w: Any, arrays: Any, f: Any, ply: int) -> int:
    """Make the move `at`, or another one if a thread is searching that; whose turn it is then."""
    if options.THREADS:
        f.fresh = threads.put_off(w, arrays.table, f.key, ply, f.at, f.count, f.fresh, f.depth)
        threads.begin(arrays.table, f.key, w.lists[ply, f.at], f.depth)
    following = node.step(w, ply, w.lists[ply, f.at])
    if options.ASKS_AGAIN:
        f.following = following
    return following


def ask_leaf(w: Any, top: int, ply: int, following: int, low: float) -> float:
    """The value of the move under way, which leads to the end of the game or to the horizon, or NaN: the frame above plays on."""
    f = w.frames[top]
    if options.QUIESCENCE and following >= 0:
        quiescence.pose(w, top, following, low, f.beta)
        return np.nan
    return node.leaf(w, ply + 1, following, f.side)


# --- take ---


def take_answer(w: Any, arrays: Any, top: int, v: float) -> bool:
    """The question about the move `at` was answered with v. Is the node done?"""
    f, ply = w.frames[top], top
    if options.ASKS_AGAIN:
        v = options.ANSWER(w, f, v)
        if f.again:
            return False
    if options.THREADS:
        threads.end(arrays.table, f.key, w.lists[ply, f.at], f.depth)
    if is_enough(w, f, ply, v):
        ordering.cut(w, ply, f.side, f.best_move, f.depth // options.PLY_UNITS)
        return True
    f.at += 1
    return f.at == f.count


def is_enough(w: Any, f: Any, ply: int, v: float) -> bool:
    """The move `at` is worth v: is it better than those before, and good enough for a cutoff?"""
    if v > f.best:
        f.best, f.best_move = v, w.lists[ply, f.at]
        if v > f.alpha:
            node.extend_line(w, ply, f.best_move)
        return v >= f.beta
    return False


# --- close ---


def close_node(w: Any, arrays: Any, top: int) -> float:
    """The node's value, which the table may keep."""
    f, ply = w.frames[top], top
    best, own = f.best if options.SOFT else min(f.best, f.beta), True
    if options.REPEATS:
        own = node.leave_loop(w, ply, f.before)
    if options.ROOTED and top == 0 and w.rooted > 0:
        own = False
    if options.TABLE and own:
        node.remember(w, arrays.table, f.key, ply, f.depth, w.horizons == f.horizons, (f.alpha, f.beta), best, f.best_move, f.side)
    leave_trace(w, f, ply, best)
    return best


def leave_trace(w: Any, f: Any, ply: int, best: float) -> None:
    if options.FOR_FIRST:
        trace.settle(w, ply, scale.turned(best, f.side, 0), trace.CUT if best >= f.beta else trace.SEARCHED)
    else:
        trace.leave(w, ply, best)


# --- rules ---


def whole_window(w: Any, f: Any) -> tuple[float, float, int]:  # noqa: ARG001
    """Alpha-beta's own: what is better than the best so far and no more than beta, a ply less deep."""
    return max(f.alpha, f.best), f.beta, f.depth - 1


@dataclass(frozen=True)
class Rule:
    """What makes a search of the frame: functions that the kernel calls by their names in capitals, `options.WINDOW` and so on.

    A search gives `window` and `answer`, and mostly leaves the list as it is.
    """

    window: Callable[..., tuple[float, float, int]] = (
        whole_window  # (w, f): the window (low, high) to ask about the move `at`, and the depth left
    )
    answer: Callable[..., float] | None = None  # (w, f, v): what the move is worth; with f.again it is asked about once more. None: v it is
    list: Callable[..., int] = list_moves  # (w, f, ply, first): the moves in w.lists[f.ply], in order; how many

    def options(self) -> dict[str, Any]:
        """As the binder wants them."""
        return {**flags.as_options(self), "ASKS_AGAIN": self.answer is not None}
