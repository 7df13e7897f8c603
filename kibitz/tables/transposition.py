"""The transposition table: bounds and best moves of visited positions, in bounded memory.

An entry says: searched `depth` deep, the value lies in [lower, upper], and `move` was best. It is 32 bytes, a bucket of two fills one cache line:

    word 0   key ^ word 1 ^ word 2 ^ word 3
    word 1   lower (float64)
    word 2   upper (float64)
    word 3   move (int32), depth (int16), age (uint8), doubt (uint8)

The key is kept whole. Because it is mixed with the other words, an entry half overwritten by another thread matches no key and is passed over:
several searches may share a table without locks. Values are float64, so that a value that comes back is the value that was stored. A doubtful entry
may not hold on every path to the position: see kibitz/searches/window/node.py. Moves that need more than 32 bits are kept as a digest (`packed`), enough to
know one among the moves of its position.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import Bound, bind, options
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records.hashing import STEP, mix, word
from kibitz.core.records.memory import LINE, zeros
from kibitz.core.records.record import blank, record
from kibitz.core.running.ahead import Ahead
from kibitz.core.running.control import NO_LIMIT, Control, supervise

Entry = record(check=np.uint64, lower=np.float64, upper=np.float64, move=np.int32, depth=np.int16, age=np.uint8, doubt=np.uint8)
BUCKET = 2  # entries in a cache line
FIRST_BITS = 12  # buckets a table starts with: 256 KB
LOOKED_AT = 2000  # entries looked at to tell how full a table is
GROWTH = 8  # entries for each position visited so far: the next depth visits several times as many
SOLVED = 32767  # depth of a value that no deeper search could change: no horizon was met below

STEPS_AHEAD = 2  # doublings that one more depth may need
LASTING = 10_000  # positions after which a search is likely to go on
MOST_AHEAD = 256 << 20  # bytes made ready at most; a search that grows beyond takes so long that a pause is nothing

# What a search's workspace holds for the table.
FIELDS = {"entry": Entry, "table_shift": np.int64, "age": np.int64}
Own = record(control=Control, **FIELDS)  # a workspace of the table's own, when it grows


# --- kernels; `w` is the search's workspace ---


def probe(w: Any, table: Any, key: np.uint64) -> bool:
    """Copy what is known of `key` to `w.entry`; False when nothing is."""
    first = bucket(w, key)
    for i in range(BUCKET):
        w.entry = table[first + i]  # copied first, then checked: nobody else writes to the copy
        if identity(w.entry) == key and w.entry.depth > 0:
            return True
    return False


def store(w: Any, table: Any, key: np.uint64, depth: int, lower: float, upper: float, move: int, doubt: bool) -> None:
    """Keep the entry in its bucket: in place of the same position, else of an older search, else of the smaller depth.

    Bounds of the same depth are joined: an entry may hold a lower bound of one search and an upper bound of another. A solved entry
    that says as much gives way to no other of its position.
    """
    first = bucket(w, key)
    place = first
    for i in range(BUCKET):
        e = table[first + i]
        if identity(e) == key:
            place = first + i
            if e.depth == SOLVED and depth != SOLVED and e.age == w.age and e.lower >= lower and e.upper <= upper and e.doubt <= doubt:
                return
            if e.depth == depth:
                lower, upper = max(lower, e.lower), min(upper, e.upper)
                doubt = doubt or e.doubt != 0
            if move == NO_MOVE:
                move = e.move
            break
        if worth(w, e) < worth(w, table[place]):
            place = first + i
    e = w.entry
    e.lower, e.upper, e.move, e.depth, e.age, e.doubt = lower, upper, move, depth, w.age, doubt
    e.check = key ^ word(e, 1) ^ word(e, 2) ^ word(e, 3)
    table[place] = e


def worth(w: Any, e: Any) -> int:
    """What an entry counts when one has to go: those of this search more than those of older ones, then those of greater depth."""
    return np.int64(e.depth) + (np.int64(1) << np.int64(20) if e.age == w.age else np.int64(0))  # type: ignore[return-value]


def packed(move: int) -> int:
    """A move as an entry keeps it: the move itself, or, where a game's moves have 64 bits, a digest of 31 bits."""
    if options.WIDE_MOVES:
        return move if move == NO_MOVE else np.int64(mix(np.uint64(move)) >> np.uint64(33))  # type: ignore[return-value]
    return move


def bucket(w: Any, key: np.uint64) -> int:
    """The first entry of the key's bucket. A product spreads keys whose low bits are poor, such as bitboards."""
    return np.int64((key * STEP) >> np.uint64(w.table_shift)) * BUCKET  # type: ignore[return-value]


def identity(e: Any) -> np.uint64:
    """The key an entry belongs to; no position's key where the entry is torn. An empty entry's is 0, and its depth too."""
    return word(e, 0) ^ word(e, 1) ^ word(e, 2) ^ word(e, 3)


def move_in(w: Any, old: Any, table: Any) -> None:
    """Store all entries of another table, or as many as there is time for."""
    for i in range(old.shape[0]):
        if w.control.limit == 0:
            return
        e = old[i]
        if e.depth > 0:
            transfer(w, table, identity(e), e)


def transfer(w: Any, table: Any, key: np.uint64, e: Any) -> None:
    age = w.age
    w.age = e.age
    store(w, table, key, e.depth, e.lower, e.upper, e.move, e.doubt != 0)
    w.age = age


# --- shell ---


@cache
def mover() -> Bound:
    """`move_in`, compiled: it knows no game."""
    kernel = bind(move_in, {}, "transposition table")
    kernel.prepare(blank(Own), np.zeros(BUCKET, Entry), np.zeros(BUCKET, Entry))
    return kernel


class Table:
    """Memory for a table of at most `megabytes`, a power of two of buckets.

    It starts small and grows as it fills: memory that is never used is never touched, and a small search is not slowed by a large table. Memory that
    it will soon grow into is made ready while the search works.
    """

    def __init__(self, megabytes: float, at_once: bool = False, behind: int = 0) -> None:
        self.megabytes = megabytes
        self.behind = behind  # entries after the table's own, for whoever shares it
        self.most_bits = max(1, int(np.log2(max(2.0, megabytes * 2**20 / LINE))))
        self.bits = self.most_bits if at_once else min(self.most_bits, FIRST_BITS)
        self.age = 0
        self._ready: Ahead | None = None
        self._allocated(self.most_bits)  # know now whether there is room for all of it
        self.entries = self._allocated(self.bits)

    def attach(self, w: Any) -> None:
        """Tell a workspace how to find its way in this table; one search older."""
        self.age = (self.age + 1) % 256
        w.table_shift, w.age = 64 - self.bits, self.age

    @property
    def full(self) -> float:
        """The part of all entries there may be that holds something, by a look at the first ones."""
        return float(np.mean(self.entries["depth"][:LOOKED_AT] > 0)) / (1 << (self.most_bits - self.bits))

    def grow(self, w: Any, nodes: int, seconds: float | None = None) -> None:
        """Make room for a search that has visited `nodes` positions so far; new memory is slow to touch, so there is a limit of time."""
        wanted = self.bits
        while wanted < self.most_bits and nodes * GROWTH > BUCKET << wanted:
            wanted += 1
        if wanted > self.bits:
            old, self.bits = self.entries, wanted
            self.entries = self._allocated(wanted)
            w.table_shift = 64 - wanted
            own = blank(Own)
            own.table_shift, own.age, own.control.limit = w.table_shift, self.age, NO_LIMIT
            if supervise(mover(), own, old, self.entries, control=own.control, seconds=seconds).interrupted:
                raise KeyboardInterrupt
        ahead = min(self.most_bits, self.bits + STEPS_AHEAD)
        if self._ready is None and ahead > self.bits and nodes >= LASTING and self._size(ahead) <= MOST_AHEAD:
            self._ready = Ahead(self._size(ahead))

    def _size(self, bits: int) -> int:
        return (LINE << bits) + self.behind * Entry.itemsize + LINE

    def _allocated(self, bits: int) -> Any:
        ready, self._ready = self._ready, None
        memory = ready.take(self._size(bits)) if ready is not None else None
        told = f"no memory for a table of {self.megabytes:g} MB; ask for less, such as table=64"
        return zeros(Entry, (BUCKET << bits) + self.behind, told, memory)
