"""Measures how well a shallow search predicts a deep one, on positions of the engine's own games, for `selective(probcut=...)`.

Each game begins with random moves and goes on with a shallow search against itself, a move in five random. From each some positions are searched to
every depth up to the deepest; for each pair of depths a line is fitted to the values. Depths of different parity are not paired: whose move is
last makes too much of a difference. Positions whose outcome a search can see are left out.

A game depends on the seed and its own number alone. Finished games are kept in a file, so that a killed measurement goes on where it was.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.measuring.intervals import slope
from kibitz.core.position.game import Game, Position
from kibitz.core.position.identity import digest
from kibitz.core.running.pool import spread
from kibitz.core.running.store import Piece, Store
from kibitz.players import player
from kibitz.searches.deterministic import probcut
from kibitz.searches.deterministic.probcut import Cut
from kibitz.searches.method import opposite_interests

OPENING = 8  # random moves at the beginning, at most
VARIETY = 0.2  # of the later moves are random
FROM_EACH = 4  # positions of one game
PLAYER = "alphabeta(depth=2)"
MEASURED = "negascout(strict=true)"
FEWEST = 30  # positions without which a line means nothing
Values = list[float]  # of one position, at depth 1, 2, ...


@dataclass(frozen=True)
class Plan:
    """What is measured."""

    game: Game
    games: int
    deepest: int
    seed: int

    @property
    def journal(self) -> Path:
        """Where finished games are kept; each way of measuring has its own file."""
        place = probcut.stored(self.game)
        return place.with_name(f"{place.stem}-{digest(self.deepest, self.seed, probcut.fingerprint(self.game))[:12]}.partial")


def check(game: Game) -> None:
    """Refuse a game that selective search cannot play, or that has no evaluation to predict."""
    if reason := opposite_interests(game):
        raise InputError(f"selective cannot search {game.label}: {reason}; so there is nothing to measure")
    if not game.defines("evaluate"):
        raise InputError(f"{game.label} has no evaluation whose change with depth could be measured; define evaluate(s, player)")


def measure(plan: Plan, jobs: int, progress: Callable[[int, int], None] = lambda *_: None) -> list[Cut]:
    """Play and search, then fit. `progress` is told how many games are done, of how many."""
    check(plan.game)
    with Store(plan.journal, "remove it to measure anew") as store:
        known = store.finished(number for number in store.known_keys() if int(number) < plan.games)
        done: dict[int, list[Values]] = {int(number): json.loads(values) for number, values in known.items()}
        missing = [number for number in range(plan.games) if number not in done]
        progress(len(done), plan.games)
        for place, values in spread(partial(measure_game, plan), missing, jobs):
            done[missing[place]] = values
            store.keep(Piece(str(missing[place]), json.dumps(values)))
            progress(len(done), plan.games)
    cuts = fit_cuts([v for number in sorted(done) for v in done[number]], plan.deepest)
    if not cuts:
        raise InputError(f"fewer than {FEWEST} positions had a value at every depth; measure more games")
    return cuts


def measure_game(plan: Plan, number: int) -> list[Values]:
    """The values of some positions of one game."""
    chance = random.Random(f"{plan.seed} {number}")
    met = list(play_game(plan.game, chance))
    chosen = chance.sample(met, min(FROM_EACH, len(met)))
    found = ([r.value for r in player(MEASURED, depth=plan.deepest).analyse(p) if not r.exact] for p in chosen)
    return [values for values in found if len(values) == plan.deepest]


def play_game(game: Game, chance: random.Random) -> Iterator[Position]:
    """The positions of a game after its random beginning."""
    position, random_moves, engine = game.start, chance.randint(2, OPENING), player(PLAYER)
    while not position.is_over:
        if random_moves <= 0:
            yield position
        found = None if random_moves > 0 or chance.random() < VARIETY else engine.search(position).move
        random_moves -= 1
        position = position.play(chance.choice(position.moves) if found is None else found)


def fit_cuts(values: list[Values], deepest: int) -> list[Cut]:
    """The best line for every pair of depths of one parity."""
    table, cuts = np.array(values).reshape(-1, deepest), []
    if len(table) < FEWEST:
        return []
    for deep in range(3, deepest + 1):
        for shallow in range(2 - deep % 2, deep - 1, 2):
            x, y = table[:, shallow - 1], table[:, deep - 1]
            a = slope(x.tolist(), y.tolist()) if np.ptp(x) > 0 else 0.0
            b = float(y.mean() - a * x.mean())
            error = float(np.sqrt(np.sum((y - a * x - b) ** 2) / (len(table) - 2)))
            cuts.append(Cut(shallow, deep, a, b, error, len(table)))
    return cuts
