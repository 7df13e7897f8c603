"""One solve of one position: the questions that `solver` asks its kernel, and the result of the answers. See solver.py."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compiling.binder import Bound
from kibitz.core.errors import InputError, RulesError
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.core.position.result import EXACT, LOWER, UPPER, Candidate, Result
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, supervise
from kibitz.searches.exact import null_windows, saved_solve
from kibitz.searches.exact.interval import Interval
from kibitz.searches.scale import measures_distance
from kibitz.searches.window import threads
from kibitz.tables.bounds import BoundTable
from kibitz.tables.endgame import lookup

DEEPEST = 4096  # plies there is room for at most
TOGETHER = 12  # plies from the root within which threads divide the moves of a node
FIRST_TURN = 1 << 20  # nodes for the question of who wins, before it is asked who wins soon
SOON = 8  # the part of those nodes that this may take
LINE_NODES = 1_000_000  # and half of those searched, to tell the line of best play
BRIEF = 20_000  # nodes that a question may take before a thread is worth its while, which can be stopped
SLICE = 0.5  # seconds that a kernel runs at most before Python has a look, where progress is saved


class Stopped(Exception):
    """A limit was met; the message says which."""


class Known(NamedTuple):
    """What is known of one position: its interval, and the move that proved the lower bound, or NO_MOVE."""

    interval: Interval
    move: int


@cache
def workspace(state: np.dtype[Any], move: Any, wide: int, deep: int, inside: lookup.Inside | None = None) -> np.dtype[Any]:
    return record(**null_windows.fields(state, move, wide, deep), **lookup.fields(state, inside))


class Solve:
    """One solve of one position."""

    def __init__(self, position: Position, settings: Mapping[str, Any], engine: str) -> None:
        if position.is_over:
            raise InputError(
                f"the game is over in this position ({position.utility(0):+g} for {position.game.side(0)}); there is no move to find"
            )
        game = position.game
        if settings["distance"] == "on" and not measures_distance(game):
            raise InputError(f"distance=on: {game.name} is not simply won, drawn or lost; use distance=auto")
        threads.check(settings["threads"], settings["table"])
        self.position, self.settings, self.engine = position, settings, engine
        self._nodes_limit = -(-settings["nodes"] // settings["threads"]) or NO_LIMIT  # of each thread
        self.distance = settings["distance"] != "off" and measures_distance(game)
        self.interval = Interval(game, self.distance)
        self.endings: lookup.Inside | None = settings.get("endings")
        self.kernel: Bound = game.bind(null_windows.ask, self._chosen(), label="solver")
        self.table = BoundTable(settings["table"], threads.NOTES if settings["threads"] > 1 else 0) if settings["table"] else None
        self.w = self._workspace()
        self.mates = threads.Mates(self.w, settings["threads"] - 1)
        self.best = NO_MOVE  # the move that proved the lower bound
        self.guess = self._guess()
        self.nodes_before, self.seconds_before = 0, 0.0  # of the solve that this one goes on from
        self.saved = saved_solve.Saved(settings["resume"], self) if settings["resume"] else None
        self.began = self.last_saved = time.perf_counter()
        self.candidates: tuple[Candidate, ...] = ()
        self.line: tuple[Move, ...] = ()
        self.soon = 1  # nobody wins in fewer plies

    # --- the answer, step by step ---

    def results(self) -> Iterator[Result]:
        """One result for each question that is answered, the last one when the value is certain or a limit is met."""
        self.kernel.prepare(self.w, self._memory, 1)
        self.began = self.last_saved = time.perf_counter()
        try:
            if self.settings["all"]:
                yield from self._every_move()
            else:
                for _ in self._close(self.position, self.interval):
                    yield self._answer("")
            ended = "solved"
        except Stopped as limit:
            ended = str(limit)
        except KeyboardInterrupt:  # between two kernels
            ended = "interrupted"
        seconds = time.perf_counter() - self.began
        if self.saved:
            self.saved.write(self)
        if ended == "solved" and not self.line:
            self.line = self._line()
        yield self._answer(ended, seconds)

    def _close(self, position: Position, interval: Interval) -> Iterator[None]:
        """Ask until the interval holds one value; yields after each answer."""
        self._set(position, interval)
        turn = FIRST_TURN
        while not interval.is_closed:
            asked = interval.question(self.guess, self.step)
            patient = not self.distance or interval.outcome_known or not self.settings["soon"]
            if self._answered(interval, asked, None if patient else turn):
                yield
                continue
            before = self.nodes
            while not interval.outcome_known and self.nodes - before < turn // SOON:
                for soon in (interval.win - self.soon, self.soon + 1 - interval.win):
                    if interval.low < soon <= interval.high and not self._answered(interval, soon, turn // SOON):
                        break
                else:
                    self.soon += 1
                    continue
                break
            yield
            turn *= 4

    def _set(self, position: Position, interval: Interval) -> None:
        """Begin with a position of which nothing is known but what the rules tell."""
        game, s, player = position.game, position.state, position.player
        for w in (self.w, *self.mates.workspaces):
            w.states[0] = s
        rules = self.settings["knowledge"]
        left = min(int(game.rule("latest")(s)), game.constants["MAX_PLIES"]) if rules else game.constants["MAX_PLIES"]
        most, other = (float(game.rule("best_case")(s, p)) if rules else game.constants["VALUES"][1] for p in (player, 1 - player))
        interval.reset(left, most, other)
        self.step, self.soon = 1, 1
        if self.saved and interval is self.interval:
            self.saved.restore(self, interval)

    def _answered(self, interval: Interval, asked: int, turn: int | None) -> bool:
        """Ask one question with a limit of nodes; False if they were not enough."""
        answer = self._ask(asked, turn)
        if answer is None:
            return False
        if answer >= asked and interval is self.interval:
            self.best = int(self.w.best)
        interval.narrow(asked, answer)
        self.step = min(2 * self.step, 8)
        return True

    def _ask(self, asked: int, turn: int | None = None) -> int | None:
        """What the kernel answers; None when `turn` nodes were not enough. The kernel stops for the table to grow and for progress to be saved, and goes on."""
        w, until = self.w, int(self.w.control.nodes) + turn if turn else NO_LIMIT
        brief = self.kernel.target != "python" and not self.mates.workspaces
        while True:
            room = self.table.enough_until(int(w.control.nodes)) if self.table else None
            w.control.limit = limit = min(self._nodes_limit, until, room or NO_LIMIT)
            left = self._left()
            if brief and (left is None or left > 0):
                brief, w.control.limit = False, min(limit, int(w.control.nodes) + BRIEF)
                answer = int(self.kernel(w, self._memory, asked))
                self._check()
                if w.control.nodes < w.control.limit:
                    return answer
                if w.control.limit < limit:
                    continue
            helpers = self.mates.helping(self.kernel, w, self._memory, asked) if self.mates.workspaces else nullcontext()
            with helpers:
                seconds = min(SLICE, left if left is not None else SLICE) if self.saved else left
                run = supervise(self.kernel, w, self._memory, asked, control=w.control, seconds=seconds)
            self._check()
            if w.control.nodes < w.control.limit:
                return int(run.result)
            if run.interrupted:
                raise Stopped("interrupted")
            if w.control.nodes >= self._nodes_limit:
                raise Stopped("nodes")
            if (left := self._left()) is not None and left <= 0:
                raise Stopped("time")
            if w.control.nodes >= until:
                return None
            if room and w.control.nodes >= min(room, limit) and self.table:
                self.table.grow()
                for one in (w, *self.mates.workspaces):
                    one.table_shift = self.table.shift
            if self.saved and time.perf_counter() - self.last_saved >= self.settings["saving"]:
                self.saved.write(self)
                self.last_saved = time.perf_counter()

    def _check(self) -> None:
        """After a kernel has run: did it meet what it cannot count?"""
        for w in (self.w, *self.mates.workspaces):
            if w.uneven:
                name, grain = self.position.game.name, self.position.game.constants["GRAIN"]
                raise RulesError(f"{name}: a utility is no multiple of GRAIN = {grain:g} above VALUES[0]; kibitz check {name} tells where")
            if w.too_deep:
                raise Stopped("depth")

    # --- all moves ---

    def _every_move(self) -> Iterator[Result]:
        """The value of each move by itself; the table serves all of them."""
        found: list[Candidate] = []
        player, given, one = self.position.player, self.guess, self.interval
        self._set(self.position, one)
        for number in self.position.numbers:
            after, line = self.position.after_line([number]), list[int]()
            if after.is_over:
                value, distance = after.utility(player), 1 if self.distance else None
            else:
                own = Interval(self.position.game, self.distance)
                if found and given is None and not self.distance:
                    self.guess = self._counted_for(after.player, found[-1].value)
                for _ in self._close(after, own):
                    pass
                value, plies = own.told()[0], own.plies()
                value = value if after.player == player else own.total - value
                distance = plies[0] + 1 if plies else None
                line = self._line_from(after, own.low)
            if distance is not None and self._is_drawn(value):
                distance = None
            found.append(Candidate(self.position, (number, *line), 0, value, math.nan, EXACT, distance))
            self.candidates = tuple(sorted(found, key=self._rank, reverse=True))
            self._take_best()
            yield self._answer("")
        one.high = one.low

    def _is_drawn(self, value: float) -> bool:
        return 2 * value == self.interval.total

    def _counted_for(self, player: int, value: float) -> int:
        """A value of the root's mover as a guess for `player`."""
        whole = self.interval.counted(value)
        return whole if player == self.position.player else -whole

    def _rank(self, candidate: Candidate) -> tuple[float, float]:
        """Better values first, then quicker wins and slower losses."""
        wins = candidate.value * 2 > self.interval.total
        return candidate.value, 0 if candidate.distance is None else -candidate.distance if wins else candidate.distance

    def _take_best(self) -> None:
        """The position is worth what its best move is, or more while there are others."""
        first, one = self.candidates[0], self.interval
        whole = one.counted(first.value)
        if one.distance:
            whole = 0 if first.distance is None else one.win - first.distance if whole > 0 else first.distance - one.win
        if whole < one.low and self.best != NO_MOVE:  # an earlier run knew a better one
            return
        one.low = whole
        self.best, self.line = first.numbers[0], first.line

    # --- the line of best play ---

    def _line(self) -> tuple[Move, ...]:
        return self.position.named_line(self._line_from(self.position, self.interval.low))

    def _line_from(self, position: Position, value: int) -> list[int]:
        """Best play from a position of this value to the end of the game, as far as it is found with a part of the work; not counted."""
        w, line = self.w, list[int]()
        nodes, leaves, limit, saved, self.saved = int(w.control.nodes), int(w.leaves), self._nodes_limit, self.saved, None
        self._nodes_limit = nodes + LINE_NODES + nodes // 2
        try:
            while not position.is_over:
                w.states[0] = position.state
                for mate in self.mates.workspaces:
                    mate.states[0] = position.state
                answer = self._ask(value)
                if answer is None or answer < value:
                    raise RulesError(f"{position.game.name}: two searches contradict each other; kibitz check tells which rule is at fault")
                number, player = int(w.best), position.player
                line.append(number)
                position = position.after_line([number])
                below = (value + (value > 0) - (value < 0)) if self.distance else value
                value = below if position.player == player else -below
        except (Stopped, KeyboardInterrupt):
            pass
        w.control.nodes, w.leaves, self._nodes_limit, self.saved = nodes, leaves, limit, saved
        return line

    # --- telling ---

    def _answer(self, ended: str, seconds: float | None = None) -> Result:
        one = self.interval
        low, high = one.told()
        some = self.best if self.best != NO_MOVE else int(self.position.numbers[0])
        line = self.line or self.position.named_line([some])
        proven = self.best != NO_MOVE and low > one.total - one.top
        exact = low == high and (self.best != NO_MOVE or self.line)  # where only the value is certain, the move is any
        bound, value = (EXACT, low) if exact else (LOWER, low) if proven or high >= one.top else (UPPER, high)
        plies = one.plies()
        closed = one.is_closed
        hits = lookup.hits(self.endings, self.w, *self.mates.workspaces)
        note = "" if closed and ended else f"a line is longer than {DEEPEST} plies" if self.w.too_deep else str(one)
        return Result(
            position=self.position,
            engine=self.engine,
            move=line[0],
            value=value,
            bound=bound,
            line=line,
            depth=len(line) if closed else 0,
            nodes=self.nodes,
            seconds=self.seconds_before + (time.perf_counter() - self.began if seconds is None else seconds),
            ended=ended,
            distance=plies[0] if plies and closed else None,
            leaves=int(self.w.leaves) + self.mates.leaves,
            table=self.candidates,
            note=lookup.noted(note, self.endings, hits if ended else None),
            full=self.table.full if self.table else None,
            hits=hits,
            lower=low,
            upper=high,
        )

    @property
    def nodes(self) -> int:
        return self.nodes_before + int(self.w.control.nodes) + self.mates.nodes

    # --- setting up ---

    @property
    def _memory(self) -> Any:
        """The table; without one the workspace itself stands in for it."""
        return self.table.entries if self.table else self.w

    def _left(self) -> float | None:
        """Seconds until the time limit; None without one."""
        return self.settings["time"] - (time.perf_counter() - self.began) if self.settings["time"] else None

    def _chosen(self) -> dict[str, Any]:
        """The compile-time options."""
        game, settings = self.position.game, self.settings
        ordered = 0 if not settings["order"] else 2 if game.defines("solving_order") else 1 if game.defines("order") else 0

        def on(option: str) -> bool:
            return bool(settings[option] == "on" or (settings[option] == "auto" and not ordered))

        told, at = settings["knowledge"], game.constants["SOLVING"]
        children = settings["children"] if settings["children"] >= 0 else at.get("children", 0)
        return {
            **self.interval.flags(),
            "TABLE": settings["table"] > 0,
            "ORDER": ordered,
            "REPLIES": on("replies"),
            "KILLERS": on("killers"),
            "HISTORY": on("history"),
            "CANDIDATES": told and game.defines("candidates"),
            "BEST_CASE": told and game.defines("best_case"),
            "LATEST": told and game.defines("latest"),
            "SOONEST": told and game.defines("soonest"),
            "FINISH": told and game.defines("finish") and not self.distance,
            "BANKED": game.defines("banked"),
            "SYMMETRY": game.defines("canonical")
            and (settings["symmetry"] == "on" or (settings["symmetry"] == "auto" and "mirrored" in at)),
            "CHILDREN": bool(children and settings["table"]),
            "SHARED": settings["threads"] > 1,
            **lookup.flags(self.endings),
        }

    def _workspace(self) -> Any:
        constants, settings = self.position.game.constants, self.settings
        deep = min(int(constants["MAX_PLIES"]), DEEPEST) + 1
        w = blank(workspace(constants["State"], constants["MOVE"], constants["MAX_MOVES"], deep, self.endings))
        lookup.attach(self.endings, w, self.position)
        w.deepest, w.together, w.killers[:] = deep, TOGETHER, NO_MOVE
        w.table_shift = self.table.shift if self.table else 0
        for option in ("stored", "ordered", "children"):
            setattr(w, option, settings[option] if settings[option] >= 0 else constants["SOLVING"].get(option, 0))
        w.mirrored = constants["SOLVING"].get("mirrored", 0) if settings["symmetry"] == "auto" else 0
        return w

    def _guess(self) -> int | None:
        """Where to begin asking for a score."""
        if self.distance:
            return None
        if said := self.settings["guess"]:
            try:
                return self.interval.counted(float(said))
            except ValueError:
                raise InputError(f"guess={said}: must be a number, a score for the player to move") from None
        if not self.position.game.defines("evaluate"):
            return None
        return self.interval.counted(float(self.position.game.rule("evaluate")(self.position.state, self.position.player)))
