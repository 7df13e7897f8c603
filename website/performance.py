"""The figures of the last `make bench` that was kept, in benchmarks/measured.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from website.markup import table

MEASURED = Path(__file__).parents[1] / "benchmarks" / "measured.json"
HEAD = """# Performance

    make bench

Every speed is compared with a peer that runs in turn with it, on the same machine at the same time: another library, or the same algorithm in C++ compiled with `-O3 -march=native`. So
the ratio is what to look at; a busy machine slows both. Sources: `benchmarks/`, one file each, with the reason for its target.

"""


def write(folder: Path) -> str:
    """The page; its name."""
    (folder / "performance.md").write_text(HEAD + figures(), encoding="utf-8")
    return "performance.md"


def figures() -> str:
    if not MEASURED.is_file():
        return "No run has been kept.\n"
    kept: dict[str, Any] = json.loads(MEASURED.read_text(encoding="utf-8"))
    rows = [
        (
            row["name"],
            rounded(row["ours"]),
            rounded(row["peer"]),
            row["unit"],
            rounded(row["ratio"]),
            rounded(row["target"]),
            {True: "yes", False: "no", None: ""}[row["met"]],
        )
        for row in kept["benchmarks"]
        if row["ours"] is not None
    ]
    left = [f"{row['name']} ({row['skipped']})" for row in kept["benchmarks"] if row["ours"] is None]
    said = f"Measured on {kept['machine']}.\n\n" if kept.get("machine") else ""
    return (
        said
        + table(("what", "kibitz", "peer", "unit", "ratio", "aim", "met"), rows)
        + "\n"
        + (f"\nNot measured in that run: {'; '.join(left)}.\n" if left else "")
    )


def rounded(x: float | None) -> str:
    return "" if x is None else f"{x:.3g}" if abs(x) < 1000 else f"{x:,.0f}"
