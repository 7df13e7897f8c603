"""The m,n,k-game: winners against a plain look at the board, tic-tac-toe's published counts, overlines, text, order."""

import random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import count_games, distinct
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from tests import naive
from tests.naive import minimax_memoised

GAME = load("mnk")


def rows_of(position: Position) -> list[str]:
    n = int(position.game.parameters["n"])
    return ["".join(line.split()[1:]) for line in position.show().splitlines()[1 : n + 1]]


def lines_of(rows: list[str], mark: str) -> set[int]:
    """The lengths of all unbroken lines of a mark, in the four directions, by walking from every square that begins one."""
    found = set()
    for r, row in enumerate(rows):
        for c, there in enumerate(row):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                at = [(r + i * down, c + i * right) for i in range(-1, 20)]
                marks = [rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(row) else " " for y, x in at]
                if there == mark and marks[0] != mark:
                    found.add(marks[1:].index(next(m for m in marks[1:] if m != mark)))
    return found


@pytest.mark.parametrize(
    "parameters",
    [{}, {"m": 4, "n": 3}, {"m": 5, "n": 4, "k": 4}, {"m": 7, "n": 2, "k": 3, "overlines": False}, {"m": 6, "n": 6, "k": 4, "overlines": False}, {"m": 8, "n": 5, "k": 4}],
)  # fmt: skip
def test_the_winner_is_seen_at_once(parameters: dict[str, Any]) -> None:
    game, k = load("mnk", **parameters), parameters.get("k", 3)
    over = parameters.get("overlines", True)
    for seed in range(4):
        choose, position = random.Random(seed).choice, game.start
        while not position.is_over:
            position = position.play(choose(position.moves))
            won = [any(n == k or (over and n > k) for n in lines_of(rows_of(position), mark)) for mark in "XO"]
            assert position.is_over == (True in won or "." not in "".join(rows_of(position)))
            if position.is_over:
                assert position.utility(0) == won[0] - won[1] == -position.utility(1)


def test_tic_tac_toe_is_counted() -> None:
    """Published: 255,168 games, of which the first player wins 131,184 and the second 77,904; 5,478 positions."""
    found = count_games(GAME.start, 9)
    assert (found.games, found.by_utility) == (255168, {1.0: 131184, -1.0: 77904, 0.0: 46080})
    assert sum(distinct(GAME.start, 9)) == 5478


@pytest.mark.parametrize(("sizes", "value"), [((3, 3, 3), 0), ((2, 2, 2), 1), ((4, 2, 3), 0), ((3, 2, 3), 0)])
def test_solved_values(sizes: tuple[int, int, int], value: int) -> None:
    m, n, k = sizes
    assert minimax_memoised(load("mnk", m=m, n=n, k=k).start) == value


def test_overlines_win_only_where_they_may() -> None:
    moves = "a1 a2 b1 b2 d1 d2 e1 e2 c1"
    assert load("mnk", m=5, n=2, k=4).position(moves).utility(0) == 1
    assert not load("mnk", m=5, n=2, k=4, overlines=False).position(moves).is_over


def test_text_comes_back() -> None:
    for moves in ("", "a1 b2", "a1 a2 b1 b2 c1"):
        position = GAME.position(moves)
        assert from_board(GAME, position.show()).data == position.data
    assert GAME.position("X.O/.X./..O").show().splitlines()[1:] == ["1 X . O", "2 . X .", "3 . . O", "X to move"]


@pytest.mark.parametrize(
    ("text", "words"),
    [("X.O/...", "3 rows of 3"), ("XX./.../...", "X moves first"), ("XXX/OO./O..", "ended before"), ("XO./.../... O to move", "by the rules")],
)  # fmt: skip
def test_boards_that_cannot_be(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        from_board(GAME, text)


def test_order_knows_threats() -> None:
    position = load("mnk", m=5, n=5, k=4).position("a1 a5 b1 b5 c1 c5")
    promise = {str(m): position.game.rule("order")(position.state, int(m)) for m in position.moves}
    assert sorted(promise, key=lambda m: -promise[m])[:2] == ["d1", "d5"]  # wins; prevents
    with np.errstate(over="ignore"):
        assert position.game.rule("evaluate")(position.state, 0) == -position.game.rule("evaluate")(position.state, 1)


def test_picture() -> None:
    assert ElementTree.fromstring(GAME.position("a1 b2").draw()).tag.endswith("svg")


def test_conformance() -> None:
    assert check(load("mnk", m=4, n=3, k=3), games=100).failures == []


# --- more players ---


@pytest.mark.once
@pytest.mark.parametrize("players", [3, 4])
def test_more_players(players: int) -> None:
    """Random games against a plain look at the board: who is to move, who has a line, what each gets."""
    game, marks = load("mnk", players=players, m=5, n=4), "XO#@"[:players]
    assert not check(load("mnk", players=players), games=5).failures
    rng, wins = random.Random(players), set()
    for _ in range(20):
        position, placed = game.start, 0
        while not position.is_over:
            assert position.player == placed % players
            assert sum(game.rule("evaluate")(position.state, p) for p in range(players)) == pytest.approx(0.0)
            mover, placed = position.player, placed + 1
            position = position.play(rng.choice(position.moves))
            has_line = any(length >= 3 for length in lines_of(rows_of(position), marks[mover]))
            assert position.is_over == (has_line or placed == 20)
        if has_line:
            wins.add(mover)
        assert [position.utility(p) for p in range(players)] == [
            (players - 1.0 if p == mover else -1.0) if has_line else 0.0 for p in range(players)
        ]
        assert from_board(game, position.show()) == position
    assert wins == set(range(players))


@pytest.mark.once
def test_three_in_a_row_of_three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solved against plain recursion; keys tell apart whose turn it is once somebody has passed."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    game, memo = load("mnk", players=3), dict[Position, tuple[float, ...]]()
    for moves in ("b2 a1 c3 a2", "b2 a1 c3 a2 c2", "a1 b2 c3 c1 a3"):
        position = game.position(moves)
        each, sure = kb.solve(position), kb.search(position, "paranoid")
        assert each.values == naive.maxn(position, memo)
        assert (sure.value, sure.bound) == (naive.minimax(position, position.player), "lower")
    skipped = game.start.state
    assert game.rule("skip")(skipped)
    assert Position(game, skipped.tobytes()).key != game.start.key
    with pytest.raises(InputError, match="they move in this order"):
        from_board(game, "X.. #.. ...")


@pytest.mark.once
def test_an_alliance(monkeypatch: pytest.MonkeyPatch) -> None:
    """X is about to win at either end; of O's twelve moves the one that closes an end draws, because # then closes the other. Against all others, all lose."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    position = load("mnk", players=3, m=4, n=4, k=3).position("alliance")
    each, sure = kb.search(position, "maxn(depth=4)"), kb.search(position, "paranoid(depth=3)")
    assert [str(move) for move in each.line[:2]] == ["d4", "a1"]
    assert (sure.value, sure.bound) == (-1.0, "lower")
    lost = kb.search(position.play("c2"), "maxn(depth=3)")
    assert lost.values == (2.0, -1.0, -1.0)
