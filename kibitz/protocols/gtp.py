"""The Go Text Protocol, version 2: a Go program's conversation with a board, a server or another program.

A command is a line, a reply begins with `=` or `?` (with the command's number, if it bears one) and ends with an empty line. Nothing a controller
writes ends the session but `quit` and the end of its input. `Session` uses no streams: it takes lines and returns replies, and asks
`waiting` whether another line has come while it thinks.

Besides the required commands: `time_settings`, `time_left`, `undo`, `final_score`, `showboard`; the handicap commands; `lz-analyze`, which reports until
the next line comes; `stop`, which ends a `genmove` with the best move so far; and `loadsgf` and `printsgf`, as GNU Go has them.

To the protocol a move is a colour and a point: a colour may move twice in a row, and both may move after two passes. The game's `resume` sees to that.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.position.game import Game, Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.position.notation import Move
from kibitz.core.position.result import Result
from kibitz.core.position.transcript import recorded, save, written
from kibitz.core.running.control import Stop, heeding
from kibitz.players import Player
from kibitz.protocols import clock, handicap
from kibitz.protocols.clock import NEVER_ENDING, Clock, Timekeeper
from kibitz.protocols.gtp_syntax import COLOURS, Refused, analysis_line, colour_of, number_of, split_line, vertex_of, whole_of

PROTOCOL = 2
SHARE = 0.6  # of the points are played on, as a rule: tells how many moves are still to come
LONG = 2.5  # of the points: a game is hardly ever longer, even where both fill all they have
FEWEST = 10  # moves that time is shared out to, at least
ENDLESS = 60  # moves that can be paid for without thinking, at least, should neither side pass
INTERVAL = 1.0  # seconds between two reports of an analysis, unless told
GRACE = 0.005  # seconds that a search gets, however late it is: enough for a few playouts
LOOK = 0.02  # seconds between two looks for the next line when there is nothing to do
WARM = 64  # playouts, or positions, of a search that is made for the compiler alone


class ListeningStop(Stop):
    """Ends a search when `heard` says so."""

    def __init__(self, heard: Callable[[], bool]) -> None:
        super().__init__()
        self.heard = heard

    @property
    def due(self) -> bool:
        return super().due or self.heard()


@dataclass
class Session:
    """One conversation. `say` is called with every line to be written; `waiting` tells whether the controller has written another one."""

    player: Player
    say: Callable[[str], None]
    version: str
    name: str = "go"
    parameters: dict[str, Any] = field(default_factory=dict)
    waiting: Callable[[], str | None] = lambda: None  # the next line, where one has come; it stays there; empty at the end of the input
    overhead: float = clock.USUAL_OVERHEAD  # seconds of the clock kept back for every move

    def __post_init__(self) -> None:
        self.over = False
        self.keeper = Timekeeper(self.overhead)
        self.warm: set[Game] = set()  # where nothing is left to be compiled
        self._begin()

    def _begin(self) -> None:
        game = load(self.name, **self.parameters)
        self.player.check(game)
        self.game: Game = game
        self.history: list[Position] = [self.game.start]
        self.made: list[tuple[int, str]] = []  # who made which move, from each position of the history to the next
        self.names: tuple[str, ...] = ()  # of Black and White, where a record told them
        self.engine = self.player.remembering()
        self._warm_up()

    def _warm_up(self) -> None:
        """Where there is a clock, compile what moves need now, before a clock runs."""
        if not self.keeper.clocks or self.game in self.warm:
            return
        limit = "playouts" if self.player.takes("playouts") else "nodes"
        engine, position = self.player.limited(book="", **{limit: WARM}).remembering(), self.game.start
        for _ in range(2):  # the second search begins with what the first one knows
            if not position.is_over and (move := engine.search(position).move) is not None:
                position = position.play(int(move))
        self.warm.add(self.game)

    @property
    def position(self) -> Position:
        return self.history[-1]

    # --- lines ---

    def handle(self, line: str) -> None:
        """Answer one line; an empty one, or a comment, has no answer."""
        number, words = split_line(line)
        if not words:
            if number:
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
        size = whole_of(words, 0, "boardsize takes a whole number")
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
        self.parameters["komi"] = number_of(words, 0, "komi takes a number")
        history, made, names = self.history, self.made, self.names
        try:
            self._begin()
        except KibitzError:
            self.parameters = before
            raise
        self.history, self.made, self.names = [Position(self.game, p.data, p.past, p.last) for p in history], made, names
        return ""

    def clear_board(self, _: list[str]) -> str:
        self._begin()
        self.keeper.begin()
        return ""

    def play(self, words: list[str]) -> str:
        colour = colour_of(words)
        if len(words) < 2:
            raise Refused("play takes a colour and a vertex")
        position = self._with_turn(colour)
        try:
            move = position.move(vertex_of(words[1]))
        except KibitzError:
            raise Refused("illegal move") from None
        self._make(colour, position, move)
        return ""

    def _make(self, colour: int, position: Position, move: Move) -> None:
        """A legal move of a colour from `position`, which is that of now with its turn."""
        self.made.append((colour, str(move)))
        self.history.append(position.after_line([int(move)]))

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
        most = whole_of(words, 1, "the move's number is a whole number") if len(words) > 1 else len(transcript.moves)
        if not 0 <= most <= len(transcript.moves):
            raise Refused(f"the game has {len(transcript.moves)} moves")
        self.parameters = dict(positions[0].game.parameters)
        self._begin()
        self.history, self.names = positions[: most + 1], transcript.players
        self.made = list(zip(transcript.movers, transcript.moves, strict=True))[:most]
        return "" if self.position.is_over else ("black", "white")[self.position.player]

    def printsgf(self, words: list[str]) -> str:
        """`printsgf [FILE]`: the game so far, as the answer or into a file."""
        game = (self.history[0], [move for _, move in self.made], self.position, self.names, tuple(colour for colour, _ in self.made))
        if words:
            save(Path(words[0]), *game)
            return ""
        return "\n".join(line for line in written(*game).splitlines() if line)

    def _with_turn(self, colour: int) -> Position:
        """The position with this colour to move, whoever moved last, and after two passes as well."""
        position = self.position.resumed(colour)
        if position is None:
            raise Refused("the game is over")
        return position

    # --- handicap ---

    @property
    def _shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.game.parameters["size"], self.game.parameters["columns"] or self.game.parameters["size"]

    def fixed_handicap(self, words: list[str]) -> str:
        rows, columns = self._shape
        stones = whole_of(words, 0, "fixed_handicap takes a number of stones")
        return self._set_up(handicap.fixed_points(rows, stones) if rows == columns else [], "invalid number of stones")

    def place_free_handicap(self, words: list[str]) -> str:
        rows, columns = self._shape
        stones = whole_of(words, 0, "place_free_handicap takes a number of stones")
        return self._set_up(handicap.free_points(rows, columns, stones) if 2 <= stones < rows * columns else [], "invalid number of stones")

    def set_free_handicap(self, words: list[str]) -> str:
        try:
            points = [int(self.game.start.move(vertex_of(word))) for word in words]
        except KibitzError:
            raise Refused("bad vertex list") from None
        rows, columns = self._shape
        fits = 2 <= len(set(points)) == len(points) < rows * columns and max(points) < rows * columns  # the last one is the pass
        self._set_up(points if fits else [], "bad vertex list")
        return ""

    def _set_up(self, points: list[int], wrong: str) -> str:
        """Black's stones on an empty board, White to move: where the game begins, which no `undo` takes back. The answer names the points."""
        if self.position.situation != self.game.start.situation:
            raise Refused("board not empty")
        if not points:
            raise Refused(wrong)
        rows, columns = self._shape
        lines = ["".join("X" if row * columns + column in points else "." for column in range(columns)) for row in reversed(range(rows))]
        self.history, self.made = [from_board(self.game, f"{'/'.join(lines)} / O to move")], []
        s, name = self.game.start.state, self.game.people["name"]
        return " ".join(str(name(s, point)) for point in points)

    # --- commands about moves and time ---

    def time_settings(self, words: list[str]) -> str:
        main, extra = (number_of(words, place, "time_settings takes three numbers") for place in (0, 1))
        self.keeper.agree(main, Clock(extra, moves=whole_of(words, 2, "time_settings takes three numbers")))
        self._warm_up()
        return ""

    def time_left(self, words: list[str]) -> str:
        wrong = "time_left takes a colour, seconds and stones"
        self.keeper.tell(colour_of(words), Clock(number_of(words, 1, wrong), moves=max(0, whole_of(words, 2, wrong))))
        self._warm_up()
        return ""

    def genmove(self, words: list[str]) -> str:
        began, colour = time.perf_counter(), colour_of(words)
        position = self._with_turn(colour)
        points, played = math.prod(self._shape), len(self.history) / 2
        plan = self.keeper.plan(colour, max(FEWEST, SHARE * points / 2 - played), max(ENDLESS, LONG * points / 2 - played))
        stop = ListeningStop(self._is_stopped)
        stop.deadline = max(began + plan.steady, time.perf_counter() + GRACE)
        engine = self.engine if plan.steady == math.inf else self.engine.limited(time=stop.deadline - began)
        found = self._search(engine, position, stop)
        move = position.moves[0] if found is None or found.move is None else found.move  # any, where there was no time for more
        self._make(colour, position, move)
        self.keeper.spend(colour, time.perf_counter() - began, plan.steady)
        return str(move)

    def _is_stopped(self) -> bool:
        """By `stop`, or by the end of the input."""
        line = self.waiting()
        return line is not None and (line == "" or split_line(line)[1][:1] == ["stop"])

    def _search(self, engine: Player, position: Position, stop: Stop) -> Result | None:
        """The engine's last word, or its last before it was stopped."""
        last = None
        with heeding(stop):
            for result in engine.analyse(position):
                last = result
                if stop.due:
                    break
        return last

    def stop(self, _: list[str]) -> str:
        """Nothing to stop: while there was, it has been stopped by the line's coming."""
        return ""

    def analyze(self, words: list[str]) -> Iterator[str]:
        """`lz-analyze [colour] [centiseconds]`: a line of reports now and then, until the next line comes."""
        colour = colour_of(words) if words and words[0].lower() in COLOURS else max(0, self.position.player)
        rest = [w for w in words if w.isdigit()]
        interval = int(rest[0]) / 100 if rest else INTERVAL
        position = self._with_turn(colour)
        limits = {limit.name: 0 for limit in self.engine.method.limits}
        return self._reports(self.engine.limited(**{**limits, "time": NEVER_ENDING}), position, interval)

    def _reports(self, engine: Player, position: Position, interval: float) -> Iterator[str]:
        last, stop = -math.inf, ListeningStop(lambda: self.waiting() is not None)
        with heeding(stop):
            for result in engine.analyse(position):
                now = time.perf_counter()
                if now - last >= interval or result.ended or stop.due:
                    last = now
                    yield analysis_line(result)
                if stop.due:
                    return
        while not stop.due:  # nothing is left to find out, but the answer goes on
            time.sleep(LOOK)


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
    "fixed_handicap": Session.fixed_handicap,
    "place_free_handicap": Session.place_free_handicap,
    "set_free_handicap": Session.set_free_handicap,
    "loadsgf": Session.loadsgf,
    "printsgf": Session.printsgf,
    "stop": Session.stop,
    "lz-analyze": Session.analyze,
}
