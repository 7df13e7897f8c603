"""Fitting the weights of an evaluation: self-play, logistic regression, a file of weights.

The game needs FEATURES, `features`, WEIGHTS and `evaluate` (and `phase` for weights that change in the course of the game). It plays itself with the
weights it has. Every fifth game is held out: how well old and new weights foretell its result is measured there and nowhere else.

The regression finds log-odds; an evaluation wants the scale of utilities. One more number, fitted by least squares, turns the first into the second:
`squashed` of the weighted sum then comes as near to the utilities of the games as it can.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.workers import spread
from kibitz.core import loading, weights
from kibitz.core.errors import InputError, nearest
from kibitz.core.game import Game
from kibitz.tuning import samples, selfplay
from kibitz.tuning.regression import accuracy, best_factor, log_loss, logistic
from kibitz.tuning.samples import BATCH, Samples
from kibitz.tuning.selfplay import Plan, Sample

HELD_OUT = 5  # of so many games one
ROWS_A_WEIGHT = 20  # positions needed for each number to be found
FINER = 60  # halvings of the interval in which the scale is looked for


@dataclass(frozen=True)
class Quality:
    """How well weights foretell the results of games that were held out."""

    log_loss: float
    accuracy: float


@dataclass(frozen=True)
class Fitted:
    """Weights, and how they came about."""

    game: Game
    weights: weights.Weights
    before: Quality  # of the weights the game was loaded with
    after: Quality
    games: int
    positions: int
    interrupted: bool
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        told = {"before": asdict(self.before), "after": asdict(self.after), "games": self.games, "positions": self.positions}
        names = list(self.game.constants["FEATURES"])
        return {"game": self.game.label, "features": names, "weights": self.weights, **told, "interrupted": self.interrupted}


def fit(
    game: Game,
    games: int = 20_000,
    *,
    depth: int = 3,
    seed: int = 0,
    opening: int = 10,
    variety: float = 0.1,
    ridge: float = 1.0,
    quiescence: int = 0,
    unit: str = "",
    jobs: int = 1,
    out: str | Path | None = None,
    watch: Callable[[int], None] | None = None,
) -> Fitted:
    """Play `games` games to `depth` plies, and noisy moves `quiescence` plies further, and fit the weights to them; `out` is the file to write.

    `unit` names a feature that is to be worth 1, halfway between opening and ending; without it the scale is that of utilities.
    Games are kept on disk: the same call goes on where another one was stopped. `watch` is told how many there are. Ctrl-C ends the playing, and
    the weights are fitted to what there is.
    """
    selfplay.check(game)
    _check(games, depth, seed, opening, variety, ridge)
    if unit and unit not in game.constants["FEATURES"]:
        raise InputError(f"unit={unit}: {nearest(unit, game.constants['FEATURES'], 'features')}")
    began = time.perf_counter()
    plan = Plan(game, depth, seed, opening, variety, quiescence)
    sample, played, interrupted = _played(plan, games, jobs, watch)
    found, before, after = _regression(game, sample, ridge)
    found = _in_units(found, game.constants["FEATURES"], unit) if unit else found
    result = Fitted(game, found, before, after, played, len(sample.games), interrupted, time.perf_counter() - began)
    if out is not None:
        how = {
            "depth": depth,
            "seed": seed,
            "opening": opening,
            "variety": variety,
            "ridge": ridge,
            **({"quiescence": quiescence} if quiescence else {}),
            **({"unit": unit} if unit else {}),
            "played_with": game.constants["WEIGHTS"],
        }
        _write(Path(out), result, how)
    return result


def _played(plan: Plan, games: int, jobs: int, watch: Callable[[int], None] | None) -> tuple[Sample, int, bool]:
    """All positions, the number of games, and whether Ctrl-C came before all were played."""
    store, batches = Samples(samples.place(plan)), -(-games // BATCH)
    known, interrupted = store.read(batches), False
    missing = [batch for batch in range(batches) if batch not in known]
    tell = watch or (lambda _: None)
    tell(len(known) * BATCH)
    if missing:
        try:
            selfplay.sampled(plan, range(1))  # compiles, before there are processes that would all do it
            tasks = [samples.numbers(batch) for batch in missing]
            for number, sample in spread(partial(selfplay.sampled, plan), tasks, jobs):
                store.add(missing[number], sample)
                known[missing[number]] = sample
                tell(len(known) * BATCH)
        except KeyboardInterrupt:
            interrupted = True
    if not known:
        raise KeyboardInterrupt
    return Sample.joined([known[batch] for batch in sorted(known)]), len(known) * BATCH, interrupted


def _regression(game: Game, sample: Sample, ridge: float) -> tuple[weights.Weights, Quality, Quality]:
    tapers = game.defines("phase")
    rows, results = _rows(sample, tapers), _results(game, sample)
    if len(rows) < ROWS_A_WEIGHT * rows.shape[1] or len(np.unique(results)) < 2:
        raise InputError(f"{len(rows)} positions are too few to fit {rows.shape[1]} weights to; play more games")
    held = sample.games % HELD_OUT == HELD_OUT - 1
    log_odds = logistic(rows[~held], results[~held], ridge)
    known = np.concatenate([np.asarray(row) for row in weights.rows_of(game.constants["WEIGHTS"])])
    factor = best_factor(rows[~held] @ known, results[~held])  # the scale of the old weights should not count against them
    before, after = (_quality(rows[held] @ w, results[held]) for w in (factor * known, log_odds))
    low, high = game.constants["VALUES"]
    scaled = log_odds * _scale(rows[~held] @ log_odds, sample.utilities[~held] - 0.5 * (low + high), 0.5 * (high - low))
    n = len(game.constants["FEATURES"])
    parts = (tuple(scaled[:n].tolist()), tuple(scaled[n:].tolist()))
    return weights.rounded(parts if tapers else parts[0]), before, after


def _in_units(found: weights.Weights, names: tuple[str, ...], unit: str) -> weights.Weights:
    """The same weights on another scale: the order of positions does not change."""
    rows, place = weights.rows_of(found), names.index(unit)
    worth = sum(row[place] for row in rows) / len(rows)
    if worth <= 0:
        raise InputError(f"unit={unit}: it was found to be worth nothing; choose another feature, or play more games")
    scaled = [tuple(w / worth for w in row) for row in rows]
    return weights.rounded((scaled[0], scaled[1]) if len(scaled) == 2 else scaled[0])


def _rows(sample: Sample, tapers: bool) -> Any:
    """One column a weight: features, or features by how much of the opening and how much of the ending there is in the position."""
    rows = sample.features.astype(np.float64)
    phases = sample.phases.astype(np.float64)[:, None]
    return np.hstack([rows * (1.0 - phases), rows * phases]) if tapers else rows


def _results(game: Game, sample: Sample) -> Any:
    middle = 0.5 * sum(game.constants["VALUES"])
    return np.where(sample.utilities > middle, 1.0, np.where(sample.utilities < middle, 0.0, 0.5))


def _quality(sums: Any, results: Any) -> Quality:
    return Quality(log_loss(sums, results), accuracy(sums, results))


def _scale(sums: Any, utilities: Any, half: float) -> float:
    """The factor for which squashed sums are nearest to the utilities: a golden-section search over its logarithm."""

    def error(logarithm: float) -> float:
        x = math.exp(logarithm) * sums
        return float(np.mean((utilities - half * x / (half + np.abs(x))) ** 2))

    low, high = math.log(half) - 8.0, math.log(half) + 4.0
    part = 0.5 * (math.sqrt(5.0) - 1.0)
    for _ in range(FINER):
        one, other = high - part * (high - low), low + part * (high - low)
        low, high = (low, other) if error(one) <= error(other) else (one, high)
    return math.exp(0.5 * (low + high))


def _write(path: Path, result: Fitted, how: dict[str, Any]) -> None:
    told = {**how, "games": result.games, "positions": result.positions, "before": asdict(result.before), "after": asdict(result.after)}
    weights.write(path, result.game.name, result.game.constants["FEATURES"], result.weights, told)
    loading.forget()  # games that read this file


def _check(games: int, depth: int, seed: int, opening: int, variety: float, ridge: float) -> None:
    for name, value, low, high in (
        ("games", games, 10, 10**8),
        ("depth", depth, 1, 64),
        ("seed", seed, 0, 2**31 - 1),
        ("opening", opening, 0, 256),
        ("variety", variety, 0.0, 1.0),
        ("ridge", ridge, 0.0, 1e9),
    ):
        if not low <= value <= high:
            raise InputError(f"{name}={value}: must be from {low} to {high}")
