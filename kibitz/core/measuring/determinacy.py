"""Determinacy: how far the player to move decides what happens, and how far chance does.

A game says of each move with what chance whoever wants to make it may (`determinacy`). Where chance comes first, as with dice, the moves in
question are all that some outcome allows, each counted once. What matters of them is the mean, and how unequal they are.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from kibitz.core.errors import InputError
from kibitz.core.position.game import Position


@dataclass(frozen=True)
class Determinacy:
    """Of all moves that are possible: the mean and the variance."""

    moves: dict[str, float]  # in the game's notation
    mean: float
    variance: float


def determinacy(position: Position) -> Determinacy:
    """The determinacy of the moves of a position, or, where chance decides next, of those that an outcome may allow."""
    before_move = [position.play(move) for move in position.moves] if position.is_chance else [position]
    chances: dict[int, tuple[str, float]] = {}
    for p in before_move:
        if not p.is_chance:
            chances |= {int(move): (str(move), float(p.game.rule("determinacy")(p.state, int(move)))) for move in p.moves}
    if not chances:
        raise InputError("determinacy is a matter of moves; here is none to make, nor after the next outcome of chance")
    values = [value for _, value in chances.values()]
    return Determinacy(dict(chances.values()), statistics.fmean(values), statistics.pvariance(values))
