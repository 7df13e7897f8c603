"""One search of one position: slices of simulations, limits, threads, and a tree that the next search can reuse.

The kernel runs in slices; between two slices the tree does not change, and a result is read from it. A slice goes on where the last one stopped, so how
long slices are changes nothing: with one thread, the same seed and the same playouts give the same tree.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from kibitz.core.compiling.binder import Bound
from kibitz.core.device.machine import DEVICES
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.records import random
from kibitz.core.records.record import blank
from kibitz.core.running.control import NO_LIMIT, supervise
from kibitz.core.running.team import Controls, Team, share_evenly
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.plan import make_plan
from kibitz.searches.mcts.report.kept_tree import advance_to
from kibitz.searches.mcts.report.last_simulation import Steps
from kibitz.searches.mcts.report.root_report import Reader
from kibitz.searches.mcts.step.simulation import simulate
from kibitz.searches.mcts.step.workspace import past_room
from kibitz.searches.mcts.tree.layout import NONE
from kibitz.searches.mcts.tree.memory import Tree
from kibitz.searches.method import refuse_finished
from kibitz.tables.endgame import lookup

MOST_PLAYOUTS = 2**31 - 2  # visits are 32 bits wide
MANY = 1 << 40
SMALL = 16.0  # megabytes of a tree for which there is no option
FIRST_LOOK, LONGEST_LOOK = 0.25, 1.0  # seconds between two results

PLAYING = (
    Parameter(
        "playout", "auto", None, None, ("auto", "uniform", "game", "policy", "greedy"),
        "moves of a playout: uniform; drawn by the game; by its policy; best by its evaluation; auto: drawn by the game if it can, else uniform",
    ),
    Parameter("epsilon", 0.1, 0.0, 1.0, None, "how often a greedy playout makes a random move instead"),
    Parameter("cutoff", 0, 0, 1 << 20, None, "end a playout after this many moves and evaluate; 0: play to the end"),
    Parameter("reward", "score", None, None, ("score", "win"), "what a playout counts: the utility, or only whether it is won"),
    Parameter("seed", 0, 0, 2**62, None, "same seed and one thread: same playouts"),
    Parameter("threads", 1, 1, 256, None, "threads that grow one tree; with more than one, results are not reproducible"),
    Parameter("trees", 0, 0, 1 << 20, None, "trees of the position, whose roots are merged: root-parallel search; 0: one"),
    Parameter("crew", 0, 0, 1 << 17, None, "threads of a GPU that grow each tree together; 0: thousands where there is one tree, else one"),
    Parameter("device", "cpu", None, None, DEVICES, "where trees grow; cuda: on an NVIDIA GPU"),
)  # fmt: skip


@dataclass
class Memory:
    """A tree that outlives a search: the next one starts from what is known of its position already."""

    tree: Tree | None = None
    position: Position | None = None
    kind: tuple[Any, ...] = ()
    searches: int = 0  # each has random numbers of its own


class Search:
    """One search of one position, made of these features; `by_value` prefers the highest value to the most visits."""

    def __init__(
        self,
        position: Position,
        settings: Mapping[str, Any],
        engine: str,
        memory: Memory | None,
        features: Sequence[Feature],
        by_value: bool = False,
    ) -> None:
        refuse_finished(position)
        if len(position.past) > past_room(position.game.constants, settings):
            settings = {**settings, "solve": False}  # a repetition may go unseen, so that nothing would be certain
        self.position, self.settings, self.engine, self.by_value = position, settings, engine, by_value
        self.endings: lookup.Inside | None = settings.get("endings")
        self.plan = make_plan(position.game, settings, features)
        self.options = self.plan.options
        self.memory = memory or Memory()
        self.label = engine.partition("(")[0]
        self.kernel = position.game.bind(simulate, self.options, label=self.label)
        self.workers = [self._workspace(number) for number in range(settings["threads"])]
        self.tree = self._tree()
        self.memory.position = position  # the tree's root is this one from now on, whether or not anything is searched
        self.memory.searches += 1
        self.reader = Reader(position, self.tree, self.options, self.workers)
        self.began, self.seconds = time.perf_counter(), 0.0
        given = settings["playouts"]
        self.most_playouts = given - (1 if settings.get("trace") else 0) if given else None  # the last one is looked at by itself

    def results(self) -> Iterator[Result]:
        """A result now and then, and a last one when a limit is met, the root is proven or Ctrl-C ends the search."""
        self.prepare()
        self.began = time.perf_counter()
        look = FIRST_LOOK
        while True:
            try:
                ended = self._slice(look)
            except KeyboardInterrupt:  # between two kernels
                ended = "interrupted"
            if ended and self.settings.get("trace"):
                self._last_step(self.settings["trace"])
            yield self._answer(ended)
            if ended:
                return
            look = min(LONGEST_LOOK, max(FIRST_LOOK, 0.5 * self.seconds))

    def prepare(self) -> None:
        """Compile what is needed on the way and at the end."""
        self.kernel.prepare(*self._arguments(self.workers[0]))
        self.reader.kernel.prepare(*self.tree.arguments, self.reader.rows)

    # --- running ---

    def _slice(self, seconds: float) -> str:
        """Simulations for a while; why to stop, if so."""
        limit = self.settings["time"]
        left = limit - (time.perf_counter() - self.began) if limit else seconds
        if len(self.workers) > 1 and self.tree.trunk.root == NONE:
            self._plant()
        self._share_limits()
        run = supervise(
            cast(Bound, Team(self.kernel, [self._arguments(w) for w in self.workers])),
            control=Controls(self.workers),
            seconds=min(seconds, left),
        )
        self.seconds = time.perf_counter() - self.began
        return "interrupted" if run.interrupted else self._why(limit)

    def _why(self, limit: float) -> str:
        """Why to stop, if so."""
        if self.options["SOLVE"] and self.reader.is_proven:
            return "solved"
        if self.most_playouts is not None and self.playouts >= self.most_playouts:
            return "playouts"
        if self.settings["nodes"] and self.nodes >= self.settings["nodes"]:
            return "nodes"
        if self.reader.visits >= MOST_PLAYOUTS:
            return "playouts"
        return "time" if limit and self.seconds >= limit else ""

    def _share_limits(self) -> None:
        """What is left to do, in equal parts for all threads."""
        most = MOST_PLAYOUTS if self.most_playouts is None else self.most_playouts
        playouts = share_evenly(min(most - self.playouts, MOST_PLAYOUTS - self.reader.visits), len(self.workers))
        nodes = share_evenly(max(0, (self.settings["nodes"] or NO_LIMIT) - self.nodes), len(self.workers))
        for w, more_playouts, more_nodes in zip(self.workers, playouts, nodes, strict=True):
            w.most_playouts, w.control.limit = w.playouts + more_playouts, w.control.nodes + more_nodes

    def _plant(self) -> None:
        """One simulation by one thread: several would each make a root of their own."""
        w = self.workers[0]
        w.most_playouts, w.control.limit = w.playouts + 1, NO_LIMIT
        self.kernel(*self._arguments(w))

    def _last_step(self, steps: Steps) -> None:
        """One more simulation by itself, for a picture of it."""
        w, made, deepest = self.workers[0], self.playouts, int(self.workers[0].deepest)
        w.deepest, w.most_playouts, w.control.limit = 0, w.playouts + 1, NO_LIMIT
        self._simulate(w)
        steps.keep(self.position.game, self.tree, w, int(w.deepest) if self.playouts > made else None, self.options)
        w.deepest = max(deepest, int(w.deepest))

    def run_playouts(self, playouts: int) -> None:
        """Run simulations in one thread, without looking up, until there are `playouts` of them."""
        w = self.workers[0]
        w.most_playouts, w.control.limit = playouts, NO_LIMIT
        self._simulate(w)

    def _simulate(self, w: Any) -> None:
        """All that the worker may still do, in this thread."""
        self.kernel(*self._arguments(w))

    def _arguments(self, w: Any) -> tuple[Any, ...]:
        return w, *self.tree.arguments

    @property
    def playouts(self) -> int:
        return sum(int(w.playouts) for w in self.workers)

    @property
    def nodes(self) -> int:
        return sum(int(w.control.nodes) for w in self.workers)

    # --- before ---

    def _workspace(self, number: int) -> Any:
        constants, settings = self.position.game.constants, self.settings
        w = blank(self.plan.workspace)
        w.root = self.position.state
        lookup.attach(self.endings, w, self.position)
        w.expand = settings.get("expand", 1)
        for name in self.plan.settings:
            setattr(w, name, settings[name])
        with np.errstate(over="ignore"):  # uint64 arithmetic wraps on purpose
            random.seed(w.rng, settings["seed"], self.memory.searches * MANY + number)
        if self.position.game.repeats:
            past = [*self.position.past[-past_room(constants, settings) :], self.position.situation]
            w.keys[: len(past)] = past
            w.past = len(past) - 1
        return w

    def _tree(self) -> Tree:
        """The tree of the search before, from this position on; a new one where there is none or it does not know the position."""
        megabytes = self.settings.get("memory", SMALL)
        kind = (self.position.game, tuple(self.options.items()), megabytes, *(self.endings.meaning if self.endings else ()))
        old, before = self.memory.tree, self.memory.position
        if old is not None and before is not None and self.memory.kind == kind and old.trunk.root != NONE and not self.position.is_chance:  # noqa: SIM102
            if advance_to(old, before, self.position, self.workers[0], self.options):
                return old
        self.memory.tree = old = None  # before there is a second one
        self.memory.tree = Tree(self.position.game.constants, megabytes, self.plan.layout, self.plan.flags.TRANSPOSITIONS)
        self.memory.kind = kind
        return self.memory.tree

    # --- after ---

    def _answer(self, ended: str) -> Result:
        found = self.reader.read(by_value=self.by_value)
        hits = lookup.hits(self.endings, *self.workers)
        note = f"the tree is full ({self.settings.get('memory', SMALL):g} MB) and grows no more" if self.tree.trunk.is_full else ""
        return Result(
            position=self.position,
            engine=self.engine,
            move=found.line[0] if found.line else None,
            value=found.value,
            bound=found.bound,
            line=found.line,
            depth=max(int(w.deepest) for w in self.workers),
            nodes=self.nodes,
            seconds=self.seconds,
            ended=ended,
            playouts=self.playouts,
            table=found.table,
            values=found.values,
            note=lookup.noted(note, self.endings, hits),
            hits=hits,
        )
