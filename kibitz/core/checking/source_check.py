"""Checks of rules without playing a game: functions that print. Part of conformance."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from kibitz.core.compiling import digest
from kibitz.core.position.game import Game


def plainly_wrong(game: Game) -> Iterator[tuple[str, str, str]]:
    """Each with the function, what it does, and what would be right."""
    for name, function in game.functions.items():
        if place := _printing(getattr(function, "py_func", function), set()):
            yield name, f"a rule prints ({place})", "take the print out: a search asks the rules millions of times"


def _printing(function: FunctionType, seen: set[FunctionType]) -> str | None:
    """Where the function, or one that it calls, prints."""
    seen.add(function)
    for use in digest.uses(function.__code__):
        value = _meaning(use.path, function.__globals__)
        if value is print:
            return f"{Path(use.file).name}:{use.line}"
        value = getattr(value, "py_func", value)
        if isinstance(value, FunctionType) and value not in seen and not digest.is_foreign(value) and (place := _printing(value, seen)):
            return place
    return None


def _meaning(path: tuple[str, ...], scope: dict[str, Any]) -> Any:
    value: Any = scope.get(path[0], getattr(builtins, path[0], None))
    for attribute in path[1:]:
        if not isinstance(value, ModuleType):
            break
        value = getattr(value, attribute, None)
    return value
