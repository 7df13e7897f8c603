"""The command that draws what a search visits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Annotated

import typer
from rich.status import Status

from kibitz.cli import shell
from kibitz.cli.prove import strategy_tree
from kibitz.cli.searching import Depth, Nodes, Playouts, Seed, Time, With
from kibitz.core.errors import InputError
from kibitz.core.files import check_place, write_whole
from kibitz.core.position.result import Result
from kibitz.pictures.folding import DRAWN, LISTED
from kibitz.pictures.tree import MOST_ROOM, watched
from kibitz.players import player
from kibitz.searches.trace import MOST
from kibitz.tables.proof.playing import SUFFIX


def tree(
    game: shell.GameName,
    position: shell.Board = "",
    moves: shell.Moves = "",
    with_: With = "alphabeta",
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Write a picture instead of text.")] = "",
    size: Annotated[
        int,
        typer.Option(
            "--size",
            metavar="N",
            min=0,
            help=f"Nodes to show; 0: {LISTED}, in a picture {DRAWN}, or as many as a Monte Carlo search draws.",
        ),
    ] = 0,
    room: Annotated[int, typer.Option("--room", metavar="N", min=1, max=MOST_ROOM, help="Visits to record at most.")] = MOST,
    time: Time = None,
    depth: Depth = None,
    nodes: Nodes = None,
    playouts: Playouts = None,
    seed: Seed = None,
    param: shell.Parameters = [],  # noqa: B006
    json: shell.AsJson = False,
) -> None:
    """Draw the tree that a search visits: windows, cuts, searches again; of a Monte Carlo search, the last simulation step by step; of FILE.kbp, its strategy."""
    if game.endswith(SUFFIX):
        if svg:
            raise InputError("--svg draws what a search visits; a proof is shown as text, or with --json")
        strategy_tree(game, size, json)
        return
    chosen = shell.game_of(game, param)
    engine = player(with_, time=time, depth=depth, nodes=nodes, playouts=playouts, seed=seed)
    p = shell.position_of(chosen, position, moves)
    place = check_place(svg) if svg else None
    with ExitStack() as stack:
        drawn = watched(p, engine, room, _progress(stack) if shell.errors.is_terminal else None)
    if place is not None:
        write_whole(place, drawn.svg(size) if size else drawn.svg())
    if json:
        shell.print_json(drawn.as_dict())
    elif svg:
        shell.console.print(f"{drawn.headline}\npicture written to {svg}", markup=False, soft_wrap=True)
    else:
        shell.console.print(p)
        shell.console.print(drawn.rich(size) if size else drawn.rich(), soft_wrap=True)


def _progress(stack: ExitStack) -> Callable[[Result], None]:
    """Tell each depth that is finished, on a line that goes away; it comes with the first, when everything is compiled."""
    line: list[Status] = []

    def watch(result: Result) -> None:
        if not line:
            line.append(stack.enter_context(shell.errors.status("")))
        line[0].update(f"searching {result.position.game.label}: depth {result.depth}, {shell.count(result.nodes)} nodes")

    return watch
