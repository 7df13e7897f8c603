"""`kibitz tune`: fit the weights of an evaluation, or the numbers of ProbCut, to games."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from kibitz.cli import options, terminal
from kibitz.core.files import check_place
from kibitz.core.position.game import Game
from kibitz.core.protocol.weights import rows_of
from kibitz.searches.deterministic.probcut import store
from kibitz.tuning import probcut_fit
from kibitz.tuning.eval_fit import ZERO, Fitted, fit

tune = typer.Typer(no_args_is_help=True, help="Fit numbers to games.", rich_markup_mode="rich")


@tune.callback()
def _group() -> None:
    """Fit numbers to games."""


@tune.command("eval")
def evaluation(
    game: options.GameName,
    games: Annotated[int, typer.Option("--games", help="Games of self-play, or at most from files.")] = 20_000,
    depth: Annotated[int | None, typer.Option("--depth", help="Plies searched; usually 3, and 1 from recorded positions.")] = None,
    opening: Annotated[
        int, typer.Option("--opening", help="Most random moves at the start of a game; moves to skip at the start of recorded games.")
    ] = 10,
    variety: Annotated[float, typer.Option("--variety", help="Share of later moves that are random.")] = 0.1,
    quiescence: Annotated[int, typer.Option("--quiescence", min=0, max=64, help="Plies of quiescence search beyond the depth.")] = 0,
    unit: Annotated[str, typer.Option("--unit", metavar="FEATURE", help="Scale the weights so that this feature is worth 1.")] = "",
    ridge: Annotated[float, typer.Option("--ridge", help="Strength of the penalty on weights, in positions.")] = 1.0,
    towards: Annotated[
        str, typer.Option("--towards", metavar="zero|present", help="Pull weights towards 0, or towards the game's present ones.")
    ] = ZERO,
    fade: Annotated[
        float,
        typer.Option(
            "--fade",
            help="Below 1: learn from the present evaluation of later positions, each weighted by this factor less than the one before (TD(lambda)).",
        ),
    ] = 1.0,
    recorded: Annotated[
        list[str],
        typer.Option("--from", metavar="FILE", help="Fit to the games in a file instead: PGN, records of matches, one game per line."),
    ] = [],  # noqa: B006
    every: Annotated[int, typer.Option("--every", help="Keep every Nth position of a recorded game.")] = 1,
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="File for the weights; by default GAME_weights.json in the current folder.")
    ] = "",
    param: options.Parameters = [],  # noqa: B006
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    json: options.AsJson = False,
) -> None:
    """Fit an evaluation's weights to games the engine plays against itself, or to recorded games. A stopped run goes on where it was."""
    chosen = options.load_game(game, param)
    path = Path(out or f"{chosen.name}_weights.json")
    check_place(path)
    with terminal.progress_bar() as bar:
        task = bar.add_task(f"reading games of {chosen.label}" if recorded else f"playing {chosen.label}", total=games)
        result = fit(
            chosen, games, depth=depth, seed=seed, opening=opening, variety=variety, ridge=ridge, towards=towards, fade=fade,
            quiescence=quiescence, unit=unit, recorded=recorded, every=every, jobs=jobs, out=path,
            watch=lambda played: bar.update(task, completed=min(played, games)),
        )  # fmt: skip
    if json:
        terminal.print_json({**result.as_dict(), "file": str(path)})
        return
    _print(result, game, param, path)


def _print(result: Fitted, game: str, param: list[str], path: Path) -> None:
    old, new = rows_of(result.game.constants["WEIGHTS"]), rows_of(result.weights)
    phases = ("opening", "ending") if len(new) == 2 else ("",)
    table = Table(
        "feature", *(f"{when} {phase}".strip() for when in ("before", "after") for phase in phases), box=None, header_style="bold"
    )
    for i, name in enumerate(result.game.constants["FEATURES"]):
        table.add_row(name, *(f"{row[i]:.4g}" for rows in (old, new) for row in rows))
    terminal.console.print(table)
    terminal.console.print(f"{result.games} games, {result.positions} positions; on every fifth game, held out:")
    for when, quality in (("before", result.before), ("after", result.after)):
        terminal.console.print(f"  {when:7} log-loss {quality.log_loss:.4f}, right about the winner {100 * quality.accuracy:.1f} %")
    if result.interrupted:
        terminal.console.print("stopped before all games were played; the same command goes on from here")
    rules = [word for text in param if text.partition("=")[0].strip() != "weights" for word in ("--param", text)]
    words = ["kibitz", "match", game, *rules, "--depth", "3", "--one-param", f"weights={path}", "--two-param", "weights=start"]
    hint = shlex.join(words)
    terminal.console.print(f"written to {path}; try: {hint}", markup=False, soft_wrap=True)


# --- ProbCut ---


@tune.command()
@options.with_game
def probcut(
    game: Game,
    games: Annotated[int, typer.Option("--games", min=1, help="Games of self-play; four positions of each are searched.")] = 200,
    deepest: Annotated[int, typer.Option("--depth", min=3, max=32, help="Plies of the deepest search.")] = 8,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="File for the numbers; by default where searches find them.")] = "",
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    json: options.AsJson = False,
) -> None:
    """Measure what `selective(probcut=...)` needs to know: deep value = a * shallow value + b, give or take sigma. A stopped run goes on where it was."""
    probcut_fit.check(game)
    place = check_place(out) if out else None
    plan = probcut_fit.Plan(game, games, deepest, seed)
    with terminal.progress_bar() as bar:
        task = bar.add_task(f"searching {game.label}", total=games)
        cuts = probcut_fit.measure(plan, jobs, lambda done, of: bar.update(task, completed=min(done, of)))
    path = store(game, cuts, place)
    plan.journal.unlink(missing_ok=True)
    if json:
        terminal.print_json({"game": game.label, "file": str(path), "cuts": [asdict(c) for c in cuts]})
        return
    table = Table("deep", "shallow", "a", "b", "sigma", box=None, header_style="bold")
    for cut in cuts:
        table.add_row(str(cut.deep), str(cut.shallow), f"{cut.a:.3f}", f"{cut.b:+.3f}", f"{cut.sigma:.3f}")
    terminal.console.print(table)
    terminal.console.print(f"{cuts[0].positions} positions; written to {path}; try: --with 'selective(probcut=1.5)'", markup=False)
