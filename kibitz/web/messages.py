"""The messages of the websocket: one JSON schema for both sides, and the validation of a message.

The schema is plain JSON Schema. The page fetches it as /schema.json and checks what it gets in the same way.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

from kibitz.core.errors import InputError

MOST_BYTES = 64 * 1024  # of a message from the page
MOST_TEXT = 20_000  # characters of a position or of moves


@dataclass(frozen=True)
class Limits:
    """What one search may use, whatever the page asks for; told to the page at the start."""

    searches: int = 2  # at once; the others wait
    time: float = 60.0  # seconds of a search
    turn: float = 10.0  # seconds after which a search ends when others wait
    memory: float = 1024.0  # megabytes of a search
    threads: int = 1  # of a search
    lines: int = 8  # best lines
    visits: int = 10_000  # of a recorded tree
    clients: int = 200  # open pages
    moves: int = 2_000  # of a game that the page describes

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def _text(most: int = 200) -> dict[str, Any]:
    return {"type": "string", "maxLength": most}


def _object(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


NUMBER = {"type": ["integer", "number", "null"]}
PLACE: dict[str, Any] = {
    "id": {"type": "integer", "minimum": 0, "maximum": 2**31},
    "game": _text(),
    "parameters": {
        "type": "object",
        "maxProperties": 30,
        "additionalProperties": {"type": ["string", "integer", "number", "boolean"], "maxLength": MOST_TEXT},
    },
    "position": _text(MOST_TEXT),
    "moves": _text(MOST_TEXT),
}
OBSERVER = {"type": "integer", "minimum": -1, "maximum": 63}  # whose view is shown where not all is seen; -1: the whole position
ASKED: dict[str, Any] = {
    "player": _text(1000),
    "limits": _object(
        time={"type": ["integer", "number"], "minimum": 0.01, "maximum": 1e9},
        depth={"type": "integer", "minimum": 1, "maximum": 256},
        nodes={"type": "integer", "minimum": 1, "maximum": 10**15},
    ),
}
LINES = {"type": "integer", "minimum": 1, "maximum": 64}
TO_SERVER = {
    "show": _object(("do", "id", "game"), do={"const": "show"}, observer=OBSERVER, **PLACE),
    "analyse": _object(("do", "id", "game", "player"), do={"const": "analyse"}, lines=LINES, threat={"type": "boolean"}, **PLACE, **ASKED),
    "play": _object(("do", "id", "game", "player"), do={"const": "play"}, **PLACE, **ASKED),
    "tree": _object(
        ("do", "id", "game", "player"), do={"const": "tree"}, visits={"type": "integer", "minimum": 1, "maximum": 10**6}, **PLACE, **ASKED
    ),
    "stop": _object(("do",), do={"const": "stop"}, id=PLACE["id"]),
}

ID = {"type": "integer"}
ANY_TEXT: dict[str, Any] = {"type": "string"}
TEXTS = {"type": "array", "items": ANY_TEXT}
SPOTS = {"type": "array", "items": {"type": "array", "items": NUMBER}}  # where on the drawing, for cells that stand for several places
MOVE = _object(("name", "cells"), name=ANY_TEXT, cells=TEXTS, chance=NUMBER, spots=SPOTS)
MADE = _object(("name", "by", "cells"), name=ANY_TEXT, by=ID, cells=TEXTS, spots=SPOTS, said=ANY_TEXT)
LINE: dict[str, Any] = _object(
    ("value", "bound", "moves"),
    value=NUMBER, bound=ANY_TEXT, moves=TEXTS, distance=NUMBER, visits=NUMBER, spread=NUMBER, prior=NUMBER, share=NUMBER, values={"type": "array", "items": NUMBER},
)  # fmt: skip
OUTLOOK = _object(("move", "mean", "spread"), move=ANY_TEXT, mean=NUMBER, spread=NUMBER, win=NUMBER, loss=NUMBER)
CODE = _object(("text", "steps"), text=ANY_TEXT, steps=TEXTS)
POSSIBLE = _object(("chance", "svg", "text"), chance=NUMBER, svg=ANY_TEXT, text=ANY_TEXT)
TO_PAGE = {
    "hello": _object(("is", "version", "limits"), version=ANY_TEXT, limits={"type": "object"}, **{"is": {"const": "hello"}}),
    "position": _object(
        ("is", "id", "label", "svg", "text", "turn", "moves", "made", "over", "players", "sides", "values", "engines"),
        id=ID, label=ANY_TEXT, svg=ANY_TEXT, text=ANY_TEXT, turn=ID, moves={"type": "array", "items": MOVE}, made={"type": "array", "items": MADE},
        over={"type": "boolean"}, utility={"type": "array", "items": NUMBER}, players=ID, sides=TEXTS, values={"type": "array", "items": NUMBER}, sum=NUMBER,
        engines=TEXTS, drawn=TEXTS, usual=ANY_TEXT, start=ANY_TEXT, threat={"type": "boolean"}, observer=ID, **{"is": {"const": "position"}},
    ),
    "waiting": _object(("is", "id", "before"), id=ID, before=ID, **{"is": {"const": "waiting"}}),
    "working": _object(("is", "id", "words"), id=ID, words=ANY_TEXT, **{"is": {"const": "working"}}),
    "result": _object(
        ("is", "id", "depth", "nodes", "seconds", "value", "bound", "words", "lines"),
        id=ID, depth=ID, nodes=ID, seconds=NUMBER, speed=NUMBER, value=NUMBER, bound=ANY_TEXT, words=ANY_TEXT, distance=NUMBER, ended=ANY_TEXT, note=ANY_TEXT,
        playouts=NUMBER, full=NUMBER, hits=NUMBER, turn=ID, values={"type": "array", "items": NUMBER}, lines={"type": "array", "items": LINE}, table={"type": "array", "items": LINE},
        outlooks={"type": "array", "items": OUTLOOK}, **{"is": {"const": "result"}},
    ),
    "threat": _object(("is", "id", "words", "moves", "cells"), id=ID, words=ANY_TEXT, moves=TEXTS, cells=TEXTS, **{"is": {"const": "threat"}}),
    "belief": _object(
        ("is", "id", "size", "complete", "cells", "likeliest"),
        id=ID, size=ID, complete={"type": "boolean"}, cells={"type": "object", "additionalProperties": NUMBER}, likeliest={"type": "array", "items": POSSIBLE},
        **{"is": {"const": "belief"}},
    ),
    "stopped": _object(("is", "id", "why"), id=ID, why=ANY_TEXT, **{"is": {"const": "stopped"}}),
    "move": _object(("is", "id", "name", "words"), id=ID, name=ANY_TEXT, words=ANY_TEXT, **{"is": {"const": "move"}}),
    "tree": _object(("is", "id", "tree", "headline"), id=ID, tree={"type": "object"}, headline=ANY_TEXT, remark=ANY_TEXT, code={"type": "array", "items": CODE}, **{"is": {"const": "tree"}}),
    "error": _object(("is", "text"), id=ID, text=ANY_TEXT, **{"is": {"const": "error"}}),
}  # fmt: skip
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "What travels between kibitz serve and its page",
    "toServer": TO_SERVER,  # by what is to be done: `do`
    "toPage": TO_PAGE,  # by what it is: `is`
}


def read(text: str) -> dict[str, Any]:
    """A message from the page; an InputError says what is wrong with it."""
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise InputError(f"the message is longer than {MOST_BYTES // 1024} kB")
    try:
        given = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise InputError("the message is not JSON") from None
    if not isinstance(given, dict):
        raise InputError("a message is a JSON object")
    wanted = given.get("do")
    if not isinstance(wanted, str) or wanted not in TO_SERVER:
        raise InputError(f"a message says what to do: one of {', '.join(TO_SERVER)}")
    if (fault := fault_of(given, TO_SERVER[wanted])) is not None:
        raise InputError(fault)
    if any("\ud800" <= letter <= "\udfff" for letter in json.dumps(given, ensure_ascii=False)):
        raise InputError("a text in the message has half a character")
    return given


def fault_of(value: Any, schema: Any, path: str = "") -> str | None:
    """What is wrong with a value, in one line; None where it fits."""
    where = path or "the message"
    if "const" in schema:
        return None if value == schema["const"] else f"{where}: must be {schema['const']!r}"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_KINDS[kind](value) for kind in kinds):
        return f"{where}: must be {' or '.join(kinds)}"
    if isinstance(value, str) and len(value) > schema.get("maxLength", math.inf):
        return f"{where}: at most {schema['maxLength']} characters"
    if _KINDS["number"](value) and not schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf):
        return f"{where}: must be from {schema.get('minimum', '-inf')} to {schema.get('maximum', 'inf')}"
    if isinstance(value, list) and "items" in schema:
        return next((fault for i, item in enumerate(value) if (fault := fault_of(item, schema["items"], f"{path}[{i}]"))), None)
    return _fault_of_object(value, schema, path) if isinstance(value, dict) else None


def _fault_of_object(value: dict[str, Any], schema: Any, path: str) -> str | None:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", []):
        if name not in value:
            return f"{path or 'the message'}: '{name}' is missing"
    if len(value) > schema.get("maxProperties", math.inf):
        return f"{path or 'the message'}: at most {schema['maxProperties']} entries"
    for name, item in value.items():
        if name not in known and others is False:
            return f"{path or 'the message'}: there is no '{name[:40]}' here"
        inside = known.get(name, others)
        if isinstance(inside, dict) and (fault := fault_of(item, inside, f"{path}.{name[:40]}".lstrip("."))):
            return fault
    return None


_KINDS: dict[str, Any] = {
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v),
    "boolean": lambda v: isinstance(v, bool),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
    "null": lambda v: v is None,
}


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
