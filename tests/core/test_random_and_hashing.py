"""The kernel's generator and the record hash: alike on every target, uniform, sensitive to every bit."""

from collections import Counter
from itertools import permutations
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core.compiling.binder import bind
from kibitz.core.records import hashing, random
from kibitz.core.records.record import blank, record

Sample = record(big=np.uint64, small=np.int8, cells=(np.int16, 5), weight=np.float64)


def numbers(rng: Any, out: Any, seed: int) -> None:
    random.seed(rng, seed, 3)
    for i in range(out.shape[0]):
        out[i] = random.below(rng, i + 1) + random.unit(rng)


def hashed(s: Any) -> Any:
    return hashing.hash_record(s)


def scattered(s: Any, salt: Any) -> Any:
    return hashing.scatter(s, salt)


def shuffled(rng: Any, out: Any) -> None:
    for i in range(out.shape[0]):
        out[i] = i
    random.shuffle(rng, out, out.shape[0])


@pytest.mark.parametrize("seed", [0, 1, 2**40])
def test_targets_draw_the_same_numbers(seed: int) -> None:
    drawn = []
    for target in ("cpu", "python"):
        out = np.zeros(200)
        bind(numbers, {}, "numbers", target=target)(blank(random.Rng), out, seed)
        drawn.append(out)
    assert np.array_equal(drawn[0], drawn[1])
    assert (drawn[0] >= 0).all()
    assert (drawn[0] < np.arange(1, 201) + 1).all()


@pytest.mark.parametrize("n", [1, 2, 6, 7, 1000])
def test_below_is_uniform(n: int) -> None:
    rng = blank(random.Rng)
    with np.errstate(over="ignore"):
        random.seed(rng, 7, n)
        counts = Counter(random.below(rng, n) for _ in range(20_000))
    assert set(counts) <= set(range(n))
    expected = 20_000 / n
    chi_squared = sum((counts[i] - expected) ** 2 / expected for i in range(n))
    assert chi_squared < n - 1 + 5 * (2 * n) ** 0.5 + 1e-9


def test_shuffle_reaches_every_order_equally() -> None:
    rng, kernel = blank(random.Rng), bind(shuffled, {}, "shuffled")
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(4800):
        out = np.zeros(4, np.int64)
        kernel(rng, out)
        counts[tuple(out.tolist())] += 1
    assert set(counts) == set(permutations(range(4)))
    assert sum((c - 200) ** 2 / 200 for c in counts.values()) < 60  # 23 degrees of freedom


def test_streams_of_one_seed_differ() -> None:
    firsts = set()
    for stream in range(1000):
        rng = blank(random.Rng)
        with np.errstate(over="ignore"):
            random.seed(rng, 0, stream)
            firsts.add(int(random.draw(rng)))
    assert len(firsts) == 1000


@given(
    st.integers(0, 2**64 - 1),
    st.integers(-128, 127),
    st.lists(st.integers(-32768, 32767), min_size=5, max_size=5),
    st.floats(allow_nan=False),
)
def test_record_hash_is_alike_and_sees_every_field(big: int, small: int, cells: list[int], real: float) -> None:
    s = blank(Sample)
    s.big, s.small, s.weight = big, small, real
    s["cells"] = cells
    with np.errstate(over="ignore"):
        key = hashing.hash_record(s)
        assert compiled_hash(s) == key
        for change in ({"big": np.uint64(big) ^ np.uint64(1)}, {"small": small ^ 1}, {"weight": 1.5 if real != 1.5 else 2.5}):
            other = s.copy()
            for name, value in change.items():
                other[name] = value
            assert hashing.hash_record(other) != key


compiled_hash: Any = bind(hashed, {}, "hash", target="cpu")


def test_one_bit_flips_half_of_the_hash() -> None:
    s = blank(Sample)
    flipped = []
    with np.errstate(over="ignore"):
        for i in range(64):
            t = s.copy()
            t.big = np.uint64(1 << i)
            flipped.append(int(hashing.hash_record(s) ^ hashing.hash_record(t)).bit_count())
    assert 28 < np.mean(flipped) < 36
    assert min(flipped) > 10


def test_where_a_record_goes_depends_on_every_bit_of_it() -> None:
    """Alike compiled and interpreted; of words and pairs of words changed in any bits no two go to one place."""
    kernel = bind(scattered, {}, "hash", target="cpu")
    s = blank(Sample)
    words = s.dtype.itemsize // 8
    with np.errstate(over="ignore"):
        seen = {int(hashing.scatter(s, np.uint64(3)))}
        for bits_set in [
            *((i,) for i in range(64 * words)),
            *((i, i + 128) for i in range(64 * (words - 2))),
            *((i, 64 + i) for i in range(64)),
        ]:
            raw = bytearray(s.dtype.itemsize)
            for i in bits_set:
                raw[i // 8] ^= 1 << i % 8
            seen.add(int(hashing.scatter(np.frombuffer(raw, s.dtype)[0], np.uint64(3))))
        assert len(seen) == 1 + 64 * words + 64 * (words - 2) + 64
        assert int(kernel(s, np.uint64(3))) in seen
        assert int(kernel(s, np.uint64(4))) not in seen


def test_numba_types_the_hash_as_unsigned() -> None:
    kernel = bind(hashed, {}, "hash", target="cpu")
    kernel.prepare(blank(Sample))
    assert kernel.function.signatures  # type: ignore[attr-defined]
    assert next(iter(kernel.function.overloads.values())).signature.return_type == numba.uint64  # type: ignore[attr-defined]
