"""Trees in which not all is seen: what players hear, what is refused, and the two examples of what averaging over open positions gets wrong."""

from __future__ import annotations

import pytest

import kibitz as kb
from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.view import view
from kibitz.searches.equilibrium.solving import Solver
from kibitz.searches.equilibrium.unfolding import unfold_position

ROADS, NONLOCAL = kb.load("trees", tree="roads3"), kb.load("trees", tree="nonlocal")


@pytest.fixture(autouse=True)
def interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.node.get_closest_marker("compiled"):
        monkeypatch.setenv("KIBITZ_TARGET", "python")


def test_only_trees_with_something_unseen_are_hidden() -> None:
    assert ROADS.is_hidden
    assert NONLOCAL.is_hidden
    assert not kb.load("trees", tree="roads1").is_hidden
    assert not kb.load("trees", tree='[{"seen": [0, 1], "moves": [1, 2]}, 3]').is_hidden
    assert kb.load("trees").constants["State"].itemsize < ROADS.constants["State"].itemsize


def test_what_is_heard() -> None:
    position = NONLOCAL.start.play("2", "go")
    assert [told.events[0].percept for told in position.told] == [0, 2]
    assert Belief.of(view(position, 0)).size == 2
    assert Belief.of(view(position, 1)).size == 1
    assert view(position, 0).board.endswith("at ? go")
    assert view(position, 1).board.endswith("at 2 go")
    said = [NONLOCAL.people["announce"](told.events[-1].percept, 0) for told in position.play("x").told]
    assert said == ["over", "1:over"]


@pytest.mark.compiled
def test_they_are_sound() -> None:
    assert check(NONLOCAL, games=30).failures == []


@pytest.mark.parametrize("text", ["roads3", "nonlocal", '{"seen": [], "moves": [[1, 2], [3, 4]]}'])
def test_they_come_back_as_text(text: str) -> None:
    position = kb.load("trees", tree=text).start
    while not position.is_over:
        assert kb.Position(position.game, position.game.position(position.show()).data) == position
        position = position.play(position.moves[0])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"seen": 1, "moves": [1, 2]}', "'seen' is 1; write a list of the players"),
        ('{"seen": [2], "moves": [1, 2]}', r"'seen' is \[2\]; write a list of the players"),
        ('{"chance": [1, 1], "seen": [], "moves": [[1, 2], [1, 2, 3]]}', "player 0 cannot tell '1' from '2'"),
        ('{"chance": [1, 1], "seen": [], "moves": [{"a": 3}, [1, 2]]}', "'a' is not known"),
        ('{"chance": [1, 1], "seen": [], "moves": [{"player": 0, "moves": [1]}, {"player": 1, "moves": [1]}]}', "both must be his turn"),
        ('{"chance": [1, 1], "seen": [], "moves": [4, [1, 2]]}', "both or neither the end"),
    ],
)
def test_trees_that_cannot_be_hidden_so(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        kb.load("trees", tree=text)


def test_an_open_game_hides_nothing_later() -> None:
    with pytest.raises(InputError, match="all is seen in the tree this game was loaded with"):
        kb.load("trees", tree="aima-chance").position(ROADS.start.show())


def answers(position: kb.Position, *searches: str) -> list[str]:
    return [str(kb.search(position, search).move) for search in searches]


def test_strategy_fusion() -> None:
    """The road that is best on every day on which one knows where it leads is wrong on the day one does not."""
    position = ROADS.start.play("1")
    pimc = kb.search(position, "pimc")
    assert {str(c.move): c.value for c in pimc.table} == {"A": 1.0, "B": 3.0}
    assert str(pimc.move) == "B"
    assert answers(position, "ismcts(playouts=500)", "ismcts(playouts=500, observers=single)", "cfr(rounds=50)") == ["A", "A", "A"]
    for day in (1, 2):
        assert str(kb.search(kb.load("trees", tree=f"roads{day}").start, "alphabeta").move) == "B"


def test_non_locality() -> None:
    """Whoever comes to the choice knows what happened from who let him come there; searches that begin there do not."""
    position = NONLOCAL.start.play("2", "go")
    wrong = ("pimc", "ismcts(playouts=500)", "ismcts(playouts=500, observers=single)")
    right = ("ismcts(playouts=2000, begin=start)", "cfr(rounds=200)")
    assert answers(position, *wrong) == ["x"] * len(wrong)
    assert answers(position, *right) == ["y"] * len(right)
    *_, report = Solver(unfold_position(NONLOCAL.start)).run(300)
    assert report.strategy.values[0] == pytest.approx(-1.0, abs=0.02)
