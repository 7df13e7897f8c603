"""Small SVG pictures: boards, made of the few shapes that board games need, and the shapes of which trees are drawn."""

from __future__ import annotations

from html import escape

from kibitz.core.protocol.rules import CHANCE

CELL = 40
MARGIN = 22
SHAPE = 13  # of a node in a tree, from its centre to its top

WIDTH_OF_LETTER = 0.64  # of its size; digits of a wide font


def document(width: float, height: float, body: str) -> str:
    """A whole picture."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">{body}</svg>'


def width_of_document(picture: str) -> float:
    """The width of a picture made by `document`."""
    return float(picture.split('width="', 1)[1].split('"', 1)[0])


def written(x: float, y: float, said: str, fill: str = "#111", size: float = 13, *, bold: bool = False, anchor: str = "middle") -> str:
    """Text in the middle of (x, y), or from there on."""
    # Down by a third of its size, which centres capitals and digits in every renderer; few know `dominant-baseline`.
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{fill}" font-size="{size:g}" font-family="sans-serif" text-anchor="{anchor}" '
        f'dy="0.35em"{weight}>{escape(said)}</text>'
    )


def set_off(text: str, around: str) -> str:
    """What `written` made, set off from what lies below it by a rim of that colour."""
    return text.replace(">", f' stroke="{around}" stroke-width="4" stroke-linejoin="round" paint-order="stroke">', 1)


def marked(cell: str) -> str:
    """The attribute that says which cell a shape stands for."""
    return f' data-cell="{escape(cell)}"' if cell else ""


def width_of(said: str, size: float) -> float:
    """Room that a line of text needs, whatever the font."""
    return len(said) * size * WIDTH_OF_LETTER


def node(x: float, y: float, mover: int, style: str, width: float = 2 * SHAPE + 8, corner: float = 4, scale: float = 1) -> str:
    """A node of a tree: a triangle that points up for player 0, down for player 1; a circle for chance; a box where nobody moves."""
    size = SHAPE * scale
    if mover == CHANCE:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" {style}/>'
    if mover in (0, 1):
        tip, side = (size if mover else -size), (SHAPE + 3) * scale
        return f'<polygon points="{x:g},{y + tip:g} {x - side:g},{y - tip:g} {x + side:g},{y - tip:g}" {style}/>'
    return f'<rect x="{x - width / 2:g}" y="{y - size:g}" width="{width:g}" height="{2 * size:g}" rx="{corner:g}" {style}/>'


class Board:
    """A picture of `rows` by `columns` cells. Row 0 is at the top; shapes are placed by cell.

    Squares, discs and polygons are marked with the name of their cell, `data-cell="e4"`, so that a page can tell where somebody clicks: by its labels, `e4` or `4`
    where only one side has some, `0,3` (row, column) where there are none. `cell` gives another name; the empty one marks nothing.
    """

    def __init__(self, rows: int, columns: int, *, row_labels: str | list[str] = "", column_labels: str | list[str] = "") -> None:
        self.rows, self.columns = rows, columns
        self.row_labels, self.column_labels = row_labels, column_labels
        self.left = MARGIN if row_labels else 4
        self.bottom = MARGIN if column_labels else 4
        self._parts: list[str] = []
        for row, label in enumerate(row_labels):
            self._label(self.left / 2, 4 + (row + 0.5) * CELL, label)
        for column, label in enumerate(column_labels):
            self._label(self.left + (column + 0.5) * CELL, 4 + rows * CELL + self.bottom / 2, label)

    def square(self, row: float, column: float, fill: str, stroke: str = "#555", cell: str | None = None) -> None:
        """A filled cell."""
        x, y = self._corner(row, column)
        mark = marked(self.cell(row, column) if cell is None else cell)
        self._parts.append(f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{stroke}"{mark}/>')

    def disc(self, row: float, column: float, fill: str, size: float = 0.42, stroke: str = "#222", cell: str | None = None) -> None:
        """A stone; `size` is its radius in cells."""
        x, y = self._centre(row, column)
        mark = marked(self.cell(row, column) if cell is None else cell)
        self._parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{size * CELL:g}" fill="{fill}" stroke="{stroke}"{mark}/>')

    def text(self, row: float, column: float, text: str, fill: str = "#111", size: float = 0.5) -> None:
        """Centred text."""
        x, y = self._centre(row, column)
        self._parts.append(written(x, y, text, fill, size * CELL))

    def line(self, start: tuple[float, float], end: tuple[float, float], stroke: str = "#222", width: float = 2) -> None:
        """A line between the centres of two cells, each (row, column)."""
        (x1, y1), (x2, y2) = self._centre(*start), self._centre(*end)
        self._parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{stroke}" stroke-width="{width:g}" stroke-linecap="round"/>'
        )

    def polygon(self, corners: list[tuple[float, float]], fill: str, stroke: str = "#555", cell: str = "") -> None:
        """A filled shape; a corner is the centre of a cell (row, column), or lies anywhere between."""
        points = " ".join(f"{x:g},{y:g}" for x, y in (self._centre(*corner) for corner in corners))
        self._parts.append(f'<polygon points="{points}" fill="{fill}" stroke="{stroke}"{marked(cell)}/>')

    def outline(self, row: float, column: float, path: str, fill: str, stroke: str = "#222") -> None:
        """A filled path, such as a chess piece, in hundredths of a cell from the cell's centre."""
        x, y = self._centre(row, column)
        self._parts.append(
            f'<path d="{path}" transform="translate({x:g},{y:g}) scale({CELL / 100:g})" fill="{fill}" stroke="{stroke}" stroke-width="3" stroke-linejoin="round"/>'
        )

    def cell(self, row: float, column: float) -> str:
        """The name of a cell; none between cells."""
        if row != int(row) or column != int(column):
            return ""
        places = ((self.column_labels, int(column)), (self.row_labels, int(row)))
        named = [labels[place] for labels, place in places if labels and 0 <= place < len(labels)]
        return "".join(named) if self.row_labels or self.column_labels else f"{row:g},{column:g}"

    def render(self) -> str:
        """The whole picture."""
        width, height = self.left + self.columns * CELL + 4, 4 + self.rows * CELL + self.bottom
        return document(width, height, "".join(self._parts))

    def _label(self, x: float, y: float, label: str) -> None:
        self._parts.append(written(x, y, label, "#666"))

    def _corner(self, row: float, column: float) -> tuple[float, float]:
        return self.left + column * CELL, 4 + row * CELL

    def _centre(self, row: float, column: float) -> tuple[float, float]:
        x, y = self._corner(row, column)
        return x + CELL / 2, y + CELL / 2
