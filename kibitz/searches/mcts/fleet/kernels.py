"""Fleet kernels (see core/device): the work of a thread on tree number `i`. It differs from a search of one tree only in where things are stored.

A thread works on a copy of its workspace, which a GPU lays out so that neighbours read side by side; the tree stays where it is, a block of memory of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CYCLE_FREE, OVER
from kibitz.core.records import random
from kibitz.core.records.place import own_start, put_back, put_start, record_at
from kibitz.core.records.record import record
from kibitz.searches.mcts.report import root_report
from kibitz.searches.mcts.step.simulation import simulate
from kibitz.searches.mcts.step.workspace import FINE
from kibitz.searches.mcts.tree import cells, proofs
from kibitz.searches.mcts.tree.layout import NONE, edge, first_edge, node, visits_behind, widest

STREAM = 1 << 40  # between the random numbers of two searches: see search.py

Job = record(
    pattern=np.int64,  # address of a workspace that all begin as
    trunk=np.int64,  # of a trunk likewise
    roots=np.int64,  # of what there is to search: records of root_kind
    workspaces=np.int64,
    trunks=np.int64,
    memory=np.int64,  # of the trees, `each` bytes apart
    each=np.int64,
    sums=np.int64,  # of records of summary_kind
    seed=np.int64,
    first=np.int64,  # number of the first of these trees among all
    until=np.int64,  # playouts of a thread at which this slice ends
    crew=np.int64,  # threads that grow each tree together
    playouts=np.int64,  # of each tree, at most
)


def root_kind(constants: Mapping[str, Any], past: int) -> np.dtype[Any]:
    """A position to search; where repetitions count, with up to `past` of those before it."""
    fields = {"state": constants["State"]}
    if constants["REPETITION"] != CYCLE_FREE:
        fields |= {"past": np.int64, "keys": (np.uint64, past + 1)}
    return record(**fields)


def summary_kind(constants: Mapping[str, Any]) -> np.dtype[Any]:
    """What a root knows. Values are utilities of the player to move, of player 0 where chance is."""
    wide = widest(constants)
    return record(
        playouts=np.int64,
        nodes=np.int64,
        visits=np.int64,
        deepest=np.int64,
        reached=(np.float64, 1),  # the same, where a crew notes it
        fault=np.int64,
        is_over=np.int64,
        is_full=np.int64,
        player=np.int64,
        best=np.int64,  # the move to make
        low=np.float64,  # what is proven
        high=np.float64,
        edges=np.int64,
        moves=(np.int64, wide),
        times=(np.int64, wide),
        values=(np.float64, wide),  # NaN without visits
        lows=(np.float64, wide),
        highs=(np.float64, wide),
        possible=(np.int8, wide),  # not certainly worse than another
    )


def plant(i: int, job: Any) -> None:
    """Before the first playout of thread `i`."""
    home = record_at(job.workspaces + i * options.WORK_SIZE, options.WORK)
    put_back(home, record_at(job.pattern, options.WORK))
    tree, hand = tree_of(i, job), hand_of(i, job)
    if hand == 0:
        put_back(record_at(job.trunks + tree * options.TRUNK_SIZE, options.TRUNK), record_at(job.trunk, options.TRUNK))
        told = record_at(job.sums + tree * options.SUMMARY_SIZE, options.SUMMARY)
        told.playouts, told.nodes, told.deepest, told.reached[0], told.fault = 0, 0, 0, 0.0, 0
    home.most_playouts = job.playouts // job.crew + (1 if hand < job.playouts % job.crew else 0)
    root = record_at(job.roots + tree * options.ROOT_SIZE, options.ROOT)
    home.root = root.state
    random.seed(home.rng, job.seed, (job.first + i) * STREAM)
    if options.REPEATS:
        home.past = root.past
        for k in range(root.past + 1):
            home.keys[k] = root.keys[k]


def tree_of(i: int, job: Any) -> int:
    """The tree that thread `i` grows."""
    return i // job.crew if options.THREADS else i


def hand_of(i: int, job: Any) -> int:
    """Its number among those that grow the tree with it."""
    return i % job.crew if options.THREADS else 0


def grow(i: int, job: Any) -> None:
    """Run playouts by thread `i` until it has made the number wanted. The first of a crew plants the root, in a slice before the others begin."""
    home = record_at(job.workspaces + i * options.WORK_SIZE, options.WORK)
    if home.playouts >= job.until or home.playouts >= home.most_playouts or game.player(home.root) == OVER:
        return
    w = own_start(home, options.KEPT)
    tree = tree_of(i, job)
    t = record_at(job.trunks + tree * options.TRUNK_SIZE, options.TRUNK)
    if options.THREADS and t.root == NONE and hand_of(i, job) > 0:
        return
    nodes = cells.records_at(job.memory + tree * job.each, options.NODE, options.UNIT, job.each)
    edges = cells.records_at(job.memory + tree * job.each, options.EDGE, options.UNIT, job.each)
    w.most_playouts = min(home.most_playouts, job.until)
    simulate(w, t, nodes, edges)
    if options.THREADS:
        report(record_at(job.sums + tree * options.SUMMARY_SIZE, options.SUMMARY), home, w)
    put_start(home, w, options.CHANGED)


def report(told: Any, before: Any, w: Any) -> None:
    """What one of a crew has done since `before`."""
    cells.add(told, "playouts", w.playouts - before.playouts)
    cells.add(told, "nodes", w.control.nodes - before.control.nodes)
    cells.raise_to(told, "reached", 0, np.float64(w.deepest))
    if w.fault != FINE:
        told.fault = w.fault


def sum_up(i: int, job: Any) -> None:
    """What the root of tree `i` knows."""
    w, told = (
        record_at(job.workspaces + i * job.crew * options.WORK_SIZE, options.WORK),
        record_at(job.sums + i * options.SUMMARY_SIZE, options.SUMMARY),
    )
    t = record_at(job.trunks + i * options.TRUNK_SIZE, options.TRUNK)
    nodes = cells.records_at(job.memory + i * job.each, options.NODE, options.UNIT, job.each)
    edges = cells.records_at(job.memory + i * job.each, options.EDGE, options.UNIT, job.each)
    if options.THREADS:
        told.deepest = np.int64(told.reached[0])
    else:
        told.playouts, told.nodes, told.deepest, told.fault = w.playouts, w.control.nodes, w.deepest, w.fault
    told.is_over, told.is_full = 1 if game.player(w.root) == OVER else 0, t.is_full
    told.visits, told.edges, told.best = 0, 0, NONE
    if t.root != NONE:
        tell_edges(told, nodes, edges, t.root)


def tell_edges(told: Any, nodes: Any, edges: Any, at: int) -> None:
    """The edges of a root, and the best of them."""
    n = node(nodes, at)
    viewer: int = n.player if n.player >= 0 else 0
    certain = root_report.most_certain(nodes, edges, at, viewer)
    told.visits, told.edges, told.player = n.visits, n.count, n.player
    told.low, told.high = game.VALUES[0], game.VALUES[1]
    if options.SOLVE:
        told.low, told.high = proofs.low_for(n, viewer), proofs.high_for(n, viewer)
        if options.OPPOSITE and viewer == 1:
            told.low, told.high = game.SUM - np.float64(n.high[0]), game.SUM - np.float64(n.low[0])
    best, most, highest = NONE, -np.inf, -np.inf
    for i in range(n.count):
        x = edge(edges, first_edge(at) + i)
        times = visits_behind(nodes, x)
        told.moves[i], told.times[i], told.possible[i] = x.move, times, 0 if root_report.is_forbidden(nodes, x) else 1
        told.lows[i], told.highs[i] = game.VALUES[0], game.VALUES[1]
        told.values[i] = root_report.utility_of(root_report.value_behind(nodes, edges, x, viewer)) if times > 0 else np.nan
        if options.SOLVE:
            low, high = proofs.least_behind(nodes, x, viewer), proofs.most_behind(nodes, x, viewer)
            told.lows[i], told.highs[i] = proofs.as_utility(low, viewer), proofs.as_utility(high, viewer)
            told.values[i] = told.lows[i] if not low < high else told.values[i]
            if not root_report.is_possible(n, viewer, low, high, certain):
                told.possible[i] = 0
        value = told.values[i] if times > 0 else -np.inf
        first, second = (value, np.float64(times)) if options.BY_VALUE else (np.float64(times), value)
        if told.possible[i] == 1 and (best == NONE or first > most or (first == most and second > highest)):
            best, most, highest = i, first, second
    if best != NONE:
        told.best = told.moves[best]
