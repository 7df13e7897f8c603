"""Every exact search equals the slow obvious one: values, moves, bounds, node counts between forms."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kibitz as kb
from tests import naive
from tests.searches.driver import INTERPRETED, MINIMAX, VARIANTS, compile_only, deepest, minimax_result, searcher, trees

EXAMPLES = 25 if INTERPRETED else 500
TREES = kb.load("trees")


def tree_position(tree: Any) -> kb.Position:
    return TREES.position(json.dumps(tree))


@pytest.mark.parametrize("variant", compile_only(("soft, table", "hard, table, stack"), VARIANTS))
@settings(max_examples=EXAMPLES)
@given(tree=trees())
@example(tree=[[3, 12, 8], [2, 4, 6], [14, 5, 2]])
@example(tree={"player": 1, "moves": [{"player": 1, "moves": [0, 0]}, 0]})
def test_alpha_beta_on_random_trees(variant: str, tree: Any) -> None:
    position = tree_position(tree)
    search = searcher(position, **VARIANTS[variant])
    assert search.value(deepest(TREES.constants)) == naive.minimax(position, position.player)
    assert int(search.w.line[0][0]) in [int(m) for m in naive.best_moves(position)]


@pytest.mark.parametrize("form", compile_only(("recursive", "levels"), MINIMAX))
@settings(max_examples=EXAMPLES // 5)
@given(tree=trees())
def test_minimax_on_random_trees(form: str, tree: Any) -> None:
    position = tree_position(tree)
    result = minimax_result(position, form, deepening=False)
    assert result.exact
    assert result.value == naive.minimax(position, position.player)
    assert result.move in naive.best_moves(position)


@pytest.mark.parametrize("variant", compile_only(("soft, table", "hard, table, stack"), VARIANTS))
@settings(max_examples=EXAMPLES)
@given(tree=trees(), low=st.integers(-11, 11), width=st.integers(1, 8))
def test_windows_give_true_bounds(variant: str, tree: Any, low: int, width: int) -> None:
    position = tree_position(tree)
    true, alpha, beta = naive.minimax(position, position.player), float(low), float(low + width)
    found = searcher(position, **VARIANTS[variant]).value(deepest(TREES.constants), (alpha, beta))
    if found <= alpha:
        assert true <= found
    elif found >= beta:
        assert true >= found
    else:
        assert true == found
    if not VARIANTS[variant].get("soft", True):
        assert found == min(max(true, alpha), beta)


@settings(max_examples=EXAMPLES)
@given(tree=trees(), windows=st.lists(st.tuples(st.integers(-11, 11), st.integers(1, 6)), min_size=1, max_size=4))
def test_a_table_filled_by_other_windows_still_gives_the_value(tree: Any, windows: list[tuple[int, int]]) -> None:
    position = tree_position(tree)
    search = searcher(position, table=0.01)
    for low, width in windows:
        search.value(deepest(TREES.constants), (float(low), float(low + width)))
    assert search.value(deepest(TREES.constants)) == naive.minimax(position, position.player)


@settings(max_examples=EXAMPLES // 5)
@given(tree=trees(), depth=st.integers(1, 5))
def test_forms_visit_the_same_nodes_and_a_strict_table_changes_no_value(tree: Any, depth: int) -> None:
    position = tree_position(tree)
    wanted = naive.minimax_to_depth(position, depth, position.player)
    visited = []
    for options in ({"table": 0}, {"table": 0, "form": "stack"}, {"table": 0.01, "strict": True}, {"table": 0, "soft": False}):
        search = searcher(position, **options)
        assert search.value(depth) == wanted
        visited.append(int(search.w.control.nodes))
    assert visited[0] == visited[1]
    assert visited[0] <= visited[3]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    ("name", "moves"),
    [
        pytest.param("othello", "", marks=pytest.mark.interpreted),
        pytest.param("breakthrough", "a2a3", marks=pytest.mark.interpreted),
        ("kalah", "3"),
        ("connect4", "4433"),
    ],
)
def test_limited_depth_on_real_games(name: str, moves: str, depth: int) -> None:
    if INTERPRETED and depth > 2:
        pytest.skip("too slow interpreted")
    position = kb.load(name).position(moves)
    wanted = naive.minimax_to_depth(position, depth, position.player)
    for options in ({"table": 0}, {"table": 1, "strict": True}):
        assert searcher(position, **options).value(depth) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("moves", ["", "1", "5 1", "1 5 9", "2 4 6"])
def test_distance_to_the_end(moves: str) -> None:
    position = kb.load("tictactoe").position(moves)
    value, plies = naive.outcome(position)
    for options in ({}, {"table": 0}, {"deepening": False}, {"form": "stack"}):
        result = kb.solve(position, **options)
        assert (result.exact, result.value) == (True, value)
        assert result.distance == (plies if value else None)
        end = position.after_line([int(m) for m in result.line])
        assert end.is_over
        assert end.utility(position.player) == value
        assert not value or len(result.line) == plies


@settings(max_examples=EXAMPLES // 10)
@given(moves=st.lists(st.integers(0, 8), unique=True, min_size=2, max_size=6))
def test_distance_on_random_positions(moves: list[int]) -> None:
    position = kb.load("tictactoe").start
    for move in moves:
        if not position.is_over:
            position = position.play(move)
    if not position.is_over:
        value, plies = naive.outcome(position)
        result = kb.solve(position)
        assert (result.value, result.distance) == (value, plies if value else None)


def test_nodes_are_the_same_every_time() -> None:
    position = kb.load("connect4").position("4453")
    first, again = (kb.search(position, "alphabeta(depth=6)") for _ in range(2))
    assert (first.nodes, first.line, first.value) == (again.nodes, again.line, again.value)
