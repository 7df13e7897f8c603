"""Determinacy: how much the player to move decides, and how much chance does.

A game gives for each move the probability that a player who wants to make it may (`determinacy`). If chance comes first, as with dice, the moves
are all those that some outcome allows, each counted once. What matters is their mean and their variance.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from kibitz.core.errors import InputError
from kibitz.core.position.game import Position


@dataclass(frozen=True)
class Determinacy:
    """The mean and the variance over all possible moves."""

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
