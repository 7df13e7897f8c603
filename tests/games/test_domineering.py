"""Domineering: games in step with sets of squares, published winners, text."""

import random
from functools import cache
from xml.etree import ElementTree

import pytest

from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import perft
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from tests.naive import minimax_memoised

Squares = frozenset[tuple[int, int]]


def dominoes(empty: Squares, turn: int) -> list[Squares]:
    """All that fit, upright for player 0."""
    down, right = (1, 0) if turn == 0 else (0, 1)
    return [frozenset({(r, c), (r + down, c + right)}) for r, c in empty if (r + down, c + right) in empty]


def board(rows: int, columns: int) -> Squares:
    return frozenset((r, c) for r in range(rows) for c in range(columns))


@cache
def first_wins(empty: Squares, turn: int) -> bool:
    results = [first_wins(empty - domino, 1 - turn) for domino in dominoes(empty, turn)]
    return any(results) if turn == 0 else all(results)


@cache
def paths(empty: Squares, turn: int, depth: int) -> int:
    return 1 if depth == 0 else sum(paths(empty - domino, 1 - turn, depth - 1) for domino in dominoes(empty, turn))


def named(domino: Squares) -> str:
    row, column = min(domino)
    return f"{'abcdefgh'[column]}{row + 1}"


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 4), (5, 3), (8, 8)])
def test_moves_against_sets_of_squares(rows: int, columns: int) -> None:
    for seed in range(8):
        position, empty, turn = load("domineering", rows=rows, columns=columns).start, board(rows, columns), 0
        choose = random.Random(seed).choice
        while not position.is_over:
            fitting = {named(d): d for d in dominoes(empty, turn)}
            assert {str(m) for m in position.moves} == set(fitting)
            chosen = choose(sorted(fitting))
            position, empty, turn = position.play(chosen), empty - fitting[chosen], 1 - turn
        assert dominoes(empty, turn) == []
        assert position.utility(1 - turn) == 1 == -position.utility(turn)


def test_counts() -> None:
    game = load("domineering", rows=4, columns=4)
    assert [perft(game.start, d, target="python") for d in (1, 2, 3)] == [paths(board(4, 4), 0, d) for d in (1, 2, 3)]


@pytest.mark.parametrize(("rows", "columns", "first"), [(2, 2, True), (3, 3, True), (4, 4, True)])
def test_published_winners(rows: int, columns: int, first: bool) -> None:
    """Square boards by Breuker, Uiterwijk and van den Herik (2000); the first player lays upright."""
    assert first_wins(board(rows, columns), 0) == first
    assert (minimax_memoised(load("domineering", rows=rows, columns=columns).start) == 1) == first


def test_text_comes_back() -> None:
    game = load("domineering", rows=4, columns=4)
    for moves in ("", "a1 c1", "b1 a3 d1"):
        position = game.position(moves)
        assert from_board(game, position.show()).data == position.data
    assert game.position("##../..../##../....").player == 0


@pytest.mark.parametrize(
    ("text", "words"), [("##", "4 rows of 4"), ("#.../..../..../....", "two each"), ("##../..../..../.... upright to move", "by the rules")]
)
def test_boards_that_cannot_be(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        from_board(load("domineering", rows=4, columns=4), text)


def test_order_and_picture() -> None:
    position: Position = load("domineering", rows=4, columns=4).start
    promise = {str(m): position.game.rule("order")(position.state, int(m)) for m in position.moves}
    assert max(promise, key=lambda m: promise[m])[0] in "bc"  # beside the edge is room for the other
    assert ElementTree.fromstring(position.play("b1").draw()).tag.endswith("svg")


def test_conformance() -> None:
    assert check(load("domineering", rows=5, columns=4), games=100).failures == []
