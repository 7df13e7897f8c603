"""TEST, SCOUT, NegaScout and MTD(f): equal to the naive oracle, and visiting what the figures say."""

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.searches import deepening
from kibitz.searches.deterministic import negascout
from kibitz.searches.deterministic.scout import CONDITIONS, passes
from kibitz.searches.method import method
from kibitz.searches.trace import Recorder
from tests import naive
from tests.searches.driver import INTERPRETED, compile_only, deepest, searcher, trees

EXAMPLES = 20 if INTERPRETED else 400
TREES = kb.load("trees")
PLAYERS = (
    "scout",
    "negascout(table=0)",
    "negascout(table=0.01)",
    "negascout(table=0, form=minimax)",
    "negascout(table=0.01, form=minimax)",
    "mtdf(table=0.01)",
    "mtdf(table=0)",
)


def compared(value: float, condition: str, bound: float) -> bool:
    return {">": value > bound, ">=": value >= bound, "<": value < bound, "<=": value <= bound}[condition]


@pytest.mark.parametrize("player", compile_only(("scout", "negascout(table=0.01)", "mtdf(table=0.01)"), PLAYERS))
@settings(max_examples=EXAMPLES)
@given(tree=trees())
def test_values_on_random_trees(player: str, tree: Any) -> None:
    position = TREES.position(json.dumps(tree))
    result = kb.search(position, player, deepening=False, depth=deepest(TREES.constants))
    assert result.exact
    assert result.value == naive.minimax(position, position.player)
    assert result.move in naive.best_moves(position)


@pytest.mark.parametrize("condition", CONDITIONS)
@settings(max_examples=EXAMPLES)
@given(tree=trees(), bound=st.integers(-10, 10))
def test_tests_on_random_trees(condition: str, tree: Any, bound: int) -> None:
    position = TREES.position(json.dumps(tree))
    value = naive.minimax(position, position.player)
    assert passes(position, condition, float(bound), 32)[0] == compared(value, condition, bound)


def negascouter(position: kb.Position, recorder: Recorder | None = None, **options: Any) -> deepening.Search:
    """A NegaScout that can be asked for a depth and a window."""
    chosen = {**method("negascout").settings(options), **({"trace": recorder} if recorder else {})}
    return deepening.Search(position, chosen, "negascout", negascout.kernel(chosen["form"] == "minimax"))


@pytest.mark.parametrize(("table", "form"), [
    pytest.param(0.0, "negamax", marks=pytest.mark.interpreted), (0.01, "negamax"), (0.0, "minimax"), pytest.param(0.01, "minimax", marks=pytest.mark.interpreted),
])  # fmt: skip
@settings(max_examples=EXAMPLES)
@given(tree=trees(), low=st.integers(-11, 11), width=st.integers(1, 8), depth=st.integers(1, 6))
def test_negascouts_windows_give_true_bounds(table: float, form: str, tree: Any, low: int, width: int, depth: int) -> None:
    position = TREES.position(json.dumps(tree))
    search = negascouter(position, table=table, strict=True, form=form)
    alpha, beta = float(low), float(low + width)
    found, true = search.value(depth, (alpha, beta)), naive.minimax_to_depth(position, depth, position.player)
    assert found >= true if found <= alpha else found <= true if found >= beta else found == true


@pytest.mark.parametrize(
    ("name", "moves", "depth"),
    [
        ("othello", "d3c3", 5),
        pytest.param("kalah", "3", 7, marks=pytest.mark.interpreted),
        ("connect4", "4433", 7),
        pytest.param("breakthrough", "", 3, marks=pytest.mark.interpreted),
    ],
)
def test_real_games_agree_with_alpha_beta(name: str, moves: str, depth: int) -> None:
    depth = min(depth, 3) if INTERPRETED else depth
    position = kb.load(name).position(moves)
    wanted = kb.search(position, "alphabeta(strict=true)", depth=depth).value
    for player in ("scout", "negascout(strict=true)", "mtdf(strict=true)"):
        assert kb.search(position, player, depth=depth).value == wanted, player


@pytest.mark.parametrize(("b", "depth", "h1"), [(2, 4, 10), (3, 4, 17), (4, 6, 106), (10, 4, 122)])
def test_a_test_that_succeeds_visits_h1_nodes(b: int, depth: int, h1: int) -> None:
    """On a perfectly ordered tree of even depth with the maximiser to move."""
    assert 2 * (b ** (depth // 2 + 1) - 1) // (b - 1) - b ** (depth // 2) == h1
    root = kb.load("uniform", branching=10, depth=6, order="perfect").position(f"seed=0 branching={b} depth={depth}")
    value = kb.search(root, "alphabeta(depth=64)").value
    assert passes(root, ">=", value, depth) == (True, h1)
    assert passes(root, ">", value - 1, depth) == (True, h1)
    assert passes(root, ">", value, depth)[0] is False


def test_slide_10_test_skips_what_alpha_beta_visits() -> None:
    root = kb.load("trees", tree="test-skips").start
    p = root.play(root.moves[1])
    assert passes(p, "<", -5.0, 8) == (False, 5)  # in the other player's eyes: TEST(p, >, 5) fails, K's second branch skipped
    search = searcher(root, table=0, killers="off", history="off")
    search.value(8)
    assert int(search.w.control.nodes) == 8  # everything


def test_slide_11_scout_visits_what_alpha_beta_cuts() -> None:
    root = kb.load("trees", tree="scout-revisits").start
    by_scout = kb.search(root, "scout(deepening=false, depth=32)")
    search = searcher(root, table=0, killers="off", history="off")
    assert search.value(32) == by_scout.value
    assert by_scout.nodes > int(search.w.control.nodes)


def visits(name: str, window: tuple[float, float], **options: Any) -> list[tuple[float, float, float]]:
    """Window and value of every node that is no leaf, in the order they are come to."""
    recorder = Recorder()
    root = kb.load("trees", tree=name).start
    negascouter(root, recorder, table=0, killers="off", history="off", **options).value(3, window)
    return [(e.low, e.high, e.value) for e in recorder.events.view(np.recarray) if e.entered]


@pytest.mark.interpreted
def test_slides_23_and_24_windows_of_the_max_min_form() -> None:
    """The root is MIN's, with [3, 9] in MAX's eyes; its third branch is searched again with [3, 4]."""
    found = visits("negascout", (-9.0, -3.0), form="minimax")
    assert found == [(3, 9, 3), (3, 9, 5), (4, 5, 4), (4, 5, 4), (3, 4, 3), (3, 4, 3)]


@pytest.mark.interpreted
def test_slide_29_windows_of_the_negamax_form() -> None:
    """Where the slide has [4, 5] for the null window of a later move, it is the last float before 5 and 5 here."""
    before_5 = np.nextafter(5.0, 4.0)
    assert visits("negascout2", (4.0, 5.0)) == [(4, 5, 5), (-5, -4, -5), (4, 5, 5), (before_5, 5, 6)]


@pytest.mark.skipif(INTERPRETED, reason="counts are the same interpreted")
def test_negascout_visits_fewer_nodes_where_moves_are_well_ordered() -> None:
    """Othello in the middle game, with its own order and a table: the first move is usually the best."""
    visited = {"alphabeta": 0, "negascout": 0}
    for seed in range(12):
        chance, position = random.Random(seed), kb.load("othello").start
        for _ in range(20):
            position = position.play(chance.choice(position.moves))
        results = {name: kb.search(position, name, depth=7) for name in visited}
        assert results["alphabeta"].value == results["negascout"].value
        visited = {name: nodes + results[name].nodes for name, nodes in visited.items()}
    assert visited["negascout"] < visited["alphabeta"]


@pytest.mark.parametrize("width", [0.01, 1.0, 50.0])
@pytest.mark.parametrize("player", ["alphabeta(strict=true)", "negascout(strict=true)", "alphabeta(soft=false, table=0)"])
def test_aspiration_windows_change_no_value(player: str, width: float) -> None:
    position = kb.load("kalah").position("3")
    wide = [(r.depth, r.value) for r in kb.analyse(position, player, depth=4 if INTERPRETED else 7)]
    narrow = [(r.depth, r.value) for r in kb.analyse(position, player, depth=4 if INTERPRETED else 7, aspiration=width)]
    assert narrow == wide


def test_unknown_condition() -> None:
    with pytest.raises(kb.InputError, match="unknown condition '=>'"):
        passes(TREES.start, "=>", 0.0, 3)
