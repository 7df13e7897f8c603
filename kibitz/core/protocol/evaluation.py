"""What an evaluation is made of: weighted sums of features, blended by the phase of the game, squashed into the range of utilities.

For use inside a game's `evaluate`, compiled and interpreted. Features are a tuple of numbers, each the difference between what the player asked
about has and what the other has; weights are a tuple of real numbers, one for each feature. A weight that is 0 costs
nothing: the term disappears from compiled code, and so does the work of computing a feature that nothing else needs.

    linear      the sum of weight times feature
    tapered     the same with weights that move from the opening's to the ending's as the game goes on
    both        1 where two things are there together: a feature for pairs worth more, or less, than their parts
    squashed    any sum into the range of utilities: strictly inside, growing with the sum, all but linear near a level position
    chance_of   the same by the logistic curve, where an evaluation has to be a linear map of the chance of winning
    ended       a finished game's utility as an evaluation: outside of every unfinished game's, and in the order of utilities
    listed      features written to an array, for the protocol's `features`
    compared    the same from two tuples, what one side has and what the other has; their sums are linear(one, ...) - linear(other, ...)

Weights are on the scale of utilities: what one more of the feature is worth while the game is level. `fitted` reads those that `kibitz tune eval`
found in games; see docs/evaluation.md.
"""

from __future__ import annotations

import math
from typing import Any

from numba import types
from numba.extending import overload

from kibitz.core.protocol.weights import fitted
from kibitz.core.records.bits import twin

__all__ = ["both", "chance_of", "compared", "ended", "fitted", "linear", "listed", "squashed", "tapered"]

FARTHEST = 2.0**20  # half ranges from the middle beyond which sums count alike, so that the quotient below stays clear of 1
STEEPEST = 16.0  # the same for the exponent of the logistic curve: less than 2^-20 of the range from its end
NEARLY = 1.0 - 2.0**-30  # of the way to the end of the range: farther than `squashed` and `chance_of` ever go


def linear(values: Any, weights: Any) -> float:
    """The sum of each value times its weight."""
    numbers, total = reals(values), 0.0
    for i in range(len(weights)):
        if weights[i] != 0.0:
            total += weights[i] * numbers[i]
    return total


def tapered(values: Any, weights: Any, phase: float) -> float:
    """`linear` with weights between two rows: weights[0] at phase 0, the opening; weights[1] at phase 1, the ending."""
    opening, ending = weights[0], weights[1]
    numbers, total = reals(values), 0.0
    for i in range(len(opening)):
        if opening[i] != ending[i]:
            total += (opening[i] + (ending[i] - opening[i]) * phase) * numbers[i]
        elif opening[i] != 0.0:
            total += opening[i] * numbers[i]
    return total


def both(one: float, other: float) -> int:
    """1 if both counts are positive, else 0. A feature is the difference: both(my bishops - 1, 1) less the same of the other side."""
    return 1 if one > 0 and other > 0 else 0


def squashed(total: float, low: float, high: float) -> float:
    """A sum that may be any number, as a value strictly between `low` and `high`: their middle for 0, and from there at first as steep as the sum."""
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    if total == 0.0:
        return middle
    total = min(max(total, -FARTHEST * half), FARTHEST * half)
    return middle + half * total / (half + abs(total))


def chance_of(total: float, low: float, high: float) -> float:
    """As `squashed`, by the logistic curve: if the weights were fitted, `low` plus the chance of winning times the range."""
    half = 0.5 * (high - low)
    exponent = min(max(2.0 * total / half, -STEEPEST), STEEPEST)  # twice: the curve's slope is a quarter of the range
    return low + 2.0 * half / (1.0 + math.exp(-exponent))


def ended(utility: float, low: float, high: float) -> float:
    """The evaluation of a finished game: `evaluate` then orders finished games as `utility` does."""
    middle = 0.5 * (low + high)
    return middle + (utility - middle) * NEARLY


def listed(values: Any, out: Any) -> None:
    """Write the values to `out`, from its first place."""
    numbers = reals(values)
    for i in range(len(numbers)):
        out[i] = numbers[i]


def compared(one: Any, other: Any, out: Any) -> None:
    """Write how much more `one` has of each than `other`."""
    more, less = reals(one), reals(other)
    for i in range(len(more)):
        out[i] = more[i] - less[i]


@twin
def reals(values: Any) -> Any:
    """Numbers of any types as real ones: compiled, only a tuple of equal types can be walked through."""
    return tuple(float(value) for value in values)


@overload(reals, target="generic")
def _reals(values):
    if not isinstance(values, types.BaseTuple):
        return None
    made: dict[str, Any] = {}
    numbers = "".join(f"float(values[{i}]), " for i in range(len(values)))
    exec(f"def convert(values):\n    return ({numbers})", made)  # each place by itself, as each has its own type
    return made["convert"]
