"""Boards and set-ups of EinStein würfelt nicht! as text, for any size: what is said, before the rules judge whether it can be."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kibitz import InputError

NEXT = re.compile(r"([XO]) (?:(to roll)|(to be placed)|rolled (\d)|moves (\d)(?: or (\d))?|(has won))\s*$")


@dataclass(frozen=True)
class Said:
    """A board as it is written. Pieces count from 0, squares from the top left, row by row."""

    squares: dict[tuple[int, int], int]  # of the side and the piece
    side: int
    words: str  # what happens next
    in_set_up: bool
    movable: tuple[int, int] | None  # the lower and the higher piece that may move, or the number rolled, twice
    rolled: bool  # a number, that is


def parse(text: str, size: int, pieces: int) -> Said:
    """What `show` prints; rows may be separated by `/`, and row and column labels left out."""
    found = NEXT.search(text)
    if not found:
        raise InputError(
            "a board ends with what happens next: 'X to roll', 'X rolled 4', 'X moves 3 or 6' or 'X has won', or the same of O"
        )
    words = text[: found.start()].replace("/", " ").split()
    cells = [word for word in words if not re.fullmatch(r"[a-f1-6]", word)]
    if len(cells) != size * size or any(not re.fullmatch(rf"\.\.|[XO][1-{pieces}]", cell) for cell in cells):
        raise InputError(f"a board is {size} rows of {size} squares, each .. or a piece, X1 to X{pieces} or O1 to O{pieces}")
    squares: dict[tuple[int, int], int] = {}
    for square, cell in enumerate(cells):
        if cell != "..":
            piece = "XO".index(cell[0]), int(cell[1]) - 1
            if piece in squares:
                raise InputError(f"{cell} stands on the board twice")
            squares[piece] = square
    return Said(squares, "XO".index(found[1]), found[0].strip(), bool(found[3]), _movable(found, pieces), bool(found[4]))


def _movable(found: re.Match[str], pieces: int) -> tuple[int, int] | None:
    low = found[4] or found[5]
    if not low:
        return None
    pair = int(low) - 1, int(found[6] or low) - 1
    if not 0 <= pair[0] <= pair[1] < pieces:
        raise InputError(f"'{found[0].strip()}': a die shows 1 to {pieces}, and of two pieces the lower comes first")
    return pair


def arrangement(text: str, pieces: int) -> tuple[list[int], list[int]]:
    """For X and for O, where in the triangle each piece stands, of a set-up such as `123456` or `123456/615243`."""
    sides, wanted = text.split("/"), [str(n + 1) for n in range(pieces)]
    if len(sides) > 2 or any(sorted(side) != wanted for side in sides):
        example = "".join(wanted)
        raise InputError(f"setup={text}: must be chance, choice, or each of 1 to {pieces} once: {example} or {example}/{example[::-1]}")
    return [sides[0].index(n) for n in wanted], [sides[-1].index(n) for n in wanted]
