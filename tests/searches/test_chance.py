"""Expectiminimax and the Star family equal the slow obvious search: values, moves, bounds, whatever is skipped and remembered."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kibitz as kb
from tests import naive
from tests.searches.chances import GENERAL, VARIANTS, WEIGHTED, placed, searcher, trees, uniform_trees, worth
from tests.searches.driver import INTERPRETED, compile_only, deepest

EXAMPLES = 12 if INTERPRETED else 125
OFTEN = ("expectiminimax", "star0.5", "star1, table", "star2", "star2.5, table")  # the others only in the long run
SOME = [v if v in OFTEN else pytest.param(v, marks=pytest.mark.long) for v in VARIANTS]
SOME_RARELY = [v for v in SOME if v not in OFTEN]
COMPILED = ("star2", "star2.5, table")
FEW = [*compile_only(COMPILED, OFTEN), *SOME_RARELY]
TREES = kb.load("trees", tree=GENERAL)
WHOLE = kb.load("trees", tree=WEIGHTED)
UNIFORM = uniform_trees()
FRACTIONS = st.sampled_from([0.5, 1.0, 1.5, 0.01, 7.0])
COUNTS = st.integers(1, 5)
ONE = st.just(1)

IN_A_ROW = {
    "chance": [1, 3],
    "moves": [{"chance": [2, 1], "moves": [[1, 2], -3]}, {"player": 1, "moves": [{"chance": [1], "moves": [[9, 8]]}, 3]}],
}
OWN_AND_OTHER = [
    {"chance": [1, 1, 1], "moves": [[7, -7], {"player": 0, "moves": [3, 4]}, 0.5]},
    {"chance": [1, 9], "moves": [[5, 6], [-100, 100]]},
]


def close(value: float) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-12)


def for_mover(value: float, position: kb.Position) -> float:
    """The first player's value, as the player to move sees it."""
    return -value if position.player == 1 else value


def check_value_and_move(game: kb.Game, tree: Any, variant: str) -> None:
    position = placed(game, tree)
    name, options = VARIANTS[variant]
    search = searcher(position, name, **options)
    true = for_mover(worth(tree), position)
    assert search.value(deepest(game.constants)) == close(true)
    if not position.is_chance:
        mover = position.player
        chosen = (tree["moves"] if isinstance(tree, dict) else tree)[int(search.w.line[0][0])]
        assert for_mover(worth(chosen, turn=1 - mover), position) == close(true)


@settings(max_examples=EXAMPLES // 5)
@given(tree=trees(FRACTIONS), depth=st.integers(1, 5))
@example(tree=IN_A_ROW, depth=2)
def test_the_two_oracles_agree(tree: Any, depth: int) -> None:
    position = placed(TREES, tree)
    assert naive.expectiminimax(position) == close(worth(tree))
    assert naive.expectiminimax_to_depth(position, depth, 0) == close(worth(tree, depth))


@pytest.mark.parametrize("variant", SOME)
@settings(max_examples=EXAMPLES)
@given(tree=trees(FRACTIONS))
@example(tree=IN_A_ROW)
@example(tree=OWN_AND_OTHER)
def test_values_and_moves_on_random_trees(variant: str, tree: Any) -> None:
    check_value_and_move(TREES, tree, variant)


@pytest.mark.parametrize("variant", compile_only(COMPILED, ("star1", "star1, table", "star2.5, table")))
@settings(max_examples=EXAMPLES // 3)
@given(tree=trees(COUNTS))
def test_whole_weights(variant: str, tree: Any) -> None:
    check_value_and_move(WHOLE, tree, variant)


@pytest.mark.parametrize("variant", compile_only(("star2, table",), ("star1", "star2, table", "star2.5, cyclic")))
@settings(max_examples=EXAMPLES // 3)
@given(tree=trees(ONE))
def test_equal_weights(variant: str, tree: Any) -> None:
    check_value_and_move(UNIFORM, tree, variant)


@pytest.mark.parametrize("variant", FEW)
@settings(max_examples=EXAMPLES // 2)
@given(tree=trees(FRACTIONS), depth=st.integers(1, 4))
def test_limited_depth_asks_the_evaluation(variant: str, tree: Any, depth: int) -> None:
    position = placed(TREES, tree)
    name, options = VARIANTS[variant]
    strict = {"strict": True} if options.get("table") else {}
    wanted = for_mover(worth(tree, depth), position)
    assert searcher(position, name, **options, **strict).value(depth) == close(wanted)


@pytest.mark.parametrize("variant", SOME[1:])
@settings(max_examples=EXAMPLES)
@given(tree=trees(FRACTIONS), low=st.floats(-11, 11), width=st.floats(0.01, 8))
def test_windows_give_true_bounds(variant: str, tree: Any, low: float, width: float) -> None:
    position = placed(TREES, tree)
    name, options = VARIANTS[variant]
    true, alpha, beta = for_mover(worth(tree), position), low, low + width
    found = searcher(position, name, **options).value(deepest(TREES.constants), (alpha, beta))
    slack = 1e-9 * (1 + abs(true))
    if found <= alpha:
        assert true <= found + slack
    elif found >= beta:
        assert true >= found - slack
    else:
        assert found == close(true)


@pytest.mark.parametrize("variant", compile_only(COMPILED, ("star0", "star1, table", "star2, table", "star2.5, table")))
@settings(max_examples=EXAMPLES)
@given(tree=trees(FRACTIONS), windows=st.lists(st.tuples(st.floats(-11, 11), st.floats(0.01, 6)), min_size=1, max_size=4))
def test_a_table_filled_by_other_windows_still_gives_the_value(variant: str, tree: Any, windows: list[tuple[float, float]]) -> None:
    position = placed(TREES, tree)
    name, options = VARIANTS[variant]
    search = searcher(position, name, **options)
    for low, width in windows:
        search.value(deepest(TREES.constants), (low, low + width))
    assert search.value(deepest(TREES.constants)) == close(for_mover(worth(tree), position))
