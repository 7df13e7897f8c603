"""`kibitz perft`: count move paths, games or positions from a position."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from kibitz.cli import options, terminal
from kibitz.core.errors import InputError
from kibitz.core.measuring import perft as counting
from kibitz.core.position.game import Position

Depth = Annotated[int, typer.Argument(min=0, help="Length of the move paths.", show_default=False)]


@options.with_position
def perft(
    start: Position,
    depth: Depth,
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
    json: options.AsJson = False,
) -> None:
    """Count move paths: the standard check of a move generator."""
    if divide + games + distinct > 1:
        raise InputError("--divide, --games and --distinct exclude each other; give one of them")
    if (symmetric or seconds is not None or memory != counting.USUAL_MEMORY) and not distinct:
        raise InputError("--symmetric, --time and --memory go with --distinct")
    target = "python" if interpreted else "cpu"
    answer: dict[str, Any] = {"game": start.game.label, "position": start.show(), "depth": depth}
    began = time.perf_counter()
    if divide:
        answer.update(_divide(start, depth, target, json))
    elif games:
        answer.update(_games(start, depth, target, json))
    elif distinct:
        answer.update(_distinct(counting.distinct(start, depth, symmetric, target, seconds, memory), json))
    else:
        answer.update(_paths(start, depth, target, json))
    if json:
        terminal.print_json({**answer, "seconds": round(time.perf_counter() - began, 6)})


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
            terminal.console.print(f"{d:>4} {terminal.count(nodes[-1]):>24} {seconds:9.3f} s {speed}")
    return {"nodes": nodes[-1], "by_depth": nodes}


def _divide(p: Position, depth: int, target: str, quiet: bool) -> dict[str, Any]:
    parts = counting.divide(p, depth, target)
    if not quiet:
        for move, nodes in parts.items():
            terminal.console.print(f"{move:>8} {terminal.count(nodes):>24}", markup=False)
        terminal.console.print(f"{'total':>8} {terminal.count(sum(parts.values())):>24}")
    return {"nodes": sum(parts.values()), "by_move": {str(move): nodes for move, nodes in parts.items()}}


def _games(p: Position, depth: int, target: str, quiet: bool) -> dict[str, Any]:
    endings = counting.count_games(p, depth, target)
    if not quiet:
        for utility, number in endings.by_utility.items():
            terminal.console.print(f"{utility:>+8g} {terminal.count(number):>24}")
        terminal.console.print(f"{'games':>8} {terminal.count(endings.games):>24}")
    return {"games": endings.games, "by_utility": {f"{u:g}": n for u, n in endings.by_utility.items()}}


def _distinct(counted: Iterator[int], quiet: bool) -> dict[str, Any]:
    numbers = []
    for ply, number in enumerate(counted):
        numbers.append(number)
        if not quiet:
            terminal.console.print(f"{ply:>4} {terminal.count(number):>24}")
    if not quiet:
        terminal.console.print(f"{'all':>4} {terminal.count(sum(numbers)):>24}")
    return {"positions": sum(numbers), "by_ply": numbers}
