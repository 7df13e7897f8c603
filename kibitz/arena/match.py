"""Matches: two players, many games, and how sure they make us which one is better.

Games come in pairs: every opening is played twice, each contestant having each side once. Where players are limited by depth or nodes, the same
seed gives the same games, in however many processes; what chance does in a game is drawn from the seed and the number of the pair, the same for
both games of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.arena import openings as opening_moves
from kibitz.arena import records
from kibitz.arena.contest import ONE, TWO, Contestant, Effort, Pairing, Played, played
from kibitz.arena.scores import Estimate, estimate
from kibitz.arena.workers import spread
from kibitz.core.errors import InputError
from kibitz.core.game import Game
from kibitz.core.position import Position, first
from kibitz.players import Outsider, Player

USUAL_GAMES = 200
USUAL_PLIES = 4
MOST_SEED = 1 << 31


@dataclass(frozen=True)
class Match:
    """What came of a match. Scores are of the first contestant unless they say otherwise."""

    contestants: tuple[Contestant, Contestant]
    games: tuple[Played, ...]  # in the order of their numbers: 0 and 1 are the first pair
    pairs: tuple[float, ...]  # the mean score of each pair that was played to its end
    wanted: int  # games asked for
    seed: int
    seconds: float = field(compare=False)

    @property
    def wins(self) -> int:
        return sum(g.score == 1.0 for g in self.games)

    @property
    def draws(self) -> int:
        return sum(g.score == 0.5 for g in self.games)

    @property
    def losses(self) -> int:
        return sum(g.score == 0.0 for g in self.games)

    @property
    def estimate(self) -> Estimate:
        """Score, interval, Elo, likelihood of superiority: from whole pairs."""
        return estimate(self.pairs)

    @property
    def score(self) -> float:
        return self.estimate.score

    @property
    def interval(self) -> tuple[float, float]:
        return self.estimate.interval

    @property
    def elo(self) -> float:
        """Infinite, with its sign, where everything was won or lost."""
        return self.estimate.elo

    @property
    def superiority(self) -> float:
        return self.estimate.superiority

    @property
    def interrupted(self) -> bool:
        return len(self.games) < self.wanted

    def utility(self, who: int) -> float | None:
        """The mean utility of a contestant; None before any game is finished."""
        return sum(g.utilities[who] for g in self.games) / len(self.games) if self.games else None

    def effort(self, who: int) -> Effort:
        """What a contestant spent, in all games."""
        total = Effort()
        for g in self.games:
            total.add(g.efforts[who])
        return total

    def name(self, who: int) -> str:
        """A contestant's player, and its game where the two differ in that."""
        contestant, other = self.contestants[who], self.contestants[1 - who]
        return contestant.player.name + (f" in {contestant.game.label}" if contestant.game.label != other.game.label else "")

    def __str__(self) -> str:
        return records.told(self)

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return records.as_dict(self)


def match(
    one: Contestant | Player | Outsider | str,
    two: Contestant | Player | Outsider | str,
    game: Game | None = None,
    games: int = USUAL_GAMES,
    *,
    seed: int = 0,
    jobs: int = 1,
    openings: int | Iterable[str | Position] = USUAL_PLIES,
    remember: bool = True,
    record: str | Path | None = None,
    watch: Callable[[Match], None] | None = None,
) -> Match:
    """Play a match: `match("negascout(time=0.1)", "alphabeta(depth=4)", kb.load("othello"), games=200)`.

    `openings` is a number of random moves, or openings of your own: moves, boards or positions. Unless told not to, players `remember` in a game what they
    found for earlier moves, if their search keeps a table or a tree. `record` is a file for the games. `watch` is called with the match so far after
    every game. Ctrl-C ends the match; what was played until then is the result.
    """
    contestants = _contestants(one, two, game)
    if games < 2 or games % 2:
        raise InputError(f"games={games}: must be 2 or more, and even: every opening is played with either side")
    if not 0 <= seed < MOST_SEED:
        raise InputError(f"seed {seed}: must be from 0 to {MOST_SEED - 1}")
    if record is not None:
        records.check_place(Path(record))
    plan = _plan(contestants, games, openings, seed, remember)
    return _Run(contestants, plan, seed, watch).through(jobs, record)


class _Run:
    """A match under way."""

    def __init__(
        self, contestants: tuple[Contestant, Contestant], plan: list[Pairing], seed: int, watch: Callable[[Match], None] | None
    ) -> None:
        self.contestants, self.plan, self.seed, self.watch = contestants, plan, seed, watch
        self.done: dict[int, Played] = {}
        self.began = time.perf_counter()

    def through(self, jobs: int, record: str | Path | None) -> Match:
        try:
            self._compile()
            self.began = time.perf_counter()
            for number, game in spread(played, self.plan, jobs):
                self.done[number] = game
                if self.watch:
                    self.watch(self.result())
        except KeyboardInterrupt:
            pass
        result = self.result()
        if record is not None:
            records.write(Path(record), result)
        return result

    def result(self) -> Match:
        numbers = sorted(self.done)
        whole = [n for n in numbers if n % 2 == 0 and n + 1 in self.done]
        pairs = tuple(0.5 * (self.done[n].score + self.done[n + 1].score) for n in whole)
        games = tuple(self.done[n] for n in numbers)
        return Match(self.contestants, games, pairs, len(self.plan), self.seed, time.perf_counter() - self.began)

    def _compile(self) -> None:
        """Before the first move, which would take its time, and before there are several processes, which would all compile the same."""
        for who, contestant in enumerate(self.contestants):
            pairing = self.plan[who]
            contestant.get_ready(Position(contestant.game, pairing.start) if pairing.start else _after(contestant.game, pairing.opening))


def _contestants(
    one: Contestant | Player | Outsider | str, two: Contestant | Player | Outsider | str, game: Game | None
) -> tuple[Contestant, Contestant]:
    games = [c.game for c in (one, two) if isinstance(c, Contestant)]
    known = game or (games[0] if games else None)
    if known is None:
        raise InputError('a match needs a game: match("alphabeta", "negascout", kibitz.load("othello"))')
    both = Contestant.of(one, known), Contestant.of(two, known)
    for contestant in both:
        contestant.check()
    same_rules(both[ONE].game, both[TWO].game)
    return both


def same_rules(one: Game, two: Game) -> None:
    """Refuse two games that differ in more than what they know about the game."""
    for name in ("State", "PLAYERS", "MAX_MOVES", "MAX_PLIES", "VALUES", "MOVE", "CHANCE_KIND", "REPETITION", "REPETITIONS"):
        if one.constants[name] != two.constants[name]:
            raise InputError(f"{one.label} and {two.label} are different games: their {name} differ; only their evaluations may")
    if first(one).data != first(two).data:
        raise InputError(f"{one.label} and {two.label} are different games: they start from different positions")


def _plan(
    contestants: tuple[Contestant, Contestant], games: int, openings: int | Iterable[str | Position], seed: int, remember: bool
) -> list[Pairing]:
    """Every game of the match."""
    game = contestants[ONE].game
    begun: Sequence[tuple[opening_moves.Opening, bytes | None]]
    if isinstance(openings, int):
        begun = [(moves, None) for moves in opening_moves.random_openings(game, games // 2, openings, seed)]
    else:
        for contestant in contestants:
            if isinstance(contestant.player, Outsider):
                raise InputError(f"{contestant.player.name} plays from the start of the game; give a number of random moves as openings")
        begun = [((), position.data) for position in opening_moves.given_openings(game, openings)]
        if not begun or (len(begun) < games // 2 and not game.has_chance):
            raise InputError(f"{len(begun)} openings are enough for {2 * len(begun)} games, not for {games}")
    plan = []
    for pair in range(games // 2):
        moves, start = begun[pair % len(begun)]
        plan += [Pairing(contestants, side, moves, start, seed, pair, remember) for side in (ONE, TWO)]
    return plan


def _after(game: Game, opening: opening_moves.Opening) -> Position:
    return first(game).after_line(list(opening))
