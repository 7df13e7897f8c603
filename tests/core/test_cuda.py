"""The intrinsics on a GPU: the same source computes the same numbers there. Needs numba-cuda and a CUDA device; says so where they are missing."""

from typing import Any

import numpy as np
import pytest

from kibitz.core.records import bits, hashing


def cuda_or_skip() -> Any:
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # type: ignore[attr-defined]  # gone from NumPy 2.5, still asked for by numba-cuda
    try:
        from numba import cuda
    except ImportError as error:
        pytest.skip(f"no CUDA for Numba here: {error}")
    if not cuda.is_available():
        pytest.skip("no CUDA device here")
    return cuda


def test_bits_and_mixing_agree_with_their_twins() -> None:
    cuda = cuda_or_skip()
    mix = cuda.jit(device=True)(hashing.mix)

    @cuda.jit
    def kernel(words: Any, out: Any) -> None:
        i = cuda.grid(1)
        if i < words.shape[0]:
            x = words[i]
            out[i, 0] = bits.popcount(x)
            out[i, 1] = bits.lowest(x)
            out[i, 2] = bits.highest(x)
            out[i, 3] = bits.popcount(bits.without_lowest(x))
            out[i, 4] = bits.has(x, 5)
            out[i, 5] = bits.lowest(bits.bit(i % 64))
            out[i, 6] = np.int64(mix(x) >> np.uint64(1))

    words = np.random.default_rng(1).integers(0, 2**63, 1000, dtype=np.uint64) * np.uint64(3)
    words[0] = 0
    out = np.zeros((1000, 7), np.int64)
    kernel[8, 128](words, out)
    with np.errstate(over="ignore"):
        for i, x in enumerate(words):
            twin = (bits.popcount(x), bits.lowest(x), bits.highest(x), bits.popcount(bits.without_lowest(x)), bits.has(x, 5), i % 64)
            assert tuple(out[i, :6].tolist()) == tuple(int(v) for v in twin)
            assert out[i, 6] == int(hashing.mix(x)) >> 1
