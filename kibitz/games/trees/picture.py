"""A tree as SVG: triangles that point up for player 0, who wants high values, down for player 1; circles for chance; leaves with values."""

from __future__ import annotations

from html import escape

from kibitz.core.rules import CHANCE, OVER
from kibitz.games.trees.notation import Tree, plain

ACROSS, DOWN = 44, 64  # from leaf to leaf, from ply to ply
MARGIN = 28
SIZE = 13  # of a shape, from its centre
HERE, ELSEWHERE = "#fc6", "#eef"


def picture(tree: Tree, here: int) -> str:
    """The whole tree, the node `here` in another colour."""
    places = _places(tree)
    parts: list[str] = []
    for node, (x, y) in enumerate(places):
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            below_x, below_y = places[child]
            parts.append(f'<line x1="{x:g}" y1="{y:g}" x2="{below_x:g}" y2="{below_y:g}" stroke="#888"/>')
            if said := _said_of_edge(tree, child):
                parts.append(_text((x + below_x) / 2, (y + below_y) / 2, said, "#666", 11, around="#fff"))
    for node, place in enumerate(places):
        parts += _shape(tree, node, place, node == here)
    width = max(x for x, _ in places) + MARGIN
    height = max(y for _, y in places) + MARGIN
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">{"".join(parts)}</svg>'


def _places(tree: Tree) -> list[tuple[float, float]]:
    """Leaves stand side by side, every other node above the middle of its children."""
    across, depth = [0.0] * len(tree.first), [0] * len(tree.first)
    stack, leaves = [0], 0
    while stack:  # leaves from left to right
        node = stack.pop()
        children = range(tree.first[node], tree.first[node] + tree.count[node])
        for child in children:
            depth[child] = depth[node] + 1
        stack += reversed(children)
        if tree.mover[node] == OVER:
            across[node] = MARGIN + leaves * ACROSS
            leaves += 1
    for node in reversed(range(len(tree.first))):  # children come after their parents
        if tree.count[node]:
            across[node] = (across[tree.first[node]] + across[tree.first[node] + tree.count[node] - 1]) / 2
    return [(x, MARGIN + level * DOWN) for x, level in zip(across, depth, strict=True)]


def _shape(tree: Tree, node: int, place: tuple[float, float], is_here: bool) -> list[str]:
    (x, y), fill, value = place, HERE if is_here else ELSEWHERE, tree.value[node]
    style = f'fill="{fill}" stroke="#222" stroke-width="{2 if is_here else 1}"'
    if tree.mover[node] == OVER:
        box = f'<rect x="{x - SIZE - 4:g}" y="{y - SIZE:g}" width="{2 * SIZE + 8}" height="{2 * SIZE}" rx="4" {style}/>'
        return [box if is_here else "", _text(x, y, f"{plain(value or 0.0)}", "#111", 14, around=fill if is_here else "#fff")]
    if tree.mover[node] == CHANCE:
        shape = f'<circle cx="{x:g}" cy="{y:g}" r="{SIZE}" {style}/>'
    else:
        tip = SIZE if tree.mover[node] else -SIZE
        shape = f'<polygon points="{x:g},{y + tip:g} {x - SIZE - 3:g},{y - tip:g} {x + SIZE + 3:g},{y - tip:g}" {style}/>'
    return [shape, "" if value is None else _text(x + SIZE + 12, y, f"{plain(value)}", "#666", 11)]


def _said_of_edge(tree: Tree, child: int) -> str:
    """The name of the move and its weight, where they were given."""
    return " ".join(part for part in (tree.label[child], f"{plain(tree.weight[child])}" if tree.weight[child] else "") if part)


def _text(x: float, y: float, text: str, fill: str, size: int, around: str = "none") -> str:
    """Centred text, set off from what lies below it by a rim of the colour `around`."""
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{fill}" font-size="{size}" font-family="sans-serif" text-anchor="middle" '
        f'dominant-baseline="central" stroke="{around}" stroke-width="4" paint-order="stroke">{escape(text)}</text>'
    )
