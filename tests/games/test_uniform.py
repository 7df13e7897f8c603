"""Uniform trees: node counts of alpha-beta in the best and the worst order, true values, seeds, compiled counts."""

from itertools import pairwise
from typing import Any

import pytest

from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import count_games, paths, perft
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from tests.naive import alphabeta, alphabeta_nodes, best_moves, minimax

KINDS: list[dict[str, Any]] = [
    {"order": "perfect"},
    {"order": "worst"},
    {"order": "strong"},
    {"order": "random"},
    {"order": "random", "values": "incremental"},
    {"order": "sorted"},
]


def tree(branching: int, depth: int, **parameters: Any) -> Position:
    return load("uniform", branching=branching, depth=depth, **parameters).start


def inner_nodes(position: Position) -> list[Position]:
    """The position and everything below it that is not a leaf."""
    if position.is_over:
        return []
    return [position, *(node for move in position.moves for node in inner_nodes(position.play(move)))]


def evaluation(position: Position, player: int = 0) -> float:
    return float(position.game.rule("evaluate")(position.state, player))


# --- perfect order ---


@pytest.mark.parametrize(("branching", "depth", "nodes"), [(2, 4, 18), (3, 4, 37), (4, 6, 268), (10, 4, 338)])
def test_perfect_order_needs_the_fewest_nodes(branching: int, depth: int, nodes: int) -> None:
    assert nodes == sum(branching ** ((i + 1) // 2) + branching ** (i // 2) - 1 for i in range(depth + 1))
    for seed in range(3):
        root = tree(branching, depth, order="perfect", seed=seed)
        assert alphabeta(root) == (evaluation(root), nodes)


def test_perfect_order_odd_depth() -> None:
    assert alphabeta_nodes(tree(3, 3, order="perfect")) == sum(3 ** ((i + 1) // 2) + 3 ** (i // 2) - 1 for i in range(4))


@pytest.mark.parametrize("spread", [1, 50])
def test_perfect_order_every_node_is_worth_its_evaluation(spread: int) -> None:
    for node in inner_nodes(tree(3, 4, order="perfect", spread=spread)):
        assert minimax(node) == evaluation(node) == -evaluation(node, 1)
        assert [str(m) for m in best_moves(node)] == ["1"]


def test_root_values_of_perfect_trees_differ() -> None:
    values = {evaluation(tree(2, 2, order="perfect", spread=10, seed=seed)) for seed in range(40)}
    assert len(values) > 10
    assert min(values) >= -10
    assert max(values) <= 10


# --- worst order ---


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (2, 6), (3, 5), (7, 3)])
def test_worst_order_cuts_nothing(branching: int, depth: int) -> None:
    root = tree(branching, depth, order="worst")
    assert alphabeta(root) == (0.0, (branching ** (depth + 1) - 1) // (branching - 1))


def test_worst_order_every_node_is_worth_its_evaluation_and_moves_improve() -> None:
    for node in inner_nodes(tree(3, 4, order="worst")):
        assert minimax(node) == evaluation(node)
        values = [minimax(node.play(move), node.player) for move in node.moves]
        assert all(a < b for a, b in pairwise(values))


def test_the_deepest_worst_tree_still_has_different_values() -> None:
    position = tree(2, 50, order="worst")
    for _ in range(49):
        position = position.play("1")
    assert evaluation(position.play("1")) > evaluation(position.play("2"))


# --- strong order ---


@pytest.mark.parametrize("branching", [2, 3, 9])
def test_strong_order_every_node_is_worth_its_evaluation(branching: int) -> None:
    for node in inner_nodes(tree(branching, 3, order="strong")):
        assert minimax(node) == evaluation(node)
        assert len(best_moves(node)) == 1


def best_places(branching: int, nodes: int, **parameters: Any) -> list[int]:
    """Where the best move stands at the roots of that many trees."""
    game = load("uniform", branching=branching, depth=1, order="strong", **parameters)
    return [int(best_moves(from_board(game, f"seed={seed}"))[0]) for seed in range(nodes)]


def test_strong_order_puts_the_best_move_where_it_says() -> None:
    places = best_places(12, 1000)  # the first quarter: 3 moves
    assert 640 < places.count(0) < 760  # 700, give or take 4 standard deviations
    assert 860 < sum(place < 3 for place in places) < 940  # 900
    assert set(places) == set(range(12))
    assert set(best_places(12, 50, first=1.0, quarter=1.0)) == {0}
    assert set(best_places(12, 100, first=0.0, quarter=1.0)) == {1, 2}
    assert set(best_places(12, 200, first=0.0, quarter=0.0)) == set(range(3, 12))
    assert set(best_places(2, 100, first=0.0, quarter=0.0)) == {1}


# --- sorted ---


def test_sorted_moves_stand_by_their_worth_except_before_leaves() -> None:
    root = tree(6, 3, order="sorted", spread=20)
    for node in (root, *(root.play(move) for move in root.moves)):
        worths = [evaluation(node.play(move), node.player) for move in node.moves]
        assert worths == sorted(worths, reverse=True)
        assert sorted(int(move) for move in node.moves) == list(range(6))
    before_leaves = root.play(root.moves[0], root.play(root.moves[0]).moves[0])
    assert [int(move) for move in before_leaves.moves] == list(range(6))


def test_sorted_trees_are_incremental_trees() -> None:
    plain, ordered = tree(4, 4, values="incremental", seed=3), tree(4, 4, order="sorted", seed=3)
    assert sorted(leaves(plain)) == sorted(leaves(ordered))
    assert minimax(plain) == minimax(ordered)
    assert alphabeta_nodes(ordered) < alphabeta_nodes(plain)


# --- random order ---


def test_independent_leaves_are_drawn_evenly() -> None:
    counted = count_games(tree(4, 6, spread=1), 6, target="cpu")
    assert counted.games == 4096
    assert set(counted.by_utility) == {-1.0, 0.0, 1.0}
    assert all(1200 < n < 1530 for n in counted.by_utility.values())  # 1365 each, give or take 5 standard deviations
    assert {evaluation(node) for node in inner_nodes(tree(3, 3))} == {0.0}


def test_incremental_leaves_are_sums() -> None:
    root = tree(3, 4, values="incremental", spread=5)
    steps = set()
    for node in inner_nodes(root):
        for move in node.moves:
            after = node.play(move)
            value = after.utility() if after.is_over else evaluation(after)
            steps.add(value - evaluation(node))
    assert evaluation(root) == 0.0
    assert steps == set(range(-5, 6))


def test_random_order_is_neither_best_nor_worst() -> None:
    assert 268 < alphabeta_nodes(tree(4, 6)) < 5461


# --- all of them ---


@pytest.mark.parametrize("parameters", KINDS)
def test_seeds(parameters: dict[str, Any]) -> None:
    first, again = tree(3, 4, seed=5, **parameters), tree(3, 4, seed=5, **parameters)
    other = tree(3, 4, seed=6, **parameters)
    assert first == again
    line = ("1", "3", "2", "3")
    assert first.play(*line).data == again.play(*line).data
    assert (leaves(first) == leaves(other)) == (parameters["order"] == "worst")  # there is one worst tree
    assert from_board(other.game, "seed=5").data == first.data


def test_one_compilation_serves_all_seeds() -> None:
    assert tree(3, 4, seed=5).game.bind(paths).digest == tree(3, 4, seed=6).game.bind(paths).digest


@pytest.mark.parametrize("parameters", KINDS)
def test_smaller_trees_in_the_same_game(parameters: dict[str, Any]) -> None:
    """They are the trees of a game of that size."""
    small = from_board(load("uniform", branching=6, depth=9, **parameters), "seed=5 branching=3 depth=4")
    assert leaves(small) == leaves(tree(3, 4, seed=5, **parameters))
    assert small.show().startswith("seed=5 branching=3 depth=4 ply=0 path=")
    assert from_board(small.game, small.play("2").show()) == small.play("2")
    assert [perft(small, depth) for depth in range(6)] == [1, 3, 9, 27, 81, 0]


def leaves(position: Position) -> list[float]:
    if position.is_over:
        return [position.utility()]
    return [value for move in position.moves for value in leaves(position.play(move))]


@pytest.mark.parametrize("target", ["cpu", "python"])
@pytest.mark.parametrize("parameters", KINDS)
def test_perft(parameters: dict[str, Any], target: str) -> None:
    root = tree(3, 5, **parameters)
    assert [perft(root, depth, target) for depth in range(7)] == [1, 3, 9, 27, 81, 243, 0]


@pytest.mark.parametrize("parameters", KINDS)
def test_conformance(parameters: dict[str, Any]) -> None:
    assert not check(load("uniform", branching=5, depth=7, **parameters), games=100).failures


@pytest.mark.parametrize("parameters", KINDS)
def test_show_and_read(parameters: dict[str, Any]) -> None:
    position = tree(3, 4, seed=2, **parameters).play("2", "3")
    assert position.show().startswith("seed=2 ply=2 path=")
    assert from_board(position.game, position.show()) == position


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("seed=-1", "a seed is a whole number from 0 to 2^62"),
        ("seed=x", "a seed is a whole number from 0 to 2^62"),
        ("seed=1 ply=2", "the field path is missing; write path=VALUE"),
        ("seed=1 ply=9 path=1 value=0", "ply must be from 0 to 4"),
        ("seed=1 ply=3 path=1 value=0 depth=2", "ply must be from 0 to 2"),
        ("seed=1 branching=4", "'branching=4': branching must be from 2 to 3 in this game"),
        ("seed=1 depth=0", "'depth=0': depth must be from 1 to 4 in this game"),
        ("seed=1 ply=0 path=1 value=0 branching=1", "branching must be from 2 to 3 and depth from 1 to 4 in this game"),
        ("seed=1 ply=1 path=1 value=101", "value, low <= high from -100 to 100"),
        ("tree", "'tree' is not FIELD=VALUE"),
    ],
)
def test_positions_that_are_none(text: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        from_board(tree(3, 4).game, text)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"branching": 1}, "must be a whole number from 2 to 64"),
        ({"depth": 65}, "must be a whole number from 1 to 64"),
        ({"order": "best"}, "must be one of perfect, worst, strong, random, sorted"),
        ({"order": "perfect", "values": "incremental"}, "values=incremental is for order=random"),
        ({"order": "strong", "first": 0.95}, "first=0.95 must not be more than quarter=0.9"),
        ({"order": "worst", "branching": 3, "depth": 32}, "with order=worst branching^depth must be at most 2^50; 3^32 is more"),
    ],
)
def test_parameters_that_cannot_be(parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as error:
        load("uniform", **parameters)
    assert says in str(error.value)


def test_pictures_are_trees_of_a_readable_size() -> None:
    root = load("uniform", branching=3, depth=2, order="perfect").start
    assert root.draw().count("<polygon") == 4
    assert root.play(1).draw().count("<polygon") == 1
    assert load("uniform", branching=10, depth=20).start.draw().count("<text") == 100
