"""What one player knows of a game: a `View`, made of his own moves and his percepts.

Every move of anybody, and every outcome of chance, is an event for every player. A player knows the moves that he made himself; of all others, and of what
his own moves led to, he knows the percept alone. Percept 0 says nothing but that something happened. Where a game starts is known to all, unless
`puzzled` says that it may have been one of several positions.

A position keeps what everybody was told on the way to it; `view(position, player)` is all of it that a player is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.notation import Move, legal_list
from kibitz.core.position.told import Event, Told
from kibitz.core.protocol.rules import NO_MOVE, OVER

UNNAMED = -3  # View.player where it is the turn of somebody else, or of chance: the view does not say whose


@dataclass(frozen=True)
class View:
    """All that `observer` knows. Nothing in it depends on more than where the game may have started, his moves and his percepts."""

    game: Game
    observer: int
    origin: tuple[bytes, ...]  # records of the positions where the game may have started; one, as a rule
    events: tuple[Event, ...]
    player: int = field(compare=False)  # the observer where it is his turn, OVER, or UNNAMED
    moves: tuple[Move, ...] = field(compare=False)  # that the observer may make or try now
    board: str = field(compare=False)  # as he may see it; empty where the game shows nothing

    @property
    def is_over(self) -> bool:
        return self.player == OVER

    @property
    def is_own_turn(self) -> bool:
        return self.player == self.observer

    @property
    def numbers(self) -> tuple[int, ...]:
        """The moves without their names."""
        return tuple(int(move) for move in self.moves)

    def move(self, text: str | int) -> Move:
        """The legal move with this notation or number."""
        wanted = text.strip().lower() if isinstance(text, str) else None
        found = [m for m in self.moves if (int(m) == text if wanted is None else m.notation.lower() == wanted)]
        if not found:
            raise InputError(f"illegal move '{text}': {legal_list(self.moves)}")
        return found[0]

    def __str__(self) -> str:
        return self.board


def view(position: Position, observer: int) -> View:
    """What a player knows of a position."""
    game = position.game
    if not game.is_hidden:
        raise InputError(f"{game.label} hides nothing: its players are given the position")
    if not 0 <= observer < game.players:
        raise InputError(f"there is no player {observer + 1}; {game.label} has players 1 to {game.players}")
    origin, events = position.told[observer] if position.told else Told((position.data,), ())
    player = position.player
    own = player == observer
    board = str(game.people["show_to"](position.state, observer))
    return View(
        game, observer, origin, events, observer if own else OVER if player == OVER else UNNAMED, position.moves if own else (), board
    )


def puzzled(position: Position, observer: int, possible: Sequence[Position]) -> Position:
    """The position as the start of a game in which `observer` knows only that it is one of those that are possible; all others know it."""
    records = tuple(dict.fromkeys(p.data for p in possible))
    if position.data not in records:
        raise InputError("the position where the game starts must be among those that are possible")
    told = tuple(Told(records if player == observer else (position.data,), ()) for player in range(position.game.players))
    return replace(position, told=told)


def in_words(game: Game, event: Event, observer: int, name: str = "") -> str:
    """One event as people write it: `-`, what was heard, or the observer's own move with what it led to behind a stroke."""
    said = "" if event.percept == 0 else str(game.people["announce"](event.percept, observer))
    if event.move == NO_MOVE:
        return said or "-"
    return f"{name or event.move}/{said}" if said else name or str(event.move)


def blurred_for(game: Game, observer: int, data: bytes) -> bytes:
    """The record that stands for this one in the observer's beliefs: see the hook `blur`."""
    if not game.defines("blur"):
        return data
    s = Position(game, data).state
    game.rule("blur")(s, observer)
    return bytes(s.tobytes())


def state_array(game: Game, records: Sequence[bytes]) -> Any:
    """Records of positions as one array, with what lies between their fields, which NumPy's own copies leave out: kernels look at whole words."""
    return np.frombuffer(bytearray(b"".join(records)), game.constants["State"])
