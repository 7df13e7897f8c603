"""The first Monte Carlo computation of every course: points thrown at a unit square; those in the quarter circle, times four, over all of them are about pi.

A throw hits with probability pi / 4, so the estimate from n throws scatters by sqrt(pi (4 - pi) / n) around pi: four times the throws, half the error. The same law
rules the playouts of every Monte Carlo search, and the +- of its table of moves.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.core.protocol.parameters import Parameter
from kibitz.core.records.hashing import STEP, combine, mix
from kibitz.core.records.random import TO_UNIT
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary
from kibitz.experiments.statistics import CONFIDENCE, mean, share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHARD = 2_000_000  # throws
PIECE = 1 << 18  # throws at a time, for memory
DEVIATIONS = 1.96  # that 95 of 100 estimates stay within
SPREAD = math.sqrt(math.pi * (4 - math.pi))  # of an estimate from one throw
DRAWN = 1000  # throws in the picture


def shards(settings: Settings) -> list[Shard]:
    """For each number of throws, some runs at a time."""
    return [
        Shard({"throws": n, "first": first, "count": min(most, settings["runs"] - first)}, 1e-7 * n * min(most, settings["runs"] - first))
        for n in settings["throws"]
        for most in (max(1, SHARD // n),)
        for first in range(0, settings["runs"], most)
    ]


def run(inputs: Inputs) -> dict[str, Any]:
    """How many throws of each run hit; a run's number is its seed."""
    return {"hits": [hits(number, inputs["throws"]) for number in range(inputs["first"], inputs["first"] + inputs["count"])]}


def hits(seed: int, throws: int) -> int:
    """How many of the first throws are in the quarter circle."""
    found = 0
    for first in range(0, throws, PIECE):
        x, y = thrown(seed, first, min(PIECE, throws - first))
        found += int(np.count_nonzero(x * x + y * y < 1.0))
    return found


def thrown(seed: int, first: int, count: int) -> tuple[Any, Any]:
    """Throws `first`, `first` + 1, ... of a run: two numbers from 0 to 1 each, the ones that the generator in kibitz/core/records/random.py would draw one by one."""
    with np.errstate(over="ignore"):  # uint64 arithmetic wraps on purpose
        start = combine(combine(np.uint64(0), np.uint64(seed)), np.uint64(0))
        words: Any = start + STEP * np.arange(2 * first + 1, 2 * (first + count) + 1, dtype=np.uint64)
        numbers: Any = (mix(words) >> np.uint64(11)).astype(np.float64) * TO_UNIT
    return numbers[0::2], numbers[1::2]


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:  # noqa: ARG001
    """A row for each number of throws."""
    cells: dict[int, list[float]] = {}
    for inputs, result in results:
        cells.setdefault(inputs["throws"], []).extend(4 * found / inputs["throws"] for found in result["hits"])
    rows = [row(n, estimates) for n, estimates in cells.items()]
    return Summary(rows, (f"pi = {math.pi:.6f}; an estimate from n throws scatters by {SPREAD:.3f} / sqrt(n)",))


def row(throws: int, estimates: list[float]) -> Row:
    errors = [e - math.pi for e in estimates]
    expected = SPREAD / math.sqrt(throws)
    return {
        "throws": throws,
        "runs": len(errors),
        "the first run": estimates[0],
        "mean of all": mean(estimates),
        "error": math.sqrt(sum(e * e for e in errors) / len(errors)),
        "expected error": expected,
        f"within {DEVIATIONS} of it %": share(sum(abs(e) <= DEVIATIONS * expected for e in errors), len(errors)).scaled(100.0),
    }


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """The first throws of the first run; and the error by the number of throws."""
    rows: list[Any] = summarise(settings, results).rows
    figure.set_size_inches(8.0, 3.8)
    picture, errors = figure.subplots(1, 2)
    x, y = thrown(0, 0, DRAWN)
    inside = x * x + y * y < 1.0
    picture.scatter(x[inside], y[inside], s=3, color="C0")
    picture.scatter(x[~inside], y[~inside], s=3, color="C3")
    angle = np.linspace(0, math.pi / 2, 100)
    picture.plot(np.cos(angle), np.sin(angle), color="#333", linewidth=1)
    picture.set(aspect="equal", xlim=(0, 1), ylim=(0, 1), title=f"{inside.sum()} of {DRAWN}: {4 * inside.mean():.3f}")
    sizes = [r["throws"] for r in rows]
    errors.plot(sizes, [r["error"] for r in rows], "o", markersize=4, label="measured")
    errors.plot(sizes, [r["expected error"] for r in rows], "--", color="C3", label=f"{SPREAD:.3f} / √n")
    errors.set(xscale="log", yscale="log", xlabel="throws, n", title=f"error of the estimate, {settings['runs']} runs")
    errors.grid(alpha=0.3, linewidth=0.5)
    errors.legend(frameon=False, fontsize=8)


EXPERIMENT = Experiment(
    about="pi from points thrown at a quarter circle: how the error of Monte Carlo falls",
    claim=f"the error of n throws is sqrt(pi (4 - pi) / n); {100 * CONFIDENCE:g} of 100 estimates are within {DEVIATIONS} times that",
    parameters=(
        Parameter("runs", 200, 2, 10**6, None, "independent ones for each number of throws"),
        Parameter("throws", (10, 100, 1000, 10_000, 100_000, 1_000_000), 1, 10**10, None, "of a run"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    plot=plot,
)
