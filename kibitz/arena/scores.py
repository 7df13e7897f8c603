"""How sure a match makes us: the mean score with an interval, as a difference in Elo, and the likelihood of being the better player.

Games come in pairs, one opening with either side, and the two games of a pair are not independent: an opening that favours one side gives each
player a win. So the pair is the unit: its score is 0, 1/4, 1/2, 3/4 or 1 to the first contestant. The interval is `score` of kibitz/core/measuring/intervals.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from kibitz.core.measuring import intervals


@dataclass(frozen=True)
class Estimate:
    """What pairs of games say of a contestant's score, the mean of 1 for a win, 1/2 for a draw, 0 for a loss."""

    score: float  # as it was
    interval: tuple[float, float]  # where it would lie after ever so many games, with 95 % confidence
    superiority: float  # the likelihood that it would be more than 1/2

    @property
    def elo(self) -> float:
        return elo(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        return elo(self.interval[0]), elo(self.interval[1])


def estimate(pairs: Sequence[float]) -> Estimate:
    """From the scores of the pairs; without any, nothing is known."""
    found = intervals.score(pairs)
    if not pairs:
        return Estimate(found.value, (found.low, found.high), 0.5)
    widened = [*pairs, *intervals.ADDED]
    superiority = NormalDist().cdf((math.fsum(widened) / len(widened) - 0.5) / intervals.standard_error(widened))
    return Estimate(found.value, (found.low, found.high), superiority)


def elo(score: float) -> float:
    """The difference in rating that a mean score stands for; infinite, with its sign, where everything was won or lost."""
    if score <= 0.0 or score >= 1.0:
        return math.inf if score >= 1.0 else -math.inf
    return 0.0 - 400.0 * math.log10(1.0 / score - 1.0)
