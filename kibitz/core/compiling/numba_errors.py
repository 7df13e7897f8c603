"""Numba's errors, turned into one line with the file, the line and what to do about it."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba.core import ir
from numba.core import types as numba_types

from kibitz.core.compiling import rule_errors
from kibitz.core.errors import RuleFault

types: Any = numba_types

MIXING = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.floordiv: "//", operator.mod: "%", operator.truediv: "/",
    operator.and_: "&", operator.or_: "|", operator.xor: "^", operator.pow: "**",
    operator.iadd: "+=", operator.isub: "-=", operator.imul: "*=", operator.ifloordiv: "//=", operator.imod: "%=",
    operator.iand: "&=", operator.ior: "|=", operator.ixor: "^=",
}  # fmt: skip

PLACE = re.compile(r'^File "(?P<file>[^"]+)", line (?P<line>\d+)', re.MULTILINE)
UNTYPED = re.compile(r"No implementation of function Function\((?P<function>.+?)\) found for signature:\s+>>> (?P<call>.+)")
RAISED = re.compile(r"\s*Raised from (?P<file>.+) \((?P<line>\d+)\)")
KNOWN = (
    ("exception_match", "a rule can catch Exception only, not one kind of it; better ask beforehand whether it would happen"),
    (
        "runaway recursion",
        "a function that calls itself must also have a way that returns without doing so, and return the same type on both",
    ),
    ("cannot type infer", "the compiler cannot tell what type this returns; if it calls itself, let the first return be one that does not"),
    ("format spec in f-strings", "rules compute with numbers; texts belong in show and name"),
)
LESS = re.compile(r"\x1b\[[0-9;]*m")  # colours in Numba's text


def explain(error: Exception) -> str:
    """One line: where the innermost fault is, and Numba's reason for it in few words."""
    text = LESS.sub("", str(error)) or type(error).__name__
    places = [*PLACE.finditer(text), *RAISED.finditer(text)]  # Numba tells of the innermost place first, then of its callers
    place = next((p for p in places if "/numba/" not in p["file"]), None)  # but not of one in its own library
    where = f"{Path(place['file']).name}:{place['line']}: " if place else ""
    return f"{where}this cannot be compiled: {_reason(RAISED.sub('', text))}"


def pass_on(error: Exception) -> None:
    """An exception that came out of compiled code: raise the fault of the rule that it is from; nothing where it is from no rule.

    The line is not told: code from the cache may have been compiled when the function stood elsewhere in its file.
    """
    if found := rule_errors.places(error):
        file, _, rule = found[-1]
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise RuleFault(
            rule, f"raised {' '.join(said.split())} (in {file})", "kibitz check tells the line, and the moves that lead there"
        ) from error


def no_number(kind: Any) -> str | None:
    """What a rule that must return a number returns instead, in words; None where it is a number."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.NoneType | types.Omitted):
        return "returns nothing"
    if isinstance(kind, types.Optional):
        return "returns nothing on some way through it"
    return None if isinstance(kind, types.Number | types.Boolean) else f"returns {kind}, which is no number"


def two_signatures(names: tuple[str, ...], one: tuple[Any, ...], other: tuple[Any, ...]) -> str:
    """How a function calls itself otherwise than it was called."""
    differing = [(n, a, b) for n, a, b in zip(names, one, other, strict=False) if a != b]
    if all(types.unliteral(a) == types.unliteral(b) for _, a, b in differing):
        constants = " and ".join(
            f"{n} is the constant {t.literal_value}" for n, a, b in differing for t in (a, b) if isinstance(t, types.Literal)
        )
        number = next(t.literal_value for _, a, b in differing for t in (a, b) if isinstance(t, types.Literal))
        return f"calls itself, and is called where {constants}; write np.int64({number}) there"
    listed = ", ".join(f"{n} is {a} and {b}" for n, a, b in differing)
    return f"calls itself with other types than it was called with: {listed}"


def _reason(text: str) -> str:
    for words, meaning in KNOWN:
        if words in text:
            return meaning
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
