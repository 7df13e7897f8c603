"""RAVE's statistics: what a move was worth when it was made at any later time of a simulation, not just here (Gelly and Silver 2011, section 4).

A simulation's moves are written down, tree and playout alike. Afterwards every edge of the path's nodes whose move the same player made there or
later learns the result.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kibitz.core.records.hashing import STEP
from kibitz.core.records.record import record
from kibitz.searches.montecarlo.tree import as_word, edge, first_edge, node

Seen = record(move=np.int64, simulation=np.int64, ply=np.int32, by=np.int32)


def fields(longest: int) -> dict[str, Any]:
    """Of the workspace: the moves of a simulation in order, and a table of when each was made last."""
    bits = max(4, int(2 * longest - 1).bit_length())
    return {
        "played": (np.int64, longest),
        "by": (np.int8, longest),
        "moves_made": np.int64,
        "seen": (Seen, 1 << bits),
        "seen_bits": np.int64,
        "simulation": np.int64,
    }


# --- kernels ---


def write_down(w: Any, ply: int, mover: int, move: int) -> None:
    """Who made which move."""
    w.played[ply], w.by[ply] = move, mover


def learn(w: Any, nodes: Any, edges: Any, depth: int) -> None:
    """Tell the edges of the nodes on the path what the simulation came to."""
    w.simulation += 1
    for ply in range(w.moves_made):
        if w.by[ply] >= 0:
            note(w, w.played[ply], w.by[ply], ply)
    for ply in range(depth):
        n, first = node(nodes, w.path[ply]), first_edge(w.path[ply])
        if n.player >= 0:
            gained = w.result[n.player]
            for e in range(first, first + n.count):
                x = edge(edges, e)
                if when_last(w, x.move, n.player) >= ply:
                    visits = np.float64(x.rave_visits) + 1.0
                    x.rave_visits = visits
                    x.rave = np.float64(x.rave) + (gained - np.float64(x.rave)) / visits


def note(w: Any, move: int, mover: int, ply: int) -> None:
    """The player made this move at this ply; there is always room, the table is twice as long as a game."""
    at = place(w, move, mover)
    x = w.seen[at]
    x.move, x.by, x.ply, x.simulation = move, mover, ply, w.simulation


def when_last(w: Any, move: int, mover: int) -> int:
    """The last ply of the simulation at which the player made this move; -1 if never."""
    x = w.seen[place(w, move, mover)]
    return x.ply if x.simulation == w.simulation else -1


def place(w: Any, move: int, mover: int) -> int:
    """Where the move is noted, or where it would be."""
    size = np.int64(1) << w.seen_bits
    at = np.int64(((as_word(move) * np.uint64(4) + np.uint64(mover)) * STEP) >> np.uint64(64 - w.seen_bits))
    while w.seen[at].simulation == w.simulation and (w.seen[at].move != move or w.seen[at].by != mover):
        at = (at + 1) & (size - 1)
    return at  # type: ignore[return-value]


def share(k: float, scale: float) -> float:
    """How much they count beside the visits of the move itself: sqrt(k / (3 N + k)), N being 1 / scale^2."""
    ours = k * scale * scale
    return math.sqrt(ours / (3.0 + ours))
