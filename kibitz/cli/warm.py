"""`kibitz warm`: compile in advance what commands need."""

from __future__ import annotations

import contextlib
import time
from typing import Annotated, Any

import typer

from kibitz.cli import options, terminal
from kibitz.core.compiling import compile_progress
from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import perft
from kibitz.core.position.game import Game
from kibitz.core.position.loading import shipped
from kibitz.core.running.pool import cores, spread
from kibitz.players import usual_player, usual_solver
from kibitz.searches.method import fitting

PERFT = "perft"

Task = tuple[str, tuple[str, ...], str]  # a game, its parameters, and a player or PERFT


def warm(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Games to compile; by default all shipped games.")] = None,
    with_: options.With = "",
    all_: Annotated[
        bool, typer.Option("--all", help="Compile every search that fits, not only those of search, play, solve and perft.")
    ] = False,
    param: options.Parameters = [],  # noqa: B006
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes; by default one for each core.")] = None,
    json: options.AsJson = False,
) -> None:
    """Compile games with their usual searches ahead, on all cores; what is compiled already takes a moment."""
    if with_ and all_:
        raise InputError("--with and --all exclude each other; give one of them")
    tasks: list[Task] = []
    for name in games or shipped():
        game = options.load_game(name, param)  # refused before any work
        options.choose_player(with_, game).check(game)
        tasks += [(name, tuple(param), text) for text in ([with_] if with_ else [*_searches(game, all_), PERFT])]
    done: list[dict[str, Any]] = []
    with terminal.progress_bar() as bar:
        task = bar.add_task("compiling", total=len(tasks))
        for _, one in spread(_compile, tasks, min(jobs or cores(), len(tasks))):
            done.append(one)
            bar.update(task, advance=1, description=f"compiled {one['game']}")
            if not json:
                terminal.console.print(f"{one['game']:<14} {one['player']:<12} {one['seconds']:6.1f} s", markup=False)
    if json:
        terminal.print_json({"warm": done})


def _searches(game: Game, every: bool) -> list[str]:
    """What `search`, `play` and `solve` take for the game where nobody names a search; or all that fit, these first."""
    usual = [usual_player(game).method.name]
    with contextlib.suppress(InputError):  # nothing solves it
        usual.append(usual_solver(game, {}))
    return list(dict.fromkeys([*usual, *(fitting(game) if every else ())]))


def _compile(task: Task) -> dict[str, Any]:
    """One game with one search. In whichever process, so it is told of when it is done."""
    name, param, text = task
    before = compile_progress.listen(lambda _: None)
    began = time.perf_counter()
    game = options.load_game(name, list(param))
    try:
        if text == PERFT:
            perft(game.start, 1)
        else:
            engine = options.choose_player(text, game)
            engine.prepare(game.start)
    finally:
        compile_progress.listen(before)
    return {"game": game.name, "player": PERFT if text == PERFT else engine.method.name, "seconds": round(time.perf_counter() - began, 2)}
