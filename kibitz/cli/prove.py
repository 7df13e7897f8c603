"""Commands for claims: `kibitz prove` and `kibitz verify`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options, terminal
from kibitz.cli.belief import show_strategy, verify_strategy
from kibitz.core.errors import InputError
from kibitz.core.files import check_place, write_whole
from kibitz.core.position.game import Position
from kibitz.searches.proof.numbers import NEVER
from kibitz.searches.proof.prove import LEAVES, METHODS, USUAL_MEMORY, Proof, Watch
from kibitz.searches.proof.prove import prove as proved
from kibitz.searches.proof.values import Value, value_of
from kibitz.tables.proof import file
from kibitz.tables.proof.claim import UNKNOWN
from kibitz.tables.proof.file import read_proof, write_proof
from kibitz.tables.proof.outline import LISTED, ON_A_PAGE, branches, outline, page
from kibitz.tables.proof.percept_file import is_percept_file
from kibitz.tables.proof.strategy_player import proof_player

VALUE = "value"


def prove(
    game: options.GameName,
    position: options.Board = "",
    moves: options.Moves = "",
    from_: options.From = "",
    at: options.At = None,
    goal: Annotated[str, typer.Option("--goal", metavar="GOAL", help="win, not lose, 'value >= V', or value to find the value.")] = "win",
    player: Annotated[
        int | None, typer.Option("--player", metavar="N", help="1 or 2; by default the player to move.", show_default=False)
    ] = None,
    within: Annotated[
        int, typer.Option("--within", metavar="PLIES", help="The game must be over within this number of plies; 0: no limit.")
    ] = 0,
    shortest: Annotated[bool, typer.Option("--shortest", help="Find the smallest number of plies.")] = False,
    with_: Annotated[str, typer.Option("--with", metavar="METHOD", help=f"One of {', '.join(METHODS)}.")] = METHODS[0],
    memory: Annotated[float, typer.Option("--memory", metavar="MB", help="For the table, or the tree.")] = USUAL_MEMORY,
    leaf: Annotated[str, typer.Option("--leaf", help=f"Initial proof numbers of open leaves: {', '.join(LEAVES)}.")] = LEAVES[0],
    order: Annotated[bool, typer.Option("--order", help="Try the game's promising moves first.")] = False,
    symmetry: Annotated[bool, typer.Option("--symmetry", help="One entry for positions that are the same by symmetry.")] = False,
    tables: Annotated[str, typer.Option("--tables", metavar="DIR", help="Endgame tables, which settle the positions they hold.")] = "",
    bounds: Annotated[bool, typer.Option("--bounds", help="Let the game's own bounds (best_case) settle positions.")] = False,
    expand: Annotated[bool, typer.Option("--expand", help="Write a strategy that needs neither tables nor bounds.")] = False,
    threads: options.Threads = None,
    time: options.Time = None,
    nodes: options.Nodes = None,
    resume: options.Resume = "",
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write the strategy that proves the claim.")] = "",
    param: options.Parameters = [],  # noqa: B006
    json: options.AsJson = False,
) -> None:
    """Prove a claim about a position, or disprove it: a win, no loss, a value; exit code 1 if neither came out."""
    p = options.open_position(game, param, position, moves, from_, at)
    place = check_place(out) if out else None
    whose = None if player is None else player - 1
    settings = {
        "method": with_,
        "memory": memory,
        "leaf": leaf,
        "order": order,
        "symmetry": symmetry,
        "tables": tables,
        "bounds": bounds,
        "expand": expand,
        "threads": threads or 1,
        "time": time,
        "nodes": nodes or 0,
        "resume": resume,
    }
    with _progress(p) as watch:
        if goal.strip().lower() == VALUE:
            if out or within or shortest or resume:
                raise InputError(
                    "--goal value asks many questions; write one of them, such as 'value >= 3', with --out, --resume, --within or --shortest"
                )
            answer: Proof | Value = value_of(p, whose, watch, **settings)
        else:
            answer = proved(p, goal, whose, within=within, shortest=shortest, with_strategy=bool(out), watch=watch, **settings)
    if place is not None and isinstance(answer, Proof) and answer.strategy is not None and answer.verdict != UNKNOWN:
        write_proof(place, answer.strategy)
    if json:
        terminal.print_json(answer.as_dict())
    else:
        terminal.console.print(p)
        _tell(answer, place)
    if answer.ended != "solved":
        raise typer.Exit(1)


def _tell(answer: Proof | Value, place: Path | None) -> None:
    """The verdict, and what it took."""
    effort = f"{terminal.count(answer.nodes)} nodes, {answer.seconds:.2f} s"
    if isinstance(answer, Value):
        for question in answer.questions:
            terminal.console.print(f"{question.verdict}: {question}", markup=False, soft_wrap=True)
        terminal.console.print(f"{answer} ({len(answer.questions)} questions, {effort})", markup=False, soft_wrap=True)
        return
    why = f"; ended by {answer.ended}, proof number {_shown(answer.proof)}, disproof number {_shown(answer.disproof)}"
    terminal.console.print(
        f"{answer.verdict}: {answer} ({effort}, {answer.megabytes:.3g} MB{why if answer.verdict == UNKNOWN else ''})".replace(
            f"{UNKNOWN}: {UNKNOWN}", UNKNOWN
        ),
        markup=False,
        soft_wrap=True,
    )
    if answer.strategy is not None and place is not None:
        size = place.stat().st_size
        rests = f"; it rests on {answer.strategy.rests}" if answer.strategy.rests else ""
        terminal.console.print(
            f"{terminal.count(answer.strategy.positions)} positions, longest line {answer.strategy.longest} plies; "
            f"written to {place} ({terminal.count(size)} bytes){rests}",
            markup=False,
            soft_wrap=True,
        )


def _shown(number: int) -> str:
    return "infinite" if number == NEVER else terminal.count(number)


@contextmanager
def _progress(p: Position) -> Iterator[Watch | None]:
    """A line that goes away, in a terminal: the root's numbers, positions visited, memory."""
    if not terminal.errors.is_terminal:
        yield None
        return
    with terminal.errors.status("") as status:
        yield lambda proof, disproof, nodes, megabytes: status.update(
            f"{p.game.label}: proof {_shown(proof)}, disproof {_shown(disproof)}, {terminal.count(nodes)} nodes, {megabytes:.1f} MB"
        )


def verify(
    proof: Annotated[str, typer.Argument(metavar="FILE", help="A file written by kibitz prove or kibitz sure.", show_default=False)],
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="The game that the proof must be about; needed for a game of your own.", show_default=False),
    ] = "",
    tables: Annotated[str, typer.Option("--tables", metavar="DIR", help="Endgame tables, if the proof depends on some.")] = "",
    json: options.AsJson = False,
) -> None:
    """Check a proof by the rules alone, and what it says it rests on besides: every reply to the strategy is tried, and nothing is searched."""
    if is_percept_file(Path(proof)):
        verify_strategy(proof, game, json)
        return
    checked = file.verify(read_proof(Path(proof), game), tables)
    position = checked.claim.position
    if json:
        terminal.print_json(
            {
                "game": position.game.label,
                "position": position.show(),
                "claim": str(checked),
                "verdict": checked.verdict,
                "choices": len(checked.choices),
                "positions": checked.positions,
                "longest": checked.longest,
                **({"rests": checked.rests} if checked.rests else {}),
            }
        )
        return
    terminal.console.print(position)
    terminal.console.print(
        f"verified: in {position.game.label}, {checked}: {terminal.count(checked.positions)} positions, longest line {checked.longest} plies"
        f"{f'; this rests on {checked.rests}' if checked.rests else ''}",
        markup=False,
        soft_wrap=True,
    )


def strategy_tree(path: str, size: int, json: bool, line: str = "", depth: int | None = None, html: str = "") -> None:
    """`kibitz tree FILE.kbp`: the strategy that a file holds, checked first; after a line of it, so many replies deep, as a page that unfolds."""
    place = check_place(html) if html else None
    if is_percept_file(Path(path)):
        if line or html or depth is not None:
            raise InputError("--moves, --depth and --html are for strategies of positions that everybody sees; this one is shown whole")
        if json:
            raise InputError("--json tells strategies of positions that everybody sees; kibitz verify --json tells the figures of this one")
        show_strategy(path, size)
        return
    engine = proof_player(path)
    checked, root = engine.strategy, branches(engine, size or (LISTED if place is None else ON_A_PAGE), line, depth)
    told = f"{checked}: {terminal.count(checked.positions)} positions, longest line {checked.longest} plies"
    if place is not None:
        write_whole(place, page(root, f"{checked.claim.position.game.label}: {Path(path).name}", told))
    if json:
        terminal.print_json({"game": checked.claim.position.game.label, "claim": str(checked), "tree": root.as_dict()})
        return
    if place is not None:
        terminal.console.print(f"{told}\npage written to {place}", markup=False, soft_wrap=True)
        return
    terminal.console.print(checked.claim.position.play_line(line))
    terminal.console.print("\n".join([told, *outline(root)]), markup=False, soft_wrap=True)
