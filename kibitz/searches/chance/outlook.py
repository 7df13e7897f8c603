"""The distribution of results of each move when both sides play for the best mean, and the choice of a move by risk.

The expected value says nothing about risk. `follow` walks best play from a position to the leaves of a search, every outcome of chance with its probability, and
adds up where it leads: the mean is the value the search finds, the rest is what the mean hides. A leaf counts as won where it is worth more than the middle
of VALUES, as lost where it is worth less: a finished game by its result, one at the horizon by its evaluation, one in an endgame table by its equity.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.position.notation import Move
from kibitz.core.position.result import Outlook
from kibitz.core.protocol.rules import CHANCE, NO_MOVE
from kibitz.core.records.record import record
from kibitz.searches.chance import expectation, paths, tree
from kibitz.tables.endgame import lookup

PARTS = 20  # of the range of values, for the distribution
NEUTRAL, HOPE, SAFETY, BOTH = "neutral", "hope", "safety", "both"

Tally = record(total=np.float64, squares=np.float64, win=np.float64, loss=np.float64, parts=(np.float64, PARTS))


def fields() -> dict[str, Any]:
    """What the workspace holds for it."""
    return {"tally": Tally}


# --- kernels ---


def root(w: Any, arrays: Any, depth: int, move: int) -> float:
    """Where `move` leads in the position w.states[0], in which a player chooses, searched `depth` plies deep: w.tally, as the first player sees it."""
    t = w.tally
    t.total, t.squares, t.win, t.loss = 0.0, 0.0, 0.0, 0.0
    for part in range(PARTS):
        t.parts[part] = 0.0
    mover: Any = np.int64(game.player(w.states[0]))
    paths.begin(w, mover)
    following = paths.step(w, 0, move, False)
    follow(w, arrays, np.int64(1), np.int64(depth - 1), following, mover, 1.0)  # type: ignore[arg-type]
    return t.total


def follow(w: Any, arrays: Any, ply: int, depth: int, following: int, mover: int, chance: float) -> None:
    """Add up where best play leads from the node at `ply`, which `mover` moved to, and which comes about with this probability."""
    sure = np.nan
    if options.ENDINGS:  # what a table knows is searched no further, as in the search itself
        sure = lookup.equity(w.endings, w.states[ply])
    if not np.isnan(sure):
        count(w, sure, chance)
    elif paths.ends(w, ply, depth, following):
        count(w, tree.leaf(w, ply, following, mover, np.int64(0), -np.inf, np.inf), chance)  # type: ignore[arg-type]
    elif following == CHANCE:
        if expectation.gather(w, arrays.table, ply, depth, np.int64(0), np.int64(NO_MOVE)):  # type: ignore[arg-type]
            f = w.forks[ply]
            for i in range(f.count):
                o = w.outcomes[ply, i]
                share = 1.0 / f.total if options.EQUAL else o.weight / f.total
                follow(w, arrays, ply + 1, depth, paths.step(w, ply, o.move, True), np.int64(CHANCE), chance * share)  # type: ignore[arg-type]
                if w.control.nodes >= w.control.limit:
                    return
    else:
        move = best_move(w, arrays, ply, depth, following)
        if w.control.nodes < w.control.limit:
            follow(w, arrays, ply + 1, depth - 1, paths.step(w, ply, move, False), following, chance)


def best_move(w: Any, arrays: Any, ply: int, depth: int, mover: int) -> int:
    """The first of the best moves at `ply`, in the rules' order."""
    best = -np.inf
    found: Any = np.int64(NO_MOVE)
    n = game.moves(w.states[ply], w.lists[ply])
    for i in range(n):
        move: Any = np.int64(w.lists[ply, i])
        following = paths.step(w, ply, move, False)
        if paths.ends(w, ply + 1, depth - 1, following):
            v = tree.leaf(w, ply + 1, following, mover, mover, best, np.inf)
        else:
            v = tree.value(w, arrays.table, ply + 1, depth - 1, best, np.inf, following, mover)
        if w.control.nodes >= w.control.limit:
            break
        if v > best:
            best, found = v, move
    return found


def count(w: Any, v: float, chance: float) -> None:
    t, middle = w.tally, 0.5 * (options.LOW + options.HIGH)
    t.total += chance * v
    t.squares += chance * v * v
    if v > middle:
        t.win += chance
    if v < middle:
        t.loss += chance
    part = np.int64((v - options.LOW) / (options.HIGH - options.LOW) * PARTS)
    t.parts[min(max(part, 0), PARTS - 1)] += chance


# --- shell ---


def outlook(t: Any, move: Move, player: int, total: float) -> Outlook:
    """A tally as the player to move sees it; `total` is what both players' values add up to."""
    spread = math.sqrt(max(0.0, float(t.squares) - float(t.total) ** 2))
    parts = tuple(float(x) for x in t.parts)
    if player == 0:
        return Outlook(move, float(t.total), spread, float(t.win), float(t.loss), parts)
    return Outlook(move, total - float(t.total), spread, float(t.loss), float(t.win), parts[::-1])


def chosen(outlooks: Sequence[Outlook], risk: str, most: float, middle: float) -> Outlook:
    """The move to play: of those that give up no more than `most` of the best mean, behind the one with most hope, ahead the safest one."""
    best = max(outlooks, key=lambda o: o.mean)
    near = [o for o in outlooks if o.mean >= best.mean - most]
    if risk in (HOPE, BOTH) and best.mean < middle:
        return max(near, key=lambda o: (o.win, o.mean))
    if risk in (SAFETY, BOTH) and best.mean > middle:
        return min(near, key=lambda o: (o.loss, -o.mean))
    return best
