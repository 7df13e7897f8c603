"""Memory made ready ahead of time.

The system gives a process memory page by page, when it is first written to, and clears each page; a virtual machine may have to find it first. Fresh tables of a
search that visits millions of positions a second stand still for that, a tenth of a second for 64 MB. Here a thread writes to the pages while the search works.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

PAGE = 4096
CHUNK = 8 << 20  # bytes written to between two looks whether that is enough


class Ahead:
    """Zeroed memory that becomes ready from its beginning on, until somebody takes it."""

    def __init__(self, size: int) -> None:
        self._memory: Any = np.zeros(size, np.uint8)
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._write, name="memory ahead", daemon=True)
        self._thread.start()

    def _write(self) -> None:
        for begin in range(0, len(self._memory), CHUNK):
            if self._enough.is_set():
                return
            self._memory[begin : begin + CHUNK : PAGE] = 0  # without the interpreter's lock

    def take(self, size: int) -> Any:
        """The first `size` bytes, ready or not; the rest is given back. None where there are fewer. To be called once."""
        self._enough.set()
        self._thread.join()
        memory, self._memory = self._memory, None
        if size > len(memory):
            return None
        memory.resize(size, refcheck=False)  # in place: the thread's windows are gone
        return memory
