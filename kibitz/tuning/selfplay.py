"""Positions with the results of their games: games of a search against itself, whole games inside one kernel.

A game begins with a random number of random moves; later some moves are random, too. The others are found by alpha-beta search to a small depth
with the game's own evaluation. After a random move the whole best line is played, and the position at its end is kept: there the evaluation was
called, and the result of the game from there is what it should have predicted. Positions that the search steers to without a random move before
would not do: they look good to the evaluation that chose them, as far as it is mistaken, and their results then blame what it likes. Lines that
end with the game teach an evaluation nothing and are left out.

A game depends on the seed and its own number alone, not on the process or on earlier games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, first
from kibitz.core.protocol.rules import LOSS, OVER
from kibitz.core.protocol.weights import checked, tapers
from kibitz.core.records import random
from kibitz.core.records.random import Rng
from kibitz.core.records.record import blank
from kibitz.searches.deepening import Search
from kibitz.searches.deterministic import alphabeta
from kibitz.searches.method import method, opposite_interests
from kibitz.searches.window import node, ordering
from kibitz.tuning.samples import BATCH, Sample, join, place

MOST_ROWS = 512  # positions kept of one game
MOST_PAST = node.PAST // 2  # moves without an irreversible one, after which a game has no result; a line may follow
PLAIN = {"table": 0.0, "distance": "off", "deepening": False}

# What self-play adds to the search's workspace.
FIELDS = {
    "rng": Rng,
    "seed": np.int64,
    "number": np.int64,
    "opening": np.int64,
    "variety": np.float64,
    "final": np.float64,
    "last": np.int64,
}


# --- kernels ---


def play_out(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> int:
    """Play game `w.number` to its end; w.rows and w.phases tell of the positions kept, w.final of the result to player 0. Returns how many.

    A game that goes on and on has no result: w.final is NaN then.
    """
    random.seed(w.rng, w.seed, w.number)
    game.start(w.states[0])
    w.past, w.final, w.last = 0, np.nan, 0
    if options.REPEATS:
        w.keys[0] = game.situation(w.states[0])
    opening, kept, strayed = random.below(w.rng, w.opening + 1), 0, True
    for ply in range(game.MAX_PLIES + 1):
        if has_ended(w) or w.past >= MOST_PAST:
            break
        if ply < opening or random.unit(w.rng) < w.variety:
            make(w, w.lists[0, random.below(w.rng, game.moves(w.states[0], w.lists[0]))])
            strayed = True
            continue
        alphabeta.root(w, arrays, depth, alpha, beta)
        for i in range(w.line_end[0] if strayed else 1):
            make(w, w.line[0, i])
        if strayed and kept < w.rows.shape[0] and not has_ended(w):
            keep(w, kept)
            kept += 1
        strayed = False
    return kept


def keep(w: Any, place: int) -> None:
    """Write down what there is to know of the position on the board."""
    game.features(w.states[0], 0, w.rows[place])
    w.phases[place] = game.phase(w.states[0])


def has_ended(w: Any) -> bool:
    """Is the game over, or a position repeated so often that it is? Then w.final is the result."""
    if game.player(w.states[0]) == OVER:
        w.final = game.utility(w.states[0], 0)
        return True
    if options.REPEATS and node.first_of_repetition(w, np.int64(0)) < node.NEVER:  # type: ignore[arg-type]
        lost = game.VALUES[0] if w.last == 0 else game.VALUES[1]
        w.final = lost if game.REPETITION == LOSS else 0.5 * game.SUM
        return True
    return False


def make(w: Any, move: int) -> None:
    """A move on the board, which is w.states[0]; where positions may repeat, w.keys holds those that could."""
    s = w.states[0]
    w.last = game.player(s)
    if options.REPEATS:
        w.past = 0 if game.irreversible(s, move) else w.past + 1
    game.play(s, move)
    if options.REPEATS:
        w.keys[w.past] = game.situation(s)


# --- shell ---


@dataclass(frozen=True)
class Plan:
    """How games are played."""

    game: Game
    depth: int
    seed: int
    opening: int  # random moves at the beginning, at most
    variety: float  # the part of the later moves that are random, too
    quiescence: int = 0  # plies of noisy moves beyond the depth

    @property
    def place(self) -> Path:
        """Where its games are kept."""
        further = (self.quiescence,) if self.quiescence else ()
        return place(self.game, self.depth, self.seed, self.opening, self.variety, *further)

    def tasks(self, games: int) -> list[range]:
        """The numbers of `games` games, in batches."""
        return [range(first, first + BATCH) for first in range(0, games, BATCH)]

    def sample(self, numbers: range) -> Sample:
        """Play the games with these numbers."""
        player = _player_for(self)
        return join([player.play(number) for number in numbers])

    def as_dict(self) -> dict[str, Any]:
        """How they were played, for the file of weights."""
        further = {"quiescence": self.quiescence} if self.quiescence else {}
        return {"depth": self.depth, "seed": self.seed, "opening": self.opening, "variety": self.variety, **further}


def check(game: Game) -> None:
    """Refuse a game whose evaluation cannot be fitted."""
    names = game.constants["FEATURES"]
    if not names or not game.defines("features") or not game.defines("evaluate"):
        raise InputError(
            f"{game.label} has no evaluation to fit: it needs FEATURES, features(s, player, out), WEIGHTS and evaluate(s, player)"
        )
    if reason := opposite_interests(game):
        raise InputError(f"weights can be fitted where alpha-beta can play; {game.label}: {reason}")
    if tapers(checked(game.constants["WEIGHTS"], names, f"{game.label}: WEIGHTS")) != game.defines("phase"):
        raise InputError(f"{game.label}: two rows of WEIGHTS go with a function phase(s), and one row without; it has only one of the two")


def search_of(game: Game, quiescence: int, root: Callable[..., float], room: int) -> Search:
    """A search whose kernel is `root`, with a workspace with `room` for the features of positions."""
    constants = game.constants
    rows = {
        "rows": (np.float32, (room, len(constants["FEATURES"]))),
        "phases": (np.float32, room),
    }
    settings = method("alphabeta").settings({**PLAIN, "quiescence": quiescence})
    kernel = replace(alphabeta.kernel(), root=root, fields={**FIELDS, **rows})
    return Search(first(game), settings, "tuning", kernel)


@lru_cache(maxsize=1)
def _player_for(plan: Plan) -> _SelfPlayer:
    return _SelfPlayer(plan)


class _SelfPlayer:
    """A search that is kept from game to game."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.search = search_of(plan.game, plan.quiescence, play_out, room=min(plan.game.constants["MAX_PLIES"], MOST_ROWS))
        w = self.search.w
        w.seed, w.opening, w.variety = plan.seed, plan.opening, plan.variety

    def play(self, number: int) -> Sample:
        w = self.search.w
        ordering.reset(w)
        w.control.nodes, w.number = 0, number
        w.states[0] = blank(self.plan.game.constants["State"])  # `start` writes into a zeroed record
        n = int(self.search.value(self.plan.depth))
        if np.isnan(w.final):
            n = 0
        rows, phases = np.array(w["rows"][:n]), np.array(w["phases"][:n])
        return Sample(rows, phases, np.full(n, number, np.int64), np.full(n, w.final, np.float32))
