"""`kibitz experiment`: reproduce a paper's numbers, resumable, on all cores."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from kibitz.cli import options, terminal
from kibitz.core.compiling import compile_progress
from kibitz.core.errors import InputError
from kibitz.core.files import check_place, write_whole
from kibitz.core.protocol.default_text import named_values, of_parameter
from kibitz.core.running import pool
from kibitz.experiments import report
from kibitz.experiments.experiment import Experiment, names
from kibitz.experiments.experiment import experiment as find
from kibitz.experiments.runner import FINISHED, INTERRUPTED, Outcome, Progress, run_experiment

STOPPED, INCOMPLETE = 130, 1  # exit codes
BETWEEN_LINES = 10.0  # seconds, where there is no terminal for a bar


CONTEXT = {"allow_extra_args": True, "ignore_unknown_options": True}  # of the command: other options are the experiment's parameters


def experiment(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which one, or the path of a .py file; without it, list them.", show_default=False)
    ] = "",
    param: Annotated[
        list[str],
        typer.Option(
            "--param", "-p", metavar="NAME=VALUE", help="Set a parameter, as does --NAME VALUE; may be repeated.", show_default=False
        ),
    ] = [],  # noqa: B006
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, max=256, help="Processes; 0: one for each core.")] = 0,
    seconds: Annotated[
        float | None, typer.Option("--time", metavar="SECONDS", min=0.0, help="Stop after this time with what is finished.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over: forget what earlier runs found.")] = False,
    store: Annotated[Path | None, typer.Option("--store", metavar="FILE", help="Where finished work is kept.", show_default=False)] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the table as CSV.", show_default=False)] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the plot (.svg, .png, .pdf).", show_default=False)
    ] = None,
    json: options.AsJson = False,
) -> None:
    """Reproduce a paper's numbers. Stopped or killed, the same command goes on from there."""
    if not name:
        _list(json)
        return
    chosen = find(name)
    given = {**named_values(param, "--param", "trees=200"), **_read_options(context.args)}
    _check_files(chosen, csv, plot)
    with _show_progress() as watch:
        outcome = run_experiment(name, given, store=store, jobs=jobs or pool.cores(), seconds=seconds, fresh=fresh, watch=watch)
    _answer(outcome, csv, plot, json)
    if outcome.ended != FINISHED:
        raise typer.Exit(STOPPED if outcome.ended == INTERRUPTED else INCOMPLETE)


def _read_options(words: list[str]) -> dict[str, str]:
    """Parameters written as options of their own, `--trees 200` or `--trees=200`."""
    given, waiting = {}, list(words)
    while waiting:
        word = waiting.pop(0)
        key, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not key:
            raise InputError(f"'{word}' is too much; parameters are written --NAME VALUE or --param NAME=VALUE")
        if not equals:
            if not waiting:
                raise InputError(f"{word} needs a value, such as {word} 10; or there is no such option: see kibitz experiment --help")
            value = waiting.pop(0)
        given[key.replace("-", "_")] = value
    return given


def _check_files(chosen: Experiment, csv: Path | None, plot: Path | None) -> None:
    """Before any work."""
    for path in (csv, plot):
        if path is not None:
            check_place(path)
    if plot is not None:
        report.check_plot(plot)
        if chosen.plot is None:
            raise InputError("this experiment draws no plot; use --csv and draw your own")


# --- while it runs ---


@contextmanager
def _show_progress() -> Iterator[Callable[[Progress], None]]:
    """Progress as a bar in a terminal, as a line now and then elsewhere; always on the error stream."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("shards"), TimeElapsedColumn(), TextColumn("{task.fields[left]}", style="cyan"))  # fmt: skip
    with terminal.progress_bar(*columns) as bar:
        task = bar.add_task("starting", total=None, left="")
        # The bar says what is compiled: it and the usual spinner would write over each other.
        compile_progress.listen(lambda what: bar.update(task, description=f"compiling {what}" if what else "running"))
        try:
            yield lambda now: bar.update(task, description=_what_now(now), completed=now.done, total=now.total, left=time_left(now))
        finally:
            compile_progress.listen(terminal.compile_spinner)


def _what_now(now: Progress) -> str:
    return "running" if now.done > now.reused else "starting, compiling if need be"


class _Lines:
    """One line at first, then one every few seconds."""

    def __init__(self) -> None:
        self.last = -BETWEEN_LINES

    def __call__(self, now: Progress) -> None:
        if time.monotonic() - self.last >= BETWEEN_LINES and now.done < now.total:
            self.last = time.monotonic()
            left = time_left(now)
            print(f"kibitz: {now.done} of {now.total} shards done{f', {left}' if left else ''}", file=sys.stderr, flush=True)


def time_left(now: Progress) -> str:
    """The time left in words; empty while it is unknown."""
    if now.left is None or now.done == now.total:
        return ""
    seconds = round(now.left)
    if seconds < 90:
        return f"about {max(1, seconds)} s left"
    return f"about {round(seconds / 60)} min left" if seconds < 5400 else f"about {seconds / 3600:.1f} h left"


# --- afterwards ---


def _answer(outcome: Outcome, csv: Path | None, plot: Path | None, json: bool) -> None:
    if json:
        terminal.print_json(report.as_json(outcome))
    else:
        _print(outcome)
    if csv is not None:
        write_whole(csv, report.as_csv(outcome.summary))
    if plot is not None and outcome.results:
        report.plot(outcome, plot)


def _print(outcome: Outcome) -> None:
    terminal.console.print(f"[bold cyan]{outcome.name}[/]: {outcome.experiment.claim}", soft_wrap=True)
    terminal.console.print(_table(outcome), crop=False)
    for note in outcome.summary.notes:
        terminal.console.print(note, markup=False, soft_wrap=True)
    terminal.console.print(_ending(outcome), style="dim", soft_wrap=True)


def _table(outcome: Outcome) -> Table:
    rows = outcome.summary.rows
    shown = outcome.summary.shown or (tuple(rows[0]) if rows else ())
    table, total = Table(box=None, header_style="bold", pad_edge=False), 0
    for column in shown:
        words = any(isinstance(row[column], str) for row in rows)
        width = max(len(text) for text in (*(report.as_text(row[column]) for row in rows), *column.split()))
        heading = textwrap.fill(column, width, break_on_hyphens=False)
        table.add_column(heading, justify="left" if words else "right", no_wrap=True)
        total += width + 2
    table.width = max(1, total - 2)  # whatever the terminal's: rather a line too long than a figure cut short
    for i, row in enumerate(rows):
        group = row[shown[0]]
        if i > 0 and isinstance(group, str) and group != rows[i - 1][shown[0]]:
            table.add_row()
        table.add_row(*(escape(report.as_text(row[column])) for column in shown))
    return table


def _ending(outcome: Outcome) -> str:
    now, again = outcome.progress, "the same command goes on from here"
    earlier = f", {now.reused} of them by earlier runs" if now.reused else ""
    done = f"{now.done} shards{earlier}, {outcome.seconds:.1f} s; ± is half a 95% interval, [low, high] a whole one"
    if not outcome.missing:
        return done
    reason = "stopped" if outcome.ended == INTERRUPTED else "out of time"
    return f"{reason}: {outcome.missing} of {now.total} shards are missing; {again}\n{done}"


def _list(json: bool) -> None:
    known = {name: find(name) for name in names()}
    if json:
        terminal.print_json({"experiments": [_describe(name, e) for name, e in known.items()]})
        return
    for name, chosen in known.items():
        terminal.console.print(f"[bold cyan]{name}[/]: {chosen.about}. {chosen.claim}", soft_wrap=True)
        terminal.console.print(terminal.table_of("parameter", chosen.parameters))


def _describe(name: str, chosen: Experiment) -> dict[str, Any]:
    parameters = [{"name": p.name, "default": of_parameter(p.default), "range": p.range, "about": p.about} for p in chosen.parameters]
    return {"experiment": name, "about": chosen.about, "claim": chosen.claim, "parameters": parameters}
