"""Build a book from games in bounded memory: counts are collected, sorted and written to disk in runs, which are merged at the end.

In every position of a game the move made there is counted, with the result for its mover.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.books.game_files import GameText
from kibitz.books.replay import Replayer
from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.core.position.game import Game
from kibitz.tables.book import Row, move_hash, write_book

USUAL_PLIES = 30  # of every game
MOST_COUNTS = 200_000  # kept in memory; about 60 MB
PART = 1 << 16  # entries written at a time
FIELDS = ("wins", "draws", "losses")
COUNTED = {1.0: 0, 0.5: 1, 0.0: 2}  # where a result is counted, by its score


@dataclass(frozen=True)
class Built:
    """How many games went into a book, and which did not."""

    games: int
    entries: int
    left_out: tuple[str, ...]  # why, for some games that were
    dropped: int  # how many were

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {"games": self.games, "entries": self.entries, "left_out": self.dropped, "reasons": list(self.left_out)}


def build_book(
    game: Game,
    games: Iterable[GameText],
    out: Path,
    *,
    plies: int = USUAL_PLIES,
    least: int = 1,
    watch: Callable[[int], None] | None = None,
    most_counts: int = MOST_COUNTS,
) -> Built:
    """A book of the first `plies` moves of these games in the file `out`; moves that were made in fewer than `least` games are left out.

    A game that breaks the rules counts as far as it keeps to them, unless its result is unknown then.
    """
    if game.players != 2 or game.has_chance:
        raise InputError(f"a book is for two players without chance; {game.label} is another kind of game")
    if plies < 1 or least < 1:
        raise InputError(f"plies={plies}, least={least}: must be 1 or more")
    check_place(out)
    replayer, number, dropped = Replayer(game), 0, 0
    reasons: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kibitz-book-") as folder:
        runs = _Runs(Path(folder), most_counts)
        for text in games:
            why = _count(replayer, text, plies, runs)
            dropped += bool(why)
            number += not why
            if why and len(reasons) < 10:
                reasons.append(f"{text.place}: {why}")
            if watch and number % 100 == 0:
                watch(number)
        entries = write_book(out, game, runs.merge(least), {"plies": plies, "least": least, "games": number})
    return Built(number, entries, tuple(reasons), dropped)


def _count(replayer: Replayer, text: GameText, plies: int, runs: _Runs) -> str:
    """Count one game; why it was left out, or nothing."""
    game = replayer.replay(text, plies)
    if game.score is None:
        return "its result is unknown"
    if not game.steps:
        return "it has no legal moves"
    for step in game.steps:
        runs.add(step.key, move_hash(step.word), COUNTED[game.score if step.player == 0 else 1.0 - game.score])
    return ""


class _Runs:
    """Counts in memory, and those put aside."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder, self.most = folder, most
        self.counts: dict[tuple[int, int], list[int]] = {}
        self.files: list[Path] = []

    def add(self, key: int, move: int, result: int) -> None:
        self.counts.setdefault((key, move), [0, 0, 0])[result] += 1
        if len(self.counts) >= self.most:
            self._put_aside()

    def _put_aside(self) -> None:
        rows = _rows((*place, *counts) for place, counts in sorted(self.counts.items()))
        self.files.append(self.folder / f"{len(self.files)}.run")
        rows.tofile(self.files[-1])
        self.counts.clear()

    def merge(self, least: int) -> Iterator[Any]:
        """All counts in order, those of the same move added up, some at a time."""
        self._put_aside()
        ready: list[tuple[int, ...]] = []
        last: list[int] = []
        for entry in heapq.merge(*(_entries(file) for file in self.files)):
            if last and last[:2] == list(entry[:2]):
                last = [*last[:2], *(a + b for a, b in zip(last[2:], entry[2:], strict=True))]
                continue
            if last and sum(last[2:]) >= least:
                ready.append(tuple(last))
            last = list(entry)
            if len(ready) >= PART:
                yield _rows(ready)
                ready = []
        if last and sum(last[2:]) >= least:
            ready.append(tuple(last))
        yield _rows(ready)


def _rows(entries: Iterable[tuple[int, ...]]) -> Any:
    return np.array([(*entry, 0) for entry in entries], Row)


def _entries(file: Path) -> Iterator[tuple[int, ...]]:
    """The entries of a run, read a part at a time."""
    with file.open("rb") as stream:
        while len(rows := np.fromfile(stream, Row, PART)):
            for key, move, wins, draws, losses, _ in rows.tolist():
                yield key, move, wins, draws, losses
