"""The order of the pages. A page that is named nowhere stands under "More"."""

from __future__ import annotations

from typing import Any

SECTIONS: dict[str, tuple[str, ...]] = {
    "Start": ("index.md", "tutorial.md", "choosing.md", "searching.md"),
    "Guides": (
        "writing-a-game.md", "web.md", "pictures.md", "chance.md", "montecarlo.md", "guided.md", "gpu.md", "learning.md", "many-players.md", "hidden.md", "kriegspiel.md", "imperfect.md",
        "solving.md", "proofs.md", "go-problems.md", "go-problems.md", "tables.md", "longest-mates.md", "matches.md", "evaluation.md", "books.md", "protocols.md", "horizon.md",
    ),
}  # fmt: skip
LAST = ("performance.md", "reference.md", "contributing.md", "changes.md")
FOLDERS = {"algorithms": "Algorithms", "games": "Games", "experiments": "Papers reproduced"}


def menu(pages: list[str]) -> list[dict[str, Any]]:
    """Every page once."""
    left = set(pages)

    def taken(names: tuple[str, ...] | list[str]) -> list[str]:
        found = [name for name in names if name in left]
        left.difference_update(found)
        return found

    parts: list[dict[str, Any]] = [{title: taken(names)} for title, names in SECTIONS.items()]
    for folder, title in FOLDERS.items():
        inside = sorted(
            (name for name in left if name.startswith(f"{folder}/")), key=lambda name: (not name.endswith(("index.md", "README.md")), name)
        )
        parts.append({title: taken(inside)})
    last: list[Any] = taken(LAST)
    more = sorted(left)
    return [*(part for part in parts if all(part.values())), *([{"More": more}] if more else []), {"Reference": last}]
