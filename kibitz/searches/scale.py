"""The scale of values: between the game's utilities, which players see, and the values that a search computes with.

**Whose.** Kernels count the second player's values as the negative of the first's, whatever SUM is (see kibitz/searches/window/node.py).

**How far.** Where a game is won, drawn or lost (`options.DISTANCE`), a win is worth less, and a loss more, by `options.STEP` for every ply from the root: the search
then prefers quick wins and slow losses. The steps are so small that all of a game's are less than half a grain, and a power of two, so that adding and
removing them is exact. Values less than `options.ROOM` away from LOW or HIGH are those of finished games; evaluations are kept clear of them.

Both conversions are done here and nowhere else.
"""

from __future__ import annotations

import math
from typing import Any

from kibitz.core.compiling.binder import options
from kibitz.core.position.game import Game

# --- kernels ---


def turned(value: float, whose: int, mover: int) -> float:
    """A value for player `whose`, as it is for `mover`."""
    return value if whose == mover else -value


def seen(low: float, high: float, mover: int) -> tuple[float, float]:
    """Bounds of the first player's value, as they are for `mover`; and the reverse."""
    return (low, high) if mover == 0 else (-high, -low)


def by_distance(utility: float, ply: int) -> float:
    """A utility of the first player's, counted from the root: a win a little worse, a loss a little better, the farther it is."""
    if options.DISTANCE:
        if utility >= options.HIGH:
            return utility - ply * options.STEP
        if utility <= options.LOW:
            return utility + ply * options.STEP
    return utility


def from_root(value: float, ply: int) -> float:
    """A value of the first player whose distance counts from the root, as counted from the node at `ply`."""
    return shifted(value, ply * options.STEP) if options.DISTANCE else value


def from_node(value: float, ply: int) -> float:
    """The reverse."""
    return shifted(value, -ply * options.STEP) if options.DISTANCE else value


def shifted(value: float, step: float) -> float:
    """Wins up and losses down by `step`; all else, and infinite bounds, as they are."""
    if value >= options.HIGH - options.ROOM:
        return value + step
    if value <= options.LOW + options.ROOM:
        return value - step
    return value


def kept_clear(value: float) -> float:
    """An evaluation, one step further from LOW and HIGH than any finished game can be."""
    clear = options.ROOM + options.STEP
    return min(max(value, options.LOW + clear), options.HIGH - clear) if options.DISTANCE else value


def is_open(value: float, mover: int) -> bool:
    """Is it the value of a game that is neither won nor lost?"""
    low, high = seen(options.LOW, options.HIGH, mover)
    return low + options.ROOM + options.STEP < value < high - options.ROOM - options.STEP


# --- shell ---


def measures_distance(game: Game) -> bool:
    """Is the game won, drawn or lost, so that how soon it ends is the only thing left to prefer? Not where points are banked: keys leave those out.

    Of several players one may win what each of the others loses.
    """
    low, high = game.first_range
    grain = game.constants["GRAIN"]
    return bool(grain) and (high - low) / grain in (1.0, 2.0, float(game.players)) and not game.defines("banked")


def distance_step(game: Game, passes: int = 1) -> float:
    """A power of two so small that MAX_PLIES times `passes` of them are less than half a grain: to add or remove it is exact."""
    return 2.0 ** math.floor(math.log2(game.constants["GRAIN"] / (2 * (game.constants["MAX_PLIES"] * passes + 2))))


class Scale:
    """The values of one game, with or without a distance; `one_sided`: of one player, whoever he is, so that nothing is turned over.

    `passes`: nodes on a path for each ply, at most.
    """

    def __init__(self, game: Game, distance: bool, one_sided: bool = False, passes: int = 1) -> None:
        self.distance = distance
        self.step = distance_step(game, passes) if distance else 0.0
        self.room = self.step * (game.constants["MAX_PLIES"] * passes + 1)  # within which a value is that of a win or a loss
        self.total = 0.0 if one_sided else float(game.constants["SUM"] or 0.0)
        own_range: tuple[float, float] = game.constants["VALUES"]
        self.low, self.high = own_range if one_sided else game.first_range
        self.drawn = game.drawn

    def flags(self) -> dict[str, Any]:
        """The compile-time options that kernels count by."""
        counted = {"sum": self.total, "low": float(self.low), "high": float(self.high), "drawn": self.drawn}
        return {**counted, "distance": self.distance, "step": self.step, "room": self.room}

    def inward(self, value: float, player: int) -> float:
        """A player's own value, as kernels count it."""
        return value - self.total if player == 1 else value

    def outward(self, value: float, player: int) -> float:
        """The reverse."""
        return value + self.total if player == 1 else value

    def edges(self, player: int) -> tuple[float, float]:
        """What the game is worth to a player at worst and at best, as kernels count it."""
        return seen(self.low, self.high, player)

    def window(self) -> tuple[float, float]:
        """A window that every value lies in, whatever the evaluation says and whoever moves."""
        edge = max(abs(self.low), abs(self.high)) + (self.high - self.low) + 1.0
        return -edge, edge

    def is_decided(self, value: float, player: int) -> bool:
        """Evaluations lie strictly inside VALUES, so a value at their edge comes from finished games alone, and nothing can be better."""
        low, high = self.edges(player)
        return value >= high - self.room or value <= low + self.room

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
