"""Running a kernel so that it can be watched and stopped.

The kernel runs in a thread of its own without the interpreter's lock. Its workspace holds a `Control` record: the kernel counts nodes and stops
when they reach the limit; Python reads the count while the kernel runs, and sets the limit to zero on a time limit or Ctrl-C. One comparison
per node serves every kind of limit. A `Stop` does the same from another thread: for protocols, where the wish to end a search comes as a line.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import Bound
from kibitz.core.errors import RulesError
from kibitz.core.records.record import record

Control = record(nodes=np.int64, limit=np.int64)  # a kernel stops when nodes >= limit; both only change so that this stays true
NO_LIMIT = 1 << 62

LOOK = 0.05  # seconds between two looks at the clock when nothing else is due
QUICK_LOOK = 0.005  # the same where somebody may change the time at which to end
PATIENCE = 10.0  # seconds, of the clock and of the processor, that a kernel may take for one node when it is to end


def deadline(seconds: float | None) -> float:
    """The time that lies `seconds` from now, by `time.perf_counter`, as every deadline here; infinite without a limit."""
    return math.inf if seconds is None else time.perf_counter() + seconds


def why_to_end(interrupted: bool, until: float, **reached: bool) -> str:
    """The reason to end a search: Ctrl-C or a `Stop`, the first of the limits that is reached, the time `until`; "" if there is none."""
    if interrupted:
        return "interrupted"
    return next((name for name, is_reached in reached.items() if is_reached), "time" if time.perf_counter() >= until else "")


@dataclass(frozen=True)
class Run:
    """How a kernel ended."""

    result: Any
    seconds: float
    interrupted: bool  # by Ctrl-C or a `Stop`; the result is what there was


class Stop:
    """The wish of another thread that searches end: at once (`ask`), or at a time of `time.perf_counter` (`deadline`), which may be changed.

    Searches heed it that run inside `with heeding(stop):`, in the thread that says so.
    """

    def __init__(self) -> None:
        self.deadline = math.inf
        self.asked = threading.Event()
        self.control: Any = None  # of the kernel that runs now

    def ask(self) -> None:
        self.asked.set()
        if (control := self.control) is not None:
            control.limit = 0

    @property
    def due(self) -> bool:
        return self.asked.is_set() or time.perf_counter() >= self.deadline


_heeded: ContextVar[Stop | None] = ContextVar("kibitz stop", default=None)


def heeded() -> Stop | None:
    """Whose wish a search in this thread heeds: for one that runs outside kernels, and asks now and then."""
    return _heeded.get()


@contextmanager
def heeding(stop: Stop) -> Iterator[None]:
    """Kernels supervised inside end when `stop` says so."""
    token = _heeded.set(stop)
    try:
        yield
    finally:
        _heeded.reset(token)


class Stuck:
    """Since when has a kernel that is to end not come to another node?"""

    def __init__(self, control: Any) -> None:
        self.control, self.nodes, self.since = control, -1, (0.0, 0.0)

    @property
    def for_good(self) -> bool:
        now = time.perf_counter(), time.process_time()
        if self.control.nodes != self.nodes:
            self.nodes, self.since = int(self.control.nodes), now
        return all(then + PATIENCE < here for then, here in zip(self.since, now, strict=True))


def supervise(
    kernel: Bound, *arguments: Any, control: Any, seconds: float | None = None, watch: Callable[[float], None] | None = None
) -> Run:
    """Call `kernel(*arguments)` in a thread. `watch` is called with the time passed about every LOOK seconds.

    The first Ctrl-C stops the kernel and waits for the kernel's answer; a second one gives up on it. A kernel that is to end and comes to no other node is stuck in a rule:
    nothing can end it, so it is left alone, and the rule is blamed.
    """
    kernel.prepare(*arguments)  # here, so that Ctrl-C stops a compilation like any other Python code
    answer: list[Any] = []
    failure: list[BaseException] = []
    done = threading.Event()  # not the thread's own state: an interrupted join would call a running thread finished

    def run() -> None:
        try:
            answer.append(kernel(*arguments))
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    began, stop, interrupted, stuck = time.perf_counter(), _heeded.get(), False, Stuck(control)
    if stop is not None:
        stop.control = control
    threading.Thread(target=run, name=kernel.label, daemon=True).start()
    while not done.is_set():
        try:
            now = time.perf_counter()
            passed, due = now - began, stop is not None and stop.due
            late = seconds is not None and passed >= seconds
            if late or due:
                control.limit = 0
            if (late or due or interrupted) and stuck.for_good:
                raise RulesError(
                    f"{kernel.label}: told to end {PATIENCE:g} seconds ago, it is still at the same position: a rule does not return; kibitz check looks for such rules"
                )
            pause = LOOK if stop is None else max(0.0, min(QUICK_LOOK, stop.deadline - now)) if not due else LOOK
            done.wait(pause if seconds is None or late else min(pause, seconds - passed))
            if watch is not None and not done.is_set():
                watch(time.perf_counter() - began)
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            control.limit = 0
    if stop is not None:
        stop.control = None
        interrupted = interrupted or stop.due
    if failure:
        raise failure[0]
    return Run(answer[0], time.perf_counter() - began, interrupted)
