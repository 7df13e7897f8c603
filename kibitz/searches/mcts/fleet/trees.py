"""Many trees on one machine: their memory, and their growth in slices short enough to be stopped.

How long slices are and how many trees grow at once changes nothing: a tree depends on its position, its number and the seed.
"""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import CUDA
from kibitz.core.device.machine import Fleet, Machine
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.records.record import blank
from kibitz.core.running.control import NO_LIMIT, heeded
from kibitz.searches.mcts.fleet import kernels
from kibitz.searches.mcts.search import MOST_PLAYOUTS, Memory, Search
from kibitz.searches.mcts.step.workspace import plies
from kibitz.searches.mcts.tree.layout import trunk_kind, widest
from kibitz.searches.method import method, module_of

DEEPEST = 192  # plies of a tree: each thread of a GPU has room for these
LEAST_PAST = 128  # positions before a root that there is room for in any case
ALONE = {"wave": 0, "network": "", "subtree": 0, "noise": 0.0, "temperature": 0.0, "choose": "visits"}  # options of searches of one tree
SLICE = 0.02  # seconds
SHARE = {CUDA: 0.85, "cpu": 0.5}  # of the free memory


def prototype(
    position: Position,
    name: str,
    settings: Mapping[str, Any],
    past: int,
    number: int = 0,
    megabytes: float | None = None,
    crew: int = 1,
) -> Search:
    """The search of one of the trees as any other: what many of them have in common, and what tree `number` is compared with.

    There is room for `past` earlier positions, which may come up again. A `crew` of several threads may grow each tree.
    """
    module = importlib.import_module(module_of(name))
    if not hasattr(module, "make_search"):
        raise InputError(f"{name} does not grow trees that many of which fit beside each other; use uct, montecarlo, puct or esprit")
    if settings["threads"] > 1:
        raise InputError(f"threads={settings['threads']}: a tree of many has one thread; leave threads out")
    if settings.get("transpositions"):
        raise InputError("transpositions=true: trees of many share no positions; leave transpositions out")
    for option, usual in ALONE.items():
        if settings.get(option, usual) != usual and (option, settings[option]) != ("wave", 1):
            raise InputError(f"{option}={settings[option]}: not with trees of many; leave {option} out")
    plain = {**settings, "deepest": min(plies(position.game.constants), DEEPEST), "time": 0.0, "past": past, "fetch": True}
    plain["threads"] = 1 if crew == 1 else 2  # kernels for several do for any number
    if "memory" in settings and megabytes is not None:
        plain["memory"] = megabytes
    memory = Memory(searches=number)
    made: Search = module.make_search(position, plain, method(name).name, memory)
    return made


def tree_bytes(search: Search, playouts: int) -> int:
    """Bytes that a tree can need for a number of playouts: each may add a node with all the moves there are."""
    layout, constants = search.plan.layout, search.position.game.constants
    return (playouts + 2) * (layout.node_units + widest(constants)) * layout.unit


class Trees:
    """A number of trees of one kind on a machine, a crew of threads for each, made once; `plant` begins them anew."""

    def __init__(self, machine: Machine, search: Search, count: int, each: int, crew: int = 1) -> None:
        game, plan = search.position.game, search.plan
        constants = game.constants
        self.machine, self.search, self.count, self.each, self.crew = machine, search, count, each, crew
        self.kinds = {
            "WORK": plan.workspace, "TRUNK": trunk_kind(constants), "ROOT": kernels.root_kind(constants, search.settings["past"]),
            "SUMMARY": kernels.summary_kind(constants), "NODE": plan.layout.node, "EDGE": plan.layout.edge,
        }  # fmt: skip
        sizes = {f"{name}_SIZE": kind.itemsize for name, kind in self.kinds.items()}
        options = {**plan.options, **self.kinds, **sizes, "BY_VALUE": search.by_value, "CHANGED": plan.changed, "KEPT": plan.kept}
        self.plant_, self.grow_, self.sum_up_ = (
            Fleet(game, function, options, f"{search.label} ({words})")
            for function, words in ((kernels.plant, "planting"), (kernels.grow, "many trees"), (kernels.sum_up, "reading many"))
        )
        self.job = blank(kernels.Job)
        self.job.each, self.job.crew = each, crew
        self.arrays: dict[str, Any] = {}
        self.step = 1  # playouts of a slice
        self.pace = 0.0  # seconds of one, by the last slice

    def prepare(self) -> None:
        """Compile, before memory is taken and time counts."""
        for fleet in (self.plant_, self.grow_, self.sum_up_):
            self.machine.prepare(fleet, self.job)

    def _room(self) -> None:
        if self.arrays:
            return
        kinds, job = self.kinds, self.job
        self.arrays = {
            "pattern": self.machine.array(kinds["WORK"], 1),
            "trunk": self.machine.array(kinds["TRUNK"], 1),
            "roots": self.machine.array(kinds["ROOT"], self.count),
            "workspaces": self.machine.array(kinds["WORK"], self.count * self.crew),
            "trunks": self.machine.array(kinds["TRUNK"], self.count),
            "memory": self.machine.array(np.uint8, self.count * self.each),
            "sums": self.machine.array(kinds["SUMMARY"], self.count),
        }
        for name, array in self.arrays.items():
            setattr(job, name, array.address)

    def release(self) -> None:
        """Give the memory back."""
        for array in self.arrays.values():
            array.release()
        self.arrays = {}

    def plant(self, roots: Any, seed: int, first: int, playouts: int) -> None:
        """Trees for these roots (records of root_kind), numbers `first` and so on, to be grown to `playouts` playouts each."""
        self._room()
        w, t = self.search.workers[0].copy(), self.search.tree.trunk.copy()
        w.control.limit, self.job.playouts = NO_LIMIT, min(playouts or MOST_PLAYOUTS, MOST_PLAYOUTS)
        t.limit = self.each // self.search.plan.layout.unit
        self.arrays["pattern"].write(np.array([w], self.kinds["WORK"]))
        self.arrays["trunk"].write(np.array([t], self.kinds["TRUNK"]))
        self.arrays["roots"].write(roots)
        self.planted, self.grown = len(roots), 0
        self.job.seed, self.job.first, self.job.until = seed, first, 0
        self.machine.run(self.plant_, self.planted * self.crew, self.job)

    def slice(self, playouts: int, seconds: float = math.inf) -> None:
        """Some more playouts of each thread, at most up to `playouts` of a tree (0: no end), in about SLICE seconds, or fewer where no more are left."""
        began, most = time.perf_counter(), -(-(playouts or MOST_PLAYOUTS) // self.crew)
        step = self.step if self.pace <= 0.0 else max(1, min(self.step, int(seconds / self.pace) if seconds < 1e6 else self.step))
        if self.crew > 1 and self.grown == 0:
            step = 1  # the first of each crew plants the root
        self.grown = min(self.grown + step, most)
        self.job.until = self.grown
        self.machine.run(self.grow_, self.planted * self.crew, self.job)
        took = time.perf_counter() - began
        self.pace = took / step
        if step < self.step:
            return
        if took < 0.6 * SLICE:
            self.step *= 2
        elif took > 1.4 * SLICE:
            self.step = max(1, int(self.step * SLICE / took))

    def grow(self, playouts: int) -> bool:
        """All of them; False where somebody wished that it ends before."""
        stop = heeded()
        while self.grown * self.crew < playouts:
            if stop is not None and stop.due:
                return False
            self.slice(playouts)
        return True

    def summaries(self) -> Any:
        """What the roots know: records of summary_kind."""
        self.machine.run(self.sum_up_, self.planted, self.job)
        return self.arrays["sums"].read(0, self.planted)


def past_of(positions: Sequence[Position]) -> int:
    """How many positions were before any of these, rounded up, so that there are few kinds of kernels."""
    longest = max(len(p.past) for p in positions)
    return max(LEAST_PAST, 1 << longest.bit_length())


def roots_of(positions: Sequence[Position], past: int) -> Any:
    """The positions as kernels take them."""
    game = positions[0].game
    roots = np.zeros(len(positions), kernels.root_kind(game.constants, past))
    roots["state"] = np.frombuffer(b"".join(p.data for p in positions), game.constants["State"])
    if game.repeats:
        for root, position in zip(roots, positions, strict=True):
            before = [*position.past, position.situation]
            root["keys"][: len(before)], root["past"] = before, len(before) - 1
    return roots


def fitting(machine: Machine, wanted: int, each: int, beside: int) -> int:
    """How many of these trees, each of a size in bytes and with some overhead, fit in the machine's memory at once."""
    free = machine.free() * SHARE[machine.device]
    most = int(free // (each + beside))
    if most < 1:
        raise InputError(
            f"one tree of {each / 2**20:.0f} MB is more than the {free / 2**20:.0f} MB that {machine.device} has free; ask for fewer playouts or less memory"
        )
    return min(wanted, most)
