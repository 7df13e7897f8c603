"""The Universal Chess Interface, for any game whose moves and positions have a text: a program's conversation with a board or a match.

Commands and replies are lines. `Session` uses no streams: it takes lines (`handle`) and calls `say` with replies, also from the thread that
searches; so it can take `stop`, `ponderhit` and `isready` during a search. Nothing ends a session but `quit` and the end of the input: a line that
makes no sense is answered with `info string` and a reason, and every `go` with a `bestmove`, which may be `(none)`.

Nothing is compiled before `isready` or `go`: a board drops a program that does not say `uciok` at once.

Scores: `cp` is a hundredth of the game's unit (in chess a pawn) above the middle of its values, `mate` counts the mover's moves to the end of the game.
"""

from __future__ import annotations

import math
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kibitz.core.errors import InputError, KibitzError
from kibitz.core.position.game import Game, Position, first, from_board
from kibitz.core.position.result import Candidate, Result
from kibitz.core.protocol import outcomes
from kibitz.core.running.control import Stop, heeding
from kibitz.players import Player
from kibitz.protocols import clock
from kibitz.protocols.clock import NEVER_ENDING, Plan
from kibitz.protocols.uci_options import Options
from kibitz.protocols.uci_syntax import DEEPEST, LACKING, Go, go_of, setup_of, words_of

PRUNING = ("null", "reductions", "futility", "quiescence")  # options of `selective` that a search for a mate does without
GRACE = 0.02  # seconds that a search gets, however late it is: enough to look a ply ahead
GIVE_UP = 5.0  # seconds in which a search that was stopped must have ended


class Session:
    """One conversation. `say` is called with every line to be written, from any thread."""

    def __init__(self, game: Game, player: str, say: Callable[[str], None], version: str) -> None:
        if game.is_hidden:
            raise InputError(
                f"{game.label}: the protocol tells an engine all moves, and its players must not be told; play it with kibitz play"
            )
        self.game, self.say, self.version = game, say, version
        self.options = Options(game, player)
        self.over = False
        self.history: tuple[str, list[str], list[Position]] = ("", [], [])  # the last set-up and moves, and every position on the way
        self.position: Position | None = None  # the one to be searched; None where the last one was refused
        self.engine: Player | None = None  # made when it is needed, with what the last game taught it
        self.thinking: Thought | None = None
        self._lock = threading.Lock()  # of `thinking` and `engine`
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="uci", daemon=True).start()

    # --- lines ---

    def handle(self, line: str) -> None:
        """Answer one line. Words before the first command that is known are passed over, as the protocol says."""
        words = words_of(line)
        known = next((i for i, word in enumerate(words) if word in COMMANDS), None)
        if not words:
            return
        if known is None:
            self._tell(f"unknown command '{words[0]}'; known are {', '.join(COMMANDS)}")
            return
        try:
            COMMANDS[words[known]](self, words[known + 1 :])
        except KibitzError as error:
            self._tell(str(error))

    def finish(self) -> None:
        """The input has ended: a search under way is ended, too, and says its move."""
        self.over = True
        if (thought := self.thinking) is not None:
            thought.end()
            thought.done.wait(GIVE_UP)

    def _tell(self, text: str) -> None:
        self.say(f"info string {' '.join(text.split())}")

    # --- commands ---

    def uci(self, _: list[str]) -> None:
        self.say(f"id name kibitz {self.version}" + ("" if self.game.name == "chess" else f" ({self.game.label})"))
        self.say("id author the kibitz authors")
        for line in self.options.declarations():
            self.say(line)
        self.say("uciok")

    def setoption(self, words: list[str]) -> None:
        self.options.set(words)
        self.ucinewgame([])

    def ucinewgame(self, _: list[str]) -> None:
        with self._lock:
            self.engine = None

    def isready(self, _: list[str]) -> None:
        """At once during a search; else when everything is compiled and what was asked before is done."""
        if self.thinking is not None:
            self.say("readyok")
        else:
            self._queue(self._prepare)

    def set_position(self, words: list[str]) -> None:
        self.position = None  # a refused one is not searched, nor the one before it
        setup, moves = setup_of(words)
        known, made, positions = self.history
        if known != setup or not positions:
            made, positions = [], [_in_play(first(self.game) if setup == "startpos" else from_board(self.game, setup))]
        same = next((i for i, (a, b) in enumerate(zip(made, moves, strict=False)) if a != b), min(len(made), len(moves)))
        made, positions = made[:same], positions[: same + 1]
        self.history = setup, made, positions
        for move in moves[same:]:
            positions.append(_in_play(positions[-1].after_line([positions[-1].wired(move)])))
            made.append(move)
        self.position = positions[-1]

    def go(self, words: list[str]) -> None:
        began = time.perf_counter()
        self.stop([])
        wanted, refused = go_of(words)
        for reason in refused:
            self._tell(reason)
        thought = Thought(self, self.position, wanted, began)
        with self._lock:
            self.thinking = thought
        self._queue(thought.run)

    def leave(self, thought: Thought) -> None:
        """A thought has ended; unless another one has begun meanwhile, there is none now."""
        with self._lock:  # between a look and an act of this thread, `go` may come in the other one
            if self.thinking is thought:
                self.thinking = None

    def stop(self, _: list[str]) -> None:
        if (thought := self.thinking) is not None:  # which may end meanwhile
            thought.end()

    def ponderhit(self, _: list[str]) -> None:
        if (thought := self.thinking) is not None:
            thought.hit()

    def quit(self, _: list[str]) -> None:
        self.finish()

    def nothing(self, _: list[str]) -> None:
        """`debug` and `register`: there is nothing to do."""

    # --- work ---

    def _queue(self, job: Callable[[], None]) -> None:
        self._jobs.put(job)

    def _work(self) -> None:
        """The life of the thread that searches: one job after the other."""
        while True:
            job = self._jobs.get()
            try:
                job()
            except Exception as error:  # a fault of ours must not end the session
                traceback.print_exc(file=sys.stderr)
                self._tell(f"{type(error).__name__}: {error}")

    def _prepare(self) -> None:
        """Compile, and say that all is ready."""
        try:
            start = first(self.game)
            if not start.is_over:
                self.player().prepare(start)
        except KibitzError as error:
            self._tell(str(error))
        self.say("readyok")

    def player(self) -> Player:
        """The player that the options describe, with what it remembers of this game."""
        with self._lock:
            if self.engine is None:
                self.engine = self.options.player().remembering()
            return self.engine


@dataclass
class Thought:
    """What one `go` asks for: a search, and one `bestmove` when it is over."""

    session: Session
    position: Position | None
    wanted: Go
    began: float

    def __post_init__(self) -> None:
        self.stop, self.done = Stop(), threading.Event()
        self.waiting = self.wanted.infinite or self.wanted.ponder  # the move is not said before somebody asks for it
        self.plan = Plan()
        self.agreeing, self.last = 0, -1  # how many depths chose the same move, and which
        self.unlimited = False  # does the search know none of the limits it was given?
        self.least = -math.inf  # when the search may be over, at the earliest
        self._lock = threading.Lock()  # of the deadline, and of `least`
        if not self.waiting:
            self._start_clock(self.began)

    # --- from the thread that listens ---

    def end(self) -> None:
        self.waiting = False
        self.stop.ask()

    def hit(self) -> None:
        """The expected move was made: from now on the search has as much time as it would have had."""
        if self.wanted.ponder and self.waiting:
            self._start_clock(time.perf_counter())
            self.waiting = False

    def _start_clock(self, now: float) -> None:
        self.began = now
        self.plan = self._make_plan()
        with self._lock:
            self.stop.deadline = max(now + self.plan.hard, self.least)

    def _make_plan(self) -> Plan:
        overhead = self.session.options.overhead
        if self.wanted.seconds is not None:
            return clock.for_move(self.wanted.seconds, overhead)
        mover = max(0, self.position.player) if self.position is not None else 0
        told = [c for c in self.wanted.clocks if c is not None]
        if told:  # the other's stands for one's own, where that was left out
            return clock.for_clock(self.wanted.clocks[min(mover, 1)] or told[0], overhead)
        return Plan()

    # --- from the thread that searches ---

    def run(self) -> None:
        """Search, wait where that was asked for, and say the move."""
        best: tuple[str, ...] = ()
        try:
            best = self._search()
        except KibitzError as error:
            self.session._tell(str(error))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            self.session._tell(f"{type(error).__name__}: {error}")
        if not best and self.position is not None:
            best = self.position.wire_line(self.position.numbers[:1])
        while self.waiting:
            self.stop.asked.wait(0.01)
        said = f" ponder {best[1]}" if len(best) > 1 else ""
        self.session.say(f"bestmove {best[0] if best else '(none)'}{said}")
        self.session.leave(self)  # only now: until then `quit` waits
        self.done.set()

    def _search(self) -> tuple[str, ...]:
        """The best line, while its progress is told."""
        if self.position is None:
            raise InputError("there is no position to search; send position startpos, or another")
        if self.position.is_over:
            raise InputError("the game is over in this position; there is no move to find")
        player = self._limit(self.session.player())
        line: tuple[str, ...] = ()
        with self._lock:  # `ponderhit` may set the deadline at any moment
            self.least = time.perf_counter() + GRACE
            self.stop.deadline = max(self.stop.deadline, self.least)
        with heeding(self.stop):
            for result in player.analyse(self.position):
                line = self._report(result) or line
                if self._enough(result):
                    break
            if self.wanted.mate and _wins_in(result) <= self.wanted.mate:
                told = self._complete_mate(player, result)
                line = self._report(told) if told.line != result.line else line
        return line

    def _complete_mate(self, player: Player, found: Result) -> Result:
        """The same with a line that ends the game: where the table cut it short, search on from there."""
        line, here, most = list(found.line), found.position.after_line(list(found.line)), found.distance or 0
        every = {"only": ""} if player.takes("only") else {}
        while not here.is_over and len(line) < most:
            further = player.limited(depth=most - len(line), **every).search(here)
            if further.distance is None or not 0 < len(further.line) <= further.distance <= most - len(line):
                break
            line += further.line
            here = here.after_line(list(further.line))
        return replace(found, line=tuple(line))

    def _limit(self, player: Player) -> Player:
        """The session's player with the limits of this `go`; time is kept by `stop`, which can be moved."""
        wanted: dict[str, Any] = {"time": NEVER_ENDING} if not player.settings.get("time") else {}
        for name, value in (("depth", self.wanted.depth), ("nodes", self.wanted.nodes)):
            if value and player.takes(name):
                wanted[name] = value
            elif value:
                self.session._tell(f"{player.method.name} knows no limit of {name}; it is passed over")
        if self.wanted.mate:  # a mate is proved move by move: nothing may be left out; and what takes more moves is none
            wanted |= {name: 0 for name in PRUNING if player.takes(name)}
            if player.takes("depth"):
                wanted["depth"] = min(2 * self.wanted.mate - 1, self.wanted.depth or DEEPEST, DEEPEST)
        if self.wanted.only and self.position is not None:
            if player.takes("only"):
                wanted["only"] = " ".join(word for word in self.wanted.only if self._is_legal(word))
            else:
                self.session._tell(f"{player.method.name} cannot be told which moves to look at; it looks at all")
        limited = player.limited(**wanted)
        self.unlimited = not any(limited.settings[p.name] for p in limited.method.limits if limited.settings[p.name] != NEVER_ENDING)
        return limited

    def _is_legal(self, word: str) -> bool:
        try:
            return self.position is not None and self.position.wired(word) >= 0
        except InputError as error:
            self.session._tell(str(error))
            return False

    def _enough(self, result: Result) -> bool:
        """Is there no use in a deeper search?"""
        move = -1 if result.move is None else int(result.move)
        self.agreeing = self.agreeing + 1 if move == self.last else 1
        self.last = move
        if self.stop.due:
            return True
        if self.wanted.mate and _wins_in(result) <= self.wanted.mate:
            return True
        if self.unlimited and not self.waiting and self.plan == Plan():
            return time.perf_counter() - self.began >= LACKING
        if self.waiting or self.plan.soft == math.inf:
            return False
        alone = self.position is not None and len(self.position.numbers) == 1
        return alone or self.plan.enough(time.perf_counter() - self.began, self.agreeing)

    def _report(self, result: Result) -> tuple[str, ...]:
        """`info` of one result; the best line of it, as programs write moves."""
        found: Sequence[Result | Candidate] = result.table if result.playouts is None and result.table else (result,)
        best: tuple[str, ...] = ()
        for place, one in enumerate(found, 1):
            line = result.position.wire_line(one.line if isinstance(one, Result) else one.numbers)
            best = best or line
            self.session.say(_info(result, place, one, line, time.perf_counter() - self.began))
        return best


def _in_play(position: Position) -> Position:
    """The position to play on from where a draw could be claimed; the same, where the game is over for good."""
    return position.resumed() or position


def _info(result: Result, place: int, one: Result | Candidate, line: tuple[str, ...], passed: float) -> str:
    milliseconds = round(1000 * passed)
    words = [f"info depth {result.depth}"]
    if result.farthest is not None:
        words.append(f"seldepth {max(result.farthest, result.depth)}")
    words.append(f"multipv {place} score {_score(one)} nodes {result.nodes} nps {round(result.nodes / max(passed, 0.001))}")
    if result.full is not None:
        words.append(f"hashfull {round(1000 * result.full)}")
    words.append(f"time {milliseconds}")
    if line:
        words.append(f"pv {' '.join(line)}")
    return " ".join(words)


def _score(one: Result | Candidate) -> str:
    middle = outcomes.middle(one.position.game.constants["VALUES"])
    if one.distance is not None:
        moves = (one.distance + 1) // 2
        return f"mate {moves if one.value > middle else -moves}" if one.value != middle else "cp 0"
    return f"cp {0 if math.isnan(one.value) else round(100 * (one.value - middle))}"


def _wins_in(result: Result) -> float:
    """The mover's moves to a win that was found; infinite without one."""
    middle = outcomes.middle(result.position.game.constants["VALUES"])
    return (result.distance + 1) // 2 if result.distance is not None and result.value > middle else math.inf


COMMANDS: dict[str, Callable[[Session, list[str]], None]] = {
    "uci": Session.uci,
    "isready": Session.isready,
    "setoption": Session.setoption,
    "ucinewgame": Session.ucinewgame,
    "position": Session.set_position,
    "go": Session.go,
    "stop": Session.stop,
    "ponderhit": Session.ponderhit,
    "quit": Session.quit,
    "debug": Session.nothing,
    "register": Session.nothing,
}
