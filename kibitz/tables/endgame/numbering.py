"""Which position has which number in the tables of a game.

A game that defines `rank` and `unrank` numbers its positions itself. Of any other game the unfinished positions that can be reached from the start are
numbered: representatives of their symmetry classes, in the order of their keys. Positions with one key share a number, as they share an entry in a
search's table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compiling.binder import Bound, game, options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records.hashing import mix
from kibitz.core.records.record import WORD, blank, record
from kibitz.core.running.control import NO_LIMIT, Control, supervise

FIRST_ROOM = 1 << 12  # positions
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


def reach(w: Any, queue: Any, keys: Any, places: Any) -> int:
    """Follow all moves of the queue's positions, and add those that are new; returns 1 when all were followed, 0 when there is no more room.

    `places` is a hash table of one more than the number of each position in the queue; at most half of it is ever filled.
    """
    widest = w.moves.shape[0]
    while w.head < w.tail and w.control.nodes < w.control.limit:
        if w.tail + widest > queue.shape[0]:
            return 0
        w.state = queue[w.head]
        w.head += 1
        w.control.nodes += 1
        if game.player(w.state) == CHANCE:
            n = game.outcomes(w.state, w.moves, w.weights)
        else:
            n = game.moves(w.state, w.moves)
        for i in range(n):
            w.child = w.state
            game.play(w.child, w.moves[i])
            if game.player(w.child) != OVER:
                add(w, queue, keys, places)
    return 1


def add(w: Any, queue: Any, keys: Any, places: Any) -> None:
    """Put `w.child` behind the queue, unless it is in it."""
    game.canonical(w.child)
    key = game.key(w.child)
    place = free_or_same(keys, places, key)
    if places[place] == 0:
        queue[w.tail] = w.child
        keys[w.tail] = key
        w.tail += 1
        places[place] = w.tail


def free_or_same(keys: Any, places: Any, key: np.uint64) -> int:
    """Where in the hash table the key is, or would go."""
    mask = np.uint64(places.shape[0] - 1)
    at = np.int64(mix(key) & mask)  # a game's own key may spread badly
    while places[at] != 0 and keys[places[at] - 1] != key:
        at = np.int64(np.uint64(at + 1) & mask)
    return at  # type: ignore[return-value]


def rehash(w: Any, keys: Any, places: Any) -> None:
    """Enter everything that is in the queue into a new hash table."""
    for i in range(w.tail):
        places[free_or_same(keys, places, keys[i])] = i + 1


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


def reached(game_: Game, memory: float = USUAL_MEMORY, target: str | None = None, watch: Callable[[int], None] | None = None) -> Numbers:
    """All unfinished positions that can be reached, numbered; an InputError where they do not fit into so many megabytes. `watch` is told how many there are so far."""
    follow, enter = game_.bind(reach, None, target, label="table"), game_.bind(rehash, None, target, label="table")
    w, kind = workspace_of(game_), game_.constants["State"]
    room = max(FIRST_ROOM, 2 * w.moves.shape[0])
    queue, keys, places = np.zeros(room, kind), np.zeros(room, np.uint64), _places(room)
    w.child = game_.start.state
    if not game_.start.is_over:
        game_.bind(add, None, "python")(w, queue, keys, places)
    while True:
        run = supervise(follow, w, queue, keys, places, control=w.control, watch=lambda _: watch(int(w.tail)) if watch else None)
        if run.interrupted:
            raise KeyboardInterrupt
        if run.result == 1:
            break
        room *= 2
        needed = room * (2 * kind.itemsize + 24) / 2**20  # the queue is sorted into a second one in the end
        if needed > memory:
            raise InputError(
                f"{game_.label} has more than {int(w.tail)} positions, more than {memory:g} MB hold; give more memory, or let the game number them: rank(s)"
            )
        queue, keys, places = _longer(queue, room), _longer(keys, room), _places(room)
        enter(w, keys, places)
    if watch:
        watch(int(w.tail))
    order = np.argsort(keys[: w.tail], kind="stable")
    words = queue.view(np.uint64).reshape(
        len(queue), kind.itemsize // WORD
    )  # NumPy leaves the gaps between fields as they come, and keys may count them
    return Numbers(keys[order], np.ascontiguousarray(words[order]).view(kind).reshape(-1))


def _places(room: int) -> Any:
    """A hash table that is never more than half full."""
    return np.zeros(1 << (2 * room - 1).bit_length(), np.int32)


def _longer(array: Any, room: int) -> Any:
    longer = np.zeros(room, array.dtype)
    longer[: len(array)] = array
    return longer
