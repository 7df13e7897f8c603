"""A picture of a position of a game without `draw`: every field of its record by name, numbers in boxes, arrays as rows and grids of boxes."""

from __future__ import annotations

from typing import Any

from kibitz.core.drawing.svg import document, written

BOX, GAP, EDGE = 34, 6, 16
ROWS, COLUMNS = 12, 16  # boxes of one field, at most
LETTERS = 9.0  # pixels, about, for a letter of a name


def draw_fields(s: Any) -> str:
    """The record as SVG."""
    fields = [(name, _grid(s[name])) for name in s.dtype.names if not name.startswith("_")]
    left = EDGE + max(len(name) for name, _ in fields) * LETTERS + 12
    parts, y, widest = [], float(EDGE), 0.0
    for name, grid in fields:
        height, wide = len(grid) * (BOX + GAP), max(BOX, *(10 * len(value) + 8 for row in grid for value in row))
        parts.append(written(left - 12, y + (height - GAP) / 2, name, "#555", 15, anchor="end"))
        for i, row in enumerate(grid):
            for j, value in enumerate(row):
                x, top = left + j * (wide + GAP), y + i * (BOX + GAP)
                fill = "#fff" if value in ("0", "False") else "#dcebf7"
                parts.append(f'<rect x="{x:g}" y="{top:g}" width="{wide:g}" height="{BOX}" rx="5" fill="{fill}" stroke="#9aa5ad"/>')
                parts.append(written(x + wide / 2, top + BOX / 2, value, "#111", 16))
                widest = max(widest, x + wide)
        y += height + GAP
    return document(widest + EDGE, y - GAP + EDGE, "".join(parts))


def _grid(value: Any) -> list[list[str]]:
    """What a field holds, as rows of short texts; what has more than two dimensions is laid out in rows of its last."""
    shape: tuple[int, ...] = getattr(value, "shape", ())
    if shape == () or getattr(value, "dtype", None) is None or value.dtype.names:
        return [[str(value)[: 3 * COLUMNS]]]
    columns = shape[-1]
    flat = value.reshape(-1)[: ROWS * columns]
    rows = [[str(item)[:COLUMNS] for item in flat[i : i + min(columns, COLUMNS)]] for i in range(0, len(flat), columns)]
    if len(rows) == 1 and len(rows[0]) < columns:
        rows[0].append("…")
    return rows[:ROWS]
