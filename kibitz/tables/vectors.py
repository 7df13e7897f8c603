"""A transposition table of vectors: values of a position for every player, for searches with any number of players.

An entry says: searched `depth` deep, the position comes to these values, one for each player, and then to the number of plies that the line to them has; or, where
`part` is set, that whoever is to move there gets at least his value of them, and no more is known. The rest is as in kibitz/tables/transposition.py: keys are kept
whole, two entries share a bucket, `SOLVED` stands for a depth that no deeper search could change. One thread uses it, so that nothing is mixed into the keys; memory
that is never used is never touched, so that it need not grow.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records.memory import zeros
from kibitz.core.records.record import record
from kibitz.tables.transposition import BUCKET, LOOKED_AT, SOLVED, bucket, worth


@cache
def entry(players: int) -> np.dtype[Any]:
    """What is known of one position, in a game of this number of players."""
    head = {"key": np.uint64, "move": np.int32, "depth": np.int16, "age": np.uint8, "doubt": np.uint8, "part": np.int64}
    return record(**head, values=(np.float64, players + 1))


# --- kernels; `w` is the search's workspace ---


def probe(w: Any, table: Any, key: np.uint64) -> bool:
    """Copy what is known of `key` to `w.entry`; False when nothing is."""
    first = bucket(w, key)
    for i in range(BUCKET):
        if table[first + i].key == key and table[first + i].depth > 0:
            w.entry = table[first + i]
            return True
    return False


def store(w: Any, table: Any, key: np.uint64, depth: int, values: Any, part: bool, move: int, doubt: bool) -> None:
    """Keep the entry in its bucket: in place of the same position, else of an older search, else of the smaller depth.

    A solved entry that is whole gives way to no other of its position.
    """
    first = bucket(w, key)
    place = first
    for i in range(BUCKET):
        e = table[first + i]
        if e.key == key and e.depth > 0:
            place = first + i
            if e.part == 0 and e.age == w.age and (e.depth == SOLVED or (part and e.depth == depth)) and e.doubt <= doubt:
                return
            if move == NO_MOVE:
                move = e.move
            break
        if worth(w, e) < worth(w, table[place]):
            place = first + i
    e = table[place]
    e.key, e.move, e.depth, e.age, e.doubt, e.part = key, move, depth, w.age, doubt, part
    for i in range(game.PLAYERS + 1):
        e.values[i] = values[i]


# --- shell ---


class VectorTable:
    """Memory for a table of at most `megabytes`, a power of two of buckets."""

    def __init__(self, megabytes: float, players: int) -> None:
        size = BUCKET * entry(players).itemsize
        self.bits = max(1, int(np.log2(max(2.0, megabytes * 2**20 / size))))
        told = f"no memory for a table of {megabytes:g} MB; ask for less, such as table=64"
        self.entries = zeros(entry(players), BUCKET << self.bits, told)
        self.age = 0

    def attach(self, w: Any) -> None:
        """Tell a workspace how to find its way in this table; one search older."""
        self.age = (self.age + 1) % 256
        w.table_shift, w.age = 64 - self.bits, self.age

    @property
    def full(self) -> float:
        """The part of all entries that holds something, by a look at the first ones."""
        return float(np.mean(self.entries["depth"][:LOOKED_AT] > 0))
