"""What a GPU does otherwise than this computer's processor: it asks for no memory ahead of time, and adds real numbers that many threads add to at once (see core/device/ptx.py).

`fetch` is a twin (see core/records/bits.py): nothing at all when interpreted.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from kibitz.core.records.bits import twin

ADD_REAL = "kibitz.add_real"
LINE = 128  # bytes that a GPU reads at once


@twin
def fetch(records: Any, index: int, count: int, unit: int) -> None:
    """Units that are about to be read: a GPU gets them all at once."""


@intrinsic
def _fetch(typing: Any, records: Any, index: Any, count: Any, unit: Any) -> Any:
    """A line of a GPU's memory after another."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, byte = ir.IntType(64), ir.IntType(8)
        ask = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [byte.as_pointer(), ir.IntType(32), ir.IntType(32), ir.IntType(32)]),
            "llvm.prefetch.p0",
        )
        start = builder.gep(builder.bitcast(args[0], byte.as_pointer()), [builder.mul(args[1], args[3])])
        with cgutils.for_range_slice(builder, ir.Constant(word, 0), builder.mul(args[2], args[3]), ir.Constant(word, LINE), word) as (
            at,
            _,
        ):
            builder.call(ask, [builder.gep(start, [at]), *(ir.Constant(ir.IntType(32), n) for n in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(records, types.int64, types.int64, types.int64), generate


@overload(fetch, target="generic")
def _overloaded_fetch(records, index, count, unit):
    return (lambda records, index, count, unit: _fetch(records, index, count, unit)) if isinstance(records, types.Record) else None


def real_adder(module: Any) -> Any:
    """A function by itself: this computer's processor adds by trying until nobody came between, a GPU at once (see core/device/ptx.py)."""
    real = ir.DoubleType()
    function = cgutils.get_or_insert_function(module, ir.FunctionType(ir.VoidType(), [real.as_pointer(), real]), ADD_REAL)
    if not function.blocks:
        function.linkage = "linkonce_odr"
        function.attributes.add("noinline")
        inside = ir.IRBuilder(function.append_basic_block())
        inside.atomic_rmw("fadd", *function.args, "monotonic")
        inside.ret_void()
    return function
