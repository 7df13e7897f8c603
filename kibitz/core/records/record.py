"""Records: fixed-size structures that behave the same compiled and interpreted.

Compiled, a field is a machine integer that widens to 64 bits in arithmetic. A NumPy scalar read from a plain structured array does not:
`int8(100) + 100` wraps. `Record` and `Cells` therefore hand out ordinary Python numbers (uint64 stays NumPy's, because wrapping is
what bitboards and hashes want), so interpreted code computes what the compiled code computes, and storing a number that does not fit
its field is an error instead of a silent wrap.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from kibitz.core.errors import RulesError

WORD = 8  # sizes are rounded up to whole 64-bit words, so that a record can be hashed and compared word by word


SMALL = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32)
AS_PYTHON: dict[type, Any] = {**dict.fromkeys(SMALL, int), np.float32: float, np.float64: float, np.bool_: bool}


def plain(value: Any) -> Any:
    """A field's value as compiled code sees it: numbers are 64 bits wide, arrays stay windows into the record."""
    convert = AS_PYTHON.get(type(value))
    if convert is not None:
        return convert(value)
    return value.view(Cells) if type(value) is np.ndarray else value


class Cells(np.ndarray[Any, Any]):
    """An array whose elements read as plain numbers."""

    def __getitem__(self, index: Any) -> Any:
        return plain(super().__getitem__(index))

    def __iter__(self) -> Iterator[Any]:
        for i in range(len(self)):
            yield self[i]


ATTRIBUTES = frozenset(dir(np.record))


class Record(np.record):  # type: ignore[misc]
    """One element of an array of records; fields are attributes and read as plain numbers.

    Fields are looked up before attributes: `record` lets no field bear the name of an attribute, and rules read little else.
    """

    def __getattribute__(self, name: str) -> Any:
        if name in ATTRIBUTES:  # which the compiler asks for at every call: by the short way
            return np.void.__getattribute__(self, name)
        try:
            value = np.void.__getitem__(self, name)
        except ValueError:
            return super().__getattribute__(name)
        return plain(value)

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            np.void.__setitem__(self, name, value)
        except ValueError as error:
            if "no field" not in str(error):
                raise
            raise AttributeError(f"the record has no field '{name}'; its fields are {', '.join(self.dtype.names or ())}") from None


def record(**fields: Any) -> np.dtype[Any]:
    """An aligned record type: `record(me=np.uint64, board=(np.int8, 32), turn=np.int8)`.

    A field is a NumPy scalar type, another record, or a pair (type, shape) for a nested array.
    """
    if not fields:
        raise RulesError("record() needs at least one field: write record(turn=np.int8)")
    for name in fields:
        if hasattr(np.record, name):
            raise RulesError(
                f"record(): a field cannot be called '{name}': NumPy records have an attribute of that name; call it '{name}_'"
            )
    spec = [(name, *kind) if isinstance(kind, tuple) else (name, kind) for name, kind in fields.items()]
    try:
        layout = np.dtype(spec, align=True)
    except TypeError as error:
        raise RulesError(f"record(): {error}; a field is a NumPy type, a record or (type, shape)") from None
    if layout.hasobject:
        raise RulesError("record(): fields must be numbers, not Python objects")
    for name in fields:
        if layout.fields[name][0].subdtype is not None and layout.fields[name][0].base == np.bool_:  # type: ignore[index]
            raise RulesError(f"record(): '{name}' is an array of np.bool_, which compiled code cannot hold; write np.int8, with 1 and 0")
    names, kinds = list(fields), [layout.fields[name][0] for name in fields]  # type: ignore[index]
    offsets, end = [], 0
    for kind in kinds:
        offsets.append(_up(end, _alignment(kind)))
        end = offsets[-1] + kind.itemsize
    described = {"names": names, "formats": kinds, "offsets": offsets, "itemsize": _up(end, WORD)}
    return np.dtype((Record, np.dtype(described, align=True)))  # type: ignore[call-overload]


def _alignment(kind: np.dtype[Any]) -> int:
    """What a field's place must be a multiple of. NumPy forgets it for records with a type of their own."""
    if kind.base.fields:
        return max(_alignment(inner) for inner, *_ in kind.base.fields.values())
    return kind.base.alignment


def _up(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple


def blank(kind: np.dtype[Any]) -> Any:
    """A new record with every byte zero."""
    return np.zeros(1, kind)[0]
