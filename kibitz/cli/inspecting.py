"""`kibitz inspect GAME`: what a search of the game is up against: its kind, its branching, and how much of it is chance's."""

from __future__ import annotations

import math
from typing import Annotated, Any

import typer
from rich.table import Table

from kibitz.cli import shell
from kibitz.core.errors import InputError
from kibitz.core.measuring.census import Census, Level, taken
from kibitz.core.measuring.determinacy import determinacy
from kibitz.core.position.game import Game, Position
from kibitz.searches.method import fitting

MOST_PLIES = 12  # in the table, unless all are asked for


def inspect(
    game: shell.GameName,
    position: shell.Board = "",
    moves: shell.Moves = "",
    games: Annotated[int, typer.Option("--games", min=1, help="Random games to play.")] = 1000,
    plies: Annotated[int, typer.Option("--plies", min=0, help="Rows of the table ply by ply.")] = MOST_PLIES,
    param: shell.Parameters = [],  # noqa: B006
    seed: shell.Seed = 0,
    json: shell.AsJson = False,
) -> None:
    """Tell a game's kind, the branching of choice and chance, and how far players decide what happens."""
    chosen = shell.game_of(game, param)
    p = shell.position_of(chosen, position, moves)
    counted = taken(p, games, seed)
    if json:
        shell.print_json({"game": chosen.label, "position": p.show(), **_kind(chosen), **_here(p), **_counted(counted, plies)})
        return
    shell.console.print(f"[bold]{chosen.label}[/]: {chosen.title}", highlight=False)
    for line in _described(chosen):
        shell.console.print(line, markup=False)
    shell.console.print(f"\nhere: {_sentence(_here(p))}", markup=False)
    _table(counted, plies)


def _kind(game: Game) -> dict[str, Any]:
    c = game.constants
    return {
        "players": game.players,
        "sum": c["SUM"],
        "values": list(c["VALUES"]),
        "chance": c["CHANCE_KIND"] if game.has_chance else None,
        "repetition": c["REPETITION"],
        "most_moves": c["MAX_MOVES"],
        "most_outcomes": c["MAX_OUTCOMES"] if game.has_chance else 0,
        "most_plies": c["MAX_PLIES"],
        "searches": fitting(game),
    }


def _described(game: Game) -> list[str]:
    kind, (low, high) = _kind(game), game.constants["VALUES"]
    interests = f"whose utilities add up to {kind['sum']:g}" if kind["sum"] is not None else "of interests that need not be opposite"
    chance = f"chance: {kind['chance']}, at most {kind['most_outcomes']} outcomes" if kind["chance"] else "no chance"
    return [
        f"{game.players} player{'s' if game.players > 1 else ''} {interests}; utilities from {low:g} to {high:g}",
        f"{chance}; at most {kind['most_moves']} moves and {kind['most_plies']} plies; repetition: {kind['repetition']}",
        f"searches that fit: {', '.join(kind['searches']) or 'none yet'}",
    ]


def _here(p: Position) -> dict[str, Any]:
    """The branching and the determinacy of one position."""
    what = "over" if p.is_over else "chance" if p.is_chance else "choice"
    found: dict[str, Any] = {"turn": what, "branching": len(p.moves)}
    try:
        d = determinacy(p)
    except InputError:
        return found
    return {**found, "determinacy": {"mean": d.mean, "variance": d.variance, "moves": d.moves}}


def _sentence(here: dict[str, Any]) -> str:
    """`_here` in words."""
    n = here["branching"]
    words = {
        "over": "the game is over",
        "chance": f"chance decides between {n} outcome{'s' if n != 1 else ''}",
        "choice": f"a player chooses between {n} move{'s' if n != 1 else ''}",
    }[here["turn"]]
    if "determinacy" not in here:
        return words
    d = here["determinacy"]
    after = f", which may allow {len(d['moves'])} different moves" if here["turn"] == "chance" else ""
    return f"{words}{after}; determinacy {d['mean']:.4f}, variance {d['variance']:.4f}"


def _counted(c: Census, rows: int) -> dict[str, Any]:
    return {"games": c.games, "finished": c.finished, "overall": _level(c.overall), "plies": [_level(level) for level in c.plies[:rows]]}


def _level(level: Level) -> dict[str, Any]:
    return {
        "choices": level.choices,
        "moves": _known(level.moves),
        "moves_range": list(level.moves_range),
        "chances": level.chances,
        "outcomes": _known(level.outcomes),
        "outcomes_range": list(level.outcomes_range),
        "determinacy": _known(level.determinacy),
        "variance": _known(level.variance),
    }


def _known(x: float) -> float | None:
    """JSON has no NaN."""
    return None if math.isnan(x) else x


def _table(c: Census, rows: int) -> None:
    unfinished = f", {c.games - c.finished} of them not finished" if c.finished < c.games else ""
    shell.console.print(f"in {shell.count(c.games)} random games from here{unfinished}:\n", markup=False)
    columns = ("ply", "choices", "moves", "from-to", "chances", "outcomes", "from-to", "determinacy", "variance")
    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for name, level in [("all", c.overall), *((str(i), level) for i, level in enumerate(c.plies[:rows]))]:
        table.add_row(name, *_row(level))
    shell.console.print(table)
    if len(c.plies) > rows:
        shell.console.print(f"({len(c.plies) - rows} more plies; --plies {len(c.plies)} shows them)", style="dim")


def _row(level: Level) -> list[str]:
    def number(x: float, digits: int) -> str:
        return "-" if math.isnan(x) else f"{x:.{digits}f}"

    def between(ends: tuple[int, int]) -> str:
        return "-" if ends == (0, 0) else f"{ends[0]}-{ends[1]}"

    choice = [shell.count(level.choices), number(level.moves, 2), between(level.moves_range)]
    chance = [shell.count(level.chances), number(level.outcomes, 2), between(level.outcomes_range)]
    return [*choice, *chance, number(level.determinacy, 4), number(level.variance, 4)]
