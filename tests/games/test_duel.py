"""The dice duel: its value against direct summation, shared keys, text."""

import random
from fractions import Fraction
from itertools import product
from xml.etree import ElementTree

import pytest

from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.measuring.random_games import random_games
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.rules import CHANCE
from tests.naive import expectiminimax

GAME = load("duel")


def sums(rolls: int, sides: int) -> dict[int, Fraction]:
    """The distribution of the sum of a number of rolls, throw by throw."""
    found = {0: Fraction(1)}
    for _ in range(rolls):
        following: dict[int, Fraction] = {}
        for total, chance in found.items():
            for face in range(1, sides + 1):
                following[total + face] = following.get(total + face, Fraction(0)) + chance / sides
        found = following
    return found


def chances(ahead: int, mine: int, theirs: int, sides: int) -> tuple[Fraction, Fraction, Fraction]:
    """Of winning, drawing and losing, with a lead and a number of rolls of one die to come."""
    ours, others = sums(mine, sides), sums(theirs, sides)
    differences = {(a, b): p * q for (a, p), (b, q) in product(ours.items(), others.items())}
    win = sum((c for (a, b), c in differences.items() if ahead + a > b), Fraction(0))
    draw = sum((c for (a, b), c in differences.items() if ahead + a == b), Fraction(0))
    return win, draw, 1 - win - draw


# --- value and distribution ---


def test_one_round_of_six() -> None:
    assert chances(0, 1, 1, 6) == (Fraction(15, 36), Fraction(6, 36), Fraction(15, 36))
    assert expectiminimax(load("duel", rounds=1).start) == pytest.approx(0.0)


@pytest.mark.parametrize(("rounds", "sides", "rolls"), [(2, 4, "4"), (2, 4, "3 1 1"), (3, 3, "1 3"), (3, 2, ""), (2, 6, "5")])
def test_value_by_direct_summation(rounds: int, sides: int, rolls: str) -> None:
    position = load("duel", rounds=rounds, sides=sides).position(rolls)
    made = [int(r) for r in rolls.split()]
    win, _, lose = chances(sum(made[::2]) - sum(made[1::2]), rounds - (len(made) + 1) // 2, rounds - len(made) // 2, sides)
    assert expectiminimax(position, 0) == pytest.approx(float(win - lose))
    assert expectiminimax(position, 1) == pytest.approx(float(lose - win))


def test_two_dice_are_two_rounds_of_one() -> None:
    two = load("duel", rounds=1, dice=2, sides=4).start
    ways = [float(c) * 16 for _, c in sorted(sums(2, 4).items())]
    assert [round(16 * c) for c in two.chances] == ways == [1, 2, 3, 4, 3, 2, 1]
    win, _, lose = chances(3, 0, 2, 4)
    ahead = two.play("3")
    assert expectiminimax(ahead, 0) == pytest.approx(float(win - lose))


def test_random_games_are_worth_what_summation_says() -> None:
    position = load("duel", rounds=6, sides=6).position("6 1 5 2")
    win, _, lose = chances(8, 4, 4, 6)
    found = random_games(position, 20_000, seed=3)
    assert found.unfinished == 0
    assert abs(found.utilities[0] - float(win - lose)) < 4 * found.errors[0]


def test_evaluation_is_near_the_exact_value_and_best_case_never_below_it() -> None:
    game = load("duel", rounds=4)
    for seed in range(10):
        chooser, position = random.Random(seed), game.start
        while not position.is_over:
            ahead, rolled = position.state.sums[0] - position.state.sums[1], position.state.rolled
            win, draw, lose = chances(ahead, 4 - (rolled + 1) // 2, 4 - rolled // 2, 6)
            assert game.rule("evaluate")(position.state, 0) == pytest.approx(float(win - lose), abs=0.12)
            best = 1 if win else 0 if draw else -1
            assert game.rule("best_case")(position.state, 0) == best
            position = position.play(chooser.choice(position.moves))


# --- rules ---


def test_nobody_ever_chooses() -> None:
    position = GAME.start
    for roll in "6524163512":
        assert position.player == CHANCE
        assert position.chances == (1 / 6,) * 6
        position = position.play(roll)
    assert position.is_over
    assert (position.state.sums[0], position.state.sums[1]) == (13, 22)
    assert (position.utility(0), position.utility(1)) == (-1.0, 1.0)


def test_only_the_difference_matters() -> None:
    one, other = GAME.position("6 4"), GAME.position("3 1")
    assert one.key == other.key != GAME.position("4 6").key
    assert one != other
    states = [one.state, other.state]
    for s in states:
        GAME.rule("canonical")(s)
    assert states[0].tobytes() == states[1].tobytes()


@pytest.mark.parametrize("parameters", [{}, pytest.param({"dice": 3, "sides": 4, "rounds": 2}, marks=pytest.mark.once)])
def test_conformance(parameters: dict[str, int]) -> None:
    assert not check(load("duel", **parameters), games=50).failures


# --- text ---


def test_show_and_read() -> None:
    position = GAME.position("6 4 2")
    assert position.show().splitlines() == ["A 8", "B 4", "round 2: B rolls"]
    while not position.is_over:
        assert from_board(GAME, position.show()) == position == from_board(GAME, " / ".join(position.show().splitlines()))
        position = position.play("3")
    assert position.show().endswith("game over: A has won")
    assert from_board(GAME, position.show()) == position
    assert from_board(GAME, "A 9 / B 9 / game over").show().endswith("game over: drawn")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a position is 'A 12 / B 9 / round 3: B rolls'"),
        ("A 1 / B 2 / round 0: A rolls", "there are 5 rounds, from 1 to 5; round 0 is none of them"),
        ("A 7 / B 2 / round 2: A rolls", "A 7: the sum of 1 rolls is at most 6"),
        ("A 9 / B 9 / game over: B has won", "by the sums it is 'game over: drawn'"),
    ],
)
def test_bad_positions(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_board(GAME, text)
    assert "\n" not in str(caught.value)


def test_picture() -> None:
    picture = ElementTree.fromstring(Position(GAME, GAME.position("6 4").data).draw())
    assert [t.text for t in picture.findall("{*}text")] == ["A", "6", "B", "4"]
