"""Parameters of a game: `HOLES = parameter("holes", 6, low=1, high=12)` at the top of a game's file.

Loading a game with other values runs its file again with those values in place, so every size derived from them follows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from kibitz.core.errors import InputError, RulesError, nearest

Value = TypeVar("Value", bool, int, float, str, tuple[int, ...])
NUMBERS = (int, float, tuple)


@dataclass(frozen=True)
class Parameter:
    """One declared parameter and what it may be."""

    name: str
    default: Any
    low: float | None
    high: float | None
    choices: tuple[Any, ...] | None
    about: str

    @property
    def kind(self) -> str:
        return {bool: "true or false", int: "a whole number", float: "a number", str: "text", tuple: "whole numbers with commas between"}[
            type(self.default)
        ]

    @property
    def range(self) -> str:
        """What it may be, in words."""
        if self.choices:
            return "one of " + ", ".join(str(c) for c in self.choices)
        if self.low is not None and self.high is not None:
            each = ", each" if isinstance(self.default, tuple) else ""
            return f"{self.kind}{each} from {self.low:g} to {self.high:g}"
        return self.kind

    def value(self, given: Any) -> Any:
        """`given` as this parameter's type, checked."""
        try:
            found = self._converted(given)
        except (TypeError, ValueError):
            raise InputError(f"parameter {self.name}={given}: must be {self.range}") from None
        numbers = found if isinstance(found, tuple) else (found,)
        outside = self.low is not None and self.high is not None and any(not self.low <= n <= self.high for n in numbers)
        if outside or (self.choices and found not in self.choices) or numbers == ():
            raise InputError(f"parameter {self.name}={given}: must be {self.range}")
        return found

    def _converted(self, given: Any) -> Any:
        wanted = type(self.default)
        if wanted is str:
            return str(given)
        if wanted is tuple:
            items = given.split(",") if isinstance(given, str) else [given] if isinstance(given, int) else list(given)
            return tuple(int(item) for item in items)
        if wanted is bool:
            words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            if str(given).lower() not in words:
                raise ValueError
            return words[str(given).lower()]
        if isinstance(given, bool) or (wanted is int and isinstance(given, float) and given != int(given)):
            raise ValueError
        return wanted(given)


@dataclass
class Scope:
    """The values given for one loading of a game, and the parameters its file declared."""

    given: Mapping[str, Any]
    file: str  # whose parameters they are, not those of other games that it imports something from
    declared: dict[str, Parameter] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    files: set[Path] = field(default_factory=set)  # that were looked for besides, such as one of weights


_scope: ContextVar[Scope | None] = ContextVar("kibitz parameters", default=None)


@contextmanager
def parameters(given: Mapping[str, Any], game: str, file: str) -> Iterator[Scope]:
    """While a game's file runs; afterwards every value given must have been asked for."""
    scope = Scope(given, file)
    token = _scope.set(scope)
    try:
        yield scope
    finally:
        _scope.reset(token)
    for name in given:
        if name not in scope.declared:
            known = nearest(name, scope.declared, "its parameters") if scope.declared else "it has none"
            raise InputError(f"{game} has no parameter '{name}'; {known}")


def parameter(
    name: str,
    default: Value,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[Any, ...] | None = None,
    about: str = "",
) -> Value:
    """Declare a parameter and read its value. Its type is its default's: bool, int, float, str or a tuple of ints."""
    if type(default) not in (bool, int, float, str, tuple):
        raise RulesError(f"parameter '{name}': the default must be a bool, int, float, str or tuple of ints, not {type(default).__name__}")
    declared = Parameter(name, default, low, high, choices, about)
    scope = _scope.get()
    if scope is None or _file_being_run() != scope.file:
        return default
    scope.declared[name] = declared
    scope.values[name] = declared.value(scope.given[name]) if name in scope.given else default
    return scope.values[name]  # type: ignore[no-any-return]


def note_file(path: Path) -> None:
    """The game that is being loaded depends on this file, or on there being none."""
    if (scope := _scope.get()) is not None:
        scope.files.add(path.absolute())


def _file_being_run() -> str:
    """The innermost file whose own lines are being run, be it that one of them calls a function elsewhere."""
    frame = sys._getframe(2)
    while frame.f_code.co_name != "<module>" and frame.f_back:
        frame = frame.f_back
    return frame.f_code.co_filename
