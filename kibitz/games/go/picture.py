"""A Go board as a picture."""

from kibitz.core.drawing import svg
from kibitz.games.go.board import NONE
from kibitz.games.go.notation import LETTERS


def picture(colours, ko, rows, columns):
    """The stones on the lines; a cross where a ko forbids to capture."""
    board = svg.Board(rows, columns, row_labels=[str(rows - row) for row in range(rows)], column_labels=LETTERS[:columns])
    for row in range(rows):
        for column in range(columns):
            board.square(row, column, "#e3b96b", stroke="#e3b96b")
    for row in range(rows):
        board.line((row, 0), (row, columns - 1), stroke="#5a4320", width=1)
    for column in range(columns):
        board.line((0, column), (rows - 1, column), stroke="#5a4320", width=1)
    for cell, colour in enumerate(colours):
        if colour:
            board.disc(rows - 1 - cell // columns, cell % columns, ("#111", "#f8f8f8")[colour - 1], size=0.45)
    if ko != NONE:
        board.text(rows - 1 - ko // columns, ko % columns, "x", fill="#a02020", size=0.45)
    return board.render()
