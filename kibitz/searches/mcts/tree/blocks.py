"""Blocks of the tree's memory: taken, freed and used again.

Memory is bounded. Everything that is not below the new root is *garbage*: it is freed, block by block, when memory is needed.
Free blocks form lists, one for each number of edges. When nothing is left the tree stops growing. All of this is kernels: see layout.py for the short names.
"""

from __future__ import annotations

from typing import Any

from kibitz.core.compiling.binder import options
from kibitz.searches.mcts.tree import cells, position_table, proofs
from kibitz.searches.mcts.tree.layout import NONE, edge, first_edge, node


def new_node(t: Any, nodes: Any, edges: Any, count: int, player: int) -> int:
    """A node for `count` edges, none of them in play and their contents meaningless; NONE where the memory is used up."""
    if t.is_full == 1:
        return NONE
    at = NONE
    if options.THREADS and t.garbage == NONE and t.free_blocks[count] == NONE:
        at = unused(t, count)  # no need to lock what was never used
        if at != NONE:
            count_node(t, 1)
    if at == NONE:
        if options.THREADS:
            while not cells.grab(t):  # held for some nanoseconds: not worth giving the processor away
                pass
        at = block(t, nodes, edges, count)
        if options.THREADS:
            cells.release(t, "lock")
        if at == NONE:
            return NONE
    n = node(nodes, at)
    n.total, n.visits, n.square = 0.0, 0, 0.0
    n.count, n.opened = count, 0
    n.player, n.lock = player, 0
    if options.TRANSPOSITIONS:
        position_table.start(n)
    if options.SOLVE:
        proofs.start(n)
    return at


def block(t: Any, nodes: Any, edges: Any, count: int) -> int:
    """A place for a node and `count` edges; NONE where there is none."""
    if t.garbage != NONE:
        take_apart(t, nodes, edges)
    at = listed(t, nodes, count)
    if at == NONE:
        at = unused(t, count)
    while at == NONE and t.garbage != NONE:
        take_apart(t, nodes, edges)
        at = listed(t, nodes, count)
    if at == NONE:
        at = front_of_longer(t, nodes, count)
    if at == NONE:
        t.is_full = 1
    else:
        count_node(t, 1)
    return at


def unused(t: Any, count: int) -> int:
    """Room that was never used, for a node and `count` edges; NONE where there is too little."""
    size = options.NODE_UNITS + count
    if t.end + size > t.limit:
        return NONE
    if options.THREADS:
        at = cells.take(t, "end", size)
        return at if at + size <= t.limit else NONE  # others were faster
    at = t.end
    t.end += size
    return at


def count_node(t: Any, more: int) -> None:
    if options.THREADS:
        cells.add(t, "nodes", more)
    else:
        t.nodes += more


def listed(t: Any, nodes: Any, count: int) -> int:
    """A free block for exactly this number of edges, or NONE."""
    at = t.free_blocks[count]
    if at != NONE:
        t.free_blocks[count] = node(nodes, at).visits
    return at


def front_of_longer(t: Any, nodes: Any, count: int) -> int:
    """The front of a longer free block whose rest makes a block as well; NONE where there is none."""
    for longer in range(count + options.NODE_UNITS, t.free_blocks.shape[0]):
        at = listed(t, nodes, longer)
        if at != NONE:
            free(t, nodes, at + options.NODE_UNITS + count, longer - count - options.NODE_UNITS)
            return at
    return NONE


def free(t: Any, nodes: Any, at: int, count: int) -> None:
    node(nodes, at).visits = t.free_blocks[count]
    t.free_blocks[count] = at


def discard(t: Any, nodes: Any, at: int) -> None:
    """The node and all below it are garbage."""
    node(nodes, at).visits = t.garbage
    t.garbage = at


def unlink(t: Any, nodes: Any, edges: Any, at: int) -> None:
    """An edge that led to the node is no more; if nothing else leads there, the node and all below it are garbage."""
    if options.TRANSPOSITIONS:
        n = node(nodes, at)
        n.links -= 1
        if n.links > 0:
            return
        position_table.remove(t, nodes, edges, at)
    discard(t, nodes, at)


def take_apart(t: Any, nodes: Any, edges: Any) -> None:
    """Free the first block of the garbage; its children are garbage now."""
    at = t.garbage
    n = node(nodes, at)
    t.garbage = n.visits
    for e in range(first_edge(at), first_edge(at) + n.opened):
        if edge(edges, e).child >= 0:
            unlink(t, nodes, edges, edge(edges, e).child)
    free(t, nodes, at, n.count)
    count_node(t, -1)


def advance(t: Any, nodes: Any, edges: Any, e: int) -> None:
    """The node that the root's edge `e` leads to becomes the root; all else is garbage."""
    at = t.root
    n = node(nodes, at)
    t.root = edge(edges, e).child
    t.ply += 1
    t.is_full = 0
    if options.TRANSPOSITIONS:
        node(nodes, t.root).links += 1
        unlink(t, nodes, edges, at)
        return
    for other in range(first_edge(at), first_edge(at) + n.opened):
        if other != e and edge(edges, other).child >= 0:
            discard(t, nodes, edge(edges, other).child)
    free(t, nodes, at, n.count)
    t.nodes -= 1
