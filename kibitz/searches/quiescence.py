"""Quiescence search: at the horizon, play out what would make the evaluation lie.

An evaluation taken in the middle of an exchange counts a piece that is gone with the next move. With `options.QUIESCENCE` plies to spare, a leaf
is worth the best of

    its evaluation           the mover may also leave things as they are; not where the game says the position is `restless`
    every `noisy` move       searched in the same way, one ply less to spare; where the position is `restless`, every move

so that evaluations are taken of quiet positions. What a leaf is worth depends on nothing but the position: searches that use this remain exact
to their depth, and agree. The function below calls itself, and nothing that calls it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.searches import node, ordering, trace

OPTION = Parameter("quiescence", 0, 0, 64, None, "plies to play out noisy moves beyond the horizon; 0: evaluate at once")

# --- kernels ---


def leaf(w: Any, ply: int, following: int, mover: int, alpha: float, beta: float) -> float:
    """The value for `mover` of a finished game or of a position at the horizon, asked in a window of the mover's; fail-soft."""
    if not options.QUIESCENCE or following < 0:
        return node.leaf(w, ply, following, mover)
    spare = min(options.QUIESCENCE, min(game.MAX_PLIES, node.DEEPEST) - ply)
    if following == mover:
        return value(w, ply, spare, alpha, beta, following)
    return -value(w, ply, spare, -beta, -alpha, following)


def value(w: Any, ply: int, spare: int, alpha: float, beta: float, mover: int) -> float:
    """The value of the position at `ply`, which is not over, for its mover, with `spare` plies to go on."""
    s = w.states[ply]
    w.line_end[ply] = ply
    w.farthest = max(w.farthest, ply)
    trace.enter(w, ply, 0, alpha, beta, mover)
    restless = spare > 0 and game.restless(s)
    best = -np.inf if restless else node.turned(node.estimated(w, s), 0, mover)
    w.leaves += 1 if not restless else 0
    if best >= beta or spare == 0:
        trace.settle(w, ply, best, trace.EVALUATED)
        return best
    n = game.moves(s, w.lists[ply])
    if not restless:
        n = only_noisy(w, s, ply, n)
    ordering.sort(w, s, ply, n, mover, NO_MOVE)
    for i in range(n):
        following = node.step(w, ply, w.lists[ply, i])
        floor = max(alpha, best)
        if following < 0:
            v = node.leaf(w, ply + 1, following, mover)
        elif following == mover:
            v = value(w, ply + 1, spare - 1, floor, beta, following)
        else:
            v = -value(w, ply + 1, spare - 1, -beta, -floor, following)
        if w.control.nodes >= w.control.limit:
            return best
        if v > best:
            best = v
            if v > alpha:
                node.extend_line(w, ply, w.lists[ply, i])
            if v >= beta:
                break
    trace.leave(w, ply, best)
    return best


def only_noisy(w: Any, s: Any, ply: int, n: int) -> int:
    """Keep the noisy ones of the ply's moves, in their order; how many there are."""
    kept = 0
    for i in range(n):
        if game.noisy(s, w.lists[ply, i]):
            w.lists[ply, kept] = w.lists[ply, i]
            kept += 1
    return kept


# --- shell ---


def check(game: Game, plies: int) -> None:
    """Refuse to look for noisy moves in a game that does not say which are."""
    if plies and not (game.defines("noisy") or game.defines("restless")):
        raise InputError(
            f"quiescence={plies}: {game.name} does not say which moves are noisy; define noisy(s, move), or leave quiescence=0"
        )
