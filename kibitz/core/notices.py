"""What is being compiled, told to whoever shows it: the command line's spinner, or a plain line in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str | None], None]  # called with what is being compiled, then with None when it is done


def terminal_listener(what: str | None) -> None:
    """A line that disappears again, in a terminal; nothing elsewhere."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K" if what is None else f"\rcompiling {what} (first time only) ...")
        sys.stderr.flush()


_listener: Listener = terminal_listener
_current: list[str] = []  # labels of the bound functions being prepared, outermost first
_announced = False


def listen(listener: Listener) -> Listener:
    """Send notices to `listener` from now on; the one they were sent to before."""
    global _listener
    before, _listener = _listener, listener
    return before


@contextmanager
def preparing(label: str) -> Iterator[None]:
    """While a bound function is fetched from the cache, or, if the cache says so, compiled."""
    global _announced
    _current.append(label)
    try:
        yield
    finally:
        _current.pop()
        if _announced and not _current:
            _announced = False
            _listener(None)


def cache_missed() -> None:
    """Called by the cache: what is being prepared must be compiled."""
    global _announced
    if _current and not _announced:
        _announced = True
        _listener(_current[0])
