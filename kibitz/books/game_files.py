"""Games in files, one after the other, for books: PGN for chess, plain text for every game.

The plain text has one game per line: moves separated by blanks, and the result at the end as `1-0`, `0-1` or `1/2-1/2` (the first player's score first); a game played to
its end needs none. Lines that begin with # are ignored. Files that `kibitz match --record` writes are read as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.arena.records import COLUMNS, ENDED, fields_of
from kibitz.core.errors import InputError
from kibitz.core.files import reading
from kibitz.core.position.game import Game

RESULTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "1/2": 0.5}
LONGEST = 1 << 20  # characters of a line


@dataclass(frozen=True)
class GameText:
    """A game as it stands in a file."""

    place: str  # where
    moves: tuple[str, ...]
    score: float | None  # of the first player; None where the file does not say


def read_games(path: Path, game: Game) -> Iterator[GameText]:
    """Every game of a file, read one by one."""
    if path.suffix.lower() == ".pgn":
        return _from_pgn(path, game)
    return _from_lines(path)


def _from_lines(path: Path) -> Iterator[GameText]:
    with reading(path), path.open(encoding="utf-8") as file:
        number = 0
        while line := file.readline(LONGEST):
            number += 1
            if line.strip() and not line.startswith("#"):
                yield _from_line(line, f"{path}:{number}")


def _from_line(line: str, place: str) -> GameText:
    fields = line.rstrip("\n").split("\t")
    if len(fields) >= len(COLUMNS):
        told = fields_of(line.rstrip("\n"), place)
        score = 0.5 if told["winner"] == "draw" else 1.0 if told["winner"] == told["first"] else 0.0
        by_rules = told.get("ended", ENDED) == ENDED  # a program that broke down says nothing of its moves
        return GameText(place, tuple(told["moves"].split()), score if by_rules else None)
    words = line.split()
    result = RESULTS.get(words[-1])
    return GameText(place, tuple(words if result is None else words[:-1]), result)


def _from_pgn(path: Path, game: Game) -> Iterator[GameText]:
    if game.name != "chess":
        raise InputError(f"{path}: PGN is for chess; for {game.name} write a game a line, and its result at the end")
    try:
        import chess.pgn
    except ImportError:
        raise InputError(f"{path}: to read PGN install python-chess: pip install chess") from None
    with reading(path), path.open(encoding="utf-8", errors="replace") as file:
        number = 0
        while (found := chess.pgn.read_game(file)) is not None:
            number += 1
            yield _of_pgn(found, f"{path}: game {number}")


def _of_pgn(found: Any, place: str) -> GameText:
    """A game that starts elsewhere than a game of chess does is left without moves; a broken one ends where it breaks."""
    ordinary = "FEN" not in found.headers and found.headers.get("Variant", "Standard").lower() in ("standard", "chess")
    moves = tuple(move.uci() for move in found.mainline_moves()) if ordinary else ()
    return GameText(place, moves, RESULTS.get(found.headers.get("Result", "*")))
