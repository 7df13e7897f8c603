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
    with_: Annotated[str, typer.Option("--with", metavar="PLAYER", help="The search to use; by default solver, if it fits.")] = "",
    all_: Annotated[bool, typer.Option("--all", help="Find the exact value of every move.")] = False,
    resume: options.Resume = "",
    time: options.Time = None,
    nodes: options.Nodes = None,
    threads: options.Threads = None,
    table: Annotated[
        float | None, typer.Option("--table", metavar="MB", help="Memory for the transposition table; by default 256.")
    ] = None,
    json: options.AsJson = False,
) -> None:
    """Find the exact value and a best line to the end."""
    table = 256.0 if table is None and not with_ else table
    found = solving(start, with_ or None, time=time, nodes=nodes, threads=threads, table=table, all=all_ or None, resume=resume or None)
    if not json:
        terminal.console.print(start)
    result = results.follow(found, quiet=json)
    results.print_answer(result, json)
    if not result.exact:
        if not json:
            terminal.console.print(f"not solved: the limit on {result.ended} came first")
        raise typer.Exit(1)
