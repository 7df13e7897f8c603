"""Records side by side in one block of memory, and fields of theirs that several threads change at once.

The functions are twins (see core/bits.py): a machine instruction or a few when compiled, plain Python when interpreted. A field is named by a
literal.

Compiled code gets the first of the records, a bare pointer, instead of an array: an array would be counted in and out of every function it is passed
to, which took longer than all else a simulation does in the tree. Interpreted code gets a `View`.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from kibitz.core.records.bits import twin
from kibitz.core.records.place import record_at
from kibitz.searches.mcts.tree.for_gpus import real_adder

_one_at_a_time = threading.Lock()


class View:
    """Memory seen as records of one kind, one beginning at every multiple of `unit` bytes."""

    def __init__(self, memory: Any, kind: np.dtype[Any], unit: int) -> None:
        self.memory, self.kind, self.unit = memory, kind, unit

    def __getitem__(self, index: int) -> Any:
        return self.at(index, self.unit)

    def at(self, index: int, unit: int) -> Any:
        """The record that begins `index` times `unit` bytes on."""
        return np.frombuffer(self.memory, self.kind, 1, int(index) * unit)[0]


@twin
def cell(records: Any, index: int, unit: int) -> Any:
    """The record that begins at unit number `index`, counted from 0."""
    return records.at(index, unit)


@twin
def records_at(address: int, kind: Any, unit: int, size: int) -> Any:
    """Records side by side in the `size` bytes that begin at an address."""
    memory: Any = (ctypes.c_char * int(size)).from_address(int(address))
    return View(np.frombuffer(memory, np.uint8), kind, unit)


@twin
def clear(records: Any, index: int, unit: int) -> None:
    """Set all bytes of a record to 0."""
    records.memory[index * unit : (index + 1) * unit] = 0


@twin
def swap(records: Any, a: int, b: int, unit: int) -> None:
    """Exchange two records."""
    one, other = (slice(index * unit, (index + 1) * unit) for index in (a, b))
    records.memory[one], records.memory[other] = records.memory[other].copy(), records.memory[one].copy()


@twin
def add(r: Any, field: str, amount: Any) -> None:
    """`r.field += amount`, whoever else adds to it at the same time."""
    with _one_at_a_time:
        setattr(r, field, getattr(r, field) + amount)


@twin
def take(r: Any, field: str, amount: int) -> int:
    """The same, and what the field was before."""
    with _one_at_a_time:
        before = int(getattr(r, field))
        setattr(r, field, before + amount)
    return before


@twin
def replace(r: Any, field: str, old: int, new: int) -> bool:
    """Set the field from `old` to `new`; False where it is not `old`. What another thread wrote before it set the field is seen after this."""
    with _one_at_a_time:
        as_expected = bool(getattr(r, field) == old)
        if as_expected:
            setattr(r, field, new)
    return as_expected


@twin
def replace_leaf(x: Any, child: int, value: float, new_child: int, new_value: float) -> bool:
    """Set an edge's `child` and `value` together; False where they are not `child` and `value` any more."""
    with _one_at_a_time:
        as_expected = bool(x.child == child and x.value == value)
        if as_expected:
            x.child, x.value = new_child, new_value
    return as_expected


@twin
def publish(x: Any, child: int, value: float, new_child: int, new_value: float) -> bool:
    """The same; who loads the new child sees all that was written before."""
    return replace_leaf(x, child, value, new_child, new_value)


@twin
def release(r: Any, field: str) -> None:
    """Set the field to 0; all that was written before is seen by whoever replaces that."""
    setattr(r, field, 0)


@twin
def load(r: Any, field: str) -> int:
    """The field; all that another thread wrote before it stored that is seen from here on."""
    return int(getattr(r, field))


@twin
def store(r: Any, field: str, value: int) -> None:
    """Set the field; who loads it sees all that was written before."""
    setattr(r, field, value)


@twin
def raise_to(r: Any, field: str, place: int, value: float) -> bool:
    """Set the field's number at `place` to `value` if that is more; was it?"""
    with _one_at_a_time:
        numbers = getattr(r, field)
        is_more = bool(numbers[place] < value)
        if is_more:
            numbers[place] = value
    return is_more


@twin
def lower_to(r: Any, field: str, place: int, value: float) -> bool:
    """Set it if that is less."""
    with _one_at_a_time:
        numbers = getattr(r, field)
        is_less = bool(numbers[place] > value)
        if is_less:
            numbers[place] = value
    return is_less


def grab(r: Any) -> bool:
    """Take the record's lock, or do not wait for it."""
    return replace(r, "lock", 0, 1)


# --- compiled ---


def _place(context: Any, builder: Any, signature: Any, args: Any) -> tuple[Any, Any]:
    """A pointer to the field, and its type."""
    r, field = signature.args[:2]
    kind = r.typeof(field.literal_value)
    start = builder.bitcast(args[0], ir.IntType(8).as_pointer())
    place = builder.gep(start, [ir.Constant(ir.IntType(64), r.offset(field.literal_value))])
    return builder.bitcast(place, context.get_value_type(kind).as_pointer()), kind


@intrinsic
def _cell(typing: Any, records: Any, index: Any, unit: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        start = builder.bitcast(args[0], ir.IntType(8).as_pointer())
        return builder.bitcast(builder.gep(start, [builder.mul(args[1], args[2])]), args[0].type)

    return records(records, types.int64, types.int64), generate


def _words(builder: Any, pointer: Any, size: int) -> list[Any]:
    """Pointers to the 32-bit words of a number of bytes."""
    word, index = ir.IntType(32), ir.IntType(64)
    start = builder.bitcast(pointer, word.as_pointer())
    return [builder.gep(start, [ir.Constant(index, i)]) for i in range(size // 4)]


@intrinsic
def _clear(typing: Any, r: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        for place in _words(builder, args[0], r.size):
            builder.store(ir.Constant(ir.IntType(32), 0), place, align=4)
        return context.get_dummy_value()

    return types.void(r), generate


@intrinsic
def _swap(typing: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        places = [_words(builder, pointer, one.size) for pointer in args]
        words = [[builder.load(place, align=4) for place in row] for row in places]
        for row, from_other in zip(places, reversed(words), strict=True):
            for place, word in zip(row, from_other, strict=True):
                builder.store(word, place, align=4)
        return context.get_dummy_value()

    return types.void(one, one), generate


@intrinsic(prefer_literal=True)
def _add(typing: Any, r: Any, field: Any, amount: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, kind = _place(context, builder, signature, args)
        summand = context.cast(builder, args[2], signature.args[2], kind)
        if kind == types.float64:
            builder.call(real_adder(builder.module), [place, summand])
        else:
            builder.atomic_rmw("fadd" if isinstance(kind, types.Float) else "add", place, summand, "monotonic")
        return context.get_dummy_value()

    return types.void(r, field, amount), generate


@intrinsic(prefer_literal=True)
def _take(typing: Any, r: Any, field: Any, amount: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, kind = _place(context, builder, signature, args)
        before = builder.atomic_rmw("add", place, context.cast(builder, args[2], types.int64, kind), "monotonic")
        return context.cast(builder, before, kind, types.int64)

    return types.int64(r, field, types.int64), generate


@intrinsic(prefer_literal=True)
def _replace(typing: Any, r: Any, field: Any, old: Any, new: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, kind = _place(context, builder, signature, args)
        before, after = (context.cast(builder, args[i], types.int64, kind) for i in (2, 3))
        return builder.extract_value(builder.cmpxchg(place, before, after, "acquire", "monotonic"), 1)

    return types.boolean(r, field, types.int64, types.int64), generate


def _both_replaced(order: str) -> Any:
    """An intrinsic that replaces an edge's first two fields, 64 bits in all."""

    def packed(builder: Any, child: Any, value: Any) -> Any:
        word, half = ir.IntType(64), ir.IntType(32)
        low = builder.and_(child, ir.Constant(word, 0xFFFFFFFF))
        high = builder.zext(builder.bitcast(builder.fptrunc(value, ir.FloatType()), half), word)
        return builder.or_(low, builder.shl(high, ir.Constant(word, 32)))

    def define(typing: Any, x: Any, child: Any, value: Any, new_child: Any, new_value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.bitcast(args[0], ir.IntType(64).as_pointer())
            before, after = packed(builder, args[1], args[2]), packed(builder, args[3], args[4])
            return builder.extract_value(builder.cmpxchg(place, before, after, order, "monotonic"), 1)

        if (x.offset("child"), x.offset("value")) != (0, 4):
            raise TypeError("an edge begins with child and value")
        return types.boolean(x, types.int64, types.float64, types.int64, types.float64), generate

    return intrinsic(define)


_replace_leaf, _publish = _both_replaced("monotonic"), _both_replaced("release")


@intrinsic(prefer_literal=True)
def _release(typing: Any, r: Any, field: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, kind = _place(context, builder, signature, args)
        builder.store_atomic(ir.Constant(context.get_value_type(kind), 0), place, "release", kind.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(r, field), generate


@intrinsic(prefer_literal=True)
def _load(typing: Any, r: Any, field: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, kind = _place(context, builder, signature, args)
        return context.cast(builder, builder.load_atomic(place, "acquire", kind.bitwidth // 8), kind, types.int64)

    return types.int64(r, field), generate


@intrinsic(prefer_literal=True)
def _store(typing: Any, r: Any, field: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, kind = _place(context, builder, signature, args)
        builder.store_atomic(context.cast(builder, args[2], types.int64, kind), place, "release", kind.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(r, field, types.int64), generate


def _bettered(is_better: str) -> Any:
    """An intrinsic that replaces a number of an array field where the new one `is_better`: read, compared and set again until nobody came between."""

    def define(typing: Any, r: Any, field: Any, place: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = r.typeof(field.literal_value).dtype
            number, word = context.get_value_type(kind), ir.IntType(kind.bitwidth)
            start = builder.bitcast(args[0], ir.IntType(8).as_pointer())
            start = builder.gep(start, [ir.Constant(ir.IntType(64), r.offset(field.literal_value))])
            at = builder.gep(builder.bitcast(start, word.as_pointer()), [args[2]])
            new = context.cast(builder, args[3], types.float64, kind)
            look, write, end = (builder.append_basic_block(name) for name in ("look", "write", "end"))
            builder.branch(look)
            builder.position_at_end(look)
            old = builder.load_atomic(at, "monotonic", kind.bitwidth // 8)
            better = builder.fcmp_ordered(is_better, new, builder.bitcast(old, number))
            builder.cbranch(better, write, end)
            builder.position_at_end(write)
            swapped = builder.cmpxchg(at, old, builder.bitcast(new, word), "release", "monotonic")
            builder.cbranch(builder.extract_value(swapped, 1), end, look)
            builder.position_at_end(end)
            found = builder.phi(ir.IntType(1))
            found.add_incoming(ir.Constant(ir.IntType(1), 0), look)
            found.add_incoming(ir.Constant(ir.IntType(1), 1), write)
            return found

        return types.boolean(r, field, types.int64, types.float64), generate

    return intrinsic(prefer_literal=True)(define)


_raise_to, _lower_to = _bettered(">"), _bettered("<")


@overload(records_at, target="generic")
def _overloaded_records_at(address, kind, unit, size):
    return lambda address, kind, unit, size: record_at(address, kind)


@overload(cell, target="generic")
def _overloaded_cell(records, index, unit):
    return (lambda records, index, unit: _cell(records, index, unit)) if isinstance(records, types.Record) else None


@overload(clear, target="generic")
def _overloaded_clear(records, index, unit):
    return lambda records, index, unit: _clear(_cell(records, index, unit))


@overload(swap, target="generic")
def _overloaded_swap(records, a, b, unit):
    return lambda records, a, b, unit: _swap(_cell(records, a, unit), _cell(records, b, unit))


@overload(add, prefer_literal=True, target="generic")
def _overloaded_add(r, field, amount):
    return lambda r, field, amount: _add(r, field, amount)


@overload(take, prefer_literal=True, target="generic")
def _overloaded_take(r, field, amount):
    return lambda r, field, amount: _take(r, field, amount)


@overload(replace, prefer_literal=True, target="generic")
def _overloaded_replace(r, field, old, new):
    return lambda r, field, old, new: _replace(r, field, old, new)


@overload(replace_leaf, target="generic")
def _overloaded_replace_leaf(x, child, value, new_child, new_value):
    return lambda x, child, value, new_child, new_value: _replace_leaf(x, child, value, new_child, new_value)


@overload(publish, target="generic")
def _overloaded_publish(x, child, value, new_child, new_value):
    return lambda x, child, value, new_child, new_value: _publish(x, child, value, new_child, new_value)


@overload(release, prefer_literal=True, target="generic")
def _overloaded_release(r, field):
    return lambda r, field: _release(r, field)


@overload(load, prefer_literal=True, target="generic")
def _overloaded_load(r, field):
    return lambda r, field: _load(r, field)


@overload(store, prefer_literal=True, target="generic")
def _overloaded_store(r, field, value):
    return lambda r, field, value: _store(r, field, value)


@overload(raise_to, prefer_literal=True, target="generic")
def _overloaded_raise_to(r, field, place, value):
    return lambda r, field, place, value: _raise_to(r, field, place, value)


@overload(lower_to, prefer_literal=True, target="generic")
def _overloaded_lower_to(r, field, place, value):
    return lambda r, field, place, value: _lower_to(r, field, place, value)
