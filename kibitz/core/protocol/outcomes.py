"""Won, drawn or lost: what a utility, or an array of them, is as a score of 1, 1/2 or 0. Plain enough to be called from kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def middle(values: Any) -> float:
    """The utility of a draw: halfway between the ends of VALUES."""
    return 0.5 * (values[0] + values[1])  # type: ignore[no-any-return]


def score(utility: Any, values: Any) -> Any:
    """1 for a utility above the middle of VALUES, 0 below it, 1/2 in the middle."""
    return 0.5 + 0.5 * np.sign(utility - middle(values))


def shares(utilities: Sequence[float]) -> tuple[float, ...]:
    """What each of any number of players has won of a game: all of it who has the greatest utility, or an even part with those who have as much."""
    most = max(utilities)
    winners = sum(u == most for u in utilities)
    return tuple(1.0 / winners if u == most else 0.0 for u in utilities)
