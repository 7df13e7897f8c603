"""The geometry of a Go board: which points lie beside which, where they come to lie when the board is turned or mirrored, whose they are."""

import numpy as np

from kibitz import scratch

NONE = -1  # no point
EMPTY = 0  # the colour of a point without a stone
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


# --- kernels over the colours of all points ---


def least_image(colours, ko, images):
    """The number of the symmetry whose image of the board comes first."""
    best = 0
    for symmetry in range(1, images.shape[0]):
        if precedes(colours, ko, images, symmetry, best):
            best = symmetry
    return best


def precedes(colours, ko, images, one, other):
    """Is the image under the symmetry `one` before that under the `other`?"""
    for cell in range(colours.shape[0]):
        a, b = colours[images[one, cell]], colours[images[other, cell]]
        if a != b:
            return a < b
    for cell in range(colours.shape[0]):
        a, b = images[one, cell] == ko, images[other, cell] == ko
        if a != b:
            return a
    return False


def owned(colours, beside):
    """Black's stones and territory less White's; `beside` are the neighbours of each point."""
    size = colours.shape[0]
    seen, todo = scratch(colours), scratch(colours)
    points = 0
    for cell in range(size):
        if colours[cell] != EMPTY:
            points += 3 - 2 * colours[cell]
        elif seen[cell] == 0:
            points += territory(colours, beside, cell, seen, todo)
    return points


def territory(colours, beside, cell, seen, todo):
    """The empty points joined to this one, for Black if only black stones are beside them, less if only white ones are, else nothing."""
    touched, size, done = 0, 1, 0
    seen[cell], todo[0] = 1, cell
    while done < size:
        for i in range(4):
            near = beside[todo[done], i]
            if near != NONE:
                touched |= colours[near]
                if colours[near] == EMPTY and seen[near] == 0:
                    seen[near], todo[size] = 1, near
                    size += 1
        done += 1
    return size if touched == 1 else -size if touched == 2 else 0
