"""Matches: two players, many games, and how certain it is which one is better.

Games come in pairs: every opening is played twice, with sides exchanged. If players are limited by depth or nodes, the same
seed gives the same games, in any number of processes; chance is drawn from the seed and the number of the pair, the same for
both games of a pair. Games are recorded one by one, and an interrupted match can be resumed from the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from kibitz.arena import openings as opening_moves
from kibitz.arena.contest import ONE, TWO, Contestant, Pairing, Played, play_game
from kibitz.arena.match_result import Match, name_beside
from kibitz.arena.playing import Playing
from kibitz.arena.records import OF_TWO, SITS, Recorder, heading_of
from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.core.position.game import Game, Position, first
from kibitz.core.running.pool import check_sendable
from kibitz.players import Outsider, Player

USUAL_GAMES = 200
MOST_SEED = 1 << 31


def match(
    one: Contestant | Player | Outsider | str,
    two: Contestant | Player | Outsider | str,
    game: Game | None = None,
    games: int = USUAL_GAMES,
    *,
    seed: int = 0,
    jobs: int = 1,
    openings: int | Iterable[str | Position] | None = None,
    remember: bool = True,
    record: str | Path | None = None,
    resume: bool = False,
    watch: Callable[[Match], None] | None = None,
) -> Match:
    """Play a match: `match("negascout(time=0.1)", "alphabeta(depth=4)", kb.load("othello"), games=200)`.

    `openings` is a number of random moves, or openings of your own: moves, boards or positions. Left out, it is four random moves, or as many more as it takes
    for every pair to have its own; where a game has too few, fewer games are played. Unless told not to, players `remember` in a game what they found for
    earlier moves, if their search keeps a table or a tree. `record` is a file for the games, each of which is written when it is over; with `resume`
    those that are in it already are not played again. `watch` is called with the match so far after every game. Ctrl-C ends the match; what was played until
    then is the result.
    """
    contestants = _check_contestants(one, two, game)
    if games < 2 or games % 2:
        raise InputError(f"games={games}: must be 2 or more, and even: every opening is played with either side")
    if not 0 <= seed < MOST_SEED:
        raise InputError(f"seed {seed}: must be from 0 to {MOST_SEED - 1}")
    if resume and record is None:
        raise InputError("to resume a match takes the record of its games; name the file")
    if jobs > 1:
        for contestant in contestants:
            check_sendable(contestant.game, f"the game {contestant.game.label}", "use jobs=1, or load it from a file with kibitz.load")
            check_sendable(contestant.player, contestant.player.name)
    if record is not None:
        check_place(Path(record))
    plan = _make_plan(contestants, games, openings, seed, remember)
    recorder = None if record is None else Recorder(Path(record), _heading(contestants, plan, seed, remember), OF_TWO)
    return _Run(contestants, plan, seed, watch, recorder).play(jobs, resume)


@dataclass(frozen=True)
class _Plan:
    """Every game of a match, and how it came to that."""

    pairings: list[Pairing]
    openings: str  # in words
    notes: tuple[str, ...]


class _Run:
    """A match under way."""

    def __init__(
        self,
        contestants: tuple[Contestant, Contestant],
        plan: _Plan,
        seed: int,
        watch: Callable[[Match], None] | None,
        recorder: Recorder[Played] | None,
    ) -> None:
        self.contestants, self.plan, self.seed, self.watch = contestants, plan, seed, watch
        self.playing = Playing(plan.pairings, recorder)

    def play(self, jobs: int, resume: bool) -> Match:
        self.playing.play(play_game, jobs, resume, self._compile, lambda: self.watch(self.result()) if self.watch else None)
        return self.result()

    def result(self) -> Match:
        done, plan = self.playing.done, self.plan
        whole = [n for n in sorted(done) if n % 2 == 0 and n + 1 in done]
        pairs = tuple(0.5 * (done[n].score + done[n + 1].score) for n in whole)
        games, seconds, unwritten = self.playing.games, self.playing.seconds, self.playing.unwritten
        return Match(self.contestants, games, pairs, len(plan.pairings), self.seed, seconds, plan.notes, unwritten)

    def _compile(self) -> None:
        """Before the first move, which would take its time, and before there are several processes, which would all compile the same."""
        for who, contestant in enumerate(self.contestants):
            pairing = self.plan.pairings[who]
            contestant.get_ready(Position(contestant.game, pairing.start) if pairing.start else _after(contestant.game, pairing.opening))


def _check_contestants(
    one: Contestant | Player | Outsider | str, two: Contestant | Player | Outsider | str, game: Game | None
) -> tuple[Contestant, Contestant]:
    games = [c.game for c in (one, two) if isinstance(c, Contestant)]
    known = game or (games[0] if games else None)
    if known is None:
        raise InputError('a match needs a game: match("alphabeta", "negascout", kibitz.load("othello"))')
    both = Contestant.of(one, known), Contestant.of(two, known)
    for contestant in both:
        contestant.check()
    check_same_rules(both[ONE].game, both[TWO].game)
    return both


def check_same_rules(one: Game, two: Game) -> None:
    """Refuse two games that differ in more than what they know about the game."""
    for name in ("State", "PLAYERS", "MAX_MOVES", "MAX_PLIES", "VALUES", "MOVE", "CHANCE_KIND", "REPETITION", "REPETITIONS"):
        if one.constants[name] != two.constants[name]:
            raise InputError(f"{one.label} and {two.label} are different games: their {name} differ; only their evaluations may")
    if first(one).data != first(two).data:
        raise InputError(f"{one.label} and {two.label} are different games: they start from different positions")


def _make_plan(
    contestants: tuple[Contestant, Contestant], games: int, openings: int | Iterable[str | Position] | None, seed: int, remember: bool
) -> _Plan:
    begun, words, notes = _choose_openings(contestants, games // 2, openings, seed)
    pairs = games // 2
    if len(begun) < pairs and not contestants[ONE].game.has_chance:
        pairs = len(begun)
        there = f"are only {pairs} different openings that leave" if pairs > 1 else "is only one opening that leaves"
        notes.append(f"{2 * pairs} games instead of {games}: there {there} the game open")
    plan = []
    for pair in range(pairs):
        moves, start = begun[pair % len(begun)]
        plan += [Pairing(contestants, side, moves, start, seed, pair, remember) for side in (ONE, TWO)]
    return _Plan(plan, words, tuple(notes))


Begun = list[tuple[opening_moves.Opening, bytes | None]]  # moves from the start, or a position


def _choose_openings(
    contestants: tuple[Contestant, Contestant], number: int, openings: int | Iterable[str | Position] | None, seed: int
) -> tuple[Begun, str, list[str]]:
    """Where the pairs start; in words; and what to say of it."""
    game = contestants[ONE].game
    if openings is None:
        drawn, plies = opening_moves.enough_openings(game, number, seed)
        usual = opening_moves.usual_plies(game)
        few = "more" if plies > usual else "fewer"
        notes = [] if plies == usual else [f"openings of {plies} random moves, {few} than the usual {usual}: see --opening-plies"]
        return [(moves, None) for moves in drawn], opening_moves.drawn_in_words(plies), notes
    if isinstance(openings, int):
        return (
            [(moves, None) for moves in opening_moves.random_openings(game, number, openings, seed)],
            opening_moves.drawn_in_words(openings),
            [],
        )
    for contestant in contestants:
        if isinstance(contestant.player, Outsider):
            raise InputError(f"{contestant.player.name} plays from the start of the game; give a number of random moves as openings")
    positions, doubled = opening_moves.given_openings(game, openings)
    if not positions or (len(positions) < number and not game.has_chance):
        left_out = f"; {doubled} more are equal to one of these" if doubled else ""
        raise InputError(f"{len(positions)} openings are enough for {2 * len(positions)} games, not for {2 * number}{left_out}")
    notes = [f"{doubled} openings were left out: they are equal to one before them, also by symmetry"] if doubled else []
    return [((), position.data) for position in positions], opening_moves.given_in_words(positions), notes


def _heading(contestants: tuple[Contestant, Contestant], plan: _Plan, seed: int, remember: bool) -> list[str]:
    """What must be the same for games to be of the same match."""
    names = [f"{SITS[who]}: {name_beside(contestants, who)}" for who in (ONE, TWO)]
    return heading_of([c.game for c in contestants], names, f"seed {seed}, {plan.openings}", remember)


def _after(game: Game, opening: opening_moves.Opening) -> Position:
    return first(game).after_line(list(opening))
