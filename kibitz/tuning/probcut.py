"""How well a shallow search foretells a deep one: measured on positions of the engine's own games, for `selective(probcut=...)`.

Each game begins with random moves and goes on with a shallow search against itself, a move in five random. From each some positions are searched to
every depth up to the deepest; for each pair of depths a line is fitted to the values. Depths of different parity are not paired: whose move is
last makes too much of a difference. Positions whose outcome a search can see are left out.

A game depends on the seed and its own number alone. Finished games are kept in a file, so that a killed measurement goes on where it was.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
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
        """Where finished games are noted; each way of measuring has its own file."""
        place = probcut.stored(self.game)
        return place.with_name(f"{place.stem}-{self.deepest}-{self.seed}-{probcut.fingerprint(self.game)[:12]}.partial")


def check(game: Game) -> None:
    """Refuse a game that selective search cannot play, or that has nothing to foretell."""
    if reason := opposite_interests(game):
        raise InputError(f"selective cannot search {game.label}: {reason}; so there is nothing to measure")
    if not game.defines("evaluate"):
        raise InputError(f"{game.label} has no evaluation whose change with depth could be measured; define evaluate(s, player)")


def measure(plan: Plan, jobs: int, progress: Callable[[int, int], None] = lambda *_: None) -> list[Cut]:
    """Play and search, then fit. `progress` is told how many games are done, of how many."""
    check(plan.game)
    done = dict(noted(plan.journal))
    missing = (n for n in range(plan.games) if n not in done)
    plan.journal.parent.mkdir(parents=True, exist_ok=True)
    progress(len(done), plan.games)
    with ThreadPoolExecutor(jobs) as pool, plan.journal.open("a", encoding="utf-8") as journal:
        journal.write("\n")  # a line that was cut short ends here
        while batch := list(islice(missing, jobs)):
            for number, values in pool.map(lambda n: (n, one_game(plan, n)), batch):
                done[number] = values
                journal.write(json.dumps([number, values]) + "\n")
            journal.flush()
            progress(len(done), plan.games)
    cuts = fitted([v for number in sorted(done) for v in done[number] if number < plan.games], plan.deepest)
    if not cuts:
        raise InputError(f"fewer than {FEWEST} positions had a value at every depth; measure more games")
    return cuts


def noted(journal: Path) -> Iterator[tuple[int, list[Values]]]:
    """The finished games of a measurement that was killed; a line cut short is no game."""
    if journal.exists():
        for line in journal.read_text(encoding="utf-8").splitlines():
            try:
                number, values = json.loads(line)
            except ValueError:
                continue
            yield number, values


def one_game(plan: Plan, number: int) -> list[Values]:
    """The values of some positions of one game."""
    chance = random.Random(f"{plan.seed} {number}")
    met = list(self_play(plan.game, chance))
    chosen = chance.sample(met, min(FROM_EACH, len(met)))
    found = ([r.value for r in player(MEASURED, depth=plan.deepest).analyse(p) if not r.exact] for p in chosen)
    return [values for values in found if len(values) == plan.deepest]


def self_play(game: Game, chance: random.Random) -> Iterator[Position]:
    """The positions of a game after its random beginning."""
    position, random_moves, engine = game.start, chance.randint(2, OPENING), player(PLAYER)
    while not position.is_over:
        if random_moves <= 0:
            yield position
        found = None if random_moves > 0 or chance.random() < VARIETY else engine.search(position).move
        random_moves -= 1
        position = position.play(chance.choice(position.moves) if found is None else found)


def fitted(values: list[Values], deepest: int) -> list[Cut]:
    """The best line for every pair of depths of one parity."""
    table, cuts = np.array(values).reshape(-1, deepest), []
    if len(table) < FEWEST:
        return []
    for deep in range(3, deepest + 1):
        for shallow in range(2 - deep % 2, deep - 1, 2):
            x, y = table[:, shallow - 1], table[:, deep - 1]
            slope = float(np.cov(x, y)[0, 1] / np.var(x, ddof=1)) if np.ptp(x) > 0 else 0.0
            offset = float(y.mean() - slope * x.mean())
            error = float(np.sqrt(np.sum((y - slope * x - offset) ** 2) / (len(table) - 2)))
            cuts.append(Cut(shallow, deep, slope, offset, error, len(table)))
    return cuts
