"""Positions from games, kept on disk while they are being played: a run that was stopped or killed goes on where it was.

One SQLite file for each way of playing (the game with its weights, depth, seed, ...) or of reading games, in kibitz's data folder. Games come in
batches, and a batch is there as a whole or not at all. A damaged one is played again.
"""

from __future__ import annotations

import hashlib
import io
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.files import data_folder

FORMAT = 2  # raise when games are played, or kept, in another way
BATCH = 50  # games
FIELDS = ("features", "phases", "games", "utilities")


@dataclass(frozen=True)
class Sample:
    """The positions of some games."""

    features: Any  # float32, a row a position, to player 0
    phases: Any  # float32
    games: Any  # int64, the number of the game a position is of
    utilities: Any  # float32, what its game came to for player 0


class Source(Protocol):
    """Where positions come from."""

    @property
    def place(self) -> Path:
        """The file that keeps them."""

    def tasks(self, games: int) -> Sequence[Sequence[Any]]:
        """Batches of games, in all at most `games`, rounded up to whole batches."""

    def sampled(self, task: Any) -> Sample:
        """The positions of a batch."""

    def as_dict(self) -> dict[str, Any]:
        """How they came about."""


def batch_of(samples: Sequence[Sample]) -> Sample:
    """All of them as one."""
    return Sample(*(np.concatenate([getattr(s, name) for s in samples]) for name in FIELDS))


def place(game: str, meaning: tuple[Any, ...]) -> Path:
    """The file for what is described so."""
    return data_folder() / "tuning" / f"{game}-{hashlib.sha256(repr(meaning).encode()).hexdigest()[:16]}.sqlite"


class Samples:
    """The batches played so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot keep games in {path.parent}: {error.strerror}; set KIBITZ_DATA to another folder") from None
        with self._open() as file:
            file.execute("create table if not exists batches (number integer primary key, checksum blob, content blob)")

    def add(self, batch: int, sample: Sample) -> None:
        """Keep a batch."""
        packed = io.BytesIO()
        np.savez_compressed(packed, **{name: getattr(sample, name) for name in FIELDS})
        content = packed.getvalue()
        with self._open() as file:
            file.execute("insert or replace into batches values (?, ?, ?)", (batch, hashlib.sha256(content).digest(), content))

    def read(self, batches: int) -> dict[int, Sample]:
        """What there is of the first so many batches; damaged ones are passed over."""
        with self._open() as file:
            rows = file.execute("select number, checksum, content from batches where number < ?", (batches,)).fetchall()
        return {number: _unpacked(content) for number, checksum, content in rows if hashlib.sha256(content).digest() == checksum}

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The file for one piece of work, which is done as a whole."""
        try:
            file = sqlite3.connect(self.path)
            try:
                with file:
                    yield file
            finally:
                file.close()
        except sqlite3.Error as error:
            raise InputError(f"{self.path} cannot be used ({error}); remove it to play its games again") from None


def _unpacked(content: bytes) -> Sample:
    with np.load(io.BytesIO(content)) as arrays:
        return Sample(*(arrays[name] for name in FIELDS))
