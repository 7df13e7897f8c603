"""A page cannot name files: anything in its text that would make a game open a file, such as the path of a .json file as a tree, is refused.

Python reports every file that is opened; inside `closed`, only kibitz's own files, Python's and those of games named on the command line may be opened.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from kibitz.core.errors import InputError

INSTALLED = ("site-packages", "dist-packages")  # packages may lie elsewhere than Python: those of one user, or of another environment
PACKAGES: list[Path | str] = [place for place in sys.path if Path(place).name in INSTALLED]
OURS = tuple(str(Path(place).resolve()) for place in [Path(__file__).parents[1], sys.prefix, sys.base_prefix, *PACKAGES])

_open_places: ContextVar[tuple[str, ...] | None] = ContextVar("kibitz web places", default=None)
_listening: list[bool] = []


@contextmanager
def closed(*places: Path) -> Iterator[None]:
    """Inside, in this thread, no file is opened but ours and those below `places`."""
    if not _listening:
        _listening.append(True)
        sys.addaudithook(_look)
    token = _open_places.set((*OURS, *(str(place.resolve()) for place in places)))
    try:
        yield
    finally:
        _open_places.reset(token)


def _look(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open" or (places := _open_places.get()) is None:
        return
    opened = arguments[0]
    if isinstance(opened, bytes):
        opened = opened.decode(errors="replace")
    if not isinstance(opened, str):  # something that is open already
        return
    token = _open_places.set(None)
    try:
        path = Path(opened).resolve()
    finally:
        _open_places.reset(token)
    if not any(path.is_relative_to(place) for place in places):
        raise InputError("the page cannot name files; start `kibitz serve` with the file of a game, or write out what is in it")
