"""Searches of games with chance under test: each variant compiled once per game, run on any position of it."""

from __future__ import annotations

import json
from typing import Any

import hypothesis.strategies as st

import kibitz as kb
from kibitz.core.protocol.rules import UNIFORM
from kibitz.searches.chance import family
from kibitz.searches.method import method

# Each search, with and without table, merging and order: each option in both states at least once.
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "expectiminimax": ("expectiminimax", {}),
    "star0": ("star0", {"table": 0.01}),
    "star0.5": ("star05", {"table": 0}),
    "star1": ("star1", {"table": 0, "merge": False}),
    "star1, table": ("star1", {"table": 0.01}),
    "star2": ("star2", {"table": 0, "merge": False}),
    "star2, table": ("star2", {"table": 0.01}),
    "star2.5, cyclic": ("star25", {"table": 0, "merge": False, "probe": 3}),
    "star2.5, sequential": ("star25", {"table": 0, "merge": False, "probe": 2, "probing": "sequential"}),
    "star2.5, table": ("star25", {"table": 0.01, "probe": 4}),
}

GENERAL = '[{"chance": [0.5, 1.5], "moves": [2.5, 3]}]'
WEIGHTED = '[{"chance": [1, 2], "moves": [2.5, 3]}]'


def searcher(position: kb.Position, name: str, **options: Any) -> family.Search:
    """A search that can be asked for a depth and a window."""
    return family.Search(position, method(name).settings(options), name, name)


def uniform_trees() -> kb.Game:
    """`trees` as a game that declares all outcomes to be equally likely."""
    game = kb.load("trees", tree='[{"chance": [1, 1], "moves": [2.5, 3]}]')
    return kb.Game({**game.namespace, **game.people, "CHANCE_KIND": UNIFORM}, name="trees")


def trees(weights: st.SearchStrategy[float], most_moves: int = 4) -> st.SearchStrategy[Any]:
    """Small trees with chance nodes: unequal depths, ties, chance after chance and at the root, the same player twice in a row, evaluations."""
    leaves = st.integers(-9, 9) | st.sampled_from([-100, 100, 0.5, -2.25])

    def inner(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        moves = st.lists(children, min_size=1, max_size=most_moves)
        chance = st.lists(st.tuples(weights, children), min_size=1, max_size=most_moves).map(
            lambda pairs: {"chance": [w for w, _ in pairs], "moves": [c for _, c in pairs]}
        )
        valued = st.builds(
            lambda node, v: {**(node if isinstance(node, dict) else {"moves": node}), "value": v}, moves | chance, st.integers(-9, 9)
        )
        return moves | chance | chance | valued | st.builds(lambda p, m: {"player": p, "moves": m}, st.integers(0, 1), moves)

    return inner(st.recursive(leaves, inner, max_leaves=20)).filter(lambda t: size(t) <= 64)


def size(tree: Any) -> int:
    """How many nodes a tree has."""
    if isinstance(tree, int | float):
        return 1
    return 1 + sum(size(t) for t in (tree["moves"] if isinstance(tree, dict) else tree))


def worth(tree: Any, depth: int = 99, turn: int = 0) -> float:
    """`naive.expectiminimax_to_depth` for the first player, on a tree as it is written: many times as fast as over positions."""
    if isinstance(tree, int | float):
        return float(tree)
    node = tree if isinstance(tree, dict) else {"moves": tree}
    if "chance" in node:
        values = [worth(t, depth, turn) for t in node["moves"]]
        return sum(w * v for w, v in zip(node["chance"], values, strict=True)) / sum(node["chance"])
    if depth == 0:
        return float(node.get("value", 0.0))
    mover = node.get("player", turn)
    values = [worth(t, depth - 1, 1 - mover) for t in node["moves"]]
    return min(values) if mover else max(values)


def placed(game: kb.Game, tree: Any) -> kb.Position:
    return game.position(json.dumps(tree))
