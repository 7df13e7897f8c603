"""The census of random games."""

import math
import os

import pytest

import kibitz as kb
from kibitz.core.measuring.census import taken
from kibitz.core.measuring.determinacy import determinacy

TWO_LEFT = "X1 .. .. .. ..\n.. {} .. .. ..\n.. .. .. .. ..\n.. .. .. O6 ..\n.. .. .. .. O1\nX to roll"


def test_tictactoe_plies() -> None:
    counted = taken(kb.load("tictactoe").start, 20)
    assert (counted.games, counted.finished) == (20, 20)
    for ply, level in enumerate(counted.plies):
        assert (level.moves, level.moves_range, level.determinacy, level.variance) == (9 - ply, (9 - ply, 9 - ply), 1.0, 0.0)
        assert (level.chances, level.outcomes_range) == (0, (0, 0))
    assert counted.plies[0].choices == 20
    assert counted.overall.choices == sum(level.choices for level in counted.plies)


def test_choice_and_chance_take_turns_in_ewn() -> None:
    counted = taken(kb.load("ewn", setup="123456").start, 5)
    for ply, level in enumerate(counted.plies[:4]):
        assert (level.chances, level.choices) == ((5, 0) if ply % 2 == 0 else (0, 5))
    assert counted.plies[0].outcomes == 6
    assert counted.plies[1].determinacy == pytest.approx(1 / 6)
    assert 1 / 6 < counted.overall.determinacy <= 1


@pytest.mark.parametrize(("other", "mean", "variance"), [("X6", 5 / 6, 0.0), ("X2", 3 / 6, (2 / 6) ** 2)])
def test_determinacy_with_two_pieces_left(other: str, mean: float, variance: float) -> None:
    """5/6 for both with 1 and 6; with 1 and 2, 1/6 and 5/6: three moves each."""
    found = determinacy(kb.load("ewn", setup="123456").position(TWO_LEFT.format(other)))
    assert (found.mean, found.variance, len(found.moves)) == (pytest.approx(mean), pytest.approx(variance), 6)


def test_determinacy_is_the_chance_that_a_roll_allows_the_move() -> None:
    position = kb.load("ewn", setup="615243").position(
        "X1 .. X4 .. ..\n.. .. .. .. ..\n.. .. .. .. ..\n.. .. .. O6 ..\n.. .. .. .. O1\nX to roll"
    )
    allowed: dict[str, float] = {}
    for roll, chance in zip(position.moves, position.chances, strict=True):
        for move in position.play(roll).moves:
            allowed[str(move)] = allowed.get(str(move), 0.0) + chance
    assert determinacy(position).moves == pytest.approx(allowed)


def test_nobody_chooses_in_a_duel() -> None:
    counted = taken(kb.load("duel").start, 3)
    assert counted.overall.choices == 0
    assert math.isnan(counted.overall.moves)
    assert counted.overall.outcomes == 6


@pytest.mark.skipif(os.environ.get("KIBITZ_TARGET") == "python", reason="compares the two")
def test_compiled_and_interpreted_count_the_same() -> None:
    position = kb.load("ewn", setup="123456").start
    # As text: since Python 3.13 a record that holds NaN, as those of plies without a choice do, is not equal to itself.
    assert str(taken(position, 3, seed=7)) == str(taken(position, 3, seed=7, target="python"))


def test_refuses_no_games() -> None:
    with pytest.raises(kb.InputError, match="play at least 1"):
        taken(kb.load("tictactoe").start, 0)
