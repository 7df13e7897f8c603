"""Peers, side by side in one run: `python -m benchmarks` for all, `python -m benchmarks.NAME` for one.

A benchmark is a file of this folder whose name does not begin with an underscore; its `main` measures, prints what it measured and returns rows.
A row is a dict: `name`, `ours`, `peer`, `ratio`, `unit`, `target`, `met`. Speeds are compared with a peer and the target is a least ratio; times
stand alone (`peer` and `ratio` are None) and the target is a most of seconds. `target` and `met` are None where nothing is aimed at.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SECONDS = "seconds"

Row = dict[str, Any]


class Skipped(Exception):
    """The peer is not here; says why."""


def names() -> list[str]:
    """Every benchmark there is."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if not path.name.startswith("_"))


def peer(module: str, package: str) -> Any:
    """A peer's module."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Skipped(f"{module} cannot be imported ({error}): pip install {package}") from None


def compared(name: str, ours: float, peer: float, unit: str, target: float | None = None) -> Row:
    """Our speed and a peer's, more is better; `target` is the least ratio to be met."""
    ratio = ours / peer
    return {
        "name": name,
        "ours": ours,
        "peer": peer,
        "ratio": ratio,
        "unit": unit,
        "target": target,
        "met": None if target is None else ratio >= target,
    }


def reached(name: str, ours: float, unit: str, target: float) -> Row:
    """A figure of ours that stands alone and must not be below `target`."""
    return {"name": name, "ours": ours, "peer": None, "ratio": None, "unit": unit, "target": target, "met": ours >= target}


def timed(name: str, seconds: float, target: float) -> Row:
    """A time of ours that must stay below `target`."""
    return {"name": name, "ours": seconds, "peer": None, "ratio": None, "unit": SECONDS, "target": target, "met": seconds < target}


def skipped(name: str, reason: str) -> Row:
    """A benchmark that could not be run."""
    return {"name": name, "ours": None, "peer": None, "ratio": None, "unit": "", "target": None, "met": None, "skipped": reason}


def table(rows: Iterable[Row]) -> str:
    """Rows as text in columns."""
    heads = ("", "ours", "peer", "unit", "ratio", "target", "met")
    cells = [heads, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in cells if len(line) == len(heads)) for i in range(len(heads))]
    names_width = max(len(line[0]) for line in cells)
    text = []
    for line in cells:
        first, *rest = line
        columns = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)] if len(line) == len(heads) else rest
        text.append("  ".join([f"{first:{names_width}}", *columns]).rstrip())
    return "\n".join(text)


def alone(main: Callable[[], list[Row]]) -> None:
    """`python -m benchmarks.NAME`."""
    try:
        main()
    except Skipped as reason:
        sys.exit(f"skipped: {reason}")


def _cells(row: Row) -> tuple[str, ...]:
    if "skipped" in row:
        return row["name"], f"skipped: {row['skipped']}"
    target = "" if row["target"] is None else f"< {row['target']:g} s" if row["unit"] == SECONDS else f">= {row['target']:g}"
    ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
    met = {None: "", True: "yes", False: "NO"}[row["met"]]
    return row["name"], _number(row["ours"]), _number(row["peer"]), row["unit"], ratio, target, met


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"
