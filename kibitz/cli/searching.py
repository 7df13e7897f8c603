"""Commands that search: the best move, the exact value, what searches there are."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.table import Table

from kibitz.cli import sampling, shell
from kibitz.core.position.result import SIGNS, Result
from kibitz.core.protocol.default_text import of_parameter
from kibitz.core.protocol.parameters import Parameter
from kibitz.players import OWN, Player, player, solving
from kibitz.searches.method import method, names

With = Annotated[str, typer.Option("--with", metavar="PLAYER", help='A search with its options, such as "alphabeta(depth=8, table=64)".')]
Time = Annotated[float | None, typer.Option("--time", metavar="SECONDS", help="Stop after this time.")]
Depth = Annotated[int | None, typer.Option("--depth", metavar="PLIES", help="Search this deep.")]
Nodes = Annotated[int | None, typer.Option("--nodes", metavar="N", help="Visit this many positions.")]
Playouts = Annotated[int | None, typer.Option("--playouts", metavar="N", help="Simulate this many games, for searches that do.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Same seed, same search, for searches that draw lots.")]
Threads = Annotated[int | None, typer.Option("--threads", metavar="N", help="Search with so many threads, where the search can.")]


def search(
    game: shell.GameName,
    position: shell.Board = "",
    moves: shell.Moves = "",
    from_: shell.From = "",
    at: shell.At = None,
    with_: With = "alphabeta",
    time: Time = None,
    depth: Depth = None,
    nodes: Nodes = None,
    playouts: Playouts = None,
    seed: Seed = None,
    threads: Threads = None,
    param: shell.Parameters = [],  # noqa: B006
    json: shell.AsJson = False,
) -> None:
    """Find the best move; without a limit, in two seconds."""
    engine = player(with_, time=time, depth=depth, nodes=nodes, playouts=playouts, seed=seed, threads=threads)
    p = shell.opened(game, param, position, moves, from_, at)
    results = engine.analyse(p)
    if not json:
        shell.console.print(p)
    result = follow(results, quiet=json)
    answer(result, json)


def solve(
    game: shell.GameName,
    position: shell.Board = "",
    moves: shell.Moves = "",
    from_: shell.From = "",
    at: shell.At = None,
    time: Time = None,
    nodes: Nodes = None,
    table: Annotated[float, typer.Option("--table", metavar="MB", help="Memory for the transposition table.")] = 256.0,
    param: shell.Parameters = [],  # noqa: B006
    json: shell.AsJson = False,
) -> None:
    """Find the exact value and a best line to the end."""
    p = shell.opened(game, param, position, moves, from_, at)
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
    results = iter(results)
    first = next(results)
    if first.playouts is not None:
        return sampling.follow(first, results, quiet)
    for result in itertools.chain([first], results):
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
        found = f"[bold green]{result.move}[/]  " if result.move is not None else ""
        shell.console.print(f"{found}value {SIGNS[result.bound]} {result.value:+.6g}{ending} ({result.bound}; {result.ended})")
        if result.playouts is None:
            for place, c in enumerate(result.table, 1):
                told = f"{c.value:+.6g}" + (f" in {c.distance} plies" if c.distance is not None else "")
                shell.console.print(f"{place}. {told:>12}  {' '.join(str(m) for m in c.line)}", markup=False, soft_wrap=True)
        if result.outlooks:
            shell.console.print(_outlooks(result))
        if result.note:
            shell.console.print(result.note)


def _outlooks(result: Result) -> Table:
    """What may come of each move, the best on average first."""
    table = Table("move", "mean", "spread", "win", "loss", box=None, header_style="bold", pad_edge=False)
    for o in sorted(result.outlooks, key=lambda o: -o.mean):
        table.add_row(str(o.move), f"{o.mean:+.4g}", f"{o.spread:.4g}", f"{o.win:.1%}", f"{o.loss:.1%}")
    return table


def _row(result: Result) -> str:
    speed = shell.rate(result.nodes / result.seconds) if result.seconds > 0.001 else ""
    value = f"{SIGNS[result.bound]}{result.value:+.6g}"
    line = " ".join(str(m) for m in result.line)
    return f"{result.depth:>5} {value:>9} {shell.count(result.nodes):>12} {speed:>10} {result.seconds:9.2f}  {line}"


def searches(json: shell.AsJson = False) -> None:
    """List the searches with their options."""
    known = [method(name) for name in names()]
    if json:
        shell.print_json({"searches": [_described(Player(m, m.settings({}))) for m in known], "every_player": [_option(p) for p in OWN]})
        return
    for m in known:
        shell.console.print(f"[bold cyan]{m.name}[/]: {m.about}")
        shell.console.print(_options((*m.limits, *m.options)))
    shell.console.print("[bold cyan]every player[/], whatever its search:")
    shell.console.print(_options(OWN))


def _options(known: Iterable[Parameter]) -> Table:
    table = Table("option", "default", "what it may be", "what it is", box=None, header_style="dim", pad_edge=True)
    for p in known:
        table.add_row(f"  {p.name}", of_parameter(p.default), p.range, p.about)
    return table


def _described(p: Player) -> dict[str, Any]:
    return {"search": p.method.name, "about": p.method.about, "options": [_option(o) for o in (*p.method.limits, *p.method.options)]}


def _option(o: Parameter) -> dict[str, Any]:
    return {"name": o.name, "default": o.default, "range": o.range, "about": o.about}
