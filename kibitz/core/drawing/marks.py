"""Marks on a drawn board: the last move, and the best one. They go by the cells that the drawing marks (`data-cell`), and know nothing else of it.

A cell may stand for several places, such as a whole column: then the mark is where the drawing differs from that before or after the move.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from kibitz.core.drawing.svg import set_off, written

SHAPE = re.compile(r'<(rect|circle|polygon)\b[^>]*?\bdata-cell="([^"]*)"[^>]*>')
GEOMETRY = re.compile(r'\b(?:x|y|width|height|rx|cx|cy|r|points|transform)="[^"]*"')
DRAWN = re.compile(r"<(rect|circle|polygon|path|use|text)\b[^>]*>(?:([^<]*)</text>)?")
GROUNDS = ("rect", "circle", "polygon")
CELL = re.compile(r'\bdata-cell="([^"]*)"')
NUMBERS = re.compile(r'\b([a-z]+)="(-?[0-9.]+)"')
MOVED = re.compile(r"translate\(([-0-9.]+)[ ,]+([-0-9.]+)\)")
PLACED = re.compile(r'\b(?:x|y|cx|cy)="[^"]*"|translate\([^)]*\)')
BETWEEN = re.compile(r"[-x:+#=]*")  # what may stand between cells in the name of a move
LAST, BEST, HALO, HOT = "#e8590c", "#0b8f3c", "#fffb", "#d6250f"


class Shape(NamedTuple):
    """A shape of a cell, as it is written and where it stands."""

    text: str
    tag: str
    x: float
    y: float
    size: float


@lru_cache(maxsize=4)  # asked for every move of a position
def cells_drawn(svg: str) -> frozenset[str]:
    """The cells that a picture marks."""
    return frozenset(unescape(cell) for cell in CELL.findall(svg))


def cells_in_name(name: str, drawn: AbstractSet[str]) -> tuple[str, ...]:
    """The cells that a move's name is made of; none where it is made of anything else."""
    found, at = [], BETWEEN.match(name).end()  # type: ignore[union-attr]  # it matches nothing, too
    while at < len(name):
        cell = next((name[at:end] for end in range(len(name), at, -1) if name[at:end] in drawn), None)
        if cell is None:
            return ()
        found.append(cell)
        at = BETWEEN.match(name, at + len(cell)).end()  # type: ignore[union-attr]
    return tuple(found)


def columns(svg: str) -> set[str]:
    """The cells that stand for several places."""
    places: dict[str, set[tuple[float, float]]] = {}
    for match in SHAPE.finditer(svg):
        shape = _shape(match)
        places.setdefault(unescape(match[2]), set()).add((shape.x, shape.y))
    return {cell for cell, at in places.items() if len(at) > 1}


def spots(svg: str, cells: Sequence[str], other: str) -> tuple[tuple[float, float], ...]:
    """Where the cells of a move lie, in order; `other` is the picture before or after the move, by which those that stand for several places are told."""
    return tuple((s.x, s.y) for cell in cells for s in _places(svg, cell, other))


def contents(svg: str) -> dict[str, str]:
    """What lies on each cell, as it is written: equal texts look alike. That is all shapes over its first one, marked as the cell or in the middle of it."""
    grounds: dict[str, Shape] = {}
    found: dict[str, list[str]] = {}
    for match in DRAWN.finditer(svg):
        named = CELL.search(match[0])
        if named is not None and match[1] in GROUNDS:
            cell, shape = unescape(named[1]), _shape(match)
            if cell not in grounds:
                grounds[cell], found[cell] = shape, []
                continue
            found[cell].append(CELL.sub("", GEOMETRY.sub("", match[0])))
        elif (centre := _centre(match)) is not None:
            for cell, ground in grounds.items():
                if abs(ground.x - centre[0]) < ground.size / 4 and abs(ground.y - centre[1]) < ground.size / 4:
                    found[cell].append(PLACED.sub("", match[0]))
    return {cell: "".join(parts) for cell, parts in found.items()}


def mark_last(svg: str, cells: Iterable[str], before: str) -> str:
    """The picture with a rim around the cells of the last move; `before` is the picture without that move."""
    return _add(svg, [_rim(shape, LAST) for cell in cells for shape in _places(svg, cell, before)])


def mark_best(svg: str, cells: Sequence[str], after: str) -> str:
    """The picture with an arrow along the cells of the best move, or a rim around a single one; `after` is the picture with that move made."""
    places = [_places(svg, cell, after) for cell in cells]
    if len(cells) > 1 and all(len(at) == 1 for at in places):
        return _add(svg, [_arrow([at[0] for at in places])])
    return _add(svg, [_rim(shape, BEST) for at in places for shape in at])


def heat(svg: str, chances: Mapping[str, float]) -> str:
    """The picture with a veil over each cell, the redder the likelier something is there, and the chance in %."""
    marks = []
    for cell, chance in chances.items():
        for shape in {(s.x, s.y): s for s in reversed(_shapes(svg, cell))}.values():
            where = " ".join(GEOMETRY.findall(shape.text))
            said = f"{100 * chance:.0f}" if chance >= 0.095 else f"{100 * chance:.1g}"
            marks.append(f'<{shape.tag} {where} fill="{HOT}" fill-opacity="{0.08 + 0.82 * chance:.3f}"/>')
            marks.append(set_off(written(shape.x, shape.y, said, "#111", 0.36 * shape.size), HALO))
    return _add(svg, marks)


def _places(svg: str, cell: str, other: str) -> list[Shape]:
    """One shape for each place of the cell: the only one, or those that differ from the other picture."""
    shapes = _shapes(svg, cell)
    if len({(s.x, s.y) for s in shapes}) > 1:
        there = {match[0] for match in SHAPE.finditer(other)}
        shapes = [s for s in shapes if s.text not in there]
    return list({(s.x, s.y): s for s in reversed(shapes)}.values())


def _shapes(svg: str, cell: str) -> list[Shape]:
    return [_shape(match) for match in SHAPE.finditer(svg) if unescape(match[2]) == cell]


def _centre(match: re.Match[str]) -> tuple[float, float] | None:
    """The middle of a text, a disc or a piece; None for what has none that is written, or says nothing."""
    numbers = dict(NUMBERS.findall(match[0]))
    if match[1] == "circle":
        return float(numbers["cx"]), float(numbers["cy"])
    if match[1] == "text":
        return (float(numbers["x"]), float(numbers["y"])) if (match[2] or "").strip() else None
    moved = MOVED.search(match[0])
    return None if moved is None else (float(moved[1]), float(moved[2]))


def _shape(match: re.Match[str]) -> Shape:
    numbers = dict(re.findall(r'\b([a-z]+)="([^"]*)"', match[0]))
    if match[1] == "circle":
        return Shape(match[0], match[1], float(numbers["cx"]), float(numbers["cy"]), 2 * float(numbers["r"]))
    if match[1] == "rect":
        wide, high = float(numbers["width"]), float(numbers["height"])
        return Shape(match[0], match[1], float(numbers["x"]) + wide / 2, float(numbers["y"]) + high / 2, min(wide, high))
    corners = [tuple(map(float, corner.split(","))) for corner in numbers["points"].split()]
    x, y = (sorted(corner[i] for corner in corners) for i in (0, 1))
    return Shape(match[0], match[1], (x[0] + x[-1]) / 2, (y[0] + y[-1]) / 2, min(x[-1] - x[0], y[-1] - y[0]))


def _rim(shape: Shape, colour: str) -> str:
    where = " ".join(GEOMETRY.findall(shape.text))
    rims = ((HALO, 0.14), (colour, 0.08))
    return "".join(
        f'<{shape.tag} {where} fill="none" stroke="{c}" stroke-width="{w * shape.size:.3g}" stroke-linejoin="round"/>' for c, w in rims
    )


def _arrow(places: Sequence[Shape]) -> str:
    """From the first place over all others to the last."""
    width = 0.13 * places[-1].size
    (x1, y1), (x2, y2) = ((s.x, s.y) for s in places[-2:])
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    end = (x2 - 1.9 * width * dx, y2 - 1.9 * width * dy)
    line = " ".join(f"{x:.4g},{y:.4g}" for x, y in (*((s.x, s.y) for s in places[:-1]), end))
    tip = ((x2, y2), (end[0] - 1.5 * width * dy, end[1] + 1.5 * width * dx), (end[0] + 1.5 * width * dy, end[1] - 1.5 * width * dx))
    head = " ".join(f"{x:.4g},{y:.4g}" for x, y in tip)
    return (
        f'<g opacity="0.85"><polyline points="{line}" fill="none" stroke="{BEST}" stroke-width="{width:.3g}" stroke-linejoin="round"/>'
        f'<polygon points="{head}" fill="{BEST}"/></g>'
    )


def _add(svg: str, marks: Sequence[str]) -> str:
    """Marks on top of everything else."""
    body, end, rest = svg.rpartition("</svg>")
    return body + "".join(marks) + end + rest
