"""What a search that samples shows: the moves with their visits, values and lines, while it works and at the end."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich.live import Live
from rich.table import Table
from rich.text import Text

from kibitz.cli import shell
from kibitz.core.position.result import EXACT, SIGNS, Candidate, Result

MOST_ROWS = 12
MOST_MOVES = 8  # of a line


def follow(first: Result, rest: Iterator[Result], quiet: bool) -> Result:
    """Keep one table up to date in a terminal, print one at the end elsewhere; return the last result."""
    last = first
    if quiet or not shell.console.is_terminal:
        for result in rest:
            last = result
        if not quiet:
            shell.console.print(table(last))
    else:
        with Live(table(first), console=shell.console, auto_refresh=False) as live:
            for result in rest:
                last = result
                live.update(table(result), refresh=True)
    return last


def table(result: Result) -> Table:
    """The moves, the best first."""
    speed = f", {shell.rate((result.playouts or 0) / result.seconds)}/s" if result.seconds > 0.001 else ""
    title = f"{shell.count(result.playouts or 0)} playouts in {result.seconds:.1f} s{speed}; tree {result.depth} deep"
    made = Table(title=title, title_justify="left", title_style="dim", box=None, header_style="bold", pad_edge=False)
    for name in ("move", "visits", "value", "+-", "spread", *(("r",) if _has_shares(result) else ())):
        made.add_column(name, justify="left" if name == "move" else "right", no_wrap=True)
    made.add_column("line", overflow="ellipsis", no_wrap=True)
    for i, candidate in enumerate(result.table[:MOST_ROWS]):
        made.add_row(*_cells(candidate), style="bold" if i == 0 and result.move is not None else None)
    if len(result.table) > MOST_ROWS:
        made.add_row(f"... {len(result.table) - MOST_ROWS} more")
    return made


def _has_shares(result: Result) -> bool:
    """Does a policy guide the search?"""
    return bool(result.table) and result.table[0].share is not None


def _cells(c: Candidate) -> list[Text]:
    """`+-` is one standard deviation of the mean of as many playouts with this spread."""
    error = c.spread / math.sqrt(c.visits) if c.visits and c.bound != EXACT else math.nan
    value = f"{SIGNS[c.bound]}{c.value:+.4g}" if not math.isnan(c.value) else ""
    words = [str(c.move), shell.count(c.visits), value, _short(error), _short(c.spread)]
    words += [] if c.share is None else [f"{c.share:.1%}"]
    return [Text(word) for word in (*words, " ".join(str(m) for m in c.line[1:MOST_MOVES]))]


def _short(x: float) -> str:
    return "" if math.isnan(x) else f"{x:.2g}"
