"""The last move and the best one are marked on every drawn board, by its cells alone."""

import re
from xml.etree import ElementTree

import pytest

import kibitz as kb
from kibitz.core.drawing.marks import BEST, LAST, contents

DRAWN = {  # moves that are made, and the best one then
    "tictactoe": ("5 1", "9"),
    "connect4": ("4 4 5", "4"),
    "othello": ("d3", "c3"),
    "kalah": ("1", "2"),
    "nim": ("b1", "c2"),
    "breakthrough": ("a2a3", "h7h6"),
    "chess": ("e4 e5 Nf3", "Nc6"),
    "checkers": ("11-15", "22-17"),
    "hex": ("c3", "d4"),
    "go": ("C3", "E5"),
    "mnk": ("b2", "a1"),
    "domineering": ("b2", "e5"),
}


def rims(svg: str, colour: str) -> list[ElementTree.Element]:
    """Shapes without filling in this colour."""
    return [e for e in ElementTree.fromstring(svg).iter() if e.get("stroke") == colour and e.get("fill") == "none"]


@pytest.mark.parametrize("name", DRAWN)
def test_marks(name: str) -> None:
    made, best = DRAWN[name]
    p = kb.load(name).position(made)
    assert p.draw().startswith(p.picture().removesuffix("</svg>"))
    assert rims(p.picture(), LAST) == []
    assert rims(p.draw(), LAST) or name == "nim"  # what it takes is gone
    assert rims(p.draw(), BEST) == []
    assert rims(p.draw(best), BEST)
    assert kb.load(name).start.draw() == kb.load(name).start.picture()


def test_a_column_is_marked_where_the_disc_falls() -> None:
    p = kb.load("connect4").position("4 4 5")
    (last,) = rims(p.draw(), LAST)
    (best,) = rims(p.draw("4"), BEST)
    (circle,) = set(re.findall(r'cx="([0-9.]+)" cy="([0-9.]+)"', p.draw())) & {(last.get("cx"), last.get("cy"))}
    assert (float(circle[0]) - 4) // 40 == 4
    assert float(best.get("cy", 0)) == float(circle[1]) - 2 * 40  # on top of two discs


def test_counters_to_be_taken_are_marked() -> None:
    assert len(rims(kb.load("nim").start.draw("c2"), BEST)) == 2


def test_the_last_move_of_a_player_stays_marked_while_dice_roll() -> None:
    p = kb.load("ewn", size=3, dice="merged").start
    while p.is_chance or p.made == -1:
        p = p.play(int(p.moves[0]))
    assert rims(p.draw(), LAST)
    assert p.is_chance is False or rims(p.play(int(p.moves[0])).draw(), LAST)


def test_a_game_without_a_drawing_has_no_marks() -> None:
    start = kb.load("simulated").start
    assert start.play(int(start.moves[0])).draw(best=int(start.moves[0])) == ""


def test_contents_of_cells_look_alike_where_the_same_lies_there() -> None:
    """Chess: the sixteen pawns of two kinds, empty squares; a disc on a cell counts, the square below it does not."""
    found = contents(kb.load("chess").start.picture())
    assert len(found) == 64
    assert len({found[f"{file}2"] for file in "abcdefgh"}) == 1
    assert len({found["a1"], found["a2"], found["a7"], found["e4"]}) == 4
    assert found["e4"] == found["d6"] == ""
    othello = contents(kb.load("othello").start.picture())
    assert othello["d4"] == othello["e5"] != othello["d5"]
