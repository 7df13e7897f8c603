"""What tables say of a position.

`Tables(folder, game)` finds the tables of a game in a folder. `look_up(position)` tells what is known: for whom the position is won and in how many plies, or what it is worth; None
where no table holds it. `best_move(position)` is the move to make by the tables: the shortest win, the longest loss.

Kernels take `tables.known()`, arrays that hold all values of all tables, and `tables.numbering.numbers`, are bound with `tables.numbering.options`, and call `result_at`, or `equity_at`, for an unfinished
position. One lookup is its number, a search among the sections and a read.

A table's value is that of the position by itself. `Entry.exact` says whether it holds in the game at hand: not where a counter that the numbers leave out
(`valid_plies`) might end the game before the win, nor where positions on record might be repeated once too often on the way.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.notation import Move
from kibitz.core.protocol.rules import DRAW, OVER
from kibitz.tables.endgame.numbering import WHOLE, Numbering, Numbers, Section, number_of, workspace_of
from kibitz.tables.endgame.store import TableFile, open_table

SUFFIX = ".table"
RESULTS, EQUITIES = "results", "equities"  # kinds of tables

# In place of a value.
ABSENT, NOTHING, FINISHED = -32768, -32767, -32766  # no table; no position has the number; a game that is over, of which the rules tell
LEAST_VALUE = -32760  # values are above
LONGEST = 32000  # plies to the end
NO_EQUITY, FINISHED_EQUITY = -np.inf, np.inf
SHORT = {NOTHING: -128, FINISHED: -127}  # in a file whose values fit into bytes
LONGEST_SHORT = 120


class Known(NamedTuple):
    """All tables of a game for kernels. Section k holds the numbers from `begins[k]` to `begins[k + 1]`; its values start at `places[k]`, or it has no table: -1."""

    begins: Any  # int64
    places: Any  # int64
    results: Any  # int16
    equities: Any  # float64


# --- kernels ---


def probe(known: Known, number: int) -> int:
    """The result of the position with this number, for its mover: d for a win in d plies, -d for a loss, 0 for a draw; below LEAST_VALUE where there is none."""
    at = place_in(known, number)
    return known.results[at] if at >= 0 else ABSENT


def probe_equity(known: Known, number: int) -> float:
    """What the position with this number is worth to the first player, less what he has banked; not finite where there is no value."""
    at = place_in(known, number)
    return known.equities[at] if at >= 0 else NO_EQUITY


def has_table(known: Known, number: int) -> bool:
    """Is the position with this number in some table?"""
    return place_in(known, number) >= 0


def place_in(known: Known, number: int) -> int:
    """Where in the arrays of values a number has its own; -1 where no table holds it."""
    low, high = 0, known.places.shape[0]
    if number < 0 or number >= known.begins[high]:
        return -1
    while high - low > 1:
        middle = (low + high) // 2
        if known.begins[middle] <= number:
            low = middle
        else:
            high = middle
    return known.places[low] + number - known.begins[low] if known.places[low] >= 0 else -1


def result_at(w: Any, numbers: Numbers, known: Known, s: Any) -> int:
    """The result of an unfinished position for its mover, as `probe` gives it, wherever it comes up: ABSENT where no table holds it, and where what its number leaves out might end the game before.

    `w` is any workspace with a field `image` for a position. Repetitions are for the caller to see.
    """
    result = probe(known, number_of(w, numbers, s))
    return result if result > LEAST_VALUE and abs(result) <= game.valid_plies(s) else ABSENT


def equity_at(w: Any, numbers: Numbers, known: Known, s: Any) -> float:
    """What an unfinished position is worth to the first player, to within the table's error; not finite where no table holds it."""
    return probe_equity(known, number_of(w, numbers, s)) + game.banked(s, 0)


def number_and_reach(w: Any, numbers: Numbers) -> int:
    """The number of `w.state`; `w.led_to` becomes how many plies its value is sure to hold for."""
    w.led_to = game.valid_plies(w.state)
    return number_of(w, numbers, w.state)


# --- shell ---


@dataclass(frozen=True)
class Entry:
    """What a table says of a position."""

    value: float  # for the player to move; for the first player where chance is to decide
    distance: int | None  # plies to the end by best play of both sides; None for a draw and where there are no distances
    error: float  # the true value lies as near to `value` as this
    exact: bool  # does it hold in the game at hand? See the module's docstring
    table: str  # the section's name


class Tables:
    """The tables of a game in a folder, found by what is in them. A file that is damaged or was made by other rules is refused, not passed over."""

    def __init__(self, folder: str | Path, game_: Game, target: str | None = None) -> None:
        self.folder, self.game, self.target = Path(folder), game_, target
        if not self.folder.is_dir():
            raise InputError(f"there is no folder {folder} with tables; kibitz table build {game_.name} --tables {folder} makes one")
        names = [name for name, *_ in game_.constants["SECTIONS"]] or [WHOLE]
        paths = [path_of(self.folder, game_, name) for name in names]
        self.files = {str(f.header["section"]): f for f in (open_table(path, game_) for path in paths if path.exists())}

    @cached_property
    def numbering(self) -> Numbering:
        """How the positions are numbered; where a game gives no numbers, by the keys in the table."""
        if self.game.defines("rank") or not self.files:
            return Numbering(self.game)
        (table,) = self.files.values()
        keys = table.whole("keys")
        return Numbering(self.game, Numbers(keys, np.zeros(1, self.game.constants["State"])))

    def known(self) -> Known:
        """All values, for kernels."""
        return known_of(self.numbering, {name: values_of(table) for name, table in self.files.items()})

    def number(self, position: Position) -> int:
        """The number of an unfinished position, -1 where it has none."""
        return self._ask(position)[0]

    def look_up(self, position: Position) -> Entry | None:
        """What the tables say of a position; None where it is in none of them, or the game is over."""
        if position.is_over or not self.files:
            return None
        number, reach = self._ask(position)
        section = self.numbering.section_with(number) if number >= 0 else None
        if section is None or section.name not in self.files:
            return None
        table = self.files[section.name]
        stored = table.at("values", number - section.begin)
        if table.header["kind"] == EQUITIES:
            return self._equity(position, float(stored), table, section)
        return self._result(position, _restored(int(stored), table), reach, section)

    def best_move(self, position: Position) -> tuple[Move, Entry] | None:
        """The move to make by the tables and what the position is worth; None where they do not hold the position and all that can follow."""
        entry = self.look_up(position)
        if entry is None or position.is_chance:
            return None
        best: tuple[tuple[float, float], int] | None = None
        for number in position.numbers:
            worth = self._worth(position, position.after_line([number]))
            if worth is None:
                return None
            if best is None or worth > best[0]:
                best = worth, number
        return (position.named_line([best[1]])[0], entry) if best is not None else None

    def line(self, position: Position) -> list[Move]:
        """Best play to the end of a won or lost game, as the tables have it."""
        found: list[Move] = []
        while (best := self.best_move(position)) is not None and best[1].distance is not None:
            found.append(best[0])
            position = position.after_line([int(best[0])])
        return found

    def _worth(self, position: Position, after: Position) -> tuple[float, float] | None:
        """How good a move is for the mover of `position`: its value, then the sooner the better for a win and the later for a loss."""
        mover, total = position.player, self.game.constants["SUM"]
        if after.is_over:
            value, plies = after.utility(mover), 0
        else:
            entry = self.look_up(after)
            if entry is None:
                return None
            owner = 0 if after.is_chance else after.player
            value, plies = (entry.value if owner == mover else total - entry.value), entry.distance or 0
        return value, -plies if value > self.game.drawn else plies

    def _ask(self, position: Position) -> tuple[int, int]:
        self._w.state = position.state
        return int(self._number()), int(self._w.led_to)

    @cached_property
    def _w(self) -> Any:
        return workspace_of(self.game)

    @cached_property
    def _number(self) -> Any:
        kernel = self.numbering.bind(number_and_reach, None, self.target)
        kernel.prepare(self._w, self.numbering.numbers)
        return kernel.repeated(self._w, self.numbering.numbers)

    def _result(self, position: Position, result: int, reach: int, section: Section) -> Entry | None:
        if result <= LEAST_VALUE:
            return None
        low, high = self.game.first_range
        won, lost = (high, low) if position.player == 0 else (self.game.constants["SUM"] - low, self.game.constants["SUM"] - high)
        value = won if result > 0 else lost if result < 0 else self.game.drawn
        exact = result == 0 or (abs(result) <= reach and not self.may_repeat(position))
        return Entry(float(value), abs(result) or None, 0.0, exact, section.name)

    def _equity(self, position: Position, stored: float, table: TableFile, section: Section) -> Entry | None:
        if math.isinf(stored):
            return None
        first = stored + float(self.game.rule("banked")(position.state, 0))
        value = first if position.player in (0, OVER) or position.is_chance else self.game.constants["SUM"] - first
        return Entry(value, None, float(table.header["error"]), True, section.name)

    def may_repeat(self, position: Position) -> bool:
        """Has a position come up so often that coming up once more would end the game? Best play never meets one twice by itself."""
        if self.game.constants["REPETITION"] != DRAW or not position.past:
            return False
        return max(Counter(position.past).values()) >= int(self.game.constants["REPETITIONS"]) - 1


# --- values in files and in memory ---


def path_of(folder: Path, game_: Game, section: str) -> Path:
    """The file of a section's table. Its name tells the game, and by a few letters which parameters it has where they are not the usual ones."""
    label = "" if game_.label == game_.name else f"{hashlib.sha256(game_.label.encode()).hexdigest()[:8]}-"
    return folder / f"{game_.name}-{label}{section}{SUFFIX}"


def shortened(values: Any) -> Any:
    """Results in bytes, where they fit."""
    plain = values > LEAST_VALUE
    if int(np.abs(values[plain]).max(initial=0)) > LONGEST_SHORT:
        return values
    short = np.where(plain, values, 0).astype(np.int8)
    for code, small in SHORT.items():
        short[values == code] = small
    return short


def _restored(value: int, table: TableFile) -> int:
    """One result as kernels have it."""
    if table.arrays["values"][0] == np.int8 and value < -LONGEST_SHORT:
        return next(code for code, small in SHORT.items() if small == value)
    return value


def values_of(table: TableFile) -> Any:
    """All values of a table, as kernels have them: int16, or float64 for equities."""
    stored = table.whole("values")
    if table.header["kind"] == EQUITIES or stored.dtype != np.int8:
        return stored
    values = stored.astype(np.int16)
    for code, small in SHORT.items():
        values[stored == small] = code
    return values


def known_of(numbering: Numbering, values: dict[str, Any]) -> Known:
    """The tables of some sections, for kernels."""
    begins = np.array([s.begin for s in numbering.sections] + [numbering.sections[-1].end], np.int64)
    places = np.full(len(numbering.sections), -1, np.int64)
    room = {np.int16: 0, np.float64: 0}
    held: dict[type, list[Any]] = {np.int16: [], np.float64: []}
    for k, section in enumerate(numbering.sections):
        if section.name in values:
            kind = values[section.name].dtype.type
            places[k] = room[kind]
            room[kind] += section.size
            held[kind].append(values[section.name])
    joined = {kind: np.concatenate(parts) if parts else np.zeros(1, kind) for kind, parts in held.items()}
    return Known(begins, places, joined[np.int16], joined[np.float64])
