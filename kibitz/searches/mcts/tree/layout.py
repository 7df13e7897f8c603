"""The Monte Carlo tree: blocks in one piece of memory, each a node with its edges behind it.

A **node** is a position of the tree. An **edge** is a move of a node, or an outcome of chance: what is needed to choose among the children. A node's
edges follow it directly, those in play in front:

    | node | edge 0 | edge 1 | edge 2 | edge 3 |      the block of a position with four moves
           |  in play: opened = 2     not tried yet: only `move` is meant

    node     total | visits | count | opened | square | player | lock [| low | high] [| key | chain | links]
    edge     child | value | move | scale [| weight] [fields of features]

A **leaf**, visited once, has no node: its edge holds all its data. `child` is the place of the child's node, or -1 - visits while it is a
leaf, so that NONE is a leaf nobody has visited. When a leaf is visited again it becomes a node, with all its edges at once. So a step down the tree
reads one block, and most positions of the tree take no memory but their edge.

Memory is counted in units of the size of an edge; a node takes NODE_UNITS of them. Places are numbers of units.

`total`, `square` and an edge's `value` are of the rewards of one player, its *owner*: who made the move that leads to the position or, after an
outcome of chance, who moved before that. Rewards run from 0, the least utility, to 1, the greatest.

The short names of this package's kernels, in the order in which they are passed:

    w       the workspace of a thread: see step/workspace.py
    t       the trunk: what belongs to the tree as a whole
    nodes   the memory seen as nodes, and `edges`, the same memory seen as edges
    n, x    a node, an edge
    at, e   the place of a node, of an edge; `first` is a node's first edge, `end` the place after its last
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import options
from kibitz.core.records.record import record
from kibitz.searches.mcts.tree import cells

NONE = -1
REPEATED = -3  # in place of a player: the game ends here because the position has come up before
PRUNED = -1e30  # the value of an edge that best play does not need: see step/proofs.py
LARGEST = 2**63 - 1  # move


def node_fields(constants: Mapping[str, Any]) -> dict[str, Any]:
    """A position of the tree."""
    number = np.int16 if widest(constants) < 2**15 else np.int32
    return {
        "total": np.float64,  # of rewards of the owner
        "visits": np.int32,  # in a list of free blocks or garbage: the place of the next one
        "count": number,  # edges
        "opened": number,  # edges in play
        "square": np.float32,  # the mean of the squares of rewards
        "player": np.int8,  # to move; or CHANCE, OVER, REPEATED
        "lock": np.int8,  # 1 while a thread changes the edges
    }


def edge_fields(constants: Mapping[str, Any]) -> dict[str, Any]:
    """A move or an outcome."""
    fields: dict[str, Any] = {
        "child": np.int32,
        "value": np.float32,  # the owner's mean reward; PRUNED where best play does not lead there
        "move": np.int64 if constants["MOVE"] is np.int64 else np.int32,
        "scale": np.float32,  # what the rule keeps of the visits (UCB1: 1 / sqrt(visits)); of an outcome: how often it is still to be drawn in this round
    }
    if constants["MAX_OUTCOMES"] and not constants["EQUALLY_LIKELY"]:
        fields["weight"] = np.float64
    return fields


def trunk_kind(constants: Mapping[str, Any]) -> np.dtype[Any]:
    """What belongs to the tree as a whole."""
    return record(
        root=np.int64,
        end=np.int64,  # the first unit never used
        limit=np.int64,  # how many units there are
        nodes=np.int64,  # in use
        garbage=np.int64,  # the first of a list of blocks to be taken apart
        free_blocks=(np.int64, widest(constants) + 1),  # the first of a list for each number of edges
        is_full=np.int64,  # 1 when a block was wanted that there was no room for
        ply=np.int64,  # of the root, from the first one
        slots=np.int64,  # of the table of positions: see position_table.py
        lock=np.int32,
    )


def widest(constants: Mapping[str, Any]) -> int:
    """The most edges of a node."""
    return int(max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"]))


@dataclass(frozen=True)
class Layout:
    """The records of a tree."""

    node: np.dtype[Any]
    edge: np.dtype[Any]

    @property
    def unit(self) -> int:
        """Bytes."""
        return self.edge.itemsize

    @property
    def node_units(self) -> int:
        """Units of a node."""
        return -(-self.node.itemsize // self.unit)


# --- kernels: places ---


def node(nodes: Any, at: int) -> Any:
    return cells.cell(nodes, at, options.UNIT)


def edge(edges: Any, e: int) -> Any:
    return cells.cell(edges, e, options.UNIT)


def first_edge(at: int) -> int:
    return at + options.NODE_UNITS


def as_word(move: int) -> np.uint64:
    """A move's number to be hashed, whatever its type."""
    return np.uint64(move & LARGEST)


def opened_edges(n: Any) -> int:
    """How many edges are in play; what another thread wrote into them is seen from here on."""
    return cells.load(n, "opened") if options.THREADS else n.opened


def child_of(x: Any) -> int:
    """Where edge `x` leads to, or -1 - visits; all that another thread wrote into the node before it put it there is seen from here on."""
    return cells.load(x, "child") if options.THREADS else x.child


def visits_behind(nodes: Any, x: Any) -> int:
    """How often simulations came through edge `x`."""
    at = child_of(x)
    if at < 0:
        return -1 - at
    return x.times if options.TRANSPOSITIONS else node(nodes, at).visits


def weight_of(x: Any) -> float:
    """How likely an outcome is; edges keep it where outcomes differ in that."""
    return x.weight if options.WEIGHTS else 1.0


def is_needed(x: Any) -> bool:
    """Not where something proven makes the edge useless."""
    return not options.SOLVE or x.value > 0.5 * PRUNED
