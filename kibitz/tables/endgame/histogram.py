"""A picture of a table of results: how many positions are won and lost in how many plies."""

from __future__ import annotations

from kibitz.core.drawing import svg
from kibitz.core.position.readable import count
from kibitz.tables.endgame.inspecting import Statistics

WON, LOST, GRID, GREY = "#2b5f9e", "#c0392b", "#dddddd", "#555555"
HEIGHT, LEFT, RIGHT, ABOVE, BELOW = 220.0, 74.0, 16.0, 46.0, 44.0
NARROWEST, WIDEST, USUAL = 5.0, 24.0, 620.0  # of a column; of all of them together
LINES = 5  # across, at most


def histogram(s: Statistics) -> str:
    """A column for each number of plies, wins below losses."""
    deepest, most = max(s.distances, default=1), max((sum(pair) for pair in s.distances.values()), default=1) or 1
    step = min(WIDEST, max(NARROWEST, USUAL / deepest))
    title = f"{s.section}: positions won and lost, for the player to move"
    width, floor = max(step * deepest, svg.width_of(title, 13)), ABOVE + HEIGHT
    parts = [f'<rect width="{LEFT + width + RIGHT:g}" height="{floor + BELOW:g}" fill="#ffffff"/>']
    parts.append(svg.written(LEFT, 16, title, size=13, bold=True, anchor="start"))
    for i, (said, fill) in enumerate((("won", WON), ("lost", LOST))):
        parts.append(f'<rect x="{LEFT + 70 * i:g}" y="28" width="10" height="10" fill="{fill}"/>')
        parts.append(svg.written(LEFT + 70 * i + 15, 33, said, size=11, anchor="start"))
    for mark in marks(most):
        y = floor - HEIGHT * mark / most
        parts.append(f'<path d="M{LEFT:g} {y:.2f}h{width:g}" stroke="{GRID if mark else GREY}" stroke-width="1"/>')
        parts.append(svg.written(LEFT - 6, y, count(mark), GREY, 10, anchor="end"))
    for distance, (won, lost) in s.distances.items():
        top, x = floor, LEFT + step * (distance - 1)
        for number, fill in ((won, WON), (lost, LOST)):
            if number:
                tall = HEIGHT * number / most
                top -= tall
                parts.append(f'<rect x="{x + 0.5:.2f}" y="{top:.2f}" width="{step - 1:.2f}" height="{tall:.2f}" fill="{fill}"/>')
    every = 1 if step >= WIDEST else 5 if step >= 2 * NARROWEST else 10
    for distance in range(every, deepest + 1, every):
        parts.append(svg.written(LEFT + step * (distance - 0.5), floor + 12, str(distance), GREY, 10))
    parts.append(svg.written(LEFT + width / 2, floor + 32, "plies to the end", GREY, 11))
    return svg.document(LEFT + width + RIGHT, floor + BELOW, "".join(parts))


def marks(most: int) -> list[int]:
    """Round numbers from 0 to `most`, evenly spaced."""
    step = next(f * 10**power for power in range(20) for f in (1, 2, 5) if f * 10**power * LINES >= most)
    return list(range(0, most + 1, step))
