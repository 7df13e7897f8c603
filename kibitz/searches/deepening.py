"""Iterative deepening: a search of depth 1, 2, 3, ... until a limit is met; the answer of the deepest finished one stands.

Each depth runs in a thread that can be stopped; what it left in the table and in the move ordering serves the next depth.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compile import Bound
from kibitz.core.control import NO_LIMIT, Run, supervise
from kibitz.core.errors import InputError
from kibitz.core.game import Game
from kibitz.core.parameters import Parameter
from kibitz.core.position import Move, Position
from kibitz.core.record import blank, record
from kibitz.core.result import ESTIMATE, EXACT, Result
from kibitz.searches import node, ordering, quiescence, sharing, trace
from kibitz.tables.transposition import Table, mover

MOST_FOR_LINE = 1_000_000  # nodes, and a tenth of those searched, to tell a solved line to its end

OPTIONS = (
    Parameter("table", 64.0, 0.0, 1 << 20, None, "transposition table in megabytes; 0: none"),
    Parameter("order", True, None, None, None, "try moves in the game's own order of promise"),
    Parameter(
        "killers", "auto", None, None, ("auto", "on", "off"), "moves that cut at the same ply first; auto: if the game gives no order"
    ),
    Parameter("history", "auto", None, None, ("auto", "on", "off"), "moves that cut often first; auto: if the game gives no order"),
    Parameter("deepening", True, None, None, None, "depth 1, 2, 3, ...; off: the full depth at once"),
    Parameter(
        "distance", "auto", None, None, ("auto", "on", "off"), "prefer quick wins and slow losses; auto: where games are won, drawn or lost"
    ),
    quiescence.OPTION,
    sharing.OPTION,
    Parameter("aspiration", 0.0, 0.0, 1e9, None, "search in a window so far around the value of the depth before; 0: the whole range"),
    Parameter("strict", False, None, None, None, "use the table for equal depths only, so that values are those of a search without it"),
)


def deepen(
    position: Position,
    settings: Mapping[str, Any],
    engine: str,
    root: Callable[..., float],
    chosen: Mapping[str, Any],
    extra: Mapping[str, Any] | None = None,
    memory: Any = None,
) -> Iterator[Result]:
    """Results of `root(w, table, depth, alpha, beta)` for growing depths.

    `chosen` are its own compile-time options, `extra` the fields it adds to the workspace, `memory` an array it gets in place of the table.
    """
    return Search(position, settings, engine, root, chosen, extra or {}, memory).results()


def allocated(kind: np.dtype[Any], megabytes: float, option: str) -> Any:
    """An array of as many records as fit; one line when there is no memory for it."""
    try:
        return np.zeros(max(1, int(megabytes * 2**20) // kind.itemsize), kind)
    except MemoryError:
        raise InputError(f"no memory for {option}={megabytes:g} MB; ask for less") from None


def measures_distance(game: Game) -> bool:
    """Is the game won, drawn or lost, so that how soon it ends is the only thing left to prefer?"""
    low, high = game.constants["VALUES"]
    grain = game.constants["GRAIN"]
    return bool(grain) and (high - low) / grain in (1.0, 2.0)


def distance_step(game: Game) -> float:
    """A power of two so small that MAX_PLIES of them are less than half a grain."""
    return 2.0 ** math.floor(math.log2(game.constants["GRAIN"] / (2 * (game.constants["MAX_PLIES"] + 2))))


class Found(NamedTuple):
    """What the search of one depth found; the value may carry a distance."""

    depth: int
    value: float
    line: tuple[Move, ...]
    solved: bool


class Search:
    """One search of one position, depth after depth."""

    def __init__(
        self,
        position: Position,
        settings: Mapping[str, Any],
        engine: str,
        root: Callable[..., float],
        chosen: Mapping[str, Any],
        extra: Mapping[str, Any],
        memory: Any = None,
        approximate: bool = False,
    ) -> None:
        if position.is_over:
            raise InputError(f"the game is over in this position ({position.utility(0):+g} for player 1); there is no move to find")
        self.position, self.settings, self.engine = position, settings, engine
        self.approximate = approximate  # moves may be pruned that matter: nothing is certain
        self.began, self.seconds = time.perf_counter(), 0.0
        self.guess = 0.0  # the value of the last depth
        game = position.game
        self.distance = settings["distance"] == "on" or (settings["distance"] == "auto" and measures_distance(game))
        if self.distance and not measures_distance(game):
            raise InputError(f"distance=on: {game.name} is not simply won, drawn or lost; use distance=auto")
        self.step = distance_step(game) if self.distance else 0.0
        quiescence.check(game, settings.get("quiescence", 0))
        threads = settings.get("threads", 1)
        sharing.check(threads, settings["table"])
        self.recorder: trace.Recorder | None = settings.get("trace")
        if self.recorder:
            self.recorder.step = self.step
        self.kernel = self._bound(root, chosen)
        self.table = Table(settings["table"], not settings["deepening"], sharing.NOTES if threads > 1 else 0) if settings["table"] else None
        self.nodes_limit = -(-settings["nodes"] // threads) or NO_LIMIT  # of each thread
        self.w = self._workspace(extra)
        self.mates = sharing.Mates(self.w, threads - 1)
        # Without a table the workspace itself stands in for it: a bare pointer, where an array would be counted at every node.
        self.memory = memory if memory is not None else self.table.entries if self.table else self.w
        self.deepest = min(settings["depth"] or node.DEEPEST, node.plies(game.constants))

    def value(self, depth: int, window: tuple[float, float] | None = None) -> float:
        """One search of this depth, here and now: the kernel's own answer, with what its window means."""
        self.w.horizons = 0
        with trace.recording(self.recorder, self.w, depth):
            return float(self.kernel(self.w, self.memory, depth, *(window or self._open())))

    def results(self) -> Iterator[Result]:
        """One result for every depth that is finished, and a last one when a limit or Ctrl-C ends the search before that."""
        self._prepare()
        self.began = time.perf_counter()
        last = self._nothing_yet()
        for depth in range(1 if self.settings["deepening"] else self.deepest, self.deepest + 1):
            try:
                found, ended = self._finished(depth)
            except KeyboardInterrupt:  # between two kernels
                found, ended = None, "interrupted"
            last = found or last
            yield self._answer(last, ended)
            if ended:
                return

    def _finished(self, depth: int) -> tuple[Found | None, str]:
        """What a search of this depth finds, or nothing where it was not finished; and why to go no deeper, if so."""
        if self.table:
            self.table.grow(self.w, int(self.w.control.nodes), self._left())
            self.memory = self.table.entries
        with trace.recording(self.recorder, self.w, depth):
            run = self._run(depth)
        self.seconds = time.perf_counter() - self.began  # the time of the search, not of telling its line
        if self.w.control.nodes >= self.w.control.limit:
            return None, "interrupted" if run.interrupted else "nodes" if self.w.control.nodes >= self.nodes_limit else "time"
        ended = self.w.horizons == 0 or self._decided(run.result)
        solved = ended and not self.approximate
        line = self._to_the_end(depth) if solved else self._kept_line()
        found = Found(depth, float(run.result), self.position.named_line(line), solved)
        return found, "solved" if solved else "decided" if ended else "depth" if depth == self.deepest else ""

    def _run(self, depth: int) -> Run:
        """The kernel in a window that holds the value: a narrow one first, where the user wants it, opened on the side it fails."""
        low, high = self._open()
        width = self.settings.get("aspiration", 0.0)
        window = (max(low, self.guess - width), min(high, self.guess + width)) if width and depth > 1 else (low, high)
        while True:
            self.w.horizons = 0
            with self.mates.helping(self.kernel, self.w, self.memory, depth, *window):
                run = supervise(self.kernel, self.w, self.memory, depth, *window, control=self.w.control, seconds=self._left())
            if self.w.control.nodes >= self.w.control.limit or window == (low, high) or window[0] < run.result < window[1]:
                self.guess = run.result
                return run
            window = (low, window[1]) if run.result <= window[0] else (window[0], high)

    def _open(self) -> tuple[float, float]:
        """A window that every value lies in, whatever the evaluation says."""
        low, high = self.position.game.constants["VALUES"]
        return 2 * low - high - 1.0, 2 * high - low + 1.0

    def _prepare(self) -> None:
        """Compile everything before the clock starts."""
        self.kernel.prepare(self.w, self.memory, 1, *self._open())
        if self.table:
            mover()

    def _left(self) -> float | None:
        """Seconds until the time limit; None without one."""
        return self.settings["time"] - (time.perf_counter() - self.began) if self.settings["time"] else None

    def _bound(self, root: Callable[..., float], chosen: Mapping[str, Any]) -> Bound:
        game, settings = self.position.game, self.settings
        ordered = bool(settings["order"]) and game.defines("order")
        flags = {
            "TABLE": settings["table"] > 0,
            "ORDER": ordered,
            "KILLERS": settings["killers"] == "on" or (settings["killers"] == "auto" and not ordered),
            "HISTORY": settings["history"] == "on" or (settings["history"] == "auto" and not ordered),
            "STRICT": settings["strict"],
            "DEEPER": self.approximate,  # what was searched deeper serves as well
            "BEST_CASE": game.defines("best_case") and not self.distance,
            "BANKED": game.defines("banked") and not self.distance,
            "REPEATS": game.repeats,
            "DISTANCE": self.distance,
            "STEP": self.step,
            "QUIESCENCE": settings.get("quiescence", 0),
            "SHARED": settings.get("threads", 1) > 1,
            "TRACE": self.recorder is not None,
        }
        return game.bind(root, {**flags, **chosen}, label=self.engine.partition("(")[0])

    def _workspace(self, extra: Mapping[str, Any]) -> Any:
        constants = self.position.game.constants
        room = self.recorder.room if self.recorder else 0
        w = blank(record(**node.fields(constants), **trace.fields(node.plies(constants), room), **extra))
        w.states[0] = self.position.state
        w.control.limit = self.nodes_limit
        ordering.reset(w)
        if self.position.game.repeats:
            past = [*self.position.past[-node.PAST :], self.position.situation]
            w.keys[: len(past)] = past
            w.past = len(past) - 1
        if self.table:
            self.table.attach(w)
        return w

    def _kept_line(self) -> list[int]:
        """The best line as far as the kernel kept it; the table cuts it short where it knew a value."""
        return self.w.line[0][: self.w.line_end[0]].tolist()

    def _to_the_end(self, depth: int) -> list[int]:
        """The best line to the end of the game: where it was cut short, search on from there; the table knows most of it.

        Not worth more than a small part of the work done already, and not counted.
        """
        w, line, game = self.w, self._kept_line(), self.position.game
        if game.repeats:
            return line
        kept = w.copy()
        w.control.limit = w.control.nodes + MOST_FOR_LINE + w.control.nodes // 10
        position = self.position.after_line(line)
        while not position.is_over and len(line) < depth:
            w.states[0] = position.state
            supervise(self.kernel, w, self.memory, depth - len(line), *self._open(), control=w.control, seconds=self._left())
            if w.control.nodes >= w.control.limit or not self._kept_line():
                break
            line += self._kept_line()
            position = position.after_line(self._kept_line())
        w.control, w.horizons, w.leaves, w.states[0] = kept.control, kept.horizons, kept.leaves, kept.states[0]
        return line

    def _nothing_yet(self) -> Found:
        """Before depth 1 is done: any move, and the evaluation of the position itself."""
        value = float(self.position.game.rule("evaluate")(self.position.state, self.position.player))
        return Found(0, value, self.position.moves[:1], False)

    def _answer(self, found: Found, ended: str) -> Result:
        value, distance = self._without_distance(found.value)
        return Result(
            position=self.position,
            engine=self.engine,
            move=found.line[0] if found.line else None,
            value=value,
            bound=EXACT if found.solved else ESTIMATE,
            line=found.line,
            depth=found.depth,
            nodes=int(self.w.control.nodes) + self.mates.nodes,
            seconds=self.seconds,
            ended=ended,
            distance=distance,
            leaves=int(self.w.leaves) + self.mates.leaves,
        )

    def _decided(self, value: float) -> bool:
        """Evaluations lie strictly inside VALUES, so a value at their edge comes from finished games alone, and nothing can be better."""
        low, high = self.position.game.constants["VALUES"]
        room = self.step * (self.position.game.constants["MAX_PLIES"] + 1)
        return value >= high - room or value <= low + room

    def _without_distance(self, value: float) -> tuple[float, int | None]:
        """A won or lost value as the game's utility, and in how many plies; as it is, else."""
        if not self.distance or not self._decided(value):
            return value, None
        low, high = self.position.game.constants["VALUES"]
        end = high if value > 0.5 * (low + high) else low
        return end, round(abs(end - value) / self.step)
