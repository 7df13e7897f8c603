"""Searches under test: each variant compiled once per game, run on any position of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import hypothesis.strategies as st
import pytest

import kibitz as kb
from kibitz.searches import deepening
from kibitz.searches.deterministic import alphabeta
from kibitz.searches.method import method
from kibitz.searches.window import node

INTERPRETED = os.environ.get("KIBITZ_TARGET") == "python"

# Every form, soft and hard, with and without table: each option in both states at least once.
VARIANTS: dict[str, dict[str, Any]] = {
    "soft, table": {"form": "recursive", "table": 0.01},
    "soft, stack": {"form": "stack", "table": 0},
    "hard, table, stack": {"soft": False, "form": "stack", "table": 1, "strict": True},
    "hard": {"form": "recursive", "soft": False, "table": 0, "killers": "off", "history": "off", "order": False},
}
MINIMAX = ("recursive", "stack", "levels")


def compile_only(some: Sequence[str], every: Iterable[str]) -> list[Any]:
    """All of these as parameters of a test, of which only some are compiled for; the others wait for the run in which everything is interpreted."""
    return [one if one in some else pytest.param(one, marks=pytest.mark.interpreted) for one in every]


def searcher(position: kb.Position, **options: Any) -> deepening.Search:
    """An alpha-beta search that can be asked for a depth and a window."""
    settings = method("alphabeta").settings({"distance": "off", **options})
    recursive = settings["form"] == "recursive"
    return deepening.Search(position, settings, "alphabeta", alphabeta.kernel(settings["soft"], recursive))


def minimax_result(position: kb.Position, form: str, **options: Any) -> kb.Result:
    """Minimax in one of its forms."""
    return kb.search(position, "minimax", form=form, memory=8, **options)


def trees(most_moves: int = 4) -> st.SearchStrategy[Any]:
    """Small trees: unequal depths, ties, the same player twice in a row."""
    leaves = st.integers(-9, 9)

    def inner(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        moves = st.lists(children, min_size=1, max_size=most_moves)
        return moves | st.builds(lambda player, m: {"player": player, "moves": m}, st.integers(0, 1), moves)

    return inner(st.recursive(leaves, inner, max_leaves=24)).filter(lambda t: size(t) <= 64)


def size(tree: Any) -> int:
    """How many nodes a tree has."""
    if isinstance(tree, int):
        return 1
    return 1 + sum(size(t) for t in (tree["moves"] if isinstance(tree, dict) else tree))


def deepest(constants: dict[str, Any]) -> int:
    """The depth that reaches every end of the game."""
    return node.plies(constants)
