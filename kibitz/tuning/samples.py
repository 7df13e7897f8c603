"""Positions from games, kept on disk while they are being played: a run that was stopped or killed goes on where it was.

One SQLite file for each way of playing (the game with its weights, depth, seed, ...), in kibitz's data folder. Games come in batches, and a batch is
there as a whole or not at all. A damaged one is played again.
"""

from __future__ import annotations

import hashlib
import io
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.files import data_folder
from kibitz.tuning.selfplay import Plan, Sample

FORMAT = 2  # raise when games are played, or kept, in another way
BATCH = 50  # games
FIELDS = ("features", "phases", "games", "utilities")


def place(plan: Plan) -> Path:
    """Where the games of this plan are kept."""
    further = (plan.quiescence,) if plan.quiescence else ()
    meaning = repr((FORMAT, BATCH, plan.game.identity, plan.depth, plan.seed, plan.opening, plan.variety, *further))
    return data_folder() / "tuning" / f"{plan.game.name}-{hashlib.sha256(meaning.encode()).hexdigest()[:16]}.sqlite"


def numbers(batch: int) -> range:
    """The games of a batch."""
    return range(batch * BATCH, (batch + 1) * BATCH)


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
