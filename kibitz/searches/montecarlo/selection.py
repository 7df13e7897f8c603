"""Selection rules: which of a node's moves the next simulation follows.

A rule is a function `(w, edges, n, first, end) -> edge` over the edges first to end - 1 of a node `n`. UCB1 (Auer and others 2002; Kocsis and Szepesvari 2006) looks at the
edges in play, all others having been tried first; RAVE (Gelly and Silver 2011) looks at all of them, because a move that was never tried here may
have been played later in other simulations. The value of an edge is the mean reward, from 0 to 1, of the player who is to move.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import options
from kibitz.searches.montecarlo import rave
from kibitz.searches.montecarlo.tree import edge, opened_edges

PRUNED = -1e30  # the value of an edge that best play does not need: see bounds.py
URGENT = 1.0  # of a move of which nothing is known, with RAVE: as good as a win

KNOWN = 4096
ROOTS = np.sqrt(np.log(np.maximum(np.arange(KNOWN), 1)))  # most nodes have few visits, and a logarithm takes as long as all the rest


def best_edge(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The edge that the rule of this search prefers, of those before `end`."""
    if options.RAVE:
        return by_rave(w, edges, n, first, end)
    if options.EVEN:
        return by_turns(edges, first, end)
    return by_ucb(w, edges, n, first, end)


def by_ucb(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The edge in play with the highest upper confidence bound; the one opened first among equals."""
    reach = w.explore * root_log(n.visits)
    best, highest = first, -np.inf
    for e in range(first, end):
        bound = ucb(edge(edges, e), reach)
        if bound > highest:
            best, highest = e, bound
    return best


def ucb(e: Any, reach: float) -> float:
    """U/N + C sqrt(ln N_parent / N), where `reach` is C sqrt(ln N_parent)."""
    return np.float64(e.value) + reach * np.float64(e.scale)


def by_rave(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The edge, in play or not, with the highest bound around the mean and the all-moves-as-first mean, mixed.

    The latter counts sqrt(k / (3 N + k)) after N visits (Gelly and Silver 2011, section 5.3). An edge nobody has tried explores as if tried once.
    """
    reach = w.explore * root_log(n.visits)
    best, highest = first, -np.inf
    for e in range(first, end):
        x = edge(edges, e)
        in_play = e < first + opened_edges(n)
        if in_play and x.value <= 0.5 * PRUNED:
            bound = PRUNED
        else:
            beta = rave.share(w.rave, np.float64(x.scale)) if in_play else 1.0
            known = np.float64(x.rave) if x.rave_visits > 0.0 else URGENT
            bound = beta * known + reach * (np.float64(x.scale) if in_play else 1.0)
            if in_play:
                bound += (1.0 - beta) * np.float64(x.value)
        if bound > highest:
            best, highest = e, bound
    return best


def by_turns(edges: Any, first: int, end: int) -> int:
    """The edge in play with the fewest visits; the one opened first among equals."""
    best, most = first, -1.0
    for e in range(first, end):
        if edge(edges, e).scale > most:
            best, most = e, np.float64(edge(edges, e).scale)
    return best


def root_log(visits: int) -> float:
    """sqrt(ln visits)."""
    return ROOTS[visits] if visits < KNOWN else math.sqrt(math.log(visits))


def in_play(c: float, alpha: float, visits: int) -> int:
    """Progressive widening: ceil(c t^alpha) after t visits, and always one."""
    return max(1, math.ceil(c * float(max(visits, 1)) ** alpha))
