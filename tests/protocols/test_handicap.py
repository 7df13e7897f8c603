"""Handicap stones: where the Go Text Protocol wants them, which GNU Go does as well, and what is refused."""

import pytest

from kibitz.protocols.handicap import fixed_points, free_points, most_fixed
from tests.protocols.test_gtp import Talk

NINE = {  # as the protocol's text has them
    2: "C3 G7",
    3: "C3 G7 C7",
    4: "C3 G7 C7 G3",
    5: "C3 G7 C7 G3 E5",
    6: "C3 G7 C7 G3 C5 G5",
    7: "C3 G7 C7 G3 C5 G5 E5",
    8: "C3 G7 C7 G3 C5 G5 E3 E7",
    9: "C3 G7 C7 G3 C5 G5 E3 E7 E5",
}


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


@pytest.mark.parametrize(("stones", "points"), NINE.items())
def test_fixed_stones_have_their_places(stones: int, points: str) -> None:
    talk = Talk(size=9)
    assert talk.ask(f"fixed_handicap {stones}") == f"= {points}"
    assert talk.ask("showboard").count("X") == stones
    assert talk.session.position.player == 1  # White begins
    assert talk.ask("undo") == "? cannot undo"
    assert talk.ask("play w A1") == "="


def test_how_many_there_may_be() -> None:
    assert [most_fixed(size) for size in (1, 6, 7, 8, 9, 10, 13, 18, 19)] == [0, 0, 4, 4, 9, 4, 9, 4, 9]
    assert fixed_points(19, 2) == [3 * 19 + 3, 15 * 19 + 15]
    assert fixed_points(13, 5)[-1] == 6 * 13 + 6
    assert fixed_points(12, 2) == [2 * 12 + 2, 9 * 12 + 9]
    talk = Talk(size=9)
    for number in ("0", "1", "10", "-3"):
        assert talk.ask(f"fixed_handicap {number}") == "? invalid number of stones"
    assert talk.ask("fixed_handicap many").startswith("? fixed_handicap takes")
    assert Talk(size=3).ask("fixed_handicap 2") == "? invalid number of stones"
    assert Talk(size=9, columns=7).ask("fixed_handicap 2") == "? invalid number of stones"


def test_the_board_must_be_empty() -> None:
    talk = Talk(size=9)
    assert talk.ask("play b E5") == "="
    for line in ("fixed_handicap 2", "place_free_handicap 2", "set_free_handicap C3 G7"):
        assert talk.ask(line) == "? board not empty"
    assert talk.ask("undo") == "="
    assert talk.ask("fixed_handicap 2") == "= C3 G7"
    assert talk.ask("fixed_handicap 2") == "? board not empty"


@pytest.mark.parametrize(("rows", "columns"), [(2, 1), (1, 5), (3, 3), (5, 4), (9, 9), (19, 19)])
def test_any_number_of_free_stones_finds_room(rows: int, columns: int) -> None:
    for stones in range(2, rows * columns, 1 + rows * columns // 20):
        points = free_points(rows, columns, stones)
        assert len(set(points)) == len(points) == stones
        assert all(0 <= point < rows * columns for point in points)


def test_free_stones() -> None:
    talk = Talk(size=5)
    points = talk.ask("place_free_handicap 4").removeprefix("= ").split()
    assert len(points) == 4
    assert talk.ask("clear_board") == "="
    assert talk.ask(f"set_free_handicap {' '.join(points)}") == "="
    assert talk.ask("showboard").count("X") == 4
    assert talk.ask("genmove w").startswith("= ")
    for number in ("1", "25", "-1"):
        assert Talk(size=5).ask(f"place_free_handicap {number}") == "? invalid number of stones"


@pytest.mark.parametrize("points", ["", "A1", "A1 A1", "A1 Z9", "A1 pass", "A1 a1", "A1 A2 A3 B1 B2 B3 C1 C2 C3"])
def test_a_bad_list_is_refused(points: str) -> None:
    talk = Talk(size=3)
    assert talk.ask(f"set_free_handicap {points}") == "? bad vertex list"
    assert len(talk.session.history) == 1
    assert talk.session.position == talk.session.game.start


def test_a_record_tells_the_handicap() -> None:
    talk = Talk(size=9)
    talk.ask("fixed_handicap 3")
    talk.ask("komi 0.5")
    assert talk.session.position.player == 1
    said = talk.ask("printsgf")
    assert "HA[3]" in said
    assert "PL[W]" in said
    assert said.count("AB[") == 1
