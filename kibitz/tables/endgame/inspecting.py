"""Looking at tables: how many positions are won in how many plies, the longest win, and whether every value follows from the rules.

`verify` takes positions of a table, random ones or all, makes every move by the rules, looks the positions behind them up, and holds what follows against what the table
says. Nothing of the builders is used. A table all of whose positions agree with their successors is right as far as its distances go: each win leads down to the end of a
game, and a loss or a draw has no better move.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.core.records.record import blank
from kibitz.tables.endgame.probing import EQUITIES, LEAST_VALUE, Tables, values_of
from kibitz.tables.endgame.store import TableFile

TOLERANCE = 1e-12  # of the range of values, beside the error that the table states
ENOUGH = 100  # tries to find a position, for each that is wanted


@dataclass(frozen=True)
class Statistics:
    """What a table holds."""

    section: str
    kind: str
    counts: dict[str, int]
    distances: dict[int, tuple[int, int]]  # plies: positions won and lost in that number
    longest: Position | None  # one of those that take longest to win
    line: tuple[Move, ...]  # from there to the end
    error: float
    bytes_: int

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "section": self.section,
            "kind": self.kind,
            "counts": self.counts,
            "distances": {str(d): {"won": won, "lost": lost} for d, (won, lost) in self.distances.items()},
            "longest": None if self.longest is None else self.longest.show(),
            "line": [str(m) for m in self.line],
            "error": self.error,
            "bytes": self.bytes_,
        }


@dataclass(frozen=True)
class Fault:
    """A position whose value does not follow from its moves."""

    position: Position
    said: float
    follows: float


def statistics(tables: Tables, name: str) -> Statistics:
    """Counts, distances and the longest win of one table."""
    table = file_of(tables, name)
    values, counts = values_of(table), dict(table.header["counts"])
    size = table.path.stat().st_size
    if table.header["kind"] == EQUITIES:
        return Statistics(name, EQUITIES, counts, {}, None, (), float(table.header["error"]), size)
    plain = values[values > LEAST_VALUE]
    won, lost = np.bincount(plain[plain > 0]), np.bincount(-plain[plain < 0].astype(np.int64))
    deepest = max(len(won), len(lost))
    pairs = {d: tuple(int(n[d]) if d < len(n) else 0 for n in (won, lost)) for d in range(1, deepest)}
    longest = _longest(tables, table, values)
    line = tuple(tables.line(longest)) if longest is not None else ()
    return Statistics(name, table.header["kind"], counts, pairs, longest, line, 0.0, size)  # type: ignore[arg-type]


def _longest(tables: Tables, table: TableFile, values: Any) -> Position | None:
    """A position, the first by number, in which the side to move loses as late as anybody does; of a table without losses, wins."""
    decided = np.where(values > LEAST_VALUE, np.abs(values.astype(np.int64)), 0)
    furthest = int(decided.max(initial=0))
    if furthest == 0:
        return None
    number = int(table.header["begin"]) + int(np.flatnonzero(decided == furthest)[0])
    return position_at(tables, number)


def position_at(tables: Tables, number: int) -> Position | None:
    """The position with this number, made by the rules; None where there is none, or where a game's numbers are keys: those lead to no position."""
    game = tables.game
    if not game.defines("rank"):
        return None
    s = blank(game.constants["State"])
    return Position(game, s.tobytes()) if game.rule("unrank")(number, s) else None


def file_of(tables: Tables, name: str) -> TableFile:
    """The table of a section."""
    section = tables.numbering.section(name) if tables.game.defines("rank") else tables.numbering.sections[0]
    if section.name not in tables.files:
        raise InputError(
            f"there is no table of {section.name} in {tables.folder}; kibitz table build {tables.game.name} {section.name} makes it"
        )
    return tables.files[section.name]


# --- verifying ---


def verify(
    tables: Tables, name: str, positions: int = 0, seed: int = 0, watch: Callable[[int], None] | None = None
) -> tuple[int, list[Fault]]:
    """Check random positions of a table (0: all) against their successors. Returns how many were looked at, and the faults.

    All bytes of the table are checked first. If the game has no `rank`, positions come from random games.
    """
    table = file_of(tables, name)
    table.check()
    faults: list[Fault] = []
    looked_at = 0
    for position in _chosen(tables, table, positions, seed):
        entry = tables.look_up(position)
        said = float("nan") if entry is None else _signed(tables, entry)
        follows, slack = _follows(tables, position)
        if not abs(said - follows) <= slack + (entry.error if entry else 0.0):
            faults.append(Fault(position, said, follows))
        looked_at += 1
        if watch:
            watch(looked_at)
    return looked_at, faults


def _chosen(tables: Tables, table: TableFile, positions: int, seed: int) -> Iterator[Position]:
    draw = random.Random(seed)
    begin, end = int(table.header["begin"]), int(table.header["end"])
    if not tables.game.defines("rank"):
        yield from _met(tables, positions, draw)
        return
    numbers = range(begin, end) if not positions else (draw.randrange(begin, end) for _ in range(ENOUGH * positions))
    found = 0
    for number in numbers:
        position = position_at(tables, number)
        if position is not None and not position.is_over:
            yield position
            found += 1
            if positions and found == positions:
                return


def _met(tables: Tables, positions: int, draw: random.Random) -> Iterator[Position]:
    """In random games; without a number, until every position of the table has been met or nothing new comes up."""
    if not positions:
        yield from _everywhere(tables)
        return
    found = 0
    while found < positions:
        position = tables.game.start
        while not position.is_over and found < positions:
            yield position
            found += 1
            position = position.after_line([draw.choice(position.numbers)])


def _everywhere(tables: Tables) -> Iterator[Position]:
    """Every position of the game, each number once."""
    waiting, seen = [tables.game.start], {tables.number(tables.game.start)}
    while waiting:
        position = waiting.pop()
        if position.is_over:
            continue
        yield position
        for move in position.numbers:
            after = position.after_line([move])
            if not after.is_over and (number := tables.number(after)) not in seen:
                seen.add(number)
                waiting.append(after)


def _signed(tables: Tables, entry: Any) -> float:
    """What the table says, as one number: of results the signed distance, of equities the value."""
    if tables.files[entry.table].header["kind"] == EQUITIES:
        return float(entry.value)
    return _as_distance(tables, entry.value, entry.distance)


def _as_distance(tables: Tables, value: float, distance: int | None) -> float:
    drawn = tables.game.drawn
    return 0.0 if value == drawn else float(distance or 0) if value > drawn else -float(distance or 0)


def _follows(tables: Tables, position: Position) -> tuple[float, float]:
    """What the position's moves come to by the tables, and how far off it may be."""
    if position.is_chance or next(iter(tables.files.values())).header["kind"] == EQUITIES:
        return _expected(tables, position)
    found = []
    for move in position.numbers:
        after = Position(tables.game, position.after_line([move]).data)  # by itself, whatever has been
        if after.is_over:
            utility, drawn = after.utility(position.player), tables.game.drawn
            found.append(1.0 if utility > drawn else -1.0 if utility < drawn else 0.0)
            continue
        entry = tables.look_up(after)
        if entry is None:
            return float("nan"), 0.0
        signed = _as_distance(tables, entry.value, entry.distance)
        further = signed + (1.0 if signed > 0 else -1.0 if signed < 0 else 0.0)
        found.append(further if after.player == position.player else -further)
    wins, losses = [d for d in found if d > 0], [d for d in found if d < 0]
    return (min(wins) if wins else 0.0 if 0.0 in found else min(losses)), 0.0


def _expected(tables: Tables, position: Position) -> tuple[float, float]:
    low, high = tables.game.first_range
    worth, slack, total = [], TOLERANCE * (high - low), tables.game.constants["SUM"]
    mover = 0 if position.is_chance else position.player
    for move in position.numbers:
        after = position.after_line([move])
        if after.is_over:
            worth.append(after.utility(mover))
            continue
        entry = tables.look_up(after)
        if entry is None:
            return float("nan"), 0.0
        owner = 0 if after.is_chance else after.player
        worth.append(entry.value if owner == mover else total - entry.value)
        slack = max(slack, entry.error)
    if position.is_chance:
        return sum(p * v for p, v in zip(position.chances, worth, strict=True)), slack
    return max(worth), slack
