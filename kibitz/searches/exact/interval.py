"""The state of a solve: an interval that contains the value, and the question that halves it. In whole numbers, as null_windows.py counts them."""

from __future__ import annotations

import math
from typing import Any

from kibitz.core.position.game import Game
from kibitz.core.position.readable import count

TOP = 500_000  # more than any value; bounds in the table have 20 bits
MOST = 200_000  # values, and plies of a game, that leave room for sums of them


def why_uncountable(game: Game) -> str | None:
    """Why the values of a game for two cannot be counted in whole numbers; None where they can."""
    grain, total = game.constants["GRAIN"], game.constants["SUM"]
    low, high = game.constants["VALUES"]
    if not grain:
        return "its values are real numbers (GRAIN = 0)"
    if abs(parity := (2 * low - total) / grain - round((2 * low - total) / grain)) > 1e-6:
        return f"GRAIN = {grain:g} does not divide the difference of two players' values ({parity:g} is left)"
    if max(abs(2 * low - total), abs(2 * high - total)) / grain > MOST or game.constants["MAX_PLIES"] > MOST:
        return f"it has more than {count(MOST)} values or plies"
    return None


class Interval:
    """Bounds of a position's value for its mover, and what may be asked next."""

    def __init__(self, game: Game, distance: bool) -> None:
        self.game, self.distance = game, distance
        self.grain, self.total = float(game.constants["GRAIN"]), float(game.constants["SUM"])
        self.edge = math.floor((2 * game.first_range[1] - self.total) / self.grain + 1e-6)  # the highest value there is
        self.odd = round((2 * game.constants["VALUES"][0] - self.total) / self.grain) % 2
        self.win = int(game.constants["MAX_PLIES"]) + 2
        self.has_draws = self.odd == 0
        self.left = 0
        self.low = self.high = 0

    def flags(self) -> dict[str, Any]:
        """The compile-time options that kernels count by."""
        return {"TOP": TOP, "WIN": self.win, "SUM": self.total, "GRAIN": self.grain, "DISTANCE": self.distance}

    def reset(self, left: int, most: float, most_of_other: float) -> None:
        """Begin with a position of `left` plies to go, in which the players can still get `most` and `most_of_other`."""
        self.left = left
        if self.distance:
            self.low, self.high = 1 - self.win, self.win - 1
            self.high = min(self.high, 0) if self.counted(most) <= 0 else self.high
            self.low = max(self.low, 0) if self.counted(most_of_other) <= 0 else self.low
        else:
            self.low, self.high = -self.edge, self.edge
            self.high = min(self.high, self.counted(most))
            self.low = max(self.low, -self.counted(most_of_other))
        self.tighten()

    def counted(self, utility: float) -> int:
        """A utility as a whole number, rounded down."""
        return math.floor((2 * utility - self.total) / self.grain + 1e-6)

    def narrow(self, asked: int, answer: int) -> None:
        """Take in what `null_windows.value` answered."""
        if answer >= asked:
            self.low = max(self.low, answer)
        else:
            self.high = min(self.high, answer)
        self.tighten()

    def tighten(self) -> None:
        """To values that exist."""
        if not self.distance:
            self.low += (self.low - self.odd) % 2
            self.high -= (self.high - self.odd) % 2
            return
        nearest_loss, farthest_win = self.left - self.win, self.win - self.left  # of those that are least: the longest game
        if self.low > nearest_loss and self.low <= 0:
            self.low = 0 if self.has_draws else farthest_win
        elif 0 < self.low < farthest_win:
            self.low = farthest_win
        if 0 <= self.high < farthest_win:
            self.high = 0 if self.has_draws else nearest_loss
        elif nearest_loss < self.high < 0:
            self.high = nearest_loss

    @property
    def is_closed(self) -> bool:
        return self.low >= self.high

    @property
    def outcome_known(self) -> bool:
        """With a distance: is it known who wins?"""
        return self.low > 0 or self.high < 0 or self.low == self.high

    def question(self, guess: int | None, step: int) -> int:
        """What to ask next: who wins before how soon; values of a game for points from the guess outwards, ever farther, or in the middle."""
        if self.distance:
            if self.low <= 0 < self.high:
                return 1
            if self.low < 0 <= self.high:
                return 0
            return self.low + (self.high - self.low + 1) // 2
        lowest = self.low + 2  # there is no doubt below
        if guess is None:
            asked = self.low + (self.high - self.low + 2) // 2
        elif self.low < guess <= self.high:
            asked = guess
        elif guess <= self.low:
            asked = min(self.low + 2 * step, self.low + 2 * (((self.high - self.low) // 2 + 1) // 2))
        else:
            asked = max(self.high - 2 * step + 2, self.high - 2 * (((self.high - self.low) // 2 - 1) // 2))
        asked += (asked - self.odd) % 2
        return max(lowest, min(self.high, asked))

    @property
    def top(self) -> float:
        """The highest utility there is."""
        return 0.5 * (self.edge * self.grain + self.total)

    def told(self) -> tuple[float, float]:
        """The interval in utilities, without distances."""
        low, high = self.low, self.high
        if self.distance:
            low, high = self._outcome(low), self._outcome(high)
        return 0.5 * (low * self.grain + self.total), 0.5 * (high * self.grain + self.total)

    def _outcome(self, value: int) -> int:
        return self.edge if value > 0 else -self.edge if value < 0 else 0

    def plies(self) -> tuple[int, int] | None:
        """The fewest and the most plies in which a game that is known to be won or lost is over."""
        if not self.distance or not (self.low > 0 or self.high < 0):
            return None
        ends = (self.win - abs(self.low), self.win - abs(self.high))
        return min(ends), max(ends)

    def __str__(self) -> str:
        low, high = self.told()
        if low < high:
            return f"value in [{low:+g}, {high:+g}]"
        plies = self.plies()
        if plies is None:
            return f"value {low:+g}"
        return f"value {low:+g} in {plies[0]} plies" if plies[0] == plies[1] else f"value {low:+g} in {plies[0]} to {plies[1]} plies"
