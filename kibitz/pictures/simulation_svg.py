"""A Monte Carlo tree as SVG: four frames, one for each step of the last simulation.

    1 select      the path, and the upper confidence bounds that were compared along it
    2 expand      the position that comes into the tree, with nothing known of it yet
    3 simulate    the playout from there, and what it came to
    4 back up     what changes

Shapes and colours are those of kibitz/pictures/tree_svg.py. U/N stands beside each position.
"""

from __future__ import annotations

from kibitz.core.drawing import svg, tree_layout
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.pictures.simulation_excerpt import Shown, counts
from kibitz.pictures.tree_svg import (
    APART,
    BELOW,
    BLUE,
    FILLS,
    INK,
    LINE,
    MARGIN,
    PALE,
    RED,
    USUAL,
    Label,
    Sign,
    draw_label,
    edge,
    legend,
    said_sign,
)
from kibitz.searches.mcts.report.last_simulation import Steps, Twig

SELECT, EXPAND, SIMULATE, BACK_UP = 0, 1, 2, 3
BETWEEN = 26  # frames
WIDEST = 1200  # two frames stand side by side if they are not wider than that together
PLAYED = 46  # how far down a playout goes
Frame = tuple[list[str], float, float]  # its parts from (0, 0), width and height


def draw(top: Shown, steps: Steps, titles: list[str], told: list[str]) -> str:
    """The picture: titles, and a frame for each line that is told."""
    made = [_frame(top, steps, step, said.partition(":")[0] if step == BACK_UP else said) for step, said in enumerate(told)]
    columns = 2 if len(made) > 1 and 2 * max(width for _, width, _ in made) + BETWEEN <= WIDEST else 1
    down = MARGIN + 20.0 * len(titles)
    parts = [svg.written(MARGIN, MARGIN + 6 + 20 * i, title, INK, USUAL, anchor="start") for i, title in enumerate(titles)]
    across = max(width for _, width, _ in made) + BETWEEN
    wide = max(columns * across - BETWEEN, *(svg.width_of(title, USUAL) for title in titles))
    for first in range(0, len(made), columns):
        row = made[first : first + columns]
        for column, (drawing, _, _) in enumerate(row):
            parts.append(f'<g transform="translate({MARGIN + column * across:g} {down:g})">{"".join(drawing)}</g>')
        down += max(height for _, _, height in row) + BETWEEN
    rows, end = legend(_signs(top, steps), wide, down - BETWEEN + 16)
    parts += rows
    body = f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}'
    return svg.document(round(wide + 2 * MARGIN), round(end + MARGIN), body)


def _frame(top: Shown, steps: Steps, step: int, said: str) -> Frame:
    items, children, parents = _number_items(top, step)
    labels = [_label(item, parents[i], steps, step) for i, item in enumerate(items)]
    for i, item in enumerate(items):
        if item.hidden and children[i]:
            labels[i].beside.append((f"… {item.hidden}", PALE, False))
        elif item.hidden:
            labels[i].under.append((f"… {item.hidden}", PALE))
    found = tree_layout.places(children, [label.box for label in labels], APART, BELOW)
    down, width = 22.0, max(found.width, svg.width_of(said, USUAL - 1))
    shift = (width - found.width) / 2
    centres = [(x + shift, y + down) for x, y in found.centres]
    levels = [(upper + down, lower + down) for upper, lower in found.levels]
    parts = [svg.written(0, 6, said, INK, USUAL - 1, bold=True, anchor="start")]
    parts += _edges(items, children, centres, levels)
    height = found.height + down
    if step == SIMULATE and steps.path:
        end = next((i for i, item in enumerate(items) if item.twig is steps.path[-1]), 0)
        parts += _playout(*centres[end], labels[end], said.partition(": ")[2])
        height = max(height, centres[end][1] + labels[end].tall + PLAYED + 24 + LINE * len(labels[end].under))
        half = svg.width_of(said.partition(": ")[2], USUAL - 2) / 2 + 6
        width = max(width, centres[end][0] + half)
    for label, place in zip(labels, centres, strict=True):
        parts += draw_label(label, *place)
    return parts, width, height


def _number_items(top: Shown, step: int) -> tuple[list[Shown], list[list[int]], list[Shown | None]]:
    """The items of a frame, parents first, the numbers of each one's children, and each one's parent; what is new is not there while it is selected."""
    items, children = [top], []
    parents: list[Shown | None] = [None]
    for item in items:  # grows while it is walked
        below = [child for child in item.children if step != SELECT or not child.twig.is_new]
        children.append(list(range(len(items), len(items) + len(below))))
        items += below
        parents += [item] * len(below)
    return items, children, parents


def _label(item: Shown, parent: Shown | None, steps: Steps, step: int) -> Label:
    twig = item.twig
    changed = step == BACK_UP and twig.on_path
    beside = [(_counts(twig, step), RED if changed else INK, True)]
    bound = steps.bound(parent.twig, twig) if parent is not None and step == SELECT else None
    if bound is not None:
        beside.append((f"UCB {bound:.5f}", BLUE, False))
    if item.certain and step == BACK_UP:
        beside.append((item.certain, BLUE, False))
    mover = OVER if item.position.is_over else item.mover
    return Label(mover, FILLS.get(item.mover, "#fff"), above=item.name, beside=beside, bold=twig.on_path)


def _counts(twig: Twig, step: int) -> str:
    return counts(twig.total, twig.visits) if step == BACK_UP else counts(twig.total_before, twig.visits_before)


def _edges(
    items: list[Shown], children: list[list[int]], centres: list[tuple[float, float]], levels: list[tuple[float, float]]
) -> list[str]:
    level = [0] * len(items)
    parts: list[str] = []
    for node, below in enumerate(children):
        for child in below:
            level[child] = level[node] + 1
            on_path = items[child].twig.on_path
            style = f'stroke="{INK}" stroke-width="2.6"' if on_path else f'stroke="{PALE}"'
            parts.append(edge(centres[node], levels[level[node]][1], levels[level[child]][0], centres[child], style))
    return parts


def _playout(x: float, y: float, label: Label, said: str) -> list[str]:
    """A dotted way down to what the playout came to."""
    start = y + label.tall + LINE * len(label.under) + 4
    style = f'stroke="{RED}" stroke-width="1.6" stroke-dasharray="2 4"'
    line = f'<line x1="{x:g}" y1="{start:g}" x2="{x:g}" y2="{start + PLAYED - 14:g}" {style}/>'
    half = svg.width_of(said, USUAL - 2) / 2 + 5
    box = svg.node(x, start + PLAYED, OVER, f'fill="#fff" stroke="{RED}"', 2 * half, 3)
    return [line, box, svg.written(x, start + PLAYED, said, INK, USUAL - 2)]


# --- the legend ---


def _signs(top: Shown, steps: Steps) -> list[Sign]:
    """What the signs mean that occur; those of the steps only where there are steps."""
    items = list(top.walk())
    movers = {item.mover for item in items if not item.position.is_over}
    outlined = f'stroke="{INK}"'
    signs: list[Sign] = [
        (
            svg.node(0, 0, mover, f'fill="{FILLS.get(mover, "#fff")}" {outlined}', scale=0.6),
            12.0,
            "chance" if mover == CHANCE else f"{top.position.game.side(mover)} moves",
        )
        for mover in sorted(movers, key=lambda mover: (mover == CHANCE, mover))
    ]
    if any(item.position.is_over for item in items):
        signs.append((svg.node(0, 0, OVER, f'fill="{FILLS[OVER]}" {outlined}', 16, 1, 0.6), 12.0, "game over"))
    signs.append(said_sign("U/N", INK, "wins / simulations, for whoever moved there"))
    if steps.path:
        signs.append((f'<line x1="-9" x2="9" stroke="{INK}" stroke-width="2.6"/>', 12.0, "path of this simulation"))
        if steps.explore is not None:
            signs.append(said_sign("UCB", BLUE, "upper confidence bound: the largest is followed"))
        signs.append((f'<line x1="-9" x2="9" stroke="{RED}" stroke-width="1.6" stroke-dasharray="2 4"/>', 12.0, "playout"))
        signs.append(said_sign("U/N", RED, "changed"))
    if any(item.hidden for item in items):
        signs.append(said_sign("… 6", PALE, "moves not shown, or not tried yet"))
    return signs
