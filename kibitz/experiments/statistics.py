"""What experiments sum up with: numbers with their intervals, which are those of kibitz/core/measuring/intervals.py, and slopes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz.core.measuring.intervals import CONFIDENCE, Estimate, mean, ratio, score, share, standard_error

__all__ = ["CONFIDENCE", "Estimate", "mean", "ratio", "score", "share", "slope", "standard_error"]


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Of the straight line with the least squares of errors."""
    x, y = np.asarray(xs, float), np.asarray(ys, float)
    return float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
