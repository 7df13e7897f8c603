"""Priors: the probabilities of a new node's moves by the policy; the most probable of the moves not in play comes first among them.

The policy is one of: the game's own; by the evaluation after each move; uniform.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE
from kibitz.core.records import maths
from kibitz.core.records.hashing import mix
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.leaf import evaluation
from kibitz.searches.mcts.step import expansion
from kibitz.searches.mcts.step.workspace import BAD_POLICY, FINE
from kibitz.searches.mcts.tree.layout import NONE, as_word, edge, first_edge, node

# --- new nodes: functions for `plant`, `expand` and `arrange` ---


def plant(w: Any, t: Any, nodes: Any, edges: Any) -> None:
    """The root; its own evaluation is its first visit, as at every other node."""
    expansion.plant(w, t, nodes, edges)
    n = node(nodes, t.root)
    if not options.CHANCE or n.player != CHANCE:
        options.leaf_value(w, 0)
        n.visits, n.total, n.square = 1, w.result[0], w.result[0] * w.result[0]


def expand(w: Any, t: Any, nodes: Any, edges: Any, player: int) -> int:
    """A node whose edges have priors."""
    if t.is_full == 1:
        return NONE
    count = expansion.list_edges(w, player)
    at = expansion.add_node(w, t, nodes, edges, player, count)
    if at != NONE and count > 0 and (not options.CHANCE or player != CHANCE):
        options.weigh(w, w.state, w.choices, count, w.weights)
        write_priors(w, edges, first_edge(at), count)
        put_likeliest_first(edges, first_edge(at), first_edge(at) + count)
    return at


def put_likeliest_first(edges: Any, first: int, end: int) -> None:
    """Put the edge with the highest prior first among those not in play, so that the others need not be read."""
    expansion.exchange(edges, first, likeliest(edges, first, end))


def likeliest(edges: Any, first: int, end: int) -> int:
    """The edge of the largest prior; among equals chance decides by the moves' numbers, not by the order in which the game lists them."""
    best, most = first, edge(edges, first).prior
    for e in range(first + 1, end):
        prior = edge(edges, e).prior
        if prior > most or (prior == most and lot(edge(edges, e).move) > lot(edge(edges, best).move)):
            best, most = e, prior
    return best


def lot(move: int) -> np.uint64:
    return mix(as_word(move))


def write_priors(w: Any, edges: Any, first: int, count: int) -> None:
    """The weights in `w.weights` made to add up to 1."""
    total = 0.0
    for i in range(count):
        if not (0.0 <= w.weights[i] < np.inf):
            w.fault = BAD_POLICY
        total += w.weights[i]
    if not (0.0 < total < np.inf):
        w.fault = BAD_POLICY
    for i in range(count):
        edge(edges, first + i).prior = w.weights[i] / total if w.fault == FINE else 1.0 / count


# --- how likely moves are: functions for `weigh` ---


def weigh_by_policy(w: Any, s: Any, moves: Any, count: int, weights: Any) -> None:  # noqa: ARG001
    """As the game's own policy says."""
    game.policy(s, moves, count, weights)


def weigh_by_value(w: Any, s: Any, moves: Any, count: int, weights: Any) -> None:
    """By what the position after the move is worth to the mover."""
    for i in range(count):
        w.trial = s
        game.play(w.trial, moves[i])
        weights[i] = maths.exp(w.sharp * evaluation.worth(w, w.trial, game.player(s)))


def weigh_evenly(w: Any, s: Any, moves: Any, count: int, weights: Any) -> None:  # noqa: ARG001
    """All moves alike."""
    for i in range(count):
        weights[i] = 1.0


WEIGHING = {"game": weigh_by_policy, "evaluate": weigh_by_value, "even": weigh_evenly}
PRIORS = Feature(rules={"plant": plant, "expand": expand, "arrange": put_likeliest_first}, settings=("sharp", "odds"))
