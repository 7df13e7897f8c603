"""The geometry of a Go board: which points lie beside which, and where they come to lie when the board is turned or mirrored."""

import numpy as np

NONE = -1  # no point
SIDEWAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONALLY = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def neighbours(rows, columns, steps):
    """For each point the four that these steps lead to, NONE off the board."""
    found = np.full((rows * columns, 4), NONE, np.int16)
    for cell in range(rows * columns):
        for i, (up, right) in enumerate(steps):
            row, column = cell // columns + up, cell % columns + right
            if 0 <= row < rows and 0 <= column < columns:
                found[cell, i] = row * columns + column
    return found


def images(rows, columns):
    """For each symmetry of the board, and each point, the point that comes to lie there; the first symmetry changes nothing."""
    found = np.zeros((8 if rows == columns else 4, rows * columns), np.int16)
    for symmetry, points in enumerate(found):
        for cell in range(rows * columns):
            row, column = divmod(cell, columns)
            if symmetry & 1:
                row = rows - 1 - row
            if symmetry & 2:
                column = columns - 1 - column
            points[cell] = column * columns + row if symmetry & 4 else row * columns + column
    return found
