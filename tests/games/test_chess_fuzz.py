"""Chess text by the tens of thousands: whatever a position or a move is written as, it is read or refused in one line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.errors import InputError
from kibitz.core.position.game import Position, from_board
from tests.games.test_chess import COUNTS, GAME, damage, fields

POSITIONS = [from_board(GAME, text) for text in COUNTS]
marks = st.text(st.sampled_from("abcdefgh12345678NBRQKOx=+#-0qnrb "), max_size=9)


def damaged(words: list[str], changes: list[tuple[int, str]]) -> str:
    text = " ".join(words)
    for place, mark in changes:
        text = text[: place % len(text)] + mark + text[place % len(text) + 1 :] if text else mark
    return text


def check_position(text: str) -> None:
    said = ""
    try:
        position = from_board(GAME, text)
        assert from_board(GAME, position.show()) == position
        assert len(set(position.numbers)) == len(position.numbers)
    except InputError as error:
        said = str(error)
    assert "\n" not in said


def check_move(position: Position, text: str) -> None:
    """A text is a move exactly when it spells one; SAN or UCI."""
    said = ""
    try:
        move = position.move(text)
        assert text.strip().lower() in {
            str(move).lower(),
            *(s.lower() for s in GAME.people["spellings"](position.state, int(move), str(move))),
        }
    except InputError as error:
        said = str(error)
    assert "\n" not in said


@settings(max_examples=60)
@given(position=st.sampled_from(POSITIONS), text=marks)
def test_moves(position: Position, text: str) -> None:
    check_move(position, text)


@pytest.mark.long
@settings(max_examples=25_000)
@given(fields, damage)
def test_tens_of_thousands_of_positions(words: list[str], changes: list[tuple[int, str]]) -> None:
    check_position(damaged(words, changes))


@pytest.mark.long
@settings(max_examples=15_000)
@given(st.text(max_size=90))
def test_thousands_of_texts_that_are_no_positions(text: str) -> None:
    check_position(text)


@pytest.mark.long
@settings(max_examples=25_000)
@given(position=st.sampled_from(POSITIONS), text=marks)
def test_tens_of_thousands_of_moves(position: Position, text: str) -> None:
    check_move(position, text)
