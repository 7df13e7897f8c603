"""Results, from the end of the game backwards: who wins, and in how many plies.

The first level is where a move ends the game. A position is won in d plies if a move leads to one that its opponent has lost in d - 1 (or that the mover himself
has won, where he moves again); it is lost in d plies if all moves lead to positions won by the opponent, the slowest of them in d - 1. Each move is looked at once, when
the position that it leads to is decided. What is never decided is drawn: neither side can force the end. Moves that leave the section count through their known values.

Which positions lead to one follows from all moves, listed and turned round; or the game says (`unplay`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import Bound, bind, game
from kibitz.core.errors import InputError
from kibitz.core.running.control import heeded, supervise
from kibitz.tables.endgame.builders.graph import FINISHED_POSITION, NO_POSITION, Graph, distinct
from kibitz.tables.endgame.numbering import USUAL_MEMORY, Numbers, number_of, set_up, workspace_of
from kibitz.tables.endgame.probing import FINISHED, LONGEST, NOTHING

UNKNOWN = 32767


# --- kernels ---


def count_targets(targets: Any, begins: Any) -> None:
    """Write to `begins[i + 1]` how many moves there are to positions before and at i."""
    for j in range(targets.shape[0]):
        begins[np.int64(targets[j]) + 1] += 1
    for i in range(begins.shape[0] - 1):
        begins[i + 1] += begins[i]


def turn_round(degree: Any, targets: Any, begins: Any, sources: Any) -> None:
    """Sort the moves by where they lead: those to i come from `sources[begins[i]]` up to `begins[i + 1]`. While this runs `begins` counts, and is put right in the end."""
    j: Any = 0
    for p in range(degree.shape[0]):
        for _ in range(np.int64(degree[p])):
            i: Any = np.int64(targets[j])
            sources[begins[i]] = p
            begins[i] += 1
            j += 1
    for i in range(begins.shape[0] - 1, 0, -1):
        begins[i] = begins[i - 1]
    begins[0] = 0


def decide(d: int, value: Any, mover: Any, settled: Any, remaining: Any, begins: Any, sources: Any) -> int:
    """Find all positions that are won or lost in d plies, those at smaller distances being known; returns how many."""
    found = 0
    for s in range(value.shape[0] if d > 1 else 0):
        if value[s] != d - 1 and value[s] != 1 - d:
            continue
        for j in range(begins[s], begins[s + 1]):
            found += told_of(d, np.int64(sources[j]), s, value, mover, remaining)
    return found + settle(d, value, settled, remaining)


def decide_by_unplaying(w: Any, numbers: Numbers, begin: int, d: int, value: Any, mover: Any, settled: Any, remaining: Any) -> int:
    """The same where the game lists predecessors; `begin` is the first number of the section."""
    found = 0
    for s in range(value.shape[0] if d > 1 else 0):
        if value[s] != d - 1 and value[s] != 1 - d:
            continue
        set_up(w, numbers, begin + s)
        n = game.unplay(w.state, w.before)
        for i in range(n):
            w.listed[i] = number_of(w, numbers, w.before[i]) - begin
        for i in range(distinct(w.listed, n)):
            p: Any = np.int64(w.listed[i])
            if 0 <= p < value.shape[0]:
                found += told_of(d, p, s, value, mover, remaining)
        if w.control.limit == 0:
            return found
    return found + settle(d, value, settled, remaining)


def told_of(d: int, p: Any, s: int, value: Any, mover: Any, remaining: Any) -> int:
    """A move leads from p to s, which is won or lost in d - 1 plies: 1 if that decides p."""
    if value[p] != UNKNOWN:
        return 0
    if (value[s] > 0) == (mover[p] == mover[s]):
        value[p] = d
        return 1
    remaining[p] -= 1
    return 0


def settle(d: int, value: Any, settled: Any, remaining: Any) -> int:
    """Those that moves out of the section win in d plies, and those without a move that is not lost, in d plies at the latest."""
    found = 0
    for p in range(value.shape[0]):
        if value[p] == UNKNOWN:
            if settled[p] == d:
                value[p] = d
                found += 1
            elif remaining[p] == 0 and -d <= settled[p] <= 0:
                value[p] = -d
                found += 1
    return found


# --- shell ---


def results(graph: Graph, memory: float = USUAL_MEMORY, target: str | None = None, watch: Callable[[int], None] | None = None) -> Any:
    """The value of each position of a section whose moves are listed: a distance for a win, minus a distance for a loss, 0 for a draw. `watch` is told the distance.

    Moves that take more than the given number of megabytes are reversed in a file.
    """
    mover, settled, remaining = (np.array(graph.array(name)) for name in ("mover", "settled", "remaining"))
    value = np.full(len(mover), UNKNOWN, np.int16)
    value[mover == NO_POSITION], value[mover == FINISHED_POSITION] = NOTHING, FINISHED
    level, last = _level(graph, memory, target, (value, mover, settled, remaining)), int(np.abs(settled).max(initial=0))
    d, found, stop = 0, 1, heeded()
    while found or d < last + 1:
        d += 1
        if d > LONGEST:
            raise InputError(f"a win takes more than {LONGEST} plies, more than a table can tell")
        found = level(d)
        if watch:
            watch(d)
        if stop is not None and stop.due:
            raise KeyboardInterrupt
    value[value == UNKNOWN] = 0
    return value


def _level(graph: Graph, memory: float, target: str | None, arrays: tuple[Any, ...]) -> Callable[[int], int]:
    """What decides all positions at a distance."""
    if not graph.unplays:
        begins, sources = _turned_round(graph, memory, target)
        decided = _bound(decide, target)
        return lambda d: int(decided(d, *arrays, begins, sources))
    numbering = graph.numbering
    w, unplayed = workspace_of(numbering.game), numbering.bind(decide_by_unplaying, None, target)

    def level(d: int) -> int:
        run = supervise(unplayed, w, numbering.numbers, graph.section.begin, d, *arrays, control=w.control)
        if run.interrupted:
            raise KeyboardInterrupt
        return int(run.result)

    return level


def _turned_round(graph: Graph, memory: float, target: str | None) -> tuple[Any, Any]:
    targets, degree = graph.array("targets"), graph.array("degree")
    begins = np.zeros(len(degree) + 1, np.int64)
    if targets.nbytes <= memory * 2**20:
        sources = np.zeros(len(targets), np.uint32)
    else:
        sources = _in_file(graph.folder / "sources", len(targets))
    _bound(count_targets, target)(np.asarray(targets), begins)
    _bound(turn_round, target)(np.asarray(degree), np.asarray(targets), begins, sources)
    return begins, sources


def _in_file(path: Path, length: int) -> Any:
    """An array in a file. Its room on the disk is taken at once: a full disk is told of here, and not by a signal amid the work."""
    try:
        with path.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, 4 * length)
        return np.asarray(np.memmap(path, np.uint32, "r+", shape=(length,)))
    except OSError as error:
        raise InputError(f"cannot write in {path.parent}: {error.strerror or error}") from None


def _bound(kernel: Callable[..., Any], target: str | None) -> Bound:
    return bind(kernel, {}, "table", None, target)
