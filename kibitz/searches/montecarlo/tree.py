"""The Monte Carlo tree: blocks in one piece of memory, each a node with its edges behind it.

A **node** is a position of the tree. An **edge** is a move of a node, or an outcome of chance: what is needed to choose among the children. A node's
edges follow it directly, those in play in front:

    | node | edge 0 | edge 1 | edge 2 | edge 3 |      the block of a position with four moves
           |  in play: opened = 2     not tried yet: only `move` is meant

    node     total | visits | count | opened | square | player | lock [| low | high] [| key | chain | links]
    edge     child | value | move | scale [| weight] [| rave | rave_visits] [| prior | waiting] [| times]

A **leaf**, visited once, has no node: its edge holds all there is to know. `child` is the place of the child's node, or -1 - visits while it is a
leaf, so that NONE is a leaf nobody has visited. When a leaf is visited again it becomes a node, with all its edges at once. So a step down the tree
reads one block, and most positions of the tree take no memory but their edge.

Memory is counted in units of the size of an edge; a node takes NODE of them. Places are numbers of units.

`total`, `square` and an edge's `value` are of the rewards of one player, its *owner*: who made the move that leads to the position or, after an
outcome of chance, who moved before that. Rewards run from 0, the least utility, to 1, the greatest.

Memory is bounded. What lies beside the path from the old root to the new one is *garbage*: it is taken apart, block by block, when memory is wanted.
Free blocks form lists, one for each number of edges. When nothing is left the tree stops growing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import default_target, game, options
from kibitz.core.errors import InputError
from kibitz.core.protocol.rules import CYCLE_FREE
from kibitz.core.records.record import blank, record
from kibitz.searches.montecarlo import cells, shared

NONE = -1
REPEATED = -3  # in place of a player: the game ends here because the position has come up before
MOST_UNITS = 2**31 - 1  # places are 32 bits wide
LARGEST = 2**63 - 1  # move

# --- layout ---


def node_fields(constants: Mapping[str, Any], solves: bool, shares: bool = False) -> dict[str, Any]:
    """A position of the tree."""
    number = np.int16 if widest(constants) < 2**15 else np.int32
    fields: dict[str, Any] = {
        "total": np.float64,  # of rewards of the owner
        "visits": np.int32,  # in a list of free blocks or garbage: the place of the next one
        "count": number,  # edges
        "opened": number,  # edges in play
        "square": np.float32,  # the mean of the squares of rewards
        "player": np.int8,  # to move; or CHANCE, OVER, REPEATED
        "lock": np.int8,  # 1 while a thread changes the edges
    }
    if solves:  # what utilities are still possible under best play
        of_players = (exact_kind(constants), (tracked(constants),))
        fields |= {"low": of_players, "high": of_players}
    return fields | (shared.NODE_FIELDS if shares else {})


def edge_fields(constants: Mapping[str, Any], rave: bool, guided: bool = False, shares: bool = False) -> dict[str, Any]:
    """A move or an outcome."""
    fields: dict[str, Any] = {
        "child": np.int32,
        "value": np.float32,  # the owner's mean reward; PRUNED where best play does not lead there
        "move": np.int64 if constants["MOVE"] is np.int64 else np.int32,
        "scale": np.float32,  # 1 / sqrt(visits); visits where a policy guides; of an outcome: how often it is still to be drawn in this round
    }
    if constants["MAX_OUTCOMES"] and not constants["EQUALLY_LIKELY"]:
        fields["weight"] = np.float64
    if rave:
        fields |= {"rave": np.float32, "rave_visits": np.float32}
    if guided:
        fields["prior"] = np.float32  # how likely the move is by the policy; a node's add up to 1
        fields["waiting"] = np.float32  # how many of a wave are on their way through here: see wave.py
    return fields | (shared.EDGE_FIELDS if shares else {})


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
        slots=np.int64,  # of the table of positions: see shared.py
        lock=np.int32,
    )


def tracked(constants: Mapping[str, Any]) -> int:
    """For how many players bounds are kept: with opposite interests player 0's say everything."""
    players = int(constants["PLAYERS"])
    return 1 if players == 1 or (players == 2 and constants["SUM"] is not None) else players


def exact_kind(constants: Mapping[str, Any]) -> type[np.floating[Any]]:
    """A type that holds every value of the game exactly: half the size will do for whole numbers."""
    numbers = (*constants["VALUES"], constants["GRAIN"], constants["SUM"] or 0.0)
    whole = constants["GRAIN"] > 0 and all(x == int(x) and abs(x) < 2**20 for x in numbers)
    draw = (constants["SUM"] or 0.0) / constants["PLAYERS"]  # of a repetition
    whole = whole and (constants["REPETITION"] == CYCLE_FREE or float(np.float32(draw)) == draw)
    return np.float32 if whole and not constants["MAX_OUTCOMES"] else np.float64


def widest(constants: Mapping[str, Any]) -> int:
    """The most edges of a node."""
    return int(max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"]))


def sizes(constants: Mapping[str, Any], solves: bool, rave: bool, guided: bool = False, shares: bool = False) -> tuple[int, int]:
    """The bytes of a unit, and the units of a node."""
    unit = record(**edge_fields(constants, rave, guided, shares)).itemsize
    return unit, -(-record(**node_fields(constants, solves, shares)).itemsize // unit)


# --- kernels: places and memory. `t` is the trunk ---


def node(nodes: Any, at: int) -> Any:
    return cells.cell(nodes, at, options.UNIT)


def edge(edges: Any, e: int) -> Any:
    return cells.cell(edges, e, options.UNIT)


def first_edge(at: int) -> int:
    return at + options.NODE


def as_word(move: int) -> np.uint64:
    """A move's number to be hashed, whatever its type."""
    return np.uint64(move & LARGEST)


def opened_edges(n: Any) -> int:
    """How many edges are in play; what another thread wrote into them is seen from here on."""
    return cells.load(n, "opened") if options.THREADS else n.opened


def new_node(t: Any, nodes: Any, edges: Any, count: int, player: int) -> int:
    """A node for `count` edges, none of them in play and their contents meaningless; NONE where the memory is used up."""
    if t.is_full == 1:
        return NONE
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
    if options.SHARED:
        n.key, n.chain, n.links = np.uint64(0), NONE, 1
    if options.SOLVE:
        for p in range(n.low.shape[0]):
            n.low[p], n.high[p] = game.VALUES[0], game.VALUES[1]
    return at


def block(t: Any, nodes: Any, edges: Any, count: int) -> int:
    """A place for a node and `count` edges; NONE where there is none."""
    if t.garbage != NONE:
        take_apart(t, nodes, edges)
    at = listed(t, nodes, count)
    if at == NONE and t.end + options.NODE + count <= t.limit:
        at = t.end
        t.end += options.NODE + count
    while at == NONE and t.garbage != NONE:
        take_apart(t, nodes, edges)
        at = listed(t, nodes, count)
    if at == NONE:
        at = front_of_longer(t, nodes, count)
    if at == NONE:
        t.is_full = 1
    else:
        t.nodes += 1
    return at


def listed(t: Any, nodes: Any, count: int) -> int:
    """A free block for just so many edges, or NONE."""
    at = t.free_blocks[count]
    if at != NONE:
        t.free_blocks[count] = node(nodes, at).visits
    return at


def front_of_longer(t: Any, nodes: Any, count: int) -> int:
    """The front of a longer free block whose rest makes a block as well; NONE where there is none."""
    for longer in range(count + options.NODE, t.free_blocks.shape[0]):
        at = listed(t, nodes, longer)
        if at != NONE:
            free(t, nodes, at + options.NODE + count, longer - count - options.NODE)
            return at
    return NONE


def free(t: Any, nodes: Any, at: int, count: int) -> None:
    node(nodes, at).visits = t.free_blocks[count]
    t.free_blocks[count] = at


def discard(t: Any, nodes: Any, at: int) -> None:
    """The node and all below it are garbage."""
    node(nodes, at).visits = t.garbage
    t.garbage = at


def let_go(t: Any, nodes: Any, edges: Any, at: int) -> None:
    """An edge that led to the node is no more; if nothing else leads there, the node and all below it are garbage."""
    if options.SHARED:
        n = node(nodes, at)
        n.links -= 1
        if n.links > 0:
            return
        shared.leave(t, nodes, edges, at)
    discard(t, nodes, at)


def take_apart(t: Any, nodes: Any, edges: Any) -> None:
    """Free the first block of the garbage; its children are garbage now."""
    at = t.garbage
    n = node(nodes, at)
    t.garbage = n.visits
    for e in range(first_edge(at), first_edge(at) + n.opened):
        if edge(edges, e).child >= 0:
            let_go(t, nodes, edges, edge(edges, e).child)
    free(t, nodes, at, n.count)
    t.nodes -= 1


def advance(t: Any, nodes: Any, edges: Any, e: int) -> None:
    """The node that the root's edge `e` leads to becomes the root; all else is garbage."""
    at = t.root
    n = node(nodes, at)
    t.root = edge(edges, e).child
    t.ply += 1
    t.is_full = 0
    if options.SHARED:
        node(nodes, t.root).links += 1
        let_go(t, nodes, edges, at)
        return
    for other in range(first_edge(at), first_edge(at) + n.opened):
        if other != e and edge(edges, other).child >= 0:
            discard(t, nodes, edge(edges, other).child)
    free(t, nodes, at, n.count)
    t.nodes -= 1


# --- shell ---


class Tree:
    """The memory of one tree: at most `megabytes`, touched as the tree grows."""

    def __init__(
        self, constants: Mapping[str, Any], megabytes: float, solves: bool, rave: bool, guided: bool = False, shares: bool = False
    ) -> None:
        unit, self.node_units = sizes(constants, solves, rave, guided, shares)
        size = int(megabytes * 2**20)
        slots = shared.slots_for(size) if shares else 0
        units, first = size // unit, -(-slots * shared.SLOT // unit)
        if units < first + 2 * self.node_units + widest(constants):
            least = _least((2 * self.node_units + widest(constants)) * unit, unit, shares)
            raise InputError(f"memory={megabytes:g} MB is too little for one position and its moves; give {least:g} or more")
        if units > MOST_UNITS:
            raise InputError(f"memory={megabytes:g} MB is more than a tree can use; give {MOST_UNITS * unit / 2**20:.0f} or less")
        try:
            memory = np.zeros(units * unit, np.uint8)
        except MemoryError:
            raise InputError(f"no memory for a tree of {megabytes:g} MB; ask for less, such as memory=64") from None
        memory[: slots * shared.SLOT].view(np.int32)[:] = NONE
        self.nodes = cells.View(memory, record(**node_fields(constants, solves, shares)), unit)
        self.edges = cells.View(memory, record(**edge_fields(constants, rave, guided, shares)), unit)
        self.trunk = blank(trunk_kind(constants))
        t = self.trunk
        t.limit, t.garbage, t.root, t.end, t.slots = units, NONE, NONE, first, slots
        t.free_blocks[:] = NONE

    @property
    def arguments(self) -> tuple[Any, Any, Any]:
        """The tree as kernels take it."""
        if default_target() == "python":
            return self.trunk, self.nodes, self.edges
        return self.trunk, self.nodes[0], self.edges[0]

    def block_of(self, at: int) -> range:
        """The places of a node's edges."""
        return range(at + self.node_units, at + self.node_units + int(self.nodes[at].count))

    def edges_of(self, at: int) -> Any:
        """A node's edges side by side, an array."""
        block = self.block_of(at)
        return np.frombuffer(self.edges.memory, self.edges.kind, len(block), block.start * self.edges.unit)

    @property
    def used(self) -> int:
        """Bytes that belong to the tree or wait for new use."""
        return int(self.trunk.end) * self.nodes.unit


def _least(block: int, unit: int, shares: bool) -> float:
    """Megabytes, of three digits, that have room for so many bytes, for slots and for what a whole number of units leaves over."""
    needed = block + unit
    while shares and needed < block + 2 * unit + shared.slots_for(needed) * shared.SLOT:
        needed += unit
    places = 2 - math.floor(math.log10(needed / 2**20))
    return math.ceil(needed / 2**20 * 10**places) / 10**places
