"""A 64-bit key for any record: every bit of every field counts.

The record is read as 64-bit words (a record's size is a whole number of them, its padding always zero). Each word is mixed into the key
by a bijection of 64-bit numbers, so two records that differ in one word only never collide; others do with probability 2^-64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from kibitz.core.records.bits import twin

STEP = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio, made odd: consecutive multiples spread evenly
FIRST = np.uint64(0xBF58476D1CE4E5B9)  # the two multipliers of Stafford's 13th variant of the murmur finaliser
SECOND = np.uint64(0x94D049BB133111EB)


def mix(x: np.uint64) -> np.uint64:
    """A bijection of 64-bit numbers in which every input bit flips about half of the output bits."""
    x = (x ^ (x >> np.uint64(30))) * FIRST
    x = (x ^ (x >> np.uint64(27))) * SECOND
    return x ^ (x >> np.uint64(31))


def words(count: int, step: np.uint64 = STEP) -> Any:
    """Random words, an array of `count`: those that a key is the sum (XOR) of. Another `step` makes others."""
    return mix(np.arange(1, count + 1, dtype=np.uint64) * step)  # type: ignore[arg-type]


def combine(key: np.uint64, word: np.uint64) -> np.uint64:
    """`key` with one more word mixed in; the order of the words counts."""
    return mix((key + STEP) ^ word)


def hash_record(s: Any) -> np.uint64:
    """The key of a record: its own words, in order."""
    key = np.uint64(0)
    for i in range(word_count(s)):
        key = combine(key, word(s, i))
    return key


def scatter(s: Any, salt: np.uint64) -> np.uint64:
    """Another key of a record: as good, and of large ones three times as fast, because four chains of multiplications need not wait for each other."""
    words = word_count(s)
    a, b, c, d = salt, salt ^ STEP, salt ^ FIRST, salt ^ SECOND
    for i in range(0, words - 3, 4):
        a, b = combine(a, word(s, i)), combine(b, word(s, i + 1))
        c, d = combine(c, word(s, i + 2)), combine(d, word(s, i + 3))
    for i in range(words - words % 4, words):
        a = combine(a, word(s, i))
    return combine(combine(a, b), combine(c, d))


@twin
def word_count(s: Any) -> int:
    """How many 64-bit words the record occupies."""
    return int(s.dtype.itemsize) // 8


@twin
def word(s: Any, index: int) -> np.uint64:
    """The record's 64-bit word number `index`."""
    return np.frombuffer(s.tobytes(), np.uint64)[index]  # type: ignore[no-any-return]


@overload(word_count, target="generic")
def _word_count(s):
    words = s.size // 8
    return lambda s: words


@intrinsic
def _load_word(typing: Any, s: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        words = builder.bitcast(args[0], ir.IntType(64).as_pointer())
        loaded = builder.load(builder.gep(words, [args[1]]))
        loaded.align = 1  # a state inside a workspace starts where its own alignment lets it
        return loaded

    return types.uint64(s, types.int64), generate


@overload(word, target="generic")
def _word(s, index):
    if isinstance(s, types.Record):
        return lambda s, index: _load_word(s, index)
    return None
