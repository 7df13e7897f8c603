"""Results of finished shards on disk: one SQLite file, one transaction a shard. Whatever happens to us, what is in it is whole and counted once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from kibitz.core.errors import InputError
from kibitz.core.files import data_folder

FORMAT = 1
PATIENCE = 60.0  # seconds to wait for another process that is writing
AT_ONCE = 500  # keys in one question

TABLE = """CREATE TABLE shards (
    key TEXT PRIMARY KEY,
    experiment TEXT NOT NULL,
    inputs TEXT NOT NULL,
    result TEXT NOT NULL,
    checksum TEXT NOT NULL,
    cost REAL NOT NULL,
    seconds REAL NOT NULL
) WITHOUT ROWID"""


class Record(NamedTuple):
    """One finished shard."""

    key: str  # of experiment, code and inputs
    experiment: str
    inputs: str  # JSON, as is the result
    result: str
    cost: float
    seconds: float


def usual_place() -> Path:
    """Where results are kept unless the user says otherwise."""
    return data_folder() / "experiments.sqlite"


class Store:
    """An open store; use it in a `with` statement."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
            self._prepare()

    def _prepare(self) -> None:
        version = self._version()
        if version == 0:
            self._connection.execute("BEGIN IMMEDIATE")
            if self._version() == 0:  # nobody else was faster
                self._connection.execute(TABLE)
                self._connection.execute(f"PRAGMA user_version = {FORMAT}")
            self._connection.execute("COMMIT")
        elif version != FORMAT:
            self._connection.close()
            raise InputError(f"{self.path} was written by another version of kibitz; choose another file with --store")

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def keep(self, record: Record) -> None:
        """Add a shard; one that is there already stays as it is."""
        values = (record.key, record.experiment, record.inputs, record.result, _checksum(record.result), record.cost, record.seconds)
        with self._told():
            self._connection.execute("INSERT OR IGNORE INTO shards VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def finished(self, keys: Iterable[str]) -> dict[str, str]:
        """The results of those of these shards that are there and undamaged."""
        found: dict[str, str] = {}
        damaged: list[str] = []
        for some in _batches(keys):
            marks = ",".join("?" * len(some))
            with self._told():
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
        """Remove these shards."""
        for some in _batches(keys):
            with self._told():
                self._connection.execute(f"DELETE FROM shards WHERE key IN ({','.join('?' * len(some))})", some)

    def pace(self, experiment: str) -> float | None:
        """Seconds for a unit of cost in the shards of this experiment so far; None where there are none."""
        with self._told():
            seconds, cost = self._connection.execute(
                "SELECT sum(seconds), sum(cost) FROM shards WHERE experiment = ?", (experiment,)
            ).fetchone()
        return seconds / cost if cost else None

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What goes wrong with the file, in one line."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise InputError(f"{self.path} cannot be used as a store of results ({error}); choose another file with --store") from None
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}; choose another file with --store") from None


def _batches(keys: Iterable[str]) -> Iterator[list[str]]:
    ordered = list(keys)
    for i in range(0, len(ordered), AT_ONCE):
        yield ordered[i : i + AT_ONCE]


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
