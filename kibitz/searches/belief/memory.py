"""The memory of a search over beliefs: arrays that grow until they are as large as they may get."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.position.game import Game
from kibitz.searches.belief import beliefs, dominance, positions, seeing, sure
from kibitz.searches.belief.positions import EMPTY, Memory

FIRST = {
    "states": 1 << 10,
    "steps": 1 << 13,
    "members": 1 << 13,
    "nodes": 1 << 11,
    "branches": 1 << 12,
    "links": 1 << 12,
    "scratch": 1 << 12,
}
GROWTH = 2
SHORT = {
    positions.POSITIONS: "states", positions.STEPS: "steps", positions.MEMBERS: "members", positions.NODES: "nodes", positions.BRANCHES: "branches",
    positions.LINKS: "links", positions.SCRATCH: "scratch",
}  # fmt: skip


def kinds(game: Game) -> dict[str, Any]:
    """What each array holds."""
    return {
        "states": game.constants["State"], "facts": positions.Fact, "slots": np.dtype(np.int32), "steps": positions.Step, "members": np.dtype(np.int32),
        "nodes": beliefs.Node, "places": np.dtype(np.int32), "branches": beliefs.Branch, "links": dominance.Link, "path": sure.Frame, "trail": seeing.Frame,
        "keys": np.dtype(np.int64), "found": np.dtype(np.int32),
    }  # fmt: skip


def lengths(rooms: dict[str, int]) -> dict[str, int]:
    """How long each array is."""
    found = {name: rooms[name] for name in ("states", "steps", "members", "nodes", "branches", "links")}
    found |= {"facts": rooms["states"], "slots": 2 * rooms["states"], "places": 2 * rooms["nodes"]}
    return found | dict.fromkeys(("path", "trail", "keys", "found"), rooms["scratch"])


def allocate(game: Game, rooms: dict[str, int], old: Memory | None = None) -> Memory:
    """Arrays of these lengths that begin with what the old ones held."""
    made, of = {}, kinds(game)
    for name, length in lengths(rooms).items():
        earlier = None if old is None else getattr(old, name)
        if earlier is not None and len(earlier) == length:
            made[name] = earlier
            continue
        made[name] = np.full(length, EMPTY, np.int32) if name in ("slots", "places") else np.zeros(length, of[name])
        if earlier is not None and name not in ("slots", "places"):
            made[name].view(np.uint8)[: earlier.nbytes] = earlier.view(np.uint8)
    return Memory(**made)


def note(w: Any, m: Any) -> None:
    """Fill the hash tables of new arrays."""
    positions.note_positions(w, m)
    beliefs.note_nodes(w, m)


def megabytes(game: Game, rooms: dict[str, int]) -> float:
    """What such arrays take."""
    return sum(length * kinds(game)[name].itemsize for name, length in lengths(rooms).items()) / 2**20
