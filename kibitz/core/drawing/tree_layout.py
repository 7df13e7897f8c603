"""The layout of a drawn tree: children below their parent from left to right, without overlap, as narrow as possible.

After Reingold and Tilford (1981), with boxes of any size: each subtree carries its outline, level by level, and is pushed to the right until it
clears what stands there already. Levels are as high as their highest box.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Box(NamedTuple):
    """How far a node reaches from its centre."""

    left: float
    right: float
    up: float
    down: float


class Places(NamedTuple):
    """Centres of the nodes, and how far each level reaches, its highest boxes included. The picture begins at (0, 0)."""

    centres: list[tuple[float, float]]
    levels: list[tuple[float, float]]  # top and bottom
    width: float
    height: float


Outline = list[tuple[float, float]]  # of a subtree: left and right end at each level, from its root's centre


def places(children: Sequence[Sequence[int]], boxes: Sequence[Box], apart: float, below: float) -> Places:
    """Node 0 is the root, and children have higher numbers than their parents.

    `apart` is the room between two boxes side by side, `below` that between two levels.
    """
    level = _levels(children)
    shift = _shifts(children, boxes, apart)
    across = [0.0] * len(boxes)
    for node, its_children in enumerate(children):
        for child in its_children:
            across[child] = across[node] + shift[child]
    left = min(x - box.left for x, box in zip(across, boxes, strict=True))
    bands, top = [], 0.0
    for depth in range(max(level) + 1):
        here = [box for box, of in zip(boxes, level, strict=True) if of == depth]
        middle = top + max(box.up for box in here)
        bands.append((top, middle, middle + max(box.down for box in here)))
        top = bands[-1][2] + below
    centres = [(x - left, bands[of][1]) for x, of in zip(across, level, strict=True)]
    width = max(x + box.right for (x, _), box in zip(centres, boxes, strict=True))
    return Places(centres, [(band[0], band[2]) for band in bands], width, bands[-1][2])


def _levels(children: Sequence[Sequence[int]]) -> list[int]:
    level = [0] * len(children)
    for node, its_children in enumerate(children):
        for child in its_children:
            level[child] = level[node] + 1
    return level


def _shifts(children: Sequence[Sequence[int]], boxes: Sequence[Box], apart: float) -> list[float]:
    """How far right of its parent each node stands."""
    shift = [0.0] * len(boxes)
    outlines: dict[int, Outline] = {}
    for node in range(len(boxes) - 1, -1, -1):  # children first
        merged: Outline = []
        for child in children[node]:
            outline = outlines.pop(child)
            shift[child] = max((right + apart - left for (_, right), (left, _) in zip(merged, outline, strict=False)), default=0.0)
            moved = [(left + shift[child], right + shift[child]) for left, right in outline]
            both = min(len(merged), len(moved))
            merged = [(merged[i][0], moved[i][1]) for i in range(both)] + merged[both:] + moved[both:]
        middle = (shift[children[node][0]] + shift[children[node][-1]]) / 2 if children[node] else 0.0
        for child in children[node]:
            shift[child] -= middle
        outlines[node] = [(-boxes[node].left, boxes[node].right), *((left - middle, right - middle) for left, right in merged)]
    return shift
