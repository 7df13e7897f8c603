"""The Go Text Protocol, version 2: a Go program's conversation with a board, a server or another program.

A command is a line, a reply begins with `=` or `?` (with the command's number, if it bears one) and ends with an empty line. Nothing a controller
writes ends the session but `quit` and the end of its input. `Session` knows no streams: it is given lines and gives back replies, and asks
`waiting` whether another line has come while it thinks.

Besides the required commands: `time_settings`, `time_left`, `undo`, `final_score`, `showboard`; `lz-analyze`, which reports until the next line comes;
`stop`, which ends a `genmove` with the best move so far; and `loadsgf` and `printsgf`, as GNU Go has them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.loading import load
from kibitz.core.position import Move, Position
from kibitz.core.result import Result
from kibitz.core.transcript import recorded, save, written
from kibitz.players import Player

PROTOCOL = 2
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
SHARE = 0.6  # of the points are played on, as a rule: tells how many moves are still to come
FEWEST = 10  # moves that time is kept for, at least
HASTE = 0.9  # of the time for a move is used
INTERVAL = 1.0  # seconds between two reports of an analysis, unless told


class Refused(Exception):
    """The reply is `?` with these words."""


@dataclass
class Clock:
    """What a colour has left: seconds for `stones` moves, or for the rest of the game where stones is 0."""

    seconds: float
    stones: int = 0


@dataclass
class Session:
    """One conversation. `say` is called with every line to be written; `waiting` tells whether the controller has written another one."""

    player: Player
    say: Callable[[str], None]
    version: str
    name: str = "go"
    parameters: dict[str, Any] = field(default_factory=dict)
    waiting: Callable[[], str | None] = lambda: None  # the next line, where one has come; it stays there

    def __post_init__(self) -> None:
        self.over = False
        self.clocks: dict[int, Clock] = {}
        self.period = (0.0, 0)  # seconds and stones of Canadian overtime
        self._begin()

    def _begin(self) -> None:
        self.game: Game = load(self.name, **self.parameters)
        self.player.check(self.game)
        self.history: list[Position] = [self.game.start]
        self.made: list[tuple[str, ...]] = []  # what led from each position of the history to the next: a move, perhaps after a pass
        self.engine = self.player.remembering()

    @property
    def position(self) -> Position:
        return self.history[-1]

    # --- lines ---

    def handle(self, line: str) -> None:
        """Answer one line; an empty one, or a comment, has no answer."""
        words = "".join(c if c >= " " else " " for c in line.partition("#")[0] if c != "\x7f").split()
        if not words:
            return
        number = words.pop(0) if words[0].isdigit() else ""
        if not words:
            self._reply("?", number, "a command is missing")
            return
        command, arguments = words[0], words[1:]
        try:
            if command not in COMMANDS:
                raise Refused("unknown command")
            answer = COMMANDS[command](self, arguments)
        except Refused as error:
            self._reply("?", number, str(error))
        except KibitzError as error:
            self._reply("?", number, " ".join(str(error).split()))
        else:
            if isinstance(answer, str):
                self._reply("=", number, answer)
            else:
                self.say(f"={number}")
                for text in answer:
                    self.say(text)
                self.say("")

    def _reply(self, sign: str, number: str, text: str) -> None:
        self.say(f"{sign}{number} {text}".rstrip())
        self.say("")

    # --- commands about the program ---

    def protocol_version(self, _: list[str]) -> str:
        return str(PROTOCOL)

    def its_name(self, _: list[str]) -> str:
        return "kibitz"

    def its_version(self, _: list[str]) -> str:
        return self.version

    def known_command(self, words: list[str]) -> str:
        return "true" if words and words[0] in COMMANDS else "false"

    def list_commands(self, _: list[str]) -> str:
        return "\n".join(COMMANDS)

    def quit(self, _: list[str]) -> str:
        self.over = True
        return ""

    # --- commands about the board ---

    def boardsize(self, words: list[str]) -> str:
        size = _whole(words, 0, "boardsize takes a whole number")
        before = dict(self.parameters)
        self.parameters["size"] = size
        try:
            self._begin()
        except KibitzError:
            self.parameters = before
            raise Refused("unacceptable size") from None
        return ""

    def komi(self, words: list[str]) -> str:
        before = dict(self.parameters)
        self.parameters["komi"] = _number(words, 0, "komi takes a number")
        history, made = self.history, self.made
        try:
            self._begin()
        except KibitzError:
            self.parameters = before
            raise
        self.history, self.made = [Position(self.game, p.data, p.past, p.last) for p in history], made
        return ""

    def clear_board(self, _: list[str]) -> str:
        self._begin()
        return ""

    def play(self, words: list[str]) -> str:
        colour = _colour(words)
        if len(words) < 2:
            raise Refused("play takes a colour and a vertex")
        position = self._with_turn(colour)
        try:
            move = position.move(_vertex(words[1]))
        except KibitzError:
            raise Refused("illegal move") from None
        self._make(position, move)
        return ""

    def _make(self, position: Position, move: Move) -> None:
        """A move from `position`, which is that of now or the one after a pass."""
        self.made.append((str(move),) if position is self.position else ("pass", str(move)))
        self.history.append(position.play(int(move)))

    def undo(self, _: list[str]) -> str:
        if len(self.history) == 1:
            raise Refused("cannot undo")
        self.history.pop()
        self.made.pop()
        return ""

    def showboard(self, _: list[str]) -> str:
        return "\n" + self.position.show()

    def final_score(self, _: list[str]) -> str:
        """By area, with the stones as they stand."""
        counted = load(self.name, **{**self.parameters, "score": "area"})
        margin = float(counted.rule("utility")(self.position.state, 0))
        return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"

    def loadsgf(self, words: list[str]) -> str:
        """`loadsgf FILE [NUMBER]`: the game in a file, up to move NUMBER if that is given; the answer is whose turn it is."""
        if not words:
            raise Refused("loadsgf takes a file")
        others = {n: v for n, v in self.parameters.items() if n not in ("size", "columns", "komi")}
        transcript, positions = recorded(self.name, Path(words[0]), others)
        most = _whole(words, 1, "the move's number is a whole number") if len(words) > 1 else len(transcript.moves)
        if not 0 <= most <= len(transcript.moves):
            raise Refused(f"the game has {len(transcript.moves)} moves")
        self.parameters = dict(positions[0].game.parameters)
        self._begin()
        self.history, self.made = positions[: most + 1], [(move,) for move in transcript.moves[:most]]
        return "" if self.position.is_over else ("black", "white")[self.position.player]

    def printsgf(self, words: list[str]) -> str:
        """`printsgf [FILE]`: the game so far, as the answer or into a file."""
        moves = [move for made in self.made for move in made]
        if words:
            save(Path(words[0]), self.history[0], moves, self.position)
            return ""
        return "\n".join(line for line in written(self.history[0], moves, self.position).splitlines() if line)

    def _with_turn(self, colour: int) -> Position:
        """The position with this colour to move: a handicap stone, or a move after none of the other's, stands for a pass before it."""
        position = self.position
        if position.is_over:
            raise Refused("the game is over")
        return position if position.player == colour else position.play("pass")

    # --- commands about moves and time ---

    def time_settings(self, words: list[str]) -> str:
        main, extra = _number(words, 0, "time_settings takes three numbers"), _number(words, 1, "time_settings takes three numbers")
        stones = _whole(words, 2, "time_settings takes three numbers")
        self.period = (extra, stones)
        unlimited = extra > 0 and stones == 0
        self.clocks = {} if unlimited else {colour: Clock(main) if main > 0 else Clock(extra, stones) for colour in (0, 1)}
        return ""

    def time_left(self, words: list[str]) -> str:
        self.clocks[_colour(words)] = Clock(_number(words, 1, "time_left takes a colour, seconds and stones"), _whole(words, 2, "stones"))
        return ""

    def genmove(self, words: list[str]) -> str:
        colour = _colour(words)
        if self.position.is_over:
            raise Refused("the game is over")
        position = self._with_turn(colour)
        began = time.perf_counter()
        found = self._found(self._timed(colour), position)
        if found is None or found.move is None:
            raise Refused("no move found")
        self._spend(colour, time.perf_counter() - began)
        self._make(position, found.move)
        return str(found.move)

    def _found(self, engine: Player, position: Position) -> Result | None:
        """The engine's last word, or its last before `stop` came."""
        last = None
        for result in engine.analyse(position):
            last = result
            if (self.waiting() or "").strip() == "stop":
                break
        return last

    def stop(self, _: list[str]) -> str:
        """Nothing to stop: while there was, it has been stopped by the line's coming."""
        return ""

    def analyze(self, words: list[str]) -> Iterator[str]:
        """`lz-analyze [colour] [centiseconds]`: a line of reports now and then, until the next line comes."""
        colour = _colour(words) if words and words[0].lower() in COLOURS else self.position.player
        rest = [w for w in words if w.isdigit()]
        interval = int(rest[0]) / 100 if rest else INTERVAL
        position = self._with_turn(colour)
        settings = {**self.engine.settings, **{limit.name: 0 for limit in self.engine.method.limits}, "time": 1e6}
        return self._reports(Player(self.engine.method, settings, self.engine.memory), position, interval)

    def _reports(self, engine: Player, position: Position, interval: float) -> Iterator[str]:
        last = -math.inf
        for result in engine.analyse(position):
            now, asked = time.perf_counter(), self.waiting()
            if now - last >= interval or asked is not None or result.ended:
                last = now
                yield reported(result)
            if asked is not None:
                return

    def _timed(self, colour: int) -> Player:
        """The player with as much time as the clock allows for this move; as it is without a clock."""
        clock = self.clocks.get(colour)
        if clock is None:
            return self.engine
        moves = clock.stones or max(FEWEST, SHARE * self.game.constants["MAX_MOVES"] / 2 - len(self.history) / 2)
        seconds = max(0.01, HASTE * clock.seconds / moves)
        return self.engine.limited(time=seconds)

    def _spend(self, colour: int, seconds: float) -> None:
        """Until the controller says better: the clock goes on, from the main time to overtime, and from period to period."""
        clock = self.clocks.get(colour)
        if clock is None:
            return
        clock.seconds -= seconds
        if clock.stones > 1:
            clock.stones -= 1
        elif self.period[1] and (clock.stones == 1 or clock.seconds <= 0):
            clock.seconds, clock.stones = self.period


def reported(result: Result) -> str:
    """All moves of a result on one line, as Leela Zero writes them; winning chances in ten-thousandths."""
    low, high = result.position.game.constants["VALUES"]
    found = []
    for order, c in enumerate(result.table):
        if c.visits:
            chance = round(10000 * (c.value - low) / (high - low)) if not math.isnan(c.value) else 0
            found.append(f"info move {c.move} visits {c.visits} winrate {chance} order {order} pv {' '.join(str(m) for m in c.line)}")
    if not found and result.move is not None:
        chance = round(10000 * (result.value - low) / (high - low))
        line = " ".join(str(m) for m in result.line)
        found.append(f"info move {result.move} visits {result.nodes} winrate {chance} order 0 pv {line}")
    return " ".join(found)


def _colour(words: list[str]) -> int:
    if not words or words[0].lower() not in COLOURS:
        raise Refused("a colour is missing: black or white")
    return COLOURS[words[0].lower()]


def _vertex(word: str) -> str:
    return word.lower() if word.lower() in ("pass", "resign") else word.upper()


def _number(words: list[str], place: int, wrong: str) -> float:
    try:
        found = float(words[place])
    except (IndexError, ValueError):
        raise Refused(wrong) from None
    if not math.isfinite(found):
        raise Refused(wrong)
    return found


def _whole(words: list[str], place: int, wrong: str) -> int:
    found = _number(words, place, wrong)
    if found != int(found):
        raise Refused(wrong)
    return int(found)


COMMANDS: dict[str, Callable[[Session, list[str]], str | Iterator[str]]] = {
    "protocol_version": Session.protocol_version,
    "name": Session.its_name,
    "version": Session.its_version,
    "known_command": Session.known_command,
    "list_commands": Session.list_commands,
    "quit": Session.quit,
    "boardsize": Session.boardsize,
    "clear_board": Session.clear_board,
    "komi": Session.komi,
    "play": Session.play,
    "genmove": Session.genmove,
    "undo": Session.undo,
    "time_settings": Session.time_settings,
    "time_left": Session.time_left,
    "showboard": Session.showboard,
    "final_score": Session.final_score,
    "loadsgf": Session.loadsgf,
    "printsgf": Session.printsgf,
    "stop": Session.stop,
    "lz-analyze": Session.analyze,
}
