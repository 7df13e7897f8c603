"""`kibitz book`: build opening books from games, and look positions up."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import TextColumn, TimeElapsedColumn
from rich.table import Table

from kibitz.books.builder import USUAL_PLIES, Built, build_book
from kibitz.books.game_files import read_games
from kibitz.cli import options, terminal
from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.core.position.game import Game, Position
from kibitz.tables.book import BookMove, open_book

book = typer.Typer(no_args_is_help=True, help="Opening books of any game.", rich_markup_mode="rich")


@book.callback()
def _group() -> None:
    """Opening books of any game."""


@book.command()
@options.with_game
def build(
    game: Game,
    files: Annotated[list[str], typer.Argument(metavar="FILES", help="Games: PGN for chess, or a game a line with its result at the end.")],
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="The book; GAME.book here when left out.")] = "",
    plies: Annotated[int, typer.Option("--plies", min=1, help="Moves of every game that count.")] = USUAL_PLIES,
    least: Annotated[int, typer.Option("--least", min=1, help="Leave out moves made in fewer games.")] = 1,
    json: options.AsJson = False,
) -> None:
    """Build a book: which moves were made in every position, how often and with what success."""
    path = check_place(out or f"{game.name}.book")
    if missing := next((name for name in files if not Path(name).is_file()), None):
        raise InputError(f"there is no file {missing}")
    games = itertools.chain.from_iterable(read_games(Path(name), game) for name in files)
    with terminal.progress_bar(TextColumn("{task.completed:.0f} games"), TimeElapsedColumn()) as bar:
        task = bar.add_task("reading", total=None)
        result = build_book(game, games, path, plies=plies, least=least, watch=lambda number: bar.update(task, completed=number))
    if json:
        terminal.print_json({**result.as_dict(), "file": str(path)})
    else:
        _print(result, path)


def _print(result: Built, path: Path) -> None:
    terminal.console.print(f"{result.games} games, {result.entries} moves in positions: {path}", markup=False)
    if result.dropped:
        terminal.console.print(f"{result.dropped} games left out, such as {result.left_out[0]}", markup=False)


@book.command()
@options.with_position
def probe(
    start: Position,
    file: Annotated[str, typer.Argument(metavar="BOOK", help="A book of ours; for chess also one of Polyglot's.")],
    json: options.AsJson = False,
) -> None:
    """Show what a book knows of a position, the most promising move first. Scores are the mover's, with 95 % intervals."""
    known = open_book(file, start.game).probe(start)
    if json:
        terminal.print_json({"game": start.game.label, "position": start.show(), "moves": [m.as_dict() for m in known]})
        return
    terminal.console.print(start)
    if not known:
        terminal.console.print("the book does not know this position")
        return
    terminal.console.print(_table(known))


def _table(known: list[BookMove]) -> Table:
    results = any(m.has_results for m in known)
    columns = ("move", "games", "won", "drawn", "lost", "score", "95 % interval") if results else ("move", "weight")
    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for m in known:
        low, high = m.interval or (0.0, 1.0)
        counts = (str(m.wins), str(m.draws), str(m.losses), f"{m.score:.3f}", f"{low:.3f} to {high:.3f}") if results else ()
        table.add_row(str(m.move), str(m.games), *counts)
    return table
