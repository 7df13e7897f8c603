"""Reports what is being compiled, to the command line's spinner or as a plain line in a terminal.

Also warns, once per process, if compiled code cannot be cached and must be compiled again each time.
"""

from __future__ import annotations

import multiprocessing
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Warner = Callable[[str], None]
Listener = Callable[[str | None], None]  # called with what is being compiled, then with None when it is done


def terminal_listener(what: str | None) -> None:
    """A line that disappears again, in a terminal; nothing elsewhere."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K" if what is None else f"\rcompiling {what}{how_often()} ...")
        sys.stderr.flush()


def raise_warning(text: str) -> None:
    """A warning of Python's, for programs that use kibitz as a library; none in the processes that work for another one, which gives it already."""
    if multiprocessing.parent_process() is None:
        warnings.warn(text, RuntimeWarning, stacklevel=2)


_listener: Listener = terminal_listener
_warner: Warner = raise_warning
_warned: set[str] = set()  # folders
_current: list[str] = []  # labels of the bound functions being prepared, outermost first
_announced = False


def listen(listener: Listener) -> Listener:
    """Send notices to `listener` from now on; the one they were sent to before."""
    global _listener
    before, _listener = _listener, listener
    return before


def warn_with(warner: Warner) -> None:
    """Send warnings to `warner` from now on."""
    global _warner
    _warner = warner


def cannot_keep(folder: str, reason: str) -> None:
    """Called by the cache: nothing can be written there."""
    if folder not in _warned:
        _warned.add(folder)
        _warner(
            f"compiled code cannot be kept in {folder} ({reason}), so it is made anew every time; set KIBITZ_CACHE to a folder that can be written"
        )


def how_often() -> str:
    """What to add where a compilation is told of: that it is done once, if that is so."""
    return "" if _warned else " (first time only)"


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
