"""Approximate probes: stop searching a chance node when its value probably lies outside the window, with a confidence that the user chooses.

    some       its first outcomes, the heavier ones first and equals in random order, are searched as usual; from the third on their mean and spread tell
               how far off the mean of all may be (as for a sample without replacement; Student's correction for small samples)
    look       every outcome is searched a few plies deep first, none: evaluated at once; the mean of that is an estimate
    playouts   number of random games from every outcome whose mean is the estimate

How wrong an estimate may be is what the user says (`error`, a standard deviation), or is learned on the way: wherever such a node is searched in full, estimate
and value are compared, separately for each depth, and nothing is cut before ENOUGH of these comparisons. The confidence is that of one cut, not of the
answer: results of such a search are estimates, never exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.measuring.random_games import random_game
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import OVER
from kibitz.core.records import random
from kibitz.core.records.random import Rng
from kibitz.core.records.record import record
from kibitz.searches import scale
from kibitz.searches.chance import expectation
from kibitz.searches.chance.expectation import OPEN

NONE, SOME, LOOK, PLAYOUTS = "none", "some", "look", "playouts"
ENOUGH = 30  # comparisons
DEPTHS = 64  # told apart
FEWEST = 3  # outcomes that make a sample

OPTIONS = (
    Parameter(
        "approximate",
        NONE,
        None,
        None,
        (NONE, SOME, LOOK, PLAYOUTS),
        "cut off chance nodes by an estimate: from some outcomes, a shallow search of all, or playouts",
    ),
    Parameter("confidence", 0.95, 0.5, 0.999999, None, "approximate: confidence of each such cutoff"),
    Parameter("error", 0.0, 0.0, 1e9, None, "approximate: standard deviation of the estimate's error; 0: learned during the search"),
    Parameter("plies", 0, 0, 64, None, "approximate=look: plies of the shallow search; 0: evaluate"),
    Parameter("games", 8, 1, 10**6, None, "approximate=playouts: random games from each outcome"),
)

Errors = record(count=np.int64, squares=np.float64)


def fields(constants: dict[str, Any]) -> dict[str, Any]:
    """What the workspace holds for it."""
    return {
        "sure": np.float64,  # standard deviations that make the confidence
        "error": np.float64,
        "plies": np.int64,
        "games": np.int64,
        "errors": (Errors, DEPTHS),
        "rng": Rng,
        "choices": (constants["MOVE"], max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])),
        "played": constants["State"],
    }


# --- kernels; each does nothing where its way of approximating is not chosen ---


def after_a_look(w: Any, ply: int, depth: int, cut: int, estimate: float, alpha: float, beta: float) -> int:
    """What is believed of the chance node at `ply` before any outcome is searched."""
    if (options.GLANCE or options.PLAYOUTS) and cut == OPEN and not np.isnan(estimate):
        return believed(w, ply, estimate, reach_of_error(w, depth), alpha, beta)
    return cut


def after_some(w: Any, ply: int, cut: int, alpha: float, beta: float) -> int:
    """What is believed after some were."""
    if options.SOME and cut == OPEN:
        mean, off = by_sample(w, ply)
        return believed(w, ply, mean, off, alpha, beta)
    return cut


def after_all(w: Any, depth: int, cut: int, estimate: float, value: float) -> None:
    """The value of a node of which there was an estimate: what to think of the next one."""
    if (options.GLANCE or options.PLAYOUTS) and cut == OPEN and not np.isnan(estimate):
        e = w.errors[min(depth, DEPTHS - 1)]
        e.count += 1
        e.squares += (value - estimate) * (value - estimate)


def by_playouts(w: Any, ply: int, view: int) -> float:
    """The mean of random games from the outcomes of the chance node at `ply`."""
    f, total = w.forks[ply], 0.0
    for i in range(f.count):
        o = w.outcomes[ply, i]
        worth = 0.0
        for _ in range(w.games):
            if w.control.nodes >= w.control.limit:
                return np.nan
            w.played = w.states[ply]
            game.play(w.played, o.move)
            random_game(w, w.played, w.rng)
            worth += game.utility(w.played, 0) if game.player(w.played) == OVER else game.evaluate(w.played, 0)
        total += expectation.weighted(o, worth / w.games)
    return scale.turned(expectation.mean(f, total), 0, view)


def by_sample(w: Any, ply: int) -> tuple[float, float]:
    """The mean of the outcomes known so far, and how far off the mean of all may be; nothing certain of fewer than three."""
    f, seen, mean, square, n = w.forks[ply], 0.0, 0.0, 0.0, 0
    for i in range(f.count):
        o = w.outcomes[ply, i]
        if o.low == o.high:
            seen += expectation.weighted(o, 1.0)
            mean += expectation.weighted(o, o.low)
            square += expectation.weighted(o, o.low * o.low)
            n += 1
    if n < FEWEST:
        return 0.0, np.inf
    mean /= seen
    spread = np.sqrt(max(0.0, square / seen - mean * mean) * n / (n - 1))
    sure = w.sure * (1.0 + (w.sure * w.sure + 1.0) / (4.0 * (n - 1)))  # Student's quantile, nearly
    return mean, sure * spread * np.sqrt(max(0.0, 1.0 - seen / f.total) / n)


def reach_of_error(w: Any, depth: int) -> float:
    """How far off an estimate may be at this depth; anything as long as nobody knows."""
    if w.error > 0.0:
        return w.sure * w.error
    e = w.errors[min(depth, DEPTHS - 1)]
    return w.sure * np.sqrt(e.squares / e.count) if e.count >= ENOUGH else np.inf


def believed(w: Any, ply: int, estimate: float, off: float, alpha: float, beta: float) -> int:
    """Does the mean lie outside the window if it is no farther from the estimate than `off`? Then the bounds become what is believed."""
    f = w.forks[ply]
    low, high = f.low, f.high
    f.low = max(low, f.total * (estimate - off))
    f.high = min(high, f.total * (estimate + off))
    cut = expectation.verdict(f, alpha, beta)
    if cut == OPEN:
        f.low, f.high = low, high
    else:
        w.horizons += 1  # nothing final
    return cut


# --- shell ---


def begin(w: Any, settings: Mapping[str, Any]) -> None:
    """Write what the user asked for into the workspace."""
    w.sure, w.error = deviations(settings["confidence"]), settings["error"]
    w.plies, w.games = settings["plies"], settings["games"]
    with np.errstate(over="ignore"):  # uint64 arithmetic wraps on purpose
        random.seed(w.rng, settings["seed"], 0)


def deviations(confidence: float) -> float:
    """How many standard deviations on one side make this confidence."""
    return NormalDist().inv_cdf(confidence)


def note(kind: str, confidence: float) -> str:
    """For the result."""
    what = {SOME: "some of their outcomes", LOOK: "a look at their outcomes", PLAYOUTS: "random games"}[kind]
    return f"approximate: chance nodes may be left after {what}, at a confidence of {100 * confidence:g}% each"
