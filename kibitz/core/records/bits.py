"""Sets of up to 64 squares in one `np.uint64`: machine instructions when compiled, plain Python when interpreted.

Every function here is a *twin*: its body is the interpreted form, and the intrinsic beside it is what compiled code runs. The
intrinsics are LLVM's own, so they compile for the CPU and for CUDA alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

NONE = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def twin(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function that has a compiled form of its own, so that the binder leaves it alone."""
    function.__kibitz_twin__ = True  # type: ignore[attr-defined]
    return function


@twin
def popcount(bits: np.uint64) -> int:
    """How many bits are set."""
    return int(bits).bit_count()


@twin
def lowest(bits: np.uint64) -> int:
    """Index of the lowest set bit; 64 for the empty set."""
    x = int(bits)
    return (x & -x).bit_length() - 1 if x else 64


@twin
def highest(bits: np.uint64) -> int:
    """Index of the highest set bit; -1 for the empty set."""
    return int(bits).bit_length() - 1


@twin
def without_lowest(bits: np.uint64) -> np.uint64:
    """The set without its lowest element; the empty set stays empty."""
    x = int(bits)
    return np.uint64(x & (x - 1) if x else 0)


@twin
def bit(index: int) -> np.uint64:
    """The set that holds `index` (0 to 63) alone."""
    return np.uint64(1 << int(index))


@twin
def has(bits: np.uint64, index: int) -> bool:
    """Is `index` (0 to 63) in the set?"""
    return bool(int(bits) >> int(index) & 1)


@twin
def nth(bits: np.uint64, number: int) -> int:
    """Index of the set bit with `number` set bits below it; there must be more than `number`."""
    x = int(bits)
    for _ in range(int(number)):
        x &= x - 1
    return (x & -x).bit_length() - 1


def list_members(out: Any, n: int, first: int, members: np.uint64) -> int:
    """Write the index of every member, counted from `first`, to `out` from place n on; the place after the last one."""
    while members != NONE:
        out[n] = first + lowest(members)
        members = without_lowest(members)
        n += 1
    return n


@intrinsic
def _ctpop(typing: Any, bits: Any) -> Any:
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _cttz(typing: Any, bits: Any) -> Any:
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.cttz(args[0], cgutils.false_bit)


@intrinsic
def _ctlz(typing: Any, bits: Any) -> Any:
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.ctlz(args[0], cgutils.false_bit)


@intrinsic
def _pdep(typing: Any, source: Any, mask: Any) -> Any:
    """The low bits of `source`, one after another, where `mask` has ones."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64")
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), generate


@overload(popcount, target="generic")
def _popcount(bits):
    return lambda bits: _ctpop(bits)


@overload(lowest, target="generic")
def _lowest(bits):
    return lambda bits: _cttz(bits)


@overload(highest, target="generic")
def _highest(bits):
    return lambda bits: 63 - _ctlz(bits)


@overload(without_lowest, target="generic")
def _without_lowest(bits):
    return lambda bits: np.uint64(bits) & (np.uint64(bits) - np.uint64(1))


@overload(bit, target="generic")
def _bit(index):
    return lambda index: np.uint64(1) << np.uint64(index)


@overload(has, target="generic")
def _has(bits, index):
    return lambda bits, index: (np.uint64(bits) >> np.uint64(index)) & np.uint64(1) != np.uint64(0)


def _by_halves(bits, number):
    """`nth` on any processor: the half of the word that holds the bit, again and again."""
    x, left, index = np.uint64(bits), np.int64(number), np.int64(0)
    for width in (32, 16, 8, 4, 2, 1):
        below = _ctpop(x & ((np.uint64(1) << np.uint64(width)) - np.uint64(1)))
        if left >= below:
            left -= below
            x >>= np.uint64(width)
            index += width
    return index


@overload(nth, target="generic")
def _nth(bits, number):
    return _by_halves


if get_host_cpu_features().get("bmi2", False):

    @overload(nth, target="cpu")
    def _nth_on_this_processor(bits, number):
        return lambda bits, number: _cttz(_pdep(np.uint64(1) << np.uint64(number), bits))
