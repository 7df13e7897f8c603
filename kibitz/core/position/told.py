"""What players of a game of hidden information were told: kept with a position, which knows it, and read through views: see core/hidden."""

from __future__ import annotations

from typing import NamedTuple


class Event(NamedTuple):
    """What a player knows of one move of anybody, or of one outcome of chance."""

    move: int  # his own; NO_MOVE where somebody else moved, or chance
    percept: int


class Told(NamedTuple):
    """What one player was told since the game began."""

    origin: tuple[bytes, ...]  # records of the positions in which it may have begun; one, as a rule
    events: tuple[Event, ...]
