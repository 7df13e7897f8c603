"""`kibitz games` and `kibitz show`: the shipped games, and any position of a game."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from kibitz.cli import options, terminal
from kibitz.core.errors import InputError
from kibitz.core.files import check_place, write_whole
from kibitz.core.position.game import Game, Position
from kibitz.core.position.loading import load, shipped
from kibitz.core.protocol.default_text import of_parameter
from kibitz.core.protocol.rules import CHANCE, OVER


def games(json: options.AsJson = False) -> None:
    """List the games that come with kibitz, with their parameters."""
    known = [load(name) for name in shipped()]
    if json:
        terminal.print_json({"games": [_describe(game) for game in known]})
        return
    table = Table("game", "what it is", "players", "parameters", box=None, header_style="bold", pad_edge=False)
    for game in known:
        parameters = ", ".join(f"{p.name}={of_parameter(p.default)}" for p in game.declared.values())
        table.add_row(f"[bold cyan]{game.name}[/]", game.title, f"{game.players}{' + chance' if game.has_chance else ''}", parameters)
    terminal.console.print(table)


def _describe(game: Game) -> dict[str, Any]:
    parameters = {
        p.name: {"default": list(p.default) if isinstance(p.default, tuple) else p.default, "range": p.range, "about": p.about}
        for p in game.declared.values()
    }
    return {"game": game.name, "about": game.title, "players": game.players, "chance": game.has_chance, "parameters": parameters}


@options.with_position
def show(
    start: Position,
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Write the board as a picture.")] = "",
    json: options.AsJson = False,
) -> None:
    """Show a position: the board, whose turn it is, the legal moves."""
    if svg:
        place = check_place(svg)
        drawn = start.draw()
        if not drawn:
            raise InputError(f"{start.game.name} draws no pictures; it would have to define draw(s)")
        write_whole(place, drawn)
    if json:
        utilities = [start.utility(i) for i in range(start.game.players)] if start.is_over else None
        legal = [str(m) for m in start.moves]
        told = {"game": start.game.label, "position": start.show(), "player": start.player, "moves": legal, "utilities": utilities}
        terminal.print_json(told)
        return
    terminal.console.print(start)
    terminal.console.print(_turn(start), markup=False)
    if svg:
        terminal.console.print(f"picture written to {svg}", markup=False)


def _turn(p: Position) -> str:
    if p.player == OVER:
        return "game over: " + ", ".join(f"{p.utility(i):+g} for player {i + 1}" for i in range(p.game.players))
    who = "chance decides" if p.player == CHANCE else f"player {p.player + 1} to move"
    return f"{who}: {' '.join(str(m) for m in p.moves)}"
