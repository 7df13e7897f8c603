"""Nim: the XOR rule in full, text, symmetry."""

from functools import reduce
from itertools import product
from operator import xor
from typing import Any
from xml.etree import ElementTree

import pytest

import kibitz as kb
from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import distinct, perft
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from tests import naive
from tests.naive import Memo, best_moves, minimax_memoised


def mover_wins(heaps: tuple[int, ...], misere: bool) -> bool:
    """Bouton's rule: the mover wins unless the XOR of the heaps is 0; with misere and no heap above 1 it is the other way round."""
    return (reduce(xor, heaps) != 0) != (misere and max(heaps) <= 1)


@pytest.mark.parametrize("misere", [False, True])
def test_xor_rule(misere: bool) -> None:
    game = load("nim", heaps=(3, 3, 3), misere=misere)
    memo: Memo = {}
    for heaps in product(range(4), repeat=3):
        for side in range(2):
            position = from_board(game, f"{' '.join(map(str, heaps))} / {'XO'[side]} to move")
            winner = side if mover_wins(heaps, misere) else 1 - side
            assert minimax_memoised(position, 0, memo) == (1.0 if winner == 0 else -1.0), position


@pytest.mark.parametrize(("misere", "winner"), [(False, 0), (True, 1)])
def test_the_last_counter(misere: bool, winner: int) -> None:
    end = load("nim", heaps=(1,), misere=misere).position("a1")
    assert end.is_over
    assert end.utility(winner) == 1.0
    assert end.utility(1 - winner) == -1.0


def test_best_moves_leave_an_xor_of_0() -> None:
    assert [str(m) for m in best_moves(load("nim").start)] == ["a2"]
    assert [str(m) for m in best_moves(load("nim", heaps=(1, 1, 2)).start)] == ["c2"]
    assert [str(m) for m in best_moves(load("nim", heaps=(1, 1, 2), misere=True).start)] == ["c1"]


@pytest.mark.parametrize("target", ["cpu", "python"])
def test_perft(target: str) -> None:
    game = load("nim", heaps=(2, 1))
    assert [perft(game.start, depth, target) for depth in range(4)] == [1, 3, 5, 3]
    assert perft(load("nim").start, 1, target) == 12


@pytest.mark.parametrize(
    ("misere", "heaps"),
    [
        (True, (3, 4, 5)),
        *(pytest.param(misere, heaps, marks=pytest.mark.once) for misere in (False, True) for heaps in ((0, 7), (1,), (30, 20), (2,) * 16)),
    ],
)
def test_conformance(misere: bool, heaps: tuple[int, ...]) -> None:
    assert not check(load("nim", heaps=heaps, misere=misere), games=50).failures


def test_heaps_in_any_order_are_one_position() -> None:
    game = load("nim", heaps=(5, 3, 4))
    images = set()
    for text in ("1 2 3", "3 2 1", "2 3 1"):
        s = from_board(game, text).state
        game.rule("canonical")(s)
        images.add(tuple(int(n) for n in s.heaps))
    assert images == {(1, 2, 3)}
    assert list(distinct(load("nim", heaps=(1, 1, 1)).start, 3, symmetric=True, target="cpu")) == [1, 1, 1, 1]
    assert list(distinct(load("nim", heaps=(1, 1, 1)).start, 3, target="cpu")) == [1, 3, 3, 1]


# --- text ---


def test_show_and_read() -> None:
    position = load("nim").position("a2 c5")
    assert position.show() == "1 4 0\nX to move"
    assert position.play("b4").show() == "1 0 0\nO to move"
    assert position.play("b4", "a1").show() == "0 0 0\nO won"
    for line, misere in product(("a2", "a2c5", "a2c5b4a1", "a3b4c5"), (False, True)):
        reached = load("nim", misere=misere).position(line)
        assert from_board(reached.game, reached.show()) == reached
    assert from_board(position.game, "1,4,0") == position
    assert ElementTree.fromstring(position.draw()).tag.endswith("svg")
    assert ">255<" in load("nim", heaps=(255, 1)).start.draw()


@pytest.mark.parametrize("text", ["3 4", "3 4 5 6", "3 4 x", "3 4 5 / Z to move", "-3 4 5", ""])
def test_positions_that_are_none(text: str) -> None:
    with pytest.raises(InputError, match="a position is 3 heaps and the side to move, such as 3 4 5 / X to move"):
        from_board(load("nim"), text)


def test_nobody_has_won_yet() -> None:
    with pytest.raises(InputError, match="nobody has won while there are counters; write 1 0 0 / X to move"):
        from_board(load("nim"), "1 0 0 / X won")


def test_too_many_counters() -> None:
    with pytest.raises(InputError, match="13 counters are too many: with heaps=3,4,5 there are at most 12"):
        from_board(load("nim"), "4 4 5")


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"heaps": (0, 0)}, "nim: heaps=0,0: there must be 1 to 16 heaps, and a counter in at least one of them"),
        ({"heaps": (1,) * 17}, "there must be 1 to 16 heaps"),
        ({"heaps": (256,)}, "must be whole numbers with commas between, each from 0 to 255"),
        ({"heaps": "3,four"}, "must be whole numbers with commas between, each from 0 to 255"),
        ({"misere": "maybe"}, "must be true or false"),
    ],
)
def test_parameters_that_cannot_be(parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as error:
        load("nim", **parameters)
    assert says in str(error.value)


# --- more players ---


@pytest.mark.once
@pytest.mark.parametrize("misere", [False, True])
def test_three_players(misere: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against plain recursion: everybody for himself, and all others against one."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    game = load("nim", heaps=(2, 2, 2), misere=misere, players=3)
    assert not check(game, games=10).failures
    memo: dict[Position, tuple[float, ...]] = {}
    for heaps in ((1, 1, 2), (0, 2, 2), (2, 2, 2), (1, 2, 2), (0, 0, 2)):
        position = from_board(game, f"{' '.join(map(str, heaps))} / # to move")
        each, sure = kb.solve(position), kb.search(position, "paranoid")
        assert (each.values, each.exact) == (naive.maxn(position, memo), True)
        assert (sure.value, sure.bound) == (minimax_memoised(position, 2), "lower")
        assert sure.value <= each.value


def test_whoever_takes_the_last_counter_of_three() -> None:
    end = load("nim", heaps=(1,), players=3).position("a1")
    assert [end.utility(player) for player in range(3)] == [2.0, -1.0, -1.0]
    assert end.show() == "0\nX won"
    end = load("nim", heaps=(2,), players=3, misere=True).position("a1 a1")
    assert [end.utility(player) for player in range(3)] == [1.0, -2.0, 1.0]
    assert end.show() == "0\nO lost"
    assert from_board(end.game, end.show()) == end
    with pytest.raises(InputError, match="all but one have won"):
        from_board(end.game, "0 / O won")
    with pytest.raises(InputError, match="nobody plays @"):
        from_board(end.game, "1 / @ to move")


@pytest.mark.once
def test_one_of_the_others_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass takes a place on the path, and none of what a win is worth: it comes to the value of a won game, or it is none."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    result = kb.search(load("nim", players=3, heaps=(1, 2, 2)).start, "bestreply(depth=5)")
    assert (result.value, result.bound) == (2.0, "estimate")
