"""`kibitz match`: play many games between two players, and give the score with an interval."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kibitz.arena.contest import Contestant
from kibitz.arena.match import USUAL_GAMES
from kibitz.arena.match import match as play_match
from kibitz.arena.match_result import Match
from kibitz.arena.seats import AUTO, match_seats
from kibitz.arena.seats_result import SeatsMatch
from kibitz.cli import options, terminal
from kibitz.core.errors import InputError
from kibitz.core.files import read_text
from kibitz.core.position.game import Game
from kibitz.players import Outsider, Player
from kibitz.protocols import uci_program
from kibitz.protocols.child_process import PATIENCE
from kibitz.protocols.gtp_program import is_program, program

PlayerText = 'a search with its options, such as "alphabeta(depth=4)", or another program, "uci:COMMAND", for Go "gtp:COMMAND"; by default a search that suits the game.'
INCOMPLETE = 1  # exit code: games are missing in the record


def match(
    game: options.GameName,
    player: Annotated[
        list[str],
        typer.Option("--player", metavar="PLAYER", help="In games of more than two players: one for each seat; repeat the option."),
    ] = [],  # noqa: B006
    one: Annotated[str, typer.Option("--one", metavar="PLAYER", help=f"The first contestant: {PlayerText}")] = "",
    two: Annotated[str, typer.Option("--two", metavar="PLAYER", help=f"The second contestant: {PlayerText}")] = "",
    games: Annotated[
        int | None,
        typer.Option("--games", help="Games to play, an even number: every opening is played twice; 200 by default.", show_default=False),
    ] = None,
    seats: Annotated[
        str,
        typer.Option(
            "--seats", metavar="HOW", help="With more than two players: all seatings, or turns, in which each has each seat once."
        ),
    ] = AUTO,
    time: options.Time = None,
    depth: options.Depth = None,
    nodes: options.Nodes = None,
    device: options.SearchDevice = None,
    opening_plies: Annotated[
        int | None,
        typer.Option(
            "--opening-plies",
            help="Random moves at the start of every pair of games; 4, or more if there are too few different openings.",
            show_default=False,
        ),
    ] = None,
    openings: Annotated[str, typer.Option("--openings", metavar="FILE", help="Openings to use instead: lines of moves.")] = "",
    param: options.Parameters = [],  # noqa: B006
    one_param: Annotated[list[str], typer.Option("--one-param", metavar="NAME=VALUE", help="A parameter for the first alone.")] = [],  # noqa: B006
    two_param: Annotated[list[str], typer.Option("--two-param", metavar="NAME=VALUE", help="A parameter for the second alone.")] = [],  # noqa: B006
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    forget: Annotated[bool, typer.Option("--forget", help="Players clear their table or tree before every move.")] = False,
    record: Annotated[str, typer.Option("--record", metavar="FILE", help="Write each game to a file when it is over, one per line.")] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Continue the match whose games are in --record.")] = False,
    patience: Annotated[
        float,
        typer.Option("--patience", metavar="SECONDS", min=0.001, help="Seconds that another program may be late before it loses the game."),
    ] = PATIENCE,
    json: options.AsJson = False,
) -> None:
    """Play a match between two players, or as many as the game has; limits given here hold for all. Ctrl-C ends it with the result so far."""
    if player or options.load_game(game, param).players > 2:
        _refuse_for_many({"--one": one, "--two": two, "--one-param": one_param, "--two-param": two_param})
        _match_many(
            options.load_game(game, param), player, games=games, seed=seed, jobs=jobs, seats=seats, remember=not forget, record=record or None, resume=resume,
            openings=_read_openings(openings) if openings else opening_plies, json=json, limits={"time": time, "depth": depth, "nodes": nodes, "device": device},
        )  # fmt: skip
        return
    games = USUAL_GAMES if games is None else games
    first, second = (
        _contestant(text, options.load_game(game, [*param, *own]), patience, time=time, depth=depth, nodes=nodes, device=device)
        for text, own in ((one, one_param), (two, two_param))
    )
    last: list[Match] = []
    try:
        with terminal.progress_bar() as bar:
            task = bar.add_task("playing", total=games)

            def watch(so_far: Match) -> None:
                last[:] = [so_far]
                low, high = so_far.interval
                told = f"score {so_far.score:.3f} ({low:.3f} to {high:.3f})"
                bar.update(task, completed=len(so_far.games), total=so_far.wanted, description=told)

            chosen = _read_openings(openings) if openings else opening_plies
            result = play_match(
                first, second, games=games, seed=seed, jobs=jobs, openings=chosen, remember=not forget, record=record or None,
                resume=resume, watch=watch,
            )  # fmt: skip
    except BaseException:  # what was played is told before what went wrong
        if last:
            _tell(last[0], json)
        raise
    _tell_end(result, record, json)


def _tell_end(result: Match | SeatsMatch, record: str | None, json: bool) -> None:
    _tell(result, json)
    if result.unwritten:
        raise typer.Exit(INCOMPLETE)
    if record and not json:
        terminal.console.print(f"games written to {record}", markup=False, soft_wrap=True)


def _tell(result: Match | SeatsMatch, json: bool) -> None:
    if json:
        terminal.print_json(result.as_dict())
    else:
        terminal.console.print(str(result), markup=False, soft_wrap=True)


def _refuse_for_many(given: dict[str, Any]) -> None:
    for option, value in given.items():
        if value:
            raise InputError(f"{option} is for matches of two; in games of more players name one for each seat with --player")


def _match_many(game: Game, named: list[str], json: bool, limits: dict[str, float | str | None], **settings: Any) -> None:
    """A match of as many players as the game has; the usual one for the game in every seat, where none is named."""
    players = [options.choose_player(text, game, **limits) for text in named or [""] * game.players]
    last: list[SeatsMatch] = []
    try:
        with terminal.progress_bar() as bar:
            task = bar.add_task("playing", total=settings["games"] or USUAL_GAMES)

            def watch(so_far: SeatsMatch) -> None:
                last[:] = [so_far]
                shares = " ".join(f"{so_far.share(who).value:.2f}" for who in range(game.players))
                bar.update(task, completed=len(so_far.games), total=so_far.wanted, description=f"shares {shares}")

            result = match_seats(players, game, watch=watch, **settings)
    except BaseException:  # what was played is told before what went wrong
        if last:
            _tell(last[0], json)
        raise
    _tell_end(result, settings["record"], json)


def _contestant(text: str, game: Game, patience: float, **limits: float | str | None) -> Contestant:
    return Contestant(_player(text, game, patience, **limits), game)


def _player(text: str, game: Game, patience: float, **limits: float | str | None) -> Player | Outsider:
    """One of our searches, or another program; without a text the usual search for the game."""
    if uci_program.is_program(text):
        limits.pop("device", None)  # its own affair
        return uci_program.program(text, patience, **limits)
    return program(text, patience) if is_program(text) else options.choose_player(text, game, **limits)


def _read_openings(file: str) -> list[str]:
    return [line.strip() for line in read_text(file).splitlines() if line.strip() and not line.startswith("#")]
