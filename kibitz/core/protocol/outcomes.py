"""Won, drawn or lost: what a utility, or an array of them, is as a score of 1, 1/2 or 0. Plain enough to be called from kernels."""

from __future__ import annotations

from typing import Any

import numpy as np


def middle(values: Any) -> float:
    """The utility of a draw: halfway between the ends of VALUES."""
    return 0.5 * (values[0] + values[1])  # type: ignore[no-any-return]


def score(utility: Any, values: Any) -> Any:
    """1 for a utility above the middle of VALUES, 0 below it, 1/2 in the middle."""
    return 0.5 + 0.5 * np.sign(utility - middle(values))
