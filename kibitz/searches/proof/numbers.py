"""Proof and disproof numbers, and the workspace and leaves of all proof-number searches.

The question is always the same: does player `w.player` get at least `w.threshold`, whatever the others do? Where he is to move is an OR node, everywhere
else an AND node. A node's proof number is the least number of leaves that must be settled to answer yes, the disproof number the same for no:

    leaf, settled    yes: (0, NEVER)    no: (NEVER, 0)
    leaf, not yet    what it costs: see `leaf_cost`
    OR node          proof: the least of its children's    disproof: their sum
    AND node         proof: their sum                      disproof: the least

Sums stop at MOST, so that a node is settled only where it is. Seen from the side to move both kinds of node are alike: its own number is the least of
its children's, the other number their sum. Kernels keep them so, as `own` and `other`; `turned` changes between the two.

With `options.BOUNDED` a line counts only if the game is over within `w.within` plies of the root. Without it `w.within` is the room on the stack; who
meets that, by `w.horizons`, has disproven nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import OVER
from kibitz.core.records.hashing import combine, hash_record
from kibitz.core.running.control import Control
from kibitz.tables.proof.leaves import settled_early

NEVER = (1 << 26) - 1  # so that both numbers fit one word of the table
MOST = NEVER - 1
DEEPEST = 512  # plies; the stack is as deep as a search may go, not as a game may last


def plies(constants: dict[str, Any]) -> int:
    return min(int(constants["MAX_PLIES"]), DEEPEST)


def fields(constants: dict[str, Any]) -> dict[str, Any]:
    """What every workspace holds."""
    deep = plies(constants)
    return {
        "control": Control,
        "player": np.int64,
        "threshold": np.float64,
        "within": np.int64,  # plies of the longest line that counts
        "salt": np.uint64,  # of this question, mixed into all keys: answers to different questions may lie in one table
        "horizons": np.int64,  # unfinished games at the end of the longest line
        "root_proof": np.int64,
        "root_disproof": np.int64,
        "used": np.int64,  # entries or nodes of the memory
        "states": (constants["State"], deep + 2),  # one more for what the key is taken of
        "lists": (constants["MOVE"], (deep + 1, constants["MAX_MOVES"])),
    }


# --- kernels ---


def whole(n: Any) -> int:
    """A number as 64 bits: a variable of a kernel has one type."""
    return np.int64(n)  # type: ignore[return-value]


def is_or(w: Any, s: Any) -> bool:
    """Is it for the player of the claim to move?"""
    return game.player(s) == w.player


def settled(w: Any, ply: int) -> int:
    """1 where the position at `ply` answers yes, 0 where it answers no, -1 where it is open."""
    s = w.states[ply]
    if game.player(s) == OVER:
        return 1 if game.utility(s, w.player) >= w.threshold else 0
    if options.ENDINGS or options.BOUNDS:
        early = settled_early(w, s, w.player, w.threshold, w.within - ply)
        if early >= 0:
            return early
    if ply >= w.within:
        w.horizons += 1
        return 0
    return -1


def leaf_cost(w: Any, ply: int, at_or: bool) -> tuple[int, int]:
    """Proof and disproof number of an open leaf: one each; or one and the number of moves; or what the game says.

    Of `at_or` nodes one move must be proven, and all of them disproven.
    """
    if options.BY_MOVES:
        n = game.moves(w.states[ply], w.lists[ply])
        return (1, n) if at_or else (n, 1)
    if options.BY_GAME:
        cost = min(max(whole(game.cost(w.states[ply])), 1), MOST)
        return cost, cost
    return 1, 1


def turned(proof: int, disproof: int, at_or: bool) -> tuple[int, int]:
    """A node's numbers as `own` and `other` of the side to move, and the reverse."""
    return (proof, disproof) if at_or else (disproof, proof)


def key_of(w: Any, ply: int) -> np.uint64:
    """Under which a table knows the position at `ply`: with the question, and with the plies left where they count.

    With `options.BANKED` the game's own key leaves out what the players have got already, which the answer depends on: every bit of the record counts then.
    """
    key = w.salt
    if options.SYMMETRY:
        spare = w.states.shape[0] - 1
        w.states[spare] = w.states[ply]
        game.canonical(w.states[spare])
        key ^= hash_record(w.states[spare]) if options.BANKED else game.key(w.states[spare])
    else:
        key ^= hash_record(w.states[ply]) if options.BANKED else game.key(w.states[ply])
    return combine(key, np.uint64(w.within - ply)) if options.BOUNDED else key
