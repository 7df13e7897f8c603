"""One position, on a GPU or on all cores: one tree that a crew of thousands of threads grows together, or many trees whose roots are put together.

A crew works on its tree as the threads of a search on the CPU do (see step/simulation.py): no two runs are alike. It sees as deep as one tree of so many simulations
can, but for the thousands that are always under way. So it is the stronger of the two by far, and the usual one on a GPU.

Root-parallel: each of many trees has random numbers of its own.

The visits of a move are added up, and its value is the mean of all simulations that began with it; what one tree has proven is certain for all. Trees share no
information: many small trees are wider and less deep than one large one of as many simulations. On a GPU there are thousands of trees, and enough simulations to make up for it.
The same seed, trees and playouts give the same answer on this computer and on a GPU.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import CUDA
from kibitz.core.device.machine import machine_for
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.result import ESTIMATE, EXACT, Candidate, Result
from kibitz.core.protocol.rules import FORBIDDEN
from kibitz.core.running.control import heeded
from kibitz.core.running.pool import cores
from kibitz.searches.mcts.fleet.trees import Trees, fitting, past_of, prototype, roots_of, tree_bytes
from kibitz.searches.mcts.guided_search import SAYS
from kibitz.searches.mcts.search import FIRST_LOOK, LONGEST_LOOK, MOST_PLAYOUTS
from kibitz.searches.method import method

USUAL_CREW = 4096  # threads that grow one tree on a GPU
LEAST_EACH = 16  # playouts of each of them, where so few are asked for that more threads would know too little of each other
SHARE = 0.7  # of the memory that is free, where nobody says how much
MOST_EACH = 4 * 2**20  # bytes of a tree for each of its threads, where nobody says how many playouts it is for
MOST_UNITS = 2**31 - 1  # places in a tree are 32 bits wide


def is_apart(settings: Mapping[str, Any]) -> bool:
    """Do the settings ask for many trees?"""
    return bool(settings["device"] != "cpu" or settings["trees"] > 1 or settings["crew"] > 1)


def search_roots(position: Position, name: str, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Results now and then, and a last one when a limit is met or the root is proven."""
    return RootSearch(position, name, settings, engine).results()


class RootSearch:
    """One search of one position by many trees."""

    def __init__(self, position: Position, name: str, settings: Mapping[str, Any], engine: str) -> None:
        self.position, self.settings, self.engine = position, settings, engine
        self.machine = machine_for(settings["device"], settings["threads"])
        number = settings["trees"] or (1 if settings["device"] == CUDA or settings["crew"] > 1 else cores())
        self.each_playouts = -(-settings["playouts"] // number)  # 0: no limit
        crew = self._crew(number)
        self.past = past_of([position])
        search = prototype(position, name, {**settings, "threads": 1}, self.past, crew=crew)
        each = self._bytes(name, number, tree_bytes(search, self.each_playouts) if self.each_playouts else crew * MOST_EACH)
        each = min(each, (MOST_UNITS - search.plan.layout.node_units) * search.plan.layout.unit // 64 * 64)
        kinds = Trees(self.machine, search, 0, each).kinds
        beside = sum(kind.itemsize for kind in kinds.values()) + (crew - 1) * kinds["WORK"].itemsize
        if fitting(self.machine, number, each, beside) < number:
            raise InputError(
                f"trees={number}: {number * each / 2**20:.0f} MB are more than {settings['device']} has free; ask for fewer trees"
            )
        self.trees, self.number, self.each = Trees(self.machine, search, number, each, crew), number, each
        self.by_value, self.seconds = search.by_value, 0.0

    def _crew(self, number: int) -> int:
        """How many threads grow each tree: so many as the user says; else thousands for a single one on a GPU."""
        if self.settings["crew"]:
            return int(self.settings["crew"])
        if number > 1 or self.settings["device"] != CUDA:
            return 1
        return max(1, min(USUAL_CREW, self.each_playouts // LEAST_EACH if self.each_playouts else USUAL_CREW))

    def _bytes(self, name: str, number: int, needed: int) -> int:
        """Memory for each tree: the user's total, or else what fits."""
        usual = {p.name: p.default for p in method(name).options}
        given = self.settings.get("memory")
        is_said = given is not None and given != usual["memory"]
        most = (
            int(given * 2**20)
            if is_said and given
            else int(SHARE * self.machine.free())
            if self.settings["device"] == CUDA
            else 256 * 2**20
        )
        return min(most // number, needed) // 64 * 64

    def results(self) -> Iterator[Result]:
        self.trees.prepare()
        began, look, ended = time.perf_counter(), FIRST_LOOK, ""
        self.trees.plant(roots_of([self.position] * self.number, self.past), self.settings["seed"], 0, self.each_playouts)
        try:
            while not ended:
                try:
                    ended = self._grow(began, look)
                except KeyboardInterrupt:  # between two kernels
                    ended = "interrupted"
                self.seconds = time.perf_counter() - began
                found = self.trees.summaries()
                merged = Merged(self.position, found, self.by_value)
                ended = "solved" if merged.is_proven else ended or self._enough(found)
                yield self._answer(merged, found, ended)
                look = min(LONGEST_LOOK, max(FIRST_LOOK, 0.5 * self.seconds))
        finally:
            self.trees.release()

    def _grow(self, began: float, look: float) -> str:
        """Slices for a while; why to stop, if so."""
        stop, limit, until, before = heeded(), self.settings["time"], time.perf_counter() + look, self.trees.grown
        while True:
            now = time.perf_counter()
            if stop is not None and stop.due and self.trees.grown:
                return "interrupted"
            if limit and now - began >= limit and self.trees.grown:
                return "time"
            if self.trees.grown * self.trees.crew >= (self.each_playouts or MOST_PLAYOUTS):
                return "playouts"
            if self.trees.grown > before and (now >= until or self.settings["nodes"]):
                return ""
            self.trees.slice(self.each_playouts, limit - (now - began) if limit else math.inf)

    def _enough(self, found: Any) -> str:
        nodes = self.settings["nodes"]
        if nodes and int(found["nodes"].sum()) >= nodes:
            return "nodes"
        return "playouts" if bool(found["is_full"].all()) and int(found["playouts"].min()) >= 1 << 30 else ""

    def _answer(self, merged: Merged, found: Any, ended: str) -> Result:
        for fault in found["fault"][found["fault"] != 0][:1]:
            raise InputError(f"{self.position.game.name}: {SAYS[int(fault)]}")
        full = int(found["is_full"].sum())
        trees = f"{self.number} trees" if self.number > 1 else "one tree"
        hands = f", {self.trees.crew} threads for each" if self.trees.crew > 1 else ""
        note = f"{trees} of up to {self.each / 2**20:.3g} MB on {self.settings['device']}{hands}" + (f", {full} full" if full else "")
        table = merged.table()
        best = None if self.position.is_chance or not table else table[0]
        return Result(
            position=self.position, engine=self.engine, move=best.move if best else None, value=merged.value(), bound=EXACT if merged.is_proven else ESTIMATE,
            line=best.line if best else (), depth=int(found["deepest"].max()), nodes=int(found["nodes"].sum()), seconds=self.seconds, ended=ended,
            playouts=int(found["playouts"].sum()), table=table, note=note,
        )  # fmt: skip


class Merged:
    """What many roots of one position know, put together."""

    def __init__(self, position: Position, found: Any, by_value: bool = False) -> None:
        self.position, self.by_value = position, by_value
        self.low, self.high = float(found["low"].max()), float(found["high"].min())
        is_there = np.arange(found["moves"].shape[1]) < found["edges"][:, None]
        moves = found["moves"][is_there]
        self.moves = np.unique(found["moves"][0][: found["edges"][0]])  # the same in all trees
        place = np.searchsorted(self.moves, moves)
        times, values = found["times"][is_there], found["values"][is_there]
        self.times = np.bincount(place, times, len(self.moves)).astype(np.int64)
        total = np.bincount(place, np.where(times > 0, times * np.nan_to_num(values), 0.0), len(self.moves))
        with np.errstate(invalid="ignore", divide="ignore"):
            self.values = total / self.times
        self.lows, self.highs = np.full(len(self.moves), -np.inf), np.full(len(self.moves), np.inf)
        np.maximum.at(self.lows, place, found["lows"][is_there])
        np.minimum.at(self.highs, place, found["highs"][is_there])
        allowed = np.zeros(len(self.moves), bool)
        np.logical_or.at(allowed, place, found["possible"][is_there] == 1)
        if not position.is_chance:
            self._narrow(allowed)

    def _narrow(self, allowed: Any) -> None:
        """Bounds of the root by those of its moves, and which moves may be best."""
        certain = float(self.lows.max())
        self.low, self.high = max(self.low, certain), min(self.high, float(self.highs.max()))
        self.proven = self.lows >= self.highs
        self.values = np.where(self.proven, self.lows, self.values)
        best = (self.lows == certain) if self.is_proven else (self.highs > certain) | (self.lows == certain)
        self.possible = best & allowed if (best & allowed).any() else best
        if self.position.game.constants["REPETITION"] == FORBIDDEN:  # the trees take a move that is not allowed for a loss
            legal = np.isin(self.moves, self.position.numbers)
            for told in ("moves", "times", "values", "lows", "highs", "proven", "possible"):
                setattr(self, told, getattr(self, told)[legal])

    @property
    def is_proven(self) -> bool:
        return self.low >= self.high

    def value(self) -> float:
        """To the player to move; the mean of what chance may bring."""
        if self.is_proven:
            return self.low
        if self.position.is_chance:
            weights = dict(zip((int(m) for m in self.position.moves), self.position.chances, strict=True))
            shares = np.array([weights[int(m)] for m in self.moves]) * (self.times > 0)
            return float(np.nansum(shares * self.values) / shares.sum())
        best = self._order()[0]
        if self.times[best] or self.proven[best]:
            return float(self.values[best])
        return float(
            self.position.game.rule("evaluate")(self.position.state, self.position.player)
        )  # only moves that are not allowed were tried

    def _order(self) -> Any:
        first, second = -np.nan_to_num(self.values, nan=-np.inf), -self.times
        return np.lexsort((second, first, ~self.possible) if self.by_value else (first, second, ~self.possible))

    def table(self) -> tuple[Candidate, ...]:
        """The moves, best first."""
        order = range(len(self.moves)) if self.position.is_chance else self._order()
        proven = np.zeros(len(self.moves), bool) if self.position.is_chance else self.proven
        return tuple(
            Candidate(
                self.position,
                (int(self.moves[i]),),
                int(self.times[i]),
                float(self.values[i]),
                float("nan"),
                EXACT if proven[i] else ESTIMATE,
            )
            for i in order
        )
