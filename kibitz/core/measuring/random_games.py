"""Random games: every move equally likely, every chance outcome by its weight, from a position to the end.

`random_game` is the playout of the Monte Carlo searches; `random_games` plays many and says what they were worth on average.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records import random
from kibitz.core.records.random import Rng
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, Control, supervise


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """The position to start from, the game being played, one list for its moves and outcomes, and what the games came to."""
    return record(
        control=Control,  # its nodes are the games played
        root=constants["State"],
        state=constants["State"],
        choices=(constants["MOVE"], max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])),
        weights=(np.float64, max(1, constants["MAX_OUTCOMES"])),
        finished=np.int64,
        sums=(np.float64, constants["PLAYERS"]),  # of utilities, over the finished games
        squares=(np.float64, constants["PLAYERS"]),  # of utilities
    )


# --- kernels ---


def playouts(w: Any, rng: Any, games: int) -> int:
    """Play `games` random games from `w.root`, or up to the limit; the results are added to the workspace. Returns the plies."""
    plies = 0
    for _ in range(games):
        if w.control.nodes >= w.control.limit:
            break
        w.state = w.root
        plies += random_game(w, w.state, rng)
        w.control.nodes += 1
        if game.player(w.state) == OVER:
            w.finished += 1
            for player in range(game.PLAYERS):
                worth = game.utility(w.state, player)
                w.sums[player] += worth
                w.squares[player] += worth * worth
    return plies


def random_game(w: Any, s: Any, rng: Any) -> int:
    """Play `s` to its end, in place, or for MAX_PLIES moves; returns how many were made. `w` lends `choices` and `weights`."""
    for ply in range(game.MAX_PLIES):
        mover = game.player(s)
        if mover == OVER:
            return ply
        if mover == CHANCE:
            n = game.outcomes(s, w.choices, w.weights)
            game.play(s, w.choices[outcome(w.weights, n, rng)])
        else:
            game.play(s, game.pick(s, w.choices, rng))
    return game.MAX_PLIES


def outcome(weights: Any, n: int, rng: Any) -> int:
    """One of the first n outcomes of chance, each as likely as its weight says."""
    return random.below(rng, n) if game.EQUALLY_LIKELY else by_weight(weights, n, rng)


def by_weight(weights: Any, n: int, rng: Any) -> int:
    """One of the first n places, each as likely as its weight says."""
    total = 0.0
    for i in range(n):
        total += weights[i]
    left = random.unit(rng) * total
    for i in range(n - 1):
        left -= weights[i]
        if left < 0.0:
            return i
    return n - 1


# --- shell ---


@dataclass(frozen=True)
class RandomGames:
    """What random games came to."""

    games: int  # played to their end; the rest of this speaks of them, except for the plies
    unfinished: int  # not over after MAX_PLIES moves
    plies: int  # moves and chance outcomes, in all games
    utilities: tuple[float, ...]  # the mean for each player
    errors: tuple[float, ...]  # one standard deviation of each mean
    seconds: float = field(compare=False)


def random_games(position: Position, games: int, seed: int, target: str | None = None) -> RandomGames:
    """Play `games` random games from `position`. The same seed gives the same games, compiled or interpreted."""
    if games < 1:
        raise InputError(f"{games} games: play at least 1")
    if not 0 <= seed < 1 << 64:
        raise InputError(f"seed {seed}: must be from 0 to {(1 << 64) - 1}")
    w, rng = blank(workspace(position.game.constants)), blank(Rng)
    w.root, w.control.limit = position.state, NO_LIMIT
    with np.errstate(over="ignore"):  # uint64 arithmetic wraps on purpose
        random.seed(rng, seed, 0)
    kernel = position.game.bind(playouts, target=target, label="random games")
    run = supervise(kernel, w, rng, games, control=w.control)
    if run.interrupted:
        raise KeyboardInterrupt
    means = [_ratio(total, w.finished) for total in w.sums]
    spreads = [_ratio(total, w.finished) - mean * mean for total, mean in zip(w.squares, means, strict=True)]
    errors = [math.sqrt(_ratio(max(0.0, spread), w.finished)) for spread in spreads]  # rounding can leave a spread just below zero
    return RandomGames(w.finished, games - w.finished, int(run.result), tuple(means), tuple(errors), run.seconds)


def _ratio(total: float, count: int) -> float:
    return total / count if count else math.nan
