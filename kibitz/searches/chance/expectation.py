"""A chance node while it is searched: its outcomes, their weights, and a lower and an upper bound of each.

The value of a chance node is the mean of its outcomes' values. As long as some of these are unknown each lies between two bounds, [low, high], at
first the edges of the game's values; the mean then lies in [m, M], between the means of the bounds:

    m = sum(weight * low) / total                           M = sum(weight * high) / total

and an outcome need only be searched in the window (A, B): worth A or less it brings M down to alpha, worth B or more it brings m up to beta,

    A = (alpha * total - (total * M - weight * high)) / weight      B = (beta * total - (total * m - weight * low)) / weight

These are the recurrences of Star0.5, Star1 and Star2 written as sums, whatever the order in which outcomes become known and however their bounds
were found: by a search, by probes, from the table, from `best_case`.

Values are those of one player, `view`: the first player's as they are, the second's the negative of the first's (see kibitz/searches/window/node.py).

Three arithmetics, chosen when a search is bound: `options.EQUAL` (no weights: every outcome counts once), whole weights, and `options.SHARES` (any
weights: probabilities that add up to 1, so that nothing is divided by a total). Where outcomes are drawn (`sampling`) the weights are how often each was. In
the workspace, for every ply:

    w.forks[ply]               the node: how many outcomes, the two sums, what was known of it before
    w.outcomes[ply, i]         its outcomes, those with equal keys merged, the heaviest first
    w.tried[ply, i, k]         the children of outcome i that were probed, as its mover sees them
    w.given[ply]               1 + the outcome of the chance node at ply - 1 that the node here is, if what was probed there answers for some of its
                               moves; else 0
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import NO_MOVE, OVER
from kibitz.core.records.random import below
from kibitz.core.records.record import record
from kibitz.searches import trace
from kibitz.searches.chance import faults, paths, sampling
from kibitz.searches.scale import seen, turned
from kibitz.searches.window import node
from kibitz.tables.endgame import lookup
from kibitz.tables.transposition import packed

LOWER, OPEN, HIGHER = -1, 0, 1  # the mean is at most alpha; neither; it is at least beta
UNSEEN = -9  # in place of an outcome's mover: nobody has looked

Fork = record(
    count=np.int64,
    total=np.float64,  # of the weights
    low=np.float64,  # sum of weight * low
    high=np.float64,
    least=np.float64,  # what is known of the node itself
    most=np.float64,
)
Outcome = record(
    move=np.int64,
    weight=np.float64,
    low=np.float64,
    high=np.float64,
    mover=np.int64,  # whose turn it is then, as player() says; or UNSEEN
    key=np.uint64,
    first=np.int64,  # the table's move there
    moves=np.int64,  # how many there are, once it was probed
    tried=np.int64,  # how many of them were
    chosen=np.int64,  # the one being probed
)
Tried = record(
    move=np.int64,
    low=np.float64,
    high=np.float64,
    horizons=np.int64,  # what its search met, and what its value depends on: it belongs to whoever uses the value
    doubts=np.int64,
    loop=np.int64,
)


def fields(constants: dict[str, Any], probes: int) -> dict[str, Any]:
    """What the workspace holds for chance nodes, with room for the probes of an outcome."""
    deep, widest = node.plies(constants) + 1, constants["MAX_OUTCOMES"]
    return {
        "forks": (Fork, deep),
        "outcomes": (Outcome, (deep, widest)),
        "spare": Outcome,
        "tried": (Tried, (deep, widest, max(1, probes))),
        "given": (np.int64, deep + 1),
        "drawn": (constants["MOVE"], widest + faults.GUARD),
        "weights": (np.float64, widest + faults.GUARD),
        "probes": np.int64,
        "cyclic": np.bool_,
    }


# --- outcomes ---


def gather(w: Any, table: Any, ply: int, depth: int, view: int, first: int) -> bool:
    """List the outcomes of the chance node at `ply` with what is known of each; `first` is the one that cut last time, or NO_MOVE.

    False, and a fault, where the rules are broken.
    """
    f = w.forks[ply]
    drawn = game.outcomes(w.states[ply], w.drawn, w.weights)
    if not faults.sound(w, ply, drawn):
        return False
    if options.SAMPLED:
        sampling.draw(w, ply, drawn)
    f.count, f.total = 0, 0.0
    for k in range(drawn):
        weight = 1.0 if options.ONCE else w.weights[k]
        if options.SAMPLED and weight == 0.0:
            continue
        f.total += weight
        add(w, table, ply, depth, view, w.drawn[k], weight)
    f.low, f.high = 0.0, 0.0
    for i in range(f.count):
        o = w.outcomes[ply, i]
        if options.SHARES:
            o.weight /= f.total
        f.low += weighted(o, o.low)
        f.high += weighted(o, o.high)
    if options.SHARES:
        f.total = 1.0
    arrange(w, ply, first)
    return True


def add(w: Any, table: Any, ply: int, depth: int, view: int, move: int, weight: float) -> None:
    """One more outcome, or more weight for one with the same key."""
    f = w.forks[ply]
    o = w.outcomes[ply, f.count]
    o.move, o.weight = move, weight
    o.low, o.high = seen(options.LOW, options.HIGH, view)
    o.mover, o.first, o.tried, o.moves = UNSEEN, NO_MOVE, 0, 0
    if options.LOOK and depth > 0:
        w.states[ply + 1] = w.states[ply]
        game.play(w.states[ply + 1], move)
        o.mover = game.player(w.states[ply + 1])
        if options.MERGE or options.TABLE:
            o.key = game.key(w.states[ply + 1])
        if options.MERGE:
            for i in range(f.count):
                if w.outcomes[ply, i].key == o.key:
                    w.outcomes[ply, i].weight += weight
                    return
        if options.REPEATS:
            w.since[ply + 1] = 0  # nobody has looked whether the path matters
        look(w, table, ply, depth, view, f.count)
    f.count += 1


def look(w: Any, table: Any, ply: int, depth: int, view: int, i: int) -> None:
    """Bounds of the outcome that stands at ply + 1 before anything is searched: of a finished game, from the rules, from the table."""
    o = w.outcomes[ply, i]
    if o.mover == OVER:
        w.control.nodes += 1 if w.control.nodes < w.control.limit else 0
        trace.step(w, ply, o.move)
        o.low = turned(faults.within(w, ply + 1, node.leaf(w, ply + 1, OVER, 0)), 0, view)
        o.high = o.low
        return
    if options.BEST_CASE or options.TABLE or options.ENDINGS:
        o.low, o.high = known(w, table, paths.after_chance(w, ply, o.key, o.mover), ply + 1, depth, view)
        o.first = w.entry.move if options.TABLE else NO_MOVE


def arrange(w: Any, ply: int, first: int) -> None:
    """The outcome that cut last time first, then the heavier ones: they move the bounds most. Equals as they come, or, for a sample, at random."""
    if options.SOME:
        for i in range(w.forks[ply].count - 1, 0, -1):
            swap(w, ply, i, below(w.rng, i + 1))
    if options.TABLE or not options.EQUAL:
        for i in range(1, w.forks[ply].count):
            w.spare = w.outcomes[ply, i]
            j = i
            while j > 0 and goes_before(w.spare, w.outcomes[ply, j - 1], first):
                w.outcomes[ply, j] = w.outcomes[ply, j - 1]
                j -= 1
            w.outcomes[ply, j] = w.spare


def swap(w: Any, ply: int, i: int, j: int) -> None:
    w.spare = w.outcomes[ply, i]
    w.outcomes[ply, i] = w.outcomes[ply, j]
    w.outcomes[ply, j] = w.spare


def goes_before(a: Any, b: Any, first: int) -> bool:
    return packed(b.move) != first and (packed(a.move) == first or a.weight > b.weight)


# --- bounds ---


def weighted(o: Any, x: float) -> float:
    return x if options.EQUAL else o.weight * x


def mean(f: Any, total: float) -> float:
    """A sum over the outcomes, as a mean."""
    return total if options.SHARES else total / f.total


def window(f: Any, o: Any, alpha: float, beta: float) -> tuple[float, float]:
    """(A, B) of an outcome: at A or less the mean is at most alpha, at B or more at least beta, whatever the others are."""
    below = f.total * alpha - (f.high - weighted(o, o.high))
    above = f.total * beta - (f.low - weighted(o, o.low))
    return (below, above) if options.EQUAL else (below / o.weight, above / o.weight)


def asked(f: Any, o: Any, alpha: float, beta: float) -> tuple[float, float]:
    """The window in which to search an outcome, within what is known of it: all of that, unless windows are passed on (Star1)."""
    if not options.PRUNE:
        return -np.inf, np.inf
    if not options.INSIDE:
        return o.low, o.high
    low, high = window(f, o, alpha, beta)
    low, high = max(low, o.low), min(high, o.high)
    if high <= low < o.high and high > o.low:  # rounded to nothing
        high = np.nextafter(low, np.inf)
    return low, high


def narrow(f: Any, o: Any, low: float, high: float) -> None:
    """The outcome is worth at least `low` and at most `high`; what was known is not given up."""
    before, above = o.low, o.high
    o.low = min(max(low, o.low), o.high)
    o.high = max(min(high, o.high), o.low)
    f.low += weighted(o, o.low - before)
    f.high += weighted(o, o.high - above)


def closed(o: Any, low: float, high: float) -> int:
    """Does what is known of the outcome already lie outside the window in which it would be searched?"""
    if not options.CUTS:
        return OPEN
    return LOWER if low >= o.high else HIGHER if high <= o.low else OPEN


def settle(f: Any, o: Any, v: float, low: float, high: float) -> int:
    """The outcome was searched in the window (low, high) and v came back. If it is still open then, it has answered for the whole node."""
    if not options.PRUNE:
        o.low = v
        o.high = v
        return OPEN
    narrow(f, o, v if v > low else o.low, v if v < high else o.high)
    if o.low == o.high:
        return OPEN
    return LOWER if v <= low else HIGHER


def verdict(f: Any, alpha: float, beta: float) -> int:
    """Does the mean lie outside the window already?"""
    if not options.CUTS:
        return OPEN
    if f.high <= alpha * f.total:
        return LOWER
    return HIGHER if f.low >= beta * f.total else OPEN


def best_of(w: Any, ply: int, best: float, alpha: float, beta: float) -> float:
    """The value of a node where a player chooses, or a bound of it: what its moves came to in the window, within what was known."""
    f = w.forks[ply]
    if not options.PRUNE:
        return best
    best = min(max(best, f.least), f.most)
    if best > alpha:
        f.least = best
    if best < beta:
        f.most = best
    return best


def answer(w: Any, ply: int, cut: int, alpha: float, beta: float) -> float:
    """The value of the node: the mean, where every outcome is known, else a bound outside the window. `least` and `most` bound it, too.

    The clamps keep a bound a bound where sums are rounded.
    """
    f = w.forks[ply]
    if cut == OPEN:
        total = 0.0
        for i in range(f.count):
            total += weighted(w.outcomes[ply, i], w.outcomes[ply, i].low)
        f.least = mean(f, total)
        f.most = f.least
        return f.least
    low, high = mean(f, f.low), mean(f, f.high)
    if cut == LOWER:
        f.most = max(f.least, min(high, alpha))
        f.least = min(max(f.least, low), f.most)
        return f.most
    f.least = min(f.most, max(low, beta))
    f.most = max(min(f.most, high), f.least)
    return f.least


# --- before anything is searched; the table keeps bounds as the first player sees them ---


def known(w: Any, table: Any, key: np.uint64, ply: int, depth: int, view: int) -> tuple[float, float]:
    """Bounds of the node at `ply`, from the rules and from the table. `w.entry.move` is the table's move or, where chance decides, outcome."""
    low, high = options.LOW, options.HIGH
    if options.ENDINGS:
        sure = lookup.equity(w.endings, w.states[ply])
        if not np.isnan(sure):
            if options.TABLE:
                w.entry.move = NO_MOVE
            sure = min(max(sure, low), high)
            return seen(sure, sure, view)
    if options.BEST_CASE:
        s = w.states[ply]
        high = min(high, game.best_case(s, 0))
        low = min(max(low, options.SUM - game.best_case(s, 1)), high)
    if options.TABLE:
        if depth == 0:
            w.entry.move = NO_MOVE
        elif node.recall(w, table, key, ply, depth, 0):
            e = w.entry
            if e.lower > low or e.upper < high:
                node.trust(w, ply)
            low = min(max(low, e.lower), high)
            high = max(min(high, e.upper), low)
    return seen(low, high, view)


def remember(w: Any, table: Any, key: np.uint64, ply: int, depth: int, final: bool, view: int, move: int) -> None:
    """Store what is known of the node at `ply` now, as `view` sees it, with its best move or the outcome that cut."""
    if depth > 0:
        node.store(w, table, key, ply, depth, final, w.forks[ply].least, w.forks[ply].most, move, view)
