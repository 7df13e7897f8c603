"""Small SVG pictures of boards, made of the few shapes that board games need."""

from __future__ import annotations

from html import escape

CELL = 40
MARGIN = 22


class Board:
    """A picture of `rows` by `columns` cells. Row 0 is at the top; shapes are placed by cell."""

    def __init__(self, rows: int, columns: int, *, row_labels: str | list[str] = "", column_labels: str | list[str] = "") -> None:
        self.rows, self.columns = rows, columns
        self.left = MARGIN if row_labels else 4
        self.bottom = MARGIN if column_labels else 4
        self._parts: list[str] = []
        for row, label in enumerate(row_labels):
            self._label(self.left / 2, 4 + (row + 0.5) * CELL, label)
        for column, label in enumerate(column_labels):
            self._label(self.left + (column + 0.5) * CELL, 4 + rows * CELL + self.bottom / 2, label)

    def square(self, row: float, column: float, fill: str, stroke: str = "#555") -> None:
        """A filled cell."""
        x, y = self._corner(row, column)
        self._parts.append(f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{stroke}"/>')

    def disc(self, row: float, column: float, fill: str, size: float = 0.42, stroke: str = "#222") -> None:
        """A stone; `size` is its radius in cells."""
        x, y = self._centre(row, column)
        self._parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{size * CELL:g}" fill="{fill}" stroke="{stroke}"/>')

    def text(self, row: float, column: float, text: str, fill: str = "#111", size: float = 0.5) -> None:
        """Centred text."""
        x, y = self._centre(row, column)
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" fill="{fill}" font-size="{size * CELL:g}" font-family="sans-serif" '
            f'text-anchor="middle" dominant-baseline="central">{escape(text)}</text>'
        )

    def line(self, start: tuple[float, float], end: tuple[float, float], stroke: str = "#222", width: float = 2) -> None:
        """A line between the centres of two cells, each (row, column)."""
        (x1, y1), (x2, y2) = self._centre(*start), self._centre(*end)
        self._parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{stroke}" stroke-width="{width:g}" stroke-linecap="round"/>'
        )

    def render(self) -> str:
        """The whole picture."""
        width, height = self.left + self.columns * CELL + 4, 4 + self.rows * CELL + self.bottom
        body = "".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">{body}</svg>'
        )

    def _label(self, x: float, y: float, label: str) -> None:
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" fill="#666" font-size="13" font-family="sans-serif" text-anchor="middle" dominant-baseline="central">{escape(label)}</text>'
        )

    def _corner(self, row: float, column: float) -> tuple[float, float]:
        return self.left + column * CELL, 4 + row * CELL

    def _centre(self, row: float, column: float) -> tuple[float, float]:
        x, y = self._corner(row, column)
        return x + CELL / 2, y + CELL / 2
