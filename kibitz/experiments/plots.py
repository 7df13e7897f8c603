"""Panels, legends and error bars for plots of experiments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from kibitz.core.measuring.intervals import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


T = TypeVar("T")


def panels(figure: Figure, names: Sequence[T], columns: int = 2) -> list[tuple[Axes, T]]:
    """Axes for each name, `columns` to a row at most, on the same scale."""
    number, columns = len(names), min(len(names), columns)
    rows = -(-number // columns)
    figure.set_size_inches(8.0, 1.2 + 2.6 * rows)
    grid = figure.subplots(rows, columns, sharex=columns < 3, sharey=True, squeeze=False)
    axes = [a for row in grid for a in row]
    for unused in axes[number:]:
        unused.remove()
    for used in axes[:number]:
        used.grid(alpha=0.3, linewidth=0.5)
        used.spines[["top", "right"]].set_visible(False)
    return list(zip(axes, names, strict=False))


def label_all(figure: Figure, across: str, up: str, columns: int = 4) -> None:
    """One label for all panels' axes, and one legend, for the first panel's lines."""
    figure.supxlabel(across, fontsize=9)
    figure.supylabel(up, fontsize=9)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=columns, fontsize=8, frameon=False)


def line_with_errors(axes: Axes, xs: Sequence[Any], estimates: Sequence[Any], label: str, **style: Any) -> None:
    """Estimates with their intervals; what is no estimate is left out."""
    points = [(x, e) for x, e in zip(xs, estimates, strict=True) if isinstance(e, Estimate)]
    values = [e.value for _, e in points]
    below = [max(0.0, e.value - e.low) if e.low == e.low else 0.0 for _, e in points]
    above = [max(0.0, e.high - e.value) if e.high == e.high else 0.0 for _, e in points]
    axes.errorbar([x for x, _ in points], values, yerr=[below, above], label=label, **{"marker": "o", "markersize": 3, "capsize": 2, "linewidth": 1.2, **style})  # fmt: skip
