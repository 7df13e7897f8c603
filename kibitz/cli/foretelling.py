"""`kibitz tune probcut`: how well shallow searches foretell deep ones."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from kibitz.cli import shell
from kibitz.cli.matching import Jobs
from kibitz.core.files import check_place
from kibitz.searches.deterministic.probcut import store
from kibitz.tuning.probcut import Plan, check, measure


def probcut(
    game: shell.GameName,
    games: Annotated[int, typer.Option("--games", min=1, help="Games of self-play; four positions of each are searched.")] = 200,
    deepest: Annotated[int, typer.Option("--depth", min=3, max=32, help="Plies of the deepest search.")] = 8,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="File for the numbers; where searches find them when left out.")] = "",
    param: shell.Parameters = [],  # noqa: B006
    seed: shell.Seed = 0,
    jobs: Jobs = 1,
    json: shell.AsJson = False,
) -> None:
    """Measure what `selective(probcut=...)` needs to know: deep value = a * shallow value + b, give or take sigma. A stopped run goes on where it was."""
    chosen = shell.game_of(game, param)
    check(chosen)
    place = check_place(out) if out else None
    plan = Plan(chosen, games, deepest, seed)
    with shell.progress_bar() as bar:
        task = bar.add_task(f"searching {chosen.label}", total=games)
        cuts = measure(plan, jobs, lambda done, of: bar.update(task, completed=min(done, of)))
    path = store(chosen, cuts, place)
    plan.journal.unlink(missing_ok=True)
    if json:
        shell.print_json({"game": chosen.label, "file": str(path), "cuts": [asdict(c) for c in cuts]})
        return
    table = Table("deep", "shallow", "a", "b", "sigma", box=None, header_style="bold")
    for cut in cuts:
        table.add_row(str(cut.deep), str(cut.shallow), f"{cut.a:.3f}", f"{cut.b:+.3f}", f"{cut.sigma:.3f}")
    shell.console.print(table)
    shell.console.print(f"{cuts[0].positions} positions; written to {path}; try: --with 'selective(probcut=1.5)'", markup=False)
