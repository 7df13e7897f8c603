"""The games in examples/: sound, and worth what is known of them. Interpreted: what is shown is that their rules are right."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.checking.conformance import check
from tests.documents import ROOT

EXAMPLES = ROOT / "examples"
GAMES = sorted(path for path in EXAMPLES.glob("*.py") if "State = record" in path.read_text())
pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def load(name: str, **parameters: object) -> kb.Game:
    return kb.load(str(EXAMPLES / f"{name}.py"), **parameters)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_examples_are_sound(path: Path) -> None:
    assert check(kb.load(str(path)), games=30).failures == []


def test_every_example_is_on_the_page() -> None:
    page = (ROOT / "docs" / "writing-a-game.md").read_text()
    assert len(GAMES) == 4
    assert all(f"../examples/{path.name}" in page for path in GAMES)


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 3), (2, 5), (3, 4)])
def test_whoever_begins_wins_at_chomp(rows: int, columns: int) -> None:
    result = kb.solve(load("chomp", rows=rows, columns=columns).start, all=True)
    winning = [str(c.move) for c in result.table if c.value > 0]
    assert result.exact
    assert result.value == 1.0
    if rows == columns:
        assert winning == ["b2"]  # then every bite is answered in a mirror
    if rows == 2:
        assert winning == ["abcdefgh"[columns - 1] + "2"]  # the upper row stays one shorter


def test_whoever_moves_second_wins_at_hexapawn() -> None:
    result = kb.solve(load("hexapawn").start)
    assert (result.exact, result.value) == (True, -1.0)


def test_a_board_is_read_as_it_is_shown() -> None:
    position = load("hexapawn").position("a2 bxa2 bxa2")
    assert position.game.position(position.show()).data == position.data
    assert position.show() == "3 B . B\n2 W . .\n1 . . W\n  a b c\nB to move"
    assert [str(m) for m in position.moves] == ["c2"]


# How many of 36 rolls take two men off at once: the usual table of backgammon.
@pytest.mark.parametrize(("men", "rolls"), [((6, 1), 15), ((5, 2), 19), ((4, 3), 17), ((1, 1), 36), ((2, 2), 26), ((6, 6), 4)])
def test_bearing_off_two_men_in_one_roll(men: tuple[int, int], rolls: int) -> None:
    """Against one man on the lowest point, who is off with the next roll."""
    result = kb.solve(load("bear_off", first=men, second=(1,)).start)
    assert result.exact
    assert result.value == pytest.approx(2 * rolls / 36 - 1)


@pytest.mark.long
def test_bearing_off_from_the_six_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "cpu")
    result = kb.solve(load("bear_off").start)
    assert result.exact
    assert (1 + result.value) / 2 == pytest.approx(0.75449435, abs=5e-9)


def test_the_worst_marksman_shoots_into_the_air() -> None:
    start = load("truel").start

    @cache
    def worth(position: kb.Position) -> tuple[float, ...]:
        """To all three, if each does what is best for himself."""
        if position.is_over:
            return tuple(position.utility(player) for player in range(3))
        after = [np.array(worth(position.play(int(m)))) for m in position.moves]
        if position.is_chance:
            return tuple(sum(p * w for p, w in zip(position.chances, after, strict=True)))
        return tuple(max(after, key=lambda w: float(w[position.player])))

    assert worth(start) == pytest.approx((25 / 63, 8 / 21, 2 / 9), abs=1e-4)
    assert max(start.moves, key=lambda m: worth(start.play(int(m)))[0]).notation == "air"
    found = kb.search(start, "uct(playouts=1000)", seed=1)
    assert str(found.move) == "air"
    assert sum(found.values) == pytest.approx(1.0, abs=1e-6)
