"""`kibitz tree`: draw the tree that a search visits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.status import Status

from kibitz.cli import options, terminal
from kibitz.cli.prove import strategy_tree
from kibitz.core.errors import InputError
from kibitz.core.files import check_place, write_whole
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.pictures.proof_tree import ProofTree, trace_proof
from kibitz.pictures.search_tree import MOST_ROOM, SearchTree, check_room, proof_search, trace_search
from kibitz.pictures.simulation_tree import MonteCarloTree
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
    room: Annotated[int, typer.Option("--room", metavar="N", min=1, max=MOST_ROOM, help="Most visits to record.")] = MOST,
    html: Annotated[str, typer.Option("--html", metavar="FILE", help="Of FILE.kbp: write a page that unfolds.")] = "",  # noqa: ARG001 - `tree` has it
    json: options.AsJson = False,
) -> None:
    """Draw the tree that a search visits: windows, cuts, searches again; of a Monte Carlo search, the last simulation step by step; of pn and pn2, proof numbers; of FILE.kbp, its strategy."""
    place = check_place(svg) if svg else None
    with ExitStack() as stack:
        drawn = trace_search(start, engine, room, _progress(stack) if terminal.errors.is_terminal else None)
    _show(drawn, start, place, size, json, engine)


@wraps(draw_search)
def tree(*, game: str, svg: str, size: int, json: bool, with_: str, html: str, **others: Any) -> None:
    if game.endswith(SUFFIX):
        if svg:
            raise InputError("--svg draws what a search visits; a proof is shown as text, as a page with --html, or with --json")
        strategy_tree(game, size, json, others["moves"], others["depth"], html)
    elif html:
        raise InputError("--html is for proofs, such as kibitz tree won.kbp; a picture of what a search visits is --svg")
    elif with_ and (of_proof := proof_search(with_)) is not None:
        _draw_proof(game, *of_proof, svg, size, json, **others)
    else:
        draw_search(game=game, svg=svg, size=size, json=json, with_=with_, html="", **others)


def _draw_proof(
    game: str,
    name: str,
    given: dict[str, Any],
    svg: str,
    size: int,
    json: bool,
    *,
    position: str,
    moves: str,
    from_: str,
    at: int | None,
    param: list[str],
    room: int,
    **limits: Any,
) -> None:
    """A proof-number search, which is no player: it answers a claim."""
    place = check_place(svg) if svg else None
    start = options.open_position(game, param, position, moves, from_, at)
    _show(
        trace_proof(start, name, {**given, **{n: v for n, v in limits.items() if v is not None}}, check_room(room)),
        start,
        place,
        size,
        json,
    )


def _show(
    drawn: SearchTree | MonteCarloTree | ProofTree, start: Position, place: Path | None, size: int, json: bool, engine: Player | None = None
) -> None:
    if place is not None:
        write_whole(place, drawn.svg(size) if size else drawn.svg())
    if json:
        terminal.print_json(drawn.as_dict())
    elif place is not None:
        terminal.console.print(f"{drawn.headline}\npicture written to {place}", markup=False, soft_wrap=True)
    else:
        terminal.console.print(start)
        if engine is not None:
            options.tell_choice(engine)
        terminal.console.print(drawn.rich(size) if size else drawn.rich(), soft_wrap=True)


tree.__name__ = "tree"  # the command's


def _progress(stack: ExitStack) -> Callable[[Result], None]:
    """Tell each depth that is finished, on a line that goes away; it comes with the first, when everything is compiled."""
    line: list[Status] = []

    def watch(result: Result) -> None:
        if not line:
            line.append(stack.enter_context(terminal.errors.status("")))
        line[0].update(f"searching {result.position.game.label}: depth {result.depth}, {terminal.count(result.nodes)} nodes")

    return watch
