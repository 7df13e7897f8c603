"""Records at an address, and a copy of one that a single thread keeps to itself.

Threads of a GPU share memory, in which each reads and writes far from the others: slow. What a thread keeps to itself is laid out by the GPU so that
neighbours read side by side. The functions are twins (see bits.py).
"""

from __future__ import annotations

import ctypes
import math
from functools import lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np import arrayobj

from kibitz.core.records.bits import twin
from kibitz.core.records.record import Cells


@lru_cache(maxsize=256)
def _seen(address: int, kind: Any) -> Any:
    return np.frombuffer((ctypes.c_char * kind.itemsize).from_address(address), kind)[0]


@twin
def record_at(address: int, kind: Any) -> Any:
    """The record of this type that begins at an address."""
    return _seen(int(address), kind)


@twin
def own_copy(r: Any) -> Any:
    """A copy of a record, gone when the caller returns."""
    return np.array([r], r.dtype)[0]


@twin
def put_back(r: Any, copy: Any) -> None:
    """Overwrite the record with the copy."""
    for name in r.dtype.names:
        r[name] = copy[name]


@twin
def scratch(like: Any) -> Any:
    """As many whole numbers as an array of a record has, all 0, gone when the caller returns: for rules, which a GPU gives no memory for np.zeros."""
    return np.zeros(like.shape, np.int64).view(Cells)


# --- compiled ---


@intrinsic
def _record_at(typing: Any, address: Any, kind: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return kind.dtype(types.int64, kind), generate


@intrinsic
def _own_copy(typing: Any, r: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        with builder.goto_entry_block():
            room = builder.alloca(ir.ArrayType(ir.IntType(64), -(-r.size // 8)))
        copy = builder.bitcast(room, args[0].type)
        cgutils.raw_memcpy(builder, copy, args[0], ir.Constant(ir.IntType(64), r.size), 1, align=8)
        return copy

    return r(r), generate


@intrinsic
def _put_back(typing: Any, r: Any, copy: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], ir.Constant(ir.IntType(64), r.size), 1, align=8)
        return context.get_dummy_value()

    return types.void(r, r), generate


@intrinsic
def _scratch(typing: Any, like: Any) -> Any:
    if not isinstance(like, types.NestedArray):
        raise TypeError("scratch(like) needs an array of a record, such as s.board")
    count, shape = math.prod(like.shape), like.shape
    strides = [8 * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, word = signature.return_type, ir.IntType(64)
        with builder.goto_entry_block():
            room = builder.alloca(ir.ArrayType(word, count))
        cgutils.memset(builder, room, ir.Constant(word, 8 * count), 0)
        array = context.make_array(kind)(context, builder)
        sizes = {
            "shape": [ir.Constant(word, n) for n in shape],
            "strides": [ir.Constant(word, n) for n in strides],
            "itemsize": ir.Constant(word, 8),
        }
        arrayobj.populate_array(array, builder.bitcast(room, word.as_pointer()), meminfo=None, **sizes)
        return array._getvalue()

    return types.Array(types.int64, like.ndim, "C")(like), generate


@overload(record_at, target="generic")
def _overloaded_record_at(address, kind):
    return lambda address, kind: _record_at(address, kind)


# Not an overload, which is a function of its own: the copy would lie in its frame, and be gone. The binder puts the intrinsic itself in the caller.
own_copy.__kibitz_in_frame__ = _own_copy  # type: ignore[attr-defined]
scratch.__kibitz_in_frame__ = _scratch  # type: ignore[attr-defined]


@overload(put_back, target="generic")
def _overloaded_put_back(r, copy):
    return lambda r, copy: _put_back(r, copy)
