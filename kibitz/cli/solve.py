"""`kibitz solve`: the exact value, and a best line to the end."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli import options, results, terminal
from kibitz.core.position.game import Position
from kibitz.players import solving


@options.with_position
def solve(
    start: Position,
    time: options.Time = None,
    nodes: options.Nodes = None,
    table: Annotated[float, typer.Option("--table", metavar="MB", help="Memory for the transposition table.")] = 256.0,
    json: options.AsJson = False,
) -> None:
    """Find the exact value and a best line to the end."""
    found = solving(start, time=time, nodes=nodes, table=table)
    if not json:
        terminal.console.print(start)
    result = results.follow(found, quiet=json)
    results.print_answer(result, json)
    if not result.exact:
        if not json:
            terminal.console.print(f"not solved: the limit on {result.ended} came first")
        raise typer.Exit(1)
