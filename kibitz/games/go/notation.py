"""Go boards as text, for any size: what is said, before the rules judge whether it can be."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kibitz import InputError

LETTERS = "ABCDEFGHJKLMNOPQRST"  # of the columns; I is left out
NEXT = re.compile(r"(?:\b([XO])(?: to move)?(?: after (a pass|[A-Ta-t]\d+))?(?:, ko at ([A-Ta-t]\d+))?|(game over)(?:: [\w .]+)?)\s*$")


@dataclass(frozen=True)
class Said:
    """A board as it is written. Points count from 0 at the bottom left, row by row."""

    colours: list[int]  # 0 for an empty point, 1 for X, 2 for O
    side: int | None  # to move; None where the game is over
    passed: bool
    last: int | None  # where the last stone was put, if that is said
    ko: int | None
    words: str  # what happens next


def parse(text: str, rows: int, columns: int) -> Said:
    """What `show` prints; rows may be separated by `/`, and labels and blanks left out."""
    found = NEXT.search(text)
    if not found:
        raise InputError("after the board comes what happens next: 'X to move', 'O to move after a pass' or 'X to move after C4, ko at D4'")
    words = text[: found.start()].replace("/", " ").split()
    points = "".join(word for word in words if not re.fullmatch(r"[a-t]|\d+", word))
    if len(points) != rows * columns or set(points) - set("XO."):
        raise InputError(
            f"a board is {rows} rows of {columns} points, each X, O or ., and then the side to move; there are {len(points)} points"
        )
    colours = [".XO".index(mark) for row in reversed(range(rows)) for mark in points[row * columns : (row + 1) * columns]]
    passed = found[2] == "a pass"
    last, ko = (point(word, rows, columns) if word else None for word in ("" if passed else found[2], found[3]))
    return Said(colours, None if found[4] else "XO".index(found[1]), passed, last, ko, found[0].strip())


def point(text: str, rows: int, columns: int) -> int:
    """The point with this name."""
    column, row = LETTERS.find(text[0].upper()), int(text[1:]) - 1
    if not (0 <= column < columns and 0 <= row < rows):
        raise InputError(f"there is no point {text}; the points are A1 to {name_of(rows * columns - 1, columns)}, without a column I")
    return row * columns + column


def name_of(cell: int, columns: int) -> str:
    return f"{LETTERS[cell % columns]}{cell // columns + 1}"
