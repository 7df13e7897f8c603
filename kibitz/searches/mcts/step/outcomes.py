"""Chance nodes: which outcome a simulation follows, and the value of the node.

Outcomes are drawn in **rounds without replacement**: a round holds each outcome as often as its weight says, and the next one begins when all have been
drawn; every outcome once before any twice, where all are equally likely: then the order is drawn once for each node. Where weights are not whole
numbers a round has as many draws as there are outcomes, and what was drawn too often or too rarely is made up for in the next one. An edge's
`scale` counts the draws it has left.

The value of a chance node is the mean of its outcomes in play by their weights, not by how often each happened to be visited.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import options
from kibitz.core.records import random
from kibitz.searches.mcts.step.expansion import open_edge
from kibitz.searches.mcts.tree.layout import NONE, edge, first_edge, opened_edges, weight_of

# --- which outcome: functions for `draw_outcome` ---


def draw_in_turn(w: Any, edges: Any, n: Any, at: int) -> int:
    """Where all are equally likely: the first round in random order, later ones in the same order."""
    return open_edge(w, edges, n, at, NONE) if opened_edges(n) < n.count else first_edge(at) + n.visits % n.count


def draw_by_weight(w: Any, edges: Any, n: Any, at: int) -> int:
    """In rounds that hold each outcome as often as its weight says."""
    first = first_edge(at)
    e = draw(w, edges, first, first + n.count)
    if e >= first + opened_edges(n):
        e = open_edge(w, edges, n, at, e)
    if e != NONE:
        count_draw(edges, e)
    return e


def count_draw(edges: Any, e: int) -> None:
    """One draw less is left in this round."""
    edge(edges, e).scale = np.float64(edge(edges, e).scale) - 1.0


# --- rounds ---


def draw(w: Any, edges: Any, first: int, end: int) -> int:
    """The outcome that is to happen, of the edges first to end - 1, as likely as it has draws left; may be one that is not in play yet."""
    left = 0.0  # what was drawn too often counts less than nothing
    for e in range(first, end):
        left += np.float64(edge(edges, e).scale)
    if left < 0.5:
        refill(edges, first, end)
    left = 0.0
    for e in range(first, end):
        left += max(0.0, np.float64(edge(edges, e).scale))
    point, last = random.unit(w.rng) * left, first
    for e in range(first, end):
        share = np.float64(edge(edges, e).scale)
        if share > 0.0:
            last = e
            point -= share
            if point < 0.0:
                break
    return last


def refill(edges: Any, first: int, end: int) -> None:
    """Begin a round."""
    total = total_weight(edges, first, end)
    size = total if options.WHOLE_WEIGHTS else np.float64(end - first)
    for e in range(first, end):
        x = edge(edges, e)
        x.scale = np.float64(x.scale) + weight_of(x) * size / total


def draw_new(w: Any, edges: Any, first: int, end: int) -> int:
    """One of the edges, as likely as its weight says."""
    point = random.unit(w.rng) * total_weight(edges, first, end)
    for e in range(first, end - 1):
        point -= weight_of(edge(edges, e))
        if point < 0.0:
            return e
    return end - 1


def total_weight(edges: Any, first: int, end: int) -> float:
    total = 0.0
    for e in range(first, end):
        total += weight_of(edge(edges, e))
    return total


def mean_of_outcomes(edges: Any, first: int, end: int) -> float:
    """The owner's mean reward over outcomes in play, by their weights."""
    total, weights = 0.0, 0.0
    for e in range(first, end):
        x = edge(edges, e)
        total += weight_of(x) * np.float64(x.value)
        weights += weight_of(x)
    return total / weights
