"""Sampling the belief: every move is tried in positions drawn from the belief, and the move with the best mean is played.

For any game of hidden information. Not exact: positions are drawn as if all others had moved at random so far, and what follows a move is a guess, either a
random game to its end (`leaf=playout`) or, where the game has an evaluation, what it says after the best reply to the move (`leaf=reply`). All positions
are judged with everything open, so nothing is done for the sake of what it would tell, or would hide: a move that turns out to be illegal is worth what the
best other move is worth there. That is where such averaging errs; see docs/hidden.md.

The belief is carried on from move to move (`remember`), and is the whole set of possible positions as long as there are no more than `states` of them.
Where a sample has lost the true position, and so dies, it is drawn anew from the beginning of the game with other lots, larger and larger; a player that finds no
position at all plays any move, and says so.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.hidden.updating import same
from kibitz.core.hidden.view import View
from kibitz.core.measuring.random_games import random_game
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import OVER
from kibitz.core.records import random
from kibitz.core.records.random import by_weight
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, Control, deadline, supervise, why_to_end
from kibitz.searches.hidden.averaging import SEED, STATES, Means, Memory, unfit
from kibitz.searches.method import STOPPING, Method

AUTO, PLAYOUT, REPLY = "auto", "playout", "reply"
FIRST = 0.25  # seconds, about, between two results

OPTIONS = (
    STATES,
    Parameter("leaf", AUTO, None, None, (AUTO, PLAYOUT, REPLY), "the value of a move: a random game, or the evaluation after the best reply"),
    SEED,
)  # fmt: skip


# --- kernels ---


def tries(w: Any, states: Any, weights: Any, sums: Any, squares: Any, rng: Any, rounds: int) -> int:
    """Draw a position `rounds` times, or up to the limit of nodes, and try every move in it once; returns how many rounds were finished."""
    for done in range(rounds):
        place = by_weight(weights, states.shape[0], rng)
        for i in range(w.count):
            if w.control.nodes >= w.control.limit:
                return done
            w.state = states[place]
            game.play(w.state, w.moves[i])
            w.worth[i] = leaf(w, w.state, rng)
            if options.REPLY and np.isnan(w.worth[i]) and is_other(w, states[place]):
                w.worth[i] = game.evaluate(w.state, w.observer)
        settle_tries(w)
        for i in range(w.count):
            sums[i] += w.worth[i]
            squares[i] += w.worth[i] * w.worth[i]
    return rounds


def is_other(w: Any, before: Any) -> bool:
    """Has the move made a difference, but for what was tried in vain?"""
    w.reply = before
    game.untried(w.reply)
    game.untried(w.state)
    return not same(w.reply, w.state)


def settle_tries(w: Any) -> None:
    """What turned out illegal, so that the turn stays, is worth what the best of the others is worth."""
    if not options.REPLY:
        return
    best, found = game.VALUES[0], False
    for i in range(w.count):
        if not np.isnan(w.worth[i]) and (not found or w.worth[i] > best):
            best, found = w.worth[i], True
    for i in range(w.count):
        if np.isnan(w.worth[i]):
            w.worth[i] = best


def leaf(w: Any, s: Any, rng: Any) -> float:
    """What the position after the move is worth to the observer; NaN: it is his turn again."""
    w.control.nodes += 1
    mover = game.player(s)
    if mover == OVER:
        return game.utility(s, w.observer)
    if options.REPLY:
        return np.nan if mover == w.observer else after_reply(w, s, mover)
    w.control.nodes += random_game(w, s, rng)
    if game.player(s) != OVER:
        return 0.5 * (game.VALUES[0] + game.VALUES[1])
    return game.utility(s, w.observer)


def after_reply(w: Any, s: Any, mover: int) -> float:
    """The evaluation after the reply that is worst for the observer; where chance replies, the evaluation as it stands."""
    if mover < 0:
        return game.evaluate(s, w.observer)
    worst, found = game.VALUES[1], False
    for i in range(game.moves(s, w.choices)):
        w.reply = s
        game.play(w.reply, w.choices[i])
        w.control.nodes += 1
        after = game.player(w.reply)
        if after == mover:
            continue
        value = game.utility(w.reply, w.observer) if after == OVER else game.evaluate(w.reply, w.observer)
        if not found or value < worst:
            worst, found = value, True
    return worst if found else game.evaluate(s, w.observer)


# --- shell ---


class Sampling(Means):
    """One search."""

    def __init__(self, known: View, settings: Mapping[str, Any], engine: str, memory: Memory) -> None:
        super().__init__(known, settings, engine, memory)
        constants, count = self.game.constants, len(known.moves)
        widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])
        w = blank(
            record(
                control=Control,
                state=constants["State"],
                reply=constants["State"],
                observer=np.int64,
                count=np.int64,
                moves=(constants["MOVE"], constants["MAX_MOVES"]),
                worth=(np.float64, constants["MAX_MOVES"]),
                choices=(constants["MOVE"], widest),
                weights=(np.float64, max(1, constants["MAX_OUTCOMES"])),
            )
        )
        w.observer, w.count = known.observer, count
        w.moves[:count] = known.numbers
        self.w, self.sums, self.squares, self.rounds = w, np.zeros(count), np.zeros(count), 0
        self.rng = random.seeded(settings["seed"], len(known.events))
        reply = settings["leaf"] == REPLY or (settings["leaf"] == AUTO and self.game.defines("evaluate"))
        self.kernel = self.game.bind(tries, {"REPLY": reply}, label="sampling")

    def results(self) -> Iterator[Result]:
        """Better and better means, until a limit is met."""
        settings, until = self.settings, deadline(self.settings["time"] or None)
        most, enough = settings["playouts"] or (1 << 62), settings["nodes"] or NO_LIMIT
        if self.belief is None or len(self.known.moves) == 1:
            yield self._answer("decided")
            return
        rounds = 1
        while True:
            self.w.control.limit = enough
            seconds = None if math.isinf(until) else max(0.0, until - time.perf_counter())
            rounds = min(rounds, -(-most // len(self.sums)) - self.rounds)
            run = supervise(
                self.kernel, self.w, self.belief.states, self.belief.weights, self.sums, self.squares, self.rng, rounds,
                control=self.w.control, seconds=seconds if self.rounds else None,
            )  # fmt: skip
            self.rounds += int(run.result)
            is_full = self.rounds * len(self.sums) >= most
            ended = why_to_end(run.interrupted, until, nodes=self.w.control.nodes >= enough, playouts=is_full)
            yield self._answer(ended)
            if ended:
                return
            rounds = max(1, min(8 * self.rounds, int(FIRST * self.rounds / max(1e-6, time.perf_counter() - self.began))))

    def _answer(self, ended: str) -> Result:
        return self.answer(self.sums, self.squares, self.rounds, self.rounds, int(self.w.control.nodes), ended)


def run(known: View, settings: Mapping[str, Any], engine: str, memory: Memory | None = None) -> Iterator[Result]:
    """Results while more positions are drawn; see the module's docstring."""
    return Sampling(known, settings, engine, memory or Memory()).results()


ABOUT = "every move tried in positions drawn from the belief; for games of hidden information"
METHOD = Method("sampling", ABOUT, OPTIONS, unfit, run, STOPPING, Memory, views=True)
