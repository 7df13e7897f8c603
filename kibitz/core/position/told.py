"""What the players of a game of hidden information were told: stored with a position and read through views, see core/hidden."""

from __future__ import annotations

from typing import Any, NamedTuple

from kibitz.core.errors import RuleFault
from kibitz.core.position.rulebook import Rulebook
from kibitz.core.protocol.rules import NO_MOVE


class Event(NamedTuple):
    """What a player knows of one move of anybody, or of one outcome of chance."""

    move: int  # his own; NO_MOVE where somebody else moved, or chance
    percept: int


class Told(NamedTuple):
    """What one player was told since the game began."""

    origin: tuple[bytes, ...]  # records of the positions in which it may have begun; one, as a rule
    events: tuple[Event, ...]


def tell(game: Rulebook, before: tuple[Told, ...], mover: int, s: Any, move: int, after: Any) -> tuple[Told, ...]:
    """What every player has been told when he has heard of a move as well; whom nobody has told anything knows where it began."""
    told = []
    for observer, (origin, events) in enumerate(before or (Told((bytes(s.tobytes()),), ()),) * game.players):
        percept = int(game.rule("percept")(s, move, after, observer))
        if percept < 0:
            raise RuleFault("percept", f"returned {percept} for player {observer}", "return a whole number from 0")
        told.append(Told(origin, (*events, Event(move if observer == mover else NO_MOVE, percept))))
    return tuple(told)
