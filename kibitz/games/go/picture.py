"""A Go board as a picture."""

from kibitz import svg
from kibitz.games.go.board import NONE
from kibitz.games.go.notation import LETTERS


def picture(colours, ko, rows, columns, marked=None, shaded=None):
    """The stones on the lines; a cross where a ko forbids to capture, a triangle on marked stones; shaded points are out of play."""
    board = svg.Board(rows, columns, row_labels=[str(rows - row) for row in range(rows)], column_labels=LETTERS[:columns])
    for row in range(rows):
        for column in range(columns):
            fill = "#c49a55" if shaded is not None and shaded[(rows - 1 - row) * columns + column] else "#e3b96b"
            board.square(row, column, fill, stroke=fill)
    for row in range(rows):
        board.line((row, 0), (row, columns - 1), stroke="#5a4320", width=1)
    for column in range(columns):
        board.line((0, column), (rows - 1, column), stroke="#5a4320", width=1)
    for row, column in star_points(rows, columns):
        board.disc(row, column, "#5a4320", size=0.09, stroke="none")
    for cell, colour in enumerate(colours):
        if colour:
            board.disc(rows - 1 - cell // columns, cell % columns, ("#111", "#f8f8f8")[colour - 1], size=0.45)
        if marked is not None and marked[cell]:
            row, column = rows - 1 - cell // columns, cell % columns
            corners = [(row - 0.24, column), (row + 0.14, column - 0.22), (row + 0.14, column + 0.22)]
            board.polygon(corners, ("#f8f8f8", "#111")[colour - 1], stroke="none")
    if ko != NONE:
        board.text(rows - 1 - ko // columns, ko % columns, "x", fill="#a02020", size=0.45)
    return board.render()


def star_points(rows, columns):
    """The points that boards of the usual sizes mark: four corners, the middle, and on large boards the middles of the sides."""
    if rows != columns or rows < 7 or rows % 2 == 0:
        return [(rows // 2, columns // 2)] if rows == columns == 5 else []
    edge, middle = 2 if rows < 13 else 3, rows // 2
    corners = [(row, column) for row in (edge, rows - 1 - edge) for column in (edge, rows - 1 - edge)]
    sides = [(edge, middle), (middle, edge), (middle, rows - 1 - edge), (rows - 1 - edge, middle)] if rows >= 15 else []
    return [*corners, (middle, middle), *sides]
