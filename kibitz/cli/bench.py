"""`kibitz bench`: how fast each game's rules and each search run here, and the signature: the exact number of nodes that the searches visit."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer
from rich.table import Table

from kibitz.cli import options, terminal
from kibitz.core.measuring.perft import DEEPEST
from kibitz.core.measuring.perft import perft as count_paths
from kibitz.core.measuring.random_games import random_games
from kibitz.core.position.game import Position
from kibitz.core.position.loading import load, shipped
from kibitz.players import player
from kibitz.searches.method import PLAYOUTS, fitting, method, names
from kibitz.searches.proof.prove import METHODS, prove
from kibitz.tables.proof.claim import why_unprovable

FIRST_PLAYOUTS = 100

# Where the signature is taken: positions, and a depth that takes a moment. Every search is compiled for each.
SIGNED = (("connect4", "4453", 7),)
SOON = 20  # plies, of a claim about a game whose positions may repeat
SIGNED_PLAYOUTS = 1000  # for searches that simulate games instead


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="Games to measure; all shipped games when none is named.")
    ] = None,
    seconds: Annotated[float, typer.Option("--time", min=0.01, max=60.0, help="Seconds for each figure.")] = 0.3,
    signature: Annotated[bool, typer.Option("--signature", help="Print only how many nodes each search visits, and their sum.")] = False,
    json: options.AsJson = False,
) -> None:
    """Measure rules and searches on one core: move paths, random games and nodes per second of searches and of proof-number searches."""
    if signature:
        _signature(json)
        return
    rows: list[dict[str, Any]] = []
    searches = (*names(), *METHODS)
    table = Table("game", "paths/s", "random games/s", *(f"{n} nodes/s" for n in searches), box=None, header_style="bold", pad_edge=False)
    for name in games or shipped():
        position = load(name).start
        speeds = {n: _search(position, n, seconds) for n in fitting(position.game)}
        if why_unprovable(position.game) is None:
            speeds |= {n: _prove(position, n, seconds) for n in METHODS}
        row: dict[str, Any] = {
            "game": name,
            "paths_per_second": _paths(position, seconds),
            "games_per_second": _playouts(position, seconds),
            "nodes_per_second": speeds,
        }
        rows.append(row)
        found = [terminal.rate(speeds[n]) if n in speeds else "-" for n in searches]
        table.add_row(name, terminal.rate(row["paths_per_second"]), terminal.rate(row["games_per_second"]), *found)
    if json:
        terminal.print_json({"bench": rows})
    else:
        terminal.console.print(table)


def count_signature() -> dict[str, int]:
    """The nodes each search visits where the signature is taken: the same on every machine."""
    found = {}
    for name, moves, depth in SIGNED:
        position = load(name).position(moves)
        for search in fitting(position.game):
            if not {"depth", "playouts"} & {p.name for p in method(search).limits}:
                continue  # it would go on to the end of the game
            found[f"{search} {name}"] = player(search, **_limits_for(search, depth)).search(position).nodes
    return found


def _limits_for(search: str, depth: int) -> dict[str, int]:
    """The depth, for a search that has one; simulations else, or as many nodes."""
    limits = {p.name for p in method(search).limits}
    return (
        {"playouts": SIGNED_PLAYOUTS} if PLAYOUTS.name in limits else {"depth": depth} if "depth" in limits else {"nodes": SIGNED_PLAYOUTS}
    )


def _signature(json: bool) -> None:
    found = count_signature()
    if json:
        terminal.print_json({"signature": sum(found.values()), "nodes": found})
        return
    for what, nodes in found.items():
        terminal.console.print(f"{what:<28} {terminal.count(nodes):>12}")
    terminal.console.print(f"{'signature':<28} {sum(found.values()):>12}")


def _search(position: Position, name: str, seconds: float) -> float:
    """Nodes per second of a search by itself, until the time is up or the position is solved."""
    player(name).prepare(position)
    result = player(name, time=seconds).search(position)
    return result.nodes / result.seconds


def _prove(position: Position, name: str, seconds: float) -> float:
    """Nodes per second of a proof-number search that is asked for a win of the first player, soon where positions may repeat."""
    within = SOON if position.game.repeats else 0
    prove(position, player=0, within=within, method=name, nodes=1)  # compiles
    found = prove(position, player=0, within=within, method=name, time=seconds)
    return found.nodes / found.seconds


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
