"""Recorded games: the parameters, the starting position, the moves. A game that knows a format for this reads and writes it: Go knows SGF.
All others are plain text: `kibitz game: NAME`, its parameters, the board it began with unless it is the usual one, the moves.

`read_game(content)` of a game makes a Transcript from the bytes of a file, and `write_game(transcript, s)` the text of a file from it, where `s` is how the
game stands after the last move. Neither has to judge: moves are looked up among the legal ones when a transcript is replayed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.files import reading, write_whole
from kibitz.core.position.game import Game, Position, first, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.default_text import named_values, of_parameter

PLAIN = "kibitz game: "
INDENT = "    "  # before each line of a board
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
    with reading(path), path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise InputError(f"{path} is too long for a game: more than {LARGEST >> 20} MB")
    own = game.people["read_game"]
    try:
        transcript = _read_plain(game, content) if content.startswith(PLAIN.encode()) or not own else own(content)
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
    board = "" if start == first(game) else start.show()
    transcript = Transcript(game.parameters, board, tuple(moves), players, movers)
    own = game.people["write_game"]
    return _write_plain(game, transcript) if own is None else str(own(transcript, end.state))


def _write_plain(game: Game, transcript: Transcript) -> str:
    lines = [f"{PLAIN}{game.name}", *(f"{name}={of_parameter(value)}" for name, value in transcript.parameters.items())]
    if transcript.board:
        lines += ["board:", *(INDENT + line for line in transcript.board.splitlines())]
    return "\n".join([*lines, f"moves: {' '.join(transcript.moves)}", ""])


def _read_plain(game: Game, content: bytes) -> Transcript:
    lines = content.decode("utf-8", "replace").splitlines()
    if not lines or not lines[0].startswith(PLAIN):
        raise InputError(f"no game of {game.name} on record; a file begins with '{PLAIN}{game.name}', as kibitz play --save writes it")
    if (other := lines[0].removeprefix(PLAIN).strip()) != game.name:
        raise InputError(f"a game of {other}, not of {game.name}")
    board = "\n".join(line.removeprefix(INDENT) for line in lines if line.startswith(INDENT))
    parameters = [line for line in lines[1:] if "=" in line and not line.startswith((INDENT, "moves:", "board:"))]
    moves = " ".join(line.removeprefix("moves:") for line in lines if line.startswith("moves:")).split()
    return Transcript(named_values(parameters, "a line", "holes=4"), board, tuple(moves))


def save(
    path: Path, start: Position, moves: Sequence[str], end: Position, players: tuple[str, ...] = (), movers: tuple[int, ...] = ()
) -> None:
    """Write it, all or nothing, into a folder that is there."""
    write_whole(path, written(start, moves, end, players, movers))
