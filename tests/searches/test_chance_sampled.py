"""Monte-Carlo star-minimax: what the searches find is the value of the tree that was drawn, and with many draws that of the whole one."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.core.protocol.rules import UNIFORM
from kibitz.core.records import random
from kibitz.core.records.hashing import combine
from kibitz.core.records.random import Rng
from kibitz.core.records.record import blank
from kibitz.searches.chance import sampling
from tests import naive
from tests.searches.chances import GENERAL, WEIGHTED, placed, searcher, trees, uniform_trees
from tests.searches.driver import deepest

TREES = kb.load("trees", tree=GENERAL)
WHOLE = kb.load("trees", tree=WEIGHTED)
EQUAL = uniform_trees()
WEIGHTS = {GENERAL: st.sampled_from([0.5, 1.0, 1.5, 7.0]), WEIGHTED: st.integers(1, 5)}
DICE = [{"chance": [1, 2, 3], "moves": [[1, 2], [-3, 5], 9]}, {"chance": [1, 1], "moves": [[4, {"chance": [1, 3], "moves": [8, -8]}], 2]}]


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def lots(position: kb.Position, sample: int, seed: int) -> list[int]:
    """How often each outcome of a chance position is drawn."""
    rng, weights = blank(Rng), [1.0] * len(position.moves) if position.game.constants["EQUALLY_LIKELY"] else list(position.chances)
    with np.errstate(over="ignore"):
        random.seed(rng, seed, sampling.STREAM)
        rng.word = combine(rng.word, position.game.rule("key")(position.state))
        times = [0] * len(weights)
        for _ in range(sample):
            if position.game.constants["EQUALLY_LIKELY"]:
                times[random.below(rng, len(weights))] += 1
                continue
            left, i = random.unit(rng) * sum(weights), 0
            while i < len(weights) - 1 and left >= weights[i]:
                left -= weights[i]
                i += 1
            times[i] += 1
    return times


def sampled(position: kb.Position, depth: int, player: int, sample: int, seed: int) -> float:
    """`naive.expectiminimax_to_depth` of the tree that is drawn."""
    if position.is_over:
        return position.utility(player)
    if position.is_chance:
        drawn = [(n, m) for n, m in zip(lots(position, sample, seed), position.moves, strict=True) if n]
        return sum(n * sampled(position.play(m), depth, player, sample, seed) for n, m in drawn) / sample
    if depth == 0:
        return float(position.game.rule("evaluate")(position.state, player))
    values = [sampled(position.play(move), depth - 1, player, sample, seed) for move in position.moves]
    return max(values) if position.player == player else min(values)


def check(position: kb.Position, name: str, depth: int, sample: int, seed: int, **options: Any) -> None:
    found = searcher(position, name, sample=sample, seed=seed, **options).value(depth)
    true = sampled(position, depth, max(0, position.player), sample, seed)
    assert found == pytest.approx(true, rel=1e-9, abs=1e-12)


SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("expectiminimax", {}),
    ("star0", {"table": 0}),
    ("star05", {"table": 0.01, "strict": True}),
    ("star1", {"table": 0, "merge": False}),
    ("star25", {"table": 0.01, "probe": 2, "strict": True}),
]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("name", "options"), SEARCHES)
@settings(max_examples=15)
@given(tree=trees(WEIGHTS[GENERAL]), depth=st.integers(1, 5), sample=st.integers(1, 6), seed=st.integers(0, 99))
@example(tree=DICE, depth=4, sample=3, seed=1)
def test_the_value_of_the_tree_that_is_drawn(name: str, options: dict[str, Any], tree: Any, depth: int, sample: int, seed: int) -> None:
    check(placed(TREES, tree), name, depth, sample, seed, **options)


@pytest.mark.usefixtures("interpreted")
@settings(max_examples=12)
@given(tree=trees(WEIGHTS[WEIGHTED]), alike=trees(st.just(1)), sample=st.integers(1, 6))
def test_other_kinds_of_weights(tree: Any, alike: Any, sample: int) -> None:
    check(placed(WHOLE, tree), "star2", 5, sample, 3, table=0)
    assert EQUAL.constants["CHANCE_KIND"] == UNIFORM
    check(placed(EQUAL, alike), "star2", 5, sample, 3, table=0)


@pytest.mark.usefixtures("interpreted")
@settings(max_examples=20)
@given(tree=trees(WEIGHTS[GENERAL]), sample=st.integers(1, 6), low=st.floats(-11, 11), seed=st.integers(0, 99))
def test_windows_and_the_table_speak_of_the_same_tree(tree: Any, sample: int, low: float, seed: int) -> None:
    """Asked in another window first, the table still gives the value of what was drawn."""
    position = placed(TREES, tree)
    search = searcher(position, "star2", table=0.01, sample=sample, seed=seed)
    true = sampled(position, 99, max(0, position.player), sample, seed)
    bound, full = search.value(deepest(TREES.constants), (low, low + 1.0)), search.value(deepest(TREES.constants))
    assert full == pytest.approx(true, rel=1e-9, abs=1e-12)
    slack = 1e-9 * (1 + abs(true))
    assert true <= bound + slack if bound <= low else true >= bound - slack if bound >= low + 1 else bound == pytest.approx(true)


@pytest.mark.compiled
@settings(max_examples=60)
@given(tree=trees(WEIGHTS[GENERAL]), sample=st.integers(1, 6), seed=st.integers(0, 99))
@example(tree=DICE, sample=3, seed=1)
def test_compiled(tree: Any, sample: int, seed: int) -> None:
    check(placed(TREES, tree), "star1", 5, sample, seed, table=0, merge=False)


@pytest.mark.usefixtures("interpreted")
def test_results_are_estimates_and_repeat() -> None:
    position = placed(TREES, DICE)
    results = [kb.search(position, "star2", depth=4, sample=2, seed=seed) for seed in (5, 5, 6, 7, 8)]
    assert results[0] == results[1] or (results[0].value, results[0].nodes) == (results[1].value, results[1].nodes)
    assert len({r.value for r in results}) > 1
    for result in results:
        assert (result.bound, result.exact) == ("estimate", False)
        assert result.note == "sampled: 2 outcomes drawn at each chance node"
    both = kb.search(position, "star1(sample=1, approximate=some)", depth=3)
    assert both.note.startswith("sampled: 1 outcome drawn at each chance node; approximate: ")
    assert kb.search(position, "star2", depth=4).bound == "exact"


@pytest.mark.usefixtures("interpreted")
def test_many_draws_come_near_the_truth() -> None:
    position = placed(TREES, DICE)
    true = naive.expectiminimax(position)
    errors = [
        max(abs(searcher(position, "star1", table=0, sample=sample, seed=s).value(9) - true) for s in range(5)) for sample in (4, 4000)
    ]
    assert errors[1] < 0.5 < errors[0]  # leaves are worth -8 to 9; four standard deviations are 0.5


@pytest.mark.usefixtures("interpreted")
def test_outlooks_are_of_the_same_sample() -> None:
    result = kb.search(placed(TREES, DICE), "star1(sample=3, outlook=true)", depth=4)
    assert max(o.mean for o in result.outlooks) == pytest.approx(result.value)


@pytest.mark.usefixtures("interpreted")
def test_pictures_show_what_was_drawn() -> None:
    position = placed(WHOLE, {"chance": [1, 2, 3], "moves": [1, 5, -4]})
    times = lots(position, 4, 2)
    assert sampling.shares(position, 4, 2) == {i: n / 4 for i, n in enumerate(times) if n}
    tree = kb.tree(position, "expectiminimax(depth=1, sample=4, seed=2)")
    assert isinstance(tree, kb.SearchTree)
    assert {move: child.chance for move, child in tree.root.children.items()} == sampling.shares(position, 4, 2)
    assert tree.root.skipped == ()
    assert tree.remark == "sampled: 4 outcomes drawn at each chance node"
