"""One search for all of them: expectiminimax and the Star family (Ballard 1983; Hsu's lecture on chance nodes), over trees with chance nodes.

Exact, to its depth, for two-player games of opposite interests with chance and without hidden information, and for one player against chance. Nothing
is assumed of the order of moves and chances: players need not alternate, chance may follow chance, the root may be a chance node.

    options.PRUNE     no: expectiminimax, every node is searched
    options.CUTS      a chance node is left when its bounds are outside the window (Star0.5); no: all its outcomes are searched (Star0)
    options.INSIDE    its outcomes are searched in windows of their own (Star1)
    options.PROBING   w.probes children of every outcome first, in rounds (w.cyclic) or outcome by outcome (Star2, Star2.5)

`value` calls itself for both kinds of nodes: two functions that call each other could not be compiled to be kept. It is no rule of
kibitz/searches/window/frame.py, because that was slower: in its
loop Star2 took about 1.3 times as long on Pig. A value is that of player `view`; see kibitz/searches/window/node.py for what a value of the second player is here. Against the true value x of the same depth
(fail-soft):

    v <= alpha         x <= v
    alpha < v < beta   x == v      to rounding: sums of floats, in an order that the search decides
    v >= beta          x >= v
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE, NO_MOVE
from kibitz.searches import scale, trace
from kibitz.searches.chance import approximate, expectation, faults, paths, probing
from kibitz.searches.chance.expectation import OPEN
from kibitz.searches.window import frame, node, ordering

RULE = frame.Rule()  # for what lies beyond the horizon


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover, or for the first player where chance is to decide; the best line is w.line[0].

    Meaningless once a limit is met.
    """
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    mover: Any = np.int64(game.player(w.states[0]))
    paths.begin(w, mover)
    return value(w, arrays.table, np.int64(0), depth, alpha, beta, mover, max(np.int64(0), mover))  # type: ignore[arg-type]


def value(w: Any, table: Any, ply: int, depth: int, alpha: float, beta: float, mover: int, view: int) -> float:
    """What the node at `ply` is worth to player `view`; `mover` is to move there, or CHANCE."""
    side = view if mover == CHANCE else mover  # everything in here is as this player sees it
    if side != view:
        alpha, beta = -beta, -alpha
    fork, given = w.forks[ply], probing.given(w, ply)

    # 1. Known already, at least between two bounds; and what to try first.
    key, horizons = paths.identity(w, ply) if options.TABLE else np.uint64(0), w.horizons
    known, alpha, beta = open_node(w, table, key, ply, depth, mover, side, (alpha, beta))
    if not np.isnan(known):
        return scale.turned(known, side, view)
    first = w.entry.move if options.TABLE else NO_MOVE
    before = node.enter_loop(w, ply) if options.REPEATS else node.NEVER

    if mover == CHANCE:
        estimate = np.nan
        if options.GLANCE and depth > w.plies:
            least, most = fork.least, fork.most  # which the look at this node overwrites
            estimate = value(w, table, ply, w.plies, -np.inf, np.inf, mover, view)
            fork.least, fork.most = least, most
        # 2. Probe some children of every outcome, then search what is still open, until nothing can bring the mean back into the window.
        if not expectation.gather(w, table, ply, depth, view, first):
            return np.nan  # the rules are broken: the search stops here
        estimate = approximate.by_playouts(w, ply, view) if options.PLAYOUTS and depth > 0 else estimate
        probes, chosen = probing.planned(w, ply, depth), NO_MOVE
        cut = approximate.after_a_look(w, ply, depth, expectation.verdict(fork, alpha, beta), estimate, alpha, beta)
        for turn in range(probes + fork.count):
            if w.control.nodes >= w.control.limit:
                return np.nan
            if cut != OPEN:
                break
            i, probe = probing.planned_at(w, ply, turn, probes)
            o = w.outcomes[ply, i]
            if o.low < o.high and (not probe or probing.choose(w, ply, i)):
                chosen = o.move
                low, high = expectation.asked(fork, o, alpha, beta)
                cut = expectation.closed(o, low, high)
                if cut != OPEN:
                    break
                following = make_outcome(w, ply, i, probe, depth, low, high, view)
                at, left = (ply + 2, depth - 1) if probe else (ply + 1, depth)
                if paths.ends(w, at, left, following):
                    v = leaf(w, at, following, o.mover if probe else np.int64(CHANCE), view, low, high)  # type: ignore[arg-type]
                else:
                    v = value(w, table, at, left, low, high, following, view)
                if w.control.nodes >= w.control.limit:
                    return v
                cut = take_outcome(w, ply, i, probe, v, (low, high), (alpha, beta), view)
        best = close_outcomes(w, ply, depth, cut, estimate, alpha, beta)
        chosen = NO_MOVE if cut == OPEN else chosen
    else:
        # 3. Every move, until one is good enough.
        best, chosen = -np.inf, NO_MOVE
        n = list_moves(w, ply, mover, first)
        for i in range(n):
            move = w.lists[ply, i]
            low, high = (max(alpha, best), beta) if options.PRUNE else (-np.inf, np.inf)
            v = probing.answered(w, ply, given - 1, move, low, high) if given > 0 else np.nan
            if np.isnan(v):
                following = paths.step(w, ply, move, False)
                if options.SKIP and ply > 0 and paths.skipped(w, ply + 1, depth - 1, following):
                    continue
                if paths.ends(w, ply + 1, depth - 1, following):
                    v = leaf(w, ply + 1, following, mover, mover, low, high)
                else:
                    v = value(w, table, ply + 1, depth - 1, low, high, following, mover)
                if w.control.nodes >= w.control.limit:
                    return v
            if v > best:
                best, chosen = v, move
                if take_best(w, ply, depth, mover, v, move, alpha, beta):
                    break
        best = close_moves(w, ply, mover, best, chosen, alpha, beta)

    # 4. Remember.
    own = node.leave_loop(w, ply, before) if options.REPEATS else True
    if options.TABLE and own:
        expectation.remember(w, table, key, ply, depth, w.horizons == horizons, side, chosen)
    return scale.turned(best, side, view)


def open_node(
    w: Any, table: Any, key: np.uint64, ply: int, depth: int, mover: int, side: int, window: tuple[float, float]
) -> tuple[float, float, float]:
    """The value, where what is known of the node answers the window, else NaN; and the window that is left. At the root a move is wanted."""
    alpha, beta = window
    fork = w.forks[ply]
    w.line_end[ply] = ply
    trace.enter(w, ply, depth, alpha, beta, side)
    fork.least, fork.most = expectation.known(w, table, key, ply, depth, side)
    if options.PRUNE and (ply > 0 or mover == CHANCE):
        if fork.least >= beta or fork.most <= alpha or fork.least >= fork.most:
            known = fork.most if fork.most <= alpha else fork.least
            trace.settle(w, ply, known, trace.KNOWN)
            return known, alpha, beta
        alpha, beta = max(alpha, fork.least), min(beta, fork.most)
    elif options.PRUNE:
        fork.least, fork.most = scale.seen(options.LOW, options.HIGH, side)  # what is known is no move that comes to it
    return np.nan, alpha, beta


# --- outcomes ---


def make_outcome(w: Any, ply: int, i: int, probe: bool, depth: int, low: float, high: float, view: int) -> int:
    """Go to outcome i, or to the child of it that is probed; whose turn it is there."""
    if options.PROBING and probe:
        trace.enter(w, ply + 1, depth, low, high, view)
        probing.begin(w, ply, i)
    return probing.reach(w, ply, i, probe)


def take_outcome(
    w: Any, ply: int, i: int, probe: bool, v: float, asked: tuple[float, float], window: tuple[float, float], view: int
) -> int:
    """Outcome i, or its child that was probed, is worth v, `asked` in that window; is the node in `window` settled?"""
    fork, cut = w.forks[ply], np.int64(OPEN)
    if options.PROBING and probe:
        trace.settle(w, ply + 1, v, trace.PROBED)
        probing.learn(w, ply, i, v, asked[0], asked[1], view)
    else:
        cut = np.int64(expectation.settle(fork, w.outcomes[ply, i], v, asked[0], asked[1]))
    trace.bounds(w, ply, expectation.mean(fork, fork.low), expectation.mean(fork, fork.high), view)
    if cut == OPEN:
        cut = np.int64(expectation.verdict(fork, window[0], window[1]))
    return approximate.after_some(w, ply, cut, window[0], window[1])  # type: ignore[arg-type]


def close_outcomes(w: Any, ply: int, depth: int, cut: int, estimate: float, alpha: float, beta: float) -> float:
    """The value of a chance node: all that matters is known."""
    best = expectation.answer(w, ply, cut, alpha, beta)
    approximate.after_all(w, depth, cut, estimate, best)
    trace.settle(w, ply, best, trace.SEARCHED if cut == OPEN else trace.CUT)
    return best


# --- moves ---


def list_moves(w: Any, ply: int, mover: int, first: int) -> int:
    """A player's moves, in order; how many."""
    s = w.states[ply]
    n = game.moves(s, w.lists[ply])
    ordering.sort(w, s, ply, n, mover, first)
    paths.chances_last(w, ply, n, first)
    return n


def take_best(w: Any, ply: int, depth: int, mover: int, v: float, move: int, alpha: float, beta: float) -> bool:
    """The move is the best so far: its line, and is it good enough?"""
    if v > alpha:  # at most alpha it is a bound, and alpha may be what is known of the node: then no line is
        node.extend_line(w, ply, move)
    if options.PRUNE and v >= min(beta, w.forks[ply].most):
        ordering.cut(w, ply, mover, move, depth)
        return True
    return False


def close_moves(w: Any, ply: int, mover: int, best: float, chosen: int, alpha: float, beta: float) -> float:
    """The value of a player's node: all that matters was tried."""
    if options.SKIP and chosen == NO_MOVE:  # every move leads to a chance that is not to be followed
        best = scale.turned(faults.within(w, ply, node.estimated(w, w.states[ply])), 0, mover)
    best = expectation.best_of(w, ply, best, alpha, beta)
    trace.leave(w, ply, best)
    return best


# --- leaves ---


def leaf(w: Any, ply: int, following: int, mover: int, view: int, low: float, high: float) -> float:
    """The value for `view` of a leaf that `mover` moved to, with what noisy moves come to beyond the horizon; asked in a window of `view`."""
    if options.REPEATS and following == node.REPEATED:  # whose fault it was may matter
        return node.leaf_for(w, ply, following, mover, view)
    if options.QUIESCENCE and following >= 0:
        return scale.turned(faults.within(w, ply, frame.leaf(w, ply, following, 0, *scale.seen(low, high, view))), 0, view)
    return scale.turned(faults.within(w, ply, node.leaf(w, ply, following, 0)), 0, view)
