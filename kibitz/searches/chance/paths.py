"""How far chance is followed: the horizon of a search with chance nodes, and the limits on chance that Chinese dark chess made customary.

Depth counts moves of the players: a chance node does not spend it, and is resolved even at the horizon, so that evaluations are taken of positions
in which somebody chooses. Unless a limit says that chance is not to be followed there; then the chance position itself is evaluated:

    w.last         with fewer plies than this left
    w.most         where this number of chance nodes lie on the path already; 0: any number
    w.apart        fewer moves than this were made since the last one

or, with `options.SKIP`, the move that leads to it is left out, as long as the mover has another one and it is not the root. The last two depend on
the path, so they are part of the keys under which the table keeps positions. `options.LIMITED`: there is any of these limits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE
from kibitz.core.records.hashing import combine
from kibitz.searches.window import node
from kibitz.tables.transposition import packed

LONG_AGO = 1 << 20  # moves since a chance node that never was


def fields(constants: dict[str, Any]) -> dict[str, Any]:
    """What the workspace holds for it."""
    deep = node.plies(constants) + 2
    return {"last": np.int64, "most": np.int64, "apart": np.int64, "chances": (np.int64, deep), "calm": (np.int64, deep)}


def begin(w: Any, mover: int) -> None:
    """The root is no one's child."""
    if options.LIMITED:
        w.chances[0] = 1 if mover == CHANCE else 0
        w.calm[0] = LONG_AGO


def step(w: Any, ply: int, move: int, chance: bool) -> int:
    """Make a move, or an outcome of chance, of the state at `ply` in the state above it; whose turn it is there."""
    following = np.int64(node.step(w, ply, move))
    if options.LIMITED:
        w.chances[ply + 1] = w.chances[ply] + (1 if following == CHANCE else 0)
        w.calm[ply + 1] = 0 if chance else w.calm[ply] + 1
    return following  # type: ignore[return-value]


def ends(w: Any, ply: int, depth: int, following: int) -> bool:
    """Is the node at `ply`, with so much depth left, a leaf?"""
    if ply >= options.DEEP:
        return True
    if following == CHANCE:
        return barred(w, ply, depth)
    return following < 0 or depth == 0


def barred(w: Any, ply: int, depth: int) -> bool:
    """Do the limits keep the search from following the chance node at `ply`?"""
    if options.LIMITED:
        return depth < w.last or (w.most > 0 and w.chances[ply] > w.most) or w.calm[ply] < w.apart
    return False


def skipped(w: Any, ply: int, depth: int, following: int) -> bool:
    """Is the move that leads to the node at `ply` left out? Then the value of the one before it is no final one."""
    if following == CHANCE and ends(w, ply, depth, following):
        w.horizons += 1
        return True
    return False


def identity(w: Any, ply: int) -> np.uint64:
    """The key of the node at `ply`: of the position, and of what the limits make of the path."""
    return marked(w, game.key(w.states[ply]), w.chances[ply], w.calm[ply]) if options.LIMITED else game.key(w.states[ply])


def after_chance(w: Any, ply: int, key: np.uint64, mover: int) -> np.uint64:
    """`identity` of an outcome of the chance node at `ply`, of which key and mover are known."""
    return marked(w, key, w.chances[ply] + (1 if mover == CHANCE else 0), 0) if options.LIMITED else key


def marked(w: Any, key: np.uint64, chances: int, calm: int) -> np.uint64:
    return combine(key, np.uint64(min(chances, w.most + 1) * (w.apart + 1) + min(calm, w.apart)))


def chances_last(w: Any, ply: int, n: int, first: int) -> None:
    """Put the moves that lead to chance behind the others, but for the table's; else the order stays as it is."""
    if options.CHANCE_LAST:
        kept, moves = 0, w.lists[ply]
        for i in range(n):
            move = moves[i]
            if packed(move) == first or not leads_to_chance(w, ply, move):
                for j in range(i, kept, -1):
                    moves[j] = moves[j - 1]
                moves[kept] = move
                kept += 1


def leads_to_chance(w: Any, ply: int, move: int) -> bool:
    w.states[ply + 1] = w.states[ply]
    game.play(w.states[ply + 1], move)
    return game.player(w.states[ply + 1]) == CHANCE
