"""Commands that search: the best move, the exact value, what searches there are."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from kibitz.cli import shell
from kibitz.core.result import SIGNS, Result
from kibitz.core.text import of_parameter
from kibitz.players import Player, player, solving
from kibitz.searches.method import LIMITS, method, names

With = Annotated[str, typer.Option("--with", metavar="PLAYER", help='A search with its options, such as "alphabeta(depth=8, table=64)".')]
Time = Annotated[float | None, typer.Option("--time", metavar="SECONDS", help="Stop after this time.")]
Depth = Annotated[int | None, typer.Option("--depth", metavar="PLIES", help="Search this deep.")]
Nodes = Annotated[int | None, typer.Option("--nodes", metavar="N", help="Visit this many positions.")]


def search(
    game: shell.GameName,
    position: shell.Board = "",
    moves: shell.Moves = "",
    with_: With = "alphabeta",
    time: Time = None,
    depth: Depth = None,
    nodes: Nodes = None,
    param: shell.Parameters = [],  # noqa: B006
    json: shell.AsJson = False,
) -> None:
    """Find the best move; without a limit, in two seconds."""
    chosen = shell.game_of(game, param)
    engine = player(with_, time=time, depth=depth, nodes=nodes)
    p = shell.position_of(chosen, position, moves)
    results = engine.analyse(p)
    if not json:
        shell.console.print(p)
    result = follow(results, quiet=json)
    answer(result, json)


def solve(
    game: shell.GameName,
    position: shell.Board = "",
    moves: shell.Moves = "",
    time: Time = None,
    nodes: Nodes = None,
    table: Annotated[float, typer.Option("--table", metavar="MB", help="Memory for the transposition table.")] = 256.0,
    param: shell.Parameters = [],  # noqa: B006
    json: shell.AsJson = False,
) -> None:
    """Find the exact value and a best line to the end."""
    chosen = shell.game_of(game, param)
    p = shell.position_of(chosen, position, moves)
    results = solving(p, time=time, nodes=nodes, table=table)
    if not json:
        shell.console.print(p)
    result = follow(results, quiet=json)
    answer(result, json)
    if not result.exact:
        if not json:
            shell.console.print(f"not solved: the limit on {result.ended} came first")
        raise typer.Exit(1)


def follow(results: Any, quiet: bool) -> Result:
    """Show each result as it comes; return the last."""
    header = True
    for result in results:
        if not quiet:
            if header:
                shell.console.print("depth     value        nodes    nodes/s   seconds  line", style="bold")
                header = False
            if not result.ended or result.ended in ("solved", "depth"):
                shell.console.print(_row(result), markup=False, soft_wrap=True)
    return result  # type: ignore[no-any-return]


def answer(result: Result, json: bool) -> None:
    """The last word."""
    if json:
        shell.print_json(result.as_dict())
    else:
        ending = f" in {result.distance} plies" if result.distance is not None else ""
        shell.console.print(
            f"[bold green]{result.move}[/]  value {SIGNS[result.bound]} {result.value:+.6g}{ending} ({result.bound}; {result.ended})"
        )


def _row(result: Result) -> str:
    speed = shell.rate(result.nodes / result.seconds) if result.seconds > 0.001 else ""
    value = f"{SIGNS[result.bound]}{result.value:+.6g}"
    line = " ".join(str(m) for m in result.line)
    return f"{result.depth:>5} {value:>9} {shell.count(result.nodes):>12} {speed:>10} {result.seconds:9.2f}  {line}"


def searches(json: shell.AsJson = False) -> None:
    """List the searches with their options."""
    known = [method(name) for name in names()]
    if json:
        shell.print_json({"searches": [_described(Player(m, m.settings({}))) for m in known]})
        return
    for m in known:
        shell.console.print(f"[bold cyan]{m.name}[/]: {m.about}")
        table = Table("option", "default", "what it may be", "what it is", box=None, header_style="dim", pad_edge=True)
        for p in (*LIMITS, *m.options):
            table.add_row(f"  {p.name}", of_parameter(p.default), p.range, p.about)
        shell.console.print(table)


def _described(p: Player) -> dict[str, Any]:
    options = [{"name": o.name, "default": o.default, "range": o.range, "about": o.about} for o in (*LIMITS, *p.method.options)]
    return {"search": p.method.name, "about": p.method.about, "options": options}
