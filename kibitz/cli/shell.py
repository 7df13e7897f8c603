"""What the commands share: options, reading games and positions, output for people and for programs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.status import Status

from kibitz.core.compiling import compile_progress
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position, first, from_board, from_text
from kibitz.core.position.loading import load
from kibitz.core.position.transcript import recorded

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A shipped game's name, or the path of a .py file.", show_default=False)]
Parameters = Annotated[
    list[str], typer.Option("--param", "-p", metavar="NAME=VALUE", help="Set a game's parameter; may be repeated.", show_default=False)
]
Board = Annotated[
    str, typer.Option("--position", metavar="TEXT", help="A position: a board in the game's own text, or moves from the start.")
]
Moves = Annotated[str, typer.Option("--moves", metavar="LIST", help="Moves to play from the start, or from --position.")]
From = Annotated[str, typer.Option("--from", metavar="FILE", help="A game on record, such as SGF for Go: its last position.")]
At = Annotated[int | None, typer.Option("--at", metavar="N", help="With --from: the position after N moves.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Same seed, same numbers.")]


def game_of(name: str, parameters: list[str]) -> Game:
    """The game the user named, with its parameters."""
    return load(name, **_given(parameters))


def _given(parameters: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for text in parameters:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise InputError(f"--param {text}: write NAME=VALUE, such as --param holes=4")
        given[key.strip()] = value.strip()
    return given


def position_of(game: Game, board: str, moves: str) -> Position:
    """The position the user described; without a description, the first one."""
    position = first(game)
    if board:
        position = from_text(game, board) if not _is_multiline(board) else from_board(game, board)
    return position.play_line(moves) if moves else position


def opened(name: str, parameters: list[str], board: str, moves: str, record: str = "", at: int | None = None) -> Position:
    """The position the user described, or one of a game on record, which tells the game's parameters where the user does not."""
    if not record:
        if at is not None:
            raise InputError("--at goes with --from")
        return position_of(game_of(name, parameters), board, moves)
    if board:
        raise InputError("--from and --position exclude each other; give one of them")
    _, positions = recorded(name, Path(record), _given(parameters))
    if at is not None and not 0 <= at < len(positions):
        raise InputError(f"--at {at}: the game in {record} has {len(positions) - 1} moves; give 0 to {len(positions) - 1}")
    position = positions[-1 if at is None else at]
    return position.play_line(moves) if moves else position


def _is_multiline(text: str) -> bool:
    return "\n" in text.strip()


def print_json(answer: dict[str, Any]) -> None:
    """One JSON object on one line."""
    print(json.dumps(answer, ensure_ascii=False))


def count(number: float) -> str:
    """A large number, readable."""
    return f"{number:,.0f}".replace(",", " ")


def rate(number: float) -> str:
    """A speed in few characters: 950, 12k, 3.4M."""
    return f"{number / 1e6:.1f}M" if number >= 1e6 else f"{number / 1e3:.0f}k" if number >= 1e4 else f"{number:.0f}"


_spinner: Status | None = None


def compile_spinner(what: str | None) -> None:
    """Show what is being compiled: a spinner in a terminal, one line elsewhere; always on the error stream."""
    global _spinner
    if _spinner is not None:
        _spinner.stop()
        _spinner = None
    if what is not None:
        if sys.stderr.isatty():
            _spinner = errors.status(f"compiling {what}{compile_progress.how_often()}")
            _spinner.start()
        else:
            print(f"kibitz: compiling {what}{compile_progress.how_often()}", file=sys.stderr)


def print_warning(text: str) -> None:
    """One line on the error stream."""
    print(f"kibitz: {text}", file=sys.stderr)


def progress_bar() -> Progress:
    """So many of so many, with the time left; on the error stream of a terminal, and gone afterwards."""
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
