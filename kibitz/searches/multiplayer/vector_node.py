"""A node of max^n: leaves, the table, and pruning.

`w.vectors[ply]` holds the value of the node at `ply` for each player, followed by the number of plies of the line to it. Values are plain utilities: no signs change.

**Pruning** (Luckhardt and Irani 1986, Korf 1991). Where utilities have a least value LOW, and those of all players add up to SUM, a player who gets v leaves the others
no more than SUM - v - (n - 2) LOW each (`most_left`). Then

    immediate   nobody can have more than SUM - (n - 1) LOW, or than the greatest utility: who has found that need not look further
    shallow     where the mover has found v, and whoever moved here has a move already that brings him as much as v leaves him, he will not come here

and both keep every value as it is. Comparing with a player farther up the path, as alpha-beta does (deep pruning), does not: with more than two players what is cut
there may still decide between the moves of somebody in between. A value that is exactly as good as what whoever moved here has already cuts only if it would lose the
tie: see `ties`. Under chance nodes nothing is handed down to prune by.

All that holds for evaluations too, if they keep to it. Every leaf is looked at, and where one does not (`w.loose`) nothing is pruned from there on; the depth is then
searched again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE, LOSS, NO_MOVE, OVER
from kibitz.core.records.hashing import combine, word
from kibitz.searches import trace
from kibitz.searches.multiplayer import ties
from kibitz.searches.window import node, ordering
from kibitz.tables import vectors
from kibitz.tables.transposition import SOLVED, packed

NOBODY = -1  # in place of whoever moved here, where nothing is to be pruned by that
BEFORE_VALUES = 3  # words of an entry
OPEN, FOUND, DROPPED = 0, 1, 2  # what the table says: nothing, the values, that nobody comes here

# --- leaves ---


def ends(w: Any, ply: int, depth: int, following: int) -> bool:  # noqa: ARG001
    """Is the node at `ply` a leaf? Chance at the horizon is resolved first."""
    if following == CHANCE:
        return bool(ply >= options.DEEP)
    return following < 0 or depth <= 0 or ply >= options.DEEP


def leaf(w: Any, ply: int, following: int, mover: int) -> None:
    """The values of a finished game, or of the position at the horizon, to which `mover` moved."""
    found = w.vectors[ply]
    w.line_end[ply] = ply
    w.leaves += 1
    if following == OVER:
        for p in range(game.PLAYERS):
            found[p] = game.utility(w.states[ply], p)
    elif options.REPEATS and following == node.REPEATED:
        w.loop = min(w.loop, node.first_of_repetition(w, ply))
        for p in range(game.PLAYERS):
            found[p] = options.DRAWN
            if game.REPETITION == LOSS and mover >= 0:
                found[p] = options.LOW if p == mover else options.HIGH
                if game.PLAYERS == 2 and options.SUMMED:
                    found[p] = options.FIRST_LOW if mover == 0 else options.FIRST_HIGH
                    if p == 1:
                        found[p] = options.TOTAL - found[p]
    else:
        w.horizons += 1
        for p in range(game.PLAYERS):
            found[p] = game.evaluate(w.states[ply], p)
    found[game.PLAYERS] = 0.0
    if options.PRUNE and w.loose == 0:
        keep_to_bounds(w, found)
    side: Any = max(np.int64(0), mover)
    trace.leaf(w, ply, found[side], following, side)
    trace.tell(w, ply, found)


def keep_to_bounds(w: Any, found: Any) -> None:
    """Do these values keep to what pruning takes for granted?"""
    for p in range(game.PLAYERS):
        if found[p] < options.LOW or found[p] > options.HIGH:
            w.loose = 1
        if options.SUMMED:
            for q in range(game.PLAYERS):
                if p != q and found[p] > most_left(found[q]) - 0.5 * options.SLACK:
                    w.loose = 1


def most_left(value: float) -> float:
    """What somebody else can have at most where a player has so much; computed alike everywhere, so that rounding cannot reverse it."""
    return (options.TOTAL - value) - options.REST + options.SLACK


# --- chance ---


def clear(w: Any, ply: int) -> None:
    """Before the first outcome."""
    for p in range(game.PLAYERS + 1):
        w.vectors[ply, p] = 0.0


def add(w: Any, ply: int, weight: float) -> None:
    """An outcome of this weight came to w.vectors[ply + 1]."""
    for p in range(game.PLAYERS + 1):
        w.vectors[ply, p] += weight * w.vectors[ply + 1, p]


def divide(w: Any, ply: int, total: float) -> None:
    """All outcomes are added; their weights come to `total`."""
    for p in range(game.PLAYERS + 1):
        w.vectors[ply, p] /= total
    w.vectors[ply, game.PLAYERS] += 1.0


# --- moves ---


def list_moves(w: Any, ply: int, mover: int, first: int) -> int:
    """The moves of the node, in the order in which they are searched, and in `w.given` as the rules list them; how many."""
    n = game.moves(w.states[ply], w.lists[ply])
    if options.ROOTED and ply == 0 and w.rooted > 0:
        n = w.rooted
        for i in range(n):
            w.lists[ply, i] = w.roots[i]
    for i in range(n):
        w.given[ply, i] = w.lists[ply, i]
    w.many[ply] = n
    ordering.sort(w, w.states[ply], ply, n, mover, first)
    return n


def take(w: Any, ply: int, move: int) -> None:
    """The move is the best so far."""
    copy(w, ply, w.vectors[ply + 1])
    w.vectors[ply, game.PLAYERS] += 1.0
    node.extend_line(w, ply, move)


def copy(w: Any, ply: int, values: Any) -> None:
    for p in range(game.PLAYERS + 1):
        w.vectors[ply, p] = values[p]


def is_best_there_is(w: Any, ply: int, mover: int, lot: np.uint64, at: int, n: int, best: int) -> bool:
    """Immediate pruning: can none of the moves after place `at` be preferred to the best so far?"""
    if not options.PRUNE or w.loose != 0:
        return False
    own = w.vectors[ply, mover]
    quickest = options.TIES != ties.SOON or w.vectors[ply, game.PLAYERS] <= 1.0
    if not quickest:
        return False
    if own >= options.FORCED and options.TIES != ties.SOON:
        return True  # everybody else has the least there is: all such values are the same
    if own < options.HIGH or (options.TIES != ties.FIRST and options.TIES != ties.RANDOM and options.TIES != ties.SOON):
        return False
    mine = ties.standing(w, ply, lot, best)
    for i in range(at + 1, n):
        if ties.standing(w, ply, lot, w.lists[ply, i]) < mine:
            return False
    if at + 1 < n:
        w.ties += 1  # there might have been one
    return True


def is_out_of_reach(w: Any, own: float, mover: int, above: int, floor: float, even: int) -> bool:
    """Shallow pruning: will `above`, who moved here and has a move worth `floor` to him, not come here, where the mover gets at least `own`?

    `even`, 1 or 0: would a move worth as much as that one not be preferred?
    """
    if not options.PRUNE or not options.SUMMED or above < 0 or above == mover or w.loose != 0:
        return False
    most = most_left(own)
    if most == floor and even == 1:
        w.ties += 1  # there might have been one
    return most < floor or (even == 1 and most <= floor)


# --- the table ---


def identity(w: Any, ply: int) -> np.uint64:
    """The key of the node at `ply`. What is banked counts here: whoever is ahead is so by what he has, too."""
    key = game.key(w.states[ply])
    if options.BANKED:
        for p in range(game.PLAYERS):
            w.entry.values[0] = game.banked(w.states[ply], p)
            key = combine(key, word(w.entry, BEFORE_VALUES))
    return key


def recall(w: Any, table: Any, key: np.uint64, ply: int, depth: int, mover: int, above: int, floor: float, even: int) -> int:
    """What the table knows of the node: see OPEN, FOUND, DROPPED. At the root a move is wanted."""
    if not vectors.probe(w, table, key):
        w.entry.move = NO_MOVE
        return OPEN
    e = w.entry
    if ply == 0 or (e.depth != depth and (options.STRICT or e.depth != SOLVED)):
        return OPEN
    answer = DROPPED
    if e.part == 0:
        copy(w, ply, e.values)
        answer = FOUND
    elif mover < 0 or not is_out_of_reach(w, e.values[mover], mover, above, floor, even):
        return OPEN
    node.trust(w, ply)
    trace.settle(w, ply, e.values[max(np.int64(0), mover)], trace.KNOWN)
    trace.tell(w, ply, e.values)
    if answer == DROPPED:
        trace.is_part(w, ply)
    return answer


def remember(w: Any, table: Any, key: np.uint64, ply: int, depth: int, final: bool, part: bool, move: int) -> None:
    """Keep what was found."""
    doubtful = options.REPEATS and w.doubts != w.doubted[ply]
    vectors.store(w, table, key, SOLVED if final and not options.STRICT else depth, w.vectors[ply], part, packed(move), doubtful)
