"""Quiescence search: at the horizon, play out moves that would falsify the evaluation.

An evaluation in the middle of an exchange counts a piece that is lost with the next move. With `options.QUIESCENCE` plies to spare, a leaf
is worth the best of

    its evaluation           the mover may also leave things as they are; not where the game says the position is `restless`
    every `noisy` move       searched in the same way, one ply less to spare; where the position is `restless`, every move

so that evaluations are taken of quiet positions. What a leaf is worth depends on nothing but the position: searches that use this remain exact
to their depth, and agree. The functions below are what `frame.search` does with a frame that lies `beyond` the horizon.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.searches import scale, trace
from kibitz.searches.window import node, ordering

OPTION = Parameter("quiescence", 0, 0, 64, None, "plies to play out noisy moves beyond the horizon; 0: evaluate at once")

# --- kernels ---


def value(w: Any, ply: int, mover: int, alpha: float, beta: float) -> float:
    """What the leaf at `ply` is worth to `mover`, whose turn it is: `frame.answered` for searches that keep no frames of their own."""
    node.pose(w, 0, ply, np.int64(0), mover, alpha, beta)  # type: ignore[arg-type]
    w.frames[0].beyond = 1
    top = 0
    while True:
        v = open_node(w, top)
        while True:
            if np.isnan(v):
                v = ask_move(w, top)
                if np.isnan(v):
                    break
            elif top == 0:
                return v
            else:
                top -= 1
                v = scale.turned(v, w.frames[top + 1].side, w.frames[top].side)
            if w.control.nodes >= w.control.limit:
                return w.frames[0].best
            v = close_node(w, top) if take_answer(w, top, v) else np.nan
        top += 1


def pose(w: Any, top: int, following: int, low: float, high: float) -> None:
    """Ask what the move under way is worth beyond the horizon, in a window of the frame's own side; whose turn it is there."""
    beyond = w.frames[top].beyond + 1
    node.pose_child(w, top, following, np.int64(0), low, high)  # type: ignore[arg-type]
    w.frames[top + 1].beyond = beyond


def open_node(w: Any, top: int) -> float:
    """The value of a node beyond the horizon, which is not over, or NaN where moves are to be tried."""
    f = w.frames[top]
    ply, s = f.ply, w.states[f.ply]
    w.line_end[ply] = ply
    w.farthest = max(w.farthest, ply)
    trace.enter(w, ply, 0, f.alpha, f.beta, f.side)
    if options.ENDINGS:
        known = scale.turned(node.by_tables(w, ply, f.side), 0, f.side)
        if not np.isnan(known):
            trace.settle(w, ply, known, trace.KNOWN)
            return known
    spare = min(options.QUIESCENCE + 1 - f.beyond, min(game.MAX_PLIES, node.DEEPEST) - ply)
    restless = spare > 0 and game.restless(s)
    f.best = -np.inf if restless else scale.turned(node.estimated(w, s), 0, f.side)
    w.leaves += 1 if not restless else 0
    if f.best >= f.beta or spare == 0:
        trace.settle(w, ply, f.best, trace.EVALUATED)
        return f.best
    f.at, f.count = 0, game.moves(s, w.lists[ply])
    if not restless:
        f.count = only_noisy(w, s, ply, f.count)
    ordering.sort(w, s, ply, f.count, f.side, NO_MOVE)
    return np.nan if f.count > 0 else close_node(w, top)


def ask_move(w: Any, top: int) -> float:
    """The value of the next move where the game ends, or NaN: the frame above is asked."""
    f = w.frames[top]
    following = node.step(w, f.ply, w.lists[f.ply, f.at])
    if following < 0:
        return node.leaf(w, f.ply + 1, following, f.side)
    pose(w, top, following, max(f.alpha, f.best), f.beta)
    return np.nan


def take_answer(w: Any, top: int, v: float) -> bool:
    """The move under way is worth v. Was it the last one, or good enough?"""
    f = w.frames[top]
    if v > f.best:
        f.best = v
        if v > f.alpha:
            node.extend_line(w, f.ply, w.lists[f.ply, f.at])
        if v >= f.beta:
            return True
    f.at += 1
    return f.at == f.count


def close_node(w: Any, top: int) -> float:
    """All that matters was tried."""
    f = w.frames[top]
    trace.leave(w, f.ply, f.best)
    return f.best


def only_noisy(w: Any, s: Any, ply: int, n: int) -> int:
    """Keep the noisy ones of the ply's moves, in their order; how many there are."""
    kept = 0
    for i in range(n):
        if game.noisy(s, w.lists[ply, i]):
            w.lists[ply, kept] = w.lists[ply, i]
            kept += 1
    return kept


# --- shell ---


def check(game: Game, plies: int) -> None:
    """Refuse to look for noisy moves in a game that does not say which are."""
    if plies and not (game.defines("noisy") or game.defines("restless")):
        raise InputError(
            f"quiescence={plies}: {game.name} does not say which moves are noisy; define noisy(s, move), or leave quiescence=0"
        )
