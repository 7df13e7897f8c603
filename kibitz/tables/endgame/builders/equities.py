"""Equities: what every position is worth to the first player, with a proven bound on the error.

For each position two numbers are kept, one not above its value and one not below. They start at the ends of what is possible. A position's numbers follow from those of the
positions that its moves lead to: the best of them for a player, their mean where chance decides; and what is computed is moved outward by more than rounding can have
moved it inward. So both stay true whatever the order of the work, and where they meet the value is found.

Positions that can come to each other again are one component, and its numbers are computed over and over until they change no more. Components are taken in
the order in which Tarjan's algorithm completes them: a component after all that its moves lead to. A game in which nothing comes up again has
components of one position, and each is computed once. Robert Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compiling.binder import bind, options
from kibitz.core.errors import InputError
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, Control, supervise
from kibitz.tables.endgame.builders.graph import FINISHED_POSITION, NO_POSITION, Graph
from kibitz.tables.endgame.probing import FINISHED_EQUITY, NO_EQUITY

CLOSE = 1e-13  # of the range of values: bounds that are as near as this are not moved any nearer
STILL = 1e-15  # of the same: a change that counts as none
LARGEST_ERROR = 1e-6  # of the same: a game whose bounds stay farther apart has positions without a value
ULP = 2.0**-52

Work = record(control=Control, low=np.float64, high=np.float64, sweeps=np.int64)  # the ends of what is possible; passes over components


class Moves(NamedTuple):
    """The graph of a section, for kernels: see `Part`; the moves of position p are those from `begins[p]` to `begins[p + 1]`."""

    mover: Any
    settled: Any
    begins: Any
    targets: Any
    weights: Any
    gains: Any


class Search(NamedTuple):
    """What Tarjan's algorithm keeps: the number of each position in the order of visits (0: not visited, -1: its component is complete) and the lowest that it is known to come to; two stacks."""

    visit: Any
    lowest: Any
    path: Any  # positions from the first one to where the search is
    following: Any  # the next move of each of these
    open_: Any  # positions whose components are not complete


# --- kernels ---


def solve(w: Any, moves: Moves, search: Search, low: Any, high: Any) -> None:
    """Write bounds of all positions' values to `low` and `high`."""
    visits, opened = 0, 0
    for root in range(moves.mover.shape[0]):
        if search.visit[root] != 0 or moves.mover[root] < -2 or w.control.limit == 0:
            continue
        deep = 0
        search.path[0], search.following[0] = root, moves.begins[root]
        visits += 1
        search.visit[root], search.lowest[root], search.open_[opened] = visits, visits, root
        opened += 1
        while deep >= 0:
            p = np.int64(search.path[deep])
            if search.following[deep] < moves.begins[p + 1]:
                q = np.int64(moves.targets[search.following[deep]])
                search.following[deep] += 1
                if search.visit[q] == 0:
                    deep += 1
                    search.path[deep], search.following[deep] = q, moves.begins[q]
                    visits += 1
                    search.visit[q], search.lowest[q], search.open_[opened] = visits, visits, q
                    opened += 1
                elif search.visit[q] > 0:
                    search.lowest[p] = min(search.lowest[p], search.visit[q])
                continue
            deep -= 1
            if deep >= 0:
                parent = search.path[deep]
                search.lowest[parent] = min(search.lowest[parent], search.lowest[p])
            if search.lowest[p] == search.visit[p]:
                begin = opened - 1
                while search.open_[begin] != p:
                    begin -= 1
                close_in(w, moves, search, begin, opened, low, high)
                opened = begin
                w.control.nodes = visits


def close_in(w: Any, moves: Moves, search: Search, begin: int, end: int, low: Any, high: Any) -> None:
    """Bounds of one component, the positions of the stack from `begin` to `end`; all that they lead to besides has its own."""
    for k in range(begin, end):
        q = search.open_[k]
        low[q], high[q], search.visit[q] = w.low, w.high, -1
    single, near, still = end - begin == 1, CLOSE * (w.high - w.low), STILL * (w.high - w.low)
    while w.control.limit != 0:
        widest, changed = 0.0, 0.0
        for k in range(end - 1, begin - 1, -1):
            p: Any = np.int64(search.open_[k])
            lower = max(low[p], backed_up(moves, low, p, -1.0))
            upper = min(high[p], backed_up(moves, high, p, 1.0))
            changed = max(changed, lower - low[p], high[p] - upper)
            low[p], high[p] = lower, upper
            widest = max(widest, upper - lower)
        w.sweeps += 1
        if (single and changed <= still) or widest <= near or changed <= still:
            break


def backed_up(moves: Moves, value: Any, p: int, outward: float) -> float:
    """What follows for a position from the values of those its moves lead to, moved `outward` by more than rounding can matter."""
    mover, found, most = moves.mover[p], moves.settled[p], abs(moves.settled[p])
    for j in range(moves.begins[p], moves.begins[p + 1]):
        v = value[np.int64(moves.targets[j])]
        if options.BANKS:
            v += moves.gains[j]
        if mover >= 0:
            found = max(found, v) if mover == 0 else min(found, v)
        elif options.CHANCE:
            found += moves.weights[j] * v
            most = max(most, abs(v))
    if mover >= 0:
        return found
    return found + outward * (moves.begins[p + 1] - moves.begins[p] + 4) * ULP * most


# --- shell ---


def equities(graph: Graph, target: str | None = None, watch: Any = None) -> tuple[Any, float, int]:
    """The value of each position of a section whose moves are listed, the largest error and the number of passes. `watch` is told how many positions are done."""
    game_ = graph.numbering.game
    names = ("mover", "settled", "targets", "weights", "gains")
    arrays = {name: np.array(graph.array(name)) if name in graph.kinds else np.zeros(1) for name in names}
    degree = np.array(graph.array("degree"), np.int64)
    size, banks = len(degree), game_.defines("banked")
    moves = Moves(begins=np.concatenate([np.zeros(1, np.int64), np.cumsum(degree)]), **arrays)
    word, wide = np.zeros(size, np.int32), np.zeros(size, np.int64)
    search = Search(word.copy(), word.copy(), word.copy(), wide, word.copy())
    w, bounds = blank(Work), (np.zeros(size), np.zeros(size))
    low, high = game_.first_range
    w.low, w.high = (low - high, high - low) if banks else (low, high)
    w.control.limit = NO_LIMIT
    kernel = bind(solve, {}, "table", {"CHANCE": game_.has_chance, "BANKS": banks}, target)
    run = supervise(kernel, w, moves, search, *bounds, control=w.control, watch=lambda _: watch(int(w.control.nodes)) if watch else None)
    if run.interrupted:
        raise KeyboardInterrupt
    nothing, finished = arrays["mover"] == NO_POSITION, arrays["mover"] == FINISHED_POSITION
    value, width = 0.5 * (bounds[0] + bounds[1]), bounds[1] - bounds[0]
    width[nothing | finished] = 0.0
    error = 0.5 * float(width.max(initial=0.0))
    if error > LARGEST_ERROR * (high - low):
        raise InputError(
            f"{game_.label}: the value of some positions lies between bounds {2 * error:g} apart that come no nearer: the game can go on for ever there, and nobody says what that is worth"
        )
    if error:
        error += ULP * max(abs(low), abs(high))  # of halving the sum
    value[nothing], value[finished] = NO_EQUITY, FINISHED_EQUITY
    return value, error, int(w.sweeps)
