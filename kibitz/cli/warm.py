"""`kibitz warm`: compile what commands need before somebody waits for it."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from kibitz.cli import options, terminal
from kibitz.core.compiling import compile_progress
from kibitz.core.measuring.perft import perft
from kibitz.core.position.loading import shipped
from kibitz.core.running.pool import cores, spread


def warm(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Games to get ready; all shipped games when none is named.")
    ] = None,
    with_: options.With = "",
    param: options.Parameters = [],  # noqa: B006
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes; by default one for each core.")] = None,
    json: options.AsJson = False,
) -> None:
    """Compile games with their usual search ahead, on all cores; what is compiled already takes a moment."""
    wanted = games or shipped()
    for name in wanted:
        options.choose_player(with_, options.load_game(name, param)).check(options.load_game(name, param))  # refused before any work
    done: list[dict[str, Any]] = []
    with terminal.progress_bar() as bar:
        task = bar.add_task("compiling", total=len(wanted))
        for _, one in spread(_compile, [(name, tuple(param), with_) for name in wanted], min(jobs or cores(), len(wanted))):
            done.append(one)
            bar.update(task, advance=1, description=f"compiled {one['game']}")
            if not json:
                terminal.console.print(f"{one['game']:<14} {one['player']:<12} {one['seconds']:6.1f} s", markup=False)
    if json:
        terminal.print_json({"warm": done})


def _compile(task: tuple[str, tuple[str, ...], str]) -> dict[str, Any]:
    """One game: counting its moves, and a search. In whichever process, so it is told of when it is done."""
    name, param, text = task
    before = compile_progress.listen(lambda _: None)
    began = time.perf_counter()
    game = options.load_game(name, list(param))
    engine = options.choose_player(text, game)
    try:
        engine.prepare(game.start)
        perft(game.start, 1)
    finally:
        compile_progress.listen(before)
    return {"game": game.name, "player": engine.method.name, "seconds": round(time.perf_counter() - began, 2)}
