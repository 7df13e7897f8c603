"""One search for all of them: expectiminimax and the Star family (Ballard 1983; Hsu's lecture on chance nodes), over trees with chance nodes.

Exact, to its depth, for two-player games of opposite interests with chance and without hidden information, and for one player against chance. Nothing
is assumed of the order of moves and chances: players need not alternate, chance may follow chance, the root may be a chance node.

    options.PRUNE     no: expectiminimax, every node is searched
    options.CUTS      a chance node is left when its bounds are outside the window (Star0.5); no: all its outcomes are searched (Star0)
    options.INSIDE    its outcomes are searched in windows of their own (Star1)
    options.PROBING   w.probes children of every outcome first, in rounds (w.cyclic) or outcome by outcome (Star2, Star2.5)

Chance nodes and the nodes of players are frames (kibitz/searches/window/frame.py), so that neither calls the other. Values are those of the frame's `side`: the player
to move, or where chance is to decide whoever asked; see kibitz/searches/window/node.py for what a value of the second player is here. Against the true value x of
the same depth (fail-soft):

    v <= alpha         x <= v
    alpha < v < beta   x == v      to rounding: sums of floats, in an order that the search decides
    v >= beta          x >= v
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE, NO_MOVE
from kibitz.searches import trace
from kibitz.searches.chance import approximate, expectation, faults, paths, probing
from kibitz.searches.chance.expectation import OPEN
from kibitz.searches.window import frame, node, ordering

LOOKS, GATHERS, SEARCHES, DONE = 0, 1, 2, 3  # what a frame does next

FIELDS = {
    "chance": np.bool_,  # chance is to decide
    "stage": np.int64,
    "first": np.int64,  # the table's move or outcome
    "given": np.int64,  # see expectation: w.given
    "estimate": np.float64,  # of the chance node's value; NaN where nobody looked
    "probes": np.int64,  # to be made before outcomes are searched
    "turn": np.int64,  # of the probes, then of the outcomes
    "outcome": np.int64,  # the one being searched or probed
    "probe": np.bool_,  # it is probed
    "cut": np.int64,
    "low": np.float64,  # the window in which it is
    "high": np.float64,
    "quiet": np.int64,  # the ply of the leaf that is played on beyond the horizon; 0: it is no leaf
}


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover, or for the first player where chance is to decide; the best line is w.line[0].

    Meaningless once a limit is met.
    """
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    mover: Any = np.int64(game.player(w.states[0]))
    paths.begin(w, mover)
    return value(w, arrays, 0, depth, alpha, beta, mover, max(np.int64(0), mover))


def value(w: Any, arrays: Any, ply: int, depth: int, alpha: float, beta: float, following: int, view: int) -> float:
    """What the node at `ply` is worth to player `view`; `following` is to move there, or CHANCE."""
    pose(w, 0, ply, depth, following, view, alpha, beta)
    return node.turned(frame.answered(w, arrays), w.frames[0].side, view)


def pose(w: Any, top: int, ply: int, depth: int, following: int, view: int, low: float, high: float) -> None:
    """Ask the frame at `top` what the node at `ply` is worth, in a window of player `view`."""
    side = view if following == CHANCE else following
    if side == view:
        node.pose(w, top, ply, depth, side, low, high)
    else:
        node.pose(w, top, ply, depth, side, -high, -low)
    w.frames[top].chance = following == CHANCE


# --- open ---


def open_node(w: Any, arrays: Any, top: int) -> float:
    """The node's value, where what is known of it answers the window. At the root a move is wanted."""
    f = w.frames[top]
    ply, fork = f.ply, w.forks[f.ply]
    w.line_end[ply] = ply
    f.given, f.quiet = probing.given(w, ply), 0
    trace.enter(w, ply, f.depth, f.alpha, f.beta, f.side)
    f.horizons, f.best, f.best_move = w.horizons, -np.inf, NO_MOVE
    f.key = paths.identity(w, ply) if options.TABLE else np.uint64(0)
    fork.least, fork.most = expectation.known(w, arrays.table, f.key, ply, f.depth, f.side)
    f.first = w.entry.move if options.TABLE else NO_MOVE
    if options.PRUNE and (ply > 0 or f.chance):
        if fork.least >= f.beta or fork.most <= f.alpha or fork.least >= fork.most:
            known = fork.most if fork.most <= f.alpha else fork.least
            trace.settle(w, ply, known, trace.KNOWN)
            return known
        f.alpha, f.beta = max(f.alpha, fork.least), min(f.beta, fork.most)
    elif options.PRUNE:
        fork.least, fork.most = node.seen(options.LOW, options.HIGH, f.side)  # what is known is no move that comes to it
    if options.REPEATS:
        f.before = node.enter_loop(w, ply)
    if f.chance:
        f.stage, f.estimate, f.cut = LOOKS, np.nan, OPEN
    else:
        f.stage, f.at = SEARCHES, 0
        f.count = frame.list_moves(w, f, ply, f.first)
        paths.chances_last(w, ply, f.count, f.first)
    return np.nan


# --- ask ---


def ask(w: Any, arrays: Any, top: int) -> float:
    """The value of the next move or outcome where it leads to a leaf, or is known; NaN: the frame above is asked."""
    f = w.frames[top]
    if not f.chance:
        return ask_move(w, arrays, top)
    if f.stage == LOOKS:
        f.stage = GATHERS
        if options.GLANCE and f.depth > w.plies:
            f.low, f.high = w.forks[f.ply].least, w.forks[f.ply].most  # which the look at this node overwrites
            pose(w, top + 1, f.ply, w.plies, np.int64(CHANCE), f.side, -np.inf, np.inf)  # type: ignore[arg-type]
            return np.nan
    if f.stage == GATHERS and not begin_outcomes(w, arrays, f):
        return 0.0  # the rules are broken: the search stops here
    return ask_outcome(w, top)


def ask_move(w: Any, arrays: Any, top: int) -> float:  # noqa: ARG001
    """A player's node: the next moves, until one leads to a node of its own (NaN) or all that matters was tried."""
    f = w.frames[top]
    ply, depth, given = f.ply, f.depth, f.given
    while f.at < f.count:
        move = w.lists[ply, f.at]
        low, high = (max(f.alpha, f.best), f.beta) if options.PRUNE else (-np.inf, np.inf)
        v = probing.answered(w, ply, given - 1, move, low, high) if given > 0 else np.nan
        if np.isnan(v):
            following = paths.step(w, ply, move, False)
            if options.SKIP and ply > 0 and paths.skipped(w, ply + 1, depth - 1, following):
                f.at += 1
                continue
            v = ask_child(w, top, ply + 1, depth - 1, following, f.side, low, high)
            if np.isnan(v) or w.control.nodes >= w.control.limit:
                return v
        if take_move(w, f, v):
            break
    f.stage = DONE
    return 0.0


def begin_outcomes(w: Any, arrays: Any, f: Any) -> bool:
    """List the outcomes of a chance node; False where the rules are broken."""
    if not expectation.gather(w, arrays.table, f.ply, f.depth, f.side, f.first):
        return False
    f.stage, f.turn, f.probes = SEARCHES, 0, probing.planned(w, f.ply, f.depth)
    f.cut = expectation.verdict(w.forks[f.ply], f.alpha, f.beta)
    if options.PLAYOUTS and f.depth > 0:
        f.estimate = approximate.by_playouts(w, f.ply, f.side)
    f.cut = approximate.after_a_look(w, f.ply, f.depth, f.cut, f.estimate, f.alpha, f.beta)
    return True


def ask_outcome(w: Any, top: int) -> float:
    """A chance node: probe some children of every outcome, then search what is still open, until nothing can bring the mean back into the window."""
    f = w.frames[top]
    ply, probes = f.ply, f.probes
    fork = w.forks[ply]
    for turn in range(f.turn, probes + fork.count):
        if f.cut != OPEN or w.control.nodes >= w.control.limit:
            break
        i, probe = probing.planned_at(w, ply, turn, probes)
        o = w.outcomes[ply, i]
        if o.low < o.high and (not probe or probing.choose(w, ply, i)):
            f.turn, f.outcome, f.probe, f.best_move = turn + 1, i, probe, o.move
            f.low, f.high = expectation.asked(fork, o, f.alpha, f.beta)
            f.cut = expectation.closed(o, f.low, f.high)
            if f.cut == OPEN:
                v = ask_open_outcome(w, top, ply, i, probe)
                if np.isnan(v):
                    return v
                take_outcome(w, f, v)
    f.stage = DONE
    return 0.0


def ask_open_outcome(w: Any, top: int, ply: int, i: int, probe: bool) -> float:
    """An outcome, or the child of it that is probed."""
    f = w.frames[top]
    depth, low, high = f.depth, f.low, f.high
    if options.PROBING and probe:
        trace.enter(w, ply + 1, depth, low, high, f.side)
        probing.begin(w, ply, i)
        following = probing.reach(w, ply, i, True)
        return ask_child(w, top, ply + 2, depth - 1, following, w.outcomes[ply, i].mover, low, high)
    following = probing.reach(w, ply, i, False)
    return ask_child(w, top, ply + 1, depth, following, np.int64(CHANCE), low, high)  # type: ignore[arg-type]


def ask_child(w: Any, top: int, ply: int, depth: int, following: int, mover: int, low: float, high: float) -> float:
    """What the node at `ply`, which `mover` moved to, is worth: a leaf's value, or NaN where the frame above is asked. All as this frame's side sees it."""
    f = w.frames[top]
    if not paths.ends(w, ply, depth, following):
        pose(w, top + 1, ply, depth, following, f.side, low, high)
        return np.nan
    if options.QUIESCENCE and following >= 0:
        pose(w, top + 1, ply, np.int64(0), following, f.side, low, high)  # type: ignore[arg-type]
        w.frames[top + 1].beyond, f.quiet = 1, ply
        return np.nan
    return leaf(w, ply, following, mover, f.side)


def leaf(w: Any, ply: int, following: int, mover: int, view: int) -> float:
    """The value for `view` of a leaf that `mover` moved to."""
    if options.REPEATS and following == node.REPEATED:  # whose fault it was may matter
        return node.leaf_for(w, ply, following, mover, view)
    return node.turned(faults.within(w, ply, node.leaf(w, ply, following, 0)), 0, view)


def leaf_of_its_own(w: Any, arrays: Any, ply: int, following: int, mover: int, view: int, low: float, high: float) -> float:
    """The same for who keeps no frames, with what noisy moves come to beyond the horizon; asked in a window of `view`."""
    if options.QUIESCENCE and following >= 0:
        return node.turned(faults.within(w, ply, frame.leaf(w, arrays, ply, following, 0, *node.seen(low, high, view))), 0, view)
    return leaf(w, ply, following, mover, view)


# --- take ---


def take(w: Any, arrays: Any, top: int, v: float) -> bool:  # noqa: ARG001
    """The last question was answered with v. Is the node done?"""
    f = w.frames[top]
    if options.QUIESCENCE and f.quiet > 0:
        faults.within(w, f.quiet, node.turned(v, f.side, 0))
        f.quiet = 0
    if f.stage == DONE:
        return True
    if not f.chance:
        return take_move(w, f, v)
    if f.stage == GATHERS:
        f.estimate = v
        w.forks[f.ply].least, w.forks[f.ply].most = f.low, f.high
        return False
    return take_outcome(w, f, v)


def take_move(w: Any, f: Any, v: float) -> bool:
    """The move `at` is worth v."""
    if v > f.best:
        f.best, f.best_move = v, w.lists[f.ply, f.at]
        if v > f.alpha:  # at most alpha it is a bound, and alpha may be what is known of the node: then no line is
            node.extend_line(w, f.ply, f.best_move)
        if options.PRUNE and v >= min(f.beta, w.forks[f.ply].most):
            ordering.cut(w, f.ply, f.side, f.best_move, f.depth)
            return True
    f.at += 1
    return f.at == f.count


def take_outcome(w: Any, f: Any, v: float) -> bool:
    """The outcome, or its child that was probed, is worth v."""
    fork = w.forks[f.ply]
    if options.PROBING and f.probe:
        trace.settle(w, f.ply + 1, v, trace.PROBED)
        probing.learn(w, f.ply, f.outcome, v, f.low, f.high, f.side)
    else:
        f.cut = expectation.settle(fork, w.outcomes[f.ply, f.outcome], v, f.low, f.high)
    trace.bounds(w, f.ply, expectation.mean(fork, fork.low), expectation.mean(fork, fork.high), f.side)
    if f.cut == OPEN:
        f.cut = expectation.verdict(fork, f.alpha, f.beta)
    f.cut = approximate.after_some(w, f.ply, f.cut, f.alpha, f.beta)
    return f.cut != OPEN


# --- close ---


def close(w: Any, arrays: Any, top: int) -> float:
    """The node's value, which the table may keep, with its best move or the outcome that cut."""
    f = w.frames[top]
    if f.chance:
        f.best = expectation.answer(w, f.ply, f.cut, f.alpha, f.beta)
        approximate.after_all(w, f.depth, f.cut, f.estimate, f.best)
        if f.cut == OPEN:
            f.best_move = NO_MOVE
        trace.settle(w, f.ply, f.best, trace.SEARCHED if f.cut == OPEN else trace.CUT)
    else:
        if options.SKIP and f.best_move == NO_MOVE:  # every move leads to a chance that is not to be followed
            f.best = node.turned(faults.within(w, f.ply, node.estimated(w, w.states[f.ply])), 0, f.side)
        f.best = expectation.best_of(w, f.ply, f.best, f.alpha, f.beta)
        trace.leave(w, f.ply, f.best)
    own = True
    if options.REPEATS:
        own = node.leave_loop(w, f.ply, f.before)
    if options.TABLE and own:
        expectation.remember(w, arrays.table, f.key, f.ply, f.depth, w.horizons == f.horizons, f.side, f.best_move)
    return f.best


RULE = frame.Rule(open=open_node, ask=ask, take=take, close=close)
