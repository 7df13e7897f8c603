"""One search for all of them: expectiminimax and the Star family (Ballard 1983; Hsu's lecture on chance nodes), over trees with chance nodes.

Exact, to its depth, for two-player games of opposite interests with chance and without hidden information, and for one player against chance. Nothing
is assumed of the order of moves and chances: players need not alternate, chance may follow chance, the root may be a chance node.

    options.PRUNE     no: expectiminimax, every node is searched
    options.CUTS      a chance node is left when its bounds are outside the window (Star0.5); no: all its outcomes are searched (Star0)
    options.INSIDE    its outcomes are searched in windows of their own (Star1)
    options.PROBING   w.probes children of every outcome first, in rounds (w.cyclic) or outcome by outcome (Star2, Star2.5)

`value` returns v for player `view`; see kibitz/searches/node.py for what a value of the second player is here. Against the true value x of the same depth
(fail-soft):

    v <= alpha         x <= v
    alpha < v < beta   x == v      to rounding: sums of floats, in an order that the search decides
    v >= beta          x >= v

It is one function for both kinds of nodes because two that call each other cannot be compiled to be kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE, NO_MOVE
from kibitz.searches import node, ordering, quiescence, trace
from kibitz.searches.chance import approximate, expectation, faults, paths, probing
from kibitz.searches.chance.expectation import OPEN


def root(w: Any, table: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover, or for the first player where chance is to decide; the best line is w.line[0].

    Meaningless once a limit is met.
    """
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    mover: Any = np.int64(game.player(w.states[0]))
    paths.begin(w, mover)
    return value(w, table, np.int64(0), depth, alpha, beta, mover, max(np.int64(0), mover))  # type: ignore[arg-type]


def value(w: Any, table: Any, ply: int, depth: int, alpha: float, beta: float, mover: int, view: int) -> float:
    side = view if mover == CHANCE else mover  # everything in here is as this player sees it
    if side != view:
        alpha, beta = -beta, -alpha
    s, f = w.states[ply], w.forks[ply]
    w.line_end[ply] = ply
    given = probing.given(w, ply)
    trace.enter(w, ply, depth, alpha, beta, side)

    # 1. Known already, at least between two bounds; and what to try first. At the root a move is wanted.
    horizons, before, own = w.horizons, node.NEVER, True
    key = paths.identity(w, ply) if options.TABLE else np.uint64(0)
    f.least, f.most = expectation.known(w, table, key, ply, depth, side)
    first = w.entry.move if options.TABLE else NO_MOVE
    if options.PRUNE and (ply > 0 or mover == CHANCE):
        if f.least >= beta or f.most <= alpha or f.least >= f.most:
            v = f.most if f.most <= alpha else f.least
            trace.settle(w, ply, v, trace.KNOWN)
            return node.turned(v, side, view)
        alpha, beta = max(alpha, f.least), min(beta, f.most)
    elif options.PRUNE:
        f.least, f.most = node.seen(options.LOW, options.HIGH, side)  # what is known is no move that comes to it
    if options.REPEATS:
        before = node.enter_loop(w, ply)

    if mover == CHANCE:
        estimate = np.nan
        if options.GLANCE and depth > w.plies:
            least, most = f.least, f.most  # which the look at this node overwrites
            estimate = value(w, table, ply, w.plies, -np.inf, np.inf, mover, view)
            f.least, f.most = least, most

        # 2. Probe some children of every outcome, then search what is still open, until nothing can bring the mean back into the window.
        if not expectation.gather(w, table, ply, depth, view, first):
            return np.nan
        probes = probing.planned(w, ply, depth)
        cut, chosen = expectation.verdict(f, alpha, beta), NO_MOVE
        if options.PLAYOUTS and depth > 0:
            estimate = approximate.by_playouts(w, ply, view)
        cut = approximate.after_a_look(w, ply, depth, cut, estimate, alpha, beta)
        for turn in range(probes + f.count):
            if w.control.nodes >= w.control.limit:
                return np.nan
            if cut != OPEN:
                break
            i, probe = probing.planned_at(w, ply, turn, probes)
            o = w.outcomes[ply, i]
            if o.low < o.high and (not probe or probing.choose(w, ply, i)):
                chosen = o.move
                low, high = expectation.asked(f, o, alpha, beta)
                cut = expectation.closed(o, low, high)
                if cut != OPEN:
                    break
                at, left = ply + 1, depth
                if probe:
                    trace.enter(w, ply + 1, depth, low, high, view)
                    at, left = ply + 2, depth - 1
                    probing.begin(w, ply, i)
                following = probing.reach(w, ply, i, probe)
                if paths.ends(w, at, left, following):
                    v = leaf(w, at, following, o.mover if probe else np.int64(CHANCE), view, low, high)  # type: ignore[arg-type]
                else:
                    v = value(w, table, at, left, low, high, following, view)
                if w.control.nodes >= w.control.limit:
                    return v
                if probe:
                    trace.settle(w, ply + 1, v, trace.PROBED)
                    probing.learn(w, ply, i, v, low, high, view)
                else:
                    cut = expectation.settle(f, o, v, low, high)
                trace.bounds(w, ply, expectation.mean(f, f.low), expectation.mean(f, f.high), view)
                if cut == OPEN:
                    cut = expectation.verdict(f, alpha, beta)
                cut = approximate.after_some(w, ply, cut, alpha, beta)
        best = expectation.answer(w, ply, cut, alpha, beta)
        approximate.after_all(w, depth, cut, estimate, best)
        if cut == OPEN:
            chosen = NO_MOVE
        trace.settle(w, ply, best, trace.SEARCHED if cut == OPEN else trace.CUT)
    else:
        # 3. Every move, until one is good enough.
        best, chosen = -np.inf, NO_MOVE
        n = game.moves(s, w.lists[ply])
        ordering.sort(w, s, ply, n, mover, first)
        paths.chances_last(w, ply, n, first)
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
                if v > alpha:  # at most alpha it is a bound, and alpha may be what is known of the node: then no line is
                    node.extend_line(w, ply, move)
                if options.PRUNE and v >= min(beta, f.most):
                    ordering.cut(w, ply, mover, move, depth)
                    break
        if options.SKIP and chosen == NO_MOVE:  # every move leads to a chance that is not to be followed
            best = node.turned(faults.within(w, ply, node.estimated(w, s)), 0, mover)
        best = expectation.best_of(w, ply, best, alpha, beta)
        trace.leave(w, ply, best)

    # 4. Remember.
    if options.REPEATS:
        own = node.leave_loop(w, ply, before)
    if options.TABLE and own:
        expectation.remember(w, table, key, ply, depth, w.horizons == horizons, side, chosen)
    return node.turned(best, side, view)


def leaf(w: Any, ply: int, following: int, mover: int, view: int, alpha: float, beta: float) -> float:
    """The value for `view` of a leaf that `mover` moved to, asked in a window of `view`."""
    low, high = node.seen(alpha, beta, view)
    if options.REPEATS and following == node.REPEATED:  # whose fault it was may matter
        return node.leaf_for(w, ply, following, mover, view)
    v = quiescence.leaf(w, ply, following, 0, low, high)
    return node.turned(faults.within(w, ply, v), 0, view)
