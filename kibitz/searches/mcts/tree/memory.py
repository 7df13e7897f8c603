"""The memory of one tree, as Python sees it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import default_target
from kibitz.core.errors import InputError
from kibitz.core.records.memory import zeros
from kibitz.core.records.record import blank
from kibitz.searches.mcts.tree import cells, position_table
from kibitz.searches.mcts.tree.layout import NONE, Layout, trunk_kind, widest

MOST_UNITS = 2**31 - 1  # places are 32 bits wide


class Tree:
    """The memory of one tree: at most `megabytes`, touched as the tree grows."""

    def __init__(self, constants: Mapping[str, Any], megabytes: float, layout: Layout, has_table: bool) -> None:
        unit, self.node_units = layout.unit, layout.node_units
        size = int(megabytes * 2**20)
        slots = position_table.slots_for(size) if has_table else 0
        units, first = size // unit, -(-slots * position_table.SLOT // unit)
        if units < first + 2 * self.node_units + widest(constants):
            least = _least((2 * self.node_units + widest(constants)) * unit, unit, has_table)
            raise InputError(f"memory={megabytes:g} MB is too little for one position and its moves; give {least:g} or more")
        if units > MOST_UNITS:
            raise InputError(f"memory={megabytes:g} MB is more than a tree can use; give {MOST_UNITS * unit / 2**20:.0f} or less")
        memory = zeros(np.uint8, units * unit, f"no memory for a tree of {megabytes:g} MB; ask for less, such as memory=64")
        memory[: slots * position_table.SLOT].view(np.int32)[:] = NONE
        self.nodes = cells.View(memory, layout.node, unit)
        self.edges = cells.View(memory, layout.edge, unit)
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


def _least(block: int, unit: int, has_table: bool) -> float:
    """Megabytes, rounded to three digits, with room for these bytes, for the slots and for what a whole number of units leaves over."""
    needed = block + unit
    while has_table and needed < block + 2 * unit + position_table.slots_for(needed) * position_table.SLOT:
        needed += unit
    places = 2 - math.floor(math.log10(needed / 2**20))
    return math.ceil(needed / 2**20 * 10**places) / 10**places
