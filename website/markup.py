"""Small pieces of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table; a bar within a cell is written so that it divides nothing."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines)


def words(docstring: str) -> str:
    """A docstring as Markdown: what is indented in it stays as it is written, and so do signs that Markdown would take for its own."""
    paragraphs = []
    for paragraph in docstring.split("\n\n"):
        if all(line.startswith("    ") for line in paragraph.splitlines()):
            paragraphs.append(paragraph)
        else:
            paragraphs.append("`".join(plain(part) if i % 2 == 0 else part for i, part in enumerate(paragraph.split("`"))))
    return "\n\n".join(paragraphs)


def plain(text: str) -> str:
    """Text between pieces of code: no emphasis by chance, no tags."""
    return re.sub(r"(?<!\*)\*(?!\*)", r"\\*", text).replace("<", "&lt;").replace("_", "\\_")
