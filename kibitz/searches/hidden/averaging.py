"""Shared by searches that judge moves by their mean over the positions of a belief: the belief, which is kept from move to move, and the table of means."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.hidden.belief import Belief, SampleLost
from kibitz.core.hidden.informed import InformedBelief
from kibitz.core.hidden.view import View
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import ESTIMATE, Candidate, Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.records import random

AGAIN = 3  # times that a sample which died is drawn anew, four times as large each time

STATES = Parameter("states", 1 << 16, 1, 1 << 24, None, "most positions of the belief; beyond, it is a sample")
SEED = Parameter("seed", 0, 0, (1 << 63) - 1, None, "same seed and same number of playouts, same move")


@dataclass
class Memory:
    """The belief at the last move, for the next one; and what else a search keeps."""

    belief: Belief | None = None
    others: dict[Any, Any] = field(default_factory=dict)


def find_belief(known: View, limit: int, seed: int, memory: Memory) -> tuple[Belief | None, str]:
    """All that the view leaves possible, from the last move's where that is remembered; None where no sample holds anything, and why."""
    kept = memory.belief
    for again in range(AGAIN + 1):
        try:
            if kept is not None and is_earlier(kept, known):
                memory.belief = kept.following(known.events[len(kept.events) :])
            else:
                memory.belief = Belief.of(known, limit << (2 * again), seed + again)
            return memory.belief, ""
        except SampleLost:
            kept = None
    memory.belief = None
    return None, f"no position was found that agrees with all that was heard, in a sample of {limit << (2 * AGAIN)}: any move"


def is_earlier(kept: Belief | InformedBelief, known: View) -> bool:
    """Is it what the same player knew earlier in the same game?"""
    same = (kept.game, kept.observer, kept.origin) == (known.game, known.observer, known.origin)
    return same and known.events[: len(kept.events)] == kept.events


def describe_size(belief: Belief | None) -> str:
    """How many positions there are."""
    if belief is None:
        return ""
    return f"{belief.size} position{'s' if belief.size > 1 else ''} {'possible' if belief.complete else 'kept of those possible'}"


class Means:
    """What every move was worth in the positions looked at so far, each counting by its weight."""

    def __init__(self, known: View, settings: Mapping[str, Any], engine: str, memory: Memory) -> None:
        if not known.is_own_turn:
            raise InputError(f"it is not the turn of {known.game.side(known.observer)}")
        self.known, self.settings, self.engine = known, settings, engine
        self.began = time.perf_counter()
        self.game = known.game
        self.belief, self.note = find_belief(known, settings["states"], settings["seed"], memory)

    def answer(self, sums: Any, squares: Any, total: float, rounds: int, nodes: int, ended: str, note: str = "") -> Result:
        """The move with the best mean: `sums` and `squares` over `rounds` positions whose weights add up to `total`."""
        moves, enough = self.known.moves, rounds > 0
        position = self.belief.position(0) if self.belief is not None else Position(self.game, self.known.origin[0])
        means = sums / total if enough else [math.nan] * len(moves)
        order = sorted(range(len(moves)), key=lambda i: (-means[i] if enough else 0.0, i))
        if self.belief is None:
            with np.errstate(over="ignore"):
                order = [int(random.below(random.seeded(self.settings["seed"], len(self.known.events)), len(moves)))]
        spreads = [math.sqrt(max(0.0, float(squares[i]) / total - float(means[i]) ** 2)) if enough else math.nan for i in range(len(moves))]
        table = tuple(Candidate(position, (int(moves[i]),), rounds, float(means[i]), spreads[i], ESTIMATE) for i in order)
        return Result(
            position=position,
            engine=self.engine,
            move=moves[order[0]],
            value=float(means[order[0]]),
            bound=ESTIMATE,
            line=(moves[order[0]],),
            depth=1,
            nodes=nodes,
            seconds=time.perf_counter() - self.began,
            ended=ended,
            playouts=rounds * len(moves),
            table=table if enough else (),
            note=self.note or note or describe_size(self.belief),
        )


def unfit(game: Game) -> str | None:
    """Why a game is of the wrong kind."""
    return None if game.is_hidden else "its players see the whole position"
