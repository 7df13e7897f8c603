"""`kibitz equilibrium` and `kibitz exploit`: strategies for a whole game of hidden information, and their exploitability."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from kibitz.arena.exploitability import measure
from kibitz.cli import options, terminal
from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.core.position.game import Position
from kibitz.players import Player
from kibitz.searches.equilibrium.cfr import MOST_ROUNDS
from kibitz.searches.equilibrium.regrets import FORMS
from kibitz.searches.equilibrium.solving import USUAL, Report, Solver, check_game
from kibitz.searches.equilibrium.strategy import Strategy
from kibitz.searches.equilibrium.unfolding import LIMIT, GameTree, unfold_position

USUAL_ROUNDS = 1000
LISTED = 40  # information sets, unless all are asked for
SAVE_EVERY = 60.0  # seconds


@options.with_position
def equilibrium(
    start: Position,
    rounds: Annotated[
        int | None, typer.Option("--rounds", min=1, help="Rounds in all; by default 1000, where nothing else ends it.")
    ] = None,
    until: Annotated[
        float | None, typer.Option("--until", metavar="EXPLOITABILITY", help="Stop when no more than this can be won from it.")
    ] = None,
    time: options.Time = None,
    form: Annotated[str, typer.Option("--form", help=f"One of {', '.join(FORMS)}.")] = USUAL,
    resume: Annotated[str, typer.Option("--resume", metavar="FILE", help="Save it there, and go on from it if it exists.")] = "",
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Refuse a game with more histories than this.")] = LIMIT,
    all_: Annotated[bool, typer.Option("--all", help="List every information set.")] = False,
    json: options.AsJson = False,
) -> None:
    """Find an equilibrium of a small game of hidden information: what to do wherever you may be, and what can be won from that."""
    game = start.game
    if (reason := check_game(game)) is not None:
        raise InputError(f"no equilibrium of {game.label}: {reason}; games of hidden information have one, others a value: kibitz solve")
    place = check_place(resume) if resume else None
    tree = _unfold(start, limit)
    solver = Solver(tree, form)
    if place is not None:
        solver.resume(place)
    most = rounds or (MOST_ROUNDS if until is not None or time is not None else USUAL_ROUNDS)
    if not json:
        terminal.console.print(f"{game.label}: {_size(tree)}", markup=False)
    report = _follow(solver, most, time, until or 0.0, place, quiet=json)
    if json:
        terminal.print_json({**_as_dict(report), "form": form, "strategy": [_row(report.strategy, info) for info in range(tree.infosets)]})
        return
    terminal.console.print(_verdict(report), markup=False, soft_wrap=True)
    listed = tree.infosets if all_ else min(LISTED, tree.infosets)
    terminal.console.print(_table(report.strategy, listed))
    if listed < tree.infosets:
        terminal.console.print(f"and {terminal.count(tree.infosets - listed)} more: --all lists them", markup=False)
    if place is not None:
        terminal.console.print(f"saved in {place}: --with \"cfr(file='{place}')\" plays it", markup=False, soft_wrap=True)
    if report.ended == "interrupted":
        raise typer.Exit(1)


@options.with_position
@options.with_player
def exploit(
    start: Position,
    engine: Player,
    seeds: Annotated[
        int, typer.Option("--seeds", metavar="N", min=1, help="Searches in each information set, each with another seed.")
    ] = 10,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Refuse a game with more histories than this.")] = LIMIT,
    json: options.AsJson = False,
) -> None:
    """Find out what a best reply wins from a player, who is asked for his move wherever he may have to make one."""
    game = start.game
    if not json:
        options.tell_choice(engine)
    tree = _unfold(start, limit)
    with terminal.progress_bar() as bar:
        task = bar.add_task("information sets", total=tree.infosets)
        found = measure(tree, engine, seeds, lambda done: bar.update(task, completed=done))
    if json:
        terminal.print_json(
            {
                "game": game.label, "engine": engine.name, "seeds": seeds, "infosets": tree.infosets, "searches": found.searches,
                "values": list(found.strategy.values), "gains": list(found.strategy.gains), "exploitability": found.strategy.exploitability,
            }
        )  # fmt: skip
        return
    terminal.console.print(f"{engine.name} in {game.label}: {terminal.count(found.searches)} searches", markup=False, soft_wrap=True)
    for p, (value, gain) in enumerate(zip(found.strategy.values, found.strategy.gains, strict=True)):
        terminal.console.print(f"{game.side(p)}: {value:+.4f} against itself, a best reply {value + gain:+.4f}, {gain:.4f} more")
    terminal.console.print(f"exploitability {found.strategy.exploitability:.4f}", style="bold")


def _unfold(start: Position, limit: int) -> GameTree:
    game = start.game
    with _status(f"unfolding {game.label}") as tell:
        return unfold_position(start, limit, lambda n: tell(f"unfolding {game.label}: {terminal.count(n)} histories"))


def _follow(solver: Solver, rounds: int, seconds: float | None, until: float, place: Path | None, *, quiet: bool) -> Report:
    """Run to a limit; a line each time that the rounds have doubled, and the file saved now and then."""
    shown, saved = 0, solver.seconds
    if not quiet:
        terminal.console.print("   rounds  exploitability   seconds", style="bold")
    for report in solver.run(rounds, seconds, until):
        if not quiet and (report.rounds >= 2 * shown or report.ended):
            shown = report.rounds
            terminal.console.print(
                f"{terminal.count(report.rounds):>9}  {report.exploitability:14.6f}  {report.seconds:8.2f}", markup=False
            )
        if place is not None and (report.ended or report.seconds - saved > SAVE_EVERY):
            saved = report.seconds
            solver.save(place)
    return report


@contextmanager
def _status(first: str) -> Iterator[Any]:
    if not terminal.errors.is_terminal:
        yield lambda _: None
        return
    with terminal.errors.status(first) as status:
        yield status.update


# --- words ---


def _size(tree: GameTree) -> str:
    return f"{terminal.count(tree.histories)} histories, {terminal.count(tree.infosets)} information sets"


def _verdict(report: Report) -> str:
    values = ", ".join(f"{value:+.6f} for {report.strategy.tree.game.side(p)}" for p, value in enumerate(report.strategy.values))
    return f"worth {values}; a best reply wins {report.exploitability:.6f} more, on average over the seats"


def _table(strategy: Strategy, listed: int) -> Table:
    table = Table("player", "what he knows", "what he does", box=None, header_style="bold", pad_edge=False)
    for info in range(listed):
        row = _row(strategy, info)
        moves = "  ".join(f"{name} {chance:.3f}" for name, chance in row["moves"].items())
        table.add_row(str(row["player"]), row["knows"], moves)
    return table


def _row(strategy: Strategy, info: int) -> dict[str, Any]:
    position = strategy.tree.position(info)
    names = {int(m): str(m) for m in position.moves}
    moves = {names[move]: round(chance, 6) for move, chance in strategy.of(info).items()}
    return {"player": position.player + 1, "knows": strategy.tree.words(info), "moves": moves}


def _as_dict(report: Report) -> dict[str, Any]:
    tree = report.strategy.tree
    return {
        "game": tree.game.label,
        "histories": tree.histories,
        "infosets": tree.infosets,
        "rounds": report.rounds,
        "values": list(report.strategy.values),
        "exploitability": report.exploitability,
        "seconds": round(report.seconds, 6),
        "ended": report.ended,
    }
