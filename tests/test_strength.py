"""Players weakened by the number of positions they may look at."""

import pytest

import kibitz as kb
from kibitz.strength import MEASURED, positions


def test_a_rating_is_a_number_of_positions() -> None:
    for (search, game), curve in MEASURED.items():
        assert [positions(search, game, rating) for _, rating in curve] == [nodes for nodes, _ in curve]
        ratings = range(curve[0][1], curve[-1][1] + 1, 10)
        found = [positions(search, game, rating) for rating in ratings]
        assert found == sorted(found)
        assert list(curve) == sorted(curve)


def test_players_keep_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    monkeypatch.setitem(MEASURED, ("alphabeta", "tictactoe"), ((10, 100), (1000, 500)))
    start = kb.load("tictactoe").start
    weak = kb.player("alphabeta(strength=100)")
    assert weak.search(start).nodes <= 10
    assert kb.search(start, weak, strength=300).nodes <= 100
    assert kb.search(start, weak, nodes=5).nodes <= 5
    assert kb.player(weak.name) == weak


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("alphabeta(strength=1500)", "the strength of alphabeta in tictactoe has not been measured, only that of selective in chess"),
        ("alphabeta(strength=strong)", "strength=strong: must be a whole number from 0 to 4000"),
    ],
)
def test_what_nobody_knows(text: str, words: str) -> None:
    with pytest.raises(kb.InputError, match=words):
        kb.search(kb.load("tictactoe").start, text)
    with pytest.raises(kb.InputError, match="can be set from"):
        kb.search(kb.load("chess").start, "selective(strength=1)")
