"""Another program as a player: started when it is first needed, sent every move in the Go Text Protocol, and ended with kibitz.

A program is started once in each process and serves all games there; one that fails loses its game (`Forfeit`) and is restarted for the next. It plays from
the start of a game; it must keep to the same rules (area scoring, positional superko, no suicide: for GNU Go `--chinese-rules --positional-superko`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.notation import Move
from kibitz.core.position.result import ESTIMATE, Result
from kibitz.players import Forfeit, Outsider
from kibitz.protocols.child_process import PATIENCE, TO_START, Child, Talks, find_program

MARK = "gtp:"  # before a command line, where a player may be named


@dataclass(frozen=True)
class GtpProgram(Outsider):
    """The program that this command line starts, such as `gnugo --mode gtp --level 1`."""

    command: str
    settings: Mapping[str, Any] = field(default_factory=dict, compare=False)  # its limits are its own affair
    patience: float = field(default=PATIENCE, compare=False)  # seconds it may take to answer

    @property
    def name(self) -> str:
        return f"{MARK}{self.command}"

    def check(self, game: Game) -> None:
        """Refuse games that it cannot play, and programs that are not there."""
        if game.name != "go" or game.parameters["columns"] not in (0, game.parameters["size"]):
            raise InputError(f"{self.name} speaks GTP, which is for Go on square boards, not for {game.label}")
        find_program(self.command)

    def prepare(self, position: Position) -> None:
        """Start it, and see whether it can play on such a board."""
        talk = self._talk()
        with talk.killed_by_failure():
            talk.begin(position.game)

    def search(self, position: Position, moves: Sequence[Move]) -> Result:
        """Its move in the position that these moves lead to from the start."""
        began = time.perf_counter()
        talk = self._talk()
        with talk.killed_by_failure():
            talk.tell(position.game, [str(move) for move in moves])
            word = talk.ask(f"genmove {'bw'[position.player]}")
            if word.lower() != "resign":
                move = self._move(position, word)
                talk.told.append(str(move))
        if word.lower() == "resign":  # it is in good health, but it may think that the game is over
            talk.board = None
            raise Forfeit(f"{self.name} resigns")
        seconds = time.perf_counter() - began
        return Result(position, self.name, move, 0.0, ESTIMATE, (move,), 0, 0, seconds, "played")

    def _move(self, position: Position, word: str) -> Move:
        try:
            return position.move(word)
        except InputError as error:
            raise Forfeit(f"{self.name}: {error}; does it keep to other rules?") from None

    def _talk(self) -> Conversation:
        return talks.get((self.command, self.patience), lambda: Conversation(self.command, self.patience))


def is_program(text: str) -> bool:
    """Does the text name a program rather than one of our searches?"""
    return text.strip().startswith(MARK)


def program(text: str, patience: float = PATIENCE) -> GtpProgram:
    """The program that `gtp:COMMAND` names; it may take `patience` seconds to answer."""
    command = text.strip().removeprefix(MARK).strip()
    if not command:
        raise InputError(f"'{text}' names no program; write gtp: and a command line, such as 'gtp:gnugo --mode gtp'")
    return GtpProgram(command, patience=patience)


class Conversation(Child):
    """A running program and what it knows of the game."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        super().__init__(command, MARK, patience)
        self.told: list[str] = []
        self.board: tuple[Any, Any] | None = None  # size and komi
        self.may_take = max(patience, TO_START)  # seconds, while it has answered nothing yet

    def ask(self, line: str) -> str:
        """The answer to one command."""
        self.say(line)
        answer: list[str] = []
        until = time.monotonic() + self.may_take
        while not answer or answer[-1].strip():
            text = self.hear(line, until)
            if answer or text[0] in "=?":  # a program may say something before it begins to answer
                answer.append(text)
        self.may_take = self.patience
        words = "".join(answer)[1:].strip()
        if answer[0][0] == "?":
            raise Forfeit(f"{MARK}{self.command} answers '{line}' with: {' '.join(words.split())}")
        return words

    def begin(self, game: Game) -> None:
        """An empty board."""
        size, komi = game.parameters["size"], game.parameters["komi"]
        self.ask(f"boardsize {size}")
        self.ask("clear_board")
        self.ask(f"komi {komi:g}")
        self.board, self.told = (size, komi), []

    def tell(self, game: Game, moves: Sequence[str]) -> None:
        """Bring it to the position after these moves from the start."""
        known = len(self.told)
        if self.board != (game.parameters["size"], game.parameters["komi"]) or self.told != list(moves[:known]):
            self.begin(game)
        for move in moves[len(self.told) :]:
            self.ask(f"play {'bw'[len(self.told) % 2]} {move}")
            self.told.append(move)


talks: Talks[Conversation] = Talks()
