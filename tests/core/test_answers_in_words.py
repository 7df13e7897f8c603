"""What people are told of a result: who wins, and how soon; a draw; or how good it looks."""

import math
from dataclasses import replace

import pytest

import kibitz as kb
from kibitz import Game
from kibitz.core.position.readable import count, rough, three_digits
from kibitz.core.position.result import ESTIMATE, EXACT, LOWER, UPPER, Result, effort, verdict


def found(game: str, value: float, bound: str, distance: int | None = None, **parameters: object) -> Result:
    start = kb.load(game, **parameters).start
    return Result(start, "nobody", None, value, bound, (), 16, 5_012_345, 1.25, "time", distance)


@pytest.mark.parametrize(
    ("game", "value", "bound", "distance", "said"),
    [
        ("connect4", 1.0, EXACT, 3, "Red (X) wins in 3 plies"),
        ("connect4", -1.0, EXACT, 1, "Yellow (O) wins in 1 ply"),
        ("connect4", 1.0, EXACT, None, "Red (X) wins"),
        ("connect4", 0.0, EXACT, None, "draw with best play"),
        ("connect4", 0.0, LOWER, None, "at least a draw for Red (X)"),
        ("connect4", 0.0, UPPER, None, "at most a draw for Red (X)"),
        ("connect4", 0.3141, ESTIMATE, None, "about +0.314 for Red (X)"),
        ("connect4", -0.0004, ESTIMATE, None, "about 0.000 for Red (X)"),
        ("connect4", 0.3141, UPPER, None, "at most +0.314 for Red (X)"),
        ("chess", 100.0, ESTIMATE, 7, "White probably wins in 7 plies"),
        ("othello", 4.0, EXACT, None, "Black (X) wins by 4"),
        ("othello", -4.0, UPPER, None, "White (O) wins by at least 4"),
        ("othello", -4.0, LOWER, None, "at least -4 for Black (X)"),
        ("ballard", 50.0, EXACT, None, "exactly +50 for player 1 on average"),
        ("tictactoe", math.nan, ESTIMATE, None, "nothing is known yet"),
    ],
)
def test_verdicts(game: str, value: float, bound: str, distance: int | None, said: str) -> None:
    assert verdict(found(game, value, bound, distance)) == said


def test_with_more_players_and_for_the_second() -> None:
    assert verdict(found("pig", 1.0, LOWER, players=3)) == "at least +1 for A on average"
    second = kb.load("connect4").position("4")
    assert verdict(replace(found("connect4", 1.0, EXACT, 5), position=second)) == "Yellow (O) wins in 5 plies"
    assert verdict(replace(found("connect4", -1.0, EXACT, 5), position=second)) == "Red (X) wins in 5 plies"


def test_every_player_is_told_of() -> None:
    three = replace(found("pig", 0.25, ESTIMATE, players=3), values=(0.25, -0.5, math.nan))
    assert verdict(three) == "about +0.250 for A, -0.500 for B"
    assert three.as_dict()["values"] == [0.25, -0.5, None]
    assert verdict(replace(three, bound=EXACT)).startswith("exactly +0.250 for A, ")
    assert verdict(replace(three, bound=LOWER)) == "at least +0.250 for A on average"
    assert "values" not in found("connect4", 0.0, EXACT).as_dict()


def test_players_have_names_where_the_game_gives_them() -> None:
    assert [kb.load("chess").side(i) for i in range(2)] == ["White", "Black"]
    assert kb.load("pig", players=3).side(2) == "C"
    assert kb.load("uniform").side(1) == "player 2"
    rules = kb.load("nim").namespace
    assert Game(rules, "plain").side(0) == "player 1"
    for wrong in (("White",), ("White", "White"), ("White", ""), (1, 2), "XO"):
        with pytest.raises(kb.RulesError, match=r"PLAYER_NAMES is .*; write a name for each of the 2 players"):
            Game({**rules, "PLAYER_NAMES": wrong}, "named")


def test_effort() -> None:
    assert effort(found("connect4", 0.0, ESTIMATE)) == "depth 16, 5.01 M positions, 1.25 s"
    assert effort(replace(found("connect4", 0.0, ESTIMATE), playouts=12_345)) == "12.3 k playouts, 1.25 s"


def test_numbers() -> None:
    assert [three_digits(x) for x in (0.5, -1.234, 31.46, -310.4, 3.0, 0.0, math.inf)] == [
        "+0.500",
        "-1.23",
        "+31.5",
        "-310",
        "+3",
        "0",
        "",
    ]
    assert [count(n) for n in (999, 1000, 5_012_345)] == ["999", "1 000", "5 012 345"]
    assert [rough(n) for n in (9999, 10_000, 999_400, 2e9)] == ["9 999", "10.0 k", "999 k", "2.00 G"]
