"""The display of a running solve, and of the values of all moves: the closing interval, the exact values."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

from kibitz.cli import terminal
from kibitz.core.position.readable import three_digits
from kibitz.core.position.result import Result


def follow(results: Iterable[Result], quiet: bool) -> Result:
    """Print one line for each answer; return the last result."""
    shown = ""
    for result in results:
        if not quiet and not result.ended and result.note != shown:
            if not shown:
                terminal.console.print("       nodes    nodes/s   seconds  what is known", style="bold")
            speed = terminal.rate(result.nodes / result.seconds) if result.seconds > 0.001 else ""
            move = f"  {result.move}" if result.value == result.lower else ""
            terminal.console.print(
                f"{terminal.count(result.nodes):>12} {speed:>10} {result.seconds:9.2f}  {result.note}{move}", markup=False
            )
            shown = result.note
    return result


def print_answer(result: Result) -> None:
    """Print every move, where they were asked for."""
    if not result.table:
        return
    table = Table("move", box=None, header_style="bold", pad_edge=False)
    for name in ("value", "plies"):
        table.add_column(name, justify="right")
    table.add_column("line")
    for c in result.table:
        table.add_row(str(c.move), three_digits(c.value), "" if c.distance is None else str(c.distance), " ".join(str(m) for m in c.line))
    terminal.console.print(table)
