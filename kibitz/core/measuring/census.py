"""Statistics of random games, ply by ply: the number of moves and of outcomes of chance, and how much players decide.

The branching of choice and of chance says how hard a search is; determinacy says how much of the game is chance (see
kibitz.core.measuring.determinacy: here it is the mean over the moves at hand, as the game rates them).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.measuring import random_games
from kibitz.core.measuring.random_games import begin, play_games
from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records import random
from kibitz.core.records.random import by_weight
from kibitz.core.records.record import blank, record

LONGEST = 4096  # plies that are told apart; a random game is watched no longer

Ply = record(
    choices=np.int64,  # positions in which a player chose
    moves=np.int64,  # there were in all of them
    least=np.int64,  # in one
    most=np.int64,
    chances=np.int64,  # positions in which chance decided
    outcomes=np.int64,
    fewest=np.int64,
    widest=np.int64,
    decided=np.float64,  # sum of the determinacy of positions, each the mean over its moves
    squares=np.float64,  # of the same
)


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """What random games need, and what was counted at each ply."""
    return record(**random_games.fields(constants), plies=(Ply, min(constants["MAX_PLIES"], LONGEST)))


# --- kernels ---


def census(w: Any, rng: Any, games: int) -> int:
    """Play `games` random games from `w.root`, or up to the limit, and count; returns how many came to their end."""
    finished = 0
    for _ in range(games):
        if not begin(w):
            break
        for ply in range(w.plies.shape[0]):
            if game.player(w.state) == OVER:
                break
            step(w, w.plies[ply], rng)
        if game.player(w.state) == OVER:
            finished += 1
    return finished


def step(w: Any, p: Any, rng: Any) -> None:
    """Count what can happen, and let it happen at random."""
    s = w.state
    if game.player(s) == CHANCE:
        n = game.outcomes(s, w.choices, w.weights)
        p.fewest = n if p.chances == 0 else min(p.fewest, n)
        p.widest = max(p.widest, n)
        p.chances += 1
        p.outcomes += n
        game.play(s, w.choices[by_weight(w.weights, n, rng)])
        return
    n = game.moves(s, w.choices)
    p.least = n if p.choices == 0 else min(p.least, n)
    p.most = max(p.most, n)
    p.choices += 1
    p.moves += n
    decided = 0.0
    for i in range(n):
        decided += game.determinacy(s, w.choices[i])
    decided /= n
    p.decided += decided
    p.squares += decided * decided
    game.play(s, w.choices[random.below(rng, n)])


# --- shell ---


@dataclass(frozen=True)
class Level:
    """What was met at one ply, or at all of them."""

    choices: int  # positions in which a player chose
    moves: float  # on average; NaN where nobody did
    moves_range: tuple[int, int]
    chances: int
    outcomes: float
    outcomes_range: tuple[int, int]
    determinacy: float
    variance: float  # of the determinacy between positions


@dataclass(frozen=True)
class Census:
    """What random games came to."""

    games: int
    finished: int
    overall: Level
    plies: tuple[Level, ...]


def taken(position: Position, games: int, seed: int = 0, target: str | None = None) -> Census:
    """Play `games` random games from `position` and count. The same seed gives the same games."""
    w = blank(workspace(position.game.constants))
    run = play_games(census, w, position, games, seed, target=target, label="inspect")
    counted = np.asarray(w["plies"])
    last = int(np.flatnonzero(counted["choices"] + counted["chances"]).max(initial=-1)) + 1
    return Census(games, int(run.result), _level(counted[:last]), tuple(_level(counted[ply : ply + 1]) for ply in range(last)))


def _level(counted: Any) -> Level:
    """The counts of some plies together."""
    total = {name: counted[name].sum().item() for name in ("choices", "moves", "chances", "outcomes", "decided", "squares")}
    chosen, tossed = counted[counted["choices"] > 0], counted[counted["chances"] > 0]
    mean = total["decided"] / total["choices"] if total["choices"] else math.nan
    return Level(
        choices=total["choices"],
        moves=total["moves"] / total["choices"] if total["choices"] else math.nan,
        moves_range=(int(chosen["least"].min(initial=1 << 30)), int(chosen["most"].max(initial=0))) if len(chosen) else (0, 0),
        chances=total["chances"],
        outcomes=total["outcomes"] / total["chances"] if total["chances"] else math.nan,
        outcomes_range=(int(tossed["fewest"].min()), int(tossed["widest"].max())) if len(tossed) else (0, 0),
        determinacy=mean,
        variance=max(0.0, total["squares"] / total["choices"] - mean * mean) if total["choices"] else math.nan,
    )
