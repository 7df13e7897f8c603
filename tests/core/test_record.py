"""Records read and compute alike compiled and interpreted."""

from typing import Any

import numpy as np
import pytest

from kibitz.core.compiling.binder import bind
from kibitz.core.errors import RulesError
from kibitz.core.records.record import Record, blank, record

Inner = record(pits=(np.int8, 3), word=np.uint64)
Outer = record(inner=(Inner, 2), grid=(np.int16, (2, 2)), turn=np.int8, flag=np.bool_)


def work(w: Any) -> int:
    s = w.inner[0]
    s.pits[1] = 100
    s.word |= np.uint64(1) << np.uint64(63)
    w.inner[1] = s
    w.grid[1][0] = s.pits[1] + 100
    w.grid[0, 1] = -w.grid[1, 0]
    w.turn = 1 - w.turn
    w.flag = s.pits[1] > 99
    total = 0
    for pit in w.inner[1].pits:
        total += pit * 100
    return total + s.pits[1] * s.pits[1]


def test_same_source_both_ways() -> None:
    results = []
    for target in ("cpu", "python"):
        w = blank(Outer)
        results.append((bind(work, {}, "work", target=target)(w), w.tobytes()))
    assert results[0] == results[1]
    assert results[0][0] == 20_000


def test_small_fields_do_not_wrap_in_arithmetic() -> None:
    s = blank(Inner)
    s.pits[0] = 100
    assert s.pits[0] + s.pits[0] == 200
    assert type(s.pits[0]) is int
    with pytest.raises(OverflowError):
        s.pits[0] = s.pits[0] + s.pits[0]


def test_sizes_are_whole_words_and_padding_is_zero() -> None:
    assert Inner.itemsize % 8 == Outer.itemsize % 8 == 0
    assert issubclass(Outer.type, Record)
    assert blank(Outer).tobytes() == bytes(Outer.itemsize)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "at least one field"),
        ({"all": np.int8}, "'all_'"),
        ({"x": object}, "must be numbers"),
        ({"x": "no such type"}, "record()"),
        ({"alive": (np.bool_, 3)}, "'alive' is an array of np.bool_, which compiled code cannot hold; write np.int8"),
    ],
)
def test_bad_records_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words.replace("(", r"\(").replace(")", r"\)")):
        record(**fields)


def test_nested_records_are_aligned() -> None:
    inner = record(a=np.int64, b=np.int8)
    outer = record(odd=(np.int8, 3), cells=(inner, (2, 2)), last=np.int8)
    assert outer.fields is not None
    assert outer.fields["cells"][1] == 8
    assert outer.itemsize % 8 == 0
