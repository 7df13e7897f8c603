"""The tree of a player is that player's: with its strength, its evaluator and its book, not of another one with the same search."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.evaluators.batch import Batch
from kibitz.pictures import search_tree as pictures
from kibitz.pictures.simulation_tree import MonteCarloTree
from tests.books.test_books import made

TICTACTOE = kb.load("tictactoe")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


@pytest.mark.parametrize("options", [{}, {"playouts": 12}])
def test_a_tree_of_a_search_that_asks_an_evaluator(options: dict[str, Any]) -> None:
    asked: list[int] = []

    def evaluate(batch: Batch) -> tuple[Any, Any]:
        asked.append(len(batch))
        return np.full(len(batch), 0.5), np.ones(batch.moves.shape)

    drawn = kb.tree(TICTACTOE.start, kb.player("puct(playouts=9, seed=1)").asking(evaluate), **options)
    assert isinstance(drawn, MonteCarloTree)
    assert sum(asked) >= options.get("playouts", 9) - 1
    assert "1 select" in drawn.text()  # the last simulation was one of them
    assert "0.25 for O" in drawn.text() or "0.75 for O" in drawn.text()


def test_a_player_with_a_book_visits_nothing(tmp_path: Path) -> None:
    book = made(tmp_path, TICTACTOE, *["5 1 1-0"] * 3)
    for options in ({}, {"depth": 2}):
        with pytest.raises(kb.InputError, match=r"plays 5 from its book and visits nothing; leave the book out"):
            kb.tree(TICTACTOE.start, kb.player(f"alphabeta(depth=3, book='{book}')"), **options)
    drawn = kb.tree(TICTACTOE.start.play("2"), kb.player(f"alphabeta(depth=1, book='{book}')"))  # which the book does not know
    assert drawn.result.depth == 1


def test_a_player_of_some_strength_visits_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.players.positions", lambda *_: 20)
    drawn = pictures.tree(TICTACTOE.start, kb.player("alphabeta(strength=1500)"), depth=9)
    assert drawn.result.nodes <= 20
