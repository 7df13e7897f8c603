"""Options that several commands share, and the games, positions and players they describe."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli import terminal
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position, first, from_board, from_text
from kibitz.core.position.loading import load, shipped
from kibitz.core.position.transcript import recorded
from kibitz.core.protocol.default_text import named_values
from kibitz.players import Player, player, usual_player
from kibitz.searches.method import names

# --- words that a shell completes ---


def complete_game(incomplete: str) -> list[str]:
    """Shipped games and folders and files of Python that begin so."""
    folder, begun = os.path.split(incomplete)
    beside = sorted(Path(folder or ".").iterdir()) if Path(folder or ".").is_dir() else []
    files = [os.path.join(folder, p.name) for p in beside if p.suffix == ".py" and p.name.startswith(begun)]  # noqa: PTH118
    folders = [os.path.join(folder, p.name, "") for p in beside if begun and p.is_dir() and p.name.startswith(begun)]  # noqa: PTH118
    return [*(name for name in shipped() if name.startswith(incomplete)), *files, *folders]


def complete_search(incomplete: str) -> list[str]:
    """Searches that begin so."""
    return [name for name in names() if name.startswith(incomplete)]


# --- the game and the position ---

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A shipped game's name, or the path of a .py file.", show_default=False, autocompletion=complete_game
    ),
]
OneGame = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A shipped game, or the path of a .py file; without one, all shipped games.",
        show_default=False,
        autocompletion=complete_game,
    ),
]
OneSearch = Annotated[
    str,
    typer.Argument(metavar="NAME", help="A search; without one, all of them.", show_default=False, autocompletion=complete_search),
]
Parameters = Annotated[
    list[str], typer.Option("--param", "-p", metavar="NAME=VALUE", help="Set a game's parameter; may be repeated.", show_default=False)
]
Board = Annotated[
    str, typer.Option("--position", metavar="TEXT", help="A position: a board in the game's own text, or moves from the start.")
]
Moves = Annotated[str, typer.Option("--moves", metavar="LIST", help="Moves to play from the start, or from --position.")]
From = Annotated[str, typer.Option("--from", metavar="FILE", help="The last position of a recorded game, such as an SGF file for Go.")]
At = Annotated[int | None, typer.Option("--at", metavar="N", help="With --from: the position after N moves.", show_default=False)]

# --- the player and its limits ---

With = Annotated[
    str,
    typer.Option(
        "--with",
        metavar="PLAYER",
        help='A search with its options, such as "alphabeta(depth=8, table=64)"; by default one that suits the game.',
        autocompletion=complete_search,
    ),
]
Time = Annotated[float | None, typer.Option("--time", metavar="SECONDS", help="Stop after this time.")]
Depth = Annotated[int | None, typer.Option("--depth", metavar="PLIES", help="Search this deep.")]
Nodes = Annotated[int | None, typer.Option("--nodes", metavar="N", help="Visit this many positions.")]
Playouts = Annotated[int | None, typer.Option("--playouts", metavar="N", help="Simulate this many games, for Monte Carlo searches.")]
SearchSeed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Same seed, same search, for randomised searches.")]
Threads = Annotated[int | None, typer.Option("--threads", metavar="N", help="Search with N threads, if the search supports it.")]

# --- the run ---

Resume = Annotated[str, typer.Option("--resume", metavar="FILE", help="Save the table to this file, and resume from it if it exists.")]
Device = Annotated[str, typer.Option("--device", metavar="cpu|cuda", help="Where to run: on this computer's cores, or on an NVIDIA GPU.")]
SearchDevice = Annotated[
    str | None,
    typer.Option(
        "--device", metavar="cpu|cuda", help="Where trees grow, for searches that grow trees: cuda is an NVIDIA GPU.", show_default=False
    ),
]

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Same seed, same numbers.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of processes.")]


def load_game(name: str, parameters: list[str]) -> Game:
    """The game the user named, with its parameters."""
    return load(name, **named_values(parameters, "--param", "holes=4"))


def position_of(game: Game, board: str, moves: str) -> Position:
    """The position the user described; without a description, the first one."""
    position = first(game)
    if board:
        position = from_text(game, board) if "\n" not in board.strip() else from_board(game, board)
    return position.play_line(moves) if moves else position


def open_position(name: str, parameters: list[str], board: str, moves: str, record: str = "", at: int | None = None) -> Position:
    """The position the user described, or one of a recorded game, whose parameters hold where the user gives none."""
    if not record:
        if at is not None:
            raise InputError("--at goes with --from")
        return position_of(load_game(name, parameters), board, moves)
    if board:
        raise InputError("--from and --position exclude each other; give one of them")
    _, positions = recorded(name, Path(record), named_values(parameters, "--param", "holes=4"))
    if at is not None and not 0 <= at < len(positions):
        raise InputError(f"--at {at}: the game in {record} has {len(positions) - 1} moves; give 0 to {len(positions) - 1}")
    position = positions[-1 if at is None else at]
    return position.play_line(moves) if moves else position


def choose_player(text: str, game: Game, **limits: float | str | None) -> Player:
    """The player the user described; without a description the usual one for the game."""
    return player(text, **limits) if text else usual_player(game, **limits)


def tell_choice(engine: Player) -> None:
    """Say which player was chosen, where the user named none."""
    if engine.why:
        terminal.console.print(f"with {engine.method.name}: {engine.why}; --with names another", style="dim", markup=False)


# --- commands about a game, a position, a player ---

USUAL: dict[str, Any] = {"position": "", "moves": "", "from_": "", "param": [], "with_": ""}  # None for the others


def with_game(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument GAME and the option --param; it is called with that game as `game`."""

    def run(*, game: str, param: list[str], **others: Any) -> None:
        command(game=load_game(game, param), **others)

    return _with_options(run, command, "game", {"game": GameName, "param": Parameters})


def with_position(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument GAME and the options that describe a position; it is called with that position as `start`."""

    def run(*, game: str, position: str, moves: str, from_: str, at: int | None, param: list[str], **others: Any) -> None:
        command(start=open_position(game, param, position, moves, from_, at), **others)

    described = {"game": GameName, "position": Board, "moves": Moves, "from_": From, "at": At, "param": Parameters}
    return _with_options(run, command, "start", described)


def with_player(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that describe a player and its limits; it is called with that player as `engine`.

    It is chosen for the game of the position `start`, which the command is called with as well.
    """

    def run(
        *,
        with_: str,
        time: float | None,
        depth: int | None,
        nodes: int | None,
        playouts: int | None,
        seed: int | None,
        threads: int | None,
        device: str | None,
        **others: Any,
    ) -> None:
        limits = {"time": time, "depth": depth, "nodes": nodes, "playouts": playouts, "seed": seed, "threads": threads, "device": device}
        command(engine=choose_player(with_, others["start"].game, **limits), **others)

    limits = {
        "time": Time,
        "depth": Depth,
        "nodes": Nodes,
        "playouts": Playouts,
        "seed": SearchSeed,
        "threads": Threads,
        "device": SearchDevice,
    }
    return _with_options(run, command, "engine", {"with_": With, **limits})


def _with_options(run: Callable[..., None], command: Callable[..., None], replaced: str, described: dict[str, Any]) -> Callable[..., None]:
    """`run` with the signature that Typer reads: the command's own, these options in the place of the parameter `replaced`."""
    own = inspect.signature(command, eval_str=True).parameters
    parameters = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=USUAL.get(name) if name != "game" else inspect.Parameter.empty, annotation=kind
        )
        for name, kind in described.items()
    ]
    parameters += [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for name, p in own.items() if name != replaced]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    return run
