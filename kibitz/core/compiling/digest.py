"""What a function depends on: the names it uses, and a digest of their meaning.

Two functions with the same digest compile to the same machine code. The digest covers byte code, constants, and the value of every
global the code reaches; comments, docstrings, line numbers and names that are never used do not count.
"""

from __future__ import annotations

import dis
import hashlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from kibitz.core.errors import RulesError

HAS_DOCSTRING = 0x4000000  # a flag of functions since Python 3.14
FOREIGN = ("numpy", "numba", "math", "builtins", "operator", "cmath")  # packages Numba itself knows


@dataclass(frozen=True)
class Use:
    """One place where code reads a global: `np.uint64` is ("np", "uint64")."""

    path: tuple[str, ...]
    file: str
    line: int


def uses(code: CodeType) -> Iterator[Use]:
    """Every global that the code reads, with the attributes taken from it, functions inside functions included."""
    line = code.co_firstlineno
    seen = []
    for instruction in dis.get_instructions(code):
        line = (instruction.positions.lineno if instruction.positions else None) or line
        seen.append((instruction.opname, instruction.argval, line))
    yield from (Use(path, code.co_filename, where) for path, where in paths_read(seen))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from uses(constant)


def paths_read(instructions: Iterable[tuple[str, Any, int]]) -> Iterator[tuple[tuple[str, ...], int]]:
    """The globals that a function's byte code reads, each with its line: instructions are name, argument and line, as `dis` gives them.

    Python's versions differ in how they call methods (LOAD_METHOD until 3.11, LOAD_ATTR since, with a PUSH_NULL behind it since 3.13), in whether a list
    comprehension is a function of its own (until 3.11), and in instructions for constants and variables, of which nothing depends.
    """
    path: list[str] = []
    line = 0
    for name, argument, where in instructions:
        if name == "EXTENDED_ARG":
            continue
        if path and name in ("LOAD_ATTR", "LOAD_METHOD"):
            path.append(argument)
            continue
        if path:
            yield tuple(path), line
            path = []
        if name in ("LOAD_GLOBAL", "LOAD_NAME"):
            path, line = [argument], where
    if path:
        yield tuple(path), line


def is_foreign(value: Any) -> bool:
    """Numba knows this function, type or module by itself."""
    package = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or ""
    return package.split(".")[0] in FOREIGN


def is_twin(value: Any) -> bool:
    """A function of kibitz that has a compiled form of its own (see `bits.twin`)."""
    return getattr(value, "__kibitz_twin__", False) is True


def of_code(function: FunctionType) -> bytes:
    """The function's own code, without what it reaches."""
    return _code(function.__code__, function.__doc__) + of_value(function.__defaults__, function.__name__)


def of_value(value: Any, name: str) -> bytes:
    """The meaning of a constant; refuses what compiled code cannot hold."""
    kind = type(value).__qualname__
    if value is None or isinstance(value, bool | int | float | str):
        return f"{kind}:{value!r};".encode()
    if isinstance(value, tuple):
        return b"(" + b"".join(of_value(item, name) for item in value) + b")"
    if isinstance(value, np.dtype):
        return f"dtype:{value}:{value.itemsize};".encode()
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.hasobject:
            raise RulesError(f"'{name}' is an array of Python objects; give it a number type such as dtype=np.int64")
        return f"{kind}:{value.dtype}:{value.shape}:".encode() + hashlib.sha256(value.tobytes()).digest()
    if is_twin(value):
        return f"twin:{value.__module__}.{value.__qualname__}:{_source(value.__module__)};".encode()
    if is_foreign(value) or isinstance(value, type):
        return (
            f"name:{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', getattr(value, '__name__', repr(value)))};".encode()
        )
    if callable(value):
        raise RulesError(f"'{name}' cannot be called in a rule; rules compute with numbers, records and NumPy arrays")
    raise RulesError(f"'{name}' is a {kind}; compiled code can read numbers, strings, tuples and NumPy arrays: write a tuple or an array")


def _code(code: CodeType, docstring: str | None = None) -> bytes:
    flags = code.co_flags & ~HAS_DOCSTRING
    parts = [code.co_code, repr((code.co_names, code.co_varnames, code.co_freevars, flags)).encode()]
    for position, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            parts.append(_code(constant))
        elif position > 0 or constant != docstring:
            parts.append(repr(constant).encode())
    return b"|".join(parts)


@cache
def _source(module: str) -> str:
    """A twin's compiled form is whatever its module says."""
    file = getattr(sys.modules[module], "__file__", None)
    return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else module
