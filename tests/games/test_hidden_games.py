"""All shipped games of hidden information: nobody is given what he may not see, and what he thinks possible holds what is true."""

from __future__ import annotations

from typing import Any

import pytest

import kibitz as kb
from kibitz.core.hidden.view import view
from tests.differential.cases import on
from tests.games.hidden_walks import HIDDEN, alike, never_lost, small

WHOLE = {"kriegspiel": False}  # can a belief be followed to the end of a game?
MOST = {"kriegspiel": 1000}  # positions of a belief that is followed, where it cannot


@pytest.mark.parametrize("name", HIDDEN)
def test_nobody_can_tell_positions_apart_that_look_alike(name: str) -> None:
    """Turn, moves and their names, text, picture, history; and what a search answers, which is given all that there is to be had."""
    game, looked, asked = small(name), 0, 0
    with on("python"):
        for seed in range(4):
            for true, other, player in alike(game, seed, 2 + seed % 3, most=6):
                known, there = view(true, player), view(other, player)
                assert (there, there.player, there.moves, there.board) == (known, known.player, known.moves, known.board)
                assert game.people["draw_to"](true.state, player) == game.people["draw_to"](other.state, player)
                looked += true.data != other.data
                if true.player == player and true.data != other.data and asked < 2:
                    assert answer(true) == answer(other)
                    asked += 1
    assert looked > 5
    assert asked > 0


def answer(position: kb.Position) -> Any:
    found = kb.search(position, "sampling", playouts=20)
    return found.move, found.value, found.nodes, found.note, [candidate.value for candidate in found.table or ()]


@pytest.mark.parametrize("name", HIDDEN)
def test_beliefs_never_lose_the_true_position(name: str) -> None:
    with on("python"):
        large = not WHOLE.get(name, True)
        assert never_lost(3, 3, small(name), 60 if large else 500, not large, 8 if large else 40) > 10


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("name", HIDDEN)
def test_beliefs_never_lose_the_true_position_in_ten_thousand_games(name: str) -> None:
    assert never_lost(10_000, 4, small(name), MOST.get(name, 20_000), WHOLE.get(name, True), 200) > 20_000
