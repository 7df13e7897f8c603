"""One random game, recorded move by move: conformance examines it, and compiled and interpreted rules must agree on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records.hashing import combine, word, word_count
from kibitz.core.records.random import Rng, below, seed
from kibitz.core.records.record import record

GUARD = 64  # cells behind each list; a list that runs over is seen there before it can do harm
UNTOUCHED = -77

Step = record(
    player=np.int64,
    count=np.int64,  # moves or outcomes
    move=np.int64,  # the one taken
    picked=np.int64,  # what `pick` takes when it draws the same lot; UNTOUCHED where it drew another number of lots
    key=np.uint64,
    listing=np.uint64,  # the whole list, in order
    lowest=np.int64,  # number in the list
    twice=np.int64,  # a move that stands twice in the list, or UNTOUCHED
    least_weight=np.float64,  # of chance outcomes
    most_weight=np.float64,
    whole_weights=np.bool_,
    overrun=np.bool_,  # a list was written past its end
    disturbed=np.bool_,  # asking changed the state
    same=np.bool_,  # playing changed nothing
    evaluation=np.float64,  # the one farthest from the middle, of all players
    rest=np.float64,  # the mover's evaluation less what he has banked
    order=np.float64,  # of the move taken
)


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """The state of the game being played, its lists with guards behind them, and the generator."""
    widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"]) + GUARD
    return record(
        state=constants["State"],
        lists=(constants["MOVE"], widest),
        weights=(np.float64, widest),
        utilities=(np.float64, constants["PLAYERS"]),
        banked=(np.float64, constants["PLAYERS"]),  # at the end
        reach=(np.float64, (constants["MAX_PLIES"] + 1, constants["PLAYERS"])),  # best_case of each position and player
        rng=Rng,
        again=Rng,  # to draw the same lot once more
    )


def walk(w: Any, steps: Any, states: Any, number: int, stream: int) -> int:
    """Play a random game from the start. `steps[i]` and `states[i]` tell of the position after i moves; returns how many were made.

    Ends where the game ends, or at the first position that cannot be continued, or when `steps` is full.
    """
    seed(w.rng, number, stream)
    s = w.state
    game.start(s)
    for ply in range(steps.shape[0]):
        states[ply] = s
        step = steps[ply]
        step.player, step.key, step.move = game.player(s), game.key(s), UNTOUCHED
        if step.player == OVER:
            for player in range(game.PLAYERS):
                w.utilities[player] = game.utility(s, player)
                w.banked[player] = game.banked(s, player)
            step.disturbed = differs(s, states[ply])
            return ply
        look(w, s, step, ply)
        step.disturbed = differs(s, states[ply])
        if step.overrun or step.count <= 0:
            return ply
        w.again = w.rng
        chosen = w.lists[below(w.rng, step.count)]
        step.move = chosen
        step.picked = game.pick(s, w.lists, w.again) if step.player != CHANCE else chosen
        if step.player != CHANCE and w.again.word != w.rng.word:
            step.picked = UNTOUCHED
        step.disturbed = step.disturbed or differs(s, states[ply])
        step.order = game.order(s, chosen) if step.player != CHANCE else 0.0
        game.play(s, chosen)
        step.same = not differs(s, states[ply])
    return steps.shape[0]


def look(w: Any, s: Any, step: Any, ply: int) -> None:
    """List what can happen, and describe the list."""
    for i in range(w.lists.shape[0]):
        w.lists[i] = UNTOUCHED
        w.weights[i] = np.float64(UNTOUCHED)
    step.count, most = 0, game.MAX_MOVES
    for player in range(game.PLAYERS):
        w.reach[ply, player] = game.best_case(s, player)
    if step.player == CHANCE:
        most = game.MAX_OUTCOMES
        step.count = game.outcomes(s, w.lists, w.weights)
    elif 0 <= step.player < game.PLAYERS:
        step.count = game.moves(s, w.lists)
        step.evaluation = farthest_evaluation(s)
        step.rest = game.evaluate(s, step.player) - game.banked(s, step.player)
    step.overrun = step.count > most
    for i in range(most, w.lists.shape[0]):
        if w.lists[i] != UNTOUCHED or w.weights[i] != np.float64(UNTOUCHED):
            step.overrun = True
    step.twice = UNTOUCHED
    if not step.overrun:
        describe(w, step)


def describe(w: Any, step: Any) -> None:
    """A digest of the list, a move that stands in it twice, the range of the weights."""
    step.listing, step.lowest = np.uint64(0), 0
    step.least_weight, step.most_weight, step.whole_weights = np.inf, -np.inf, True
    for i in range(step.count):
        step.listing = combine(step.listing, np.uint64(np.int64(w.lists[i])))
        step.lowest = min(step.lowest, w.lists[i])
        for j in range(i):
            if w.lists[i] == w.lists[j]:
                step.twice = w.lists[i]
        weight = w.weights[i]
        if step.player == CHANCE:
            step.least_weight = weight if not weight >= step.least_weight else step.least_weight  # so that a NaN is kept
            step.most_weight = max(step.most_weight, weight)
            step.whole_weights = step.whole_weights and weight == np.floor(weight)


def farthest_evaluation(s: Any) -> float:
    middle = 0.5 * (game.VALUES[0] + game.VALUES[1])
    farthest = middle
    for player in range(game.PLAYERS):
        value = game.evaluate(s, player)
        if not abs(value - middle) <= abs(farthest - middle):
            farthest = value
    return farthest


def differs(a: Any, b: Any) -> bool:
    for i in range(word_count(a)):
        if word(a, i) != word(b, i):
            return True
    return False
