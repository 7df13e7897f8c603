"""How sure a match makes us: the mean score with an interval, as a difference in Elo, and the likelihood of being the better player.

Games come in pairs, one opening with either side, and the two games of a pair are not independent: an opening that favours one side gives each
player a win. So the pair is the unit. Its score x is 0, 1/4, 1/2, 3/4 or 1 to the first contestant, and the interval comes from the spread of x
over the pairs, by Student's t. Few games, or one-sided ones, show less spread than there is: a pair won and a pair lost are added before the
interval is computed (the "plus four" of Agresti and Coull, in pairs), so that no number of wins makes the interval vanish.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
ADDED = (0.0, 1.0)  # scores of the pairs added


@dataclass(frozen=True)
class Estimate:
    """What pairs of games say of a contestant's score, the mean of 1 for a win, 1/2 for a draw, 0 for a loss."""

    score: float  # as it was
    interval: tuple[float, float]  # where it would lie after ever so many games, with 95 % confidence
    superiority: float  # the likelihood that it would be more than 1/2

    @property
    def elo(self) -> float | None:
        return elo(self.score)

    @property
    def elo_interval(self) -> tuple[float | None, float | None]:
        return elo(self.interval[0]), elo(self.interval[1])


def estimate(pairs: Sequence[float]) -> Estimate:
    """From the scores of the pairs; without any, nothing is known."""
    if not pairs:
        return Estimate(0.5, (0.0, 1.0), 0.5)
    widened = [*pairs, *ADDED]
    n = len(widened)
    mean = math.fsum(widened) / n
    error = math.sqrt(math.fsum((x - mean) ** 2 for x in widened) / (n - 1) / n)
    half = student(0.5 + 0.5 * CONFIDENCE, n - 1) * error
    superiority = NormalDist().cdf((mean - 0.5) / error)
    return Estimate(math.fsum(pairs) / len(pairs), (max(0.0, mean - half), min(1.0, mean + half)), superiority)


def student(probability: float, freedom: int) -> float:
    """The quantile of Student's t, by the expansion about the normal one (Abramowitz and Stegun, 26.7.5); 3 % off at 2 degrees of freedom."""
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom ** (i + 1) for i, term in enumerate(terms))


def elo(score: float) -> float | None:
    """The difference in rating that a mean score stands for; None where it is infinite."""
    return None if score <= 0.0 or score >= 1.0 else 0.0 - 400.0 * math.log10(1.0 / score - 1.0)
