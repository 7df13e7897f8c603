"""The words of the Go Text Protocol taken apart and put together: lines, colours, points, numbers, reports of an analysis."""

from __future__ import annotations

import math

from kibitz.core.position.result import Result

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}


class Refused(Exception):
    """The reply is `?` with these words."""


def taken_apart(line: str) -> tuple[str, list[str]]:
    """The number that a line bears, empty without one, and its words: a comment and whatever is no printable character left out."""
    words = "".join(c if c >= " " else " " for c in line.partition("#")[0] if c != "\x7f").split()
    return (words[0], words[1:]) if words and words[0].isdigit() else ("", words)


def colour_of(words: list[str]) -> int:
    if not words or words[0].lower() not in COLOURS:
        raise Refused("a colour is missing: black or white")
    return COLOURS[words[0].lower()]


def vertex_of(word: str) -> str:
    return word.lower() if word.lower() in ("pass", "resign") else word.upper()


def number_of(words: list[str], place: int, wrong: str) -> float:
    try:
        found = float(words[place])
    except (IndexError, ValueError):
        raise Refused(wrong) from None
    if not math.isfinite(found):
        raise Refused(wrong)
    return found


def whole_of(words: list[str], place: int, wrong: str) -> int:
    found = number_of(words, place, wrong)
    if found != int(found):
        raise Refused(wrong)
    return int(found)


def reported(result: Result) -> str:
    """All moves of a result on one line, as Leela Zero writes them; winning chances in ten-thousandths."""
    low, high = result.position.game.constants["VALUES"]
    found = []
    for order, c in enumerate(result.table):
        if c.visits:
            chance = round(10000 * (c.value - low) / (high - low)) if not math.isnan(c.value) else 0
            found.append(f"info move {c.move} visits {c.visits} winrate {chance} order {order} pv {' '.join(str(m) for m in c.line)}")
    if not found and result.move is not None:
        chance = round(10000 * (result.value - low) / (high - low))
        line = " ".join(str(m) for m in result.line)
        found.append(f"info move {result.move} visits {result.nodes} winrate {chance} order 0 pv {line}")
    return " ".join(found)
