"""Branch and bound: alpha-beta without deep cutoffs (procedure F1 of Knuth and Moore 1975). Not for play: a reference for comparisons with older papers.

A node is cut off only by the bound of its parent: bounds from further up (deep cutoffs) do not reach it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.searches import deepening
from kibitz.searches.method import method
from kibitz.searches.window import node

# --- kernels ---


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:  # noqa: ARG001
    """The value of w.states[0], which is not over, for its mover. He has nothing yet, and no move of his is too good."""
    w.control.nodes += 1
    return value(w, np.int64(0), depth, -np.inf, np.inf, np.int64(game.player(w.states[0])))  # type: ignore[arg-type]


def value(w: Any, ply: int, depth: int, has: float, bound: float, mover: int) -> float:
    """The value of the node for its mover; from `bound` on, at least that. depth >= 1.

    `has` is what he has got from other moves of the same turn: a player who moves again goes on with his turn, and it, like the bound, stays his.
    """
    w.line_end[ply] = ply
    best = -np.inf
    n = game.moves(w.states[ply], w.lists[ply])
    for i in range(n):
        following = node.step(w, ply, w.lists[ply, i])
        if following < 0 or depth == 1:
            v = node.leaf(w, ply + 1, following, mover)
        elif following == mover:
            v = value(w, ply + 1, depth - 1, max(has, best), bound, following)
        else:
            v = -value(w, ply + 1, depth - 1, -np.inf, -max(has, best), following)
        if w.control.nodes >= w.control.limit:
            return best
        if v > best:
            best = v
            node.extend_line(w, ply, w.lists[ply, i])
            if best >= bound:
                break
    return best


# --- shell ---


def branch_and_bound(position: Position, depth: int) -> Result:
    """What it finds at this depth, and the nodes and leaves it takes."""
    bare = {"table": 0.0, "order": False, "killers": "off", "history": "off", "strict": True}
    settings = {**method("scout").settings({"depth": depth, "deepening": False, "distance": "off"}), **bare}
    (result,) = deepening.deepen(position, settings, "branch and bound", deepening.Kernel(root))
    return result
