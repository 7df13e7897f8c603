"""Defaults for the optional functions of a game. They are compiled like the game's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.records.hashing import hash_record
from kibitz.core.records.random import below


def outcomes(s: Any, out: Any, weights: Any) -> int:
    """No chance in this game."""
    return 0


def evaluate(s: Any, player: int) -> float:
    """Nothing known: the middle of the range of utilities, or an even share of what several players have together."""
    return game.EVEN


def features(s: Any, player: int, out: Any) -> None:
    """Nothing to weigh."""


def phase(s: Any) -> float:
    """The game is the same from beginning to end."""
    return 0.0


def banked(s: Any, player: int) -> float:
    """Nothing is certain before the end."""
    return 0.0


def best_case(s: Any, player: int) -> float:
    """Anything may still happen: the highest utility there is."""
    return game.VALUES[1]


def candidates(s: Any, out: Any) -> int:
    """Any move may be the only best one."""
    return game.moves(s, out)


def soonest(s: Any, player: int) -> int:
    """Either player may have won after the next move."""
    return 1


def latest(s: Any) -> int:
    """The game may last as long as any."""
    return game.MAX_PLIES


def finish(s: Any, least: float) -> float:
    """Nothing is known without a search."""
    return np.nan


def solving_order(s: Any, move: int) -> float:
    """What is promising for an evaluation is so for the end of the game."""
    return game.order(s, move)


def order(s: Any, move: int) -> float:
    """All moves alike."""
    return 0.0


def noisy(s: Any, move: int) -> bool:
    """No move upsets the evaluation more than another."""
    return False


def restless(s: Any) -> bool:
    """The evaluation may be asked of any position."""
    return False


def skip(s: Any) -> bool:
    """Nobody may give up a turn."""
    return False


def policy(s: Any, moves: Any, n: int, out: Any) -> None:
    """All moves equally likely."""
    for i in range(n):
        out[i] = 1.0


def pick(s: Any, out: Any, rng: Any) -> int:
    """Any move: list them all, then choose."""
    chosen: int = out[below(rng, game.moves(s, out))]
    return chosen


def playout(s: Any, out: Any, rng: Any) -> int:
    """Any move will do."""
    return game.pick(s, out, rng)


def key(s: Any) -> np.uint64:
    """Every field counts."""
    return hash_record(s)


def canonical(s: Any) -> None:
    """No symmetry: each position stands for itself alone."""


def irreversible(s: Any, move: int) -> bool:
    """Any move might be undone by later ones."""
    return False


def determinacy(s: Any, move: int) -> float:
    """Every move can be made by a player who wants to."""
    return 1.0


def situation(s: Any) -> np.uint64:
    """What must be the same in a repeated position: all that the key tells apart."""
    return game.key(s)


def rank(s: Any) -> int:
    """The game numbers no positions."""
    return -1


def unrank(i: int, s: Any) -> bool:
    """No position has a number."""
    return False


def unplay(s: Any, out: Any) -> int:
    """The game lists no predecessors."""
    return 0


def valid_plies(s: Any) -> int:
    """What a position's number leaves out never ends the game."""
    return 1 << 30


def cost(s: Any) -> int:
    """Every open position takes as much to settle as another."""
    return 1


def percept(before: Any, move: int, after: Any, observer: int) -> int:
    """Nothing to tell: everybody sees the whole position."""
    return 0


def redeal(s: Any, observer: int, rng: Any) -> None:
    """The position stays as it is: nobody knows what else it could be."""


def blur(s: Any, observer: int) -> None:
    """Everything in a position can make a difference."""


def untried(s: Any) -> None:
    """No moves are noted that were tried in vain."""
