"""Determinacy: the mean and variance of the chance to make a move, by the game's own word and by counting rolls."""

import random

import pytest

from kibitz.core.errors import InputError
from kibitz.core.measuring.determinacy import determinacy
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load

GAME = load("ewn")
GIVEN = load("ewn", setup="123456")


def board(rows: str, following: str) -> Position:
    return from_board(GAME, f"{rows} / {following}")


def whole_game(seed: int) -> list[Position]:
    """All positions of a random game."""
    choose, positions = random.Random(seed).choice, [GIVEN.start]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(choose(positions[-1].moves)))
    return positions


@pytest.mark.parametrize(("second", "mean", "variance"), [(6, 5 / 6, 0.0), (2, 3 / 6, 1 / 9)])
def test_average_determinacy_of_two_pieces(second: int, mean: float, variance: float) -> None:
    """Pieces 1 and 6 can each be moved on five rolls of six; of 1 and 2 the first only on one."""
    position = board(f"X1 .. .. .. .. / .. .. X{second} .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. O1 .. ..", "X to roll")
    found = determinacy(position)
    assert len(found.moves) == 6
    assert found.mean == pytest.approx(mean)
    assert found.variance == pytest.approx(variance)


def test_determinacy_is_the_share_of_rolls_that_allow_the_move() -> None:
    seen = set()
    for seed in range(8):
        for position in whole_game(seed):
            if position.is_chance:
                rolled = [position.play(roll) for roll in position.moves]
                for notation, chance in determinacy(position).moves.items():
                    allowing = sum(notation in map(str, p.moves) for p in rolled)
                    assert chance == pytest.approx(allowing / 6)
                    seen.add(allowing)
    assert seen == {1, 2, 3, 4, 5, 6}


def test_determinacy_of_a_position_without_moves() -> None:
    with pytest.raises(InputError, match="here is none to make"):
        determinacy(GAME.start)
    assert determinacy(load("tictactoe").start).mean == 1.0
