"""Numbers with 95% intervals: what matches, experiments and books claim of what they measured.

    mean     of numbers of any kind, by Student's t
    share    how often something is so, by Clopper and Pearson's exact interval (Biometrika 26, 1934): at least 95 of 100 such intervals hold the true share, however
             rare the thing is and however few were looked at. Student's would vanish when all agree: 0 of 200 is not 0 ± 0, it is anything up to 1.8 %
    ratio    of two sums over the same observations
    score    of a match, from the scores of its pairs of games, each from 0 to 1; as a difference in Elo, and the likelihood that it is above 1/2
    wilson   of single games, won, drawn or lost

and the slope of a straight line through points.

Observations are independent of each other; several figures of one observation need not be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95
SURE = 1.959964  # standard deviations of a normal distribution that hold CONFIDENCE of it
MOST_FREEDOM = 10_000  # beyond it Student's t is the normal distribution's, to four figures
ADDED = (0.0, 1.0)  # scores of the pairs that `score` adds


class Estimate(NamedTuple):
    """A figure and the interval that holds the true one in 95 of 100 experiments; NaN where there are too few observations for one."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        margin = max(self.high - self.value, self.value - self.low)
        if math.isnan(margin):
            return f"{self.value:.4g}"
        digits = _digits(margin) if margin else _digits(self.value) if self.value else 0
        even = abs((self.high - self.value) - (self.value - self.low)) <= 0.1 * margin
        if even:
            return f"{self.value:.{digits}f} ± {margin:.{digits}f}"
        return f"{self.value:.{digits}f} [{self.low:.{digits}f}, {self.high:.{digits}f}]"

    def scaled(self, factor: float, offset: float = 0.0) -> Estimate:
        """factor * value + offset."""
        ends = sorted((factor * self.low + offset, factor * self.high + offset))
        return Estimate(factor * self.value + offset, ends[0], ends[1])

    def exponential(self) -> Estimate:
        """e to this."""
        return Estimate(math.exp(self.value), math.exp(self.low), math.exp(self.high))


def mean(values: Sequence[float]) -> Estimate:
    """The mean, by Student's t. Not for shares: see `share`."""
    sample = np.asarray(values, float)
    return _around(float(sample.mean()), standard_error(values), len(sample))


def share(hits: int, tries: int) -> Estimate:
    """`hits` of `tries`, as a part of 1."""
    if not 0 <= hits <= tries or tries < 1:
        raise ValueError(f"{hits} of {tries} is no share")
    beyond = 0.5 * (1.0 - CONFIDENCE)
    low = 0.0 if hits == 0 else _solved(lambda p: beta_distribution(hits, tries - hits + 1, p), beyond)
    high = 1.0 if hits == tries else _solved(lambda p: beta_distribution(hits + 1, tries - hits, p), 1.0 - beyond)
    return Estimate(hits / tries, low, high)


def ratio(tops: Sequence[float], bottoms: Sequence[float]) -> Estimate:
    """Sum of tops over sum of bottoms, each pair one observation: what the tops are to the bottoms on average, the large ones counting more.

    The interval is that of the mean of top - ratio * bottom, which is zero at the true ratio, over the mean bottom.
    """
    top, bottom = np.asarray(tops, float), np.asarray(bottoms, float)
    value = float(top.sum() / bottom.sum())
    return _around(value, _error(top - value * bottom) / float(bottom.mean()), len(top))


def score(pairs: Sequence[float]) -> Estimate:
    """The mean score of pairs of games, each from 0 to 1: one pair won and one pair lost are added before Student's interval is taken.

    Few pairs, or one-sided ones, show less spread than there is; with these two (the "plus four" of Agresti and Coull, in pairs) no number of
    wins makes the interval vanish. Without any pairs nothing is known.
    """
    if not pairs:
        return Estimate(0.5, 0.0, 1.0)
    widened = mean([*pairs, *ADDED])
    return Estimate(math.fsum(pairs) / len(pairs), max(0.0, widened.low), min(1.0, widened.high))


def superiority(pairs: Sequence[float]) -> float:
    """The likelihood that the mean score of endless pairs would be above 1/2."""
    if not pairs:
        return 0.5
    widened = [*pairs, *ADDED]
    return NormalDist().cdf((math.fsum(widened) / len(widened) - 0.5) / standard_error(widened))


def elo(mean_score: float) -> float:
    """The difference in rating that a mean score stands for; infinite, with its sign, where everything was won or lost."""
    if mean_score <= 0.0 or mean_score >= 1.0:
        return math.inf if mean_score >= 1.0 else -math.inf
    return 0.0 - 400.0 * math.log10(1.0 / mean_score - 1.0)


def wilson(mean_score: float, games: int) -> tuple[float, float]:
    """Where the mean score of endless games would lie, by Wilson's interval, which draws make a little too wide."""
    n, z = games, SURE**2
    middle, reach = mean_score + z / (2 * n), SURE * math.sqrt((mean_score * (1 - mean_score) + z / (4 * n)) / n)
    return max(0.0, (middle - reach) / (1 + z / n)), min(1.0, (middle + reach) / (1 + z / n))


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """The slope of the least-squares line."""
    x, y = np.asarray(xs, float), np.asarray(ys, float)
    return float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())


def standard_error(values: Sequence[float]) -> float:
    """The standard error of the mean of these values; NaN if there is only one."""
    sample = np.asarray(values, float)
    return _error(sample - sample.mean())


# --- distributions ---


def student(freedom: int) -> float:
    """Student's t: the bound that a variable of this many degrees of freedom stays within, in absolute value, with probability CONFIDENCE."""
    return _student(min(freedom, MOST_FREEDOM))


def beta_distribution(a: float, b: float, x: float) -> float:
    """The probability that a beta variable is at most x: the regularised incomplete beta function, by its continued fraction (DLMF 8.17.22)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1.0) / (a + b + 2.0):  # where the fraction converges fast for the other tail
        return 1.0 - beta_distribution(b, a, 1.0 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    return min(1.0, front / _fraction(a, b, x))


def _fraction(a: float, b: float, x: float) -> float:
    """1 + d1/(1 + d2/(1 + ...)), from the front, as Lentz does it."""
    tiny = 1e-300
    value, c, d = 1.0, 1.0, 0.0
    for n in range(1, 100_000):
        m = n // 2
        if n % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / (1.0 + term * d or tiny)
        c = 1.0 + term / c or tiny
        value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value


def _around(value: float, error: float, n: int) -> Estimate:
    if n < 2:
        return Estimate(value, math.nan, math.nan)
    margin = student(n - 1) * error
    return Estimate(value, value - margin, value + margin)


def _error(deviations: np.ndarray) -> float:
    """The standard error of a mean, from the deviations."""
    n = len(deviations)
    return math.sqrt(float((deviations**2).sum()) / (n - 1) / n) if n > 1 else math.nan


@cache
def _student(freedom: int) -> float:
    outside = _solved(lambda x: beta_distribution(0.5 * freedom, 0.5, x), 1.0 - CONFIDENCE)  # x = freedom / (freedom + t^2)
    return math.sqrt(freedom * (1.0 - outside) / outside)


def _solved(rising: Callable[[float], float], aim: float) -> float:
    """Where a function that rises from 0 to 1 between 0 and 1 meets `aim`."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rising(middle) < aim else (low, middle)
    return 0.5 * (low + high)


def _digits(number: float) -> int:
    """Decimals that show two figures of it."""
    return min(9, max(0, 1 - math.floor(math.log10(abs(number)))))
