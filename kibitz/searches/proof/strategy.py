"""From a verdict to a strategy: the moves that show it, one for each position in which its holder is to move.

The walk is that of the rules (kibitz/tables/proof/replay.py); where it asks for a move, the search's table knows it, or the position is searched again. In
a question about plies the player of the claim takes the quickest way, which never comes back to a position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import options
from kibitz.core.running.control import NO_LIMIT, supervise
from kibitz.searches.proof import dfpn, memory
from kibitz.searches.proof.numbers import whole
from kibitz.tables.proof import replay
from kibitz.tables.proof.claim import Claim
from kibitz.tables.proof.file import CHOICE, Strategy, room, set_off, walking

FIRST_ROOM = 1 << 12  # positions; doubled until there is enough


# --- kernels ---


def choose(w: Any, body: Any, table: Any, ply: int, n: int) -> int:
    """A move at `ply` that keeps what the holder has, noted in `body`; a chooser for the walk."""
    if w.choices == len(body):
        w.fault = replay.FULL
        return 0
    left = whole(w.longest - ply)
    w.within = left
    if options.BOUNDED and w.wanted:  # the quickest way
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


# --- outside ---


def found(
    claim: Claim, verdict: str, table: Any, prepare: Callable[[Any], None], constants: Mapping[str, Any], nodes: int, seconds: float | None
) -> tuple[Strategy | None, str]:
    """The strategy behind a verdict, or None and why: a limit came first, or the rule on repetition spoils the ways there are.

    `prepare` puts the question to the search's workspace, `constants` are its options.
    """
    kernel, w = walking(claim, choose, dfpn.fields(claim.position.game.constants), dict(constants))
    size, spent = FIRST_ROOM, 0.0
    while True:
        prepare(w)
        set_off(w, claim, verdict)
        memory.attach(w, table)
        w.control.limit = nodes or NO_LIMIT
        seen, index = room(claim, size)
        body = np.zeros(size, CHOICE)
        run = supervise(
            kernel, w, seen, index, body, table, control=w.control, seconds=None if seconds is None else max(0.0, seconds - spent)
        )
        spent += run.seconds
        if w.fault == replay.FULL:
            size *= 4
            continue
        if w.fault == replay.FINE:
            return Strategy(claim, verdict, body[: int(w.choices)].copy(), int(w.positions), int(w.height[0])), "solved"
        if run.interrupted:
            return None, "interrupted"
        if w.fault == replay.STOPPED:
            return None, "nodes" if nodes and w.control.nodes >= nodes else "time"
        return None, "repetition"
