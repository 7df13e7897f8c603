"""How much do the parameters of PUCT and ESPRIT matter on simulated game trees (Jones 2021, sections 2.2.3 and 4.2)? One is varied at a time.

The trees and the other settings are those of the experiment `esprit`; every value of a parameter is tried on the same trees.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.esprit import C0, ESPRIT, PUCT, TESTS, choices, planted, searching, steps, truths
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, listed
from kibitz.experiments.statistics import Estimate, mean, share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SWEPT: dict[str, tuple[float, ...]] = {
    "c0": (0.25, 0.32, 0.4, 0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.4, 8.0, 10.0, 12.5, 16.0),
    "alpha": (0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0),
    "lam": (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0),
    "gamma": (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0),
    "sigma": (0.01, 0.02, 0.035, 0.05, 0.07, 0.1, 0.14, 0.2, 0.4),
}
CHOSEN = {"alpha": 0.5, "lam": 1.0, "gamma": 3.0, "sigma": 0.07}  # by the paper; c0 depends on the test
AT_ONCE = 1 << 19  # playouts in a shard


def shards(settings: Settings) -> list[Shard]:
    """For each value of each parameter, some trees at a time."""
    test, playouts = settings["test"], settings["playouts"]
    size = max(1, min(100, AT_ONCE // playouts))
    return [
        Shard(
            {"test": test, "playouts": playouts, "name": name, "value": value, "first": first, "count": count},
            count * (0.01 + playouts * (2e-5 if test == "B" else 5e-6)),
        )
        for name in listed(settings["sweeps"], tuple(SWEPT), "parameter")
        for value in SWEPT[name]
        for first in range(0, settings["trees"], size)
        if (count := min(size, settings["trees"] - first))
    ]


def run(inputs: Inputs) -> list[float]:
    """The regret at the last number of playouts, tree by tree."""
    found = []
    for number in range(inputs["first"], inputs["first"] + inputs["count"]):
        tree = planted(inputs["test"], number)
        true = truths(tree)
        search = searching(tree, PUCT if inputs["name"] == "c0" else ESPRIT, inputs["playouts"], {inputs["name"]: inputs["value"]})
        found.append(true[choices(search, inputs["playouts"])[-1]] - min(true.values()))
    return found


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each value."""
    cells: dict[tuple[str, float], list[float]] = {}
    for inputs, regrets in results:
        cells.setdefault((inputs["name"], inputs["value"]), []).extend(regrets)
    rows = [row(settings, *cell, regrets) for cell, regrets in cells.items()]
    return Summary(rows, tuple(notes(settings, rows)))


def row(settings: Settings, name: str, value: float, regrets: list[float]) -> Row:
    return {
        "parameter": name,
        "value": value,
        "search": PUCT if name == "c0" else ESPRIT,
        "trees": len(regrets),
        "playouts": steps(settings["playouts"])[-1],
        "regret": mean(regrets).scaled(1000.0),
        "right %": share(regrets.count(0.0), len(regrets)).scaled(100.0),
        "paper": "chosen" if value == chosen(settings["test"], name) else None,
    }


def chosen(test: str, name: str) -> float:
    return C0[test] if name == "c0" else CHOSEN[name]


def notes(settings: Settings, rows: list[Row]) -> list[str]:
    """The best value of each parameter beside the paper's."""
    said = ["regrets are times 1000; intervals are of trees drawn anew, and all values were tried on the same trees"]
    for name in dict.fromkeys(str(r["parameter"]) for r in rows):
        known = {r["value"]: r["regret"] for r in rows if r["parameter"] == name and isinstance(r["regret"], Estimate)}
        values = {v: e.value for v, e in known.items() if isinstance(e, Estimate)}
        best = min(values, key=lambda v: values[v])
        said.append(f"{name}: lowest regret {values[best]:.2f} at {best:g}; the paper chose {chosen(settings['test'], name):g}")
        if name == "c0":
            moves = TESTS[settings["test"]]["m_mean"]
            said.append(
                f"sqrt(moves) / 2, which the paper finds to be about the best c0, is {0.5 * math.sqrt(sum(moves) / len(moves)):.1f} here"
            )
    return said


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """Regret by value, a panel for each parameter."""
    from kibitz.experiments.drawing import label_all, line_with_errors, panels

    rows = summarise(settings, results).rows
    names = listed(settings["sweeps"], tuple(SWEPT), "parameter")
    for axes, name in zip(panels(figure, len(names), 3), names, strict=True):
        some = [r for r in rows if r["parameter"] == name]
        xs: list[Any] = [r["value"] for r in some]
        line_with_errors(axes, xs, [r["regret"] for r in some], "mean regret, times 1000", color="black")
        axes.axvline(chosen(settings["test"], name), color="grey", linestyle=":", label="the paper's choice")
        axes.set_xscale("linear" if name == "alpha" else "log")
        axes.set_title(f"{PUCT if name == 'c0' else ESPRIT}: {name}")
    label_all(figure, "value", "mean regret, times 1000")


EXPERIMENT = Experiment(
    about="the parameters of PUCT and ESPRIT on simulated game trees",
    claim="c0 = 2.5, 6.4, 0.4 are good for tests A, B, C, about sqrt(moves) / 2; alpha = 0.5, lambda = 1, gamma = 3, sigma = 0.07 for A (Jones 2021)",
    parameters=(
        Parameter("test", "A", None, None, tuple(TESTS), "of the paper"),
        Parameter("trees", 100, 2, 10**6, None, "for each value"),
        Parameter("playouts", 1 << 12, 1, 1 << 20, None, "on each tree, down to a power of two; the paper has 65536"),
        Parameter("sweeps", ",".join(SWEPT), None, None, None, f"any of {', '.join(SWEPT)}"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    plot=plot,
    games=("simulated",),
    searches=("esprit", "puct"),
    pace=1.0,
)  # fmt: skip
