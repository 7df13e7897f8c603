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

PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
UNTYPED = re.compile(r"No implementation of function Function\((?P<function>.+?)\) found for signature:\s+>>> (?P<call>.+)")
LESS = re.compile(r"\x1b\[[0-9;]*m")  # colours in Numba's text


def explain(error: NumbaError) -> str:
    """One line: where the innermost fault is, and Numba's reason for it in few words."""
    text = LESS.sub("", str(error))
    places = list(PLACE.finditer(text))
    where = f"{Path(places[-1]['file']).name}:{places[-1]['line']}: " if places else ""
    return f"{where}this cannot be compiled: {_reason(text)}"


def _reason(text: str) -> str:
    if found := UNTYPED.search(text):
        function = re.sub(r"<(?:built-in function|function) (\w+).*>", r"\1", found["function"])
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
            if not isinstance(statement, ir.Assign) or not isinstance(statement.value, ir.Expr):
                continue
            value, where = statement.value, f"{Path(statement.loc.filename).name}:{statement.loc.line}"
            if value.op in ("binop", "inplace_binop"):
                operation = value.fn if value.op == "binop" else value.immutable_fn
                sides = [types.unliteral(types_of[v.name]) for v in (value.lhs, value.rhs)]
                if operation in MIXING and types.uint64 in sides and any(isinstance(t, types.Integer) and t.signed for t in sides):
                    yield f"{where}: uint64 {MIXING[operation]} a signed integer gives a signed result when compiled; wrap the other side in np.uint64(...)"
            elif value.op in ("phi", "cast") and types_of.get(statement.target.name) == types.float64:
                joined = value.incoming_values if value.op == "phi" else [value.value]
                if any(types_of.get(getattr(v, "name", ""), None) == types.uint64 for v in joined):
                    yield f"{where}: one branch gives uint64 and another a signed integer, so the result is a float when compiled; wrap both in np.uint64(...)"
