"""The table of positions: with transpositions, it finds the node of a position that another path led to (UCT2 of Childs, Brodeur and Kocsis 2008).

A position is known by its identity: the game's key, whose rewards the node counts, and the ply, counted from the first root. Positions of different plies
never share a node, so that there are no circles, whatever the game. A node's visits and rewards are those of all paths; an edge counts in `times` how often this
path was taken. step/transpositions.py says what a simulation does with shared nodes.

    memory     | slots, 4 bytes each | node | edges | node | edges | ...
    node       ... key | chain | links      key 0: not in the table; chain: the next node in the same slot; links: edges that lead here, and one for the root
    edge       ... times

A node is garbage when nothing links to it any more, and leaves the table then. Changed by one thread at a time, which holds the trunk's lock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.records.hashing import combine, hash_record
from kibitz.searches.mcts.tree import cells
from kibitz.searches.mcts.tree.layout import NONE, node

SLOT = 4  # bytes
PART = 32  # the slots take one byte in this many

EDGE_FIELDS = {"times": np.int32}


def node_fields(constants: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    """Additional fields of every node."""
    return {"key": np.uint64, "chain": np.int32, "links": np.int32}


def slots_for(size: int) -> int:
    """How many slots a memory of this size in bytes has: a power of two."""
    return int(1 << max(4, (size // PART // SLOT).bit_length() - 1))


# --- kernels ---


def start(n: Any) -> None:
    """A new node: not in the table, and one edge leads to it."""
    n.key, n.chain, n.links = np.uint64(0), NONE, 1


def hash_by_key(s: Any) -> np.uint64:
    """Positions with equal keys are equal where the game banks nothing."""
    return game.key(s)


def hash_by_state(s: Any) -> np.uint64:
    """Where something is banked, the whole state tells positions apart."""
    return hash_record(s)


def identify(w: Any, t: Any, depth: int) -> np.uint64:
    """The identity of the position `w.state`, `depth` plies below the root."""
    found = combine(combine(options.hash_position(w.state), np.uint64(w.owners[depth])), np.uint64(t.ply + depth))
    return found if found != np.uint64(0) else np.uint64(1)


def find_and_link(t: Any, nodes: Any, edges: Any, key: np.uint64, player: int) -> int:
    """The node with this identity, with one link more; NONE where there is none."""
    lock(t)
    at = find(t, nodes, edges, key, player)
    if at != NONE:
        node(nodes, at).links += 1
    unlock(t)
    return at


def find(t: Any, nodes: Any, edges: Any, key: np.uint64, player: int) -> int:
    at: Any = np.int64(slot(t, edges, key).child)
    while at != NONE and (node(nodes, at).key != key or node(nodes, at).player != player):
        at = np.int64(node(nodes, at).chain)
    return at


def insert(t: Any, nodes: Any, edges: Any, at: int, key: np.uint64) -> None:
    """Put a node in the table. With several threads, hold the lock."""
    n, head = node(nodes, at), slot(t, edges, key)
    n.key, n.chain = key, head.child
    head.child = at


def remove(t: Any, nodes: Any, edges: Any, at: int) -> None:
    """Take a node out of the table, if it is there."""
    n = node(nodes, at)
    if n.key == np.uint64(0):
        return
    head = slot(t, edges, n.key)
    if head.child == at:
        head.child = n.chain
    else:
        before: Any = np.int64(head.child)
        while node(nodes, before).chain != at:
            before = np.int64(node(nodes, before).chain)
        node(nodes, before).chain = n.chain
    n.key = np.uint64(0)


def slot(t: Any, edges: Any, key: np.uint64) -> Any:
    """The place of the first node with such a key is the `child` of what lies here: an edge begins with it."""
    return cells.cell(edges, np.int64(key & np.uint64(t.slots - 1)), SLOT)


def lock(t: Any) -> None:
    if options.THREADS:
        while not cells.grab(t):  # held for some nanoseconds
            pass


def unlock(t: Any) -> None:
    if options.THREADS:
        cells.release(t, "lock")
