"""Calls to interpreted rules: any error in a rule becomes a `RuleFault` with the rule's name and the place."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from kibitz.core.errors import KibitzError, RuleFault
from kibitz.core.protocol.rules import OPTIONAL, REQUIRED

SILENT = {"start", "play", "features", "policy", "canonical", "inputs", "redeal", "blur", "untried"}  # rules that return nothing
ANSWERING = {*REQUIRED, *OPTIONAL} - SILENT
NUMBERS = (int, float, np.number, np.bool_)

CORE = Path(__file__).parent.parent
ABOVE = (str(CORE.parent / "searches"), str(CORE.parent / "tables"), str(CORE.parent / "evaluators"))
FOREIGN = (str(CORE), *ABOVE, str(Path(np.__file__).parent))  # where no rule is

RETURN = "end every way through it with a return of a number"
ADVICE: tuple[tuple[type[Exception], str], ...] = (
    (IndexError, "write only inside the arrays: is MAX_MOVES, or the size of a field, large enough?"),
    (OverflowError, "give the field a wider type, such as np.int32"),
    (RecursionError, "let a function that calls itself return at some point without doing so"),
)


def asked(rule: Callable[..., Any], name: str, original: FunctionType) -> Callable[..., Any]:
    """`rule`, the interpreted form of `original`, which the protocol calls `name`, under supervision."""
    answers = name in ANSWERING

    @wraps(rule)
    def ask(*arguments: Any) -> Any:
        try:
            answer = rule(*arguments)
        except KibitzError:
            raise
        except Exception as error:
            raise fault(error, name) from error
        if answers and not isinstance(answer, NUMBERS):
            raise empty_answer(original, name, answer)
        return answer

    return ask


def fault(error: Exception, name: str) -> RuleFault:
    """An exception that came out of a rule."""
    place = places(error)[-1:]
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    advice = next((words for kind, words in ADVICE if isinstance(error, kind)), "mend that line")
    return RuleFault(name, " ".join(f"{''.join(f'{file}:{line}: ' for file, line, _ in place)}{said}".split()), advice)


def places(error: BaseException) -> list[tuple[str, int, str]]:
    """File, line and function of the rules that an exception came through, the innermost last."""
    frames: Iterable[traceback.FrameSummary] = traceback.extract_tb(error.__traceback__)
    return [
        (Path(f.filename).name, f.lineno or 0, f.name) for f in frames if f.filename.endswith(".py") and not f.filename.startswith(FOREIGN)
    ]


def empty_answer(rule: FunctionType, name: str, answer: Any) -> RuleFault:
    """A rule that returned no number."""
    place = f"{Path(rule.__code__.co_filename).name}:{rule.__code__.co_firstlineno}"
    if answer is None:
        return RuleFault(name, f"{place}: returned nothing", RETURN)
    return RuleFault(name, f"{place}: returned {answer!r}", "return a number")
