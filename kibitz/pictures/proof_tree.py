"""The tree of a proof-number search: proof and disproof number at each node, and the order in which leaves were expanded; as text, as a picture, as data.

Bold are the nodes that settle the root; where it is open, the way to the most proving node.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from kibitz.core.drawing import svg, tree_layout
from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import OVER
from kibitz.pictures.display import Display
from kibitz.pictures.outline import SIGNS, Line
from kibitz.pictures.tree_svg import APART, BELOW, BLUE, FILLS, INK, MARGIN, PALE, RED, SMALL, USUAL, Label, draw_label, edge
from kibitz.searches.proof.growth import Grown, Growth, finite, grow, shown
from kibitz.searches.trace import MOST

DRAWN, LISTED = 30, 60  # nodes in a picture and in a text, unless told
LEGEND = "p, d: proof and disproof number  #n: expanded n-th  ?: open leaf  ▲ player 1 to move  ▼ player 2"


@dataclass(eq=False)
class Shown:
    """A node that is shown, and how many of its children are not."""

    node: Grown
    name: str  # of the move that led here; empty at the root
    children: list[Shown] = field(default_factory=list)
    hidden: int = 0

    def walk(self) -> Iterator[Shown]:
        """This one and all below, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, repr=False)
class ProofTree(Display):
    """What a proof-number search has grown. Shows itself in a notebook; prints as text."""

    drawn: ClassVar[int] = DRAWN
    listed: ClassVar[int] = LISTED
    counted: ClassVar[str] = "node"
    growth: Growth

    @property
    def position(self) -> Position:
        return self.growth.claim.position

    @property
    def headline(self) -> str:
        """Game, search, answer, and what it took."""
        found = self.growth
        verdict = found.claim.as_words(found.verdict)
        ended = "" if found.ended == "solved" else f", ended by {found.ended}"
        took = f"{len(found.steps)} expanded, {sum(1 for _ in found.root.walk())} in the tree, {found.visited} visited"
        return f"{self.position.game.label}: {found.engine}: {verdict} ({took}{ended})"

    @property
    def remark(self) -> str:
        """What the tree does not say; empty where there is nothing."""
        return "repetition is not looked at here; kibitz prove walks its strategy with the rule" if self.position.game.repeats else ""

    def _picture(self, size: int) -> str:
        """Those nodes first that are bold."""
        return _draw(self._fold(size), self.growth, [self.headline, self.remark])

    def as_dict(self) -> dict[str, Any]:
        """The whole tree, and step by step how it grew, for `--json`; an infinite number is null."""
        growth, claim = self.growth, self.growth.claim
        names = _names(growth)
        bold = growth.settling()
        return {
            "game": self.position.game.label,
            "position": self.position.show(),
            "engine": growth.engine,
            "player": claim.player + 1,
            "goal": claim.goal,
            "within": claim.within,
            "verdict": growth.verdict,
            "ended": growth.ended,
            "visited": growth.visited,
            "steps": [
                {"step": i + 1, "leaf": step.leaf.number, "changed": [[node.number, *finite(pair)] for node, pair in step.changed]}
                for i, step in enumerate(growth.steps)
            ],
            "next": None if growth.following is None else growth.following.number,
            "nodes": [
                {
                    "node": node.number,
                    "parent": None if node.parent is None else node.parent.number,
                    "move": names[node] or None,
                    "player": node.mover if node.mover >= 0 else None,
                    "came": node.came,
                    "first": finite(node.first),
                    "expanded": node.expanded or None,
                    "numbers": finite(node.numbers),
                    "bold": node in bold,
                }
                for node in sorted(growth.root.walk(), key=lambda node: node.number)
            ],
        }

    def _fold(self, room: int) -> Shown:
        """The root and about `room` nodes in all: what settles it, then what is near it; all children of a node, or none."""
        names, bold = _names(self.growth), self.growth.settling()
        top = Shown(self.growth.root, "")
        waiting, left, count = [(False, 0, 0, top)], room - 1, 0
        while waiting:
            _, ply, _, item = heapq.heappop(waiting)
            children = item.node.children
            if len(children) > left:
                kept = [child for child in children if child in bold][:left]
                item.hidden = len(children) - len(kept)
                children = kept
            left -= len(children)
            item.children = [Shown(child, names[child]) for child in children]
            for child in item.children:
                count += 1
                heapq.heappush(waiting, (child.node not in bold, ply + 1, count, child))
        return top

    def _lines(self, size: int) -> list[Line]:
        bold = self.growth.settling()
        top = self._fold(size)
        said: list[Line] = [[(self.headline, "bold")], *([[(self.remark, "dim")]] if self.remark else [])]
        lines, below = [_text(top, bold)], _next_lines(top, "")
        while below:
            item, before, last = below.pop()
            branch = ("┕━ " if last else "┝━ ") if item.node in bold else ("└─ " if last else "├─ ")
            lines.append([(before + branch, "bold" if item.node in bold else "dim"), *_text(item, bold)])
            below += _next_lines(item, before + ("   " if last else "│  "))
        return [*said, *lines, [(LEGEND, "dim")]]


def trace_proof(position: Position, name: str, given: Mapping[str, Any], room: int = MOST) -> ProofTree:
    """The tree of a proof-number search named `pn` or `pn2`, with options as `growth` lists them."""
    return ProofTree(grow(position, name, given, room))


# --- text ---


def _next_lines(item: Shown, before: str) -> list[tuple[Shown, str, bool]]:
    """What comes below an item, the last first."""
    return [(child, before, i == len(item.children) - 1) for i, child in reversed(list(enumerate(item.children)))]


def _text(item: Shown, bold: set[Grown]) -> Line:
    node = item.node
    line: Line = [(f"{item.name} ", "bold cyan" if node in bold else "cyan")] if item.name else []
    line += [(f"{SIGNS.get(node.mover, '■')} ", ""), (_pair(node), "bold" if node in bold else "")]
    if node.expanded:
        line.append((f"  #{node.expanded}", "blue"))
    elif not node.is_settled:
        line.append(("  ?", "red"))
    return [*line, (f"  … {item.hidden} more", "dim italic")] if item.hidden else line


def _pair(node: Grown) -> str:
    return ", ".join(map(shown, node.numbers))


def _names(growth: Growth) -> dict[Grown, str]:
    """The moves in the game's notation."""
    found, positions = {growth.root: ""}, {growth.root: growth.claim.position}
    for node in growth.root.walk():
        here = positions.pop(node)
        for child in node.children:
            found[child] = str(here.named_line([child.move])[0])
            positions[child] = here.after_line([child.move])
    return found


# --- the picture ---


def _draw(top: Shown, growth: Growth, titles: list[str]) -> str:
    items, bold = [top], growth.settling()
    children: list[list[int]] = []
    for item in items:  # grows while it is walked
        children.append(list(range(len(items), len(items) + len(item.children))))
        items += item.children
    labels = [_label(item, bold, growth.following) for item in items]
    found = tree_layout.places(children, [label.box for label in labels], APART, BELOW + min(len(items) / 2, BELOW))
    titles = [title for title in titles if title]
    down = MARGIN + 20.0 * len(titles)
    width = max(found.width, *(svg.width_of(title, USUAL) for title in (*titles, LEGEND)))
    shift = MARGIN + (width - found.width) / 2
    centres = [(x + shift, y + down) for x, y in found.centres]
    levels = [(upper + down, lower + down) for upper, lower in found.levels]
    parts = [svg.written(MARGIN, MARGIN + 6 + 20 * i, title, INK, USUAL, anchor="start") for i, title in enumerate(titles)]
    parts += _edges(items, children, centres, levels, bold)
    for label, place in zip(labels, centres, strict=True):
        parts += draw_label(label, *place)
    end = found.height + down + 20
    parts.append(svg.written(MARGIN, end, LEGEND, PALE, SMALL, anchor="start"))
    body = f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}'
    return svg.document(round(width + 2 * MARGIN), round(end + MARGIN), body)


def _label(item: Shown, bold: set[Grown], following: Grown | None) -> Label:
    node = item.node
    label = Label(node.mover, FILLS.get(node.mover, "#fff"), above=item.name, bold=node in bold)
    label.inside = "" if node.mover != OVER else "yes" if node.numbers[0] == 0 else "no"
    label.beside = [(_pair(node), INK, True)]
    if node.expanded:
        label.beside.append((f"#{node.expanded}", BLUE, False))
    elif not node.is_settled:
        label.beside.append(("next" if node is following else "?", RED, False))
    label.under = [(f"… {item.hidden} more", PALE)] if item.hidden else []
    return label


def _edges(
    items: list[Shown], children: list[list[int]], centres: list[tuple[float, float]], levels: list[tuple[float, float]], bold: set[Grown]
) -> list[str]:
    level, parts = [0] * len(items), []
    for node, below in enumerate(children):
        for child in below:
            level[child] = level[node] + 1
            style = f'stroke="{INK}" stroke-width="2.6"' if items[child].node in bold else f'stroke="{PALE}"'
            parts.append(edge(centres[node], levels[level[node]][1], levels[level[child]][0], centres[child], style))
    return parts
