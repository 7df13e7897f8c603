"""`kibitz bench`: how fast the rules of each game run here, compiled."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer
from rich.table import Table

from kibitz.cli import shell
from kibitz.core.loading import load, shipped
from kibitz.core.perft import DEEPEST
from kibitz.core.perft import perft as count_paths
from kibitz.core.playouts import random_games
from kibitz.core.position import Position

FIRST_PLAYOUTS = 100


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Games to measure; all of ours when none is named.")
    ] = None,
    seconds: Annotated[float, typer.Option("--time", min=0.01, max=60.0, help="Seconds for each figure.")] = 0.3,
    json: shell.AsJson = False,
) -> None:
    """Measure each game's rules: move paths counted and random games played per second, on one core."""
    rows: list[dict[str, Any]] = []
    table = Table("game", "paths/s", "random games/s", box=None, header_style="bold", pad_edge=False)
    for name in games or shipped():
        position = load(name).start
        row: dict[str, Any] = {
            "game": name,
            "paths_per_second": _paths(position, seconds),
            "games_per_second": _playouts(position, seconds),
        }
        rows.append(row)
        table.add_row(name, shell.count(row["paths_per_second"]), shell.count(row["games_per_second"]))
    if json:
        shell.print_json({"bench": rows})
    else:
        shell.console.print(table)


def _paths(position: Position, seconds: float) -> float:
    """Deeper and deeper until the time is used; the speed of the last, longest count."""
    count_paths(position, 1)  # compiles
    speed, spent, depth = 0.0, 0.0, 1
    while spent < seconds and depth <= min(position.game.constants["MAX_PLIES"], DEEPEST):
        began = time.perf_counter()
        nodes = count_paths(position, depth)
        took = time.perf_counter() - began
        if not nodes:
            break
        speed, spent, depth = nodes / took, spent + took, depth + 1
    return speed


def _playouts(position: Position, seconds: float) -> float:
    """More and more games until one batch takes the time."""
    games = FIRST_PLAYOUTS
    random_games(position, games, seed=0)  # compiles
    while True:
        began = time.perf_counter()
        random_games(position, games, seed=1)
        took = time.perf_counter() - began
        if took >= seconds / 2:
            return games / took
        games *= 4
