"""Finished pieces of long work on disk (games, positions, shards of experiments), so that a run that was stopped or killed can be resumed.

One SQLite file, with a transaction and a checksum for each piece: its contents are always complete and counted once. Damaged pieces are
dropped and computed again.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from kibitz.core.errors import InputError

FORMAT = 1
PATIENCE = 60.0  # seconds to wait for another process that is writing
AT_ONCE = 500  # keys in one question

# `experiment` and `inputs` say of which work a piece is, and which; the words are older than the other uses.
TABLE = """CREATE TABLE shards (
    key TEXT PRIMARY KEY,
    experiment TEXT NOT NULL,
    inputs TEXT NOT NULL,
    result TEXT NOT NULL,
    checksum TEXT NOT NULL,
    cost REAL NOT NULL,
    seconds REAL NOT NULL
) WITHOUT ROWID"""


class Piece(NamedTuple):
    """One finished piece of work."""

    key: str  # of all that the result depends on
    result: str | bytes
    work: str = ""  # of which it is a piece, for `pace`
    inputs: str = ""  # for people who look into the file
    cost: float = 0.0  # in any unit
    seconds: float = 0.0  # that it took


class Store:
    """An open store; use it in a `with` statement. `advice` says what to do where its file cannot be used."""

    def __init__(self, path: Path, advice: str) -> None:
        self.path, self.advice = path, advice
        with self._in_one_line():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
            self._prepare()

    def _prepare(self) -> None:
        version = self._version()
        if version == 0:
            self._connection.execute("BEGIN IMMEDIATE")
            if self._version() == 0:  # no other process was faster
                self._connection.execute(TABLE)
                self._connection.execute(f"PRAGMA user_version = {FORMAT}")
            self._connection.execute("COMMIT")
        elif version != FORMAT:
            self._connection.close()
            raise InputError(f"{self.path} was written by another version of kibitz; {self.advice}")

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def keep(self, piece: Piece) -> None:
        """Add a piece; one that is there already stays as it is."""
        values = (piece.key, piece.work, piece.inputs, piece.result, _checksum(piece.result), piece.cost, piece.seconds)
        with self._in_one_line():
            self._connection.execute("INSERT OR IGNORE INTO shards VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def known_keys(self) -> list[str]:
        """The keys of all pieces, damaged ones included."""
        with self._in_one_line():
            return [key for (key,) in self._connection.execute("SELECT key FROM shards")]

    def finished(self, keys: Iterable[str]) -> dict[str, str | bytes]:
        """The results of those of these pieces that are there and undamaged."""
        found: dict[str, str | bytes] = {}
        damaged: list[str] = []
        for some in _batches(keys):
            marks = ",".join("?" * len(some))
            with self._in_one_line():
                for key, result, checksum in self._connection.execute(
                    f"SELECT key, result, checksum FROM shards WHERE key IN ({marks})", some
                ):
                    if _checksum(result) == checksum:
                        found[key] = result
                    else:
                        damaged.append(key)
        self.forget(damaged)
        return found

    def forget(self, keys: Iterable[str]) -> None:
        """Remove these pieces."""
        for some in _batches(keys):
            with self._in_one_line():
                self._connection.execute(f"DELETE FROM shards WHERE key IN ({','.join('?' * len(some))})", some)

    def pace(self, work: str) -> float | None:
        """Seconds for a unit of cost in the pieces of this work so far; None where there are none."""
        with self._in_one_line():
            seconds, cost = self._connection.execute("SELECT sum(seconds), sum(cost) FROM shards WHERE experiment = ?", (work,)).fetchone()
        return seconds / cost if cost else None

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _in_one_line(self) -> Iterator[None]:
        """What goes wrong with the file, in one line."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise InputError(f"{self.path} cannot be used as a store of results ({error}); {self.advice}") from None
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}; {self.advice}") from None


def _batches(keys: Iterable[str]) -> Iterator[list[str]]:
    ordered = list(keys)
    for i in range(0, len(ordered), AT_ONCE):
        yield ordered[i : i + AT_ONCE]


def _checksum(content: str | bytes) -> str:
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()
