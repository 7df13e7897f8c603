"""Positions with the results of their games, from recorded games instead of self-play.

The games' own players chose the moves, so positions are fair to the weights without random moves: those weights chose few of the moves, or none. From every
Nth position a search of a small depth plays its best line, and the position at its end is kept: that is where an evaluation is called.
"""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.books.game_files import GameText, read_games
from kibitz.books.replay import Replayer
from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import InputError
from kibitz.core.files import reading
from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import OVER
from kibitz.searches.deterministic import alphabeta
from kibitz.searches.window import ordering
from kibitz.tuning.samples import BATCH, Sample, join, place
from kibitz.tuning.selfplay import keep, make, search_of

Numbered = tuple[tuple[int, GameText], ...]  # games with their numbers


# --- kernel ---


def at_the_end(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> int:
    """Play the best line from w.states[0]; unless it ends the game, w.rows and w.phases tell of the position at its end. Returns whether they do."""
    w.past = 0
    if options.REPEATS:
        w.keys[0] = game.situation(w.states[0])
    alphabeta.root(w, arrays, depth, alpha, beta)
    for i in range(w.line_end[0]):
        make(w, w.line[0, i])
    if game.player(w.states[0]) == OVER:
        return 0
    keep(w, 0)
    return 1


# --- shell ---


@dataclass(frozen=True)
class Records:
    """Which positions of which games."""

    game: Game
    files: tuple[str, ...]
    depth: int
    opening: int  # moves at the beginning whose positions are passed over
    every: int  # keep every Nth position
    quiescence: int = 0

    @property
    def place(self) -> Path:
        """Where the positions are kept."""
        return place(self.game, self.depth, self.opening, self.every, self.quiescence, _digest(self.files))

    def tasks(self, games: int) -> list[Numbered]:
        """The games in batches; whole ones, unless there are no more games."""
        texts = itertools.chain.from_iterable(read_games(Path(file), self.game) for file in self.files)
        numbered = tuple(enumerate(itertools.islice(texts, -(-games // BATCH) * BATCH)))
        if not numbered:
            raise InputError(f"there are no games in {', '.join(self.files)}")
        return [numbered[first : first + BATCH] for first in range(0, len(numbered), BATCH)]

    def sample(self, task: Numbered) -> Sample:
        """The positions of some games."""
        return join([_reader_for(self).read(number, text) for number, text in task])

    def as_dict(self) -> dict[str, Any]:
        """How the positions came about, for the file of weights."""
        settings = {"depth": self.depth, "opening": self.opening, "every": self.every, "quiescence": self.quiescence}
        return {"from": [Path(file).name for file in self.files], **settings}


@lru_cache(maxsize=1)
def _reader_for(plan: Records) -> _Reader:
    return _Reader(plan)


class _Reader:
    """A search that is kept from game to game."""

    def __init__(self, plan: Records) -> None:
        self.plan, self.replayer = plan, Replayer(plan.game)
        self.search = search_of(plan.game, plan.quiescence, at_the_end, room=1)

    def read(self, number: int, text: GameText) -> Sample:
        """Nothing, where the file does not tell the result and the rules do not, either."""
        played, names = self.replayer.replay(text, states=True), self.plan.game.constants["FEATURES"]
        chosen = played.steps[self.plan.opening + number % self.plan.every :: self.plan.every] if played.score is not None else []
        rows = [row for step in chosen if (row := self._row(step.state or b"")) is not None]
        features = np.array([row[:-1] for row in rows], np.float32).reshape(len(rows), len(names))
        phases = np.array([row[-1] for row in rows], np.float32)
        low, high = self.plan.game.constants["VALUES"]
        worth = played.utility if played.utility is not None else low + (played.score or 0.0) * (high - low)
        return Sample(features, phases, np.full(len(rows), number, np.int64), np.full(len(rows), worth, np.float32))

    def _row(self, state: bytes) -> Any:
        w = self.search.w
        ordering.reset(w)
        w.control.nodes = 0
        w.states[0] = np.frombuffer(bytearray(state), self.plan.game.constants["State"])[0]
        return np.append(w["rows"][0], w["phases"][0]) if self.search.value(self.plan.depth) else None


def _digest(files: tuple[str, ...]) -> str:
    """A digest of the current contents of the files."""
    total = hashlib.sha256()
    for file in files:
        with reading(file), Path(file).open("rb") as stream:
            total.update(hashlib.file_digest(stream, "sha256").digest())
    return total.hexdigest()
