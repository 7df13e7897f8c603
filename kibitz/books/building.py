"""Building a book from games, in bounded memory: counts are gathered until there are many, sorted and put aside; in the end all that was put aside is merged.

A game is replayed by compiled rules: every position on the way, and the move made there, with the result for its mover.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.books.sources import GameText
from kibitz.core.compile import game
from kibitz.core.errors import InputError
from kibitz.core.game import Game
from kibitz.core.record import blank, record
from kibitz.core.rules import OVER
from kibitz.tables.book import Row, move_hash, write_book

USUAL_PLIES = 30  # of every game
MOST_COUNTS = 200_000  # kept in memory; about 60 MB
MOST_KNOWN = 100_000  # moves remembered by their text
PART = 1 << 16  # entries written at a time
FIELDS = ("wins", "draws", "losses")
COUNTED = {1.0: 0, 0.5: 1, 0.0: 2}  # where a result is counted, by its score


# --- kernel ---


def look(w: Any) -> int:
    """Whose turn it is in w.state; its key and its moves are written down."""
    w.key = game.situation(w.state)
    who: int = game.player(w.state)
    w.n = game.moves(w.state, w.list) if who != OVER else 0
    return who


def advance(w: Any, move: int) -> int:
    game.play(w.state, move)
    return look(w)


# --- shell ---


@dataclass(frozen=True)
class Built:
    """What became of the games."""

    games: int
    entries: int
    left_out: tuple[str, ...]  # why, for some games that were
    dropped: int  # how many were

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {"games": self.games, "entries": self.entries, "left_out": self.dropped, "reasons": list(self.left_out)}


def build(
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
    if not out.absolute().parent.is_dir():
        raise InputError(f"cannot write the book {out}: there is no folder {out.absolute().parent}")
    walker, number, dropped = _Walker(game), 0, 0
    reasons: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kibitz-book-") as folder:
        runs = _Runs(Path(folder), most_counts)
        for text in games:
            why = walker.count(text, plies, runs)
            dropped += bool(why)
            number += not why
            if why and len(reasons) < 10:
                reasons.append(f"{text.place}: {why}")
            if watch and number % 100 == 0:
                watch(number)
        entries = write_book(out, game, runs.merged(least), {"plies": plies, "least": least, "games": number})
    return Built(number, entries, tuple(reasons), dropped)


class _Walker:
    """Replays games."""

    def __init__(self, game: Game) -> None:
        constants = game.constants
        self.game, self.wire = game, game.people["wire"]
        kind = record(state=constants["State"], list=(constants["MOVE"], constants["MAX_MOVES"]), n=np.int64, key=np.uint64)
        self.w = blank(kind)
        self.look, self.advance = game.bind(look, label="book"), game.bind(advance, label="book")
        self.known: dict[tuple[int, str], int] = {}  # moves by position and text: openings come up again and again

    def count(self, text: GameText, plies: int, runs: _Runs) -> str:
        """Count one game; why it was left out, or nothing."""
        steps, over = self._steps(text, len(text.moves) if text.score is None else plies)
        score = text.score if text.score is not None else self._score() if over else None
        if score is None:
            return "its result is unknown"
        if not steps:
            return "it has no legal moves"
        for mover, key, move in steps[:plies]:
            runs.add(key, move_hash(move), COUNTED[score if mover == 0 else 1.0 - score])
        return ""

    def _steps(self, text: GameText, most: int) -> tuple[list[tuple[int, int, str]], bool]:
        """Who moved, in which position, and how; and whether that ended the game."""
        state = blank(self.game.constants["State"])
        self.game.rule("start")(state)
        self.w.state = state
        who, steps = int(self.look(self.w)), []
        for word in text.moves[:most]:
            move = self._number(word)
            if who == OVER or move is None:
                break
            steps.append((who, int(self.w.key), str(self.wire(self.w.state, move))))
            who = int(self.advance(self.w, move))
        return steps, who == OVER

    def _number(self, word: str) -> int | None:
        """The legal move that is written so, as programs or as people do."""
        place = (int(self.w.key), word)
        if place not in self.known:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            found = self._looked_up(word)
            if found is None:
                return None
            self.known[place] = found
        return self.known[place]

    def _looked_up(self, word: str) -> int | None:
        s, moves = self.w.state, [int(m) for m in self.w.list[: self.w.n]]
        for spelled in (self.wire, self.game.people["name"]):
            for move in moves:
                if str(spelled(s, move)) == word:
                    return move
        name, spellings = self.game.people["name"], self.game.people["spellings"]
        found = [m for m in moves if word in spellings(s, m, str(name(s, m)))]
        return found[0] if len(found) == 1 else None

    def _score(self) -> float:
        low, high = self.game.constants["VALUES"]
        utility = float(self.game.rule("utility")(self.w.state, 0))
        return 1.0 if utility > 0.5 * (low + high) else 0.0 if utility < 0.5 * (low + high) else 0.5


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

    def merged(self, least: int) -> Iterator[Any]:
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
