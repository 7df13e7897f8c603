"""Checks of the ways in which a game shows a position to people, names of moves, text and pictures, and of its symmetry. Part of conformance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from xml.etree import ElementTree

from kibitz.core.checking import hint_check
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position, from_board

Fault = tuple[str, str, str]  # function, what it did, what would be right


def faults(position: Position) -> Iterator[Fault]:
    """All of them; a function that raises an exception is at fault, too."""
    for function, examine in (
        ("name", _names),
        ("show", _text),
        ("draw", _picture),
        ("cells", _cells),
        ("canonical", _symmetry),
        ("policy", hint_check.faults),
    ):
        try:
            yield from examine(position)
        except Exception as error:
            yield function, f"{type(error).__name__}: {error}", "it must work for every position of the game"


def _names(position: Position) -> Iterator[Fault]:
    names = [move.notation for move in position.moves]
    for notation in names:
        if not notation or set(notation) & set(" ,;\t\n"):
            yield "name", f"gave the name '{notation}'", "a name needs characters, and no blanks or commas"
        if names.count(notation) > 1:
            yield "name", f"gave two moves the name '{notation}'", "make the names of legal moves different"


def _text(position: Position) -> Iterator[Fault]:
    shown = position.game.people["show"](position.state)
    if not isinstance(shown, str) or not shown:
        yield "show", f"returned {shown!r}", "return the board as text"
    if position.game.reads_own_text:
        try:
            again = from_board(position.game, shown)
        except InputError as error:
            yield "read", f"refused what show printed ({error})", "read must take what show writes"
            return
        if (again.key, again.player, again.moves) != (position.key, position.player, position.moves):
            yield "read", "made another position of what show printed", "show everything that matters and read all of it"


def _picture(position: Position) -> Iterator[Fault]:
    if drawn := position.picture():
        try:
            ElementTree.fromstring(drawn)
        except ElementTree.ParseError as error:
            yield "draw", f"did not return well-formed SVG ({error})", "return one <svg> element"


def _cells(position: Position) -> Iterator[Fault]:
    s, where = position.state, position.game.people["cells"]
    named = {cell: str(move) for move in position.moves for cell in where(s, int(move))}
    drawn = set(re.findall(r'data-cell="([^"]*)"', position.picture())) if named else set()
    for cell, move in named.items():
        if escape(cell) not in drawn:
            yield "cells", f"gave {move} the cell '{cell}', which the picture does not mark", "name cells as `draw` marks them (data-cell)"


def _symmetry(position: Position) -> Iterator[Fault]:
    if not position.game.defines("canonical"):
        return
    once = position.state
    position.game.rule("canonical")(once)
    image = Position(position.game, once.tobytes())
    position.game.rule("canonical")(once)
    if once.tobytes() != image.data:
        yield "canonical", "applied twice it gives something else than once", "choose one representative of each class"
    if (image.player, len(image.moves)) != (position.player, len(position.moves)):
        yield "canonical", "changed whose turn it is or how many moves there are", "map positions to equivalent ones only"
