"""Random small games of hidden information on a board of their own: places joined by roads, some of them closed to the eye.

A token goes from place to place; whose turn it is depends on the place's colour, which everybody sees, as everybody sees whether the game is over. A road may be blocked, which only
he finds out who tries it: the turn stays, and the same road is not tried again before the turn has passed. Games may go round in circles for ever, and chance may move.
"""

from __future__ import annotations

from random import Random

import numpy as np

import kibitz as kb
from kibitz import CHANCE, OVER, UNIFORM, record
from kibitz.core.position.game import Position
from kibitz.core.records.record import blank

PLACES, ROADS = 12, 3


class Rules:
    """`mover` of a place says who goes on from there; -1 as the target of a road says that it is blocked."""

    PLAYERS = 2
    MAX_MOVES = ROADS
    MAX_OUTCOMES = ROADS
    MAX_PLIES = 60
    VALUES = (-1.0, 1.0)
    CHANCE_KIND = UNIFORM
    State = record(
        at=np.int8, tried=np.int8, to=(np.int8, (PLACES, ROADS)), sound=(np.int8, (PLACES, 2)), mover=(np.int8, PLACES), worth=(np.int8, PLACES),
    )  # fmt: skip

    def start(s):  # type: ignore[no-untyped-def]
        s.mover[0], s.mover[1] = 0, OVER
        for i in range(ROADS):
            s.to[0, i] = 1

    def player(s):  # type: ignore[no-untyped-def]
        return s.mover[s.at]

    def moves(s, out):  # type: ignore[no-untyped-def]
        n = 0
        for i in range(ROADS):
            if not s.tried >> i & 1:
                out[n] = i
                n += 1
        return n

    def outcomes(s, out, weights):  # type: ignore[no-untyped-def]
        for i in range(ROADS):
            out[i], weights[i] = i, 1
        return ROADS

    def play(s, move):  # type: ignore[no-untyped-def]
        if s.to[s.at, move] < 0:
            s.tried |= 1 << move
        else:
            s.tried = 0
            s.at = s.to[s.at, move]

    def utility(s, player):  # type: ignore[no-untyped-def]
        return np.float64(s.worth[s.at] if player == 0 else -s.worth[s.at])

    def percept(before, move, after, observer):  # type: ignore[no-untyped-def]  # noqa: ARG002
        """A blocked road; else who is next, or that it is over, and perhaps more."""
        if after.tried != 0:
            return 1
        return 2 + 4 * (after.mover[after.at] + 2) + after.sound[after.at, observer]

    def untried(s):  # type: ignore[no-untyped-def]
        s.tried = 0


class Forgetful(Rules):
    """The same, but that a blocked road that another one tried makes no difference to be told: how many is enough."""

    def blur(s, observer):  # type: ignore[no-untyped-def]
        """Which roads were tried in vain is the mover's business alone: let them be the first blocked ones."""
        if s.mover[s.at] == observer or s.tried == 0:
            return
        n = 0
        for i in range(ROADS):
            n += s.tried >> i & 1
        s.tried = 0
        for i in range(ROADS):
            if n > 0 and s.to[s.at, i] < 0:
                s.tried |= 1 << i
                n -= 1


GAMES = (kb.Game(Rules, name="hidden_graphs"), kb.Game(Forgetful, name="hidden_graphs_blurred"))


def draw(seed: int) -> list[Position]:
    """A random game, and the places where it may begin, which look alike."""
    rng = Random(f"hidden graphs:{seed}")
    game = GAMES[rng.randrange(2)]
    s = blank(game.constants["State"])
    with_chance, ends = rng.random() < 0.3, rng.randint(3, 5)
    for at in range(PLACES):
        s.mover[at] = OVER if at < ends else rng.choice((0, 1, CHANCE) if with_chance else (0, 1))
        s.worth[at] = rng.choice((1, 1, 1, 0, -1)) if at < ends else 0
        for player in range(2):
            s.sound[at, player] = rng.randrange(3) if rng.random() < 0.5 else 0
        if at >= ends:
            targets = [_target(rng, s, at, ends) for _ in range(ROADS)]
            if rng.random() < 0.7 or s.mover[at] == CHANCE or all(to < 0 for to in targets):
                targets[rng.randrange(ROADS)] = rng.randrange(ends)
            s.to[at] = targets
    mine = [at for at in range(ends, PLACES) if s.mover[at] == 0] or [at for at in range(ends, PLACES) if s.mover[at] == 1] or [ends]
    starts = rng.sample(mine, min(len(mine), rng.randint(1, 3)))
    found = []
    for at in starts:
        s.at = at
        found.append(Position(game, s.tobytes()))
    return found


def _target(rng: Random, s: object, at: int, ends: int) -> int:
    """Where a road leads; roads of chance are never blocked."""
    if rng.random() < 0.25 and s.mover[at] != CHANCE:  # type: ignore[attr-defined]
        return -1
    return rng.randrange(ends) if rng.random() < 0.3 else rng.randrange(PLACES)
