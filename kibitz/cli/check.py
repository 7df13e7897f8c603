"""`kibitz check`: are the rules of a game sound?"""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli import options, terminal
from kibitz.core.checking import conformance
from kibitz.core.device.machine import DEVICES
from kibitz.core.errors import InputError, nearest
from kibitz.core.measuring.many_games import why_not_on_gpu
from kibitz.core.position.game import Game


@options.with_game
def check(
    game: Game,
    games: Annotated[int, typer.Option("--games", min=1, help="Random games to play.")] = 2000,
    seed: options.Seed = 0,
    device: options.Device = "cpu",
    json: options.AsJson = False,
) -> None:
    """Play random games and report everything in the rules that breaks the protocol."""
    if device not in DEVICES:
        raise InputError(f"--device {device}: {nearest(device, DEVICES, 'devices')}")
    with terminal.progress_bar() as bar:
        task = bar.add_task(f"checking {game.label}", total=games)
        report = conformance.check(game, games, seed, lambda done, total: bar.update(task, completed=done, total=total))
    why_not = why_not_on_gpu(game) if device != "cpu" and report.passed else None
    if json:
        failures = [
            {"function": f.function, "problem": f.problem, "advice": f.advice, "moves": None if f.moves is None else list(f.moves)}
            for f in report.failures
        ]
        seen = {"games": report.games, "positions": report.positions, "most_moves": report.most_moves, "longest": report.longest}
        gpu = {"runs_on_gpu": why_not is None, "why_not": why_not} if device != "cpu" else {}
        terminal.print_json({"game": report.game, "passed": report.passed, **seen, "failures": failures, **gpu})
    else:
        for failure in report.failures:
            terminal.console.print(f"✗ {failure}", style="red", markup=False, soft_wrap=True)
        summary = f"{report.games} games, {report.positions} positions, up to {report.most_moves} moves, longest game {report.longest}"
        verdict = "[green]✓ sound[/]" if report.passed else "[red]not sound[/]"
        terminal.console.print(f"{report.game}: {verdict} ({summary})")
        if device != "cpu" and report.passed:
            told = "[green]✓ its rules run on a GPU[/]" if why_not is None else "[red]its rules do not run on a GPU[/]"
            terminal.console.print(f"{report.game}: {told}")
            if why_not is not None:
                terminal.console.print(why_not, markup=False, soft_wrap=True)
    if not report.passed or why_not is not None:
        raise typer.Exit(1)
