"""The regularised policy behind PUCT (Grill and others 2020): the policy y that makes the sum of v y - k KL(p, y) largest.

    y = k p / (a - v),  k = C sqrt(N - 1) / (moves + N - 1),  a such that they add up to 1

PUCT's visits come near to it. See shares.py for the letters, puct_rule.py for C.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.rule.puct_rule import exploration
from kibitz.searches.mcts.rule.shares import expect
from kibitz.searches.mcts.tree.layout import edge, is_needed, opened_edges

ROUNDS = 100  # of Newton's method, which needs about ten
CLOSE = 1e-13


def share_out(w: Any, edges: Any, n: Any, first: int) -> None:
    """The policy y that makes the sum of v y - k KL(p, y) largest: y = k p / (a - v), with the a that makes them add up to 1."""
    below = np.float64(n.visits) - 1.0
    k = exploration(w, n) * math.sqrt(below) / (n.count + below)
    untried = expect(w, edges, n, first) if opened_edges(n) < n.count else 0.0
    rest, a = 1.0, -np.inf
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        rest -= np.float64(x.prior)
        if is_needed(x):
            a = max(a, np.float64(x.value) + k * np.float64(x.prior))
    if opened_edges(n) < n.count:
        rest = max(rest, np.float64(edge(edges, first + opened_edges(n)).prior))
        a = max(a, untried + k * np.float64(edge(edges, first + opened_edges(n)).prior))
    else:
        rest = 0.0
    if k <= 0.0 or a == -np.inf:  # nothing is visited yet
        for i in range(opened_edges(n)):
            w.share[i] = np.float64(edge(edges, first + i).prior)
        w.slope, w.offset = 1.0, 0.0
        return
    a = balance(edges, n, first, k, untried, rest, a)
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        w.share[i] = k * np.float64(x.prior) / max(a - np.float64(x.value), CLOSE * k) if is_needed(x) else 0.0
    w.slope, w.offset = k / max(a - untried, CLOSE * k), 0.0


def balance(edges: Any, n: Any, first: int, k: float, untried: float, rest: float, a: float) -> float:
    """Newton's method from the left of the sum k p / (a - v), which falls ever more slowly: it comes nearer to 1 and never passes it."""
    for _ in range(ROUNDS):
        total = k * rest / (a - untried) if rest > 0.0 else 0.0
        slope = total / (a - untried) if rest > 0.0 else 0.0
        for i in range(opened_edges(n)):
            x = edge(edges, first + i)
            if is_needed(x) and x.prior > 0.0:
                part = k * np.float64(x.prior) / (a - np.float64(x.value))
                total += part
                slope += part / (a - np.float64(x.value))
        step = (total - 1.0) / slope if slope > 0.0 else 0.0
        if not step > CLOSE * k:
            break
        a += step
    return a


REGULARISED = Feature(rules={"share_out": share_out}, settings=("c0", "c1"))
