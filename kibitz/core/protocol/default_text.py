"""Text for games that define none, and the reading of move lists."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from kibitz.core.errors import InputError


def show(s: Any) -> str:
    """Every field of the record: `turn=0 heaps=[3, 4, 5]`."""
    return " ".join(f"{name}={json.dumps(np.asarray(s[name]).tolist()).replace(', ', ',')}" for name in s.dtype.names)


def read(text: str, s: Any) -> None:
    """The reverse of `show`."""
    given: dict[str, Any] = {}
    for part in text.split():
        name, value = named_value(part) or ("", "")
        if name not in s.dtype.names:
            raise InputError(f"'{part}' is not FIELD=VALUE; the fields are {', '.join(s.dtype.names)}")
        try:
            given[name] = json.loads(value)
        except ValueError:
            raise InputError(f"'{part}': the value must be a number, true, false or a list such as [1,2]") from None
    missing = [n for n in s.dtype.names if n not in given]
    if missing:
        raise InputError(f"the field {missing[0]} is missing; write {missing[0]}=VALUE")
    for name, value in given.items():
        try:
            s[name] = value
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"'{name}={value}' does not fit the field {name}") from None


def name(s: Any, move: int) -> str:
    """Moves by their numbers."""
    return str(int(move))


def spellings(s: Any, move: int, written: str) -> tuple[str, ...]:
    """No other way to write a move than its name."""
    return ()


def draw(s: Any) -> str:
    """No picture."""
    return ""


def cells(s: Any, move: int) -> tuple[str, ...]:
    """Not said: whoever wants to know looks for them in the move's name."""
    return ()


def board(letters: str, rows: Iterable[Iterable[str]]) -> list[str]:
    """Lines of a board: a letter above each column, a number before each row; for games that show themselves so."""
    listed = [" ".join(row) for row in rows]
    width = len(str(len(listed)))
    return [f"{'':{width}} {' '.join(letters)}", *(f"{number:>{width}} {row}" for number, row in enumerate(listed, 1))]


def announce(percept: int, observer: int) -> str:
    """Percepts by their numbers."""
    return str(int(percept))


def show_to(s: Any, observer: int) -> str:
    """Nothing is shown; what was heard must do."""
    return ""


def draw_to(s: Any, observer: int) -> str:
    """No picture."""
    return ""


def of_parameter(value: Any) -> str:
    """A parameter's value as the command line takes it."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def named_value(text: str) -> tuple[str, str] | None:
    """The parts of `NAME=VALUE`, without blanks around them; None where it is something else."""
    name, equals, value = text.partition("=")
    return (name.strip(), value.strip()) if equals and name.strip() else None


def named_values(texts: Iterable[str], option: str, example: str) -> dict[str, str]:
    """Every `NAME=VALUE` that was given with an option."""
    given = {}
    for text in texts:
        parts = named_value(text)
        if parts is None:
            raise InputError(f"{option} {text}: write NAME=VALUE, such as {option} {example}")
        given[parts[0]] = parts[1]
    return given
