"""Blind tic-tac-toe, walked in step with OpenSpiel's phantom_ttt.

The same there: the moves a player may try, what a try does, whose turn it is, how games end. Other there: nobody hears the other's vain tries, and a player
that is told nothing is told nothing of the end either (the umpire's announcement of a line or a full board is ours).
"""

import random

import pyspiel
import pytest

import kibitz as kb
from kibitz.core.checking.conformance import check
from kibitz.core.hidden.view import view

GAME = kb.load("blind_tictactoe")


def walk(games: int, seed: int) -> int:
    """Random games, both sides by side; how many tries were vain."""
    rng, theirs, vain = random.Random(seed), pyspiel.load_game("phantom_ttt"), 0
    for _ in range(games):
        ours, other = GAME.start, theirs.new_initial_state()
        while not ours.is_over:
            assert not other.is_terminal()
            assert other.current_player() == ours.player
            assert list(ours.numbers) == other.legal_actions()
            seen = view(ours, ours.player).board.replace("\n", "").lower()
            assert other.information_state_string(ours.player).replace("\n", "").startswith(seen)
            move = rng.choice(ours.numbers)
            mover = ours.player
            ours = ours.play(move)
            other.apply_action(move)
            vain += ours.player == mover
        assert other.is_terminal()
        assert [ours.utility(0), ours.utility(1)] == other.returns()
    return vain


def test_in_step_with_openspiel() -> None:
    assert walk(60, 1) > 20


@pytest.mark.long
def test_thousands_of_games_in_step_with_openspiel() -> None:
    assert walk(5000, 2) > 2000


@pytest.mark.compiled
def test_it_is_sound() -> None:
    assert check(GAME, games=200).failures == []


def test_boards() -> None:
    position = GAME.position("X.O/.X./..O 3 -")
    assert position.show() == "X.O\n.X.\n..O\n3 -"
    assert [str(m) for m in position.moves] == ["2", "4", "6", "7", "8", "9"]
    for wrong, said in (
        ("X.O/.X./..O 4 -", "where the other's mark is known"),
        ("X.O/.X./..", "3 rows of 3"),
        ("O.O/.X./..O", "X moves first"),
    ):
        with pytest.raises(kb.InputError, match=said):
            GAME.position(wrong)


def test_it_is_drawn() -> None:
    position = GAME.position("X.O/.X./..O 3 -")
    assert position.draw().startswith("<svg")
    assert GAME.people["draw_to"](position.state, 1) != position.draw()
