"""Every twin computes compiled what it computes interpreted."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core.records import bits

words = st.integers(0, 2**64 - 1)

count_bits = numba.njit(lambda x: bits.popcount(x))
find_lowest = numba.njit(lambda x: bits.lowest(x))
find_highest = numba.njit(lambda x: bits.highest(x))
drop_lowest = numba.njit(lambda x: bits.without_lowest(x))
find_nth = numba.njit(lambda x, n: bits.nth(x, n))
find_nth_anywhere = numba.njit(bits._by_halves)
make_bit = numba.njit(lambda i: bits.bit(i))
test_bit = numba.njit(lambda x, i: bits.has(x, i))
test_bit.__test__ = False


@given(words)
def test_twins_agree(x: int) -> None:
    word = np.uint64(x)
    assert count_bits(word) == bits.popcount(word) == x.bit_count()
    assert find_lowest(word) == bits.lowest(word)
    assert find_highest(word) == bits.highest(word) == x.bit_length() - 1
    assert drop_lowest(word) == bits.without_lowest(word)
    assert all(test_bit(word, i) == bits.has(word, i) == bool(x >> i & 1) for i in (0, 1, 31, 32, 62, 63))


@given(words.filter(bool))
def test_the_nth_bit(x: int) -> None:
    word, found = np.uint64(x), [i for i in range(64) if x >> i & 1]
    for number in {0, len(found) // 2, len(found) - 1}:
        assert find_nth(word, number) == find_nth_anywhere(word, number) == bits.nth(word, number) == found[number]


@pytest.mark.parametrize("index", range(64))
def test_single_bits(index: int) -> None:
    assert make_bit(index) == bits.bit(index) == np.uint64(1 << index)
    assert find_lowest(np.uint64(1 << index)) == index


def test_empty_set() -> None:
    assert bits.lowest(np.uint64(0)) == find_lowest(np.uint64(0)) == 64
    assert bits.highest(np.uint64(0)) == find_highest(np.uint64(0)) == -1
    assert bits.without_lowest(np.uint64(0)) == drop_lowest(np.uint64(0)) == 0
