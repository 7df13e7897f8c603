"""Positions from games, saved to disk while the games are played: a run that was stopped or killed can be resumed.

One store (see kibitz/core/running/store.py) for each way of playing or of reading games: the game with its weights, depth, seed, ... Games come in batches.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kibitz.core.files import data_folder
from kibitz.core.position.game import Game
from kibitz.core.position.identity import identity
from kibitz.core.running.store import Piece, Store

FORMAT = 3  # raise when games are played, or kept, in another way
BATCH = 50  # games
FIELDS = ("features", "phases", "games", "utilities")


@dataclass(frozen=True)
class Sample:
    """The positions of some games."""

    features: Any  # float32, a row a position, to player 0
    phases: Any  # float32
    games: Any  # int64, the number of the game a position is of
    utilities: Any  # float32, the utility of its game to player 0

    def of_first(self, games: int) -> Sample:
        """The positions of a number of games."""
        kept = self.games < games
        return Sample(*(getattr(self, name)[kept] for name in FIELDS))


class Source(Protocol):
    """Where positions come from."""

    @property
    def place(self) -> Path:
        """The file that keeps them."""

    def tasks(self, games: int) -> Sequence[Sequence[Any]]:
        """Batches of games, in all at most `games`, rounded up to whole batches."""

    def sample(self, task: Any) -> Sample:
        """The positions of a batch."""

    def as_dict(self) -> dict[str, Any]:
        """How they came about."""


def join(samples: Sequence[Sample]) -> Sample:
    """All of them as one."""
    return Sample(*(np.concatenate([getattr(s, name) for s in samples]) for name in FIELDS))


def place(game: Game, *settings: Any) -> Path:
    """The file for games played, or read, with these settings."""
    return data_folder() / "tuning" / f"{game.name}-{identity(game, FORMAT, BATCH, *settings)[:16]}.sqlite"


class Samples:
    """The batches played so far."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, batch: int, sample: Sample) -> None:
        """Keep a batch."""
        packed = io.BytesIO()
        np.savez_compressed(packed, **{name: getattr(sample, name) for name in FIELDS})
        with self._open() as store:
            store.keep(Piece(str(batch), packed.getvalue()))

    def read(self, batches: int) -> dict[int, Sample]:
        """What there is of the first `batches` batches; damaged ones are passed over."""
        with self._open() as store:
            found = store.finished(batch for batch in store.known_keys() if int(batch) < batches)
        return {int(batch): _unpack(content) for batch, content in found.items() if isinstance(content, bytes)}

    def _open(self) -> Store:
        return Store(self.path, "remove it to play its games again, or set KIBITZ_DATA to another folder")


def _unpack(content: bytes) -> Sample:
    with np.load(io.BytesIO(content)) as arrays:
        return Sample(*(arrays[name] for name in FIELDS))
