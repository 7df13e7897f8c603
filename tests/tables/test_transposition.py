"""The table by itself: what is stored comes back, torn entries do not, better entries stay."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz as kb
from kibitz.core.compiling.binder import bind
from kibitz.core.records.record import blank
from kibitz.core.running.ahead import Ahead
from kibitz.tables import transposition
from kibitz.tables.transposition import SOLVED, Entry, Own, Table

probe, store = bind(transposition.probe, {}, "probe"), bind(transposition.store, {}, "store")
keys = st.integers(0, 2**64 - 1).map(np.uint64)


def made(megabytes: float = 0.01) -> tuple[Table, object]:
    table, w = Table(megabytes, at_once=True), blank(Own)
    table.attach(w)
    return table, w


@given(keys, st.integers(1, SOLVED), st.floats(-100, 100), st.floats(0, 50), st.integers(-1, 2**31 - 1))
def test_what_is_stored_comes_back(key: np.uint64, depth: int, lower: float, width: float, move: int) -> None:
    table, w = made()
    assert not probe(w, table.entries, key)
    store(w, table.entries, key, depth, lower, lower + width, move, False)
    assert probe(w, table.entries, key)
    assert (w.entry.lower, w.entry.upper, w.entry.move, w.entry.depth) == (lower, lower + width, move, depth)  # type: ignore[attr-defined]


@given(keys, st.integers(0, 31), st.integers(0, 7))
def test_torn_entries_are_passed_over(key: np.uint64, byte: int, bit: int) -> None:
    """Any single bit that differs from what was stored makes the entry match no longer."""
    table, w = made()
    store(w, table.entries, key, 5, 1.0, 2.0, 3, False)
    place = int(np.flatnonzero(table.entries["depth"])[0])
    table.entries[place : place + 1].view(np.uint8)[byte] ^= np.uint8(1 << bit)
    assert not probe(w, table.entries, key)


def test_bounds_of_one_depth_are_joined() -> None:
    table, w = made()
    key = np.uint64(12345)
    store(w, table.entries, key, 4, 1.0, np.inf, 7, False)
    store(w, table.entries, key, 4, -np.inf, 3.0, kb.NO_MOVE, False)
    assert probe(w, table.entries, key)
    assert (w.entry.lower, w.entry.upper, w.entry.move) == (1.0, 3.0, 7)  # type: ignore[attr-defined]
    store(w, table.entries, key, 5, 2.0, np.inf, 8, False)
    assert probe(w, table.entries, key)
    assert (w.entry.lower, w.entry.upper, w.entry.move, w.entry.depth) == (2.0, np.inf, 8, 5)  # type: ignore[attr-defined]


def test_what_is_solved_stays_solved() -> None:
    """A later search that found no more than the solution says does not take its place; one that found more does."""
    table, w = made()
    key = np.uint64(777)
    store(w, table.entries, key, SOLVED, 1.0, 2.0, 7, False)
    store(w, table.entries, key, 3, 0.5, np.inf, 8, False)
    assert probe(w, table.entries, key)
    assert (w.entry.lower, w.entry.upper, w.entry.move, w.entry.depth) == (1.0, 2.0, 7, SOLVED)  # type: ignore[attr-defined]
    store(w, table.entries, key, 4, 1.5, np.inf, 9, False)
    assert probe(w, table.entries, key)
    assert (w.entry.lower, w.entry.depth) == (1.5, 4)  # type: ignore[attr-defined]


def test_doubt_stays_with_what_was_joined() -> None:
    table, w = made()
    key = np.uint64(778)
    store(w, table.entries, key, 4, 1.0, np.inf, 7, True)
    store(w, table.entries, key, 4, -np.inf, 3.0, 7, False)
    assert probe(w, table.entries, key)
    assert w.entry.doubt == 1  # type: ignore[attr-defined]


def test_older_and_shallower_entries_give_way() -> None:
    table, w = made(64 / 2**20)  # two buckets
    same_bucket = [np.uint64(k) for k in range(200) if (k * 0x9E3779B97F4A7C15 % 2**64) >> 63 == 0][:5]
    for key, depth in zip(same_bucket, (9, 3, 5), strict=False):
        store(w, table.entries, key, depth, 0.0, 0.0, 1, False)
    assert [probe(w, table.entries, k) for k in same_bucket[:3]] == [True, False, True]
    table.attach(w)  # a new search: what the old one left is worth less
    store(w, table.entries, same_bucket[3], 1, 0.0, 0.0, 1, False)
    store(w, table.entries, same_bucket[4], 2, 0.0, 0.0, 1, False)
    assert [probe(w, table.entries, k) for k in same_bucket] == [False, False, False, True, True]


def test_growing_keeps_what_is_there() -> None:
    table, w = Table(16.0), blank(Own)
    table.attach(w)
    small = table.entries.nbytes
    chosen = [np.uint64(k * 7919 + 1) for k in range(500)]
    for key in chosen:
        store(w, table.entries, key, 2, 1.0, 2.0, 4, False)
    kept = [k for k in chosen if probe(w, table.entries, k)]
    table.grow(w, 100_000)
    assert small < table.entries.nbytes <= 16 * 2**20
    assert len(kept) > 400
    assert all(probe(w, table.entries, k) for k in kept)


def test_growing_into_memory_that_was_made_ready() -> None:
    """Of the same size as without, aligned as well, and empty but for what was there."""
    table, w = Table(16.0), blank(Own)
    table.attach(w)
    for nodes in (10_000, 20_000, 40_000):
        before = table.entries.nbytes
        store(w, table.entries, np.uint64(nodes), 2, 1.0, 2.0, 4, False)
        table.grow(w, nodes)
        assert before < table.entries.nbytes <= 16 * 2**20
        assert table.entries.ctypes.data % 64 == 0
        assert probe(w, table.entries, np.uint64(nodes))
    assert np.count_nonzero(table.entries["depth"]) == 3
    table.grow(w, 10**9)
    assert table.entries.nbytes == 16 * 2**20


def test_memory_ahead_is_taken_once_and_zeroed() -> None:
    assert not Ahead(100_000).take(70_000).any()
    assert Ahead(100).take(101) is None


@pytest.mark.parametrize("megabytes", [0.001, 0.3, 1, 5])
def test_memory_is_bounded_and_aligned(megabytes: float) -> None:
    table = Table(megabytes, at_once=True)
    assert table.entries.nbytes <= max(megabytes * 2**20, 128)
    assert table.entries.ctypes.data % 64 == 0
    assert Entry.itemsize == 32


@pytest.mark.parametrize("megabytes", [0.0001, 0.01, 4])
def test_any_size_agrees(megabytes: float) -> None:
    position = kb.load("tictactoe").position("5")
    assert kb.solve(position, table=megabytes).value == kb.solve(position, table=0).value == 0.0
