"""Errors that a user can fix: one line that says what was wrong and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class KibitzError(Exception):
    """Something the user gave us is wrong. The command line prints the message alone and exits with code 2; a notebook prints it alone, too."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback through our own code."""
        return [f"{type(self).__name__}: {self}"]


class InputError(KibitzError, ValueError):
    """A game name, move, position, parameter or option that is not valid."""


class RulesError(KibitzError, ValueError):
    """The rules of a game break the protocol, or cannot be compiled."""


class RuleFault(RulesError):
    """What one rule of a game did wrong, and what it should do."""

    def __init__(self, function: str, problem: str, advice: str) -> None:
        super().__init__(f"{function}: {problem}; {advice}")
        self.function, self.problem, self.advice = function, problem, advice

    def __reduce__(self) -> tuple[Any, ...]:
        return RuleFault, (self.function, self.problem, self.advice)


def nearest(wanted: str, known: Iterable[str], plural: str) -> str:
    """End a message about an unknown name: what is close to it, or everything there is."""
    names = sorted(known)
    folded = {name.lower(): name for name in names}
    close = get_close_matches(wanted.lower(), folded, n=3, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(folded[name] for name in close)}?"
    return f"{plural}: {', '.join(names)}"
