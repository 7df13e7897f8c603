"""A rhombus of hexagons: which cells lie around which, and a picture."""

import math

import numpy as np

from kibitz import svg

PITCH = math.sqrt(3) / 2  # between rows, in cells
TIP = 1 / math.sqrt(3)  # from the centre of a hexagon to its upper corner
CORNERS = ((-TIP, 0.0), (-TIP / 2, 0.5), (TIP / 2, 0.5), (TIP, 0.0), (TIP / 2, -0.5), (-TIP / 2, -0.5))  # clockwise from the top
CLOCKWISE = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))  # rows down and columns to the right, from the cell above
LETTERS = "abcdefghijklmnopqrs"
FILLS = {"X": "#c0392b", "O": "#2b5f9e", ".": "#f4ecd8"}


def cells_around(size, edges, corner):
    """For each cell its six neighbours, clockwise from the one above; beyond the board the number of the player's edge, or of a corner."""
    found = np.zeros((size * size, 6), np.int16)
    for cell in range(size * size):
        for i, (down, right) in enumerate(CLOCKWISE):
            row, column = cell // size + down, cell % size + right
            in_rows, in_columns = 0 <= row < size, 0 <= column < size
            beyond = corner if not in_rows and not in_columns else edges[0] if not in_rows else edges[1]
            found[cell, i] = row * size + column if in_rows and in_columns else beyond
    return found


def picture(rows):
    """The board from its rows of marks."""
    size = len(rows)
    board = svg.Board(math.ceil(size * PITCH) + 1, math.ceil(1.5 * size) + 1)
    for row in range(size):
        for column in range(size):
            centre = (1 + row * PITCH, 1 + column + row / 2)
            corners = [(centre[0] + y, centre[1] + x) for y, x in CORNERS]
            board.polygon(corners, FILLS["."], cell=f"{LETTERS[column]}{row + 1}")
            if rows[row][column] != ".":
                board.disc(*centre, FILLS[rows[row][column]], size=0.36, cell="")
            borders = ((row == 0, "X", (5, 0, 1)), (row == size - 1, "X", (2, 3, 4)))
            borders += ((column == 0, "O", (3, 4, 5)), (column == size - 1, "O", (0, 1, 2)))
            for there, mark, path in borders:
                if there:
                    board.line(corners[path[0]], corners[path[1]], stroke=FILLS[mark], width=3)
                    board.line(corners[path[1]], corners[path[2]], stroke=FILLS[mark], width=3)
            if row == 0:
                board.text(0.1, centre[1] - 0.5, LETTERS[column], fill="#666", size=0.32)
        board.text(1 + row * PITCH, 0.2 + row / 2, str(row + 1), fill="#666", size=0.32)
    return board.render()
