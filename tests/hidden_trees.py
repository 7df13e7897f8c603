"""Random small games of hidden information, written out in the state: one compiled search serves all of them.

Who moves, and how many moves he has, depends on the level alone, so that whatever players hear, positions that look alike to a player offer him the same moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np

import kibitz as kb
from kibitz import CHANCE, GENERAL, OVER, record
from kibitz.core.position.game import Position
from kibitz.core.records.record import blank

MOST = 96  # positions


class Rules:
    """A place in a tree; `heard` is what each player hears when it is come to."""

    PLAYERS = 2
    MAX_MOVES = 3
    MAX_OUTCOMES = 3
    MAX_PLIES = 8
    VALUES = (-8.0, 8.0)
    GRAIN = 0.0
    CHANCE_KIND = GENERAL
    State = record(
        at=np.int64, first=(np.int16, MOST), many=(np.int16, MOST), mover=(np.int16, MOST),
        share=(np.float64, MOST), heard=(np.int16, (MOST, 3)), worth=(np.float64, (MOST, 3)),
    )  # fmt: skip

    def start(s):  # type: ignore[no-untyped-def]
        s.mover[0], s.mover[1], s.first[0], s.many[0], s.heard[1, 0], s.heard[1, 1] = 0, OVER, 1, 1, 1, 1

    def player(s):  # type: ignore[no-untyped-def]
        return s.mover[s.at]

    def moves(s, out):  # type: ignore[no-untyped-def]
        for i in range(s.many[s.at]):
            out[i] = i
        return s.many[s.at]

    def outcomes(s, out, weights):  # type: ignore[no-untyped-def]
        for i in range(s.many[s.at]):
            out[i], weights[i] = i, s.share[s.first[s.at] + i]
        return s.many[s.at]

    def play(s, move):  # type: ignore[no-untyped-def]
        s.at = s.first[s.at] + move

    def utility(s, player):  # type: ignore[no-untyped-def]
        return s.worth[s.at, player]

    def evaluate(s, player):  # type: ignore[no-untyped-def]
        return 0.0

    def percept(before, move, after, observer):  # type: ignore[no-untyped-def]
        return after.heard[after.at, observer]


class Three(Rules):
    PLAYERS = 3
    SUM = None


@dataclass(frozen=True)
class Level:
    mover: int
    moves: int
    deaf: tuple[bool, ...]  # who hears nothing of what happens here


@cache
def game(players: int) -> kb.Game:
    return kb.Game(Rules if players == 2 else Three, name=f"hidden_trees_{players}")


def draw(seed: int, players: int = 2) -> Position:
    """A random game; with two players what one wins the other loses."""
    rng = Random(f"hidden:{seed}:{players}")
    levels = _levels(rng, players)
    s = blank(game(players).constants["State"])
    row, used = [0], 1
    for level in levels:
        following: list[int] = []
        for at in row:
            s.mover[at], s.first[at], s.many[at] = level.mover, used, level.moves
            for i in range(level.moves):
                s.share[used] = rng.choice((0.5, 1.0, 1.0, 3.0))
                for p in range(players):
                    s.heard[used, p] = 0 if level.deaf[p] else rng.randrange(2) if rng.random() < 0.3 else i
                following.append(used)
                used += 1
        row = following
    for at in row:
        s.mover[at] = OVER
        worth = [float(rng.randint(-4, 4)) for _ in range(players)]
        for p in range(players):
            s.worth[at, p] = worth[p] if players > 2 else worth[0] if p == 0 else -worth[0]
            s.heard[at, p] += 4  # that it is over
    return Position(game(players), s.tobytes())


def _levels(rng: Random, players: int) -> list[Level]:
    """As many as there is room for."""
    levels: list[Level] = []
    width, used = 1, 1
    while len(levels) < 7:
        mover = CHANCE if rng.random() < (0.6 if not levels else 0.2) else rng.randrange(players)
        moves = rng.randint(2, 3)
        if used + width * moves > MOST:
            break
        width *= moves
        used += width
        levels.append(Level(mover, moves, tuple(rng.random() < 0.4 for _ in range(players))))
    return levels


def line(position: Position, rng: Random, plies: int) -> Position:
    """A few random moves further, where it is a player's turn; the position itself where there is no such place."""
    here = position
    for _ in range(plies):
        here = here.play(int(rng.choice(here.moves)))
    while here.player < 0 and not here.is_over:
        here = here.play(int(rng.choice(here.moves)))
    return position if here.is_over else here


def infosets(position: Position) -> dict[Any, list[Position]]:
    """Every information set by player and what he knows: its positions."""
    found: dict[Any, list[Position]] = {}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        if here.player >= 0:
            events = here.told[here.player].events if here.told else ()
            found.setdefault((here.player, events), []).append(here)
        waiting += [here.play(int(m)) for m in here.moves]
    return found
