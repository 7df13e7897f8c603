"""`kibitz belief`: the positions that a player cannot rule out; `kibitz sure`: what he can force, and his best chance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from kibitz.cli import options, terminal
from kibitz.core.drawing.marks import heat
from kibitz.core.errors import InputError
from kibitz.core.files import check_place, write_whole
from kibitz.core.hidden import history
from kibitz.core.hidden.belief import LIMIT, Belief
from kibitz.core.hidden.marginals import likeliest, marginals
from kibitz.core.hidden.view import puzzled, view
from kibitz.core.position.game import Game, Position
from kibitz.searches.belief.guarantee import USUAL_MEMORY, Guarantee, Watch, guaranteed
from kibitz.searches.belief.hope import Hope, hoped
from kibitz.tables.proof.claim import PROVEN
from kibitz.tables.proof.percept_file import read_percept_strategy, write_percept_strategy
from kibitz.tables.proof.percept_replay import verify
from kibitz.tables.proof.percept_strategy import PerceptStrategy, told

SHOWN = 5  # positions
USUAL_HOPE = 2  # own moves
STRATEGY_LINES = 60

Positions = Annotated[
    list[str],
    typer.Option("--position", metavar="TEXT", help="Where the game starts; repeated, where it may start.", show_default=False),
]
Heard = Annotated[
    str,
    typer.Option(
        "--history", metavar="WORDS", help="What the player did and heard: a word for each event, - for silence.", show_default=False
    ),
]
Whose = Annotated[int, typer.Option("--player", metavar="N", min=1, help="Whose belief.")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Positions to keep at most; beyond, it is a sample.")]


def belief(
    game: options.GameName,
    player: Whose = 1,
    positions: Positions = [],  # noqa: B006
    words: Heard = "",
    moves: Annotated[
        str,
        typer.Option(
            "--moves", metavar="LIST", help="All moves of the game as it was, in place of --history: told as the player heard them."
        ),
    ] = "",
    from_: options.From = "",
    at: options.At = None,
    limit: Limit = LIMIT,
    shown: Annotated[int, typer.Option("--shown", metavar="N", min=0, help="Positions to show, the likeliest first.")] = SHOWN,
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Write a picture: how likely something is on each cell.")] = "",
    seed: options.Seed = 0,
    param: options.Parameters = [],  # noqa: B006
    json: options.AsJson = False,
) -> None:
    """Show what a player may think possible: how many positions, the likeliest, and how likely something unseen is on each cell."""
    place = check_place(svg) if svg else None
    if from_ and (positions or words):
        raise InputError("--from tells a whole game, as --moves does; --position and --history have no place beside it")
    if from_ or at is not None:
        path = _heard(options.open_position(game, param, "", moves, from_, at), player, limit, seed)
    else:
        path = _beliefs(options.load_game(game, param), player, positions, words, moves, limit, seed)
    last = path[-1]
    cells, best = marginals(last), likeliest(last, shown)
    if place is not None:
        drawn = str(last.game.people["draw_to"](last.position(0).state, last.observer))
        if not drawn:
            raise InputError(f"{last.game.name} draws nothing, so there is no picture to write")
        write_whole(place, heat(drawn, cells))
    if json:
        terminal.print_json(
            {
                "game": last.game.label, "player": player, "history": history.write(last), "size": last.size, "complete": last.complete,
                "sizes": [b.size for b in path], "moves": [str(m) for m in last.known.moves], "cells": {c: round(p, 6) for c, p in cells.items()},
                "likeliest": [{"position": last.position(i).show(), "chance": chance} for i, chance in best],
            }
        )  # fmt: skip
        return
    _tell(path, cells, best)


def sure(
    game: options.GameName,
    player: Whose = 1,
    positions: Positions = [],  # noqa: B006
    words: Heard = "",
    goal: Annotated[str, typer.Option("--goal", metavar="GOAL", help="win, not lose, or 'value >= V'.")] = "win",
    within: Annotated[int, typer.Option("--within", metavar="MOVES", help="The player's own moves, tries included; 0: any number.")] = 0,
    memory: Annotated[float, typer.Option("--memory", metavar="MB", help="For beliefs.")] = USUAL_MEMORY,
    time: options.Time = None,
    nodes: options.Nodes = None,
    hope: Annotated[
        int,
        typer.Option(
            "--hope", metavar="MOVES", min=0, help="Where nothing is sure: own moves to look ahead for the best chance; 0: do not."
        ),
    ] = USUAL_HOPE,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write the strategy that shows it.")] = "",
    shown: Annotated[int, typer.Option("--shown", metavar="N", min=0, help="Lines of the strategy to show.")] = STRATEGY_LINES,
    param: options.Parameters = [],  # noqa: B006
    json: options.AsJson = False,
) -> None:
    """Find what a player who does not see everything can make sure of, or else his best chance; exit code 1 where nothing is sure."""
    place = check_place(out) if out else None
    last = _beliefs(options.load_game(game, param), player, positions, words, "", LIMIT, 0)[-1]
    with _progress(last) as watch:
        answer = guaranteed(last, goal, within, time_limit=time, nodes=nodes or 0, megabytes=memory, watch=watch)
    if answer.strategy is not None and place is not None:
        write_percept_strategy(place, answer.strategy)
    chance: Hope | None = None
    if answer.strategy is None and hope and answer.ended != "interrupted":
        *_, chance = hoped(last, answer.claim.threshold, hope, seconds=time, nodes=nodes or 0)
    if json:
        more = (
            {}
            if chance is None
            else {"hope": {"chance": chance.chance, "moves": chance.moves, "move": str(chance.table[0][0]) if chance.table else None}}
        )
        terminal.print_json({**answer.as_dict(), "size": last.size, **more})
    else:
        _answer(last, answer, chance, place, shown)
    if answer.verdict != PROVEN:
        raise typer.Exit(1)


# --- the belief that was described ---


def _heard(position: Position, player: int, limit: int, seed: int) -> list[Belief]:
    """The beliefs of a player in a game as it was, from its beginning on."""
    known = view(position, player - 1)
    path = [Belief.at(position.game, player - 1, known.origin, limit, seed)]
    for event in known.events:
        path.append(path[-1].after(event))
    return path


def _beliefs(game: Game, player: int, positions: list[str], words: str, moves: str, limit: int, seed: int) -> list[Belief]:
    """The belief that the options describe, with those before it, one for each event."""
    if not game.is_hidden:
        raise InputError(f"{game.label} hides nothing: everybody knows the position")
    if player > game.players:
        raise InputError(f"there is no player {player}; {game.label} has players 1 to {game.players}")
    possible = [options.position_of(game, text, "") for text in positions] or [game.start]
    start = puzzled(possible[0], player - 1, possible)
    if words and moves:
        raise InputError("--history and --moves exclude each other: what the player heard, or all that was done")
    if moves:
        return _heard(start.play_line(moves), player, limit, seed)
    return history.read(Belief.at(game, player - 1, view(start, player - 1).origin, limit, seed), words)


# --- text ---


def _tell(path: list[Belief], cells: dict[str, float], best: list[tuple[int, float]]) -> None:
    last = path[-1]
    if last.events:
        table = Table(box=None, header_style="bold", pad_edge=False)
        for heading in ("event", "what the player did and heard", "positions possible"):
            table.add_column(heading, justify="left" if "what" in heading else "right")
        for number, (word, after) in enumerate(zip(history.write(last).split(), path[1:], strict=True), 1):
            table.add_row(str(number), word, f"{terminal.count(after.size)}{'' if after.complete else ' (a sample)'}")
        terminal.console.print(table)
    if last.known.board:
        terminal.console.print(last.known.board, markup=False)
    turn = "the game is over" if last.known.is_over else "his turn" if last.known.is_own_turn else "not his turn"
    exact = "" if last.complete else "; a sample: more are possible than are kept, --limit keeps more"
    terminal.console.print(
        f"{last.game.side(last.observer)}, {turn}: {terminal.count(last.size)} position{'s' if last.size != 1 else ''} possible{exact}", style="bold", markup=False,
    )  # fmt: skip
    if cells:
        terminal.console.print("\nhow likely it is that something unseen is there, in %", style="dim")
        terminal.console.print("\n".join(as_grid(cells)), markup=False)
    for place, chance in best:
        terminal.console.print(f"\n{100 * chance:.3g} %", style="dim")
        terminal.console.print(last.position(place), markup=False)


def as_grid(cells: dict[str, float]) -> list[str]:
    """Chances by cell as rows of numbers, where cells are named by row and column (`0,2`) or as on a chess board (`e4`), `2:e4` on the second of several; else a line each."""
    boards: dict[str, dict[tuple[int, int], float]] = {}
    for cell, chance in cells.items():
        if found := re.fullmatch(r"(?:(\d+):)?(?:(\d+),(\d+)|([a-z])(\d+))", cell):
            row, column = (int(found[2]), int(found[3])) if found[2] else (-int(found[5]), ord(found[4]))
            boards.setdefault(found[1] or "", {})[row, column] = chance
        else:
            return [f"{cell} {100 * chance:.3g}" for cell, chance in sorted(cells.items(), key=lambda pair: -pair[1])]
    return [line for places in boards.values() for line in _rows(places)]


def _rows(places: dict[tuple[int, int], float]) -> list[str]:
    rows, columns = ([p[i] for p in places] for i in (0, 1))
    return [
        "".join(_percent(places.get((row, column))) for column in range(min(columns), max(columns) + 1)).rstrip()
        for row in range(min(rows), max(rows) + 1)
    ]


def _percent(chance: float | None) -> str:
    return "    ." if chance is None else f"{100 * chance:5.0f}" if chance >= 0.095 else f"{100 * chance:5.2g}"


def _answer(last: Belief, answer: Guarantee, chance: Hope | None, place: Path | None, shown: int) -> None:
    if last.known.board:
        terminal.console.print(last.known.board, markup=False)
    terminal.console.print(
        f"{last.game.side(last.observer)}: {terminal.count(last.size)} position{'s' if last.size != 1 else ''} possible", markup=False
    )
    effort = f"{terminal.count(answer.nodes)} nodes, {terminal.count(answer.beliefs)} belief{'s' if answer.beliefs != 1 else ''}, {answer.seconds:.2f} s, {answer.megabytes:.3g} MB"
    ended = "" if answer.ended in ("solved", "moves") else f"; ended by {answer.ended}"
    terminal.console.print(f"{answer.verdict}: {answer} ({effort}{ended})", markup=False, soft_wrap=True)
    if chance is not None:
        first = f"; with {chance.table[0][0]}" if chance.table and chance.chance > 0 else ""
        terminal.console.print(f"{chance}{first}", markup=False, soft_wrap=True)
    if answer.strategy is not None:
        tell_strategy(answer.strategy, shown)
        if place is not None:
            terminal.console.print(f"written to {place} ({terminal.count(place.stat().st_size)} bytes)", markup=False, soft_wrap=True)


def tell_strategy(strategy: PerceptStrategy, shown: int) -> None:
    """Its size and its first lines."""
    terminal.console.print(
        f"a strategy of {terminal.count(len(strategy.nodes))} nodes, checked in {terminal.count(strategy.places)} places; longest play {strategy.plies} plies",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    lines = told(strategy, strategy.moves)
    for number, line in enumerate(lines):
        if number == shown:
            terminal.console.print("... (--shown shows more)", markup=False)
            return
        terminal.console.print(line, markup=False, soft_wrap=True)


@contextmanager
def _progress(last: Belief) -> Iterator[Watch | None]:
    """A line that goes away, in a terminal."""
    if not terminal.errors.is_terminal:
        yield None
        return
    with terminal.errors.status("") as status:
        yield lambda moves, nodes, beliefs: status.update(
            f"{last.game.label}: within {moves} own moves? {terminal.count(nodes)} nodes, {terminal.count(beliefs)} beliefs"
        )


# --- strategies that were written ---


def verify_strategy(path: str, game: str, json: bool) -> None:
    """`kibitz verify` for a strategy over percepts."""
    strategy = verify(read_percept_strategy(Path(path), game))
    answer: dict[str, Any] = {
        "game": strategy.claim.game.label, "claim": str(strategy), "verdict": PROVEN, "positions": len(strategy.claim.belief().states),
        "nodes": len(strategy.nodes), "places": strategy.places, "moves": strategy.moves, "plies": strategy.plies,
    }  # fmt: skip
    if json:
        terminal.print_json(answer)
        return
    for data in strategy.claim.origin:
        terminal.console.print(Position(strategy.claim.game, data), markup=False)
    heard = f" after {strategy.claim.words}" if strategy.claim.words else ""
    terminal.console.print(
        f"verified: in {strategy.claim.game.label}{heard}, {answer['positions']} positions possible, {strategy}: "
        f"{terminal.count(strategy.places)} places, longest play {strategy.plies} plies", markup=False, soft_wrap=True,
    )  # fmt: skip


def show_strategy(path: str, shown: int) -> None:
    """`kibitz tree` for a strategy over percepts."""
    strategy = verify(read_percept_strategy(Path(path)))
    terminal.console.print(str(strategy), markup=False, soft_wrap=True)
    tell_strategy(strategy, shown or STRATEGY_LINES)
