"""Beliefs by their definition: every way the game can have gone is played through, and those are kept in which the observer was told the same."""

from __future__ import annotations

from collections.abc import Sequence

import kibitz as kb
from kibitz.core.position.told import Event
from kibitz.core.protocol.rules import NO_MOVE


def belief(start: Sequence[kb.Position], observer: int, events: Sequence[Event]) -> dict[bytes, float]:
    """The records that are possible after these events, and the probability of each while others move at random."""
    found: dict[bytes, float] = {}
    for position in start:
        _follow(position, observer, tuple(events), 1.0 / len(start), found)
    total = sum(found.values())
    return {data: weight / total for data, weight in found.items()}


def _follow(position: kb.Position, observer: int, events: tuple[Event, ...], weight: float, found: dict[bytes, float]) -> None:
    if not events:
        found[position.data] = found.get(position.data, 0.0) + weight
        return
    event, rest = events[0], events[1:]
    if position.is_over or (position.player == observer) != (event.move != NO_MOVE):
        return
    if event.move != NO_MOVE:
        shares = {event.move: 1.0}
    elif position.is_chance:
        shares = dict(zip((int(m) for m in position.moves), position.chances, strict=True))
    else:
        shares = {int(m): 1.0 / len(position.moves) for m in position.moves}
    for move, share in shares.items():
        after = position.play(move)
        percept = int(position.game.rule("percept")(position.state, move, after.state, observer))
        if percept == event.percept:
            _follow(after, observer, rest, weight * share, found)
