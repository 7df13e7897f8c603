"""Move ordering: the table's move, then the game's own order, killers some steps before their equals, history between equals.

The sort is stable: moves without any information keep the order in which the rules list them.

Killers are the last two moves that cut at the same ply, noisy ones left out: the game's own order knows those. History counts, for a player and a move, how much depth its cuts saved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records.hashing import mix
from kibitz.tables.transposition import packed

HISTORY = 4096  # moves share places; what is lost is only an order
KILLER = 3.0  # steps of the game's order
EARNED = 1e4  # history that is worth half a step of the game's order


def fields(constants: dict[str, Any], plies: int) -> dict[str, Any]:
    """What a search's workspace holds for ordering."""
    return {"scores": (np.float64, constants["MAX_MOVES"]), "killers": (np.int64, (plies + 1, 2)), "history": (np.float64, HISTORY)}


def reset(w: Any) -> None:
    """Forget killers and history."""
    w.killers[:] = NO_MOVE
    w.history[:] = 0.0


def sort(w: Any, s: Any, ply: int, n: int, mover: int, first: int) -> None:
    """Put the ply's moves in order; `first` is the table's move, as the table keeps it, or NO_MOVE."""
    if options.TABLE or options.ORDER or options.KILLERS or options.HISTORY:
        moves, scores = w.lists[ply], w.scores
        for i in range(n):
            move = moves[i]
            score = worth(w, s, ply, mover, move, first)
            j = i
            while j > 0 and scores[j - 1] < score:
                scores[j], moves[j] = scores[j - 1], moves[j - 1]
                j -= 1
            scores[j], moves[j] = score, move


def worth(w: Any, s: Any, ply: int, mover: int, move: int, first: int) -> float:
    if options.TABLE and packed(move) == first:
        return np.inf
    score = 0.0
    if options.ORDER:
        score += game.order(s, move)
    if options.KILLERS:
        if move == w.killers[ply, 0]:
            score += KILLER
        elif move == w.killers[ply, 1]:
            score += KILLER - 1.0
    if options.HISTORY:
        earned = w.history[place(mover, move)]
        score += earned / (earned + EARNED)
    return score


def cut(w: Any, ply: int, mover: int, move: int, depth: int) -> None:
    """A move was good enough to stop: remember it."""
    if options.KILLERS and w.killers[ply, 0] != move and not game.noisy(w.states[ply], move):
        w.killers[ply, 1] = w.killers[ply, 0]
        w.killers[ply, 0] = move
    if options.HISTORY:
        w.history[place(mover, move)] += np.float64(depth) * depth


def place(mover: int, move: int) -> int:
    return np.int64(mix(np.uint64(move) * np.uint64(64) + np.uint64(mover)) % np.uint64(HISTORY))  # type: ignore[return-value]
