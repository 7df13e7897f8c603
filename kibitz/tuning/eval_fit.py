"""Fitting the weights of an evaluation: games, logistic regression, a file of weights.

The game needs FEATURES, `features`, WEIGHTS and `evaluate` (and `phase` for weights that change in the course of the game). It plays itself with the
weights it has, or there are files of games. Every fifth game is held out: only there is measured how well old and new weights predict the result.

The regression finds log-odds; an evaluation wants the scale of utilities. One more number, fitted by least squares, turns the first into the second:
`squashed` of the weighted sum then comes as near as it can to the utilities of the games. Weights that are pulled towards the game's present ones stay on
the scale of these instead.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError, nearest
from kibitz.core.position import loading
from kibitz.core.position.game import Game
from kibitz.core.protocol import outcomes, weights
from kibitz.core.running.pool import spread
from kibitz.tuning import selfplay
from kibitz.tuning.recorded_games import Records
from kibitz.tuning.regression import accuracy, best_factor, chances, log_loss, logistic
from kibitz.tuning.samples import BATCH, Sample, Samples, Source, join
from kibitz.tuning.selfplay import Plan

HELD_OUT = 5  # every fifth game is held out
ROWS_A_WEIGHT = 20  # positions needed for each number to be found
FINER = 60  # halvings of the interval in which the scale is looked for
ZERO, PRESENT = "zero", "present"  # where the ridge pulls weights to
RANGES: dict[str, tuple[float, float]] = {
    "games": (10, 10**8),
    "depth": (1, 64),
    "seed": (0, 2**31 - 1),
    "opening": (0, 256),
    "variety": (0.0, 1.0),
    "ridge": (0.0, 1e9),
    "every": (1, 10**6),
    "fade": (0.0, 1.0),
}
PLAYED, RECORDED = 3, 1  # plies looked ahead in self-play, and from positions of recorded games


@dataclass(frozen=True)
class Quality:
    """How well weights predict the results of games that were held out."""

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
    depth: int | None = None,
    seed: int = 0,
    opening: int = 10,
    variety: float = 0.1,
    ridge: float = 1.0,
    towards: str = ZERO,
    fade: float = 1.0,
    quiescence: int = 0,
    unit: str = "",
    recorded: Sequence[str | Path] = (),
    every: int = 1,
    jobs: int = 1,
    out: str | Path | None = None,
    watch: Callable[[int], None] | None = None,
) -> Fitted:
    """Play `games` games to `depth` plies, and noisy moves `quiescence` plies further, and fit the weights to them; `out` is the file to write.

    `recorded` are files of games to use instead of playing any: every Nth position after `opening` moves, N being `every`. `unit` names a feature that is to be
    worth 1, halfway between opening and ending. With `fade` below 1 a position learns less from the result of its game than from what the present weights
    say of the positions after it: each counts `fade` times as much as the one before it, and the result comes last (TD(lambda)). `ridge` positions pull the weights `towards` zero, each in units of how much its feature varies; or
    towards the present ones, each in its own units. Positions are kept on disk: the same call goes on where another one was stopped. `watch` is told
    how many games there are. Ctrl-C ends the playing, and the weights are fitted to what there is.
    """
    selfplay.check(game)
    if towards not in (ZERO, PRESENT):
        raise InputError(f"towards={towards}: must be {ZERO} or {PRESENT}")
    depths = {} if depth is None else {"depth": depth}
    _check(games=games, **depths, seed=seed, opening=opening, variety=variety, ridge=ridge, every=every, fade=fade)
    if unit and unit not in game.constants["FEATURES"]:
        raise InputError(f"unit={unit}: {nearest(unit, game.constants['FEATURES'], 'features')}")
    began = time.perf_counter()
    source: Source = Plan(game, depth or PLAYED, seed, opening, variety, quiescence)
    if recorded:
        source = Records(game, tuple(str(file) for file in recorded), depth or RECORDED, opening, every, quiescence)
    sample, played, interrupted = _collect(source, games, jobs, watch)
    found, before, after = _fit_weights(game, sample, ridge, towards, fade)
    found = _rescale(found, game.constants["FEATURES"], unit) if unit else found
    result = Fitted(game, found, before, after, played, len(sample.games), interrupted, time.perf_counter() - began)
    if out is not None:
        told = {"ridge": (ridge, None), "towards": (towards, ZERO), "fade": (fade, 1.0), "unit": (unit, "")}
        how = {**source.as_dict(), **{name: value for name, (value, usual) in told.items() if value != usual}}
        _write(Path(out), result, {**how, "present": game.constants["WEIGHTS"]})
    return result


def _collect(source: Source, games: int, jobs: int, watch: Callable[[int], None] | None) -> tuple[Sample, int, bool]:
    """All positions, the number of games, and whether Ctrl-C came before all were there."""
    store, tasks = Samples(source.place), source.tasks(games)
    known, interrupted = store.read(len(tasks)), False
    missing = [batch for batch in range(len(tasks)) if batch not in known]
    tell = watch or (lambda _: None)
    tell(_games(tasks, known, games))
    if missing:
        try:
            source.sample(tasks[missing[0]][:1])  # compiles, before there are processes that would all do it
            for number, sample in spread(source.sample, [tasks[batch] for batch in missing], jobs):
                store.add(missing[number], sample)
                known[missing[number]] = sample
                tell(_games(tasks, known, games))
        except KeyboardInterrupt:
            interrupted = True
    if not known:
        raise KeyboardInterrupt
    return join([known[batch] for batch in sorted(known)]).of_first(games), _games(tasks, known, games), interrupted


def _games(tasks: Sequence[Sequence[Any]], known: Iterable[int], most: int) -> int:
    """How many games are known; whole batches are kept, of the last one only as many games are used as were asked for."""
    return sum(min(len(tasks[batch]), most - batch * BATCH) for batch in known)


def _fit_weights(game: Game, sample: Sample, ridge: float, towards: str, fade: float) -> tuple[weights.Weights, Quality, Quality]:
    tapers = game.defines("phase")
    rows, results = _rows(sample, tapers), _results(game, sample)
    if len(rows) < ROWS_A_WEIGHT * rows.shape[1] or len(np.unique(results)) < 2:
        raise InputError(f"{len(rows)} positions are too few to fit {rows.shape[1]} weights to; play more games")
    held = sample.games % HELD_OUT == HELD_OUT - 1
    known = np.concatenate([np.asarray(row) for row in weights.rows_of(game.constants["WEIGHTS"])])
    factor = best_factor(rows[~held] @ known, results[~held])  # the scale of the old weights should not count against them
    aims = fade_results(factor * (rows @ known), results, sample.games, fade) if fade < 1.0 else results
    log_odds = logistic(rows[~held], aims[~held], ridge, factor * known if towards == PRESENT else None)
    before, after = (_quality(rows[held] @ w, results[held]) for w in (factor * known, log_odds))
    low, high = game.constants["VALUES"]
    if towards == PRESENT and factor > 0:
        scaled = log_odds / factor
    else:
        scaled = log_odds * _scale(rows[~held] @ log_odds, sample.utilities[~held] - 0.5 * (low + high), 0.5 * (high - low))
    n = len(game.constants["FEATURES"])
    parts = (tuple(scaled[:n].tolist()), tuple(scaled[n:].tolist()))
    return weights.rounded(parts if tapers else parts[0]), before, after


def fade_results(sums: Any, results: Any, games: Any, fade: float) -> Any:
    """The target of each position: the chances that `sums` give to later positions of its game, with falling weights, then the result."""
    if not np.any(sums):
        raise InputError(f"fade={fade}: the present weights predict nothing that could be learned from; use fade=1, the results alone")
    said, aims = chances(sums), np.array(results, np.float64)
    for i in range(len(said) - 2, -1, -1):
        if games[i] == games[i + 1]:
            aims[i] = (1.0 - fade) * said[i + 1] + fade * aims[i + 1]
    return aims


def _rescale(found: weights.Weights, names: tuple[str, ...], unit: str) -> weights.Weights:
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
    return outcomes.score(sample.utilities, game.constants["VALUES"])


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


def _check(**given: float) -> None:
    """Refuse numbers out of range."""
    for name, value in given.items():
        low, high = RANGES[name]
        if not low <= value <= high:
            raise InputError(f"{name}={value}: must be from {low} to {high}")
