"""Commands about games: what there is, what a position looks like, whether rules are sound, how many paths there are, a new game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from kibitz.cli import shell
from kibitz.cli.template import TEMPLATE
from kibitz.core.checking import conformance
from kibitz.core.errors import InputError
from kibitz.core.files import check_place, write_whole
from kibitz.core.measuring import perft as counting
from kibitz.core.position.game import Game, Position
from kibitz.core.position.loading import load, shipped
from kibitz.core.protocol.default_text import of_parameter
from kibitz.core.protocol.rules import CHANCE, OVER

Depth = Annotated[int, typer.Argument(min=0, help="Length of the move paths.", show_default=False)]


def games(json: shell.AsJson = False) -> None:
    """List the games that come with kibitz, with their parameters."""
    known = [load(name) for name in shipped()]
    if json:
        shell.print_json({"games": [_described(game) for game in known]})
        return
    table = Table("game", "what it is", "players", "parameters", box=None, header_style="bold", pad_edge=False)
    for game in known:
        parameters = ", ".join(f"{p.name}={of_parameter(p.default)}" for p in game.declared.values())
        table.add_row(f"[bold cyan]{game.name}[/]", game.title, f"{game.players}{' + chance' if game.has_chance else ''}", parameters)
    shell.console.print(table)


def _described(game: Game) -> dict[str, Any]:
    parameters = {
        p.name: {"default": list(p.default) if isinstance(p.default, tuple) else p.default, "range": p.range, "about": p.about}
        for p in game.declared.values()
    }
    return {"game": game.name, "about": game.title, "players": game.players, "chance": game.has_chance, "parameters": parameters}


def show(
    game: shell.GameName,
    position: shell.Board = "",
    moves: shell.Moves = "",
    from_: shell.From = "",
    at: shell.At = None,
    param: shell.Parameters = [],  # noqa: B006
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Write the board as a picture.")] = "",
    json: shell.AsJson = False,
) -> None:
    """Show a position: the board, whose turn it is, the legal moves."""
    p = shell.opened(game, param, position, moves, from_, at)
    chosen = p.game
    if svg:
        place = check_place(svg)
        drawn = p.draw()
        if not drawn:
            raise InputError(f"{chosen.name} draws no pictures; it would have to define draw(s)")
        write_whole(place, drawn)
    if json:
        utilities = [p.utility(i) for i in range(chosen.players)] if p.is_over else None
        legal = [str(m) for m in p.moves]
        shell.print_json({"game": chosen.label, "position": p.show(), "player": p.player, "moves": legal, "utilities": utilities})
        return
    shell.console.print(p)
    shell.console.print(_turn(p), markup=False)
    if svg:
        shell.console.print(f"picture written to {svg}", markup=False)


def _turn(p: Position) -> str:
    if p.player == OVER:
        return "game over: " + ", ".join(f"{p.utility(i):+g} for player {i + 1}" for i in range(p.game.players))
    who = "chance decides" if p.player == CHANCE else f"player {p.player + 1} to move"
    return f"{who}: {' '.join(str(m) for m in p.moves)}"


def check(
    game: shell.GameName,
    games: Annotated[int, typer.Option("--games", min=1, help="Random games to play.")] = 2000,
    param: shell.Parameters = [],  # noqa: B006
    seed: shell.Seed = 0,
    json: shell.AsJson = False,
) -> None:
    """Play random games and report everything in the rules that breaks the protocol."""
    chosen = shell.game_of(game, param)
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=shell.errors, transient=True, disable=not shell.errors.is_terminal) as bar:
        task = bar.add_task(f"checking {chosen.label}", total=games)
        report = conformance.check(chosen, games, seed, lambda done, total: bar.update(task, completed=done, total=total))
    if json:
        failures = [
            {"function": f.function, "problem": f.problem, "advice": f.advice, "moves": None if f.moves is None else list(f.moves)}
            for f in report.failures
        ]
        seen = {"games": report.games, "positions": report.positions, "most_moves": report.most_moves, "longest": report.longest}
        shell.print_json({"game": report.game, "passed": report.passed, **seen, "failures": failures})
    else:
        for failure in report.failures:
            shell.console.print(f"✗ {failure}", style="red", markup=False, soft_wrap=True)
        summary = f"{report.games} games, {report.positions} positions, up to {report.most_moves} moves, longest game {report.longest}"
        verdict = "[green]✓ sound[/]" if report.passed else "[red]not sound[/]"
        shell.console.print(f"{report.game}: {verdict} ({summary})")
    if not report.passed:
        raise typer.Exit(1)


def perft(
    game: shell.GameName,
    depth: Depth,
    position: shell.Board = "",
    moves: shell.Moves = "",
    divide: Annotated[bool, typer.Option("--divide", help="Split the count by first move.")] = False,
    games: Annotated[bool, typer.Option("--games", help="Count finished games by result instead of paths.")] = False,
    distinct: Annotated[bool, typer.Option("--distinct", help="Count different positions ply by ply.")] = False,
    symmetric: Annotated[bool, typer.Option("--symmetric", help="With --distinct: up to the game's symmetries.")] = False,
    seconds: Annotated[
        float | None, typer.Option("--time", metavar="SECONDS", min=0.0, help="With --distinct: stop after this time.", show_default=False)
    ] = None,
    memory: Annotated[
        float, typer.Option("--memory", metavar="MB", min=1.0, help="With --distinct: for the positions of a ply.")
    ] = counting.USUAL_MEMORY,
    interpreted: Annotated[bool, typer.Option("--interpreted", help="Run the rules as plain Python.")] = False,
    param: shell.Parameters = [],  # noqa: B006
    json: shell.AsJson = False,
) -> None:
    """Count move paths: the standard check of a move generator."""
    if divide + games + distinct > 1:
        raise InputError("--divide, --games and --distinct exclude each other; give one of them")
    if (symmetric or seconds is not None or memory != counting.USUAL_MEMORY) and not distinct:
        raise InputError("--symmetric, --time and --memory go with --distinct")
    chosen = shell.game_of(game, param)
    p = shell.position_of(chosen, position, moves)
    target = "python" if interpreted else "cpu"
    answer: dict[str, Any] = {"game": chosen.label, "position": p.show(), "depth": depth}
    began = time.perf_counter()
    if divide:
        answer.update(_divide(p, depth, target, json))
    elif games:
        answer.update(_games(p, depth, target, json))
    elif distinct:
        answer.update(_distinct(counting.distinct(p, depth, symmetric, target, seconds, memory), json))
    else:
        answer.update(_paths(p, depth, target, json))
    if json:
        shell.print_json({**answer, "seconds": round(time.perf_counter() - began, 6)})


def _paths(p: Position, depth: int, target: str, quiet: bool) -> dict[str, Any]:
    """One line a depth, so that there is something to see while the last one runs."""
    nodes = []
    counting.perft(p, min(depth, 1), target)  # compiles, outside the measured time
    for d in range(depth + 1):
        began = time.perf_counter()
        nodes.append(counting.perft(p, d, target))
        seconds = time.perf_counter() - began
        if not quiet:
            speed = f"{nodes[-1] / seconds / 1e6:10.1f} M/s" if seconds > 0.001 and d > 0 else ""
            shell.console.print(f"{d:>4} {shell.count(nodes[-1]):>24} {seconds:9.3f} s {speed}")
    return {"nodes": nodes[-1], "by_depth": nodes}


def _divide(p: Position, depth: int, target: str, quiet: bool) -> dict[str, Any]:
    parts = counting.divide(p, depth, target)
    if not quiet:
        for move, nodes in parts.items():
            shell.console.print(f"{move:>8} {shell.count(nodes):>24}", markup=False)
        shell.console.print(f"{'total':>8} {shell.count(sum(parts.values())):>24}")
    return {"nodes": sum(parts.values()), "by_move": {str(move): nodes for move, nodes in parts.items()}}


def _games(p: Position, depth: int, target: str, quiet: bool) -> dict[str, Any]:
    endings = counting.count_games(p, depth, target)
    if not quiet:
        for utility, number in endings.by_utility.items():
            shell.console.print(f"{utility:>+8g} {shell.count(number):>24}")
        shell.console.print(f"{'games':>8} {shell.count(endings.games):>24}")
    return {"games": endings.games, "by_utility": {f"{u:g}": n for u, n in endings.by_utility.items()}}


def _distinct(counted: Iterator[int], quiet: bool) -> dict[str, Any]:
    numbers = []
    for ply, number in enumerate(counted):
        numbers.append(number)
        if not quiet:
            shell.console.print(f"{ply:>4} {shell.count(number):>24}")
    if not quiet:
        shell.console.print(f"{'all':>4} {shell.count(sum(numbers)):>24}")
    return {"positions": sum(numbers), "by_ply": numbers}


def new(
    name: Annotated[str, typer.Argument(help="The game's name; NAME.py is written here.", show_default=False)],
) -> None:
    """Write a small working game to start from: NAME.py."""
    path = Path(name if name.endswith(".py") else f"{name}.py")
    if not path.stem.isidentifier():
        raise InputError(f"'{path.stem}' cannot be the name of a Python file; use letters, digits and _ such as my_game")
    if path.exists():
        raise InputError(f"{path} exists already; choose another name or remove it")
    write_whole(path, TEMPLATE)
    shell.console.print(f"{path} written; try: kibitz check {path}", markup=False)
