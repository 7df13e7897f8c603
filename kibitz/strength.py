"""Ratings: a player's strength by the number of positions it may visit, and the number of positions for a wanted rating.

A weak player makes no deliberate mistakes: it plays the best move it finds, with less search. Ratings hold for one game and one search, and were measured in matches against
programs whose rating is known; between the measured points a rating grows with the logarithm of the positions, and beyond them nothing is claimed.
"""

from __future__ import annotations

import itertools
import math

from kibitz.core.errors import InputError

Curve = tuple[tuple[int, int], ...]  # positions and the rating that goes with them, both growing

# Search and game; where the numbers come from is told in docs/protocols.md.
MEASURED: dict[tuple[str, str], Curve] = {
    ("selective", "chess"): ((200, 1_260), (1_000, 1_440), (10_000, 1_780), (100_000, 1_860), (1_500_000, 2_140)),
}


def curve_of(search: str, game: str) -> Curve:
    """The measured points of this search in this game."""
    if (search, game) not in MEASURED:
        known = ", ".join(f"{s} in {g}" for s, g in MEASURED)
        raise InputError(f"the strength of {search} in {game} has not been measured, only that of {known}; limit it by nodes instead")
    return MEASURED[search, game]


def rated(game: str) -> list[str]:
    """The searches whose strength in this game was measured."""
    return [search for search, of in MEASURED if of == game]


def range_of(search: str, game: str) -> tuple[int, int]:
    """The lowest and the highest rating that it can be set to."""
    curve = curve_of(search, game)
    return curve[0][1], curve[-1][1]


def positions(search: str, game: str, rating: float) -> int:
    """The number of positions a move may cost a player of this rating."""
    curve, (lowest, highest) = curve_of(search, game), range_of(search, game)
    if not lowest <= rating <= highest:
        raise InputError(f"strength={rating:g}: {search} in {game} can be set from {lowest} to {highest}")
    for (fewer, low), (more, high) in itertools.pairwise(curve):
        if rating <= high:
            return round(math.exp(math.log(fewer) + (rating - low) / (high - low) * (math.log(more) - math.log(fewer))))
    return curve[-1][0]
