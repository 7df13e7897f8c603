"""Iterative deepening: a search of depth 1, 2, 3, ... until a limit is met; the answer of the deepest finished one stands.

Each depth runs in a thread that can be stopped; what it left in the table and in the move ordering serves the next depth.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kibitz.core.compiling.binder import Bound
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.core.position.result import ESTIMATE, EXACT, Candidate, Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import DRAW
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, Run, supervise
from kibitz.searches import trace
from kibitz.searches.method import refuse_finished
from kibitz.searches.scale import Scale, measures_distance
from kibitz.searches.window import flags, node, ordering, quiescence, threads
from kibitz.tables.endgame import lookup
from kibitz.tables.transposition import Table, mover

# For searches whose kernel keeps to the root's moves in `w.roots`, where `w.rooted` says there are any.
ROOTS = (
    Parameter("lines", 1, 1, 64, None, "number of best lines to report (MultiPV)"),
    Parameter("only", "", None, None, None, "moves to search, separated by blanks; empty: all"),
)
OTHER_PATHS = "positions may repeat, and the table's values may be those of other paths: no proof; table=0 is exact"
MOST_FOR_LINE = 1_000_000  # nodes, and half of those searched, to tell a solved line to its end

OPTIONS = (
    Parameter("table", 64.0, 0.0, 1 << 20, None, "transposition table in megabytes; 0: none"),
    Parameter("order", True, None, None, None, "try moves in the game's own order"),
    Parameter("killers", "auto", None, None, ("auto", "on", "off"), "last cutoffs at the same ply first; auto: if the game gives no order"),
    Parameter("history", "auto", None, None, ("auto", "on", "off"), "frequent cutoffs first; auto: if the game gives no order"),
    Parameter("deepening", True, None, None, None, "depth 1, 2, 3, ...; off: the full depth at once"),
    Parameter(
        "distance", "auto", None, None, ("auto", "on", "off"), "prefer quick wins and slow losses; auto: if games are won, drawn or lost"
    ),
    quiescence.OPTION,
    threads.OPTION,
    Parameter("aspiration", 0.0, 0.0, 1e9, None, "search this far to either side of the previous depth's value; 0: the whole range"),
    Parameter("strict", False, None, None, None, "use the table for equal depths only, so that values are those of a search without it"),
)


@dataclass(frozen=True)
class Kernel:
    """What a search brings to be run depth after depth."""

    root: Callable[..., float]  # (w, arrays, depth, alpha, beta)
    options: Mapping[str, Any] = field(default_factory=dict)  # its own compile-time options
    fields: Mapping[str, Any] = field(default_factory=dict)  # what it adds to the workspace
    memory: Any = None  # an array of its own: see `Arrays`
    approximate: bool = False  # moves may be pruned that matter: nothing is certain
    omits: bool = False  # moves may be left out, which count as horizons: a value at the edge of all values proves nothing
    tells_unfinished: bool = False  # w.line[0] holds the best move so far when the kernel is stopped
    one_sided: bool = False  # values are those of one player, or of each, and not turned over: there may be any number of players
    passes: int = 1  # nodes on a path for each ply of depth, at most
    meaning: tuple[Any, ...] = ()  # what the table's entries depend on besides the kernel's code and options


def deepen(position: Position, settings: Mapping[str, Any], engine: str, kernel: Kernel) -> Iterator[Result]:
    """Results for growing depths."""
    return Search(position, settings, engine, kernel).results()


class Arrays(NamedTuple):
    """The arrays that a kernel reads and writes beside its workspace. For one that is not there the workspace stands in: a bare pointer, nothing to count."""

    table: Any  # transposition.Entry
    own: Any  # what this search alone keeps, such as the tree of minimax's levels


class Found(NamedTuple):
    """What the search of one depth found; the value is as kernels count it, and may carry a distance."""

    depth: int
    value: float
    line: tuple[Move, ...]
    solved: bool
    table: tuple[Candidate, ...] = ()  # where several lines were asked for
    note: str = ""
    values: tuple[float, ...] = ()  # of each player, where the search knows them


class Kept:
    """The table of a search that serves the next one as well, if it is a search of the same kind."""

    def __init__(self) -> None:
        self.made: Table | None = None
        self.made_for: tuple[Any, ...] = ()

    def table(self, megabytes: float, at_once: bool, behind: int, meaning: tuple[Any, ...]) -> Table | None:
        """The one there is, if it is of this size and its entries have this meaning; None for a search without a table."""
        if not megabytes:
            return None
        wanted = (megabytes, behind, *meaning)
        if self.made is None or self.made_for != wanted:
            self.made, self.made_for = Table(megabytes, at_once, behind), wanted
        return self.made


class Search:
    """One search of one position, depth after depth."""

    def __init__(self, position: Position, settings: Mapping[str, Any], engine: str, made_of: Kernel, kept: Kept | None = None) -> None:
        refuse_finished(position)
        self.position, self.settings, self.engine, self.made_of = position, settings, engine, made_of
        self.inherits = kept is not None and kept.made is not None  # were there other searches before, in other games so far?
        self.began, self.seconds = time.perf_counter(), 0.0
        self.guesses: dict[int, float] = {}  # the value of the last depth, of the best move, the second-best, ...
        game = position.game
        self.view = self._side(position)  # whose values these are
        if settings["distance"] == "on" and not measures_distance(game):
            raise InputError(f"distance=on: {game.name} is not simply won, drawn or lost; use distance=auto")
        self.scale = Scale(game, settings["distance"] != "off" and measures_distance(game), made_of.one_sided, made_of.passes)
        quiescence.check(game, settings.get("quiescence", 0))
        together = settings.get("threads", 1)
        threads.check(together, settings["table"])
        self.recorder: trace.Recorder | None = settings.get("trace")
        if self.recorder:
            self.recorder.step = self.scale.step
        self.kernel = self._bound(made_of.root)
        # What entries mean depends on all that the kernel was made of, and on what the caller says it does besides.
        self.endings: lookup.Inside | None = settings.get("endings")
        behind, meaning = (
            threads.NOTES if together > 1 else 0,
            (self.kernel.digest, *made_of.meaning, *(self.endings.meaning if self.endings else ())),
        )
        self.table = self._table(kept or Kept(), behind, meaning)
        self.nodes_limit = -(-settings["nodes"] // together) or NO_LIMIT  # of each thread
        self.w = self._workspace(made_of.fields)
        self.mates = threads.Mates(self.w, together - 1)
        self.deepest = min(settings["depth"] or node.DEEPEST, node.plies(game.constants))
        self.names: list[Move] = []  # of the last line, and the positions along it
        self.walked = [position]
        self.lines = settings.get("lines", 1)
        self.only = tuple(position.wired(word) for word in settings.get("only", "").split())

    def _side(self, position: Position) -> int:
        """Whose values those of a position are: its mover's, the first player's where chance is to decide."""
        return 0 if self.made_of.one_sided else max(0, position.player)

    def _table(self, kept: Kept, behind: int, meaning: tuple[Any, ...]) -> Any:
        return kept.table(self.settings["table"], not self.settings["deepening"], behind, meaning)

    @property
    def arrays(self) -> Arrays:
        """What the kernel gets beside its workspace, as it is now: a table grows."""
        return Arrays(self.table.entries if self.table else self.w, self.w if self.made_of.memory is None else self.made_of.memory)

    def value(self, depth: int, window: tuple[float, float] | None = None) -> float:
        """One search of this depth, here and now: the kernel's own answer, with what its window means; both as the player to move counts."""
        low, high = self.scale.window() if window is None else (self.scale.inward(edge, self.view) for edge in window)
        answer = self.ask(depth, low, high)
        found = self.scale.outward(answer, self.view)
        if window is None:
            return found
        return min(found, window[0]) if answer <= low else max(found, window[1]) if answer >= high else found

    def ask(self, depth: int, *arguments: float) -> float:
        """One call of the kernel with these arguments in place of a window, here and now; all as kernels count."""
        self._forget()
        with trace.recording(self.recorder, self.w, depth):
            return float(self.kernel(self.w, self.arrays, depth, *arguments))

    def _forget(self) -> None:
        """Before a search whose value may be final."""
        self.w.horizons, self.w.doubts = 0, 0

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
        if isinstance(self.table, Table):
            self.table.grow(self.w, int(self.w.control.nodes), self._left())
        with trace.recording(self.recorder, self.w, depth):
            self._choose(self.only)
            run = self._run(depth)
        self.seconds = time.perf_counter() - self.began  # the time of the search, not of telling its line
        if self._stopped:
            return self._unfinished(depth, float(run.result)), self._reason(run.interrupted)
        ended = self._is_final(float(run.result), depth, self.view)
        certain = self._leaves_nothing_out and not self.only
        note = OTHER_PATHS if ended and certain and not self._holds_on_this_path(float(run.result)) else ""
        solved = ended and certain and not note
        line = self._to_the_end() if solved else self._kept_line()
        table, why = self._others(depth, self._candidate(float(run.result), line, solved)) if self.lines > 1 else ((), "")
        found = Found(depth, float(run.result), self._named(line), solved, table, note)
        if any(c.bound != EXACT and (c.distance is None or c.distance > depth) for c in table):
            ended = solved = False  # not all lines
        return found, why or ("solved" if solved else "decided" if ended else "depth" if depth == self.deepest else "")

    @property
    def _leaves_nothing_out(self) -> bool:
        """What is pruned counts as a horizon, what is not drawn of chance does not: where endgame tables spared the search all horizons, nothing was."""
        game = self.position.game
        return not self.made_of.approximate or bool(self.endings and self.w.horizons == 0 and not game.repeats and not game.has_chance)

    @property
    def _stopped(self) -> bool:
        return bool(self.w.control.nodes >= self.w.control.limit)

    def _reason(self, interrupted: bool) -> str:
        """Why a kernel was stopped."""
        return "interrupted" if interrupted else "nodes" if self.w.control.nodes >= self.nodes_limit else "time"

    def _is_final(self, value: float, depth: int, player: int) -> bool:
        """Would a deeper search find the same? No horizon was met, or the game is decided within the depth."""
        return bool(self.w.horizons == 0) or (not self.made_of.omits and self.scale.is_settled(value, depth, player))

    def _holds_on_this_path(self, value: float) -> bool:
        """Is a final value that of this game, with all that has come up in it?

        Not sure where positions may repeat and the table answered for another path (see node.py). But the quickest win is quickest on every path,
        if a repetition is no more than a draw: who follows it comes closer to the end with every move, so that nothing repeats. And a win that is there
        without the rule is there with it, if the table knows of no other game than this one. Endgame tables know of none: the win they tell may lead
        through a position that came up before the search began.
        """
        if not self.position.game.repeats or self.w.doubts == 0:
            return True
        quickest = self.scale.distance and self.scale.is_decided(value, self.view)
        clear = not self.inherits and not (self.endings is not None and self.w.endings.recurring)
        return quickest and clear and bool(self.position.game.constants["REPETITION"] == DRAW)

    def _unfinished(self, depth: int, value: float) -> Found | None:
        """What a search that was stopped had found by then, where its kernel tells: the last depth's best move, which comes first, or a better one."""
        line = self._kept_line() if self.made_of.tells_unfinished else []
        if not line or not math.isfinite(value):
            return None
        return Found(depth - 1, value, self._named(line), False)

    def _others(self, depth: int, best: Candidate) -> tuple[tuple[Candidate, ...], str]:
        """The best moves with their values, `lines` of them: each found by a search without those before it. And why there are fewer, if so."""
        found, left = [best], [n for n in self.only or self.position.numbers if n != best.numbers[0]]
        while left and len(found) < self.lines:
            self._choose(left)
            run = self._run(depth, len(found))
            if self._stopped:
                return (), self._reason(run.interrupted)
            value = float(run.result)
            # A win that is not the quickest may lead through the root again: no doubt is left out here.
            exact = self._leaves_nothing_out and self._is_final(value, depth, self.view) and not self.w.doubts
            found.append(self._candidate(value, self._kept_line(), exact))
            left.remove(found[-1].numbers[0])
        return tuple(found), ""

    def _candidate(self, value: float, line: list[int], exact: bool) -> Candidate:
        plain, distance = self.scale.without_distance(value, self.view)
        return Candidate(self.position, tuple(line), 0, plain, math.nan, EXACT if exact else ESTIMATE, distance)

    def _choose(self, moves: Sequence[int]) -> None:
        """Look at these moves of the root alone; at all, where none is named."""
        if self.only or self.lines > 1:
            for w in (self.w, *self.mates.workspaces):
                w.rooted = len(moves)
                w.roots[: len(moves)] = moves

    def _run(self, depth: int, place: int = 0) -> Run:
        """The kernel in a window that holds the value: a narrow one first, where the user wants it, opened on the side it fails."""
        low, high = self.scale.window()
        width, guess = self.settings.get("aspiration", 0.0), self.guesses.get(place)
        window = (max(low, guess - width), min(high, guess + width)) if width and guess is not None else (low, high)
        while True:
            self._forget()
            with self.mates.helping(self.kernel, self.w, self.arrays, depth, *window):
                run = supervise(self.kernel, self.w, self.arrays, depth, *window, control=self.w.control, seconds=self._left())
            if self._stopped or window == (low, high) or window[0] < run.result < window[1]:
                self.guesses[place] = float(run.result)
                return run
            window = (low, window[1]) if run.result <= window[0] else (window[0], high)

    def _prepare(self) -> None:
        """Compile everything before the clock starts."""
        self.kernel.prepare(self.w, self.arrays, 1, *self.scale.window())
        if isinstance(self.table, Table):
            mover()

    def _left(self) -> float | None:
        """Seconds until the time limit; None without one."""
        return self.settings["time"] - (time.perf_counter() - self.began) if self.settings["time"] else None

    def _bound(self, root: Callable[..., float]) -> Bound:
        declared = flags.for_game(self.position.game, self.settings, self.scale, self.made_of.approximate, self.recorder is not None)
        return self.position.game.bind(root, {**flags.as_options(declared), **self.made_of.options}, label=self.engine.partition("(")[0])

    def _workspace(self, extra: Mapping[str, Any]) -> Any:
        constants = self.position.game.constants
        constants = {**constants, "MAX_PLIES": constants["MAX_PLIES"] * self.made_of.passes}
        room = self.recorder.room if self.recorder else 0
        past = [*self.position.past, self.position.situation] if self.position.game.repeats else []
        fields = {**node.fields(constants, node.room_for(len(past))), **trace.fields(node.plies(constants), room), **extra}
        fields |= node.root_fields(constants) if "lines" in self.settings else {}
        w = blank(record(**fields, **lookup.fields(constants["State"], self.endings)))
        lookup.attach(self.endings, w, self.position)
        w.states[0] = self.position.state
        w.control.limit = self.nodes_limit
        ordering.reset(w)
        if past:
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

    def _to_the_end(self) -> list[int]:
        """The best line to the end of the game: where it was cut short, search on from there; the table knows most of it.

        Not worth more than a part of the work done already, and not counted.
        """
        w, line = self.w, self._kept_line()
        if self.position.game.repeats:
            return line + lookup.line(self.endings, self.position.after_line(line))
        kept = w.copy()
        w.control.limit = w.control.nodes + MOST_FOR_LINE + w.control.nodes // 2
        position = self.position.after_line(line)
        while line and position.player >= 0 and (further := lookup.line(self.endings, position) or self._solved_line(position)):
            line += further
            position = position.after_line(further)
        w.control, w.horizons, w.leaves, w.states[0] = kept.control, kept.horizons, kept.leaves, kept.states[0]
        return line

    def _solved_line(self, position: Position) -> list[int]:
        """Best play from a position that the root's solution leads to, as far as the kernel keeps it; nothing where the work is not worth it."""
        w, deepest = self.w, node.plies(position.game.constants)
        w.states[0] = position.state
        for depth in range(1 if self.settings["deepening"] else deepest, deepest + 1):
            self._forget()
            run = supervise(self.kernel, w, self.arrays, depth, *self.scale.window(), control=w.control, seconds=self._left())
            if self._stopped:
                return []
            if self._is_final(float(run.result), depth, self._side(position)):
                return self._kept_line()
        return []

    def _nothing_yet(self) -> Found:
        """Before depth 1 is done: any move that may be told, and the evaluation of the position itself."""
        value = float(self.position.game.rule("evaluate")(self.position.state, max(0, self.position.player)))
        some = list((self.only or self.position.numbers)[:1])
        return Found(0, self.scale.inward(value, self.view), self.position.named_line(some), False)

    def _answer(self, found: Found, ended: str) -> Result:
        value, distance = self.scale.without_distance(found.value, self.view)
        hits = lookup.hits(self.endings, self.w, *self.mates.workspaces)
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
            note=lookup.noted(found.note, self.endings, hits),
            farthest=int(self.w.farthest) if self.w.farthest else None,
            full=self.table.full if self.table else None,
            hits=hits,
        )
