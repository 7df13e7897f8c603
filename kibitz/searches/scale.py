"""How kernels count: between the values a player knows, which are the game's utilities, and those that a search computes with.

Kernels count the second player's values as the negative of the first's, whatever SUM is (see kibitz/searches/node.py). Where a game is won, drawn or lost
they also count how far away a win or a loss is: a step for every ply, so small that all steps of a game are less than half a grain. This is the one place
where both are taken off again.
"""

from __future__ import annotations

import math
from typing import Any

from kibitz.core.position.game import Game


def measures_distance(game: Game) -> bool:
    """Is the game won, drawn or lost, so that how soon it ends is the only thing left to prefer? Not where points are banked: keys leave those out."""
    low, high = game.first_range
    grain = game.constants["GRAIN"]
    return bool(grain) and (high - low) / grain in (1.0, 2.0) and not game.defines("banked")


def distance_step(game: Game) -> float:
    """A power of two so small that MAX_PLIES of them are less than half a grain: to add or remove it is exact."""
    return 2.0 ** math.floor(math.log2(game.constants["GRAIN"] / (2 * (game.constants["MAX_PLIES"] + 2))))


class Scale:
    """The values of one game, with or without a distance."""

    def __init__(self, game: Game, distance: bool) -> None:
        self.distance = distance
        self.step = distance_step(game) if distance else 0.0
        self.total = float(game.constants["SUM"] or 0.0)
        self.low, self.high = game.first_range
        self._room = self.step * (game.constants["MAX_PLIES"] + 1)  # within which a value is that of a win or a loss
        self.drawn = game.drawn

    def flags(self) -> dict[str, Any]:
        """The compile-time options that kernels count by."""
        counted = {"SUM": self.total, "LOW": float(self.low), "HIGH": float(self.high), "DRAWN": self.drawn}
        return {**counted, "DISTANCE": self.distance, "STEP": self.step}

    def inward(self, value: float, player: int) -> float:
        """A player's own value, as kernels count it."""
        return value - self.total if player == 1 else value

    def outward(self, value: float, player: int) -> float:
        """The reverse."""
        return value + self.total if player == 1 else value

    def edges(self, player: int) -> tuple[float, float]:
        """What the game is worth to a player at worst and at best, as kernels count it."""
        return (self.low, self.high) if player == 0 else (-self.high, -self.low)

    def window(self) -> tuple[float, float]:
        """A window that every value lies in, whatever the evaluation says and whoever moves."""
        edge = max(abs(self.low), abs(self.high)) + (self.high - self.low) + 1.0
        return -edge, edge

    def is_decided(self, value: float, player: int) -> bool:
        """Evaluations lie strictly inside VALUES, so a value at their edge comes from finished games alone, and nothing can be better."""
        low, high = self.edges(player)
        return value >= high - self._room or value <= low + self._room

    def is_settled(self, value: float, depth: int, player: int) -> bool:
        """Is the game decided, and within the depth? A win that only an extended line sees may not be the quickest."""
        distance = self.without_distance(value, player)[1]
        return self.is_decided(value, player) and (distance is None or distance <= depth)

    def without_distance(self, value: float, player: int) -> tuple[float, int | None]:
        """A won or lost value as the player's own utility, and in how many plies; all other values without a distance."""
        if not self.distance or not self.is_decided(value, player):
            return self.outward(value, player), None
        low, high = self.edges(player)
        end = high if value > 0.5 * (low + high) else low
        return self.outward(end, player), round(abs(end - value) / self.step)
