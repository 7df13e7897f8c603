"""Many positions at once, one tree each: for training data, books, sets of test positions.

Tree `i` equals the tree of a separate search of positions[i], with random numbers that depend on the seed and on `i`: it is the same on this
computer and on a GPU, simulation for simulation. So a whole Result of any of them can be had later: that one tree is grown again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np

from kibitz.core.device.machine import machine_for
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.searches.mcts.fleet.trees import Trees, fitting, past_of, prototype, roots_of, tree_bytes
from kibitz.searches.mcts.guided_search import SAYS

USUAL_PLAYOUTS = 1000


@dataclass(frozen=True)
class Many(Sequence[Result]):
    """What was found, in arrays, one row for each position; `many[i]` is a whole Result."""

    positions: Sequence[Position] = field(repr=False)
    engine: str
    device: str
    seconds: float  # of growing, compiling left out
    playouts: int  # of all trees
    nodes: int
    trees_at_once: int
    bytes_each: int  # of memory for a tree
    moves: Any = field(repr=False)  # the move to make; NONE at a chance node
    values: Any = field(repr=False)  # utilities of the player to move, of player 0 where chance is
    exact: Any = field(repr=False)  # proven
    numbers: Any = field(repr=False)  # the moves of each position, in a row each; 0 behind the last
    visits: Any = field(repr=False)  # playouts through them
    counts: Any = field(repr=False)  # moves in the row
    each: Any = field(repr=False)  # playouts of each tree
    again: Any = field(repr=False, compare=False)  # grows a tree again

    def __len__(self) -> int:
        return len(self.positions)

    @overload
    def __getitem__(self, index: int) -> Result: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Result]: ...

    def __getitem__(self, index: int | slice) -> Result | Sequence[Result]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"{index}: there are {len(self)} positions")
        found: Result = self.again(index % len(self), int(self.each[index]))
        return found

    def __iter__(self) -> Iterator[Result]:
        return (self[i] for i in range(len(self)))


def search_trees(positions: Sequence[Position], name: str, settings: Mapping[str, Any], engine: str, device: str, threads: int = 0) -> Many:
    """A tree for each position; see the module's docstring."""
    positions = list(positions)
    _check(positions, settings)
    past = past_of(positions)
    search = prototype(positions[0], name, settings, past)
    machine, playouts = machine_for(device, threads), int(settings["playouts"] or USUAL_PLAYOUTS)
    each = tree_bytes(search, playouts)
    if "memory" in settings:
        unit = search.plan.layout.unit
        each = min(each, int(settings["memory"] * 2**20) // unit * unit)
    beside = sum(kind.itemsize for kind in Trees(machine, search, 0, each).kinds.values())
    at_once = fitting(machine, len(positions), each, beside)
    trees = Trees(machine, search, at_once, each)
    trees.prepare()
    began, found = time.perf_counter(), []
    for first in range(0, len(positions), at_once):
        part = positions[first : first + at_once]
        trees.plant(roots_of(part, past), settings["seed"], first, playouts)
        if not trees.grow(playouts):
            raise KeyboardInterrupt
        found.append(trees.summaries())
    seconds = time.perf_counter() - began
    trees.release()

    def again(index: int, made: int) -> Result:
        alone = prototype(positions[index], name, {**settings, "playouts": made}, past, index, megabytes=(each + 0.5) / 2**20)
        alone.prepare()
        alone.run_playouts(made)
        alone.seconds = 0.0
        return alone._answer("playouts")

    return _told(np.concatenate(found), positions, engine, device, seconds, at_once, each, again)


def _check(positions: list[Position], settings: Mapping[str, Any]) -> None:
    if not positions:
        raise InputError("there are no positions to search; give at least one")
    if any(p.game is not positions[0].game and p.game != positions[0].game for p in positions):
        raise InputError("positions of different games; search those of each game by themselves")
    for limit in ("time", "nodes"):
        if settings[limit]:
            raise InputError(f"{limit}: many trees are each grown to a number of playouts; give playouts")


def _told(found: Any, positions: list[Position], engine: str, device: str, seconds: float, at_once: int, each: int, again: Any) -> Many:
    for i in np.flatnonzero(found["is_over"])[:1]:
        raise InputError(f"position {i}: the game is over; there is no move to find")
    for i in np.flatnonzero(found["fault"])[:1]:
        raise InputError(f"position {i}: {positions[i].game.name}: {SAYS[int(found['fault'][i])]}")
    exact = found["low"] >= found["high"]
    wide = int(found["edges"].max())
    best = np.argmax(found["moves"] == found["best"][:, None], axis=1)
    rows = np.arange(len(found))
    values = np.where(exact, found["low"], found["values"][rows, best])
    for i in np.flatnonzero(found["player"] < 0):  # the mean over what chance may bring
        alone = again(int(i), int(found["playouts"][i]))
        values[i] = alone.value
    return Many(
        positions, engine, device, seconds, int(found["playouts"].sum()), int(found["nodes"].sum()), at_once, each,
        np.where(found["player"] < 0, -1, found["best"]), values, exact,
        np.where(np.arange(wide) < found["edges"][:, None], found["moves"][:, :wide], 0), found["times"][:, :wide], found["edges"], found["playouts"], again,
    )  # fmt: skip
