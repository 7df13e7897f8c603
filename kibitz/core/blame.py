"""Numba's complaints, turned into one line with the file, the line and what to do about it."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba.core import ir
from numba.core import types as numba_types
from numba.core.errors import NumbaError

types: Any = numba_types

MIXING = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.floordiv: "//", operator.mod: "%", operator.truediv: "/",
    operator.and_: "&", operator.or_: "|", operator.xor: "^", operator.pow: "**",
    operator.iadd: "+=", operator.isub: "-=", operator.imul: "*=", operator.ifloordiv: "//=", operator.imod: "%=",
    operator.iand: "&=", operator.ior: "|=", operator.ixor: "^=",
}  # fmt: skip

PLACE = re.compile(r'^File "(?P<file>[^"]+)", line (?P<line>\d+)', re.MULTILINE)
UNTYPED = re.compile(r"No implementation of function Function\((?P<function>.+?)\) found for signature:\s+>>> (?P<call>.+)")
LESS = re.compile(r"\x1b\[[0-9;]*m")  # colours in Numba's text


def explain(error: NumbaError) -> str:
    """One line: where the innermost fault is, and Numba's reason for it in few words."""
    text = LESS.sub("", str(error))
    place = PLACE.search(text)  # Numba tells of the innermost place first, then of its callers
    where = f"{Path(place['file']).name}:{place['line']}: " if place else ""
    return f"{where}this cannot be compiled: {_reason(text)}"


def _reason(text: str) -> str:
    if found := UNTYPED.search(text):
        function = re.sub(r"<(?:built-in function|function|class) '?(\w+).*>", r"\1", found["function"])
        call = re.sub(r"Literal\[(\w+)\]\([^)]*\)", r"\1", found["call"]).strip()
        return f"no way to do '{function}' on these types: {call}; use numbers, records and NumPy arrays only"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    useful = [
        line
        for line in lines
        if not line.startswith(("Failed in", "During:", "- During", "File ", "<source", "Enable logging", "This error"))
    ]
    return useful[0] if useful else lines[0]


def mixed_integers(annotation: Any) -> Iterator[str]:
    """Places where compiled code silently leaves uint64: arithmetic with signed numbers, and branches that join as float64."""
    types_of = annotation.typemap
    for block in annotation.blocks.values():
        for statement in block.body:
            if isinstance(statement, ir.Assign) and (fault := _fault(statement, types_of)):
                yield f"{Path(statement.loc.filename).name}:{statement.loc.line}: {fault}"


def _fault(statement: Any, types_of: Any) -> str | None:
    value = statement.value
    operation = getattr(value, "op", None)
    if operation in ("binop", "inplace_binop"):
        sign = MIXING.get(value.fn)
        sides = [types.unliteral(types_of[v.name]) for v in (value.lhs, value.rhs)]
        if sign and types.uint64 in sides and any(isinstance(t, types.Integer) and t.signed for t in sides):
            return f"uint64 {sign} a signed integer gives a signed result when compiled; wrap the other side in np.uint64(...)"
    source = value.value if operation == "cast" else value  # a plain variable is copied where branches join
    if isinstance(source, ir.Var) and types_of[source.name] == types.uint64 and types_of[statement.target.name] == types.float64:
        return "one branch gives uint64 and another a signed integer, so the result is a float when compiled; wrap both in np.uint64(...)"
    return None
