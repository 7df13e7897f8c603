"""A tree as text: a line for each node, below its parent; styles for the terminal, plain characters elsewhere."""

from __future__ import annotations

from kibitz.core.protocol.rules import CHANCE
from kibitz.pictures.trace_tree import Node
from kibitz.pictures.tree_excerpt import Item
from kibitz.pictures.words import Words
from kibitz.searches import trace

SIGNS = {0: "▲", 1: "▼", CHANCE: "●"}
NUMBERS = "①②③④⑤⑥⑦⑧⑨"
LEAF_SIGNS = {trace.FINISHED: "■", trace.EVALUATED: "◆", trace.REPETITION: "↻"}
MOST_MOVES = 12  # named, of those that were not searched

Span = tuple[str, str]  # text and style
Line = list[Span]

EXPLAINED = (
    ("▲", "MAX (player 1)"),
    ("▼", "MIN (player 2)"),
    ("●", "chance"),
    ("■", "the game is over"),
    ("◆", "evaluated at the horizon"),
    ("↻", "repeated"),
    ("━", "best line"),
    ("✂", "cut off"),
)


def outline(top: Item, words: Words) -> list[Line]:
    """The lines of the tree, the root first."""
    lines = [_node(top.node, words)] if top.node else []
    stack = [(child, "", i == len(top.children) - 1) for i, child in reversed(list(enumerate(top.children)))]
    while stack:
        item, before, last = stack.pop()
        branch = ("┕━ " if last else "┝━ ") if item.best else ("└─ " if last else "├─ ")
        lines.append([(before + branch, "bold" if item.best else "dim"), *_item(item, words)])
        if item.stub:
            lines[-1].append((f"  {item.stub}", "dim italic"))
            continue
        inside = before + ("   " if last else "│  ")
        stack += [(child, inside, i == len(item.children) - 1) for i, child in reversed(list(enumerate(item.children)))]
    return lines


def legend(lines: list[Line], hero: int | None = None) -> Line:
    """What the signs mean, of those that occur; `hero`: the player against whom all others are."""
    used = "".join(text for line in lines for text, _ in line)
    known = list(EXPLAINED)
    if hero is not None:
        known[:2] = [("▲", f"MAX (player {hero + 1})"), ("▼", "all others")]
    known += [(sign, f"player {p}") for p, sign in enumerate(NUMBERS, 1)]
    return [("  ".join(f"{sign} {meaning}" for sign, meaning in known if sign in used), "dim")]


def sign(mover: int, words: Words) -> str:
    """Who moves at a node."""
    return NUMBERS[mover] if words.numbered and 0 <= mover < len(NUMBERS) else SIGNS.get(words.side(mover), "■")


def plain(lines: list[Line]) -> str:
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def _item(item: Item, words: Words) -> Line:
    if item.node is not None:
        return _node(item.node, words)
    if item.skipped:
        named = ", ".join(map(str, item.skipped[:MOST_MOVES])) + (
            f" and {len(item.skipped) - MOST_MOVES} more" if len(item.skipped) > MOST_MOVES else ""
        )
        return [("✂ ", "red"), (f"{named} cut off", "dim")] if item.cut else [(f"{named} not searched", "dim")]
    return [(item.said, "dim italic")]


def _node(node: Node, words: Words) -> Line:
    shown = LEAF_SIGNS[node.visits[-1].how] if node.is_leaf else sign(node.mover, words)
    line: Line = [(f"{words.step_to(node)} ", "bold cyan" if node.best else "cyan")] if node.parent else []
    line += [(f"{shown} ", ""), (words.value(node), "bold" if node.best else "")]
    for said in words.visits(node):
        line.append((f"  {said}", "red" if said.endswith("cut") else "blue"))
    if running := words.running(node):
        line.append((f"  → {running}", "magenta"))
    return line
