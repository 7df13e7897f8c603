"""How far away a win is, counted in its value.

With `options.DISTANCE` (games that end won, drawn or lost) a win is worth less, and a loss more, by `options.STEP` for every ply from
the root: the search then prefers quick wins and slow losses. The steps are so small that they never reach the next utility, and a power of two,
so that adding and removing them is exact. In the table such values count from the node, not from the root.
"""

from __future__ import annotations

from kibitz.core.compiling.binder import game, options


def by_distance(utility: float, ply: int) -> float:
    """A win a little worse, a loss a little better, the farther it is."""
    if options.DISTANCE:
        middle = 0.5 * (options.LOW + options.HIGH)
        if utility > middle:
            return utility - ply * options.STEP
        if utility < middle:
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
    room = options.STEP * (game.MAX_PLIES + 1)
    if value >= options.HIGH - room:
        return value + step
    if value <= options.LOW + room:
        return value - step
    return value
