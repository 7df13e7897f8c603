"""UCB1 (Auer and others 2002; Kocsis and Szepesvari 2006): the move with the highest upper confidence bound U/N + C sqrt(ln N_parent / N).

A selection rule is a function `select(w, edges, n, first, end) -> e` over the edges first to end - 1 of a node `n`. This one looks at the edges in play,
all others having been tried first. The value of an edge is the mean reward, from 0 to 1, of the player who is to move; its scale is 1 / sqrt(N).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kibitz.core.records import maths
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.tree.layout import edge

KNOWN = 4096
ROOTS = np.array(
    [math.sqrt(maths.log(float(max(n, 1)))) for n in range(KNOWN)]
)  # most nodes have few visits, and a logarithm takes as long as all the rest

UCB1 = Feature(settings=("explore",))  # its functions are the usual ones


def select(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The edge in play with the highest upper confidence bound; the one opened first among equals."""
    reach = w.explore * root_log(n.visits)
    best, highest = first, -np.inf
    for e in range(first, end):
        bound = ucb(edge(edges, e), reach)
        if bound > highest:
            best, highest = e, bound
    return best


def ucb(x: Any, reach: float) -> float:
    """U/N + C sqrt(ln N_parent / N), where `reach` is C sqrt(ln N_parent)."""
    return np.float64(x.value) + reach * np.float64(x.scale)


def root_log(visits: int) -> float:
    """sqrt(ln visits)."""
    return ROOTS[visits] if visits < KNOWN else math.sqrt(maths.log(float(visits)))


def scale(visits: int) -> float:
    """What an edge keeps of its visits: 1 / sqrt(visits)."""
    return math.sqrt(1.0 / visits)
