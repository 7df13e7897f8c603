"""A limit on how long a case may take: in processor time, so that a loaded machine is no fault.

When it is reached the search is interrupted as by Ctrl-C, which it must heed; one that does not is given up when as much time has passed again. Code that never looks
(a compiled loop without an end) cannot be ended from within: then the whole process says which case it was, and ends.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

INTERPRETED, COMPILED = 60.0, 240.0  # seconds of processor time; compiling is in it
PATIENCE = 30  # the process ends after this many times as long on the clock


class TookTooLong(KeyboardInterrupt):
    """Heeded by searches as Ctrl-C is."""


class Alarm:
    """Has it rung?"""

    rang = False

    def ring(self, _signal: int, _frame: FrameType | None) -> None:
        self.rang = True
        raise TookTooLong


@contextmanager
def limited(seconds: float, told: Any) -> Iterator[Alarm]:
    """What runs inside is interrupted after this many seconds of processor time, and again after as many more; `told` says what it is."""
    alarm = Alarm()
    if threading.current_thread() is not threading.main_thread():  # signals go to the main thread alone
        yield alarm
        return
    before = signal.signal(signal.SIGPROF, alarm.ring)
    watchdog = threading.Timer(PATIENCE * seconds, give_up, (told,))
    watchdog.daemon = True
    watchdog.start()
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    try:
        yield alarm
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
        watchdog.cancel()


def give_up(told: Any) -> None:
    """Nothing else ends a compiled loop."""
    print(f"FOUND: it never ends\n{told}", file=sys.stderr, flush=True)
    os._exit(3)
