"""Results on the screen, during a search and at its end: a line for each depth, or a table of moves for Monte Carlo searches."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from kibitz.cli import solver_results, terminal
from kibitz.core.position.readable import three_digits
from kibitz.core.position.result import EXACT, SIGNS, Candidate, Result, effort, end, verdict

MOST_ROWS = 12
MOST_MOVES = 8  # of a line


def follow(results: Iterable[Result], quiet: bool) -> Result:
    """Show each result as it comes; return the last one."""
    header = True
    rest = iter(results)
    first = next(rest)
    if first.playouts is not None:
        return _follow_sampling(first, rest, quiet)
    if first.lower is not None:
        return solver_results.follow(itertools.chain([first], rest), quiet)
    for result in itertools.chain([first], rest):
        if not quiet:
            if header:
                terminal.console.print("depth     value        nodes    nodes/s   seconds  line", style="bold")
                header = False
            if not result.ended or result.ended in ("solved", "depth"):
                terminal.console.print(_row(result), markup=False, soft_wrap=True)
    return result


def print_answer(result: Result, json: bool) -> None:
    """Print the last result: move, value, other lines, outlooks, notes."""
    if json:
        terminal.print_json(result.as_dict())
    else:
        terminal.console.print(_answer(result), soft_wrap=True)
        if result.lower is not None:
            solver_results.print_answer(result)
        elif result.playouts is None:
            for place, c in enumerate(result.table, 1):
                told = three_digits(c.value) + (f" in {c.distance} plies" if c.distance is not None else "")
                terminal.console.print(f"{place}. {told:>12}  {' '.join(str(m) for m in c.line)}", markup=False, soft_wrap=True)
        if result.outlooks:
            terminal.console.print(_outlooks(result))
        if result.note:
            terminal.console.print(result.note)


def _answer(result: Result) -> Text:
    """The move, what it leads to in words, and what that rests on."""
    answer = Text(f"{result.move}  " if result.move is not None else "", style="bold green")
    line = f": {' '.join(str(m) for m in result.line)}" if result.line else ""
    answer.append(f"{verdict(result)}{line}\n", style="bold")
    return answer.append(f"{effort(result)}; {end(result)}", style="not bold dim")


def _row(result: Result) -> str:
    speed = terminal.rate(result.nodes / result.seconds) if result.seconds > 0.001 else ""
    value = f"{SIGNS[result.bound]}{three_digits(result.value)}"
    line = " ".join(str(m) for m in result.line)
    return f"{result.depth:>5} {value:>9} {terminal.count(result.nodes):>12} {speed:>10} {result.seconds:9.2f}  {line}"


def _outlooks(result: Result) -> Table:
    """What may come of each move, the best on average first."""
    table = Table("move", "mean", "spread", "win", "loss", box=None, header_style="bold", pad_edge=False)
    for o in sorted(result.outlooks, key=lambda o: -o.mean):
        table.add_row(str(o.move), three_digits(o.mean), f"{o.spread:.3g}", f"{o.win:.1%}", f"{o.loss:.1%}")
    return table


# --- searches that sample ---


def _follow_sampling(first: Result, rest: Iterator[Result], quiet: bool) -> Result:
    """Keep one table up to date in a terminal, print one at the end elsewhere; return the last result."""
    last = first
    if quiet or not terminal.console.is_terminal:
        for result in rest:
            last = result
        if not quiet:
            terminal.console.print(_moves(last))
    else:
        with Live(_moves(first), console=terminal.console, auto_refresh=False) as live:
            for result in rest:
                last = result
                live.update(_moves(result), refresh=True)
    return last


def _moves(result: Result) -> Group:
    """The moves, the best first, below what they rest on."""
    speed = f", {terminal.rate((result.playouts or 0) / result.seconds)}/s" if result.seconds > 0.001 else ""
    title = f"{terminal.count(result.playouts or 0)} playouts in {result.seconds:.1f} s{speed}; tree {result.depth} deep"
    made = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("move", "visits", "value", "+-", "spread", *(("r",) if _has_shares(result) else ())):
        made.add_column(name, justify="left" if name == "move" else "right", no_wrap=True)
    made.add_column("line", overflow="ellipsis", no_wrap=True)
    for i, candidate in enumerate(result.table[:MOST_ROWS]):
        made.add_row(*_cells(candidate), style="bold" if i == 0 and result.move is not None else None)
    if len(result.table) > MOST_ROWS:
        made.add_row(f"... {len(result.table) - MOST_ROWS} more")
    return Group(Text(title, style="dim"), made)


def _has_shares(result: Result) -> bool:
    """Does a policy guide the search?"""
    return bool(result.table) and result.table[0].share is not None


def _cells(c: Candidate) -> list[Text]:
    """`+-` is one standard deviation of the mean of as many playouts with this spread."""
    error = c.spread / math.sqrt(c.visits) if c.visits and c.bound != EXACT else math.nan
    value = f"{SIGNS[c.bound]}{three_digits(c.value)}" if not math.isnan(c.value) else ""
    words = [str(c.move), terminal.count(c.visits), value, _short(error), _short(c.spread)]
    words += [] if c.share is None else [f"{c.share:.1%}"]
    return [Text(word) for word in (*words, " ".join(str(m) for m in c.line[1:MOST_MOVES]))]


def _short(x: float) -> str:
    return "" if math.isnan(x) else f"{x:.2g}"
