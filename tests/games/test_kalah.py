"""Kalah: solved values, the fine print of sowing and capturing, text, and games in step with OpenSpiel up to the rule that differs."""

import random
from typing import Any
from xml.etree import ElementTree

import pytest

from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import perft
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.players import solve
from tests.naive import minimax_memoised

GAME = load("kalah")

# Final difference of stores for the first player, with 1, 2, ... seeds in each pit.
SOLVED = {
    1: (0, -2, 6, -2, 2, 0),
    2: (2, -2, -2, -12, 6, 8),
    3: (0, 4, 2, 2, 6, -10),
    4: (2, 6, 8),
}


def board(text: str, **parameters: int) -> Position:
    return from_board(load("kalah", **parameters), text)


# --- solved values ---


@pytest.mark.parametrize(("holes", "seeds"), [(1, n) for n in range(1, 7)] + [(2, n) for n in range(1, 7)] + [(3, 1), (3, 2)])
def test_solved_values(holes: int, seeds: int) -> None:
    start = load("kalah", holes=holes, seeds=seeds).start
    assert minimax_memoised(start, 0) == SOLVED[holes][seeds - 1]
    assert minimax_memoised(start, 1) == -SOLVED[holes][seeds - 1]


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("holes", "seeds"),
    [(3, 6), *(pytest.param(*size, marks=pytest.mark.long) for size in [(3, 3), (3, 4), (3, 5), (4, 1), (4, 2), (4, 3)])],
)
def test_solved_values_compiled(holes: int, seeds: int) -> None:
    start = load("kalah", holes=holes, seeds=seeds).start
    result = solve(start)
    assert (result.value, result.exact) == (SOLVED[holes][seeds - 1], True)


# --- rules ---


def test_last_seed_in_the_store_moves_again() -> None:
    position = GAME.position("3")
    assert position == board("4 4 4 4 4 4 / 0 1 / 4 4 0 5 5 5 / South to move")
    assert (position.player, GAME.position("36").player) == (0, 1)


def test_sowing_skips_the_other_store() -> None:
    position = board("0 0 0 0 0 1 / 0 2 / 1 0 0 0 0 8 / South to move", holes=6, seeds=1)
    assert position.play("6") == board("1 1 1 1 1 2 / 0 3 / 2 0 0 0 0 0 / North to move", holes=6, seeds=1)


def test_a_whole_lap_ends_in_the_pit_it_began_in_and_captures() -> None:
    position = board("1 1 1 / 0 0 / 0 7 2 / South to move", holes=3, seeds=2)
    after = position.play("2")
    assert after == board("2 0 2 / 0 4 / 1 0 3 / North to move", holes=3, seeds=2)


def test_capture_takes_both_pits() -> None:
    position = board("1 5 1 / 2 2 / 1 0 0 / South to move", holes=3, seeds=2)
    after = position.play("1")
    assert after.is_over  # South has nothing left
    assert (after.utility(0), after.utility(1)) == (4.0, -4.0)  # 2 + 1 + 5 against 2 + 1 + 1


def test_empty_capture_stores_the_capturing_seed() -> None:
    position = board("1 0 1 / 4 4 / 1 0 1 / South to move", holes=3, seeds=2)
    assert position.play("1") == board("1 0 1 / 4 5 / 0 0 1 / North to move", holes=3, seeds=2)


def test_either_side_empty_ends_the_game() -> None:
    mover = board("1 0 1 / 4 5 / 0 0 1 / South to move", holes=3, seeds=2).play("3")
    assert mover.is_over
    assert mover.utility(0) == 0.0  # 6 against 4 + 2
    other = board("0 1 0 / 4 5 / 1 0 1 / South to move", holes=3, seeds=2).play("1")
    assert other.is_over  # the capture emptied North's side
    assert other.utility(0) == 4.0  # 5 + 1 + 1 and the 1 that lay on South's side, against 4


def test_notation_counts_from_the_movers_left() -> None:
    assert GAME.position("1 1") == board("4 5 5 5 5 0 / 0 0 / 0 5 5 5 5 4 / South to move")


@pytest.mark.parametrize(("depth", "paths"), [(1, 6), (2, 35), (3, 185), (4, 942)])
def test_compiled_and_interpreted_count_alike(depth: int, paths: int) -> None:
    assert perft(GAME.start, depth, target="python") == paths
    assert perft(GAME.start, depth, target="cpu") == paths


@pytest.mark.parametrize(
    "parameters", [{}, *(pytest.param({"holes": holes, "seeds": seeds}, marks=pytest.mark.once) for holes, seeds in ((1, 1), (12, 24)))]
)
def test_conformance(parameters: dict[str, int]) -> None:
    report = check(load("kalah", **parameters), games=50 if not parameters else 5)
    assert not report.failures


def test_order_prefers_going_again_then_captures() -> None:
    position = board("1 5 1 / 2 1 / 1 0 1 / South to move", holes=3, seeds=2)
    by_order = sorted(position.moves, key=lambda m: -position.game.rule("order")(position.state, int(m)))
    assert [str(m) for m in by_order] == ["3", "1"]
    assert position.game.rule("order")(position.state, 0) == 6.0  # the seed and five more


# --- text ---


def test_show_and_read() -> None:
    position = GAME.position("3 6 1")
    assert position.show().splitlines() == [
        "    5  5  6  6  6  0",
        " 0                    2",
        "    4  4  0  5  5  0",
        "South to move",
    ]
    assert from_board(GAME, position.show()) == position
    assert ElementTree.fromstring(position.draw()).tag.endswith("svg")


def test_a_finished_game_says_so() -> None:
    position = board("1 0 1 / 4 5 / 0 0 1 / South to move", holes=3, seeds=2).play("3")
    assert position.show().endswith("game over")
    assert from_board(position.game, position.show()) == position


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("4 4 4", "a board is North's 6 pits, North's store, South's store, South's 6 pits and 'South to move' or 'North to move'"),
        ("4 4 4 4 4 4 / 0 0 / 4 4 4 4 4 4", "'South to move' or 'North to move'"),
        ("4 4 4 4 4 4 / 0 0 / 4 4 4 4 4 4 / West to move", "'South to move' or 'North to move'"),
        ("4 4 4 4 4 4 / 0 0 / 4 4 4 4 4 5 / South to move", "has 48 seeds in all"),
        ("4 4 4 4 4 4 / -1 1 / 4 4 4 4 4 4 / South to move", "none of its 14 numbers negative"),
        ("4 4 4 4 4 4 / 0 0 / 4 4 4 4 4 4 / game over", "the game is not over while both sides have seeds"),
    ],
)
def test_boards_that_are_none(text: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        from_board(GAME, text)
    assert says in str(error.value)


@pytest.mark.parametrize("parameters", [{"holes": 0}, {"holes": 13}, {"seeds": 25}, {"seeds": "many"}])
def test_parameters_out_of_range(parameters: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="must be a whole number from 1 to"):
        load("kalah", **parameters)


# --- another implementation ---


def test_in_step_with_openspiel_up_to_an_empty_capture() -> None:
    """OpenSpiel's mancala leaves the last seed where it is when nothing lies opposite, and goes on while the player to move has seeds."""
    pyspiel = pytest.importorskip("pyspiel")
    assert sum(moves_in_step(pyspiel.load_game("mancala").new_initial_state(), seed) for seed in range(60)) > 400


def moves_in_step(theirs: Any, seed: int) -> int:
    """Play a random game on both sides until an empty capture or an empty side; the number of moves after which the boards were equal."""
    ours, choose, equal = GAME.start, random.Random(seed).choice, 0
    while True:
        assert theirs.current_player() == ours.player
        assert [(a - 1) % 7 for a in theirs.legal_actions()] == [int(m) for m in ours.moves]
        mover, move = ours.player, choose(ours.moves)
        theirs.apply_action(int(move) + 1 + 7 * mover)
        ours = ours.play(move)
        if ours.is_over:
            break
        seen = [int(n) for n in theirs.observation_tensor(0)][:14]  # North's store first
        pits = [int(n) for n in ours.state.pits]
        differences = {i: a - b for i, (a, b) in enumerate(zip(pits, seen[1:] + seen[:1], strict=True)) if a != b}
        if differences:
            place = min(differences, key=lambda i: differences[i])
            assert differences == {place: -1, 6 + 7 * mover: 1}
            assert pits[12 - place] == 0
            break
        equal += 1
    return equal
