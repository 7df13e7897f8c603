"""Building blocks of output in notebooks: HTML without scripts, in the notebook's own colours and font."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from kibitz.core.drawing import svg

WIDTH, HEIGHT = 220, 30  # of a score's picture, in pixels
EDGE = 6  # left and right of it
DIM = "opacity: 0.65"


def beside(picture: str, *parts: str) -> str:
    """A picture, and to its right whatever belongs to it, below each other; below the picture where the page is narrow."""
    column = "".join(f"<div>{part}</div>" for part in parts if part)
    shown = f"<div>{picture}</div>" if picture else ""
    return f'<div style="display: flex; flex-wrap: wrap; gap: 1.2em; align-items: flex-start">{shown}<div>{column}</div></div>'


def said(text: str, *, bold: bool = False, dim: bool = False) -> str:
    """A line of text."""
    style = ";".join([*(["font-weight: bold"] if bold else []), *([DIM] if dim else [])])
    return f'<div style="{style}">{escape(text)}</div>' if style else f"<div>{escape(text)}</div>"


def verbatim(text: str) -> str:
    """Text as it stands, such as a board."""
    return f'<pre style="line-height: 1.25">{escape(text)}</pre>'


def grid(head: Sequence[str], rows: Iterable[Sequence[str]], *, left: Sequence[int] = (0,), first_bold: bool = False) -> str:
    """A table: numbers to the right, the columns `left` to the left."""

    def row(cells: Sequence[str], tag: str, style: str) -> str:
        made = ""
        for place, cell in enumerate(cells):
            side = "left" if place in left else "right"
            made += f'<{tag} style="text-align: {side}; padding: 0.1em 0.8em 0.1em 0; {style}">{escape(cell)}</{tag}>'
        return f"<tr>{made}</tr>"

    body = "".join(row(cells, "td", "font-weight: bold" if first_bold and place == 0 else "") for place, cells in enumerate(rows))
    return f'<table style="border-collapse: collapse; font-variant-numeric: tabular-nums">{row(head, "th", DIM)}{body}</table>'


def score_bar(value: float, low: float, high: float) -> str:
    """A score from 0 to 1 as a dot, the interval around it as a bar, and where both sides are even."""

    def x(share: float) -> float:
        return EDGE + share * (WIDTH - 2 * EDGE)

    middle = HEIGHT / 2
    body = (
        f'<line x1="{x(0):g}" y1="{middle:g}" x2="{x(1):g}" y2="{middle:g}" stroke="#999"/>'
        f'<line x1="{x(0.5):g}" y1="4" x2="{x(0.5):g}" y2="{HEIGHT - 4}" stroke="#999" stroke-dasharray="3 2"/>'
        f'<line x1="{x(low):g}" y1="{middle:g}" x2="{x(high):g}" y2="{middle:g}" stroke="#4a90d9" stroke-width="8" stroke-linecap="round" opacity="0.45"/>'
        f'<circle cx="{x(value):g}" cy="{middle:g}" r="5" fill="#1f6fbf"/>'
    )
    return svg.document(WIDTH, HEIGHT, body)
