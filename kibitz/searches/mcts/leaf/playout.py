"""Playouts: from a leaf to the end of the game, or for a number of moves and then the game's evaluation; and what they are worth.

A playout's moves are one of: uniform; `game`, what the game itself draws (`playout`); `policy`, by the game's weights; `greedy`, the move after which the
evaluation is best, or with probability epsilon any move. Chance decides by its weights. Positions that come up again do not end a playout.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.measuring.random_games import outcome, random_game
from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records import random
from kibitz.core.records.random import by_weight
from kibitz.searches.mcts.feature import Feature


def value_by_playout(w: Any, depth: int) -> None:
    """Write what a playout from `w.state` comes to into `w.result`."""
    w.control.nodes += options.playout(w, w.state, depth)
    reward(w, w.state)


# --- the playout ---


def play_uniformly(w: Any, s: Any, ply: int) -> int:  # noqa: ARG001
    """Play `s` on to the end, in place, all moves being equally likely; returns how many were made."""
    return random_game(w, s, w.rng)


def play_by_rule(w: Any, s: Any, ply: int) -> int:  # noqa: ARG001
    """The same by `playout_move`, and no farther than the cutoff."""
    most = most_moves(w)
    for made in range(most):
        mover = game.player(s)
        if mover == OVER:
            return made
        if mover == CHANCE:
            n = game.outcomes(s, w.choices, w.weights)
            game.play(s, w.choices[outcome(w.weights, n, w.rng)])
        else:
            game.play(s, options.playout_move(w, s, mover))
    return most


def most_moves(w: Any) -> int:
    """The greatest number of moves in a playout."""
    return game.MAX_PLIES if w.cutoff == 0 else min(w.cutoff, game.MAX_PLIES)


# --- its moves ---


def any_move(w: Any, s: Any, mover: int) -> int:  # noqa: ARG001
    """All moves alike."""
    n = game.moves(s, w.choices)
    return w.choices[random.below(w.rng, n)]


def move_of_the_game(w: Any, s: Any, mover: int) -> int:  # noqa: ARG001
    """As the game's own `playout` draws it."""
    return game.playout(s, w.choices, w.rng)


def move_by_policy(w: Any, s: Any, mover: int) -> int:  # noqa: ARG001
    """By the weights of the game's policy."""
    n = game.moves(s, w.choices)
    game.policy(s, w.choices, n, w.weights)
    return w.choices[by_weight(w.weights, n, w.rng)]


def greedy_move(w: Any, s: Any, mover: int) -> int:
    """What the evaluation likes best; any move once in a while."""
    n = game.moves(s, w.choices)
    if random.unit(w.rng) >= w.epsilon:
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
        w.result[0], w.result[1] = options.as_reward(value), options.as_reward(game.SUM - value)
    else:
        for p in range(game.PLAYERS):
            w.result[p] = options.as_reward(worth(s, p))


def share_of_range(value: float) -> float:
    """A utility as a number from 0 to 1."""
    low, high = game.VALUES[0], game.VALUES[1]
    return (value - low) / (high - low)


def win_or_not(value: float) -> float:
    """1, 0 or 1/2: only whether it is won, lost or drawn counts."""
    middle = 0.5 * (game.VALUES[0] + game.VALUES[1])
    return 1.0 if value > middle else 0.0 if value < middle else 0.5


# --- shell ---

MOVES = {"uniform": any_move, "game": move_of_the_game, "policy": move_by_policy, "greedy": greedy_move}


def fields(constants: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    """Fields of the workspace."""
    return {"cutoff": np.int64}


def choose_playout(game: Game, settings: Mapping[str, Any]) -> Feature:
    """The playouts that these settings ask for."""
    kind = settings["playout"]
    if kind == "auto":
        kind = "game" if game.defines("playout") else "uniform"
    rules: dict[str, Any] = {"playout_move": MOVES[kind]}
    if kind != "uniform" or settings["cutoff"] > 0:
        rules["playout"] = play_by_rule
    if settings["reward"] == "win":
        rules["as_reward"] = win_or_not
    return Feature(rules=rules, workspace=fields, settings=("epsilon", "cutoff"))
