"""Probes (Star2, Star2.5): a look at one child of an outcome, which bounds the outcome on the side of whoever chooses there.

An outcome is worth at least as much to its mover as any of its moves. If the mover is `view`, a probe can raise the outcome's lower bound; if it is
the other player, lower the upper one. A probe that fails on the wrong side of its window proves nothing of the outcome and leaves its bounds alone.
When all moves were probed, the best of them is the outcome's value. What a probe found of a move answers for that move when the outcome is searched.

Which child: the most promising one that was not probed yet, by the table's move, the killers, the game's own order and history.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.searches import node, ordering
from kibitz.searches.chance import expectation, paths


def planned(w: Any, ply: int, depth: int) -> int:
    """How many probes are to be made at the chance node at `ply`, before its outcomes are searched."""
    return w.probes * w.forks[ply].count if options.PROBING and depth > 0 else np.int64(0)  # type: ignore[return-value]


def planned_at(w: Any, ply: int, turn: int, probes: int) -> tuple[int, bool]:
    """The outcome whose turn it is, and whether to probe it."""
    if turn >= probes:
        return turn - probes, False
    return turn % w.forks[ply].count if w.cyclic else turn // w.probes, True


def choose(w: Any, ply: int, i: int) -> bool:
    """Choose the child of outcome i to probe: `o.chosen`. False where there is nothing to probe."""
    o = w.outcomes[ply, i]
    if o.mover < 0 or (o.tried > 0 and o.tried == o.moves) or ply + 1 >= options.DEEP:
        return False
    if paths.step(w, ply, o.move, True) < 0 or w.control.nodes >= w.control.limit:  # repeated, or no time left
        return False
    s, best = w.states[ply + 1], -np.inf
    o.moves, o.chosen = game.moves(s, w.lists[ply + 1]), NO_MOVE
    for k in range(o.moves):
        move = w.lists[ply + 1, k]
        if place(w, ply, i, move) < 0:
            score = ordering.worth(w, s, ply + 1, o.mover, move, o.first)
            if o.chosen == NO_MOVE or score > best:
                best, o.chosen = score, move
    return True


def reach(w: Any, ply: int, i: int, probe: bool) -> int:
    """Go to outcome i of the chance node at `ply`, or, to probe it, on to its chosen child; whose turn it is there."""
    o = w.outcomes[ply, i]
    if options.PROBING and probe:
        return paths.step(w, ply + 1, o.chosen, False)
    if options.PROBING and o.tried > 0:
        w.given[ply + 1] = i + 1
    return paths.step(w, ply, o.move, True)


def begin(w: Any, ply: int, i: int) -> None:
    """A probe of outcome i begins: watch what it meets."""
    t = w.tried[ply, i, w.outcomes[ply, i].tried]
    t.horizons, t.doubts, t.loop = w.horizons, w.doubts, w.loop
    w.loop = node.NEVER


def learn(w: Any, ply: int, i: int, v: float, low: float, high: float, view: int) -> None:
    """The probe of outcome i in the window (low, high) came back with v; all three as `view` sees them."""
    f, o = w.forks[ply], w.outcomes[ply, i]
    t = w.tried[ply, i, o.tried]
    o.tried += 1
    t.horizons, t.doubts = w.horizons - t.horizons, w.doubts - t.doubts
    t.loop, w.loop = w.loop, min(w.loop, t.loop)
    at_least, at_most = v if v > low else -np.inf, v if v < high else np.inf
    t.move = o.chosen
    if o.mover == view:
        t.low, t.high = at_least, at_most
        expectation.narrow(f, o, at_least, most_of_all(w, ply, i))
    else:
        t.low, t.high = -at_most, -at_least
        expectation.narrow(f, o, -most_of_all(w, ply, i), at_most)


def most_of_all(w: Any, ply: int, i: int) -> float:
    """The most that outcome i can be worth to its mover: nobody knows, unless all its moves were probed."""
    o = w.outcomes[ply, i]
    if o.tried < o.moves:
        return np.inf
    most = -np.inf
    for k in range(o.tried):
        most = max(most, w.tried[ply, i, k].high)
    return most


def given(w: Any, ply: int) -> int:
    """1 + the outcome of the chance node before that the node at `ply` is, where its probes answer for some of its moves; told once."""
    if not options.PROBING:
        return 0
    outcome = w.given[ply]
    w.given[ply] = 0
    return outcome


def place(w: Any, ply: int, i: int, move: int) -> int:
    """Where the move stands among the probed ones of outcome i; -1 where it was not probed."""
    for k in range(w.outcomes[ply, i].tried):
        if w.tried[ply, i, k].move == move:
            return k
    return -1


def answered(w: Any, ply: int, i: int, move: int, alpha: float, beta: float) -> float:
    """What a probe says of this move of the node at `ply`, outcome i of the chance node before it; NaN where that is not enough.

    Enough is the value, or a bound outside the window (alpha, beta) of the node's mover.
    """
    k = place(w, ply - 1, i, move)
    if k < 0:
        return np.nan
    t = w.tried[ply - 1, i, k]
    if not (t.low == t.high or t.low >= beta or t.high <= alpha):
        return np.nan
    w.horizons += t.horizons
    w.doubts += t.doubts
    w.loop = min(w.loop, t.loop)
    return t.low if t.low == t.high or t.low >= beta else t.high
