"""Numbers with 95% intervals. Observations are independent of each other; several figures of one observation need not be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95
MOST_FREEDOM = 10_000  # beyond it Student's t is the normal distribution's, to four figures


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
    """The mean, by Student's t."""
    sample = np.asarray(values, float)
    return _around(float(sample.mean()), _error(sample - sample.mean(), len(sample)), len(sample))


def ratio(tops: Sequence[float], bottoms: Sequence[float]) -> Estimate:
    """Sum of tops over sum of bottoms, each pair one observation: what the tops are to the bottoms on average, the large ones counting more.

    The interval is that of the mean of top - ratio * bottom, which is zero at the true ratio, over the mean bottom.
    """
    top, bottom = np.asarray(tops, float), np.asarray(bottoms, float)
    value = float(top.sum() / bottom.sum())
    return _around(value, _error(top - value * bottom, len(top)) / float(bottom.mean()), len(top))


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Of the straight line with the least squares of errors."""
    x, y = np.asarray(xs, float), np.asarray(ys, float)
    return float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())


def student(freedom: int) -> float:
    """The t that a Student variable of so many degrees of freedom stays within, in absolute value, with probability CONFIDENCE."""
    return _student(min(freedom, MOST_FREEDOM))


def _around(value: float, error: float, n: int) -> Estimate:
    if n < 2:
        return Estimate(value, math.nan, math.nan)
    margin = student(n - 1) * error
    return Estimate(value, value - margin, value + margin)


def _error(deviations: np.ndarray, n: int) -> float:
    """The standard error of a mean, from the deviations."""
    return math.sqrt(float((deviations**2).sum()) / (n - 1) / n) if n > 1 else math.nan


@cache
def _student(freedom: int) -> float:
    low, high = 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < CONFIDENCE else (low, middle)
    return high


def _within(t: float, freedom: int) -> float:
    """The probability that a Student variable is between -t and t: the finite sums for whole degrees of freedom (Abramowitz and Stegun 26.7.3-4)."""
    angle = math.atan2(t, math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    total, term = 0.0, cosine if freedom % 2 else 1.0
    for k in range(1 + freedom % 2, freedom, 2):  # the term after cos^k times (k / (k + 1)) cos^2 is the next one
        total += term
        term *= k / (k + 1) * cosine * cosine
    return (2 / math.pi) * (angle + sine * total) if freedom % 2 else sine * total


def _digits(number: float) -> int:
    """Decimals that show two figures of it."""
    return min(9, max(0, 1 - math.floor(math.log10(abs(number)))))
