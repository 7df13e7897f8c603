"""Opening books: which moves were played in a position, how often and with what success, for any game.

A file is a line of JSON (format, game, number of entries, checksum of what follows) and then entries of fixed size, sorted by key and move: the position's
`situation`, a hash of the move as programs write it, how many games with that move its mover won, drew and lost. A position is found by
halving, so a book of any size is read from disk as far as it is needed. Moves are told by their text, not their numbers: a book outlives a change in
how a game numbers its moves. What a hash finds is looked up among the legal moves.

Polyglot's files (chess) are read as well, through python-chess: they hold a weight for each move, and no results.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.files import reading, writing
from kibitz.core.measuring.intervals import wilson
from kibitz.core.position.game import Game, Position
from kibitz.core.position.notation import Move

FORMAT = "kibitz book 1"
LONGEST_HEADER = 10_000  # bytes
CHUNK = 1 << 20
Row = np.dtype([("key", "<u8"), ("move", "<u8"), ("wins", "<u4"), ("draws", "<u4"), ("losses", "<u4"), ("unused", "<u4")])
BEST, WEIGHTED = "best", "weighted"
POLYGLOT_ENTRY = 16  # bytes


@dataclass(frozen=True)
class BookMove:
    """A move of the book. Where there are no results, as in Polyglot's files, `games` is a weight."""

    move: Move
    games: int
    wins: int = 0  # of the mover, as the next two
    draws: int = 0
    losses: int = 0

    @property
    def has_results(self) -> bool:
        return self.wins + self.draws + self.losses > 0

    @property
    def score(self) -> float | None:
        """Wins and half of the draws, as part of the games; None without results."""
        return (self.wins + 0.5 * self.draws) / self.games if self.has_results else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the score of endless games would lie, with 95 % confidence."""
        return None if self.score is None else wilson(self.score, self.games)

    @property
    def promise(self) -> tuple[float, int]:
        """By which the best one is found: the lower end of the interval; without results, the weight."""
        return (self.interval or (0.0, 1.0))[0], self.games

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses, "score": self.score, "interval": self.interval}
        return {"move": str(self.move), "games": self.games, **(counts if self.has_results else {})}


class Book(ABC):
    """A book, open for reading."""

    @abstractmethod
    def probe(self, position: Position) -> list[BookMove]:
        """What it knows of a position, the most promising move first."""

    def choose(self, position: Position, choice: str, seed: int = 0) -> BookMove | None:
        """The best move, or one drawn by how often it was played: the same for the same seed and position, another each time for seed 0."""
        known = self.probe(position)
        if not known or choice == BEST:
            return known[0] if known else None
        draw = random.Random(f"{seed}:{position.situation}") if seed else random.Random()
        return draw.choices(known, [m.games for m in known])[0]


class OwnBook(Book):
    """A file in our own format."""

    def __init__(self, path: Path, header: dict[str, Any], begin: int, game: Game) -> None:
        if header.get("game") != game.label:
            raise InputError(f"{path} is a book of {header.get('game')}, not of {game.label}")
        self.path = path
        rows = header["entries"]
        self.rows = np.memmap(path, Row, "r", begin, (rows,)) if rows else np.zeros(0, Row)

    def probe(self, position: Position) -> list[BookMove]:
        key = np.uint64(position.situation)
        low, high = (int(np.searchsorted(self.rows["key"], key, side)) for side in ("left", "right"))
        if low == high or position.is_over:
            return []
        found = {int(row["move"]): row for row in self.rows[low:high]}
        s, wire, known = position.state, position.game.people["wire"], []
        for number in position.numbers:
            row = found.get(move_hash(str(wire(s, number))))
            if row is not None:
                wins, draws, losses = (int(row[name]) for name in ("wins", "draws", "losses"))
                known.append((number, wins, draws, losses))
        names = {int(m): m for m in position.moves} if known else {}
        moves = [BookMove(names[number], sum(counts), *counts) for number, *counts in known]
        return sorted((m for m in moves if m.games), key=lambda m: m.promise, reverse=True)


class PolyglotBook(Book):
    """A file of Polyglot's."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            import chess.polyglot
        except ImportError:
            raise InputError(f"{path} is no book of ours; to read Polyglot's install python-chess: pip install chess") from None
        try:
            self.reader = chess.polyglot.open_reader(path)
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read {path}: {error}") from None

    def probe(self, position: Position) -> list[BookMove]:
        import chess

        if position.is_over:
            return []
        board = chess.Board(position.show().splitlines()[-1])
        found = []
        for entry in self.reader.find_all(board):
            try:
                move = position.move(entry.move.uci())
            except InputError:  # another position with the same key, or a damaged file
                continue
            found.append(BookMove(move, max(1, entry.weight)))
        return sorted(found, key=lambda m: m.promise, reverse=True)


def move_hash(text: str) -> int:
    """64 bits of a move's text."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


# --- files ---


def open_book(path: str | Path, game: Game) -> Book:
    """The book in a file; refuses one that is damaged or of another game. An open book is kept."""
    place = Path(path)
    try:
        about = place.stat()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the book {path}: {getattr(error, 'strerror', None) or error}") from None
    return _opened(place, game, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=8)
def _opened(path: Path, game: Game, changed: int, size: int) -> Book:  # noqa: ARG001
    """A file that was changed is opened again."""
    with reading(f"the book {path}"), path.open("rb") as file:
        first = file.readline(LONGEST_HEADER)
        if not first.startswith(b'{"format": "' + FORMAT.encode() + b'"'):
            return _as_polyglot(path, game, size)
        header = _header(path, first)
        if size - len(first) != header["entries"] * Row.itemsize:
            raise InputError(f"the book {path} is damaged: it should have {header['entries']} entries; build it again")
        if hashlib.file_digest(file, "sha256").hexdigest() != header["checksum"]:
            raise InputError(f"the book {path} is damaged: its checksum is wrong; build it again")
    return OwnBook(path, header, len(first), game)


def _header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
        if (
            isinstance(header, dict)
            and isinstance(header["entries"], int)
            and header["entries"] >= 0
            and isinstance(header["checksum"], str)
        ):
            return header
    except (ValueError, KeyError, RecursionError):
        pass
    raise InputError(f"the book {path} is damaged: its first line makes no sense; build it again")


def _as_polyglot(path: Path, game: Game, size: int) -> Book:
    if game.name != "chess" or size == 0 or size % POLYGLOT_ENTRY:
        wanted = "; Polyglot's have entries of 16 bytes" if game.name == "chess" else ""
        raise InputError(f"{path} is no book: kibitz book build {game.name} makes one{wanted}")
    return PolyglotBook(path)


def write_book(path: Path, game: Game, rows: Iterable[Any], about: dict[str, Any]) -> int:
    """Write entries (arrays of `Row`, sorted throughout); the file is whole or not there. Returns how many there are."""
    number, checksum = 0, hashlib.sha256()
    with writing(path) as whole, tempfile.TemporaryFile(dir=path.absolute().parent) as body:
        for part in rows:
            content = part.tobytes()
            checksum.update(content)
            body.write(content)
            number += len(part)
        header = {"format": FORMAT, "game": game.label, "entries": number, "checksum": checksum.hexdigest(), **about}
        whole.write(json.dumps(header).encode() + b"\n")
        body.seek(0)
        shutil.copyfileobj(body, whole, CHUNK)
    return number
