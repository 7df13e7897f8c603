"""The table of df-pn: proof and disproof numbers of positions met before, in memory that never grows.

An entry is 16 bytes, a bucket of four fills one cache line:

    word 0   the key, whole
    word 1   proof number (26 bits), disproof number (26 bits), work (12 bits)

Work is the number of positions that were visited for the numbers, as a logarithm in eighths. Garbage is collected bucket by bucket: what goes is the
entry that cost least to find. An empty entry's second word is 0; no node has both numbers 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.records.hashing import STEP
from kibitz.core.records.record import record
from kibitz.searches.proof.numbers import NEVER, whole

Entry = record(key=np.uint64, numbers=np.uint64)
BUCKET = 4
LINE = 64  # bytes
NOTHING = np.uint64(0)
MASK = np.uint64(NEVER)
EIGHTHS = 8.0

FIELDS = {"shift": np.int64}


# --- kernels ---


def first_of(w: Any, key: np.uint64) -> int:
    """Where the key's bucket begins."""
    return whole((key * STEP) >> np.uint64(w.shift)) * BUCKET


def recall(w: Any, table: Any, key: np.uint64) -> np.uint64:
    """What is known of a key, packed; NOTHING where it is not known."""
    first = first_of(w, key)
    for i in range(BUCKET):
        e = table[first + i]
        if e.key == key and e.numbers != NOTHING:
            return e.numbers
    return NOTHING


def proof_in(packed: np.uint64) -> int:
    return whole(packed & MASK)


def disproof_in(packed: np.uint64) -> int:
    return whole((packed >> np.uint64(26)) & MASK)


def work_in(packed: np.uint64) -> int:
    return whole(packed >> np.uint64(52))


def keep(w: Any, table: Any, key: np.uint64, proof: int, disproof: int, nodes: int) -> None:
    """Write down a node's numbers, in its own place, an empty one, or that of the entry which cost least."""
    first = first_of(w, key)
    work = whole(EIGHTHS * np.log2(1.0 + nodes))
    place, least = first, whole(1 << 20)
    for i in range(BUCKET):
        e = table[first + i]
        known = e.numbers
        if known == NOTHING or e.key == key:
            place = first + i
            if known != NOTHING:
                work = max(work, work_in(known))
            else:
                w.used += 1
            break
        if work_in(known) < least:
            place, least = first + i, work_in(known)
    e = table[place]
    e.key = key
    e.numbers = np.uint64(proof) | (np.uint64(disproof) << np.uint64(26)) | (np.uint64(work) << np.uint64(52))


# --- outside ---


def allocated(megabytes: float) -> Any:
    """An empty table of at most so many megabytes: a power of two of buckets, which begin where cache lines do."""
    bits = max(1, int(np.log2(max(2.0, megabytes * 2**20 / LINE))))
    try:
        memory = np.zeros((LINE << bits) + LINE, np.uint8)
    except MemoryError:
        raise InputError(f"no memory for a table of {megabytes:g} MB; ask for less, such as --memory 64") from None
    skip = -memory.ctypes.data % LINE
    return memory[skip : skip + (LINE << bits)].view(Entry)


def attach(w: Any, table: Any) -> None:
    """Tell a workspace how to find its way in this table."""
    w.shift = 64 - (len(table) // BUCKET).bit_length() + 1
