"""A tree as SVG: triangles that point up for player 0, who wants high values, down for player 1; circles for chance; leaves with values."""

from __future__ import annotations

from kibitz import OVER, svg, tree_layout
from kibitz.games.trees.notation import Tree, plain

APART, DOWN = 14, 38  # between nodes side by side, between plies
MARGIN = 12
HERE, ELSEWHERE = "#fc6", "#eef"


def picture(tree: Tree, here: int) -> str:
    """The whole tree, the node `here` in another colour."""
    children = [range(first, first + count) for first, count in zip(tree.first, tree.count, strict=True)]
    found = tree_layout.places(children, [_box(tree, node) for node in range(len(children))], APART, DOWN)
    centres = [(x + MARGIN, y + MARGIN) for x, y in found.centres]
    parts: list[str] = []
    for node, (x, y) in enumerate(centres):
        for child in children[node]:
            below_x, below_y = centres[child]
            parts.append(f'<line x1="{x:g}" y1="{y:g}" x2="{below_x:g}" y2="{below_y:g}" stroke="#888"/>')
            if said := _said_of_edge(tree, child):
                parts.append(svg.set_off(svg.written((x + 2 * below_x) / 3, (y + 2 * below_y) / 3, said, "#666", 11), "#fff"))
    for node, place in enumerate(centres):
        parts += _shape(tree, node, place, node == here)
    return svg.document(found.width + 2 * MARGIN, found.height + 2 * MARGIN, "".join(parts))


def _box(tree: Tree, node: int) -> tree_layout.Box:
    """The room a node needs: its shape and the value beside it, or the value alone; and what is written on the way to it."""
    said, value = svg.width_of(_said_of_edge(tree, node), 11) / 2, tree.value[node]
    if tree.mover[node] == OVER:
        half = max(svg.width_of(_told(tree, node), 14) / 2, svg.SHAPE, said)
        return tree_layout.Box(half, half, svg.SHAPE, svg.SHAPE)
    beside = 0.0 if value is None else svg.width_of(_told(tree, node), 11) + 6
    return tree_layout.Box(max(svg.SHAPE + 3, said), max(svg.SHAPE + 3 + beside, said), svg.SHAPE, svg.SHAPE)


def _shape(tree: Tree, node: int, place: tuple[float, float], is_here: bool) -> list[str]:
    (x, y), fill, value = place, HERE if is_here else ELSEWHERE, tree.value[node]
    shape = svg.node(x, y, tree.mover[node], f'fill="{fill}" stroke="#222" stroke-width="{2 if is_here else 1}"')
    if tree.mover[node] == OVER:
        return [shape if is_here else "", svg.set_off(svg.written(x, y, _told(tree, node), size=14), fill if is_here else "#fff")]
    return [shape, "" if value is None else svg.written(x + svg.SHAPE + 6, y, _told(tree, node), "#666", 11, anchor="start")]


def _told(tree: Tree, node: int) -> str:
    """The value of a node: a number, or one for each player."""
    return ", ".join(f"{plain(v)}" for v in tree.vector[node] or (tree.value[node] or 0.0,))


def _said_of_edge(tree: Tree, child: int) -> str:
    """The name of the move and its weight, where they were given."""
    return " ".join(part for part in (tree.label[child], f"{plain(tree.weight[child])}" if tree.weight[child] else "") if part)
