"""Positions: immutable, hashable, picklable, readable."""

import pickle
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console

import kibitz as kb


@pytest.fixture
def middle() -> kb.Position:
    return kb.load("connect4").position("4453")


def test_play_makes_a_new_position(middle: kb.Position) -> None:
    before = middle.data
    after = middle.play("3", 6)
    assert middle.data == before
    assert after == kb.load("connect4").position("4 4 5 3 3 7")
    assert after != middle
    assert len({middle, after, kb.load("connect4").position("4453")}) == 2
    assert pickle.loads(pickle.dumps(after)) == after
    with pytest.raises(AttributeError):
        middle.data = b""  # type: ignore[misc]
    middle.state.mine = np.uint64(0)
    assert middle.data == before


def test_moves_know_their_names(middle: kb.Position) -> None:
    assert [str(m) for m in middle.moves] == ["4", "3", "5", "2", "6", "1", "7"]
    assert int(middle.moves[0]) == 3
    assert repr(middle.moves[0]) == "Move(3, '4')"
    assert f"{middle.moves[0]:>3}" == "  4"
    assert pickle.loads(pickle.dumps(middle.moves)) == middle.moves


def test_whose_turn_and_what_it_is_worth() -> None:
    game = kb.load("tictactoe")
    assert game.start.player == 0
    won = game.position("1 4 2 5 3")
    assert won.is_over
    assert won.player == kb.OVER
    assert won.moves == ()
    assert (won.utility(0), won.utility(1)) == (1.0, -1.0)


def test_text_both_ways(middle: kb.Position) -> None:
    game = middle.game
    assert game.position(middle.show()) == middle
    assert game.position("/".join(middle.show().splitlines())) == middle
    assert game.position("D".replace("D", "4453")) == middle
    assert "connect4" in repr(middle)
    assert middle.show().count("X") == 2


def test_shown_in_colour_and_as_a_picture(middle: kb.Position) -> None:
    console = Console(force_terminal=True, color_system="standard", record=True, width=80, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(middle)
    assert "\x1b[1;31mX" in console.export_text(styles=True)
    assert middle._repr_html_().startswith("<svg")
    assert middle.picture().count("<circle") == 42


def test_default_text_of_a_game_without_any() -> None:
    plain = kb.Game({**kb.load("tictactoe").constants, **kb.load("tictactoe").functions}, "plain")
    position = plain.start.play(4)
    assert position.show() == "crosses=16 noughts=0 ply=1"
    assert plain.position(position.show()) == position
    drawn = [text.text for text in ElementTree.fromstring(position._repr_html_()).findall(".//{*}text")]
    assert drawn == ["crosses", "16", "noughts", "0", "ply", "1"]  # as a picture: each field beside its value
    for wrong, words in {
        "crosses=16 noughts=0": "the field ply is missing",
        "crosses=x noughts=0 ply=1": "must be a number",
        "crosses=99999 noughts=0 ply=1": "does not fit",
        "gibberish": "is not FIELD=VALUE",
    }.items():
        with pytest.raises(kb.InputError, match=words):
            plain.position(wrong)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("8", "illegal move '8': legal moves are 4 3 5 2 6 1 7"),
        ("44444444", "illegal move '44'"),
        ("4455667", "the game is over"),
        ("XX...../......./......./......./......./.......", "hangs in the air"),
    ],
)
def test_bad_positions(text: str, words: str) -> None:
    with pytest.raises(kb.InputError) as caught:
        kb.load("connect4").position(text + ("1" if "over" in words else ""))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_questions(middle: kb.Position) -> None:
    with pytest.raises(kb.InputError, match="the game is not over"):
        middle.utility(0)
    with pytest.raises(kb.InputError, match="there is no player 2"):
        middle.utility(2)
    with pytest.raises(kb.InputError, match="only a chance position has probabilities"):
        _ = middle.chances
    with pytest.raises(kb.InputError, match="illegal move '9'"):
        middle.play(9)
