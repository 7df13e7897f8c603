"""`kibitz table`: build, probe, inspect and verify endgame tables."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from kibitz.cli import options, terminal
from kibitz.core.errors import InputError
from kibitz.core.files import data_folder, write_whole
from kibitz.core.position.game import Game, Position
from kibitz.tables.endgame.builders.building import Builder, Built
from kibitz.tables.endgame.builders.reaching import USUAL_DISK
from kibitz.tables.endgame.histogram import histogram
from kibitz.tables.endgame.inspecting import Statistics, statistics, verify
from kibitz.tables.endgame.numbering import USUAL_MEMORY
from kibitz.tables.endgame.probing import RESULTS, Entry, Tables

WIDEST_BAR = 50  # characters of the histogram
FAULTS_SHOWN = 5
ORDER = ("won", "drawn", "lost", "valued", "finished", "nothing")  # of counts

Folder = Annotated[str, typer.Option("--tables", metavar="DIR", help="The folder of the tables; by default kibitz's own.")]
Sections = Annotated[list[str] | None, typer.Argument(metavar="SECTION", help="A section such as KBNK in chess; by default all.")]

table = typer.Typer(no_args_is_help=True, help="Endgame tables of any game.", rich_markup_mode="rich")


@table.callback()
def _group() -> None:
    """Endgame tables of any game."""


def folder_of(given: str) -> Path:
    """Where tables are, if nobody says otherwise: below the folder for what was long in the making."""
    return Path(given) if given else data_folder() / "tables"


@table.command()
def build(
    game: options.GameName,
    sections: Sections = None,
    men: Annotated[int, typer.Option("--men", min=0, help="Build all sections with at most N men.")] = 0,
    tables: Folder = "",
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Threads that list moves; 0: one for each core.")] = 0,
    memory: Annotated[
        float, typer.Option("--memory", min=1, metavar="MB", help="Memory limit for positions and their moves.")
    ] = USUAL_MEMORY,
    disk: Annotated[
        float,
        typer.Option("--disk", min=1, metavar="MB", help="Limit for files of counted positions that do not fit in memory."),
    ] = USUAL_DISK,
    param: options.Parameters = [],  # noqa: B006
    json: options.AsJson = False,
) -> None:
    """Solve every position of a game, or of an ending of it. Continues an earlier run that was stopped."""
    chosen = options.load_game(game, param)
    names = _named(chosen, list(sections or []), men)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal.errors, transient=True, disable=not terminal.errors.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def watch(section: str, what: str, done: int, size: int) -> None:
            said = f"{done} positions" if not section else what
            bar.update(task, description=f"{section} {said}", completed=done if size else None, total=size or None)

        builder = Builder(chosen, folder_of(tables), jobs, memory, disk, None, watch)
        if not json:
            what = "numbers to look at" if builder.numbering.is_ranked else "positions to solve"
            print(f"{chosen.label}: {terminal.count(sum(s.size for s in builder.wanted(names)))} {what}")
        found = builder.build(names)
    if json:
        terminal.print_json({"game": chosen.label, "tables": [_as_dict(b) for b in found]})
        return
    for b in found:
        print(
            f"{b.section.name}: {_counted(b.counts)}; {terminal.count(b.path.stat().st_size)} bytes{'' if b.is_new else ', there before'}: {b.path}"
        )


def _named(game: Game, sections: list[str], men: int) -> list[str]:
    if sections and not game.constants["SECTIONS"]:
        raise InputError(f"{game.label} names no sections; leave them out: its table holds all positions")
    if not men:
        return sections
    if sections:
        raise InputError("--men and sections exclude each other; give one of them")
    names = [name for name, _, _, of_men in game.constants["SECTIONS"] if of_men <= men]
    if not names:
        raise InputError(f"{game.label} has no sections with at most {men} men")
    return names


def _counted(counts: dict[str, int]) -> str:
    """Counts of positions in a fixed order."""
    return ", ".join(f"{terminal.count(counts[what])} {what}" for what in ORDER if counts.get(what))


def _as_dict(b: Built) -> dict[str, Any]:
    return {"section": b.section.name, "file": str(b.path), "new": b.is_new, "counts": b.counts, "bytes": b.path.stat().st_size}


@table.command()
def probe(
    game: options.GameName,
    position: options.Board = "",
    moves: options.Moves = "",
    tables: Folder = "",
    param: options.Parameters = [],  # noqa: B006
    json: options.AsJson = False,
) -> None:
    """Look a position up: its value, the result of each move, and best play to the end."""
    p = options.open_position(game, param, position, moves)
    known = Tables(folder_of(tables), p.game)
    entry = known.look_up(p)
    after = [(move, q, known.look_up(q)) for move in p.moves for q in [p.play(int(move))]] if entry else []
    best = known.best_move(p)
    line = known.line(p)
    if json:
        terminal.print_json(
            {
                "game": p.game.label,
                "position": p.show(),
                "entry": None if entry is None else vars(entry),
                "move": None if best is None else str(best[0]),
                "moves": [{"move": str(m), "entry": None if e is None else vars(e)} for m, _, e in after],
                "line": [str(m) for m in line],
            }
        )
        return
    terminal.console.print(p)
    if entry is None:
        print("no table holds this position" if not p.is_over else "the game is over")
        return
    print(f"{_said(p, entry)} (table {entry.table})")
    rows = Table("move", "comes to", box=None, header_style="bold", pad_edge=False)
    for move, q, found in after:
        rows.add_row(
            str(move), f"{q.utility(0):+g} for the first player, the end" if q.is_over else "?" if found is None else _said(q, found)
        )
    terminal.console.print(rows)
    if line:
        print(f"line: {' '.join(str(m) for m in line)}")


def _said(p: Position, entry: Entry) -> str:
    """A table's answer in words."""
    whose = "the first player's" if p.is_chance else "the mover's"
    drawn = p.game.drawn
    if entry.distance is None and entry.value == drawn and not p.game.has_chance:
        return "drawn"
    if entry.distance is None:
        return f"{entry.value:+.9f} {whose}, to within {entry.error:.1e}" if entry.error else f"{entry.value:+g} {whose}, exact"
    ending = f"in {entry.distance} {'ply' if entry.distance == 1 else 'plies'}"
    doubt = "" if entry.exact else ", unless the game is drawn before by its count of moves or by repetition"
    return f"{'won' if entry.value > drawn else 'lost'} {ending} for the player to move{doubt}"


@table.command()
def stats(
    game: options.GameName,
    sections: Sections = None,
    tables: Folder = "",
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Also draw the histogram of one section.")] = "",
    param: options.Parameters = [],  # noqa: B006
    json: options.AsJson = False,
) -> None:
    """Print counts by result, a histogram of distances, and the longest win."""
    found = _statistics(game, param, tables, sections)
    if svg and (len(found) != 1 or found[0].kind != RESULTS):
        raise InputError("--svg draws one section of wins and losses; name it")
    if svg:
        write_whole(Path(svg), histogram(found[0]))
    if json:
        _print_statistics(game, param, found)
    for s in found if not json else ():
        _tell(s)


def _open(game: str, param: list[str], folder: str, sections: list[str] | None) -> tuple[Tables, list[str]]:
    """The tables of a game, and the sections that were named, or all that have a table."""
    known = Tables(folder_of(folder), options.load_game(game, param))
    if not sections and not known.files:
        raise InputError(f"there are no tables of {known.game.label} in {known.folder}; kibitz table build {known.game.name} makes them")
    return known, list(sections) if sections else list(known.files)


def _statistics(game: str, param: list[str], folder: str, sections: list[str] | None) -> list[Statistics]:
    known, names = _open(game, param, folder, sections)
    return [statistics(known, name) for name in names]


def _print_statistics(game: str, param: list[str], found: list[Statistics]) -> None:
    terminal.print_json({"game": options.load_game(game, param).label, "tables": [s.as_dict() for s in found]})


def _tell(s: Statistics) -> None:
    told = _counted(s.counts)
    print(f"{s.section}: {told}; {terminal.count(s.bytes_)} bytes{f'; error at most {s.error:.1e}' if s.error else ''}")
    most = max((sum(pair) for pair in s.distances.values()), default=0)
    for distance, (won, lost) in s.distances.items():
        if won + lost:
            bar = "#" * max(1, round(WIDEST_BAR * (won + lost) / most))
            print(f"{distance:5d} plies {terminal.count(won):>12} won {terminal.count(lost):>12} lost  {bar}")
    if s.longest is not None:
        print(f"longest, {len(s.line)} plies:\n{s.longest.show()}\nline: {' '.join(str(m) for m in s.line)}")


@table.command()
def longest(
    game: options.GameName,
    sections: Sections = None,
    tables: Folder = "",
    param: options.Parameters = [],  # noqa: B006
    json: options.AsJson = False,
) -> None:
    """Print the longest win of each table, with a position and best play from there to the end."""
    found = _statistics(game, param, tables, sections)
    if json:
        _print_statistics(game, param, found)
        return
    for s in found:
        if s.kind != RESULTS:
            print(f"{s.section}: expected values, without distances")
        elif s.longest is None:  # of a table whose numbers are keys no position can be made
            furthest = max((d for d, n in s.distances.items() if any(n)), default=0)
            print(f"{s.section}: {f'{furthest} plies; which position that is, the table does not tell' if furthest else 'all drawn'}")
        else:
            print(f"{s.section}: {len(s.line)} plies from {_one_line(s.longest)}\n  {' '.join(str(m) for m in s.line)}")


def _one_line(p: Position) -> str:
    """The position as it can be typed, as short as the game has it."""
    lines = p.show().splitlines()
    with suppress(InputError):
        if p.game.position(lines[-1]).data == p.data:
            return lines[-1]
    return " / ".join(lines)


@table.command("verify")
def verifying(
    game: options.GameName,
    sections: Sections = None,
    positions: Annotated[int, typer.Option("--positions", min=0, help="Random positions of each table; 0 for all.")] = 1000,
    tables: Folder = "",
    param: options.Parameters = [],  # noqa: B006
    seed: options.Seed = 0,
    json: options.AsJson = False,
) -> None:
    """Check every byte, and compare positions with their successors by the rules alone. Exit code 1 if something is wrong."""
    known, names = _open(game, param, tables, sections)
    answers = []
    with terminal.progress_bar() as bar:
        for name in names:
            task = bar.add_task(f"{name}", total=positions or None)
            looked_at, faults = verify(known, name, positions, seed, lambda n, task=task: bar.update(task, completed=n))  # type: ignore[misc]
            answers.append((name, looked_at, faults))
            bar.remove_task(task)
    if json:
        terminal.print_json({"game": known.game.label, "tables": [{"section": n, "positions": k, "faults": len(f)} for n, k, f in answers]})
    for name, looked_at, faults in answers if not json else ():
        print(
            f"{name}: {terminal.count(looked_at)} positions agree with their successors"
            if not faults
            else f"{name}: {len(faults)} of {looked_at} positions are wrong"
        )
        for fault in faults[:FAULTS_SHOWN]:
            print(f"says {fault.said:g}, and its moves come to {fault.follows:g}:\n{fault.position.show()}")
    if any(faults for *_, faults in answers):
        raise typer.Exit(1)


@table.command("list")
def listing(
    game: options.GameName,
    tables: Folder = "",
    param: options.Parameters = [],  # noqa: B006
    json: options.AsJson = False,
) -> None:
    """List the tables of a game."""
    chosen = options.load_game(game, param)
    known = Tables(folder_of(tables), chosen)
    rows = [(name, f.header["kind"], f.header["end"] - f.header["begin"], f.path.stat().st_size) for name, f in known.files.items()]
    if json:
        terminal.print_json(
            {
                "game": chosen.label,
                "folder": str(known.folder),
                "tables": [dict(zip(("section", "kind", "positions", "bytes"), r, strict=True)) for r in rows],
            }
        )
        return
    shown = Table("section", "holds", "positions", "bytes", box=None, header_style="bold", pad_edge=False)
    for name, kind, size, bytes_ in rows:
        shown.add_row(name, kind, terminal.count(size), terminal.count(bytes_))
    terminal.console.print(shown)
    print(f"{len(rows)} tables of {chosen.label} in {known.folder}")
