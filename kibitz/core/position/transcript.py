"""Games on record: what the parameters were, where the game began, the moves. A game that knows a format for this reads and writes it: Go knows SGF.

`read_game(content)` of a game makes a Transcript from the bytes of a file, and `write_game(transcript, s)` the text of a file from it, where `s` is how the
game stands after the last move. Neither has to judge: moves are looked up among the legal ones when a transcript is replayed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.files import write_whole
from kibitz.core.position.game import Game, Position, first, from_board
from kibitz.core.position.loading import load

LARGEST = 1 << 24  # bytes; no game is longer


@dataclass(frozen=True)
class Transcript:
    """A game, finished or not, as it is written down."""

    parameters: Mapping[str, Any] = field(default_factory=dict)  # that the record tells
    board: str = ""  # where it began, as `show` writes it; empty where every game begins
    moves: tuple[str, ...] = ()  # in the game's notation
    players: tuple[str, ...] = ()  # their names, where they are known
    movers: tuple[int, ...] = ()  # who made each move, where a record tells; empty where everybody moved in turn


def recorded(name: str, path: Path, given: Mapping[str, Any]) -> tuple[Transcript, list[Position]]:
    """The game in a file and all its positions; parameters that are given go before those of the file."""
    game = load(name, **given)
    if game.people["read_game"] is None:
        raise InputError(f"{game.name} reads no games from files; it would have to define read_game(content)")
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    if len(content) > LARGEST:
        raise InputError(f"{path} is too long for a game: more than {LARGEST >> 20} MB")
    try:
        transcript = game.people["read_game"](content)
        return transcript, replayed(load(name, **{**transcript.parameters, **given}), transcript)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def replayed(game: Game, transcript: Transcript) -> list[Position]:
    """The position the game began with and the one after each move."""
    found = [from_board(game, transcript.board) if transcript.board else first(game)]
    for number, move in enumerate(transcript.moves, 1):
        here = found[-1]
        if transcript.movers:  # a side may have moved twice, or after the end
            here = here.resumed(transcript.movers[number - 1]) or here
        try:
            found.append(here.play(move))
        except InputError as error:
            raise InputError(f"move {number}: {error}") from None
    return found


def written(start: Position, moves: Sequence[str], end: Position, players: tuple[str, ...] = (), movers: tuple[int, ...] = ()) -> str:
    """The game that began with `start` and has come to `end`, as the text of a file; `movers` where not everybody moved in turn."""
    game = start.game
    if game.people["write_game"] is None:
        raise InputError(f"{game.name} writes no games to files; it would have to define write_game(transcript, s)")
    board = "" if start == first(game) else start.show()
    return str(game.people["write_game"](Transcript(game.parameters, board, tuple(moves), players, movers), end.state))


def save(
    path: Path, start: Position, moves: Sequence[str], end: Position, players: tuple[str, ...] = (), movers: tuple[int, ...] = ()
) -> None:
    """Write it, all or nothing, into a folder that is there."""
    text = written(start, moves, end, players, movers)
    if not path.absolute().parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {path.parent}")
    write_whole(path, text)
