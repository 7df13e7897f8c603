"""Large arrays, aligned to cache lines, with a one-line error if memory is short."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.errors import InputError

LINE = 64  # bytes of a cache line


def zeros(kind: np.dtype[Any] | type, count: int, told: str, memory: Any = None) -> Any:
    """`count` zeroed records, the first at the start of a cache line; `told` is the error where there is no memory for them.

    Memory that is never written is never touched. `memory` is some that there is already: bytes, a cache line more than the records need.
    """
    size = count * np.dtype(kind).itemsize
    try:
        memory = np.zeros(size + LINE, np.uint8) if memory is None else memory
    except MemoryError:
        raise InputError(told) from None
    skip = -memory.ctypes.data % LINE
    return memory[skip : skip + size].view(kind)
