"""The centipede: against plain recursion and the closed form; what each search makes of it; text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import kibitz as kb
from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.position.game import from_board
from kibitz.core.position.loading import load
from tests import naive

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


@pytest.mark.parametrize("passes", [1, 2, 5, 6])
@pytest.mark.parametrize("growth", [1.0, 1.2, 1.45, 1.55, 2.0, 4.0])
def test_cooperation_pays_where_the_pot_grows_by_half(passes: int, growth: float) -> None:
    start = load("centipede", passes=passes, growth=growth).start
    each, sure = kb.solve(start), kb.search(start, "paranoid")
    together = growth >= 1.5
    assert each.exact
    assert each.values == naive.maxn(start)
    assert each.values == pytest.approx((0.5 * growth**passes,) * 2 if together else (0.75, 0.25))
    assert {str(move) for move in each.line} == ({"pass"} if together else {"take"})
    assert (sure.bound, sure.value) == ("lower", naive.minimax(start, 0))
    if passes > 1 and growth < 3.0:
        assert (str(sure.move), sure.value) == ("take", 0.75)  # who expects the worst misses what both could have


def test_conformance_and_text() -> None:
    game = load("centipede")
    assert not check(game, games=20).failures
    for moves in ("", "pass", "pass pass take", "pass pass pass pass pass pass"):
        position = game.position(moves)
        assert from_board(game, position.show()) == position
        ElementTree.fromstring(position.draw())
    assert game.position("pass take").utility(1) == 1.5
    for text in ("2 passed, O to move", "7 passed, O to move", "6 passed, X to move", "pass the salt", "99999999 passed, X to move"):
        with pytest.raises(InputError):
            from_board(game, text)
    with pytest.raises(InputError, match="beyond 1e9"):
        load("centipede", passes=100, growth=3.0)
