"""Progressive widening: after t visits only ceil(c t^alpha) of a node's edges are in play.

This applies to the moves of players (`widen`), in random order, if there are too many to try each; and to the outcomes of chance (`sparse`), drawn by their weight:
sparse sampling. If best play needs none of the moves in play, one more is added at once.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import options
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.step import outcomes
from kibitz.searches.mcts.step.expansion import follow_in_play, open_edge
from kibitz.searches.mcts.tree.layout import NONE, PRUNED, edge, first_edge, opened_edges


def count_in_play(c: float, alpha: float, visits: int) -> int:
    """ceil(c t^alpha) after t visits, and always one."""
    return max(1, math.ceil(c * float(max(visits, 1)) ** alpha))


def follow(w: Any, edges: Any, n: Any, at: int) -> int:
    """A new edge where it is time for one; else the rule's choice among those in play."""
    most: Any = min(np.int64(n.count), count_in_play(w.widen, w.alpha, n.visits))
    if opened_edges(n) < most:
        e = open_edge(w, edges, n, at, NONE)
        if e != NONE:
            return e
    e = follow_in_play(w, edges, n, at)
    if options.SOLVE and e != NONE and edge(edges, e).value <= 0.5 * PRUNED and opened_edges(n) < n.count:
        another = open_edge(w, edges, n, at, NONE)
        return another if another != NONE else e
    return e


def draw_sparsely(w: Any, edges: Any, n: Any, at: int) -> int:
    """A new outcome, drawn by its weight, where it is time for one; else one of those in play, in rounds."""
    first, e = first_edge(at), NONE
    most: Any = min(np.int64(n.count), count_in_play(w.sparse, w.alpha, n.visits))
    if opened_edges(n) < most:
        e = open_edge(w, edges, n, at, outcomes.draw_new(w, edges, first + opened_edges(n), first + n.count))
    end = first + opened_edges(n)
    if e == NONE and end > first:
        e = outcomes.draw(w, edges, first, end)
    if e != NONE:
        outcomes.count_draw(edges, e)
    return e


MOVES = Feature(rules={"follow": follow}, settings=("widen", "alpha"))
OUTCOMES = Feature(rules={"draw_outcome": draw_sparsely}, settings=("sparse", "alpha"))
