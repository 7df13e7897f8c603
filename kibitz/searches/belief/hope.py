"""The best chance of reaching a goal if nothing can be forced: the maximum over all strategies that depend on what the player hears, while all others move at random and
chance follows the rules.

It is a chance and not a guarantee: opponents who do not move at random may do better against him. Within a number of own moves it is exact: every move is tried for everything that may be
heard; where a belief grows so large that it becomes a sample, it is an estimate, and says so. A player who has to wait for more than `PATIENCE` events in a row has not reached his goal. Weights are those of the belief (core/hidden/belief.py), so what others have done so far counts as random, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kibitz.core.hidden.belief import LIMIT, Belief
from kibitz.core.position.notation import Move
from kibitz.core.position.told import Event
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.running.control import deadline, heeded

CERTAIN = 1.0 - 1e-12
PATIENCE = 64  # events without a move of his own


@dataclass(frozen=True)
class Hope:
    """The best chance within `moves` own moves, and what each first move offers: the best ones exactly, others perhaps less than they are worth."""

    chance: float
    moves: int
    table: tuple[tuple[Move, float], ...]  # the best move first; empty where it is not the player's turn
    nodes: int
    ended: str  # moves, time, nodes or interrupted; certain: it cannot be more
    sampled: bool = False  # did a belief become a sample on the way?

    def __str__(self) -> str:
        about = "about " if self.sampled else ""
        within = f"within {self.moves} move{'s' if self.moves != 1 else ''} of his own"
        return f"the best chance {within} is {about}{self.chance:.4g} if the others move at random, and no guarantee"


class _Cut(Exception):
    """A limit was met."""


class _Seeker:
    """One search, up to a limit."""

    def __init__(self, goal: float, until: float, most: int, patience: int) -> None:
        self.goal, self.until, self.most, self.patience, self.nodes, self.ended = goal, until, most, patience, 0, ""
        self.sampled = False

    def value(self, belief: Belief, moves: int, wanted: float = 0.0, waited: int = 0) -> float:
        """The best chance from this belief; where it is no more than `wanted`, some number up to that."""
        known, self.sampled = belief.known, self.sampled or not belief.complete
        if known.is_over:
            return float(sum(c for c, p in zip(belief.chances, belief.positions, strict=True) if p.utility(belief.observer) >= self.goal))
        self._count()
        if not known.is_own_turn:
            return self.of_move(belief, NO_MOVE, moves, wanted, waited + 1) if waited < self.patience else 0.0
        best = 0.0
        for move in known.numbers if moves else ():
            best = max(best, self.of_move(belief, move, moves - 1, max(best, wanted)))
            if best >= CERTAIN:
                break
        return best

    def of_move(self, belief: Belief, move: int, moves: int, wanted: float, waited: int = 0) -> float:
        """The best chance behind a move, or behind whatever others do."""
        reached, open_ = 0.0, 1.0
        for percept, chance in belief.percepts(move).items():
            open_ -= chance
            least = (wanted - reached - max(0.0, open_)) / chance  # below which the move is no better than another
            reached += chance * self.value(belief.after(Event(move, percept)), moves, least, waited)
            if reached + open_ < wanted:
                return reached
        return reached

    def _count(self) -> None:
        self.nodes += 1
        stop = heeded()
        if stop is not None and stop.due:
            self.ended = "interrupted"
        elif self.nodes >= self.most:
            self.ended = "nodes"
        elif time.perf_counter() >= self.until:
            self.ended = "time"
        if self.ended:
            raise _Cut


def hoped(
    belief: Belief, goal: float, within: int, *, seconds: float | None = None, nodes: int = 0, patience: int = PATIENCE
) -> Iterator[Hope]:
    """The best chance of a utility of at least `goal` within one own move, two, ...; each is exact, and the last one that a limit left time for says so."""
    seeker, last = _Seeker(goal, deadline(seconds), nodes or 1 << 62, patience), Hope(0.0, 0, (), 0, "")
    belief = replace(belief, limit=max(belief.limit, LIMIT))
    for moves in range(1, within + 1):
        try:
            last = _of_root(seeker, belief, moves)
        except _Cut:
            yield replace(last, nodes=seeker.nodes, ended=seeker.ended)
            return
        except KeyboardInterrupt:
            yield replace(last, nodes=seeker.nodes, ended="interrupted")
            return
        ended = "certain" if last.chance >= CERTAIN else "moves" if moves == within else ""
        yield replace(last, nodes=seeker.nodes, ended=ended)
        if ended:
            return


def _of_root(seeker: _Seeker, belief: Belief, moves: int) -> Hope:
    known = belief.known
    if not known.is_own_turn:
        return Hope(seeker.value(belief, moves), moves, (), seeker.nodes, "", seeker.sampled)
    best, found = 0.0, []
    for move in known.moves:
        chance = seeker.of_move(belief, int(move), moves - 1, best)
        found.append((move, chance))
        best = max(best, chance)
    found.sort(key=lambda pair: -pair[1])
    return Hope(best, moves, tuple(found), seeker.nodes, "", seeker.sampled)
