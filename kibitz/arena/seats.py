"""Matches of any number of players: one contestant in each seat, and every opening played in several arrangements of the seats, so that no player gains from its seat.

Up to three players sit in all arrangements (six games of an opening for three), more in those where everybody moves on by a seat from game to game, each having each seat
once; `seats` says it otherwise. A game's win is shared by those who have the greatest utility in it: a share is what a player won of it, and everybody's shares of a
game add up to 1. As in matches of two, openings are random moves that all differ, chance is drawn from the seed and the number of the opening, and the same seed gives the same
games where players are limited by depth or nodes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.arena import openings as opening_moves
from kibitz.arena.contest import Contestant, Effort, ask_move
from kibitz.arena.match import MOST_SEED, USUAL_GAMES
from kibitz.arena.openings import Opening
from kibitz.arena.playing import Playing
from kibitz.arena.records import Recorder, heading_of
from kibitz.arena.seats_records import lines_of_many
from kibitz.arena.seats_result import SeatedGame, SeatsMatch
from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.core.position.game import Game, Position
from kibitz.core.position.random_moves import Lots
from kibitz.core.protocol import outcomes
from kibitz.core.protocol.rules import CHANCE
from kibitz.core.running.pool import check_sendable
from kibitz.players import Outsider, Player

AUTO, EVERY, TURNS = "auto", "all", "turns"
ARRANGED = (AUTO, EVERY, TURNS)
MOST_IN_ALL = 3  # players who sit in all arrangements, unless told


@dataclass(frozen=True)
class Seating:
    """A game to be played: `seats` says which contestant plays for player 0, 1, ..."""

    contestants: tuple[Contestant, ...]
    seats: tuple[int, ...]
    opening: Opening
    start: bytes | None  # where it starts, if not from the start of the game
    seed: int
    stream: int  # the number of the opening
    number: int  # of the game
    remember: bool


@dataclass(frozen=True)
class Terms:
    """How a match is played: what `match_seats` may be told besides."""

    seed: int = 0
    jobs: int = 1
    openings: int | Iterable[str | Position] | None = None
    seats: str = AUTO
    remember: bool = True
    record: str | Path | None = None
    resume: bool = False


def match_seats(
    players: Sequence[Player | str], game: Game, games: int | None = None, watch: Callable[[SeatsMatch], None] | None = None, **terms: Any
) -> SeatsMatch:
    """Play a match of as many players as the game has: `match_seats(["maxn", "paranoid", "uct"], kb.load("mnk", players=3))`.

    `games` is made a multiple of the arrangements that every opening is played in; left out, it is about 200. `terms` are those of `Terms`; `record`, `resume` and the others are what they are for
    `match`. Ctrl-C ends the match; what was played until then is the result.
    """
    chosen = Terms(**terms)
    seed, jobs = chosen.seed, chosen.jobs
    contestants = _check_contestants(players, game)
    arranged = arrangements(game.players, chosen.seats)
    if games is not None and games < 1:
        raise InputError(f"games={games}: must be 1 or more")
    number = max(1, USUAL_GAMES // len(arranged)) if games is None else -(-games // len(arranged))
    wanted = number * len(arranged)
    if not 0 <= seed < MOST_SEED:
        raise InputError(f"seed {seed}: must be from 0 to {MOST_SEED - 1}")
    if jobs > 1:
        check_sendable(game, f"the game {game.label}", "use jobs=1, or load it from a file with kibitz.load")
    if chosen.resume and chosen.record is None:
        raise InputError("to resume a match takes the record of its games; name the file")
    begun, words, notes = _choose_openings(game, number, chosen.openings, seed)
    if games is not None and games != wanted:
        notes.append(f"{wanted} games in place of {games}: every opening is played in {_in_words(arranged, game.players)}")
    plan = [
        Seating(contestants, arrangement, moves, start, seed, stream, stream * len(arranged) + i, chosen.remember)
        for stream, (moves, start) in enumerate(begun)
        for i, arrangement in enumerate(arranged)
    ]
    sitting = _in_words(arranged, game.players)
    recorder = None
    if chosen.record is not None:
        names = [f"player {who + 1}: {c.player.name}" for who, c in enumerate(contestants)]
        heading = heading_of([game], names, f"seed {seed}, {words}, {sitting}", chosen.remember)
        recorder = Recorder(check_place(chosen.record), heading, lines_of_many(game.players, seed))
    return _play(
        Playing(plan, recorder), SeatsMatch(contestants, (), len(plan), len(arranged), sitting, seed, 0.0, tuple(notes)), chosen, watch
    )


def arrangements(players: int, seats: str) -> list[tuple[int, ...]]:
    """Which contestant sits where, in the games of one opening."""
    if seats not in ARRANGED:
        raise InputError(f"seats={seats}: write {', '.join(ARRANGED)}")
    if seats == EVERY or (seats == AUTO and players <= MOST_IN_ALL):
        return list(itertools.permutations(range(players)))
    return [tuple((who + i) % players for who in range(players)) for i in range(players)]


def play_seated(seating: Seating) -> SeatedGame:
    """Play it."""
    contestants = [c.remembering() if seating.remember else c for c in seating.contestants]
    game = contestants[0].game
    position = Position(game, seating.start) if seating.start else game.start
    lots, efforts = Lots(seating.seed, seating.stream), tuple(Effort() for _ in contestants)
    made = []
    for number in seating.opening:
        made.append(position.move(number))
        position = position.play(number)
    for contestant in contestants:
        contestant.get_ready(position)
    while not position.is_over:
        if position.player == CHANCE:
            move = lots.draw_move(position)
        else:
            who = seating.seats[position.player]
            move = ask_move(contestants[who], position, made, efforts[who])
        made.append(position.move(move))
        position = position.play(move)  # refuses what is not legal
    utilities = tuple(position.utility(seating.seats.index(who)) for who in range(len(contestants)))
    names = tuple(str(m) for m in made)
    return SeatedGame(
        seating.number, seating.stream, seating.seats, len(seating.opening), names, utilities, outcomes.shares(utilities), efforts
    )


def _play(playing: Playing[SeatedGame], empty: SeatsMatch, terms: Terms, watch: Callable[[SeatsMatch], None] | None) -> SeatsMatch:
    def so_far() -> SeatsMatch:
        return empty.with_games(playing.games, playing.seconds, playing.unwritten)

    def get_ready() -> None:
        """Before the first move, which would take its time, and before there are several processes."""
        seating = playing.plan[0]
        for contestant in empty.contestants:
            position = (
                Position(contestant.game, seating.start) if seating.start else contestant.game.start.after_line(list(seating.opening))
            )
            contestant.get_ready(position)

    playing.play(play_seated, terms.jobs, terms.resume, get_ready, lambda: watch(so_far()) if watch else None)
    return so_far()


def _check_contestants(players: Sequence[Player | str], game: Game) -> tuple[Contestant, ...]:
    if len(players) != game.players:
        raise InputError(f"{game.label} has {game.players} players, and {len(players)} are named; name one for each seat")
    contestants = tuple(Contestant.of(player, game) for player in players)
    for contestant in contestants:
        if isinstance(contestant.player, Outsider):
            raise InputError(f"{contestant.player.name}: other programs play games of two; name a search")
        contestant.player.check(game)
    return contestants


def _choose_openings(
    game: Game, number: int, openings: int | Iterable[str | Position] | None, seed: int
) -> tuple[list[tuple[Opening, bytes | None]], str, list[str]]:
    """Where the games start; in words; and what to say of it."""
    if openings is None or isinstance(openings, int):
        if openings is None:
            drawn, plies = opening_moves.enough_openings(game, number, seed)
        else:
            drawn, plies = opening_moves.random_openings(game, number, openings, seed), openings
        few = [] if len(drawn) == number else [f"only {len(drawn)} different openings of {plies} random moves leave the game open"]
        begun, words = [(moves, None) for moves in drawn], opening_moves.drawn_in_words(plies)
        if game.has_chance:  # the same opening again: chance does something else
            return [begun[i % len(begun)] for i in range(number)], words, few
        return list(begun), words, few
    positions, doubled = opening_moves.given_openings(game, openings)
    if len(positions) < number and not (game.has_chance and positions):
        raise InputError(f"{len(positions)} different openings are given, and {number} are needed; give more, or play fewer games")
    notes = [f"{doubled} openings were left out: they are equal to one before them, also by symmetry"] if doubled else []
    return [((), positions[i % len(positions)].data) for i in range(number)], opening_moves.given_in_words(positions), notes


def _in_words(arranged: list[tuple[int, ...]], players: int) -> str:
    whole = len(arranged) == len(list(itertools.permutations(range(players))))
    return (
        f"all {len(arranged)} arrangements of the seats"
        if whole
        else f"{len(arranged)} arrangements, in which everybody has each seat once"
    )
