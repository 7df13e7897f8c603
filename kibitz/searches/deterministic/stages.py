"""Tests of selective search at a node before it makes a move: is the node good or bad enough by a cheaper search?

    after the turn was given up    does a search less deep still reach beta? (null move)
    shallow                        does a shallow search of the node leave the window by so much that a deep one will? (ProbCut) Two questions for
                                   each check: above, below
    without the table's move       is that the only good one?

The questions are put, and the moves are made, in kibitz/searches/deterministic/selective.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.searches import scale, trace
from kibitz.searches.deterministic import probcut
from kibitz.searches.window import node
from kibitz.tables import transposition

SHALLOW = 3  # plies a promise in the table may be less deep than the node it speaks of
NULL_SLOPE = 4  # plies of depth for every ply more that a skipped turn saves
SINGULAR_FROM = 4  # depth from which a singular move is looked for


# --- questions ---


def gives_up_turn(w: Any, ply: int, mover: int) -> bool:
    """Give up the turn, in the state above; False where that is not allowed, or it is not the other player's turn then."""
    return give_up_turn(w, ply) and game.player(w.states[ply + 1]) == 1 - mover


def depth_after_skip(depth: int) -> int:
    return max(np.int64(1), depth - 1 - options.NULL - depth // NULL_SLOPE)


def shallow(w: Any, check: int, depth: int, alpha: float, beta: float, mover: int) -> tuple[int, float, float]:
    """ProbCut: how deep to search, in which null window; depth 0 where there is nothing to ask. Even checks ask above the window, odd ones below."""
    cut = w.cuts[depth, check // 2]
    least, most = scale.seen(options.LOW, options.HIGH, mover)
    if check % 2 == 0:
        asked = probcut.enough(cut, beta, mover)
        return np.int64(cut.shallow if asked < most else 0), np.nextafter(asked, -np.inf), asked  # type: ignore[return-value]
    asked = probcut.too_little(cut, alpha, mover)
    return np.int64(cut.shallow if asked > least else 0), asked, np.nextafter(asked, np.inf)  # type: ignore[return-value]


def give_up_turn(w: Any, ply: int) -> bool:
    """Skip the mover's turn, in the state above; False where that is not allowed."""
    w.states[ply + 1] = w.states[ply]
    if not game.skip(w.states[ply + 1]):
        return False
    w.control.nodes += 1
    trace.step(w, ply, NO_MOVE)
    if options.REPEATS:
        w.since[ply + 1] = w.past + ply + 1  # nothing before counts as repeated
        w.keys[w.past + ply + 1] = game.situation(w.states[ply + 1])
    return True


def promised(w: Any, table: Any, key: np.uint64, ply: int, depth: int, mover: int) -> float:
    """What the table's move is worth at least, by a search nearly as deep; NaN where that is unknown, or a won or lost game."""
    if ply == 0 or depth < SINGULAR_FROM or ply + depth >= w.reach or not transposition.probe(w, table, key):
        return np.nan
    if w.entry.move == NO_MOVE or w.entry.depth < depth - SHALLOW:
        return np.nan
    lower = node.promised(w, ply, mover)[0]
    least, most = scale.seen(options.LOW, options.HIGH, mover)
    return lower if least < lower < most else np.nan
