"""An experiment's outcome for people and programs: words, CSV, JSON, a plot."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.files import write_whole
from kibitz.core.measuring.intervals import Estimate
from kibitz.core.position.readable import count
from kibitz.core.protocol.default_text import of_parameter
from kibitz.experiments.experiment import Row, Summary
from kibitz.experiments.runner import Outcome

FORMATS = (".svg", ".png", ".pdf")


def as_text(value: Any) -> str:
    """A cell of the table on the screen."""
    if value is None:
        return ""
    if isinstance(value, Estimate):
        return _shorten(value)
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 10_000 else count(value)
    return count(value) if isinstance(value, int) else str(value)


def _shorten(estimate: Estimate) -> str:
    """Large numbers in thousands or millions."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(estimate.value) >= 10 * size:
            return f"{estimate.scaled(1 / size)} {letter}"
    return str(estimate)


def as_json(outcome: Outcome) -> dict[str, Any]:
    """The whole outcome; an estimate is an object with value, low and high."""
    return {
        "experiment": outcome.name,
        "claim": outcome.experiment.claim,
        "parameters": {name: of_parameter(value) for name, value in outcome.settings.items()},
        "shards": outcome.progress.total,
        "missing": outcome.missing,
        "ended": outcome.ended,
        "rows": [{name: _plain(value) for name, value in row.items()} for row in outcome.summary.rows],
        "notes": list(outcome.summary.notes),
    }


def as_csv(summary: Summary) -> str:
    """A line of names, then a line for each row; an estimate takes three columns: NAME, NAME low, NAME high."""
    if not summary.rows:
        return ""
    estimates = {name for row in summary.rows for name, value in row.items() if isinstance(value, Estimate)}
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(
        [column for name in summary.rows[0] for column in ([name, f"{name} low", f"{name} high"] if name in estimates else [name])]
    )
    lines.writerows(list(_cells(row, estimates)) for row in summary.rows)
    return text.getvalue()


def _cells(row: Row, estimates: set[str]) -> Iterator[Any]:
    for name, value in row.items():
        if name not in estimates:
            yield value
        else:
            yield from (None if v is None else _plain(v) for v in (value if isinstance(value, Estimate) else (None, None, None)))


def _plain(value: Any) -> Any:
    """What JSON can hold."""
    if isinstance(value, Estimate):
        return {"value": _plain(value.value), "low": _plain(value.low), "high": _plain(value.high)}
    return None if isinstance(value, float) and not math.isfinite(value) else value


# --- plots ---


def check_plot(path: Path) -> None:
    """Before hours of work: can a plot be drawn, and into such a file?"""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"cannot plot into {path}: the name must end with {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise InputError("plots need matplotlib; install it with: pip install matplotlib") from None


def plot(outcome: Outcome, path: Path) -> None:
    """Draw the outcome into a file."""
    check_plot(path)
    if outcome.experiment.plot is None:
        raise InputError(f"experiment {outcome.name} draws no plot; use --csv and draw your own")
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(
        {"svg.hashsalt": outcome.name, "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 10}
    ):  # the same plot is the same file
        figure = Figure(layout="constrained")
        outcome.experiment.plot(figure, outcome.settings, outcome.results)
        drawn = io.BytesIO()
        kind = path.suffix.lower()[1:]
        figure.savefig(drawn, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
    write_whole(path, drawn.getvalue())
