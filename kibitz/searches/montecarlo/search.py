"""The shell around `simulate`: options, memory, threads, and what the tree says after a while.

The kernel runs in slices; between two of them nobody changes the tree, and a result is made of it. A slice goes on where the last one stopped, so how
long slices are changes nothing: with one thread, the same seed and the same playouts give the same tree.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from kibitz.core.compiling.binder import Bound
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import WEIGHTED
from kibitz.core.records import random
from kibitz.core.records.record import blank
from kibitz.core.running.control import NO_LIMIT, supervise
from kibitz.searches.method import LIMITS, PLAYOUTS
from kibitz.searches.montecarlo import reading, simulate
from kibitz.searches.montecarlo.steps import Steps
from kibitz.searches.montecarlo.tree import NONE, Tree, sizes

MOST_PLAYOUTS = 2**31 - 2  # visits are 32 bits wide
MANY = 1 << 40
FIRST_LOOK, LONGEST_LOOK = 0.25, 1.0  # seconds between two results

STOPPING = (*(p for p in LIMITS if p.name != "depth"), PLAYOUTS)
PLAYING = (
    Parameter(
        "playout", "auto", None, None, ("auto", "uniform", "game", "policy", "greedy"),
        "moves of a playout: all alike, as the game draws them, by its policy, what its evaluation likes best; auto: the game's, if it has its own",
    ),
    Parameter("epsilon", 0.1, 0.0, 1.0, None, "how often a greedy playout makes any move instead"),
    Parameter("cutoff", 0, 0, 1 << 20, None, "end a playout after so many moves and evaluate; 0: play to the end"),
    Parameter("reward", "score", None, None, ("score", "win"), "what a playout counts: the utility, or only whether it is won"),
    Parameter("seed", 0, 0, 2**62, None, "same seed and one thread: same playouts"),
    Parameter("threads", 1, 1, 256, None, "threads that grow one tree; more than one: no two runs are alike"),
)  # fmt: skip
USUAL = {"explore": 0.0, "memory": 16.0, "expand": 1, "solve": False, "rave": 0.0, "widen": 0.0, "sparse": 0.0, "alpha": 0.5}


@dataclass
class Memory:
    """A tree that outlives a search: the next one starts from what is known of its position already."""

    tree: Tree | None = None
    position: Position | None = None
    kind: tuple[Any, ...] = ()
    searches: int = 0  # each has random numbers of its own


class Search:
    """One search of one position."""

    def __init__(self, position: Position, settings: Mapping[str, Any], engine: str, memory: Memory | None, even: bool = False) -> None:
        if position.is_over:
            raise InputError(f"the game is over in this position ({position.utility(0):+g} for player 1); there is no move to find")
        if len(position.past) > simulate.past_room(position.game.constants):
            settings = {**settings, "solve": False}  # a repetition may go unseen, so that nothing would be certain
        self.position, self.settings, self.engine, self.even = position, settings, engine, even
        self.options = flags(position.game, settings, even)
        self.memory = memory or Memory()
        self.label = engine.partition("(")[0]
        self.kernel = position.game.bind(simulate.simulate, self.options, label=self.label)
        self.workers = [self._workspace(number) for number in range(settings["threads"])]
        self.tree = self._tree()
        self.memory.position = position  # the tree's root is this one from now on, whether or not anything is searched
        self.memory.searches += 1
        self.reader = reading.Reader(position, self.tree, self.options)
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
        playouts = _parts(min(most - self.playouts, MOST_PLAYOUTS - self.reader.visits), len(self.workers))
        nodes = _parts(max(0, (self.settings["nodes"] or NO_LIMIT) - self.nodes), len(self.workers))
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
        w = blank(simulate.workspace(constants, self.options["RAVE"], self.options["GUIDED"]))
        w.root = self.position.state
        for name in ("explore", "expand", "epsilon", "rave", "widen", "sparse", "alpha"):
            setattr(w, name, settings[name])
        w.cutoff = settings["cutoff"]
        with np.errstate(over="ignore"):  # uint64 arithmetic wraps on purpose
            random.seed(w.rng, settings["seed"], self.memory.searches * MANY + number)
        if self.options["RAVE"]:
            w.seen_bits = len(w.seen).bit_length() - 1
        if self.position.game.repeats:
            past = [*self.position.past[-simulate.past_room(constants) :], self.position.situation]
            w.keys[: len(past)] = past
            w.past = len(past) - 1
        return w

    def _tree(self) -> Tree:
        """The tree of the search before, from this position on; a new one where there is none or it does not know the position."""
        kind = (self.position.game, tuple(self.options.items()), self.settings["memory"])
        old, before = self.memory.tree, self.memory.position
        if old is not None and before is not None and self.memory.kind == kind and old.trunk.root != NONE and not self.position.is_chance:  # noqa: SIM102
            if reading.advanced(old, before, self.position, self.workers[0], self.options):
                return old
        self.memory.tree = old = None  # before there is a second one
        game, solves, rave = self.position.game, self.options["SOLVE"], self.options["RAVE"]
        self.memory.tree = Tree(game.constants, self.settings["memory"], solves, rave, self.options["GUIDED"], self.options["SHARED"])
        self.memory.kind = kind
        return self.memory.tree

    # --- after ---

    def _answer(self, ended: str) -> Result:
        found = self.reader.read(by_value=self.even)
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
            note=f"the tree is full ({self.settings['memory']:g} MB) and grows no more" if self.tree.trunk.is_full else "",
        )


def flags(game: Game, settings: Mapping[str, Any], even: bool) -> dict[str, Any]:
    """Compile-time options."""
    rule = settings.get("rule", "")  # of a search guided by a policy
    shares = bool(settings.get("transpositions"))
    unit, units = sizes(game.constants, bool(settings["solve"]), settings["rave"] > 0, bool(rule), shares)
    playout = settings["playout"]
    if playout == "auto":
        playout = "game" if game.defines("playout") else "uniform"
    opposite = game.players == 2 and game.constants["SUM"] is not None
    return {
        "SOLVE": bool(settings["solve"]),
        "THREADS": settings["threads"] > 1,
        "RAVE": settings["rave"] > 0,
        "SHARED": shares,
        "BANKED": game.defines("banked"),
        "EVEN": even,
        "WIDEN": settings["widen"] > 0,
        "SPARSE": settings["sparse"] > 0 and game.has_chance,
        "CHANCE": game.has_chance,
        "WEIGHTS": game.has_chance and not game.constants["EQUALLY_LIKELY"],
        "WHOLE_WEIGHTS": game.constants["CHANCE_KIND"] == WEIGHTED,
        "REPEATS": game.repeats,
        "TWOFOLD": False,
        "OPPOSITE": opposite,
        "HAS_SUM": game.constants["SUM"] is not None,
        "UNIFORM": playout == "uniform",
        "BY_GAME": playout == "game",
        "BY_POLICY": playout == "policy",
        "GREEDY": playout == "greedy",
        "CUTOFF": settings["cutoff"] > 0,
        "WINS": settings["reward"] == "win",
        "GUIDED": bool(rule),
        "PUCT": rule == "puct",
        "REGULARISED": rule == "regularised",
        "SAMPLE": settings.get("descend") == "sample",
        "WAVES": settings.get("wave", 1) > 1 or bool(settings.get("outside")),
        "STATIC": settings.get("leaf") == "evaluate",
        "BY_VALUE": settings.get("policy") == "evaluate",
        "EVEN_POLICY": settings.get("policy") == "even",
        "UNIT": unit,
        "NODE": units,
    }


class Team:
    """Several calls of one kernel at once, as one."""

    def __init__(self, kernel: Bound, calls: list[tuple[Any, ...]]) -> None:
        self.kernel, self.calls, self.label = kernel, calls, kernel.label

    def prepare(self) -> None:
        self.kernel.prepare(*self.calls[0])

    def __call__(self) -> None:
        failures: list[BaseException] = []

        def run(call: tuple[Any, ...]) -> None:
            try:
                self.kernel(*call)
            except BaseException as error:
                failures.append(error)

        others = [threading.Thread(target=run, args=(call,), name=self.label, daemon=True) for call in self.calls[1:]]
        for thread in others:
            thread.start()
        run(self.calls[0])
        for thread in others:
            thread.join()
        if failures:
            raise failures[0]


class Controls:
    """The control blocks of a team: what stops one stops all."""

    def __init__(self, workers: list[Any]) -> None:
        self._workers = workers

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "limit":
            for w in self._workers:
                w.control.limit = value
        else:
            super().__setattr__(name, value)


def _parts(total: int, threads: int) -> list[int]:
    return [total // threads + (1 if i < total % threads else 0) for i in range(threads)]
