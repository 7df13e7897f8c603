"""Pure Monte Carlo: the same number of random games after each move, and the move with the best result.

Fits every game of perfect information. The answer is best against a random player; more games do not necessarily improve it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.fleet import roots
from kibitz.searches.mcts.leaf.playout import choose_playout
from kibitz.searches.mcts.search import PLAYING, Memory, Search
from kibitz.searches.mcts.step import expansion
from kibitz.searches.mcts.tree.layout import NONE, edge
from kibitz.searches.mcts.uct import any_game
from kibitz.searches.method import STOPPING, Method


def select(w: Any, edges: Any, n: Any, first: int, end: int) -> int:  # noqa: ARG001
    """The edge in play with the fewest visits; the one opened first among equals."""
    best, most = first, -1.0
    for e in range(first, end):
        if edge(edges, e).scale > most:
            best, most = e, np.float64(edge(edges, e).scale)
    return best


def expand(w: Any, t: Any, nodes: Any, edges: Any, player: int) -> int:
    """A node with the moves of the root; without any below it: the tree has one ply."""
    if t.is_full == 1:
        return NONE
    return expansion.add_node(w, t, nodes, edges, player, expansion.list_edges(w, player) if t.root == NONE else 0)


BY_TURNS = Feature(rules={"select": select, "expand": expand})


def make_search(position: Position, settings: Mapping[str, Any], engine: str = "montecarlo", memory: Memory | None = None) -> Search:
    """A search with these settings: a tree of one ply, its moves tried in turn."""
    features = [choose_playout(position.game, settings), BY_TURNS]
    return Search(position, {**settings, "solve": False}, engine, memory, features, by_value=True)


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Results while games are played."""
    if roots.is_apart(settings):
        return roots.search_roots(position, "montecarlo", settings, engine)
    return make_search(position, settings, engine).results()


METHOD = Method("montecarlo", "random games after each move; takes the move with the best results", PLAYING, any_game, run, STOPPING)
