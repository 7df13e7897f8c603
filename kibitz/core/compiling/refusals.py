"""What a rule may not do, checked before compilation: errors in one line, with the place and what to write instead."""

from __future__ import annotations

import dis
import inspect
import random
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from kibitz.core.errors import RulesError

DRAWS = ("random", "numpy.random")  # modules whose numbers nobody can search
CHANCE_ADVICE = "chance belongs to the game: let player return CHANCE, and list what may happen in outcomes(s, out, weights)"

WITH = "has a with statement; rules compute with numbers and records only"
UNCOMPILED = {
    "STORE_GLOBAL": "changes the global '{}'; a position is all that a rule may change: make it a field of State",
    "DELETE_GLOBAL": "changes the global '{}'; a position is all that a rule may change: make it a field of State",
    "IMPORT_NAME": "imports {}; import it at the top of the file",
    "UNPACK_EX": "unpacks with a star, which makes a list; give every part a name, or use a slice of an array",
    "LOAD_BUILD_CLASS": "defines a class; keep what it holds in fields of State",
    "BEFORE_WITH": WITH,
    "LOAD_SPECIAL": WITH,  # since Python 3.14
    "DELETE_FAST": "has a del statement; leave it out",
}
KINDS = (
    (inspect.CO_GENERATOR, "yields; write the moves to out[0], out[1], ... and return how many there are"),
    (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR, "is async; write a plain function"),
)


def refuse(function: FunctionType, compiled: bool) -> None:
    """Raise a RulesError for what no rule may be, and, where it is to be compiled, for what the compiler does not know."""
    code = function.__code__
    for flag, words in KINDS:
        if code.co_flags & flag:
            _refuse(code, code.co_firstlineno, function.__name__, words)
    if not compiled:
        return
    if code.co_flags & inspect.CO_VARKEYWORDS:
        _refuse(code, code.co_firstlineno, function.__name__, "takes **arguments; name each of them")
    for instruction in dis.get_instructions(code):
        if instruction.opname in UNCOMPILED:
            line = (instruction.positions.lineno if instruction.positions else None) or code.co_firstlineno
            _refuse(code, line, function.__name__, UNCOMPILED[instruction.opname].format(instruction.argval))
        if isinstance(instruction.argval, CodeType) and instruction.argval.co_name == "<genexpr>":
            _refuse(code, instruction.argval.co_firstlineno, function.__name__, "has a generator expression; write a loop")


def _refuse(code: CodeType, line: int, name: str, words: str) -> None:
    raise RulesError(f"{Path(code.co_filename).name}:{line}: {name} {words}")


def draws(value: Any) -> bool:
    """Is this Python's or NumPy's generator of random numbers, or one of their functions?"""
    if isinstance(value, ModuleType):
        return value.__name__ in DRAWS
    owner = getattr(value, "__self__", value)
    return isinstance(owner, random.Random | np.random.Generator | np.random.RandomState) or getattr(value, "__module__", None) in DRAWS
