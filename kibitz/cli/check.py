"""`kibitz check`: are the rules of a game sound?"""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli import options, terminal
from kibitz.core.checking import conformance
from kibitz.core.position.game import Game


@options.with_game
def check(
    game: Game,
    games: Annotated[int, typer.Option("--games", min=1, help="Random games to play.")] = 2000,
    seed: options.Seed = 0,
    json: options.AsJson = False,
) -> None:
    """Play random games and report everything in the rules that breaks the protocol."""
    with terminal.progress_bar() as bar:
        task = bar.add_task(f"checking {game.label}", total=games)
        report = conformance.check(game, games, seed, lambda done, total: bar.update(task, completed=done, total=total))
    if json:
        failures = [
            {"function": f.function, "problem": f.problem, "advice": f.advice, "moves": None if f.moves is None else list(f.moves)}
            for f in report.failures
        ]
        seen = {"games": report.games, "positions": report.positions, "most_moves": report.most_moves, "longest": report.longest}
        terminal.print_json({"game": report.game, "passed": report.passed, **seen, "failures": failures})
    else:
        for failure in report.failures:
            terminal.console.print(f"✗ {failure}", style="red", markup=False, soft_wrap=True)
        summary = f"{report.games} games, {report.positions} positions, up to {report.most_moves} moves, longest game {report.longest}"
        verdict = "[green]✓ sound[/]" if report.passed else "[red]not sound[/]"
        terminal.console.print(f"{report.game}: {verdict} ({summary})")
    if not report.passed:
        raise typer.Exit(1)
