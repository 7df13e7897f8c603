"""How long to think: a move's share of a clock, so that the clock never runs out.

A plan has three times. For a search that goes deeper step by step: when the first has passed no deeper search is begun, because it would likely not be
finished; when the second has passed the search is ended wherever it is. A search that can be ended at any moment, one that samples, takes a move's share
and no more. The overhead, which is reserved for every move, covers the transmission of the move and what this program does besides
searching.

A `Timekeeper` keeps both sides' clocks if they are not sent with every move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

MOVES_LEFT = 30  # how many more moves a game is thought to last, unless told
MOST_MOVES = 40  # kept in mind of a time control that is far away
INCREMENT_USED = 0.8  # of what a move earns
SOFT_SHARE = 0.6  # of a move's share after which no deeper search is begun: the next depth takes longer than all before it
HARD_SHARE = 4.0  # of a move's share: for a search that is worth being finished
MOST_OF_CLOCK = 0.4  # never more than this part of what is left
LAST_MOVE = 0.9  # the same for the last move before the next time control
RESERVE = 3  # overheads that the clock keeps, whatever happens
LIKELY = 0.25  # of the overhead is what a move mostly costs
SCRAP = 0.2  # of a clock that holds less than that: all that is risked
LEAST = 0.001  # seconds
STABLE, SHAKEN = 0.7, 1.6  # factors of the first time, where the move has long been the same, and where it has just changed
LONG = 4  # depths that agree
USUAL_OVERHEAD = 0.1  # seconds, unless told
NEVER_ENDING = 1e9  # seconds: the limit of a search that is ended from outside
FADING = 0.8  # of a delay that was seen once is still expected a move later
NEWS = 0.3  # of a delay counts in the mean of all
ROUNDED = 1.0  # seconds: who tells the time in whole ones may be so much off


@dataclass(frozen=True)
class Clock:
    """What the mover's clock says."""

    left: float  # seconds
    increment: float = 0.0  # seconds that every move adds
    moves: int = 0  # until the next time control; 0: for the rest of the game


@dataclass(frozen=True)
class Plan:
    """Seconds from the moment the search was asked for."""

    soft: float = math.inf
    hard: float = math.inf
    steady: float = math.inf

    def enough(self, passed: float, agreeing: int) -> bool:
        """Is it better to move now than to look a ply deeper? The last `agreeing` depths chose the same move."""
        factor = SHAKEN if agreeing <= 1 else STABLE if agreeing >= LONG else 1.0
        return passed >= min(self.soft * factor, self.hard)


def for_clock(clock: Clock, overhead: float, expected: float = MOVES_LEFT, longest: float = 0, delay: float = 0.0) -> Plan:
    """A move's share of the clock, of a game that is expected to last `expected` more moves of the mover, `longest` at most.

    `delay` is what moves are known to take besides, where that is more than a part of the overhead.
    """
    left = max(clock.left, 0.0)
    moves = min(clock.moves, MOST_MOVES) if clock.moves else expected
    delayed = moves if clock.moves else max(moves, longest)
    later = delayed * max(0.0, max(LIKELY * overhead, delay) - max(clock.increment, 0.0))  # what the way of all these moves will cost
    free, scrap = left - RESERVE * overhead - later, SCRAP * left
    share = max(free / moves, scrap / delayed) + INCREMENT_USED * max(clock.increment, 0.0)
    free = max(free, scrap)
    most = (LAST_MOVE if clock.moves == 1 else MOST_OF_CLOCK) * free
    hard = max(min(HARD_SHARE * share, most), LEAST)
    return Plan(min(SOFT_SHARE * share, hard), hard, max(min(share, most), LEAST))


def for_move(seconds: float, overhead: float) -> Plan:
    """A fixed time for this move: all of it is used."""
    return Plan(hard=max(seconds - overhead, 0.5 * seconds, LEAST))


@dataclass
class Timekeeper:
    """The clocks of both sides: what somebody told of them, and what was used since.

    How much longer moves took than was planned is kept in mind, on a busy machine for instance, and kept back from then on if it is more than the
    overhead says: for one move the longest delay of late, for all that are to come the mean of them.
    """

    overhead: float = USUAL_OVERHEAD
    clocks: dict[int, Clock] = field(default_factory=dict)  # none without a limit
    first: Clock | None = None  # what both begin with, where somebody said so
    period: Clock = Clock(0.0)  # what overtime gives, again and again: its seconds for its moves
    delay: float = 0.0  # seconds that a move takes longer than planned, in the mean
    worst: float = 0.0  # the same, at most, of late

    def agree(self, main: float, period: Clock) -> None:
        """The main time, where there is one, else the first period of overtime; a period for no moves stands for no limit."""
        self.period = period
        self.first = None if period.left > 0 and period.moves == 0 else Clock(main) if main > 0 else period
        self.clocks = {}
        self.begin()

    def begin(self) -> None:
        """A new game: the clocks start again, where their first setting is known."""
        if self.first is not None:
            self.clocks = dict.fromkeys((0, 1), self.first)

    def tell(self, side: int, clock: Clock) -> None:
        """Somebody else's clock is the one that counts; but what it says may be rounded, and ours is then the more careful."""
        ours = self.clocks.get(side)
        if ours is not None and ours.moves == clock.moves and clock.left <= ours.left + ROUNDED:
            clock = replace(clock, left=min(clock.left, ours.left))
        self.clocks[side] = clock

    def plan(self, side: int, expected: float, longest: float) -> Plan:
        """For the side's next move; without a limit where there is no clock."""
        clock = self.clocks.get(side)
        return Plan() if clock is None else for_clock(clock, max(self.overhead, self.worst), expected, longest, self.delay)

    def spend(self, side: int, seconds: float, planned: float) -> None:
        """A move was made, and is on its way: the clock goes on, from the main time to overtime, and from period to period."""
        clock = self.clocks.get(side)
        if clock is None:
            return
        late = max(0.0, seconds - planned)
        self.delay, self.worst = self.delay + NEWS * (late - self.delay), max(FADING * self.worst, late)
        left = clock.left - seconds - LIKELY * self.overhead
        if clock.moves > 1:
            self.clocks[side] = replace(clock, left=left, moves=clock.moves - 1)
        elif self.period.moves and (clock.moves == 1 or left <= 0):
            self.clocks[side] = self.period
        else:
            self.clocks[side] = replace(clock, left=left)
