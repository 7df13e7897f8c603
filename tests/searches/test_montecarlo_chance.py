"""Chance in the tree: rounds without replacement, weighted values, sparse sampling; proven values are expectiminimax's, others come near."""

import math
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import kibitz as kb
from kibitz.core.protocol.rules import CHANCE
from kibitz.searches.montecarlo.tree import Tree
from tests import naive
from tests.searches.chances import GENERAL, WEIGHTED, placed, trees, uniform_trees, worth
from tests.searches.driver import INTERPRETED
from tests.searches.test_montecarlo import grown

EXAMPLES = 10 if INTERPRETED else 100

pytestmark = pytest.mark.long  # many pairs of search and game to compile
KINDS = {"weighted": WEIGHTED, "general": GENERAL}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_trees_with_chance_are_proven(kind: str, data: st.DataObject) -> None:
    tree = data.draw(trees(st.integers(1, 4) if kind == "weighted" else st.sampled_from([0.75, 1.0, 2.5])))
    position = placed(kb.load("trees", tree=KINDS[kind]), tree)
    result = kb.search(position, "uct(explore=20, memory=0.1)", playouts=1000 if INTERPRETED else 200_000)
    sign = -1.0 if position.player == 1 else 1.0
    if INTERPRETED and not result.exact:
        return  # what is unlikely takes many playouts to come up
    assert result.exact
    assert result.value == pytest.approx(sign * worth(tree), abs=1e-9)
    assert (result.move is None) == position.is_chance
    if result.move is not None:
        after = position.play(result.move)
        assert naive.expectiminimax(after, position.player) == pytest.approx(result.value, abs=1e-9)


TREE = [
    {"chance": [1, 2, 3], "moves": [[6, 2], [0, 9], [5, {"chance": [1, 1], "moves": [1, 3]}]]},
    {"chance": [1, 4], "moves": [[1, 8], [{"player": 0, "moves": [7, 2]}, 9]]},
    3,
]


@pytest.mark.compiled
@pytest.mark.parametrize("options", [{}, {"sparse": 1.0}, {"sparse": 2.0, "alpha": 0.3}, {"widen": 1.0, "threads": 2}])
def test_estimates_come_near_expectiminimax(options: dict[str, Any]) -> None:
    """Within a hundredth of the range of values after 200 000 playouts, whatever the seed."""
    position = kb.load("trees", tree=WEIGHTED, low=-10, high=10).position(str(TREE).replace("'", '"'))
    values = [naive.expectiminimax(position.play(m), 0) for m in position.moves]
    for seed in range(3):
        result = kb.search(position, "uct(solve=false, explore=0.5)", playouts=200_000, seed=seed, **options)
        assert result.value == pytest.approx(max(values), abs=0.2)
        assert int(result.move or 0) == values.index(max(values))


def chance_node(tree: Tree) -> int:
    """The child of the root with chance to move."""
    block = tree.block_of(int(tree.trunk.root))
    return next(
        int(tree.edges[e].child) for e in block if tree.edges[e].child >= 0 and tree.nodes[int(tree.edges[e].child)].player == CHANCE
    )


def outcome_visits(tree: Tree, at: int) -> dict[int, int]:
    found = {}
    for e in tree.block_of(at):
        child = int(tree.edges[e].child)
        found[int(tree.edges[e].move)] = -1 - child if child < 0 else int(tree.nodes[child].visits)
    return found


@pytest.mark.parametrize("weights", [[1, 1, 1, 1], [1, 2, 3], [5, 1, 1]])
@pytest.mark.parametrize("playouts", [8, 50, 101])
def test_outcomes_are_drawn_in_rounds(weights: list[int], playouts: int) -> None:
    """After whole rounds each outcome has come up as often as its weight says; within one, none too often."""
    outcomes = ", ".join(f"[{i}, {i + 1}]" for i in range(len(weights)))
    game = kb.load("trees", tree=f'[{{"chance": {weights}, "moves": [{outcomes}]}}]')
    _, tree = grown(game.start, playouts=playouts, solve=False)
    at = chance_node(tree)
    visits = outcome_visits(tree, at)
    drawn = sum(visits.values())
    assert drawn == tree.nodes[at].visits - 1  # it was a leaf once
    rounds, rest = divmod(drawn, sum(weights))
    for i, weight in enumerate(weights):
        assert rounds * weight <= visits[i] <= (rounds + 1) * weight
        assert rest or visits[i] == rounds * weight


def test_equally_likely_outcomes_and_real_weights() -> None:
    uniform = placed(uniform_trees(), [{"chance": [2, 2, 2], "moves": [[1, 2], [3, 4], [5, 6]]}])
    _, tree = grown(uniform, playouts=32, solve=False)
    assert max(outcome_visits(tree, chance_node(tree)).values()) - min(outcome_visits(tree, chance_node(tree)).values()) <= 1
    real = placed(kb.load("trees", tree=GENERAL), [{"chance": [0.5, 0.3, 0.2], "moves": [[1, 2], [3, 4], [5, 6]]}])
    _, tree = grown(real, playouts=301, solve=False)
    visits = outcome_visits(tree, chance_node(tree))
    for i, share in enumerate((0.5, 0.3, 0.2)):
        assert visits[i] == pytest.approx(share * 299, abs=3)


def test_a_chance_node_is_worth_the_weighted_mean() -> None:
    """However often each outcome was visited: 5 visits of weights 1 and 9 are no fair sample."""
    game = kb.load("trees", tree='[{"chance": [1, 9], "moves": [-50, 50]}]')
    for playouts in range(4, 12):
        result, tree = grown(game.start, playouts=playouts, solve=False)
        visited = [m for m, v in outcome_visits(tree, chance_node(tree)).items() if v]
        wanted = {(0, 1): 40.0, (1,): 50.0, (0,): -50.0}[tuple(sorted(visited))]
        assert result.value == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize(("c", "alpha"), [(1.0, 0.5), (2.0, 0.3), (0.4, 1.0)])
def test_sparse_sampling_opens_as_many_outcomes_as_it_says(c: float, alpha: float) -> None:
    game = kb.load("trees", tree=f'[{{"chance": {[1] * 30}, "moves": {list(range(30))}}}]')
    for playouts in (2, 5, 20, 50):
        _, tree = grown(game.start, playouts=playouts, solve=False, sparse=c, alpha=alpha)
        n = tree.nodes[chance_node(tree)]
        assert n.opened == min(30, n.visits - 1, math.ceil(c * (n.visits - 1) ** alpha))  # one more with each visit, at most


def test_progressive_widening_of_moves() -> None:
    _, tree = grown(kb.load("trees", tree=str(list(range(40)))).start, playouts=50, solve=False, widen=1.5, alpha=0.5)
    assert tree.nodes[int(tree.trunk.root)].opened == math.ceil(1.5 * 49**0.5)


def test_chance_at_the_root() -> None:
    """The first player's value, and no move."""
    game = kb.load("trees", tree='{"chance": [1, 3], "moves": [[2, 4], [[8, 0], -4]]}')
    result = kb.search(game.start, "uct", playouts=500)
    assert (result.move, result.line, result.bound, result.value) == (None, (), "exact", 1.0)
    assert [c.visits > 0 for c in result.table] == [True, True]
    estimate = kb.search(game.start, "uct(solve=false)", playouts=500)
    assert estimate.value == pytest.approx(1.0, abs=1.0)
    assert kb.search(game.start, "montecarlo", playouts=500).move is None
