"""Another program as a player, through the Universal Chess Interface; started when it is first needed, and ended with kibitz.

Written `uci:COMMAND; NAME=VALUE; ...`, such as `uci:stockfish; UCI_LimitStrength=true; UCI_Elo=1800; time=0.5`: `time` (seconds), `depth` and `nodes` limit every move,
other names are options of the program. It is told every position as the moves from the start of the game, as programs write them. One that fails loses its game
(`Forfeit`) and is restarted for the next.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position, first
from kibitz.core.position.notation import Move
from kibitz.core.position.result import ESTIMATE, Result
from kibitz.core.protocol.default_text import named_value
from kibitz.players import Forfeit, Outsider
from kibitz.protocols.child_process import PATIENCE, TO_START, Child, Talks, find_program

MARK = "uci:"  # before a command line, where a player may be named
LIMITS = {"time": "movetime", "depth": "depth", "nodes": "nodes"}  # our words and the protocol's
USUAL_TIME = 1.0  # seconds a move, unless told
MOST_TOLD = 1000  # lines kept of what it says of one search


@dataclass(frozen=True)
class UciProgram(Outsider):
    """The program that this command line starts, with its options and limits."""

    command: str
    options: tuple[tuple[str, str], ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)  # time, depth, nodes
    patience: float = field(default=PATIENCE, compare=False)  # seconds it may take to answer, beyond the time of a move

    @property
    def name(self) -> str:
        limits = [f"{name}={value:g}" for name, value in self.settings.items()]
        return MARK + "; ".join([self.command, *(f"{name}={value}" for name, value in self.options), *limits])

    def check(self, game: Game) -> None:
        """Refuse programs that are not there, and games that UCI cannot play."""
        if game.players != 2 or game.has_chance:
            raise InputError(f"{self.name} speaks UCI, which is for two players without chance, not for {game.label}")
        find_program(self.command)

    def prepare(self, position: Position) -> None:
        """Start it and set its options."""
        self._talk(position.game)

    def search(self, position: Position, moves: Sequence[Move]) -> Result:
        """Its move in the position that these moves lead to from the start."""
        talk, began = self._talk(position.game), time.perf_counter()
        limits = [f"{LIMITS[name]} {round(1000 * value) if name == 'time' else value}" for name, value in self.settings.items()]
        seconds = self.settings.get("time", 0.0 if limits else USUAL_TIME)
        with talk.killed_by_failure():
            talk.say(f"position startpos moves {' '.join(talk.wires(moves))}".removesuffix(" moves "))
            answer = talk.until("bestmove", f"go {' '.join(limits) or f'movetime {round(1000 * USUAL_TIME)}'}", seconds + self.patience)
            move = self._move(position, [*answer[-1].split(), "(none)"][1])
        depth, nodes = _last_number(answer, "depth"), _last_number(answer, "nodes")
        return Result(position, self.name, move, 0.0, ESTIMATE, (move,), depth, nodes, time.perf_counter() - began, "played")

    def _move(self, position: Position, word: str) -> Move:
        try:
            return position.move(position.wired(word))
        except InputError as error:
            raise Forfeit(f"{self.name}: {error}; does it keep to other rules?") from None

    def _talk(self, game: Game) -> Conversation:
        key = (self.command, self.options, game, self.patience)
        return talks.get(key, lambda: Conversation(self.command, self.options, game, self.patience))


def is_program(text: str) -> bool:
    """Does the text name such a program?"""
    return text.strip().startswith(MARK)


def program(text: str, patience: float = PATIENCE, **limits: Any) -> UciProgram:
    """The program that `uci:COMMAND; NAME=VALUE; ...` names; further limits take precedence. It may answer `patience` seconds late."""
    command, *parts = (part.strip() for part in text.strip().removeprefix(MARK).split(";"))
    if not command:
        raise InputError(f"'{text}' names no program; write uci: and a command line, such as 'uci:stockfish; UCI_Elo=1800; time=0.5'")
    given: dict[str, str] = {}
    for part in filter(None, parts):
        found = named_value(part)
        if found is None:
            raise InputError(f"'{part}' in '{text}' is no NAME=VALUE")
        given[found[0]] = found[1]
    settings = {name: _limit(name, given.pop(name)) for name in LIMITS if name in given}
    settings |= {name: value for name, value in limits.items() if value is not None}
    return UciProgram(command, tuple(given.items()), settings, patience)


def _limit(name: str, text: str) -> float:
    try:
        value = float(text) if name == "time" else int(text)
    except ValueError:
        value = 0
    if not 0 < value < 1e9:
        raise InputError(f"{name}={text}: must be a number above 0")
    return value


class Conversation(Child):
    """A running program, and the moves of the game as it knows them."""

    def __init__(self, command: str, options: tuple[tuple[str, str], ...], game: Game, patience: float = PATIENCE) -> None:
        super().__init__(command, MARK, patience)
        self.game = game
        self.made: list[Move] = []  # moves, as programs write them, and the positions they lead to
        self.written: list[str] = []
        self.positions = [first(game)]
        with self.killed_by_failure():
            self._set(options)

    def _set(self, options: tuple[tuple[str, str], ...]) -> None:
        """Its options, before the first game."""
        seconds = max(TO_START, self.patience)
        known = {line.partition(" name ")[2].partition(" type ")[0].lower() for line in self.until("uciok", "uci", seconds)}
        for name, value in options:
            if name.lower() not in known:
                raise InputError(f"{MARK}{self.command} has no option '{name}'")
            self.say(f"setoption name {name} value {value}")
        self.until("readyok", "isready", seconds)

    def wires(self, moves: Sequence[Move]) -> list[str]:
        """Moves from the start as programs write them; what is known of the game is not looked up again."""
        same = next((i for i, (a, b) in enumerate(zip(self.made, moves, strict=False)) if a != b), min(len(self.made), len(moves)))
        if same == 0:
            self.say("ucinewgame")
        del self.made[same:], self.written[same:], self.positions[same + 1 :]
        for move in moves[same:]:
            here = self.positions[-1]
            self.written += here.wire_line([move])
            self.positions.append(here.after_line([move]))
            self.made.append(move)
        return self.written

    def until(self, word: str, line: str, seconds: float) -> list[str]:
        """What it writes after this line until one begins with the word; within `seconds`."""
        self.say(line)
        answer: deque[str] = deque(maxlen=MOST_TOLD)
        until = time.monotonic() + seconds
        while not answer or answer[-1].split()[:1] != [word]:
            answer.append(self.hear(line, until).strip())
        return list(answer)


talks: Talks[Conversation] = Talks()


def _last_number(answer: list[str], word: str) -> int:
    """The last number after this word in what it said of its search; 0 where it said nothing."""
    for line in reversed(answer):
        words = line.split()
        if words[:1] == ["info"] and word in words[:-1] and words[words.index(word) + 1].isdigit():
            return int(words[words.index(word) + 1])
    return 0
