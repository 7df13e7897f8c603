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
def own_start(r: Any, size: int) -> Any:
    """The same, but only the first `size` bytes are the record's: the rest holds anything."""
    copy = np.array([r], r.dtype)
    copy.view(np.uint8)[size:] = 0xFF
    return copy[0]


@twin
def put_start(r: Any, copy: Any, size: int) -> None:
    """Overwrite the first `size` bytes of the record, which end where a field does, with those of the copy."""
    for name in r.dtype.names:
        if r.dtype.fields[name][1] < size:
            r[name] = copy[name]


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


def _room_of_own(builder: Any, r: Any, source: Any, size: Any) -> Any:
    """Room for a record in the frame of the caller, its first `size` bytes those of the source."""
    with builder.goto_entry_block():
        room = builder.alloca(ir.ArrayType(ir.IntType(64), -(-r.size // 8)))
    copy = builder.bitcast(room, source.type)
    cgutils.raw_memcpy(builder, copy, source, size, 1, align=8)
    return copy


@intrinsic
def _own_copy(typing: Any, r: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _room_of_own(builder, r, args[0], ir.Constant(ir.IntType(64), r.size))

    return r(r), generate


@intrinsic
def _own_start(typing: Any, r: Any, size: Any) -> Any:
    return r(r, types.int64), lambda context, builder, signature, args: _room_of_own(builder, r, *args)


@intrinsic
def _put_start(typing: Any, r: Any, copy: Any, size: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], args[2], 1, align=8)
        return context.get_dummy_value()

    return types.void(r, r, types.int64), generate


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
own_start.__kibitz_in_frame__ = _own_start  # type: ignore[attr-defined]
scratch.__kibitz_in_frame__ = _scratch  # type: ignore[attr-defined]


@overload(put_start, target="generic")
def _overloaded_put_start(r, copy, size):
    return lambda r, copy, size: _put_start(r, copy, size)


@overload(put_back, target="generic")
def _overloaded_put_back(r, copy):
    size = r.size
    return lambda r, copy: _put_start(r, copy, size)
