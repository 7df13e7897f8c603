"""ESPRIT (Jones 2021): shares that mix the policy p with a policy q refined by the values found so far.

    r = (lam p + z q) / (lam + z),  z = n^alpha,  q ~ (1 + (v_best - v) sqrt(Z) / sigma)^-gamma,  Z the mean of z

See shares.py for the letters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.records import maths
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.rule.shares import expect
from kibitz.searches.mcts.tree.layout import edge, is_needed, opened_edges, widest


def fields(constants: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of the workspace."""
    return {"effective": (np.float64, widest(constants))}  # z of the edges in play


def share_out(w: Any, edges: Any, n: Any, first: int) -> None:
    """Formulas (3) to (7)."""
    untried = expect(w, edges, n, first) if opened_edges(n) < n.count else -np.inf
    best, total, moves = untried, 0.0, n.count
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        if is_needed(x):
            size = power(np.float64(x.scale), w.alpha)
            w.effective[i] = size
            total += size
            best = max(best, np.float64(x.value))
        else:
            moves -= 1
    rate = math.sqrt(total / max(1, moves)) / w.sigma
    qualities = (n.count - opened_edges(n)) * falloff((best - untried) * rate, w.gamma) if opened_edges(n) < n.count else 0.0
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        quality = falloff((best - np.float64(x.value)) * rate, w.gamma) if is_needed(x) else 0.0
        w.share[i] = quality
        qualities += quality
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        if is_needed(x):
            w.share[i] = (w.lam * np.float64(x.prior) + w.effective[i] * w.share[i] / qualities) / (w.lam + w.effective[i])
    w.slope, w.offset = 1.0, 0.0


def power(visits: float, alpha: float) -> float:
    """visits^alpha; a square root is what is usual, and quicker."""
    return math.sqrt(visits) if alpha == 0.5 else maths.power(visits, alpha)


def falloff(x: float, gamma: float) -> float:
    """(1 + x)^-gamma."""
    base = 1.0 + x
    return 1.0 / (base * base * base) if gamma == 3.0 else maths.power(base, -gamma)


ESPRIT = Feature(rules={"share_out": share_out}, workspace=fields, settings=("lam", "gamma", "sigma", "alpha"), scratch=("effective",))
