"""What selective search asks of a node before it makes a move: is it good or bad enough by less than a search of every move?

A node goes through stages, one after the other, each of which may ask a question; its answer may end the node:

    SKIPS             does a search less deep, after the turn was given up, still reach beta? (null move)
    CHECKED, ...      does a shallow search of the node leave the window by so much that a deep one will? (ProbCut) Two for each check: above, below
    singular_stage    is the table's move the only good one?
    moves_stage       the moves themselves: kibitz/searches/deterministic/selective.py
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.searches import trace
from kibitz.searches.deterministic import probcut
from kibitz.searches.window import node
from kibitz.tables import transposition

SHALLOW = 3  # plies a promise in the table may be less deep than the node it speaks of
NULL_SLOPE = 4  # plies of depth for every ply more that a skipped turn saves
SINGULAR_FROM = 4  # depth from which a singular move is looked for

OPENED, SKIPS, CHECKED = 0, 1, 2

FIELDS = {
    "stage": np.int64,
    "first": np.int64,  # the table's move
    "excluded": np.int64,  # a move to leave out, as the table keeps it
    "skipped": np.bool_,  # the turn was given up before
    "whole": np.bool_,  # all moves count: none is left out
    "standing": np.float64,  # the evaluation, where it may prune; else NaN
    "promise": np.float64,  # what the table's move is worth at least; else NaN
    "asked": np.float64,  # the bound in the last question before the moves
    "singular": np.bool_,  # no other move comes near the table's
    "hopeless": np.bool_,  # quiet moves cannot reach alpha
    "wide": np.int64,  # moves that may be searched
    "tried": np.int64,  # moves that were, but for those that the rule on repetition forbids
    "full": np.int64,  # depth for the move under way
    "ahead": np.int64,  # depth for the question under way
    "high": np.float64,
    "foretold": np.bool_,  # the value is one that no full search stands behind
}


# --- kernels ---


def any_asks() -> bool:
    """Is there a stage that may ask anything?"""
    return options.NULL > 0 or options.CHECKS > 0 or options.SINGULAR > 0.0


def begin(w: Any, f: Any) -> None:
    """A node is opened; what was meant for it alone was written to the workspace."""
    f.stage, f.foretold, f.skipped, f.excluded = OPENED, False, w.skipped, w.excluded
    f.whole = f.whole and f.excluded == NO_MOVE
    f.singular, f.promise = False, np.nan
    w.skipped, w.excluded = False, NO_MOVE


def is_excluding(f: Any) -> bool:
    """Is the table's move left out, to learn what the others are worth?"""
    return options.SINGULAR > 0.0 and f.excluded != NO_MOVE


def is_singular(f: Any) -> bool:
    """Is no other move as good as the table's?"""
    return options.SINGULAR > 0.0 and f.singular


def singular_stage() -> int:
    return CHECKED + 2 * options.CHECKS


def moves_stage() -> int:
    return CHECKED + 2 * options.CHECKS + 1


# --- questions ---


def asks_first(w: Any, top: int, f: Any) -> bool:
    """Does this stage of the node, before any move, ask something?"""
    if f.stage == SKIPS:
        return options.NULL > 0 and asks_after_skip(w, top, f)
    if f.stage < singular_stage():
        return options.CHECKS > 0 and asks_shallow(w, top, f)
    if options.SINGULAR and not np.isnan(f.promise):
        f.asked = f.promise - options.SINGULAR
        w.excluded = f.first
        ask_itself(w, top, f.depth // 2, np.nextafter(f.asked, -np.inf), f.asked)
        return True
    return False


def asks_after_skip(w: Any, top: int, f: Any) -> bool:
    """Is the position so good that a search less deep, after the turn was given up, may still reach beta?"""
    if f.skipped or f.depth <= options.NULL + 1 or not f.standing >= f.beta or not give_up_turn(w, f.ply):
        return False
    following: Any = np.int64(game.player(w.states[f.ply + 1]))
    if following < 0 or following == f.side:
        return False
    left = max(np.int64(1), f.depth - 1 - options.NULL - f.depth // NULL_SLOPE)
    node.pose(w, top + 1, f.ply + 1, left, following, -f.beta, np.nextafter(-f.beta, np.inf))
    w.skipped = True
    return True


def asks_shallow(w: Any, top: int, f: Any) -> bool:
    """ProbCut: does a shallow search leave the window by so much that a deep one will? First above, then below."""
    if not f.whole or f.ply == 0 or f.depth >= probcut.DEPTHS:
        return False
    cut, above = w.cuts[f.depth, (f.stage - CHECKED) // 2], (f.stage - CHECKED) % 2 == 0
    least, most = node.seen(options.LOW, options.HIGH, f.side)
    f.asked = probcut.enough(cut, f.beta, f.side) if above else probcut.too_little(cut, f.alpha, f.side)
    if cut.shallow == 0 or (f.asked >= most if above else f.asked <= least):
        return False
    low, high = (np.nextafter(f.asked, -np.inf), f.asked) if above else (f.asked, np.nextafter(f.asked, np.inf))
    ask_itself(w, top, cut.shallow, low, high)
    return True


def ask_itself(w: Any, top: int, depth: int, low: float, high: float) -> None:
    """Ask what the node is worth when it is searched less deep."""
    f = w.frames[top]
    node.pose(w, top + 1, f.ply, depth, f.side, low, high)


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


def promised(w: Any, table: Any, f: Any) -> float:
    """What the table's move is worth at least, by a search nearly as deep; NaN where that is unknown, or a won or lost game."""
    if f.ply == 0 or f.depth < SINGULAR_FROM or f.ply + f.depth >= w.reach or not transposition.probe(w, table, f.key):
        return np.nan
    if w.entry.move == NO_MOVE or w.entry.depth < f.depth - SHALLOW:
        return np.nan
    lower = node.promised(w, f.ply, f.side)[0]
    least, most = node.seen(options.LOW, options.HIGH, f.side)
    return lower if least < lower < most else np.nan


# --- answers ---


def takes_first(w: Any, f: Any, v: float) -> bool:
    """Does the answer to a question before the moves end the node?"""
    if f.stage == singular_stage():
        f.singular = v < f.asked
        w.line_end[f.ply] = f.ply
        return False
    if f.stage == SKIPS:
        f.foretold, f.best = v >= f.beta, f.beta
    elif (f.stage - CHECKED) % 2 == 0:
        f.foretold, f.best = v >= f.asked, f.beta
    else:
        f.foretold, f.best = v <= f.asked, f.alpha
    return f.foretold
