"""The generator used inside kernels: one 64-bit word of state, a seed gives the same numbers on every target.

`Rng` is a record with a single field, so it lives in a workspace or a state. The word advances by a fixed odd step and is then mixed,
so that any two seeds give unrelated sequences and a sequence can be entered anywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.records.hashing import STEP, combine, mix
from kibitz.core.records.record import blank, record

Rng = record(word=np.uint64)

LOW_HALF = np.uint64(0xFFFFFFFF)
TO_UNIT = 2.0**-53


def seed(rng: Any, number: int, stream: int) -> None:
    """Start the sequence `stream` of seed `number`."""
    rng.word = combine(combine(np.uint64(0), np.uint64(number)), np.uint64(stream))


def seed_words(number: int, streams: Any) -> Any:
    """What `seed` writes for each of an array of streams."""
    words: Any = np.asarray(streams, np.uint64)
    with np.errstate(over="ignore"):  # uint64 arithmetic wraps on purpose
        return combine(combine(np.uint64(0), np.uint64(number)), words)


def seeded(number: int, stream: int = 0) -> Any:
    """A generator at the start of a stream, made outside kernels."""
    rng = blank(Rng)
    with np.errstate(over="ignore"):  # uint64 arithmetic wraps on purpose
        seed(rng, number, stream)
    return rng


def draw(rng: Any) -> np.uint64:
    """The next 64 random bits."""
    rng.word = rng.word + STEP
    return mix(rng.word)


def below(rng: Any, n: int) -> int:
    """A whole number from 0 to n - 1, each equally likely; 0 < n < 2^32.

    A 32-bit number times n has its quotient by 2^32 in range; the few products that would favour some quotients are drawn again.
    """
    bound = np.uint64(n)
    product = (draw(rng) >> np.uint64(32)) * bound
    if product & LOW_HALF < bound:
        unfair = (np.uint64(0x100000000) - bound) % bound
        while product & LOW_HALF < unfair:
            product = (draw(rng) >> np.uint64(32)) * bound
    return np.int64(product >> np.uint64(32))  # type: ignore[return-value]


def unit(rng: Any) -> float:
    """A real number in [0, 1), on a grid of 2^-53."""
    return np.float64(draw(rng) >> np.uint64(11)) * TO_UNIT


def by_weight(weights: Any, n: int, rng: Any) -> int:
    """One of the first n places, each as likely as its weight says."""
    total = 0.0
    for i in range(n):
        total += weights[i]
    left = unit(rng) * total
    for i in range(n - 1):
        left -= weights[i]
        if left < 0.0:
            return i
    return n - 1


def shuffle(rng: Any, items: Any, n: int) -> None:
    """Put the first n items in random order, each order equally likely."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
