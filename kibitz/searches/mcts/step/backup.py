"""Backup: the reward of each position's owner, from the leaf to the root.

Visits are counted here, or on the way down where there are several threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE
from kibitz.searches.mcts.step import outcomes
from kibitz.searches.mcts.tree import cells, proofs
from kibitz.searches.mcts.tree.layout import NONE, child_of, edge, first_edge, is_needed, node, opened_edges


def back_up(w: Any, nodes: Any, edges: Any, depth: int) -> None:
    """Add the rewards in `w.result` along the path."""
    w.deepest = max(w.deepest, depth)
    if options.EVERYBODY and depth > 0:
        note_rewards(w)
    for ply in range(depth, -1, -1):
        gained = w.result[w.owners[ply]]
        at = w.path[ply]
        if at == NONE:
            add_to_leaf(nodes, edge(edges, w.steps[ply]), node(nodes, w.path[ply - 1]), gained)
        else:
            visits = add_to_node(node(nodes, at), gained)
            if ply > 0:
                update_edge(w, nodes, edges, at, ply, visits)


def note_rewards(w: Any) -> None:
    """Every player's reward, beside the edge of the root that the simulation began with: edges in play keep their places."""
    i = w.steps[1] - first_edge(w.path[0])
    w.tallied[i] += 1
    for p in range(game.PLAYERS):
        w.tally[i, p] += w.result[p]


def add_to_node(n: Any, gained: float) -> int:
    """Returns the visits."""
    if options.THREADS:
        cells.add(n, "total", gained)
    else:
        n.visits += 1
        n.total += gained
    visits: Any = np.int64(n.visits)
    n.square = np.float64(n.square) + (gained * gained - np.float64(n.square)) * (1.0 / visits)
    return visits


def update_edge(w: Any, nodes: Any, edges: Any, at: int, ply: int, visits: int) -> None:
    """Bring the edge that leads to the node up to date."""
    x = edge(edges, w.steps[ply])
    if is_needed(x):
        x.value = value_of(nodes, edges, at, w.owners[ply], 1.0 / visits)
    if options.TRANSPOSITIONS and not options.THREADS:
        x.times += 1
    if not is_outcome(node(nodes, w.path[ply - 1])):
        x.scale = options.scale(np.int64(x.times) if options.TRANSPOSITIONS else visits)


def value_of(nodes: Any, edges: Any, at: int, owner: int, each: float) -> float:
    """What a node is worth to its owner: what is proven, else the mean of a chance node's outcomes, else the mean reward; `each` is 1 / visits."""
    n = node(nodes, at)
    if options.SOLVE and proofs.is_proven(n):
        return options.as_reward(proofs.low_for(n, owner))
    if options.CHANCE and n.player == CHANCE and opened_edges(n) > 0:
        return outcomes.mean_of_outcomes(edges, first_edge(at), first_edge(at) + opened_edges(n))
    return n.total * each


def is_outcome(parent: Any) -> bool:
    """Are the parent's edges outcomes of chance? Then `scale` counts the draws that are left."""
    return options.CHANCE and parent.player == CHANCE


# --- leaves ---


def add_to_leaf(nodes: Any, x: Any, parent: Any, gained: float) -> None:
    if options.THREADS:
        add_to_shared_leaf(nodes, x, gained)
        return
    x.child -= 1
    visits = -1 - x.child
    x.value = np.float64(x.value) + (gained - np.float64(x.value)) / visits
    if not is_outcome(parent):
        x.scale = options.scale(visits)


def add_to_shared_leaf(nodes: Any, x: Any, gained: float) -> None:
    """The visit has been counted already, if only as a loss; meanwhile another thread may have made the leaf a node."""
    while True:
        child: Any = np.int64(child_of(x))
        value: Any = np.float64(x.value)
        if child >= 0:
            cells.add(node(nodes, child), "total", gained)
            return
        if cells.replace_leaf(x, child, value, child, value + gained / (-1 - child)):
            return


def take_over(n: Any, x: Any, at: int, fewer: int) -> None:
    """The leaf behind edge `x` becomes the node `n` at `at`, with the leaf's visits, or `fewer`."""
    while True:
        child, value = np.int64(child_of(x)), np.float64(x.value)
        visits = -1 - child
        n.visits, n.total = visits - fewer, value * visits
        n.square = value * value if visits <= 1 + fewer else value  # rewards of several visits are taken for wins and losses
        if options.TRANSPOSITIONS:
            x.times = visits - fewer
        if not options.THREADS:
            x.child = at
            return
        if cells.publish(x, child, value, at, value):
            return


# --- on the way down ---


def count_visit(w: Any, nodes: Any, edges: Any, n: Any, depth: int) -> None:
    """A visit that has brought nothing yet."""
    cells.add(n, "visits", 1)
    if options.TRANSPOSITIONS and depth > 0:
        cells.add(edge(edges, w.steps[depth]), "times", 1)
    if depth > 0 and not is_outcome(node(nodes, w.path[depth - 1])):
        x = edge(edges, w.steps[depth])
        x.scale = options.scale(np.int64(x.times) if options.TRANSPOSITIONS else np.int64(n.visits))
        if is_needed(x):
            x.value = n.total * (1.0 / n.visits)


def count_leaf_visit(parent: Any, x: Any) -> bool:
    """The same for a leaf; False where another thread has made it a node."""
    while True:
        child, value = np.int64(child_of(x)), np.float64(x.value)
        if child >= 0:
            return False
        visits = -child  # with this one
        if cells.replace_leaf(x, child, value, child - 1, value * (visits - 1) / visits):
            if not is_outcome(parent):
                x.scale = options.scale(visits)
            return True
