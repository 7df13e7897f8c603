"""UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002, section 4): upper confidence bounds that use the variance of a move's rewards.

    U/N + C/sqrt(2) sqrt(ln N_parent / N min(1/4, V)),    V = S/N - (U/N)^2 + sqrt(2 ln N_parent / N)

S is the sum of the squares of the rewards. V is an upper bound of their variance, and 1/4 the largest variance that rewards from 0 to 1 can have: a
move whose games all end alike is explored less. C = sqrt(2), the usual value of `explore`, gives the formula of the paper.

Every edge keeps the mean of the squares; single precision will do. The value of a node, the growth of the tree and proofs are as in UCB1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.rule.ucb1 import root_log
from kibitz.searches.mcts.step import backup
from kibitz.searches.mcts.tree.layout import edge, visits_behind

WIDEST = 0.25  # variance


def select(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The edge in play with the highest bound; the one opened first among equals."""
    reach = root_log(n.visits)
    best, highest = first, -np.inf
    for e in range(first, end):
        x = edge(edges, e)
        bound = tuned_bound(np.float64(x.value), np.float64(x.square), reach * np.float64(x.scale), w.explore)
        if bound > highest:
            best, highest = e, bound
    return best


def tuned_bound(value: float, square: float, radius: float, explore: float) -> float:
    """The formula, `radius` being sqrt(ln N_parent / N); means are rounded, and a variance is not below 0 all the same."""
    variance = max(0.0, square - value * value) + math.sqrt(2.0) * radius
    return value + explore / math.sqrt(2.0) * radius * math.sqrt(min(WIDEST, variance))


def back_up(w: Any, nodes: Any, edges: Any, depth: int) -> None:
    """The rewards, and their squares."""
    backup.back_up(w, nodes, edges, depth)
    for ply in range(1, depth + 1):
        x = edge(edges, w.steps[ply])
        gained = w.result[w.owners[ply]]
        x.square = np.float64(x.square) + (gained * gained - np.float64(x.square)) / max(1, visits_behind(nodes, x))


TUNED = Feature(rules={"select": select, "back_up": back_up}, edge={"square": np.float32}, settings=("explore",))
