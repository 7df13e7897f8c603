"""Several threads, one table: each searches the whole tree, but defers moves that another thread is searching.

All threads run the same search of the same depth. What one finds the others read from the table. So that they do not find the same things at the
same time, a move that another thread is searching is deferred: it is tried after the others, when its value is probably in the table (ABDADA, Weill
1996, in a form that needs no counters in the table). The first move of a node is never deferred: it sets the bound for the rest.

Busy marks live in hashed slots after the last table entry. A mark may be overwritten or come too late: then a move is searched twice, or deferred
needlessly, and no value changes. Values are those of a search with one thread, exact to their depth; nodes and, among
equals, moves differ from run to run.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import Bound
from kibitz.core.errors import InputError
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.records.hashing import mix

OPTION = Parameter("threads", 1, 1, 256, None, "threads that share one table; with more than one, node counts are not reproducible")
NOTES = 4096  # entries behind the table's own
WORTH = 3  # plies: what is less deep is searched sooner than asked about

# --- kernels ---


def put_off(w: Any, table: Any, key: np.uint64, ply: int, i: int, n: int, fresh: int, depth: int) -> int:
    """Exchange the move at place i for later ones until nobody else searches it; each move gives way once.

    The moves from `fresh` on have given way already; returns where they begin now.
    """
    moves = w.lists[ply]
    while i > 0 and i < fresh and depth >= WORTH:
        if table[place(table, key, moves[i])].check != note(key, moves[i]):
            break
        move = moves[i]
        for j in range(i, n - 1):
            moves[j] = moves[j + 1]
        moves[n - 1] = move
        fresh -= 1
    return fresh


def begin(table: Any, key: np.uint64, move: int, depth: int) -> None:
    """This thread searches the move."""
    if depth >= WORTH:
        table[place(table, key, move)].check = note(key, move)


def end(table: Any, key: np.uint64, move: int, depth: int) -> None:
    """It is done."""
    if depth >= WORTH:
        e = table[place(table, key, move)]
        if e.check == note(key, move):
            e.check = np.uint64(0)


def note(key: np.uint64, move: int) -> np.uint64:
    return mix(key ^ (np.uint64(move) * np.uint64(0x9E3779B97F4A7C15)))


def place(table: Any, key: np.uint64, move: int) -> int:
    return table.shape[0] - NOTES + np.int64(note(key, move) % np.uint64(NOTES))


# --- shell ---


def check(threads: int, table: float) -> None:
    """Refuse threads that have nothing to share."""
    if threads > 1 and not table:
        raise InputError(f"threads={threads}: threads work together through the table; leave table=0 out, or set threads=1")


class Mates:
    """The workspaces of the other threads, which help the one whose answer counts."""

    def __init__(self, w: Any, others: int) -> None:
        self.workspaces = [np.repeat(np.array([w], w.dtype), 1)[0] for _ in range(others)]

    @property
    def nodes(self) -> int:
        """Positions they have visited."""
        return sum(int(mate.control.nodes) for mate in self.workspaces)

    @property
    def leaves(self) -> int:
        return sum(int(mate.leaves) for mate in self.workspaces)

    @contextmanager
    def helping(self, kernel: Bound, w: Any, *arguments: Any) -> Iterator[None]:
        """They search the same while the block runs, and stop with it."""
        running: list[threading.Thread] = []
        failures: list[BaseException] = []

        def help_with(mate: Any) -> None:
            try:
                kernel(mate, *arguments)
            except BaseException as error:
                failures.append(error)

        for mate in self.workspaces:
            mate.table_shift, mate.age, mate.control.limit = w.table_shift, w.age, w.control.limit
            running.append(threading.Thread(target=help_with, args=(mate,), daemon=True))
            running[-1].start()
        try:
            yield
        finally:
            for mate in self.workspaces:
                mate.control.limit = 0
            for thread in running:
                thread.join()
        if failures:
            raise failures[0]
