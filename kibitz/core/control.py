"""Running a kernel so that it can be watched and stopped.

The kernel runs in a thread of its own without the interpreter's lock. Its workspace holds a `Control` record: the kernel counts nodes and stops
when they reach the limit; Python reads the count while the kernel runs, and sets the limit to zero on a time limit or Ctrl-C. One comparison
per node serves every kind of limit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.compile import Bound
from kibitz.core.record import record

Control = record(nodes=np.int64, limit=np.int64)  # a kernel stops when nodes >= limit; both only change so that this stays true
NO_LIMIT = 1 << 62

LOOK = 0.05  # seconds between two looks at the clock when nothing else is due


@dataclass(frozen=True)
class Run:
    """How a kernel ended."""

    result: Any
    seconds: float
    interrupted: bool  # by Ctrl-C; the result is what there was


def supervise(
    kernel: Bound, *arguments: Any, control: Any, seconds: float | None = None, watch: Callable[[float], None] | None = None
) -> Run:
    """Call `kernel(*arguments)` in a thread. `watch` is called with the time passed about every LOOK seconds.

    The first Ctrl-C stops the kernel and waits for the kernel's answer; a second one gives up on it.
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

    began = time.perf_counter()
    threading.Thread(target=run, name=kernel.label, daemon=True).start()
    interrupted = False
    while not done.is_set():
        try:
            passed = time.perf_counter() - began
            if seconds is not None and passed >= seconds:
                control.limit = 0
            done.wait(LOOK if seconds is None or passed >= seconds else min(LOOK, seconds - passed))
            if watch is not None and not done.is_set():
                watch(time.perf_counter() - began)
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            control.limit = 0
    if failure:
        raise failure[0]
    return Run(answer[0], time.perf_counter() - began, interrupted)
