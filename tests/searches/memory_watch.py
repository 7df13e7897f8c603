"""Run by test_montecarlo_memory in a process of its own: one search, and how much memory its tree and the process take, as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import kibitz as kb


def resident() -> int:
    """Bytes of memory that the process has at the moment."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def watch(game: str, seconds: float, playouts: int, options: dict[str, Any]) -> dict[str, Any]:
    """The largest of what was seen at every result of a search; `resident` counts from before the tree was there."""
    position = kb.load(game).start
    kb.search(position, "uct", **{**options, "playouts": 100, "memory": 1.0})  # everything is compiled and loaded
    before = resident()
    limits = {"playouts": playouts} if playouts else {"time": seconds}
    player = kb.player("uct", **options, **limits).remembering()
    seen: dict[str, Any] = {"used": 0, "room": 0, "resident": 0, "looks": 0}
    for result in player.analyse(position):
        last = result
        tree = player.memory.tree
        found = {"used": tree.used, "room": len(tree.nodes.memory), "resident": resident() - before}
        seen = {**{name: max(seen[name], value) for name, value in found.items()}, "looks": seen["looks"] + 1}
    visits = sum(c.visits for c in last.table)
    return {**seen, "note": last.note, "playouts": last.playouts, "visits": visits, "seconds": last.seconds}


if __name__ == "__main__":
    print(json.dumps(watch(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), json.loads(sys.argv[4]))))
