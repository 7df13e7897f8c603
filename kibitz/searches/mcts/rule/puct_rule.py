"""PUCT (Silver and others 2018): the largest v + C sqrt(N) / (1 + n) p, with C = c0 + log((1 + N + c1) / c1).

As shares:  x = p + sqrt(N) / C * v * (1 + n) / N;  the largest x / (1 + n) is the largest v + C sqrt(N) / (1 + n) p. See shares.py for the letters.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kibitz.core.records import maths
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.rule.shares import expect
from kibitz.searches.mcts.tree.layout import edge, is_needed, opened_edges


def select(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The largest v + C sqrt(N) / (1 + n) p."""
    reach = exploration(w, n) * math.sqrt(n.visits)
    opened = opened_edges(n)
    best, highest, value = first, -np.inf, -np.inf
    for e in range(first, first + opened):
        x = edge(edges, e)
        v = np.float64(x.value)
        score = v + reach / (1.0 + np.float64(x.scale)) * np.float64(x.prior)
        if score > highest or (score == highest and v > value):
            best, highest, value = e, score, v
    if end > first + opened:
        untried = expect(w, edges, n, first)
        score = untried + reach * np.float64(edge(edges, first + opened).prior)
        if score > highest or (score == highest and untried > value):
            return first + opened
    return best


def share_out(w: Any, edges: Any, n: Any, first: int) -> None:
    """Formula (9) of Jones 2021: x / (1 + n) is in the order of v + C sqrt(N) / (1 + n) p."""
    pull = math.sqrt(n.visits) / exploration(w, n)
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        taken = (1.0 + np.float64(x.scale)) / n.visits
        w.share[i] = np.float64(x.prior) + pull * np.float64(x.value) * taken if is_needed(x) else 0.0
    w.slope, w.offset = 1.0, pull * expect(w, edges, n, first) / n.visits if opened_edges(n) < n.count else 0.0


def exploration(w: Any, n: Any) -> float:
    """C, which grows slowly with the visits."""
    return w.c0 + maths.log((1.0 + n.visits + w.c1) / w.c1)


PUCT = Feature(rules={"select": select, "share_out": share_out}, settings=("c0", "c1"))
