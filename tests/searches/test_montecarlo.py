"""UCT does what the books say: the formula, the four steps, the tree of its naive twin; it converges and proves."""

import json
import math
import random
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings

import kibitz as kb
from kibitz.core.compiling.binder import bind
from kibitz.core.errors import InputError
from kibitz.core.records.record import blank, record
from kibitz.searches.mcts import uct
from kibitz.searches.mcts.plan import make_plan
from kibitz.searches.mcts.rule import tuned, ucb1
from kibitz.searches.mcts.search import Memory
from kibitz.searches.mcts.tree.layout import NONE
from kibitz.searches.mcts.tree.memory import Tree
from kibitz.searches.method import method
from tests import naive, naive_montecarlo
from tests.naive_montecarlo import THREE, three_players
from tests.searches.driver import INTERPRETED, trees

EXAMPLES = 10 if INTERPRETED else 100
ENOUGH = 4000  # playouts: 64 nodes are proven long before
TREES = kb.load("trees")


def grown(position: kb.Position, kept: Memory | None = None, **options: Any) -> tuple[kb.Result, Tree]:
    """The last result of a search, and its tree."""
    search = uct.make_search(position, method("uct").settings(options), "uct", kept)
    for result in search.results():
        last = result
    return last, search.tree


# --- the formula and the four steps ---


def test_upper_confidence_bound_of_the_textbook() -> None:
    """27 of 35 under 53 visits, with C = sqrt 2."""
    edge = blank(record(value=np.float32, scale=np.float32))
    edge.value, edge.scale = 27 / 35, 1 / math.sqrt(35)
    reach = math.sqrt(2.0) * bind(ucb1.root_log, {}, "root_log")(53)
    assert bind(ucb1.ucb, {}, "ucb")(edge, reach) == pytest.approx(1.24774, abs=5e-6)


def test_tuned_bound_by_hand() -> None:
    """27 wins of 35 under 53 visits: V = 27/35 8/35 + sqrt(2 ln 53 / 35) = 0.652639, more than 1/4; of 10,000 under 100,000, V = 0.224312."""
    bound = bind(tuned.tuned_bound, {}, "tuned bound")
    assert bound(27 / 35, 27 / 35, math.sqrt(math.log(53) / 35), math.sqrt(2.0)) == pytest.approx(
        27 / 35 + math.sqrt(math.log(53) / 35 / 4)
    )
    radius = math.sqrt(math.log(100_000) / 10_000)
    wanted = 27 / 35 + radius * math.sqrt(27 / 35 * 8 / 35 + math.sqrt(2.0) * radius)
    assert bound(27 / 35, 27 / 35, radius, math.sqrt(2.0)) == pytest.approx(wanted)
    assert wanted == pytest.approx(27 / 35 + radius * math.sqrt(0.224312), abs=1e-6)
    assert bound(0.5, 0.25, 0.0, math.sqrt(2.0)) == 0.5  # rewards that never vary, seen for ever


def test_rave_has_a_rule_of_its_own() -> None:
    with pytest.raises(InputError, match="use rule=ucb1 or rave=0"):
        kb.search(TREES.start, "uct(rave=10, rule=tuned)", playouts=5)


@pytest.mark.parametrize("visits", [1, 2, 53, ucb1.KNOWN - 1, ucb1.KNOWN, 10**6])
def test_roots_of_logarithms(visits: int) -> None:
    assert bind(ucb1.root_log, {}, "root_log")(visits) == pytest.approx(math.sqrt(math.log(visits)), rel=1e-12)


# The example of the textbook after 100 simulations: wins of whoever moved into the node, and visits. The first player is to move.
AFTER_100 = (37, 100, [(60, 79, [(3, 26, []), (16, 53, [(27, 35, []), (10, 18, [])])]), (1, 10, []), (2, 11, [])])


@pytest.mark.interpreted
def test_four_steps_of_the_textbook() -> None:
    """Select 60/79, 16/53, 27/35; expand it; simulate, and the first player wins; back up: 61/80, 16/54, 28/36 and the new 0/1."""
    shape = [[[1, 1], [[[1, 1], [1, 1]], [1, 1]]], [1, 1], [1, 1]]
    game = kb.load("trees", tree=json.dumps(shape), low=-1, high=1)
    chosen = method("uct").settings({"playouts": 1, "solve": False, "explore": math.sqrt(2.0)})
    memory = Memory()
    search = uct.make_search(game.start, chosen, "uct", memory)
    planted(search.tree, AFTER_100)
    for _ in search.results():
        pass
    tree = search.tree
    root = int(tree.trunk.root)
    assert tree.nodes[root].visits == 101
    (first, visits), (second, _), (third, _), new = path(tree, root, [0, 1, 0, 0])
    assert (first, visits) == (pytest.approx(61), 80)
    assert second == pytest.approx(16)
    assert third == pytest.approx(28)
    assert new == (0.0, 1)
    for moves, wins, visits in (([0, 1], 16, 54), ([0, 1, 0], 28, 36), ([0, 0], 3, 26), ([0, 1, 1], 10, 18), ([1], 1, 10), ([2], 2, 11)):
        assert path(tree, root, moves)[-1] == (pytest.approx(wins, abs=1e-5), visits)


def planted(tree: Tree, of: Any) -> int:
    """Write a tree of wins and visits into the memory; leaves stay in their edges."""
    t = tree.trunk
    wins, visits, children = of
    at = int(t.end)
    n = tree.nodes[at]
    n.total, n.visits, n.count, n.opened = wins, visits, len(children), len(children)
    t.end += tree.node_units + len(children)
    t.nodes += 1
    t.root = at if t.root == NONE else t.root
    for move, (e, child) in enumerate(zip(tree.block_of(at), children, strict=True)):
        x = tree.edges[e]
        x.move, x.value, x.scale = move, child[0] / child[1], 1 / math.sqrt(child[1])
        x.child = planted(tree, child) if child[2] else -1 - child[1]
        if child[2]:
            tree.nodes[x.child].player = 1 - tree.nodes[at].player
            flip(tree, int(x.child), 1 - int(n.player))
    return at


def flip(tree: Tree, at: int, player: int) -> None:
    """Players take turns from here on."""
    tree.nodes[at].player = player
    for e in tree.block_of(at):
        if tree.edges[e].child >= 0:
            flip(tree, int(tree.edges[e].child), 1 - player)


def path(tree: Tree, at: int, moves: list[int]) -> list[tuple[float, int]]:
    """Wins and visits along these moves."""
    found = []
    for move in moves:
        x = next(tree.edges[e] for e in list(tree.block_of(at))[: tree.nodes[at].opened] if tree.edges[e].move == move or len(found) == 3)
        at = int(x.child)
        found.append((float(tree.nodes[at].total), int(tree.nodes[at].visits)) if at >= 0 else (x.value * (-1 - at), -1 - at))
    return found


# --- the same tree as its naive twin ---


@pytest.mark.parametrize(
    ("name", "moves", "parameters"),
    [
        ("tictactoe", "", {}),
        pytest.param("nim", "", {}, marks=pytest.mark.interpreted),
        ("kalah", "", {"holes": 2, "seeds": 2}),
        pytest.param("connect4", "12", {"rows": 4, "columns": 4, "line": 3}, marks=pytest.mark.interpreted),
    ],
)
def test_grows_the_tree_of_its_twin(name: str, moves: str, parameters: dict[str, int]) -> None:
    position = kb.load(name, **parameters).position(moves)
    playouts = 60 if INTERPRETED else 400
    for explore, seed in ((1.4, 0), (0.3, 5)):
        result, tree = grown(position, playouts=playouts, solve=False, explore=explore, seed=seed)
        twin = naive_montecarlo.uct(position, playouts, explore, seed)
        assert naive_montecarlo.same(tree, int(tree.trunk.root), twin)
        assert sorted((c.visits for c in result.table if c.visits), reverse=True) == sorted((c.visits for c in twin.children), reverse=True)
        naive_montecarlo.sound(tree)


@pytest.mark.parametrize(
    ("name", "moves", "parameters"),
    [
        ("tictactoe", "", {}),
        pytest.param("kalah", "", {"holes": 2, "seeds": 2}, marks=pytest.mark.interpreted),
    ],
)
def test_ucb1_tuned_grows_the_tree_of_its_twin(name: str, moves: str, parameters: dict[str, int]) -> None:
    position = kb.load(name, **parameters).position(moves)
    playouts = 60 if INTERPRETED else 400
    for explore, seed in ((math.sqrt(2.0), 0), (0.5, 5)):
        _, tree = grown(position, playouts=playouts, solve=False, explore=explore, seed=seed, rule="tuned")
        twin = naive_montecarlo.uct(position, playouts, explore, seed, rule="tuned")
        assert naive_montecarlo.same(tree, int(tree.trunk.root), twin)
        plain = naive_montecarlo.uct(position, playouts, explore, seed)
        assert [child.visits for child in twin.children] != [child.visits for child in plain.children]
        naive_montecarlo.sound(tree)


@pytest.mark.interpreted
def test_three_players_grow_the_tree_of_their_twin() -> None:
    position = three_players((0, [(1, [(1, 2, 3), (4, 0, 1)]), (2, [(5, 5, 5), (1, [(0, 9, 2), (7, 3, 4)])]), (0, [(6, 6, 1), (2, 8, 8)])]))
    result, tree = grown(position, playouts=80, solve=False, explore=0.5)
    twin = naive_montecarlo.uct(position, 80, 0.5, 0)
    assert naive_montecarlo.same(tree, int(tree.trunk.root), twin)
    low, high = position.game.constants["VALUES"]
    for candidate in result.table:
        child = next(c for c in twin.children if c.move == candidate.numbers[0])
        assert candidate.values == pytest.approx([low + (high - low) * sum_ / child.visits for sum_ in child.everybody], abs=1e-5)
    assert result.values == result.table[0].values


# --- proofs ---


@settings(max_examples=EXAMPLES)
@given(tree=trees(), seed=st.integers(0, 99))
@example(tree=[[3, 12, 8], [2, 4, 6], [14, 5, 2]], seed=0)
@example(tree={"player": 1, "moves": [{"player": 1, "moves": [0, 0]}, 0]}, seed=0)
def test_trees_are_proven(tree: Any, seed: int) -> None:
    position = TREES.position(json.dumps(tree))
    result = kb.search(position, "uct(memory=0.1)", playouts=ENOUGH, seed=seed)
    assert (result.bound, result.ended) == ("exact", "solved")
    assert result.value == naive.minimax(position, position.player)
    assert result.move in naive.best_moves(position)
    exact = [c for c in result.table if c.bound == "exact"]
    assert {(int(c.move), c.value) for c in exact} <= {(int(m), naive.minimax(position.play(m), position.player)) for m in position.moves}


@settings(max_examples=EXAMPLES)
@given(tree=trees(), playouts=st.integers(1, 40))
def test_what_is_proven_on_the_way_is_true(tree: Any, playouts: int) -> None:
    position = TREES.position(json.dumps(tree))
    result = kb.search(position, "uct(memory=0.1)", playouts=playouts)
    for candidate in result.table:
        if candidate.bound == "exact":
            assert candidate.value == naive.minimax(position.play(candidate.move), position.player)
    if result.exact:
        assert result.value == naive.minimax(position, position.player)


@pytest.mark.parametrize("moves", ["", "1", "5 1", "2 1 5"])
def test_tic_tac_toe_is_proven(moves: str) -> None:
    position = kb.load("tictactoe").position(moves)
    if INTERPRETED and len(moves) < 5:
        pytest.skip("too slow interpreted")
    result = kb.search(position, "uct", playouts=300_000)
    assert (result.ended, result.bound, result.value) == ("solved", "exact", naive.minimax_memoised(position, position.player))
    assert result.move in naive.best_moves(position)


@settings(max_examples=EXAMPLES // 5)
@given(moves=st.lists(st.integers(0, 6), min_size=26, max_size=34))
def test_ends_of_games_are_proven(moves: list[int]) -> None:
    position = kb.load("connect4").start
    for column in moves:
        if not position.is_over and column in [int(m) for m in position.moves]:
            position = position.play(column)
    if not position.is_over and position.state.ply > 30:
        result = kb.search(position, "uct", playouts=200_000)
        assert (result.bound, result.value) == ("exact", naive.minimax_memoised(position, position.player))


def three(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Trees of three players, who move in any order."""

    def inner(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.tuples(st.integers(0, 2), st.lists(children, min_size=1, max_size=3))

    return st.recursive(inner(leaves), lambda below: inner(below | leaves), max_leaves=8)


@settings(max_examples=EXAMPLES)
@given(tree=three(st.tuples(*(st.integers(0, 4).map(float) for _ in range(3)))))
def test_three_players_prove_nothing_that_max_n_leaves_open(tree: Any) -> None:
    """Where something is proven, it is so however players choose among equals."""
    position = three_players(tree)
    result = kb.search(position, "uct(memory=0.1, explore=20)", playouts=ENOUGH // 4)
    if result.exact:
        assert {outcome[position.player] for outcome in naive_montecarlo.max_n(tree)} == {result.value}
        line_ends = naive_montecarlo.max_n(tree[1][int(result.line[0])]) if len(tree) == 2 else {tree}
        for p, value in enumerate(result.values):
            assert math.isnan(value) or {outcome[p] for outcome in line_ends} == {value}


@settings(max_examples=EXAMPLES)
@given(shape=three(st.just((0.0, 0.0, 0.0))), seed=st.integers(0, 99))
def test_three_players_agree_with_max_n(shape: Any, seed: int) -> None:
    """Without ties everything is proven, the sooner the more is explored."""
    tree = without_ties(shape, random.Random(seed))
    position = three_players(tree)
    (outcome,) = naive_montecarlo.max_n(tree)
    result = kb.search(position, "uct(memory=0.1, explore=20)", playouts=ENOUGH // 4)
    assert (result.exact, result.value) == (True, outcome[position.player])
    assert result.values == outcome


def without_ties(shape: Any, chance: random.Random) -> Any:
    if len(shape) == 3:
        return tuple(chance.uniform(0.0, 16.0) for _ in range(3))
    return shape[0], [without_ties(child, chance) for child in shape[1]]


@pytest.mark.compiled
def test_three_players_converge_without_proofs() -> None:
    tree = (
        0,
        [
            (1, [(9.0, 2.0, 3.0), (4.0, 5.0, 1.0)]),
            (2, [(5.0, 5.0, 5.0), (1, [(0.0, 9.0, 2.0), (7.0, 3.0, 4.0)])]),
            (2, [(8.0, 0.0, 1.0), (3.0, 1.0, 8.0)]),
        ],
    )
    assert naive_montecarlo.max_n(tree) == {(5.0, 5.0, 5.0)}
    for seed in range(5):
        result = kb.search(three_players(tree), "uct(solve=false, explore=0.5)", playouts=50_000, seed=seed)
        assert int(result.move or 0) == 1
        assert result.value == pytest.approx(5.0, abs=0.1)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["aima", "[[7, 1, 5], [20, 13, 12], [7, 3, 2]]", "[[[1, 9], [4, 6]], [[8, 0], [2, 3], [7, 7]], 5]"])
def test_converges_without_proofs(name: str) -> None:
    position = kb.load("trees", tree=name, low=-20, high=20).start
    for seed in range(5):
        result = kb.search(position, "uct(solve=false, explore=0.5)", playouts=100_000, seed=seed)
        assert result.bound == "estimate"
        assert result.move in naive.best_moves(position)
        assert result.value == pytest.approx(naive.minimax(position), abs=0.5)


def test_any_game_fits_and_flags_follow_it() -> None:
    for name in ("uct", "montecarlo"):
        assert method(name).unfit(THREE) is None
    chosen = {**method("uct").settings({}), "memory": 1.0}
    assert make_plan(THREE, chosen, uct.list_features(THREE, chosen)).flags.OPPOSITE is False
    assert make_plan(TREES, chosen, uct.list_features(TREES, chosen)).flags.OPPOSITE is True
