"""Which position has which number in the tables of a game.

A game that defines `rank` and `unrank` numbers its positions itself. For any other game the unfinished positions that can be reached from the start are
numbered (builders/reaching.py): representatives of their symmetry classes, in the order of their keys. Positions with one key share a number, as they share
an entry in a search's table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compiling.binder import Bound, game, options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, Control

LARGEST = 1 << 31  # numbers of one section: its moves are kept in 32 bits
USUAL_MEMORY = 4096.0  # megabytes
WHOLE = "all"  # the only section of a numbering without any


class Numbers(NamedTuple):
    """What kernels need to know of a numbering by keys; one entry that nobody reads where the game ranks its positions."""

    keys: Any  # sorted
    states: Any  # in the order of their keys


@dataclass(frozen=True)
class Section:
    """A part of a numbering: numbers from `begin` to `end` - 1."""

    name: str
    begin: int
    end: int
    men: int = 0

    @property
    def size(self) -> int:
        return self.end - self.begin


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """The position at hand, one that a move leads to, and its image."""
    widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])
    return record(
        control=Control,
        state=constants["State"],
        child=constants["State"],
        image=constants["State"],
        moves=(constants["MOVE"], widest),
        weights=(np.float64, widest),
        trouble=np.int64,  # what kind, 0 for none
        number=np.int64,  # of the position that it is about
        led_to=np.int64,  # the number of the position behind its move
        head=np.int64,  # of the queue of positions whose moves were not followed yet
        tail=np.int64,
        before=(constants["State"], max(1, constants["MAX_UNPLAYS"])),  # positions that moves lead from
        listed=(np.int64, max(1, constants["MAX_UNPLAYS"])),  # their numbers
    )


# --- kernels ---


def number_of(w: Any, numbers: Numbers, s: Any) -> int:
    """The number of an unfinished position, -1 where it has none."""
    if options.RANKED:
        return game.rank(s)
    w.image = s
    game.canonical(w.image)
    return place_of(numbers.keys, game.key(w.image))


def place_of(keys: Any, key: np.uint64) -> int:
    """Where a key stands among sorted ones, -1 if it does not."""
    low, high = 0, keys.shape[0]
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < keys.shape[0] and keys[low] == key else -1


def set_up(w: Any, numbers: Numbers, i: int) -> bool:
    """Write the position with number i to `w.state`; False where there is none."""
    if options.RANKED:
        return game.unrank(i, w.state)
    w.state = numbers.states[i]
    return True


# --- shell ---


class Numbering:
    """The numbers of a game's positions, and the sections they are solved in."""

    def __init__(self, game_: Game, numbers: Numbers | None = None) -> None:
        self.game = game_
        self.is_ranked = game_.defines("rank")
        self.numbers = numbers or Numbers(np.zeros(1, np.uint64), np.zeros(1, game_.constants["State"]))
        size = game_.constants["SIZE"] if self.is_ranked else len(self.numbers.keys)
        self.sections = tuple(Section(*s) for s in game_.constants["SECTIONS"]) or (Section(WHOLE, 0, size),)
        if too_large := next((s for s in self.sections if s.size >= LARGEST), None):
            raise InputError(f"{game_.label}: section {too_large.name} has {too_large.size} numbers; a table has less than {LARGEST}")

    @property
    def options(self) -> dict[str, Any]:
        """What kernels that number positions are bound with."""
        return {"RANKED": self.is_ranked}

    def bind(self, kernel: Callable[..., Any], more: dict[str, Any] | None = None, target: str | None = None) -> Bound:
        """A kernel of tables for this game."""
        return self.game.bind(kernel, {**self.options, **(more or {})}, target, label="table")

    def section(self, name: str) -> Section:
        """The section with this name, in capitals or not."""
        for section in self.sections:
            if section.name.lower() == name.lower():
                return section
        names = ", ".join(s.name for s in self.sections)
        raise InputError(f"{self.game.label} has no section '{name}'; its sections are {names}")

    def section_with(self, number: int) -> Section | None:
        return next((s for s in self.sections if s.begin <= number < s.end), None)


def workspace_of(game_: Game) -> Any:
    """A fresh workspace, with no limit."""
    w = blank(workspace(game_.constants))
    w.control.limit = NO_LIMIT
    return w
