"""The transposition table: what is known of positions met before, in bounded memory.

An entry says: searched `depth` deep, the value lies in [lower, upper], and `move` was best. It is 32 bytes, a bucket of two fills one cache line:

    word 0   key ^ word 1 ^ word 2 ^ word 3
    word 1   lower (float64)
    word 2   upper (float64)
    word 3   move (int32), depth (int16), age (uint8), unused (uint8)

The key is kept whole. Because it is mixed with the other words, an entry half overwritten by another thread matches no key and is passed over:
several searches may share a table without locks. Values are float64, so that a value that comes back is the value that was stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.hashing import STEP, word
from kibitz.core.record import record
from kibitz.core.rules import NO_MOVE

Entry = record(check=np.uint64, lower=np.float64, upper=np.float64, move=np.int32, depth=np.int16, age=np.uint8, unused=np.uint8)
BUCKET = 2  # entries in a cache line
LINE = 64  # bytes
SOLVED = 32767  # depth of a value that no deeper search could change: no horizon was met below

# What a search's workspace holds for the table.
FIELDS = {"entry": Entry, "table_shift": np.int64, "age": np.int64}


# --- kernels; `w` is the search's workspace ---


def probe(w: Any, table: Any, key: np.uint64) -> bool:
    """Copy what is known of `key` to `w.entry`; False when nothing is."""
    first = bucket(w, key)
    for i in range(BUCKET):
        w.entry = table[first + i]  # copied first, then checked: nobody else writes to the copy
        if identity(w.entry) == key:
            return True
    return False


def store(w: Any, table: Any, key: np.uint64, depth: int, lower: float, upper: float, move: int) -> None:
    """Keep the entry in its bucket: in place of the same position, else of an older search, else of the smaller depth.

    Bounds of the same depth are joined: an entry may hold a lower bound of one search and an upper bound of another.
    """
    first = bucket(w, key)
    place, least = first, np.int64(1) << np.int64(40)
    for i in range(BUCKET):
        e = table[first + i]
        if identity(e) == key:
            place = first + i
            if e.depth == depth:
                lower, upper = max(lower, e.lower), min(upper, e.upper)
            if move == NO_MOVE:
                move = e.move
            break
        worth = np.int64(e.depth) + (np.int64(1) << np.int64(20) if e.age == w.age else np.int64(0))
        if worth < least:
            place, least = first + i, worth
    e = w.entry
    e.lower, e.upper, e.move, e.depth, e.age = lower, upper, move, depth, w.age
    e.check = key ^ word(e, 1) ^ word(e, 2) ^ word(e, 3)
    table[place] = e


def bucket(w: Any, key: np.uint64) -> int:
    """The first entry of the key's bucket. A product spreads keys whose low bits are poor, such as bitboards."""
    return np.int64((key * STEP) >> np.uint64(w.table_shift)) * BUCKET  # type: ignore[return-value]


def identity(e: Any) -> np.uint64:
    """The key an entry belongs to; no position's key where the entry is torn. An empty entry's is 0."""
    return word(e, 0) ^ word(e, 1) ^ word(e, 2) ^ word(e, 3)


# --- shell ---


class Table:
    """Memory for a table of at most `megabytes`, a power of two of buckets."""

    def __init__(self, megabytes: float) -> None:
        self.bits = max(1, int(np.log2(max(2.0, megabytes * 2**20 / LINE))))
        size = LINE << self.bits
        try:
            memory = np.zeros(size + LINE, np.uint8)
        except MemoryError:
            raise InputError(f"no memory for a table of {megabytes:g} MB; ask for less, such as table=64") from None
        skip = -memory.ctypes.data % LINE  # buckets start where cache lines start
        self.entries = memory[skip : skip + size].view(Entry)
        self.age = 0

    def attach(self, w: Any) -> None:
        """Tell a workspace how to find its way in this table; one search older."""
        self.age = (self.age + 1) % 256
        w.table_shift, w.age = 64 - self.bits, self.age
