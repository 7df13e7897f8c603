"""`kibitz tree`: the tree a search visits, drawn."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from typing import Annotated, Any

import typer
from rich.status import Status

from kibitz.cli import options, terminal
from kibitz.cli.prove import strategy_tree
from kibitz.core.errors import InputError
from kibitz.core.files import check_place, write_whole
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.pictures.search_tree import MOST_ROOM, trace_search
from kibitz.pictures.tree_excerpt import DRAWN, LISTED
from kibitz.players import Player
from kibitz.searches.trace import MOST
from kibitz.tables.proof.strategy_player import SUFFIX


@options.with_position
@options.with_player
def draw_search(
    start: Position,
    engine: Player,
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
    json: options.AsJson = False,
) -> None:
    """Draw the tree that a search visits: windows, cuts, searches again; of a Monte Carlo search, the last simulation step by step; of FILE.kbp, its strategy."""
    place = check_place(svg) if svg else None
    with ExitStack() as stack:
        drawn = trace_search(start, engine, room, _progress(stack) if terminal.errors.is_terminal else None)
    if place is not None:
        write_whole(place, drawn.svg(size) if size else drawn.svg())
    if json:
        terminal.print_json(drawn.as_dict())
    elif svg:
        terminal.console.print(f"{drawn.headline}\npicture written to {svg}", markup=False, soft_wrap=True)
    else:
        terminal.console.print(start)
        options.tell_choice(engine)
        terminal.console.print(drawn.rich(size) if size else drawn.rich(), soft_wrap=True)


@wraps(draw_search)
def tree(*, game: str, svg: str, size: int, json: bool, **others: Any) -> None:
    if not game.endswith(SUFFIX):
        draw_search(game=game, svg=svg, size=size, json=json, **others)
    elif svg:
        raise InputError("--svg draws what a search visits; a proof is shown as text, or with --json")
    else:
        strategy_tree(game, size, json)


tree.__name__ = "tree"  # the command's


def _progress(stack: ExitStack) -> Callable[[Result], None]:
    """Tell each depth that is finished, on a line that goes away; it comes with the first, when everything is compiled."""
    line: list[Status] = []

    def watch(result: Result) -> None:
        if not line:
            line.append(stack.enter_context(terminal.errors.status("")))
        line[0].update(f"searching {result.position.game.label}: depth {result.depth}, {terminal.count(result.nodes)} nodes")

    return watch
