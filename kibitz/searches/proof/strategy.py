"""From a verdict to a strategy: the moves that prove it, one for each position in which its holder is to move.

The walk is that of the rules (kibitz/tables/proof/replay.py); where it asks for a move, the search's table knows it, or the position is searched again. In
a question about plies the player of the claim takes any way in time. If that way repeats positions, it is walked again: of all moves made in one situation, the one with the fewest plies left is then made
everywhere. It leaves every situation with fewer plies than before, so none repeats. Where that fails too, because of earlier positions of the game or the counter of quiet moves, the quickest way is taken, which takes longer to find.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.running.control import NO_LIMIT, supervise
from kibitz.searches.proof import dfpn, memory
from kibitz.searches.proof.numbers import whole
from kibitz.tables.proof import replay
from kibitz.tables.proof.claim import PROVEN, Claim
from kibitz.tables.proof.file import CHOICE, Strategy, check_lines, merges, room, set_off, slots, walking
from kibitz.tables.proof.leaves import Rests

FIRST_ROOM = 1 << 12  # positions; doubled until there is enough


# --- kernels ---


def choose(w: Any, body: Any, table: Any, ply: int, n: int) -> int:
    """A move at `ply` that keeps what the holder has, noted in `body`; a chooser for the walk."""
    if w.choices == len(body):
        w.fault = replay.FULL
        return 0
    left = whole(w.longest - ply)
    w.within = left
    if w.quickest:
        w.within = 1
        while w.within < left and not is_good(w, table, ply) and w.control.nodes < w.control.limit:
            w.within += 1
    if not is_good(w, table, ply):
        w.fault = replay.STOPPED if w.control.nodes >= w.control.limit else replay.LOST
        return 0
    last = w.count[0] - 1
    move, chosen = w.lists[0, last], whole(0)
    for i in range(n):
        if w.replies[ply, i] == move:
            chosen = whole(i)
    body[w.choices] = chosen
    w.choices += 1
    return chosen


def is_good(w: Any, table: Any, ply: int) -> bool:
    """Is there a move at `ply` that keeps what the holder, who is to move, has? Then it is the last of w.lists[0]."""
    w.states[0] = w.path[ply]
    dfpn.enter(w, table, whole(0))
    last = w.count[0] - 1
    if w.own[0, last] != 0:
        dfpn.search(w, table)
        for i in range(w.count[0]):
            if w.own[0, i] == 0:
                w.count[0] = i + 1
        last = w.count[0] - 1
    return w.own[0, last] == 0


def latest_choices(w: Any, seen: Any, places: Any) -> None:
    """Of each situation in which the holder moved, the choice that was made with the fewest plies left: `head` is one more than it, `led_to` the ply."""
    for i in range(w.stored):
        if seen[i].choice >= 0:
            key = game.situation(seen[i].state)
            e = places[replay.place_of(places, key)]
            if e.head == 0 or e.led_to < seen[i].ply:
                e.key, e.head, e.led_to = key, seen[i].choice + 1, seen[i].ply


def follow(w: Any, body: Any, places: Any, ply: int, n: int) -> int:
    """The choice that `latest_choices` has found; a chooser for the walk."""
    if w.choices == len(body):
        w.fault = replay.FULL
        return 0
    e = places[replay.place_of(places, game.situation(w.path[ply]))]
    if e.head == 0 or e.head > n:
        w.fault = replay.LOST
        return 0
    chosen = whole(e.head - 1)
    body[w.choices] = chosen
    w.choices += 1
    return chosen


# --- outside ---


@dataclass(frozen=True)
class Settled:
    """A claim with its verdict, and how the search that settled it goes on."""

    claim: Claim
    verdict: str
    table: Any
    rests: Rests  # what the strategy may rest on
    prepare: Callable[[Any], None]  # puts the question to the search's workspace
    constants: Mapping[str, Any]  # its options


def found(settled: Settled, nodes: int, seconds: float | None) -> tuple[Strategy | None, str]:
    """The strategy behind a verdict, or None and why: a limit came first, or the rule on repetition spoils the ways there are.

    Lines that meet are walked as one where they can be.
    """
    claim, verdict, rests = settled.claim, settled.verdict, settled.rests
    spent, ways = 0.0, [(True, False)] if merges(claim) else []
    quick = verdict == PROVEN and claim.bound > 0
    for merged, quickest in (*ways, *([(True, True)] if ways and quick else []), (False, quick)):
        walk = _Walk(settled, merged, quickest)
        fault = walk.run(nodes, None if seconds is None else max(0.0, seconds - spent))
        spent += walk.seconds
        if fault == replay.MAY_REPEAT and quick and not walk.interrupted:
            walk = _Straight(walk)
            fault = walk.run(nodes, None if seconds is None else max(0.0, seconds - spent))
            spent += walk.seconds
        if fault == replay.FINE:
            w = walk.w
            body, tables, bounds = walk.body[: int(w.choices)].copy(), rests.tables if w.rested else {}, rests.bounds and w.rested > 0
            return Strategy(claim, verdict, body, int(w.positions), int(w.height[0]), tables, bounds, merged), "solved"
        if walk.interrupted:
            return None, "interrupted"
        if fault == replay.STOPPED:
            return None, "nodes" if nodes and walk.w.control.nodes >= nodes else "time"
    return None, "repetition"


class _Walk:
    """A walk that looks for the moves of a strategy."""

    def __init__(self, settled: Settled, merged: bool, quickest: bool) -> None:
        self.settled, self.merged, claim = settled, merged, settled.claim
        more = {**dfpn.fields(claim.position.game.constants), "quickest": np.bool_}
        self.kernel, self.w = walking(claim, choose, merged, settled.rests, more, dict(settled.constants))
        self.w.quickest = quickest
        self.memory = settled.table
        self.body: Any = None
        self.seen: Any = None
        self.seconds, self.interrupted = 0.0, False

    def prepare(self) -> None:
        """Make the chooser ready."""
        self.settled.prepare(self.w)
        memory.attach(self.w, self.memory)

    def run(self, nodes: int, seconds: float | None) -> int:
        """How it went: a fault of replay.py."""
        size, w, claim, verdict = FIRST_ROOM, self.w, self.settled.claim, self.settled.verdict
        while True:
            self.prepare()
            set_off(w, claim, verdict)
            w.control.limit = nodes or NO_LIMIT
            self.seen, index = room(claim, size, self.merged)
            self.body = np.zeros(size, CHOICE)
            left = None if seconds is None else max(0.0, seconds - self.seconds)
            run = supervise(self.kernel, w, self.seen, index, self.body, self.memory, control=w.control, seconds=left)
            self.seconds, self.interrupted = self.seconds + run.seconds, run.interrupted
            if w.fault == replay.FULL:
                size *= 4
                continue
            if self.merged and not check_lines(claim, verdict, w, self.seen):
                self.interrupted = True
            return int(w.fault)


class _Straight(_Walk):
    """A walk along the moves of another one which never comes back: see the top of this file."""

    def __init__(self, walk: _Walk) -> None:
        self.settled, self.merged, claim = walk.settled, True, walk.settled.claim
        self.kernel, self.w = walking(claim, follow, True, walk.settled.rests)
        self.memory = np.zeros(slots(int(walk.w.stored)), replay.Situation)
        self.body = self.seen = None
        supervise(claim.position.game.bind(latest_choices, {}, label="replay"), walk.w, walk.seen, self.memory, control=walk.w.control)
        self.seconds, self.interrupted = 0.0, False

    def prepare(self) -> None:
        """It knows everything."""
