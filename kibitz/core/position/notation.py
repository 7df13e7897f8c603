"""Moves as people write them: a move that knows its name, and the reading of lists of moves."""

from __future__ import annotations

from typing import Any


class Move(int):
    """A move: the integer the rules use, which prints in the game's notation."""

    notation: str

    def __new__(cls, number: int, notation: str) -> Move:
        move = super().__new__(cls, number)
        move.notation = notation
        return move

    def __str__(self) -> str:
        return self.notation

    def __format__(self, spec: str) -> str:
        return format(self.notation, spec)

    def __repr__(self) -> str:
        return f"Move({int(self)}, {self.notation!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (int(self), self.notation)


def next_move(text: str, names: dict[str, int]) -> tuple[int, str] | None:
    """The legal move at the front of `text`, and the rest of the text.

    Moves may be separated by blanks or commas, or run together as in `4453` or `d3c5`; of several names that fit the longest is meant.
    """
    text = text.lstrip(" ,;\t\n")
    word = text.replace(",", " ").replace(";", " ").split(maxsplit=1)[0] if text else ""
    for folded in (str, str.lower):
        known = {folded(n): move for n, move in names.items()}
        if folded(word) in known:
            return known[folded(word)], text[len(word) :]
    for n in sorted(names, key=len, reverse=True):
        if text.lower().startswith(n.lower()):
            return names[n], text[len(n) :]
    return None


def legal_list(legal: tuple[Move, ...]) -> str:
    """The legal moves, in words for a message."""
    if not legal:
        return "the game is over"
    shown = " ".join(m.notation for m in legal[:40])
    return f"legal moves are {shown}{' ...' if len(legal) > 40 else ''}"
