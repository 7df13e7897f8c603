"""Logistic regression by Newton's method (iteratively reweighted least squares), with a ridge: how features predict the chance of winning.

The chance that player 0 wins is 1 / (1 + exp(-x)), where x is the sum of weight times feature. There is no constant: what one player has is what the
other lacks, and a position without any difference is level. A drawn game counts as half a win. The loss is convex, so there is one best answer.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

STEPS = 100
ENOUGH = 1e-10  # change of the mean loss in one step at which there is nothing left to gain
TINY = 1e-12


def logistic(rows: Any, results: Any, ridge: float, known: Any = None) -> Any:
    """The weights for which the mean loss, plus the ridge, is least.

    `ridge` positions pull every weight towards 0, in units of how much its feature varies; where weights are `known` already,
    towards these, as positions with a feature of 1 would. A feature that never varies gets the weight 0, or keeps the known one.
    """
    spread = np.sqrt(np.mean(rows**2, axis=0))
    varies = spread > TINY
    scale = np.where(varies, spread, 1.0)
    scaled, aim = rows / scale, np.zeros(rows.shape[1]) if known is None else np.asarray(known) * scale
    pull = ridge / len(rows) * (np.ones(len(scale)) if known is None else scale**-2.0)
    weights = aim.copy()
    loss = _penalised(scaled, results, weights, pull, aim)
    for _ in range(STEPS):
        chance = chances(scaled @ weights)
        slope = scaled.T @ (chance - results) / len(rows) + pull * (weights - aim)
        bend = (scaled * (chance * (1.0 - chance))[:, None]).T @ scaled / len(rows)
        bend[np.diag_indices_from(bend)] += pull + TINY
        step = np.linalg.solve(bend, slope)
        before, length = loss, 1.0
        while (loss := _penalised(scaled, results, weights - length * step, pull, aim)) > before and length > TINY:
            length *= 0.5  # too far: the curve is flat where chances are near 0 or 1
        if loss > before:
            break
        weights = weights - length * step
        if before - loss < ENOUGH:
            break
    return np.where(varies, weights, aim) / scale


def log_loss(sums: Any, results: Any) -> float:
    """The mean of -log(chance given to what happened); log 2 without any knowledge."""
    return float(np.mean(np.logaddexp(0.0, sums) - results * sums))


def accuracy(sums: Any, results: Any) -> float:
    """Among positions of decided games, the share in which the sum favours the winner; a level sum counts as half."""
    decided = results != 0.5
    if not decided.any():
        return math.nan
    right = np.sign(sums[decided]) * np.sign(results[decided] - 0.5)
    return float(np.mean(0.5 + 0.5 * right))


def best_factor(sums: Any, results: Any) -> float:
    """The factor with which `sums` predict the chance best."""
    if not np.any(sums):
        return 0.0
    return float(logistic(np.asarray(sums, np.float64)[:, None], results, 0.0)[0])


def _penalised(rows: Any, results: Any, weights: Any, pull: Any, aim: Any) -> float:
    return log_loss(rows @ weights, results) + 0.5 * float(pull @ (weights - aim) ** 2)


def chances(sums: Any) -> Any:
    """The logistic curve, without overflow."""
    return 0.5 * (1.0 + np.tanh(0.5 * sums))
