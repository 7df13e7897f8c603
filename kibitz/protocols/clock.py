"""How long to think: a move's share of a clock, in such a way that the clock never runs out.

A plan has two times. When the first has passed no deeper search is begun, because it would likely not be finished; when the second has passed the search
is ended wherever it is. What is kept back for every move, the overhead, covers the way of the move to whoever runs the clock and what this
program does besides searching.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MOVES_LEFT = 30  # how many more moves a game is thought to last, when nobody says
MOST_MOVES = 40  # kept in mind of a time control that is far away
INCREMENT_USED = 0.8  # of what a move earns
SOFT_SHARE = 0.6  # of a move's share after which no deeper search is begun: the next depth takes longer than all before it
HARD_SHARE = 4.0  # of a move's share: for a search that is worth being finished
MOST_OF_CLOCK = 0.4  # never more than this part of what is left
LAST_MOVE = 0.9  # the same where the clock is set anew after this move
RESERVE = 3  # overheads that the clock keeps, whatever happens
LIKELY = 0.25  # of the overhead is what a move mostly costs
SCRAP = 0.2  # of a clock that holds less than that: all that is risked
LEAST = 0.001  # seconds
STABLE, SHAKEN = 0.7, 1.6  # factors of the first time, where the move has long been the same, and where it has just changed
LONG = 4  # depths that agree


@dataclass(frozen=True)
class Clock:
    """What the mover's clock says."""

    left: float  # seconds
    increment: float = 0.0  # seconds that every move adds
    moves: int = 0  # until the clock is set anew; 0: for the rest of the game


@dataclass(frozen=True)
class Plan:
    """Seconds from the moment the search was asked for."""

    soft: float = math.inf
    hard: float = math.inf

    def enough(self, passed: float, agreeing: int) -> bool:
        """Is it better to move now than to look a ply deeper? The last `agreeing` depths chose the same move."""
        factor = SHAKEN if agreeing <= 1 else STABLE if agreeing >= LONG else 1.0
        return passed >= min(self.soft * factor, self.hard)


def for_clock(clock: Clock, overhead: float) -> Plan:
    """A move's share of the clock."""
    left = max(clock.left, 0.0)
    moves = min(clock.moves, MOST_MOVES) if clock.moves else MOVES_LEFT
    later = moves * max(0.0, LIKELY * overhead - max(clock.increment, 0.0))  # what the way of all these moves will cost
    free = max(left - RESERVE * overhead - later, SCRAP * left)
    share = free / moves + INCREMENT_USED * max(clock.increment, 0.0)
    most = (LAST_MOVE if clock.moves == 1 else MOST_OF_CLOCK) * free
    hard = max(min(HARD_SHARE * share, most), LEAST)
    return Plan(min(SOFT_SHARE * share, hard), hard)


def for_move(seconds: float, overhead: float) -> Plan:
    """A fixed time for this move: all of it is used."""
    return Plan(hard=max(seconds - overhead, 0.5 * seconds, LEAST))
