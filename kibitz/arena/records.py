"""The file of a match's games: one line a game, written as soon as each is over; and going on with a match from there.

The kind of match decides what a line holds (`Lines`). For matches of two these are fields separated by tabs:

    game  pair  first  winner  utility  opening  seed  moves  ended  one  two

the number of the game and of its pair, which contestant was player 1, who won (one, two or draw), the utility to contestant one, how many of the
moves are the opening, the seed and stream that chance drew from, and all moves from the start in the game's notation; `end` where the rules ended the game, else why
the loser lost it; and of either contestant its utility and what it spent: moves, nodes, depths, seconds, late moves, the latest, with / between them. Files of earlier
versions have the first eight. Lines that begin with # say who played. Matches of more players: seats_records.

A file is begun with the first game: until then one that was there before stays. A disk that is full costs lines, never the match: they wait, and are written
with the next game if there is room by then. When the match ends the lines are put in order, if several processes wrote them out of order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from kibitz.arena.contest import ONE, TWO, Effort, Played
from kibitz.core.errors import InputError
from kibitz.core.files import read_text, write_whole
from kibitz.core.position.game import Game
from kibitz.core.position.identity import identity

SITS = ("one", "two")
COLUMNS = ("game", "pair", "first", "winner", "utility", "opening", "seed", "moves")
FURTHER = ("ended", *SITS)
ENDED = "end"  # by the rules


class Recorded(Protocol):
    """A game that was played, of a match of two or of more."""

    @property
    def number(self) -> int:
        """Its place in the match, from 0."""

    @property
    def opening(self) -> int:
        """How many of its moves are the opening."""


Over = TypeVar("Over", bound=Recorded)  # a game that is over


@dataclass(frozen=True)
class Lines(Generic[Over]):
    """How games of one kind of match are written, and read again."""

    columns: tuple[str, ...]
    line_of: Callable[[Over], str]
    game_of: Callable[[str, str], Over]  # of a line, and of words for where it is; an InputError says what is wrong
    planned: Callable[[Over, Any], bool]  # is it the game that the plan says?


# --- lines ---


def line_of(game: Played) -> str:
    """A game as its line."""
    winner = "draw" if game.score == 0.5 else SITS[ONE] if game.score == 1.0 else SITS[TWO]
    fields = (
        game.number + 1,
        game.stream + 1,
        SITS[game.first],
        winner,
        f"{game.utilities[ONE]:+g}",
        game.opening,
        f"{game.seed}:{game.stream}",
        " ".join(game.moves),
        game.forfeit or ENDED,
        *(effort_text(game.utilities[who], game.efforts[who]) for who in (ONE, TWO)),
    )
    return "\t".join(map(str, fields))


def effort_text(utility: float, e: Effort) -> str:
    return f"{utility!r}/{e.moves}/{e.nodes}/{e.depths}/{e.seconds:.6f}/{e.late}/{e.latest:.6f}"


def read(path: Path) -> list[dict[str, str]]:
    """The lines of a file of games, each as its fields."""
    lines = enumerate(read_text(path).splitlines(), 1)
    return [fields_of(line, f"{path}:{number}") for number, line in lines if line and not line.startswith("#")]


def fields_of(line: str, place: str) -> dict[str, str]:
    """The fields of one line; `place` says where the line is."""
    fields = line.split("\t")
    for columns in ((*COLUMNS, *FURTHER), COLUMNS):
        if len(fields) == len(columns):
            return dict(zip(columns, fields, strict=True))
    raise InputError(f"{place}: a line has {len(COLUMNS)} fields or more, with tabs between them: {', '.join((*COLUMNS, *FURTHER))}")


def game_of(line: str, place: str) -> Played:
    """The game that a line tells."""
    fields = fields_of(line, place)
    try:
        seed, stream = (int(part) for part in fields["seed"].split(":"))
        (utility, one), (other, two) = (read_effort(fields[sits]) for sits in SITS)
        return Played(
            SITS.index(fields["first"]),
            int(fields["opening"]),
            tuple(fields["moves"].split()),
            (utility, other),
            {SITS[ONE]: 1.0, SITS[TWO]: 0.0, "draw": 0.5}[fields["winner"]],
            (one, two),
            seed,
            stream,
            "" if fields["ended"] == ENDED else fields["ended"],
        )
    except (KeyError, ValueError):
        raise no_game(place) from None


def no_game(place: str) -> InputError:
    return InputError(f"{place}: this is no line of a match that can be resumed; start it again, with another record")


def read_effort(text: str) -> tuple[float, Effort]:
    """A utility and what was spent, as `effort_text` writes them."""
    utility, moves, nodes, depths, seconds, late, latest = text.split("/")
    return float(utility), Effort(int(moves), int(nodes), int(depths), float(seconds), int(late), float(latest))


OF_TWO = Lines((*COLUMNS, *FURTHER), line_of, game_of, lambda game, pairing: game.opening == len(pairing.opening))


# --- the file ---


def heading_of(games: Sequence[Game], names: Sequence[str], openings: str, remember: bool) -> list[str]:
    """What must be the same for games to be of the same match: of each contestant the game as it sees it (of all together, if it is one) and its name."""
    rules = " ".join(identity(game)[:12] for game in games)
    memory = "players remember" if remember else "players forget"
    return [f"kibitz match in {games[0].label}", *names, f"rules {rules}", f"{openings}, {memory}"]


class Recorder(Generic[Over]):
    """Writes the games of one match. `heading` says which match it is: only games of one with the same heading are gone on with."""

    def __init__(self, path: Path, heading: Sequence[str], lines: Lines[Over]) -> None:
        self.path, self.lines = path, lines
        self.heading = [f"# {line}" for line in (*heading, f"fields: {', '.join(lines.columns)}")]
        self.begun = False
        self.written: list[int] = []  # games in the file, in the order of their lines
        self.waiting: list[Over] = []
        self.trouble = ""  # why games are missing in the file

    def add(self, game: Over) -> None:
        """A game that is over."""
        self.waiting.append(game)
        try:
            if not self.begun:
                write_whole(self.path, self._text([]))
                self.begun = True
            _append(self.path, "".join(f"{self.lines.line_of(g)}\n" for g in self.waiting))
        except (OSError, InputError) as error:
            said = str(error) if isinstance(error, InputError) else f"cannot write {self.path}: {error.strerror or error}"
            self.trouble = f"{said}; {len(self.waiting)} of {len(self.written) + len(self.waiting)} games are not in it"
            return
        self.written += [g.number for g in self.waiting]
        self.waiting, self.trouble = [], ""

    def finish(self, games: Sequence[Over]) -> None:
        """Put the lines of all these games in order."""
        if self.begun and not self.waiting and self.written != sorted(self.written):
            try:
                write_whole(self.path, self._text(games))
            except InputError:
                return  # all games are in it, in another order
            self.written.sort()

    def resume(self, plan: Sequence[Any]) -> dict[int, Over]:
        """The games of the match that are in the file already, by their numbers; a line that was not written to its end is left out."""
        if not self.path.exists():
            return {}
        lines = read_text(self.path).split("\n")[:-1]
        self._check_heading([line for line in lines if line.startswith("#")])
        found: dict[int, Over] = {}
        for number, line in enumerate(lines, 1):
            if line and not line.startswith("#"):
                game = self._read_game(line, f"{self.path}:{number}", plan)
                if game.number < len(plan):  # others are of the same match, when it was to be longer
                    found[game.number] = game
        write_whole(self.path, self._text([found[number] for number in sorted(found)]))
        self.begun, self.written = True, sorted(found)
        return found

    def _check_heading(self, there: Sequence[str]) -> None:
        for wanted, line in zip(self.heading, [*there, *[""] * len(self.heading)], strict=False):
            if line != wanted:
                is_there = f"it says '{line.lstrip('# ')}'" if line else "it does not say which"
                raise InputError(f"{self.path} is the record of another match: {is_there}, and this one is '{wanted.lstrip('# ')}'")

    def _read_game(self, line: str, place: str, plan: Sequence[Any]) -> Over:
        game = self.lines.game_of(line, place)
        if game.number < len(plan) and not self.lines.planned(game, plan[game.number]):
            raise InputError(f"{place}: this game has another opening than the match; start it again, with another record")
        return game

    def _text(self, games: Sequence[Over]) -> str:
        return "\n".join([*self.heading, *(self.lines.line_of(game) for game in games)]) + "\n"


def _append(path: Path, text: str) -> None:
    """Whole lines, or nothing."""
    with path.open("ab", buffering=0) as file:
        size, left = file.seek(0, os.SEEK_END), text.encode()
        try:
            while left:
                left = left[file.write(left) or 0 :]
        except OSError:
            file.truncate(size)
            raise
