"""`kibitz games` and `kibitz show`: list the shipped games, and show any position of a game."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from kibitz.cli import options, terminal
from kibitz.core.errors import InputError
from kibitz.core.files import check_place, write_whole
from kibitz.core.position.game import Game, Position
from kibitz.core.position.loading import load, shipped
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.players import usual_player
from kibitz.searches.method import fitting


def games(
    name: options.OneGame = "",
    json: options.AsJson = False,
) -> None:
    """List the games that come with kibitz; or show the rules of one, its parameters and the searches that fit it."""
    known = [load(name)] if name else [load(each) for each in shipped()]
    if json:
        terminal.print_json({"games": [_describe(game) for game in known]})
    elif name:
        _tell(known[0])
    else:
        table = Table("game", "players", "what it is", box=None, header_style="bold", pad_edge=False)
        for game in known:
            table.add_row(
                f"[bold cyan]{game.name}[/]",
                f"{game.players}{' + chance' if game.has_chance else ''}",
                escape(game.title.partition(";")[0].rstrip(".")),
            )
        terminal.console.print(table)
        terminal.console.print("one of them, with its parameters: kibitz games NAME", style="dim", markup=False)


def _tell(game: Game) -> None:
    """All that a player or an analyst needs to know of a game before using it."""
    for paragraph in game.about.split("\n\n"):
        terminal.console.print(f"{_joined(paragraph)}\n", markup=False)
    if game.declared:
        terminal.console.print(terminal.table_of("-p", game.declared.values()))
    if game.positions:
        terminal.console.print(f"[bold]positions[/]: {', '.join(sorted(game.positions))}")
    names = fitting(game)
    usual = usual_player(game).method.name if names else ""
    terminal.console.print(f"[bold]searches[/]: {', '.join([usual, *(each for each in names if each != usual)]) or 'none'}")


def _joined(paragraph: str) -> str:
    """Its lines as one, so that it fits any width; lists stay as they are."""
    return re.sub(r"\n(?![-* ])", " ", paragraph)


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
        return "game over: " + ", ".join(f"{p.utility(i):+g} for {p.game.side(i)}" for i in range(p.game.players))
    who = "chance decides" if p.player == CHANCE else f"{p.game.side(p.player)} to move"
    return f"{who}: {' '.join(str(m) for m in p.moves)}"
