"""Several best lines from the searches of the frame: the values of the best moves, and of no others; exact where the search says so."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kibitz as kb
from tests import naive
from tests.searches.driver import trees

pytestmark = pytest.mark.once
TREES = kb.load("trees", capacity=128)
SEARCHES = ("alphabeta", "negascout", "mtdf", "negascout(form=minimax)", "alphabeta(soft=false)")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(tree=trees(), depth=st.integers(1, 5), lines=st.integers(2, 4), search=st.sampled_from(SEARCHES), table=st.sampled_from((0, 0.01)))
def test_the_lines_are_the_best_moves(tree: Any, depth: int, lines: int, search: str, table: float) -> None:
    position = TREES.position(json.dumps(tree))
    worth = {int(m): naive.minimax_to_depth(position.play(int(m)), depth - 1, position.player) for m in position.moves}
    whole = {int(m): naive.minimax(position.play(int(m)), position.player) for m in position.moves}
    found = kb.search(position, search, depth=depth, lines=lines, table=table, strict=True)
    told = {c.numbers[0]: c for c in found.table}
    if found.depth == depth:
        assert [c.value for c in found.table] == sorted(worth.values(), reverse=True)[:lines]
        assert {move: worth[move] for move in told} == {move: c.value for move, c in told.items()}
    assert {move: whole[move] for move, c in told.items() if c.bound == "exact"} == {
        move: c.value for move, c in told.items() if c.bound == "exact"
    }
    some = position.moves[: lines - 1]
    one = kb.search(position, search, depth=depth, only=" ".join(map(str, some)), table=table, strict=True)
    assert not one.exact
    assert one.depth != depth or one.value == max(worth[int(m)] for m in some)


def test_lines_of_a_solved_position_are_all_proven() -> None:
    found = kb.search(kb.load("tictactoe").position("5 2 1"), "alphabeta", lines=6)
    assert (found.ended, {c.bound for c in found.table}) == ("solved", {"exact"})
    assert [(str(c.move), c.value) for c in found.table if c.value == 0] == []
    assert str(found.table[0].move) == "9"


def test_the_recursive_form_says_that_it_cannot() -> None:
    with pytest.raises(kb.InputError, match="form=recursive looks at all moves of the root"):
        kb.search(kb.load("tictactoe").start, "alphabeta(form=recursive)", lines=2)
