"""Random games: every move equally likely, every chance outcome by its weight, from a position to the end.

`random_game` is the playout of the Monte Carlo searches; `random_games` plays many and gives their mean utility.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records import random
from kibitz.core.records.place import own_copy, put_back
from kibitz.core.records.random import by_weight
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, Control, Run, supervise


def fields(constants: dict[str, Any]) -> dict[str, Any]:
    """The position to start from, the game being played, and one list for its moves and outcomes."""
    return {
        "control": Control,  # its nodes are the games played
        "root": constants["State"],
        "state": constants["State"],
        "choices": (constants["MOVE"], max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])),
        "weights": (np.float64, max(1, constants["MAX_OUTCOMES"])),
    }


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """The same, and what the games came to."""
    players = constants["PLAYERS"]
    sums = {"sums": (np.float64, players), "squares": (np.float64, players)}  # of utilities, over the finished games, and of their squares
    return record(**fields(constants), finished=np.int64, **sums)


# --- kernels ---


def playouts(w: Any, rng: Any, games: int) -> int:
    """Play `games` random games from `w.root`, or up to the limit; the results are added to the workspace. Returns the plies."""
    plies = 0
    for _ in range(games):
        if not begin(w):
            break
        plies += random_game(w, w.state, rng)
        if game.player(w.state) == OVER:
            w.finished += 1
            for player in range(game.PLAYERS):
                worth = game.utility(w.state, player)
                w.sums[player] += worth
                w.squares[player] += worth * worth
    return plies


def begin(w: Any) -> bool:
    """Set up the next game from `w.root` and count it; False at the limit."""
    if w.control.nodes >= w.control.limit:
        return False
    w.state = w.root
    w.control.nodes += 1
    return True


def random_game(w: Any, s: Any, rng: Any) -> int:
    """Play `s` to its end, in place, or for MAX_PLIES moves; returns how many were made. `w` lends `choices` and `weights`.

    It is played on copies: written moves could be parts of a position in `w` for all the compiler knows, and it would be read anew after each.
    """
    own, dice = own_copy(s), own_copy(rng)
    plies = play_on(w, own, dice)
    put_back(s, own)
    put_back(rng, dice)
    return plies


def play_on(w: Any, s: Any, rng: Any) -> int:
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
    w = blank(workspace(position.game.constants))
    run = play_games(playouts, w, position, games, seed, target=target, label="random games")
    means = [_ratio(total, w.finished) for total in w.sums]
    spreads = [_ratio(total, w.finished) - mean * mean for total, mean in zip(w.squares, means, strict=True)]
    errors = [math.sqrt(_ratio(max(0.0, spread), w.finished)) for spread in spreads]  # rounding can leave a spread just below zero
    return RandomGames(w.finished, games - w.finished, int(run.result), tuple(means), tuple(errors), run.seconds)


def play_games(kernel: Callable[..., int], w: Any, position: Position, games: int, seed: int, *, target: str | None, label: str) -> Run:
    """Let `kernel(w, rng, games)` play random games from a position, in a blank workspace."""
    if games < 1:
        raise InputError(f"{games} games: play at least 1")
    if not 0 <= seed < 1 << 64:
        raise InputError(f"seed {seed}: must be from 0 to {(1 << 64) - 1}")
    w.root, w.control.limit = position.state, NO_LIMIT
    run = supervise(position.game.bind(kernel, target=target, label=label), w, random.seeded(seed), games, control=w.control)
    if run.interrupted:
        raise KeyboardInterrupt
    return run


def _ratio(total: float, count: int) -> float:
    return total / count if count else math.nan
