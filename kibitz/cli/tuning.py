"""`kibitz tune`: numbers found in games."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from kibitz.arena.records import check_place
from kibitz.cli import shell
from kibitz.cli.matching import Jobs
from kibitz.core.protocol.weights import rows_of
from kibitz.tuning.evaluation import ZERO, Fitted, fit

tune = typer.Typer(no_args_is_help=True, help="Fit numbers to games.", rich_markup_mode="rich")


@tune.callback()
def _group() -> None:
    """Fit numbers to games."""


@tune.command("eval")
def evaluation(
    game: shell.GameName,
    games: Annotated[int, typer.Option("--games", help="Games of self-play, or of files at most.")] = 20_000,
    depth: Annotated[int | None, typer.Option("--depth", help="Plies looked ahead; usually 3, and 1 from recorded positions.")] = None,
    opening: Annotated[
        int, typer.Option("--opening", help="Random moves a game begins with, at most; moves of recorded games to leave out.")
    ] = 10,
    variety: Annotated[float, typer.Option("--variety", help="Part of the later moves that are random.")] = 0.1,
    quiescence: Annotated[int, typer.Option("--quiescence", min=0, max=64, help="Plies to play out noisy moves beyond the depth.")] = 0,
    unit: Annotated[str, typer.Option("--unit", metavar="FEATURE", help="Scale the weights so that this feature is worth 1.")] = "",
    ridge: Annotated[float, typer.Option("--ridge", help="So many positions pull every weight.")] = 1.0,
    towards: Annotated[
        str, typer.Option("--towards", metavar="zero|present", help="Pull them towards 0, or towards the game's present ones.")
    ] = ZERO,
    fade: Annotated[
        float, typer.Option("--fade", help="Below 1: learn from what the present weights say of later positions, each so much less.")
    ] = 1.0,
    recorded: Annotated[
        list[str],
        typer.Option("--from", metavar="FILE", help="Fit to the games in a file instead: PGN, records of matches, a game a line."),
    ] = [],  # noqa: B006
    every: Annotated[int, typer.Option("--every", help="Of so many positions of a recorded game keep one.")] = 1,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="File for the weights; GAME_weights.json here when left out.")] = "",
    param: shell.Parameters = [],  # noqa: B006
    seed: shell.Seed = 0,
    jobs: Jobs = 1,
    json: shell.AsJson = False,
) -> None:
    """Fit an evaluation's weights to games the engine plays against itself, or to recorded games. A stopped run goes on where it was."""
    chosen = shell.game_of(game, param)
    path = Path(out or f"{chosen.name}_weights.json")
    check_place(path)
    with shell.progress_bar() as bar:
        task = bar.add_task(f"reading games of {chosen.label}" if recorded else f"playing {chosen.label}", total=games)
        result = fit(
            chosen, games, depth=depth, seed=seed, opening=opening, variety=variety, ridge=ridge, towards=towards, fade=fade,
            quiescence=quiescence, unit=unit, recorded=recorded, every=every, jobs=jobs, out=path,
            watch=lambda played: bar.update(task, completed=min(played, games)),
        )  # fmt: skip
    if json:
        shell.print_json({**result.as_dict(), "file": str(path)})
        return
    _tell(result, game, param, path)


def _tell(result: Fitted, game: str, param: list[str], path: Path) -> None:
    old, new = rows_of(result.game.constants["WEIGHTS"]), rows_of(result.weights)
    phases = ("opening", "ending") if len(new) == 2 else ("",)
    table = Table(
        "feature", *(f"{when} {phase}".strip() for when in ("before", "after") for phase in phases), box=None, header_style="bold"
    )
    for i, name in enumerate(result.game.constants["FEATURES"]):
        table.add_row(name, *(f"{row[i]:.4g}" for rows in (old, new) for row in rows))
    shell.console.print(table)
    shell.console.print(f"{result.games} games, {result.positions} positions; on every fifth game, held out:")
    for when, quality in (("before", result.before), ("after", result.after)):
        shell.console.print(f"  {when:7} log-loss {quality.log_loss:.4f}, right about the winner {100 * quality.accuracy:.1f} %")
    if result.interrupted:
        shell.console.print("stopped before all games were played; the same command goes on from here")
    rules = [word for text in param if text.partition("=")[0].strip() != "weights" for word in ("--param", text)]
    words = ["kibitz", "match", game, *rules, "--depth", "3", "--one-param", f"weights={path}", "--two-param", "weights=start"]
    hint = shlex.join(words)
    shell.console.print(f"written to {path}; try: {hint}", markup=False, soft_wrap=True)
