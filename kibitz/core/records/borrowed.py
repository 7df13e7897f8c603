"""Arrays that a record only points to, by two fields with their address and length.

An array passed through a recursive search is reference-counted at every call, and needs a separate compilation of the search. An address is a number like any
other. The code that stores it must keep the array alive for as long as a kernel may read it. The functions are twins (see bits.py): `borrowed_words(address, length)` is the
array in interpreted code, too.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from kibitz.core.records.bits import twin
from kibitz.core.records.record import Cells


def lend(array: Any) -> tuple[int, int]:
    """The address and the length of an array whose numbers lie side by side."""
    if not array.flags.c_contiguous:
        raise ValueError("only an array whose numbers lie side by side can be lent")
    return int(array.ctypes.data), len(array)


@lru_cache(maxsize=64)
def _seen(address: int, length: int, kind: Any) -> Any:
    size = np.dtype(kind).itemsize * length
    return np.frombuffer((ctypes.c_char * size).from_address(address), kind).view(Cells)


@twin
def borrowed_words(address: int, length: int) -> Any:
    """A number of int64 from there on."""
    return _seen(int(address), int(length), np.int64)


@twin
def borrowed_keys(address: int, length: int) -> Any:
    """The same of uint64."""
    return _seen(int(address), int(length), np.uint64)


@twin
def borrowed_shorts(address: int, length: int) -> Any:
    """The same of int16."""
    return _seen(int(address), int(length), np.int16)


@twin
def borrowed_reals(address: int, length: int) -> Any:
    """The same of float64."""
    return _seen(int(address), int(length), np.float64)


# --- compiled ---


@intrinsic
def _pointer(typing: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], cgutils.voidptr_t)

    return types.voidptr(types.int64), generate


@overload(borrowed_words, target="generic")
def _words(address, length):
    return lambda address, length: numba.carray(_pointer(address), (length,), np.int64)


@overload(borrowed_keys, target="generic")
def _keys(address, length):
    return lambda address, length: numba.carray(_pointer(address), (length,), np.uint64)


@overload(borrowed_shorts, target="generic")
def _shorts(address, length):
    return lambda address, length: numba.carray(_pointer(address), (length,), np.int16)


@overload(borrowed_reals, target="generic")
def _reals(address, length):
    return lambda address, length: numba.carray(_pointer(address), (length,), np.float64)
