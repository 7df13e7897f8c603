"""The table of df-pn: proof and disproof numbers of visited positions, in bounded memory.

An entry is 16 bytes, a bucket of four fills one cache line:

    word 0   the key, whole, with word 1 mixed in (XOR)
    word 1   proof number (26 bits), disproof number (26 bits), work (12 bits)

Threads share a table without locks: a thread that reads an entry while another writes it finds two words that do not belong together, and so the key does not
match (Hyatt and Mann, A lock-less transposition table implementation, 2002).

Work is the number of positions that were visited for the numbers, as a logarithm in eighths. Garbage is collected bucket by bucket: what goes is the
entry that cost least to find. What is settled stays settled. An empty entry's second word is 0; no node has both numbers 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.records.hashing import STEP
from kibitz.core.records.memory import LINE, zeros
from kibitz.core.records.record import record
from kibitz.searches.proof.numbers import NEVER, whole

Entry = record(key=np.uint64, numbers=np.uint64)
BUCKET = 4
NOTHING = np.uint64(0)
MASK = np.uint64(NEVER)
EIGHTHS = 8.0
MANY = 512  # positions: a child that took this many is left to the thread that searches it, and looked up again
MUCH = 72  # the same as work

BUSY = 1024  # entries behind the table's own: what threads are searching

FIELDS = {"shift": np.int64}


# --- kernels ---


def first_of(w: Any, key: np.uint64) -> int:
    """Where the key's bucket begins."""
    return whole((key * STEP) >> np.uint64(w.shift)) * BUCKET


def recall(w: Any, table: Any, key: np.uint64) -> np.uint64:
    """What is known of a key, packed; NOTHING where it is not known."""
    first = first_of(w, key)
    for i in range(BUCKET):
        known = table[first + i].numbers
        if known != NOTHING and table[first + i].key ^ known == key:
            return known
    return NOTHING


def proof_in(packed: np.uint64) -> int:
    return whole(packed & MASK)


def disproof_in(packed: np.uint64) -> int:
    return whole((packed >> np.uint64(26)) & MASK)


def work_in(packed: np.uint64) -> int:
    return whole(packed >> np.uint64(52))


def is_heavy(packed: np.uint64) -> bool:
    """Were about MANY positions visited for it, or more?"""
    return work_in(packed) >= MUCH


def keep(w: Any, table: Any, key: np.uint64, proof: int, disproof: int, nodes: int) -> None:
    """Write down a node's numbers, in its own place, an empty one, or that of the entry which cost least."""
    first = first_of(w, key)
    work = whole(EIGHTHS * np.log2(1.0 + nodes))
    place, least = first, whole(1 << 20)
    for i in range(BUCKET):
        known = table[first + i].numbers
        if known == NOTHING or table[first + i].key ^ known == key:
            place = first + i
            if known != NOTHING:
                if (proof_in(known) == 0 or disproof_in(known) == 0) and proof != 0 and disproof != 0:
                    return
                work = max(work, work_in(known))
            else:
                w.used += 1
            break
        if work_in(known) < least:
            place, least = first + i, work_in(known)
    said = np.uint64(proof) | (np.uint64(disproof) << np.uint64(26)) | (np.uint64(work) << np.uint64(52))
    e = table[place]
    e.key = key ^ said
    e.numbers = said


# --- threads ---


def busy_place(table: Any, key: np.uint64) -> int:
    return table.shape[0] - BUSY + whole((key * STEP) >> np.uint64(32)) % BUSY


def is_busy(table: Any, key: np.uint64) -> bool:
    """Is a thread searching this position? A mark may be lost, or another's: then two threads search the same, or one goes round it."""
    return table[busy_place(table, key)].key == key


def begin(table: Any, key: np.uint64) -> None:
    table[busy_place(table, key)].key = key


def end(table: Any, key: np.uint64) -> None:
    e = table[busy_place(table, key)]
    if e.key == key:
        e.key = np.uint64(0)


# --- outside ---


def allocated(megabytes: float) -> Any:
    """An empty table of at most `megabytes`: a power of two of buckets, aligned to cache lines."""
    bits = max(1, int(np.log2(max(2.0, megabytes * 2**20 / LINE))))
    return zeros(Entry, (BUCKET << bits) + BUSY, f"no memory for a table of {megabytes:g} MB; ask for less, such as --memory 64")


def attach(w: Any, table: Any) -> None:
    """Tell a workspace how to find its way in this table."""
    w.shift = 64 - ((len(table) - BUSY) // BUCKET).bit_length() + 1
