"""A tree of a search as SVG, in the textbook's shapes.

Triangles point up where MAX (player 0) moves and down where MIN does, circles are chance, boxes are leaves: finished games sharp, evaluations round. Where there is a value for
each player, all triangles point up, for everybody wants his own to be high, and bear the number of who moves.
The move stands above a node, its value and its windows beside it. What was not searched is grey, behind two red strokes where a cut is the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kibitz.core.drawing import svg, tree_layout
from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.pictures.trace_tree import Node
from kibitz.pictures.tree_excerpt import Item
from kibitz.pictures.words import Words
from kibitz.searches import trace

MARGIN, APART, BELOW = 14, 12, 34
SMALL, USUAL = 10, 13  # letters
LINE = 12.5  # from one line of small letters to the next
BESIDE = 6  # between a shape and what stands beside it

INK, PALE, RED, BLUE, PURPLE = "#111", "#888", "#c22", "#246", "#639"
GREY, LIGHT = "#aaa", "#ccc"
FILLS = {0: "#dbe8ff", 1: "#ffe2cc", 2: "#dcf2d4", 3: "#fff2b8", 4: "#d3f1f0", 5: "#f8d9ea", CHANCE: "#eee3fa", OVER: "#fff"}
HORIZON = "#e8f5e4"
Sign = tuple[str, float, str]  # how it is drawn, half its width, what it means


@dataclass
class Label:
    """What is drawn for one item, before it has a place."""

    mover: int = OVER
    fill: str = "#fff"
    stroke: str = INK
    corner: float = 0
    scale: float = 1.0
    shape: bool = True
    above: str = ""  # the move
    inside: str = ""  # a leaf's value
    number: str = ""  # of the player who moves, in the shape
    beside: list[tuple[str, str, bool]] = field(default_factory=list)  # lines: text, colour, whether it is the value
    under: list[tuple[str, str]] = field(default_factory=list)
    bold: bool = False

    @property
    def half(self) -> float:
        """Of the shape's width."""
        if not self.shape or self.mover == OVER:
            return max(svg.width_of(self.inside, USUAL) / 2 + 5, 11 if self.shape else 0)
        return (svg.SHAPE + 3) * self.scale

    @property
    def tall(self) -> float:
        """From the centre to the end of what stands beside the shape."""
        return max(float(svg.SHAPE), LINE * len(self.beside) / 2 + 2)

    @property
    def box(self) -> tree_layout.Box:
        above = svg.width_of(self.above, SMALL + 1) / 2
        under = max((svg.width_of(said, SMALL) / 2 for said, _ in self.under), default=0.0)
        beside = max((svg.width_of(said, USUAL if value else SMALL) for said, _, value in self.beside), default=0.0)
        left = max(self.half, above, under)
        right = max(left, self.half + BESIDE + beside if beside else 0.0)
        return tree_layout.Box(left, right, self.tall + (15 if self.above else 3), self.tall + LINE * len(self.under) + 3)


def draw(top: Item, words: Words, titles: list[str]) -> str:
    """The picture: titles, the tree, what its signs mean."""
    items, children = _number_items(top)
    labels = [_label(item, words) for item in items]
    found = tree_layout.places(children, [label.box for label in labels], APART, _below(items))
    titles = [title for title in titles if title]
    down = MARGIN + 20 * len(titles)
    width = max(found.width, *(svg.width_of(title, USUAL) for title in titles), 320.0)
    shift = MARGIN + (width - found.width) / 2
    centres = [(x + shift, y + down) for x, y in found.centres]
    levels = [(top + down, bottom + down) for top, bottom in found.levels]
    parts = [svg.written(MARGIN, MARGIN + 6 + 20 * i, title, RED if i else INK, USUAL, anchor="start") for i, title in enumerate(titles)]
    parts += _edges(items, children, labels, centres, levels)
    for label, place in zip(labels, centres, strict=True):
        parts += draw_label(label, *place)
    height = found.height + down + 16
    rows, end = legend(_signs(items, words), width, height)
    body = f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts + rows)}'
    return svg.document(round(width + 2 * MARGIN), round(end + MARGIN), body)


def _number_items(top: Item) -> tuple[list[Item], list[list[int]]]:
    """The items, parents first, and the numbers of each one's children."""
    items, children = [top], []
    for item in items:  # grows while it is walked
        below = [] if item.stub else item.children
        children.append(list(range(len(items), len(items) + len(below))))
        items += below
    return items, children


def _below(items: list[Item]) -> float:
    """Room between two levels: more in a wide tree, whose edges would lie flat."""
    return BELOW + min(len(items) / 2, BELOW)


# --- labels ---


def _label(item: Item, words: Words) -> Label:
    if item.node is not None:
        label = _of_leaf(item.node, words) if item.node.is_leaf else _of_node(item.node, words)
        label.under += [(item.stub, PALE)] if item.stub else []
        return label
    if item.position is not None:
        return _of_skipped(item, item.position, words)
    return Label(shape=False, inside=item.said, stroke=PALE)


def _of_node(node: Node, words: Words) -> Label:
    beside = [(words.value(node), INK, True)]
    beside += [(said, RED if said.endswith("cut") else BLUE, False) for said in words.visits(node)]
    if running := words.running(node):
        beside.append((f"→ {running}", PURPLE, False))
    side = words.side(node.mover)
    label = Label(side, FILLS.get(side, "#fff"), above=words.step_to(node), beside=beside, bold=node.best)
    if words.numbered and side >= 0:
        label.mover, label.number = 0, str(side + 1)
    return label


def _of_leaf(node: Node, words: Words) -> Label:
    how = node.visits[-1].how
    under = [(said, BLUE) for said in words.visits(node)]
    under += [("repeated", PALE)] if how == trace.REPETITION else []
    if running := words.running(node):
        under.append((f"→ {running}", PURPLE))
    evaluated = how == trace.EVALUATED
    return Label(
        OVER,
        HORIZON if evaluated else "#fff",
        corner=svg.SHAPE if evaluated else 1,
        above=words.step_to(node),
        inside=words.value(node),
        under=under,
        bold=node.best,
    )


def _of_skipped(item: Item, position: Position, words: Words) -> Label:
    """A finished game with its value, another node as a small shape."""
    name = str(item.skipped[0])
    if position.is_over:
        return Label(OVER, "#fafafa", GREY, corner=1, above=name, inside=words.utility(position))
    return Label(0 if words.numbered and position.player >= 0 else words.side(position.player), "#fafafa", GREY, scale=0.6, above=name)


# --- shapes ---


def draw_label(label: Label, x: float, y: float) -> list[str]:
    """A node with all that is written at it."""
    ink = label.stroke if label.stroke in (GREY, PALE) else INK
    parts = [svg.set_off(svg.written(x, y - label.tall - 9, label.above, ink, SMALL + 1, bold=label.bold), "#fff")] if label.above else []
    if label.shape:
        style = f'fill="{label.fill}" stroke="{label.stroke}" stroke-width="{2.2 if label.bold else 1}"'
        parts.append(svg.node(x, y, label.mover, style, 2 * label.half, label.corner, label.scale))
    if label.number:
        parts.append(svg.written(x, y + 3, label.number, ink, SMALL, bold=True))
    if label.inside:
        parts.append(svg.written(x, y, label.inside, ink, USUAL if label.shape else SMALL, bold=label.bold))
    across = x + label.half + BESIDE
    first = y - LINE * (len(label.beside) - 1) / 2
    for i, (said, colour, value) in enumerate(label.beside):
        parts.append(svg.written(across, first + i * LINE, said, colour, USUAL if value else SMALL, bold=value, anchor="start"))
    for i, (said, colour) in enumerate(label.under):
        parts.append(svg.written(x, y + label.tall + 8 + i * LINE, said, colour, SMALL))
    return parts


def _edges(
    items: list[Item], children: list[list[int]], labels: list[Label], centres: list[tuple[float, float]], levels: list[tuple[float, float]]
) -> list[str]:
    """From a node straight down to the end of its level, across, and straight down to the child: nothing is written where they cross."""
    level = [0] * len(items)
    plain: list[str] = []
    bold: list[str] = []
    for node, (x, y) in enumerate(centres):
        bottom = levels[level[node]][1]
        for child in children[node]:
            level[child] = level[node] + 1
            below_x, below_y = centres[child]
            top = levels[level[child]][0]
            item = items[child]
            style = f'stroke="{INK}" stroke-width="2.6"' if item.best else f'stroke="{PALE}"'
            if item.node is None:
                style = f'stroke="{LIGHT}" stroke-dasharray="{"4 3" if item.skipped else "1 3"}"'
            end = below_y if labels[child].shape else below_y - 8
            (bold if item.best else plain).append(edge((x, y), bottom, top, (below_x, end), style))
            if item.cut:
                plain += _strokes((x, bottom), (below_x, top))
    return plain + bold


def edge(start: tuple[float, float], bottom: float, top: float, end: tuple[float, float], style: str) -> str:
    """Straight down to the end of a level, across to the next one, straight down."""
    points = f"{start[0]:g},{start[1]:g} {start[0]:g},{bottom:g} {end[0]:g},{top:g} {end[0]:g},{end[1]:g}"
    return f'<polyline points="{points}" fill="none" {style}/>'


def _strokes(start: tuple[float, float], end: tuple[float, float]) -> list[str]:
    """Two short strokes across the middle of an edge."""
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
    parts = []
    for shift in (-2.0, 2.0):
        x, y = (x1 + x2) / 2 + shift * along_x, (y1 + y2) / 2 + shift * along_y
        ends = f'x1="{x - 6 * along_y:g}" y1="{y + 6 * along_x:g}" x2="{x + 6 * along_y:g}" y2="{y - 6 * along_x:g}"'
        parts.append(f'<line {ends} stroke="{RED}" stroke-width="1.6"/>')
    return parts


# --- the legend ---


def legend(signs: list[Sign], width: float, top: float) -> tuple[list[str], float]:
    """Signs and what they mean, in rows as wide as the picture; and where they end."""
    x, y = float(MARGIN), top + 10
    parts: list[str] = []
    for sign, half, meaning in signs:
        wide = 2 * half + 6 + svg.width_of(meaning, SMALL) + 16
        if x + wide > width + MARGIN and x > MARGIN:
            x, y = float(MARGIN), y + 22
        parts.append(f'<g transform="translate({x + half:g} {y:g})">{sign}</g>')
        parts.append(svg.written(x + 2 * half + 6, y, meaning, PALE, SMALL, anchor="start"))
        x += wide
    return parts, y + 10


def said_sign(said: str, colour: str, meaning: str) -> Sign:
    """A sign that is written."""
    return svg.written(0, 0, said, colour, SMALL), svg.width_of(said, SMALL) / 2, meaning


def _signs(items: list[Item], words: Words) -> list[Sign]:
    """Those that occur."""
    nodes = [item.node for item in items if item.node is not None]
    movers = {node.mover for node in nodes if not node.is_leaf}
    visits = [visit for node in nodes for visit in node.visits]
    endings = {visit.how for visit in visits}
    outlined, skipped = f'stroke="{INK}"', f'<line x1="-9" x2="9" stroke="{LIGHT}" stroke-dasharray="4 3"/>'
    sides = {words.side(mover) for mover in movers}
    named = [(0, "MAX: player 1"), (1, "MIN: player 2"), (CHANCE, "chance")]
    if words.numbered:
        named = [*((p, f"player {p + 1}") for p in range(words.game.players)), (CHANCE, "chance")]
    elif words.hero is not None:
        named = [(0, f"MAX: player {words.hero + 1}"), (1, "all others")]
    shapes = [
        (
            svg.node(0, 0, 0 if words.numbered and side >= 0 else side, f'fill="{FILLS.get(side, "#fff")}" {outlined}', scale=0.6),
            meaning,
            side in sides,
        )
        for side, meaning in named
    ]
    shapes += [
        (svg.node(0, 0, OVER, f'fill="#fff" {outlined}', 16, 1, 0.6), "game over", trace.FINISHED in endings),
        (svg.node(0, 0, OVER, f'fill="{HORIZON}" {outlined}', 18, 8, 0.6), "evaluated", trace.EVALUATED in endings),
        (f'<line x1="-9" x2="9" stroke="{INK}" stroke-width="2.6"/>', "best line", any(node.best for node in nodes)),
        (skipped + "".join(_strokes((-9, 0), (9, 0))), "cut off", any(item.cut for item in items)),
        (skipped, "not searched", any(item.skipped and not item.cut for item in items)),
    ]
    written = [
        ("(2, 5)", BLUE, "window", any(v.has_window and not v.is_question for v in visits)),
        ("> 3?", BLUE, "null window: yes or no", any(v.is_question for v in visits)),
        ("1: 2:", BLUE, "visited again", any(len(node.visits) > 1 for node in nodes)),
        ("table", BLUE, "known already", trace.KNOWN in endings),
        ("→ [1, 9]", PURPLE, "bounds of the node above", any(v.least == v.least for v in visits)),
    ]
    return [(sign, 12.0, meaning) for sign, meaning, occurs in shapes if occurs] + [
        said_sign(said, colour, meaning) for said, colour, meaning, occurs in written if occurs
    ]
