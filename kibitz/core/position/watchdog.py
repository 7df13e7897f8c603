"""Rules that do not return: an endless loop is stopped and reported with its line.

A thread checks now and then where the interpreted rules are. If one call of a rule has lasted too long, or a whole piece of work has, an exception is raised right there.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

from kibitz.core.errors import RuleFault
from kibitz.core.position.rulebook import Rulebook

PATIENCE = 10.0  # seconds for one call of a rule, interpreted; the slowest that is shipped takes hundredths
LOOKS = 50  # in that time


class TimeIsUp(BaseException):
    """Raised in the midst of what is watched; no rule catches it by accident."""


@contextmanager
def watching(game: Rulebook, seconds: float | None = None) -> Iterator[None]:
    """Watch interpreted rules that run in this thread.

    A RuleFault names a rule whose call lasts too long. TimeIsUp says that all calls together took more than `seconds` of processor time, so that a busy machine
    makes no game a long one.
    """
    codes = {function.__code__: name for name, function in game.functions.items()}
    watch = _Watch(codes, seconds)
    watch.start()
    try:
        yield
    except TimeIsUp:
        if watch.found is None:
            raise
        rule, place = watch.found
        problem = f"{place}: did not return in {PATIENCE:g} seconds"
        raise RuleFault(rule, problem, "look for a loop there that does not end") from None
    finally:
        watch.stop()


def _processor_clock(thread: int) -> Callable[[], float]:
    """The time that a thread has worked so far; where the system does not tell, the time of day."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)


class _Watch(threading.Thread):
    def __init__(self, codes: dict[CodeType, str], seconds: float | None) -> None:
        super().__init__(name="kibitz watch", daemon=True)
        self.codes, self.seconds = codes, seconds
        self.found: tuple[str, str] | None = None  # rule and place that hangs
        self._watched = threading.get_ident()
        self._done = threading.Event()
        self._raising = threading.Lock()

    def stop(self) -> None:
        with self._raising:  # never raised after this
            self._done.set()
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._watched), None)  # nor what is still on its way

    def run(self) -> None:
        worked = _processor_clock(self._watched)
        began, since = worked(), time.monotonic()
        seen: FrameType | None = None
        while not self._done.wait(PATIENCE / LOOKS):
            now = time.monotonic()
            outermost, innermost = self._where()
            if outermost is not seen or outermost is None:
                seen, since = outermost, now
            elif now - since >= PATIENCE and innermost is not None:
                self.found = (self.codes[outermost.f_code], f"{Path(innermost.f_code.co_filename).name}:{innermost.f_lineno}")
                self._end()
                return
            if self.seconds is not None and worked() - began >= self.seconds:
                self._end()
                return

    def _where(self) -> tuple[FrameType | None, FrameType | None]:
        """The call of a rule that is under way, and the innermost line of the rules' own that it is at."""
        frame = sys._current_frames().get(self._watched)
        outermost = innermost = None
        inside: list[FrameType] = []
        while frame is not None:
            inside.append(frame)
            if frame.f_code in self.codes:
                outermost = frame
                innermost = next(f for f in inside if f.f_code.co_filename == frame.f_code.co_filename)
            frame = frame.f_back
        return outermost, innermost

    def _end(self) -> None:
        with self._raising:
            if not self._done.is_set():
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._watched), ctypes.py_object(TimeIsUp))
