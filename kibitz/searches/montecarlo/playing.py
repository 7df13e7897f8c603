"""Playouts: from a leaf to the end of the game, or for a number of moves and then the game's evaluation; and what they are worth.

The policy is one of: uniform; `game`, what the game itself draws (`playout`); `policy`, by the game's weights; `greedy`, the move after which the evaluation is best, or with probability epsilon
any move. Chance decides by its weights. Positions that come up again do not end a playout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.measuring.random_games import by_weight, outcome, random_game
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records import random
from kibitz.searches.montecarlo import rave


def playout(w: Any, s: Any, ply: int) -> int:
    """Play `s` on, in place; returns how many moves were made. With RAVE they are written down from `ply` on."""
    if options.UNIFORM and not options.CUTOFF and not options.RAVE:
        return random_game(w, s, w.rng)
    most = min(w.cutoff, game.MAX_PLIES) if options.CUTOFF else game.MAX_PLIES
    for made in range(most):
        mover = game.player(s)
        if mover == OVER:
            return made
        if mover == CHANCE:
            n = game.outcomes(s, w.choices, w.weights)
            game.play(s, w.choices[outcome(w.weights, n, w.rng)])
        else:
            move = chosen(w, s, mover)
            if options.RAVE:
                rave.write_down(w, ply + made, mover, move)
            game.play(s, move)
    return most


def chosen(w: Any, s: Any, mover: int) -> int:
    """A move by the playout's policy."""
    if options.BY_GAME:
        return game.playout(s, w.choices, w.rng)
    n = game.moves(s, w.choices)
    if options.BY_POLICY:
        game.policy(s, w.choices, n, w.weights)
        return w.choices[by_weight(w.weights, n, w.rng)]
    if options.GREEDY and random.unit(w.rng) >= w.epsilon:
        return most_promising(w, s, mover, n)
    return w.choices[random.below(w.rng, n)]


def most_promising(w: Any, s: Any, mover: int, n: int) -> int:
    """The move after which the position is worth most to the mover; any of them among equals."""
    best, highest, equal = w.choices[0], -np.inf, 0
    for i in range(n):
        w.trial = s
        game.play(w.trial, w.choices[i])
        value = worth(w.trial, mover)
        if value > highest:
            best, highest, equal = w.choices[i], value, 1
        elif value == highest:
            equal += 1
            if random.below(w.rng, equal) == 0:
                best = w.choices[i]
    return best


# --- rewards ---


def worth(s: Any, player: int) -> float:
    """The utility of a finished game, the evaluation of another."""
    return np.float64(game.utility(s, player)) if game.player(s) == OVER else np.float64(game.evaluate(s, player))


def reward(w: Any, s: Any) -> None:
    """Write what `s` is worth to each player into `w.result`."""
    if options.OPPOSITE:
        value = worth(s, 0)
        w.result[0], w.result[1] = as_reward(value), as_reward(game.SUM - value)
    else:
        for p in range(game.PLAYERS):
            w.result[p] = as_reward(worth(s, p))


def as_reward(value: float) -> float:
    """A utility as a number from 0 to 1; with WINS only whether it is won, drawn or lost counts."""
    low, high = game.VALUES[0], game.VALUES[1]
    if options.WINS:
        middle = 0.5 * (low + high)
        return 1.0 if value > middle else 0.0 if value < middle else 0.5
    return (value - low) / (high - low)
