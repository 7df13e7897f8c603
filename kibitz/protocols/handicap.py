"""Where handicap stones go in Go, as the Go Text Protocol prescribes, and a placement of our own where it leaves the choice. Points count from 0 at the bottom left, row by row."""

from __future__ import annotations

NEAR, FAR = 2, 3  # lines between the edge and the stones, on small boards and on large ones
LARGE = 13  # points in a row
NINE = 9  # the smallest board with more than four stones
SEVEN = 7  # the smallest with any

LOW, MIDDLE, HIGH = range(3)
CORNERS = ((LOW, LOW), (HIGH, HIGH), (HIGH, LOW), (LOW, HIGH))  # rows and columns
SIDES = ((MIDDLE, LOW), (MIDDLE, HIGH), (LOW, MIDDLE), (HIGH, MIDDLE))
CENTRE = ((MIDDLE, MIDDLE),)


def most_fixed(size: int) -> int:
    """How many stones have a place of their own on a board."""
    if size < SEVEN:
        return 0
    return 9 if size % 2 and size >= NINE else 4


def fixed_points(size: int, stones: int) -> list[int]:
    """The places of `stones` stones: corners, then sides two by two, and the centre for an odd number from five on."""
    if not 2 <= stones <= most_fixed(size):
        return []
    places = (*CORNERS, *SIDES)[: stones - stones % 2] + CENTRE if stones % 2 and stones > 4 else (*CORNERS, *SIDES)[:stones]
    edge = FAR if size >= LARGE else NEAR
    lines = (edge, size // 2, size - 1 - edge)
    return [lines[row] * size + lines[column] for row, column in places]


def free_points(rows: int, columns: int, stones: int) -> list[int]:
    """The same where they have places; any more one by one, where there is most room, and not at the edge while there is room elsewhere."""
    chosen = fixed_points(rows, min(stones, most_fixed(rows))) if rows == columns else []
    room = [rows + columns] * (rows * columns)  # to the nearest stone
    for stone in chosen:
        _narrow(room, stone, columns)
    while len(chosen) < stones:
        best = max(range(rows * columns), key=lambda cell: (room[cell] > 0, min(_line(cell, rows, columns), NEAR), room[cell]))
        chosen.append(best)
        _narrow(room, best, columns)
    return chosen


def _narrow(room: list[int], stone: int, columns: int) -> None:
    for cell, nearest in enumerate(room):
        room[cell] = min(nearest, abs(cell // columns - stone // columns) + abs(cell % columns - stone % columns))


def _line(cell: int, rows: int, columns: int) -> int:
    """How far from the edge."""
    row, column = divmod(cell, columns)
    return min(row, column, rows - 1 - row, columns - 1 - column)
