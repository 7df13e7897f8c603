"""What a game gets when it does not define an optional function. Compiled like the game's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compile import game
from kibitz.core.hashing import hash_record


def outcomes(s: Any, out: Any, weights: Any) -> int:
    """No chance in this game."""
    return 0


def evaluate(s: Any, player: int) -> float:
    """Nothing known: the middle of the range of utilities."""
    return 0.5 * (game.VALUES[0] + game.VALUES[1])


def banked(s: Any, player: int) -> float:
    """Nothing is certain before the end."""
    return 0.0


def best_case(s: Any, player: int) -> float:
    """Anything may still happen: the highest utility there is."""
    return game.VALUES[1]


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


def policy(s: Any, out: Any) -> None:
    """All moves equally likely."""
    out[:] = 1.0


def key(s: Any) -> np.uint64:
    """Every field counts."""
    return hash_record(s)


def canonical(s: Any) -> None:
    """No symmetry: each position stands for itself alone."""


def irreversible(s: Any, move: int) -> bool:
    """Any move might be undone by later ones."""
    return False
