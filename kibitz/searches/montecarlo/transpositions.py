"""Shared nodes in a simulation: finding one, bringing a leaf's visits into it, and news from other paths. See shared.py for what is shared and how it is found."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import options
from kibitz.core.protocol.rules import CHANCE
from kibitz.searches.montecarlo import backing, bounds, cells, shared
from kibitz.searches.montecarlo.growing import grown
from kibitz.searches.montecarlo.selection import PRUNED
from kibitz.searches.montecarlo.tree import NONE, edge, first_edge, free, node, opened_edges


def join(w: Any, t: Any, nodes: Any, edges: Any, parent: Any, x: Any, player: int, depth: int, is_due: bool) -> int:
    """The node of the position behind the leaf's edge `x`: one that is there already or, where it `is_due`, a new one; NONE to play out."""
    if options.THREADS and not cells.grab(parent):
        return NONE
    at = NONE
    if x.child < 0:
        key = shared.identity(w, t, depth)
        at = shared.linked(t, nodes, edges, key, player)
        if at == NONE and is_due:
            at = entered(w, t, nodes, edges, key, player)
        if at != NONE:
            bring_in(node(nodes, at), x, at, 1 if options.THREADS else 0)
    if options.THREADS:
        cells.release(parent, "lock")
    return at


def entered(w: Any, t: Any, nodes: Any, edges: Any, key: np.uint64, player: int) -> int:
    """A new node for the position `w.state`, in the table; or one that another thread made meanwhile."""
    at = grown(w, t, nodes, edges, player)
    if at == NONE:
        return NONE
    shared.lock(t)
    other = shared.find(t, nodes, edges, key, player) if options.THREADS else NONE
    if other == NONE:
        shared.enter(t, nodes, edges, at, key)
    else:
        free(t, nodes, at, node(nodes, at).count)
        t.nodes -= 1
        node(nodes, other).links += 1
        at = other
    shared.unlock(t)
    return at


def bring_in(n: Any, x: Any, at: int, fewer: int) -> None:
    """The leaf behind edge `x` becomes the node `n` at `at`, to which the leaf's visits, less `fewer`, are added with their rewards."""
    while True:
        child, value = np.int64(x.child), np.float64(x.value)
        visits = -1 - child
        more = visits - fewer
        x.times = more
        if not options.THREADS:
            x.child = at
            break
        if cells.replace_leaf(x, child, value, at, value):
            break
    if more > 0:
        square = value * value if more == 1 else value  # rewards of several visits are taken for wins and losses
        n.square = np.float64(n.square) + (square - np.float64(n.square)) * more / (n.visits + more)
    if options.THREADS:
        cells.add(n, "visits", more)
        cells.add(n, "total", value * visits)
    else:
        n.visits += more
        n.total += value * visits


def refresh(w: Any, nodes: Any, edges: Any, n: Any, at: int, depth: int) -> None:
    """What other paths have found out about the node's children: their means, and what is proven."""
    owner: Any = w.owners[depth] if options.CHANCE and n.player == CHANCE else np.int64(n.player)
    for e in range(first_edge(at), first_edge(at) + opened_edges(n)):
        x = edge(edges, e)
        if x.child >= 0 and (not options.SOLVE or x.value > 0.5 * PRUNED):
            x.value = backing.value_of(nodes, edges, x.child, owner, 1.0 / max(1, node(nodes, x.child).visits))
    if options.SOLVE and n.count > 0:
        bounds.tighten(nodes, edges, at)
