"""The probability for each cell of the board that something is there which the player does not see.

It is read from the pictures that the game draws, of every position of the belief and of what the player sees, so that games need no extra hook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from kibitz.core.drawing.marks import contents
from kibitz.core.hidden.belief import Belief
from kibitz.core.position.random_moves import Lots
from kibitz.core.records import random

MOST = 300  # most positions that are looked at; a larger belief is sampled


def marginals(belief: Belief, most: int = MOST) -> dict[str, float]:
    """For each cell the probability that it holds something else than its player sees; nothing where the game draws only one of both."""
    people = belief.game.people
    seen = contents(str(people["draw_to"](belief.position(0).state, belief.observer)))
    found: Counter[str] = Counter()
    for place, chance in drawn(belief, most):
        for cell, there in contents(str(people["draw"](belief.position(place).state))).items():
            if there != seen.get(cell, there):
                found[cell] += chance  # type: ignore[assignment]  # a tally of chances
    return {cell: float(found[cell]) for cell in seen if cell in found}


def likeliest(belief: Belief, most: int) -> list[tuple[int, float]]:
    """The likeliest positions by their place in the belief, and how likely each is; of equals the first."""
    chances = belief.chances
    ranked = sorted(range(belief.size), key=lambda place: (-chances[place], place))[:most]
    return [(place, float(chances[place])) for place in ranked]


def drawn(belief: Belief, most: int) -> Iterator[tuple[int, float]]:
    """All positions with their chances, or `most` that are drawn by them."""
    if belief.size <= most:
        yield from enumerate(belief.chances.tolist())
        return
    rng = Lots(belief.seed, belief.size).rng
    for _ in range(most):
        with np.errstate(over="ignore"):
            place = int(random.by_weight(belief.weights, belief.size, rng))
        yield place, 1.0 / most
