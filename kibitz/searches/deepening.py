"""Iterative deepening: a search of depth 1, 2, 3, ... until a limit is met; the answer of the deepest finished one stands.

Each depth runs in a thread that can be stopped; what it left in the table and in the move ordering serves the next depth.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compile import Bound
from kibitz.core.control import NO_LIMIT, Run, supervise
from kibitz.core.errors import InputError
from kibitz.core.game import Game
from kibitz.core.parameters import Parameter
from kibitz.core.position import Move, Position
from kibitz.core.record import blank, record
from kibitz.core.result import ESTIMATE, EXACT, Candidate, Result
from kibitz.searches import node, ordering, quiescence, sharing, trace
from kibitz.tables.transposition import Table, mover

# For searches whose kernel keeps to the root's moves in `w.roots`, where `w.rooted` says there are any.
ROOTS = (
    Parameter("lines", 1, 1, 64, None, "so many best moves, each with its line"),
    Parameter("only", "", None, None, None, "moves to look at, with blanks between them; none named: all"),
)
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
    table: tuple[Candidate, ...] = ()  # where several lines were asked for


class Kept:
    """The table of a search that serves the next one as well."""

    def __init__(self) -> None:
        self.made: Table | None = None
        self.size: tuple[float, int] = (0.0, 0)

    def table(self, megabytes: float, at_once: bool, behind: int) -> Table | None:
        """The one there is, if it is of this size; None for a search without a table."""
        if not megabytes:
            return None
        if self.made is None or self.size != (megabytes, behind):
            self.made, self.size = Table(megabytes, at_once, behind), (megabytes, behind)
        return self.made


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
        kept: Kept | None = None,
        unfinished: bool = False,
    ) -> None:
        if position.is_over:
            raise InputError(f"the game is over in this position ({position.utility(0):+g} for player 1); there is no move to find")
        self.position, self.settings, self.engine = position, settings, engine
        self.approximate = approximate  # moves may be pruned that matter: nothing is certain
        self.unfinished = unfinished  # does w.line[0] hold the best move so far when the kernel is stopped?
        self.began, self.seconds = time.perf_counter(), 0.0
        self.guesses: dict[int, float] = {}  # the value of the last depth, of the best move, the second-best, ...
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
        self.table = (kept or Kept()).table(settings["table"], not settings["deepening"], sharing.NOTES if threads > 1 else 0)
        self.nodes_limit = -(-settings["nodes"] // threads) or NO_LIMIT  # of each thread
        self.w = self._workspace(extra)
        self.mates = sharing.Mates(self.w, threads - 1)
        # Without a table the workspace itself stands in for it: a bare pointer, where an array would be counted at every node.
        self.memory = memory if memory is not None else self.table.entries if self.table else self.w
        self.deepest = min(settings["depth"] or node.DEEPEST, node.plies(game.constants))
        self.names: list[Move] = []  # of the last line, and the positions along it
        self.walked = [position]
        self.lines = settings.get("lines", 1)
        self.only = tuple(position.wired(word) for word in settings.get("only", "").split())

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
            self._choose(self.only)
            run = self._run(depth)
        self.seconds = time.perf_counter() - self.began  # the time of the search, not of telling its line
        if self._stopped:
            return self._unfinished(depth, float(run.result)), self._reason(run)
        ended = self.w.horizons == 0 or self._settled(float(run.result), depth)
        solved = ended and not self.approximate and not self.only
        line = self._to_the_end(depth) if solved else self._kept_line()
        table, why = self._others(depth, float(run.result), line) if self.lines > 1 else ((), "")
        found = Found(depth, float(run.result), self._named(line), solved, table)
        if any(c.distance is None or c.distance > depth for c in table):
            ended = solved = False  # not all lines
        return found, why or ("solved" if solved else "decided" if ended else "depth" if depth == self.deepest else "")

    @property
    def _stopped(self) -> bool:
        return bool(self.w.control.nodes >= self.w.control.limit)

    def _reason(self, run: Run) -> str:
        """Why a kernel was stopped."""
        return "interrupted" if run.interrupted else "nodes" if self.w.control.nodes >= self.nodes_limit else "time"

    def _unfinished(self, depth: int, value: float) -> Found | None:
        """What a search that was stopped had found by then, where its kernel tells: the last depth's best move, which comes first, or a better one."""
        line = self._kept_line() if self.unfinished else []
        if not line or not math.isfinite(value):
            return None
        return Found(depth - 1, value, self._named(line), False)

    def _others(self, depth: int, value: float, line: list[int]) -> tuple[tuple[Candidate, ...], str]:
        """The best moves with their values, `lines` of them: each found by a search without those before it. And why there are fewer, if so."""
        found, left = [self._candidate(value, line)], [n for n in self.only or self.position.numbers if n != line[0]]
        while left and len(found) < self.lines:
            self._choose(left)
            run = self._run(depth, len(found))
            if self._stopped:
                return (), self._reason(run)
            found.append(self._candidate(float(run.result), self._kept_line()))
            left.remove(found[-1].numbers[0])
        return tuple(found), ""

    def _candidate(self, value: float, line: list[int]) -> Candidate:
        plain, distance = self._without_distance(value)
        return Candidate(self.position, tuple(line), 0, plain, math.nan, ESTIMATE, distance)

    def _choose(self, moves: Sequence[int]) -> None:
        """Look at these moves of the root alone; at all, where none is named."""
        if self.only or self.lines > 1:
            self.w.rooted = len(moves)
            self.w.roots[: len(moves)] = moves

    def _run(self, depth: int, place: int = 0) -> Run:
        """The kernel in a window that holds the value: a narrow one first, where the user wants it, opened on the side it fails."""
        low, high = self._open()
        width, guess = self.settings.get("aspiration", 0.0), self.guesses.get(place)
        window = (max(low, guess - width), min(high, guess + width)) if width and guess is not None else (low, high)
        while True:
            self.w.horizons = 0
            with self.mates.helping(self.kernel, self.w, self.memory, depth, *window):
                run = supervise(self.kernel, self.w, self.memory, depth, *window, control=self.w.control, seconds=self._left())
            if self._stopped or window == (low, high) or window[0] < run.result < window[1]:
                self.guesses[place] = float(run.result)
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
            "TWOFOLD": False,
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

    def _named(self, line: list[int]) -> tuple[Move, ...]:
        """The moves of a line with their names; those it shares with the last line are known."""
        same = next((i for i, (a, b) in enumerate(zip(self.names, line, strict=False)) if int(a) != b), min(len(self.names), len(line)))
        del self.names[same:], self.walked[same + 1 :]
        for number in line[same:]:
            self.names += self.walked[-1].named_line([number])
            self.walked.append(self.walked[-1].after_line([number]))
        return tuple(self.names)

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
        return Found(0, value, self.position.named_line(list(self.position.numbers[:1])), False)

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
            table=found.table,
            farthest=int(self.w.farthest) if self.w.farthest else None,
            full=self.table.full if self.table else None,
        )

    def _decided(self, value: float) -> bool:
        """Evaluations lie strictly inside VALUES, so a value at their edge comes from finished games alone, and nothing can be better."""
        low, high = self.position.game.constants["VALUES"]
        room = self.step * (self.position.game.constants["MAX_PLIES"] + 1)
        return value >= high - room or value <= low + room

    def _settled(self, value: float, depth: int) -> bool:
        """Is the game decided, and within the depth? A win that only an extended line sees may not be the quickest."""
        distance = self._without_distance(value)[1]
        return self._decided(value) and (distance is None or distance <= depth)

    def _without_distance(self, value: float) -> tuple[float, int | None]:
        """A won or lost value as the game's utility, and in how many plies; as it is, else."""
        if not self.distance or not self._decided(value):
            return value, None
        low, high = self.position.game.constants["VALUES"]
        end = high if value > 0.5 * (low + high) else low
        return end, round(abs(end - value) / self.step)
