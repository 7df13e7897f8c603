"""Common to rules guided by a policy: every move of a node has a share in the visits.

A rule turns the statistics of a node's moves into **shares**: the probability that each of them is played, up to a common factor. n and v are a move's
visits and mean reward, from 0 to 1, for the player to move; p is its prior, by the policy; N the visits of the node, 1 + the sum of all n. The rules are
puct_rule.py, esprit_rule.py and regularised_rule.py.

A simulation follows the largest share / (1 + n), the move with the fewest visits relative to its share. Or it draws a move by its share (Igarashi and others
2019). A move nobody has tried has n = 0 and the value that the search is told to expect of it; its share is slope * p + offset, so that the likeliest of
them is the only one to look at. It stands first among them.

Moves that best play does not need, where something is proven, have no share. Among equal scores the higher value counts, then the higher prior. An edge's
`scale` is n; `waiting` counts those of a wave that are on their way through it (see step/waves.py), and is 0 without waves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import options
from kibitz.core.records import random
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.step import expansion
from kibitz.searches.mcts.tree.layout import edge, is_needed, opened_edges, widest


def fields(constants: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of the workspace."""
    return {
        "from_parent": np.int64,  # is `first` what an untried move is expected to be worth less than those tried?
        "share": (np.float64, widest(constants)),  # of the edges in play, by their place
        "slope": np.float64,
        "offset": np.float64,
    }


# --- which edge: functions for `select` and `pick` ---


def select_largest(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The largest share / (1 + n)."""
    options.share_out(w, edges, n, first)
    return most_wanting(w, edges, n, first, end)


def select_drawn(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """Any edge, each as likely as its share says."""
    options.share_out(w, edges, n, first)
    return draw(w, edges, n, first, end)


def most_wanting(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The largest share / (1 + n), shares being written down already."""
    opened = opened_edges(n)
    best, highest, value = first, -np.inf, -np.inf
    for i in range(opened):
        x = edge(edges, first + i)
        v = np.float64(x.value)
        score = w.share[i] / (1.0 + np.float64(x.scale) + np.float64(x.waiting))
        if score > highest or (score == highest and v > value):
            best, highest, value = first + i, score, v
    if end > first + opened:
        score = w.slope * np.float64(edge(edges, first + opened).prior) + w.offset
        if score > highest or (score == highest and expect(w, edges, n, first) > value):
            return first + opened
    return best


def draw(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """Any edge before `end`, each as likely as its share says."""
    total = 0.0
    for e in range(first, end):
        total += share_of(w, edges, n, first, e)
    left, last = random.unit(w.rng) * total, first
    for e in range(first, end):
        share = share_of(w, edges, n, first, e)
        if share > 0.0:
            last = e
            left -= share
            if left < 0.0:
                break
    return last


def share_of(w: Any, edges: Any, n: Any, first: int, e: int) -> float:
    """The share of any edge of the node whose shares were computed."""
    if e < first + opened_edges(n):
        return w.share[e - first]
    return w.slope * np.float64(edge(edges, e).prior) + w.offset


def expect(w: Any, edges: Any, n: Any, first: int) -> float:
    """What a move that nobody has tried counts as: a number, or less by it than the mean of those tried."""
    if w.from_parent == 0:
        return w.first
    total, visits = 0.0, 0.0
    for e in range(first, first + opened_edges(n)):
        x = edge(edges, e)
        if is_needed(x):
            total += np.float64(x.value) * np.float64(x.scale)
            visits += np.float64(x.scale)
    return max(0.0, total / visits - w.first) if visits > 0.0 else 0.0


def count_visits(visits: int) -> float:
    """What an edge keeps of its visits: their number."""
    return np.float64(visits)


SHARES = Feature(
    rules={"follow": expansion.follow_any, "select": select_largest, "pick": most_wanting, "scale": count_visits, "untried_scale": 0.0},
    edge={
        "prior": np.float32,
        "waiting": np.float32,
    },  # how likely the move is by the policy, a node's adding up to 1; how many of a wave are on their way
    workspace=fields,
    settings=("first",),
    scratch=("share", "slope", "offset"),
)
DRAWN = Feature(rules={"select": select_drawn, "pick": draw})
