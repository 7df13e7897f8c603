"""Every shipped game with every search that fits it, for a moment: interpreted, where Python looks at every index, and compiled with bounds checks."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

import kibitz as kb
from kibitz.core.position.loading import shipped
from kibitz.searches.method import fitting, method
from tests.differential.cases import on

# Small boards and few moves: what matters is that every line runs.
SMALL: dict[str, dict[str, Any]] = {
    "ballard": {"branching": 2, "chances": 2},
    "battleships": {"size": 3, "fleet": "2"},
    "breakthrough": {"rows": 4, "columns": 3},
    "chinese_checkers": {"players": 3, "size": 1, "limit": 20},
    "connect4": {"rows": 4, "columns": 4, "line": 3},
    "domineering": {"rows": 3, "columns": 3},
    "duel": {"rounds": 2},
    "ewn": {"size": 3},
    "go": {"size": 3},
    "go_problem": {"size": 5},
    "hex": {"size": 3},
    "kalah": {"holes": 3, "seeds": 2},
    "nim": {"heaps": "1,2,3"},
    "pig": {"target": 8},
    "simulated": {"m_root": 3.0, "m_mean": 3.0, "m_max": 4, "depth": 4},
    "uniform": {"branching": 2, "depth": 4},
}
PAIRS = [(name, search) for name in shipped() for search in fitting(kb.load(name, **SMALL.get(name, {})))]
SAMPLE = [("pig", "star2"), ("tictactoe", "negascout")]  # compiled in `make test`
PLIES = 3


@cache
def positions(name: str) -> tuple[kb.Position, ...]:
    """The first one and one a few random moves later; chance may be to move in either, unless players see views."""
    first = later = kb.load(name, **SMALL.get(name, {})).start
    rng = Random(name)
    while first.game.is_hidden and first.is_chance:
        first = later = first.play(rng.choice(first.moves))
    for _ in range(PLIES):
        following = later.play(rng.choice(later.moves))
        if following.is_over or (following.game.is_hidden and following.is_chance):
            break
        later = following
    return first, later


def search_a_little(name: str, search: str, most_threads: int) -> None:
    limits = {"playouts": 4} if any(p.name == "playouts" for p in method(search).limits) else {"nodes": 40}
    shares = any(p.name == "threads" for p in method(search).options)
    for position in positions(name):
        for options in [{"threads": n + 1} for n in range(most_threads)] if shares else [{}]:
            result = kb.search(position, search, **limits, **options)
            assert result.move is None if position.is_chance else result.move in position.moves
            low, high = position.game.constants["VALUES"]
            assert low <= result.value <= high
            position.play(*(int(m) for m in result.line))


@pytest.mark.parametrize(("name", "search"), PAIRS)
def test_interpreted(name: str, search: str) -> None:
    with on("python"):
        search_a_little(name, search, most_threads=2)


@pytest.mark.parametrize(("name", "search"), SAMPLE)
def test_compiled_with_bounds_checks(name: str, search: str) -> None:
    with on("cpu", checked=True):
        search_a_little(name, search, most_threads=1)


@pytest.mark.long
@pytest.mark.parametrize(("name", "search"), [pair for pair in PAIRS if pair not in SAMPLE])
def test_all_compiled_with_bounds_checks(name: str, search: str) -> None:
    with on("cpu", checked=True):
        search_a_little(name, search, most_threads=1)
