"""The table of a solve: two bounds of a value for each position, in 16 bytes.

A search that always reads to the end of the game has no depth to note. What is left fits two words, four entries to a cache line:

    word 0   check: key ^ word 1
    word 1   lower bound (20 bits), upper bound (20), the low bits of the best move (16), effort (8)

Bounds are whole numbers, shifted to be positive. The check makes an entry that another thread has half overwritten match no key, so threads share a
table without locks; readers copy word 1 before they look at it. Effort is the number of binary digits of the nodes that a result took. A bucket has two
entries: the first keeps the dearest result, the second whatever came last.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import Bound, bind
from kibitz.core.records.hashing import STEP
from kibitz.core.records.memory import LINE, zeros
from kibitz.core.records.record import record

Entry = record(check=np.uint64, known=np.uint64)
BUCKET = 2
FIRST_BITS = 13  # buckets a table starts with: 256 KB
WIDEST = (1 << 19) - 1  # bounds lie in -WIDEST to WIDEST
SAMPLE = 4000  # entries looked at to tell how full a table is
GROWTH = 2  # entries for each position visited so far, before a table grows
MOVE_BITS = 0xFFFF
Whole = Any  # a whole number of 64 bits: Python's where code is interpreted, NumPy's where it must be

NOTHING = np.uint64(0)  # no entry's data: effort is never 0
SHIFT = np.uint64(1 << 19)
ONES = np.uint64((1 << 20) - 1)
BYTE = np.uint64(0xFF)


# --- kernels ---


def bucket(shift: int, key: np.uint64) -> Whole:
    """The first entry of the key's bucket. A product spreads keys whose low bits are poor, such as bitboards."""
    return np.int64((key * STEP) >> np.uint64(shift)) * BUCKET


def probe(shift: int, table: Any, key: np.uint64) -> np.uint64:
    """The data of the key's entry, or NOTHING."""
    first = bucket(shift, key)
    for i in range(BUCKET):
        e = table[first + i]
        data = e.known
        if e.check ^ data == key and data != NOTHING:
            return data
    return NOTHING


def lower(data: np.uint64) -> Whole:
    return np.int64(data & ONES) - np.int64(SHIFT)


def upper(data: np.uint64) -> Whole:
    return np.int64((data >> np.uint64(20)) & ONES) - np.int64(SHIFT)


def hint(data: np.uint64) -> Whole:
    """The low bits of the best move: enough to try it first."""
    return np.int64((data >> np.uint64(40)) & np.uint64(MOVE_BITS))


def effort(data: np.uint64) -> np.uint64:
    return data >> np.uint64(56)


def digits(nodes: Whole) -> Whole:
    """How many binary digits the number has; at least 1."""
    n = 1
    while nodes > 1:
        nodes >>= 1
        n += 1
    return n


def packed(low: Whole, high: Whole, move: Whole, work: Whole) -> np.uint64:
    bounds = (np.uint64(low + np.int64(SHIFT)) & ONES) | ((np.uint64(high + np.int64(SHIFT)) & ONES) << np.uint64(20))
    return bounds | (np.uint64(np.int64(move) & np.int64(MOVE_BITS)) << np.uint64(40)) | (np.uint64(work) << np.uint64(56))


def store(shift: int, table: Any, key: np.uint64, low: Whole, high: Whole, move: Whole, work: Whole) -> None:
    """Keep bounds of the position; what the table knows of it already still holds."""
    first = bucket(shift, key)
    one, other = table[first], table[first + 1]
    dearest, latest = one.known, other.known
    is_first = one.check ^ dearest == key and dearest != NOTHING
    is_second = other.check ^ latest == key and latest != NOTHING
    if is_first or is_second:
        known = dearest if is_first else latest
        low, high = max(low, lower(known)), min(high, upper(known))
        work = max(work, np.int64(effort(known)))
    data = packed(low, high, move, work)
    if is_first or (not is_second and np.uint64(work) >= effort(dearest)):
        if not is_first and dearest != NOTHING:
            other.check, other.known = one.check, dearest
        one.check, one.known = key ^ data, data
    else:
        other.check, other.known = key ^ data, data


def move_in(shift: int, old: Any, table: Any) -> None:
    """Store all entries of another table."""
    for i in range(old.shape[0]):
        e = old[i]
        if e.known != NOTHING:
            store(shift, table, e.check ^ e.known, lower(e.known), upper(e.known), hint(e.known), np.int64(effort(e.known)))


# --- shell ---


@cache
def mover() -> Bound:
    """`move_in`, compiled: it knows no game."""
    kernel = bind(move_in, {}, "table of a solve")
    kernel.prepare(0, np.zeros(LINE, np.uint8).view(Entry), np.zeros(LINE, np.uint8).view(Entry))
    return kernel


class BoundTable:
    """Memory for at most `megabytes` of entries; it starts small and grows, so that a small solve touches little of it."""

    def __init__(self, megabytes: float, behind: int = 0) -> None:
        self.megabytes, self.behind = megabytes, behind  # `behind`: entries after the table's own, for whoever shares it
        self.most_bits = max(1, int(np.log2(max(2.0, megabytes * 2**20 / (BUCKET * Entry.itemsize)))))
        self.bits = min(self.most_bits, FIRST_BITS)
        self._allocated(self.most_bits)  # know now whether there is room for all of it
        self.entries = self._allocated(self.bits)

    @property
    def shift(self) -> int:
        return 64 - self.bits

    @property
    def own(self) -> Any:
        """The table's own entries, without those behind them."""
        return self.entries[: BUCKET << self.bits]

    @property
    def full(self) -> float:
        """The part of all entries there may be that holds something, by a look at the first ones."""
        return float(np.mean(self.own["known"][:SAMPLE] > 0)) / (1 << (self.most_bits - self.bits))

    def enough_until(self, nodes: int) -> int | None:
        """The number of nodes at which the table should grow; None where it never will."""
        return max(nodes + (BUCKET << self.bits) // 4, (BUCKET << self.bits) // GROWTH) if self.bits < self.most_bits else None

    def grow(self) -> None:
        """Eight times the room, or as much as there may be."""
        old, self.bits = self.own, min(self.bits + 3, self.most_bits)
        self.entries = self._allocated(self.bits)
        mover()(self.shift, old, self.entries)

    def _allocated(self, bits: int) -> Any:
        size = (BUCKET << bits) + self.behind
        return zeros(Entry, size, f"no memory for a table of {self.megabytes:g} MB; ask for less, such as table=64")
