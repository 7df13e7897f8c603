"""Ties: which move a player makes if his best moves are equal for him, but not for the others.

What max^n finds depends on it, so it is a choice, the option `ties`. Each rule takes the moves that bring the mover most, and prefers of them

    first      the one that the rules list first, whatever order they are searched in
    soon       for more than an even share the shorter line, for less the longer one
    against    the one that brings whoever moves at the root the least: others are never kind to whom the search is for
    leader     the one that brings the greatest of the others' values the least: together against whoever is ahead
    spiteful   the one that brings all others together the least (the same for all where utilities add up to one number)
    kind       the one that brings them the most
    random     one drawn by the seed, always the same in a position

and of those that are still equal the one that the rules list first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.records.hashing import combine

RULES = ("first", "soon", "against", "leader", "spiteful", "kind", "random")
FIRST, SOON, AGAINST, LEADER, SPITEFUL, KIND, RANDOM = range(len(RULES))

# --- kernels ---


def prefers(w: Any, ply: int, mover: int, lot: np.uint64, move: int, best: int) -> bool:
    """Is the move that came to w.vectors[ply + 1] better for the mover than the best so far, which came to w.vectors[ply] with the mover's own ply not counted yet?"""
    found, kept = w.vectors[ply + 1], w.vectors[ply]
    if found[mover] != kept[mover]:
        return found[mover] > kept[mover]
    for p in range(game.PLAYERS):
        if found[p] != kept[p]:
            w.ties += 1
            break
    gain = advantage(w, found, kept, mover)
    if gain != 0.0:
        return gain > 0.0
    return bool(standing(w, ply, lot, move) < standing(w, ply, lot, best))


def advantage(w: Any, found: Any, kept: Any, mover: int) -> float:
    """How much better what was found is than what is kept, to a mover to whom both are worth the same; 0 where the rule sees no difference.

    A line to what was found is a ply longer than told: the move that leads to it.
    """
    if options.TIES == SOON:
        shorter = kept[game.PLAYERS] - (found[game.PLAYERS] + 1.0)
        return shorter if found[mover] > options.EVEN else -shorter if found[mover] < options.EVEN else 0.0
    if options.TIES == AGAINST:
        return kept[w.hero] - found[w.hero]
    if options.TIES == LEADER:
        return greatest(kept, mover) - greatest(found, mover)
    if options.TIES == SPITEFUL:
        return together(kept, mover) - together(found, mover)
    if options.TIES == KIND:
        return together(found, mover) - together(kept, mover)
    return 0.0


def greatest(values: Any, mover: int) -> float:
    """The greatest of the others' values; without others all are equal."""
    most = -np.inf if game.PLAYERS > 1 else 0.0
    for p in range(game.PLAYERS):
        if p != mover:
            most = max(most, values[p])
    return most


def together(values: Any, mover: int) -> float:
    """All others' values."""
    total = 0.0
    for p in range(game.PLAYERS):
        if p != mover:
            total += values[p]
    return total


def standing(w: Any, ply: int, lot: np.uint64, move: int) -> np.uint64:
    """The less, the sooner preferred: the move's place among those that the rules list, or its lot."""
    if options.TIES == RANDOM:
        return combine(combine(lot, np.uint64(w.seed)), np.uint64(move))
    place = 0
    while place < w.many[ply] and w.given[ply, place] != move:
        place += 1
    return np.uint64(place)


def may_win_ties(w: Any, ply: int, lot: np.uint64, move: int, best: int) -> bool:
    """Could this move, not searched yet, be preferred to the best so far if it is worth no more to the mover?"""
    if options.TIES == FIRST or options.TIES == RANDOM:
        return bool(standing(w, ply, lot, move) < standing(w, ply, lot, best))
    return True
