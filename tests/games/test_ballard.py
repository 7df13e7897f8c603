"""Artificial trees with chance nodes: what is promised about their values, their order, their chances and their seeds."""

from collections import Counter
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.rules import CHANCE
from tests.naive import expectiminimax

GAME = load("ballard")
BEST = {
    (weight, first): load("ballard", order="best", levels="+*-*", branching=3, chances=3, weight=weight, first=first)
    for weight in (1, 5)
    for first in (1.0, 0.4)
}


def leaves(position: Position) -> list[float]:
    """All leaves below, in the order in which moves are listed."""
    return [position.utility(0)] if position.is_over else [leaf for move in position.moves for leaf in leaves(position.play(move))]


# --- shape ---


@pytest.mark.parametrize(
    ("levels", "branching", "chances", "movers"),
    [("+*-", 3, 2, [0, CHANCE, 1]), ("*+*-*", 2, 3, [CHANCE, 0, CHANCE, 1, CHANCE]), ("-*", 1, 5, [1, CHANCE])],
)
def test_levels(levels: str, branching: int, chances: int, movers: list[int]) -> None:
    position = load("ballard", levels=levels, branching=branching, chances=chances).start
    found = []
    while not position.is_over:
        found.append(position.player)
        assert len(position.moves) == (chances if position.is_chance else branching)
        position = position.play(position.moves[-1])
    assert found == movers


def test_a_smaller_tree_in_the_same_game() -> None:
    small = from_board(GAME, "seed=5 branching=2 chances=3")
    assert len(leaves(small)) == 2 * 3 * 2
    assert (len(small.moves), len(small.play("1").moves)) == (2, 3)


# --- values ---


def test_leaves_are_drawn_evenly() -> None:
    game = load("ballard", low=1, high=6, branching=10, chances=10)
    counts = Counter(leaf for seed in range(3) for leaf in leaves(from_board(game, f"seed={seed}")))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert all(400 < n < 600 for n in counts.values())  # 3000 leaves


def test_other_draws() -> None:
    assert set(leaves(load("ballard", draws="binary", low=-3, high=8).start)) == {-3, 8}
    uniform, bell = (leaves(load("ballard", draws=draws, branching=8, chances=8).start) for draws in ("uniform", "bell"))
    assert sum(abs(leaf - 50) for leaf in bell) < 0.7 * sum(abs(leaf - 50) for leaf in uniform)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**62), game=st.sampled_from(list(BEST.values())))
def test_handed_down_values_are_true(seed: int, game: Game) -> None:
    root = from_board(game, f"seed={seed}")
    for position in (root, root.play("1"), root.play("1", "2"), root.play("2", "3", "1")):
        assert expectiminimax(position) == pytest.approx(position.state.value)
        assert 0 <= position.state.value <= 100
        assert game.rule("evaluate")(position.state, 0) == pytest.approx(position.state.value, abs=0.5)


def test_the_players_share_low_and_high() -> None:
    leaf = load("ballard", low=10, high=30).start.play("1", "1", "1")
    assert leaf.utility(0) + leaf.utility(1) == 40


# --- order ---


def best_first(game: Game, seeds: int) -> float:
    """How often the first move of a root is as good as any."""
    return sum(first_is_best(from_board(game, f"seed={seed}")) for seed in range(seeds)) / seeds


def first_is_best(position: Position) -> bool:
    values = [position.play(move).state.value for move in position.moves]
    return bool(values[0] == max(values))


def test_the_best_move_stands_first_as_often_as_told() -> None:
    assert best_first(BEST[1, 1.0], 50) == 1.0
    assert 0.3 < best_first(BEST[1, 0.4], 300) < 0.55  # ties count too
    assert best_first(load("ballard", order="best", first=0.0, high=10**6), 50) < 0.05


@pytest.mark.parametrize("levels", ["*-", "*+"])
def test_moves_to_leaves_in_order(levels: str) -> None:
    drawn, ordered = (load("ballard", levels=levels, order=order, branching=9) for order in ("random", "leaves"))
    for outcome in ("1", "2", "3", "4"):
        position, same = ordered.start.play(outcome), drawn.start.play(outcome)
        values = [position.play(move).utility(position.player) for move in position.moves]
        assert all(a >= b for a, b in pairwise(values))
        assert {str(m): position.play(m).utility(0) for m in position.moves} == {str(m): same.play(m).utility(0) for m in same.moves}


# --- chance ---


def test_weights() -> None:
    game = load("ballard", weight=6, chances=60, levels="*-")
    chances = game.start.chances
    assert sum(chances) == pytest.approx(1)
    total = 1 / min(chances)  # the smallest weight is 1, as 60 draws from 1 to 6 make all but certain
    assert {round(c * total, 6) for c in chances} == {1, 2, 3, 4, 5, 6}
    assert set(GAME.start.play("1").chances) == {0.25}


# --- seeds, text, pictures ---


def test_a_seed_is_a_tree() -> None:
    one, same, other = load("ballard", seed=3).start, from_board(GAME, "seed=3"), from_board(GAME, "seed=4")
    assert leaves(one) == leaves(same) != leaves(other)
    keys = [p.key for p in (one, other, one.play("1"), one.play("2"), one.play("1", "2"), one.play("2", "1"))]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("game", [GAME, BEST[5, 0.4]])
def test_show_and_read(game: Game) -> None:
    for position in (game.start, game.position("2 1"), game.position("2 1 3"), from_board(game, "seed=9 branching=2 chances=2").play("2")):
        assert from_board(game, position.show()) == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed=-1", "a seed is a whole number from 0 to 2\\^62"),
        ("seed=1 branching=9", "branching must be from 1 to 4 in this game"),
        ("seed=1 chances=0", "chances must be from 1 to 4 in this game"),
        ("seed=1 ply=9 path=3 value=0", "ply must be from 0 to 3, and value from 0 to 100"),
        ("seed=1 ply=1 path=3 value=700", "value from 0 to 100"),
        ("seed=1 ply=1 value=7", "the field path is missing"),
    ],
)
def test_bad_positions(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_board(GAME, text)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"levels": ""}, "must be 1 to 64 of"),
        ({"levels": "+-"}, "without chance load uniform"),
        ({"levels": "+*x"}, "such as"),
        ({"low": 5, "high": 5}, "low=5 must be less than high=5"),
        ({"order": "worst"}, "must be one of random, leaves, best"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load("ballard", **parameters)


def test_pictures() -> None:
    texts = [t.text for t in ElementTree.fromstring(GAME.start.draw()).iter("{http://www.w3.org/2000/svg}text")]
    values = [f"{leaf:g}" for leaf in leaves(GAME.start)]
    assert [t for t in texts if t in values][-64:] == values
    ElementTree.fromstring(GAME.position("1 1 1").draw())
    ElementTree.fromstring(load("ballard", branching=64, chances=64).start.draw())


@pytest.mark.parametrize("parameters", [
    {"order": "best", "weight": 7, "first": 0.5}, *(pytest.param(other, marks=pytest.mark.once) for other in ({}, {"order": "leaves", "draws": "bell"})),
])  # fmt: skip
def test_conformance(parameters: dict[str, Any]) -> None:
    assert not check(load("ballard", **parameters), games=50).failures
