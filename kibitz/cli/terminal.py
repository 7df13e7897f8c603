"""Output of the commands: text for people, JSON for programs, and progress on the error stream of a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TimeRemainingColumn
from rich.status import Status
from rich.table import Table

from kibitz.core.compiling import compile_progress
from kibitz.core.position.readable import count as count  # for whoever prints
from kibitz.core.protocol.default_text import of_parameter
from kibitz.core.protocol.parameters import Parameter

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def print_json(answer: dict[str, Any]) -> None:
    """Print one JSON object on one line."""
    print(json.dumps(answer, ensure_ascii=False))


def rate(number: float) -> str:
    """A speed in few characters: 950, 12k, 3.4M."""
    return f"{number / 1e6:.1f}M" if number >= 1e6 else f"{number / 1e3:.0f}k" if number >= 1e4 else f"{number:.0f}"


def table_of(kind: str, parameters: Iterable[Parameter]) -> Table:
    """Parameters or options, a row each, indented."""
    table = Table(kind, "default", "what it may be", "what it is", box=None, header_style="dim", pad_edge=True)
    for p in parameters:
        table.add_row(f"  {p.name}", of_parameter(p.default), p.range, p.about)
    return table


_spinner: Status | None = None


def compile_spinner(what: str | None) -> None:
    """Show what is being compiled: a spinner in a terminal, one line elsewhere; always on the error stream."""
    global _spinner
    if _spinner is not None:
        _spinner.stop()
        _spinner = None
    if what is not None:
        if sys.stderr.isatty():
            _spinner = errors.status(f"compiling {what}{compile_progress.how_often()}")
            _spinner.start()
        else:
            print(f"kibitz: compiling {what}{compile_progress.how_often()}", file=sys.stderr)


def print_warning(text: str) -> None:
    """Print one line on the error stream."""
    print(f"kibitz: {text}", file=sys.stderr)


def progress_bar(*columns: str | ProgressColumn) -> Progress:
    """A bar on the error stream of a terminal, gone afterwards. Without columns of its own: what is done, N of M, time left."""
    usual = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*(columns or usual), console=errors, transient=True, disable=not errors.is_terminal)
