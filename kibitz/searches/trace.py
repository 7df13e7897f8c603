"""The trace: with the compile-time option TRACE, a search records every visit to a node; pictures of trees are drawn from that.

If TRACE is off, every function here is empty and leaves no compiled code: searches call them unconditionally.

    node.step, node.leaf, node.foreseen     record automatically: the move, the leaf, what was known before any move
    trace.enter(w, ply, depth, low, high, side)   the first line of a function that searches the node at `ply`
    trace.leave(w, ply, value)                    the last one, with what it returns

An event is one visit: which visit of which node it belongs to (`parent`), the move that led here, the window, the value and how it was found.
Window and value are those of player `side`, for whom the search computed them: usually the player to move. A node entered again under the same
parent by the same move was searched again; a root entered again began another pass. A search may visit the node it is at once more (less deep,
say) before it leaves it: that is an event of its own, inside the `outer` one. An event that was never left met a limit.

The events lie in the workspace, which has room for a fixed number. When it is full, the deepest ply that was recorded is dropped, and from then on no ply as
deep as that is recorded: what is left is the whole tree down to some ply, not all of one branch. Dropped visits are counted, in `lost`, in their
parents' `entered`, and as `nodes` of what was above them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE, NO_MOVE, OVER
from kibitz.core.records.record import record

MOST = 20_000  # events there is room for, unless told

# How a visit ended.
OPEN = 0  # it did not: a limit was met
SEARCHED = 1  # in full
CUT = 2  # good enough before all moves were searched
KNOWN = 3  # by the table
BEYOND = 4  # the window is out of reach: `best_case`
FINISHED = 5  # the game is over
EVALUATED = 6  # at the horizon
REPETITION = 7  # the position has come up before
PROBED = 8  # a bound from some of the moves
FORETOLD = 9  # no full search stands behind the value

ENDINGS = {
    OPEN: "unfinished",
    SEARCHED: "searched",
    CUT: "cut",
    KNOWN: "table",
    BEYOND: "out of reach",
    FINISHED: "over",
    EVALUATED: "horizon",
    REPETITION: "repeated",
    PROBED: "probed",
    FORETOLD: "pruned",
}
UNCOUNTED = -1
LEAVES = (FINISHED, EVALUATED, REPETITION)
WITHOUT_MOVES = (*LEAVES, KNOWN, BEYOND)  # settled before any move was made

Event = record(
    parent=np.int32,  # another event; NO_MOVE at the root
    outer=np.int32,  # the visit of the same node that this one is part of, such as a shallow search before a deep one; mostly NO_MOVE
    move=np.int64,  # NO_MOVE at the root
    mover=np.int8,  # whose turn it is at the node; OVER, CHANCE, or node.REPEATED
    side=np.int8,  # whose values these are
    how=np.int8,
    ply=np.int16,
    depth=np.int16,  # plies still to search
    entered=np.int32,  # visits of nodes below this one, one ply down, whether there was room for them or not
    nodes=np.int64,  # visited below during this visit, recorded or not; UNCOUNTED where nobody did
    low=np.float64,  # the window; NaN where there is none
    high=np.float64,
    value=np.float64,
    least=np.float64,  # what the parent's value must lie between once this is known: `bounds`; NaN where nobody said
    most=np.float64,
)

# --- kernels ---


def fields(plies: int, room: int, players: int = 0) -> dict[str, Any]:
    """What the workspace holds for it; nothing where there is no room. With `players`, a value of each player for every event."""
    if room == 0:
        return {}
    vectors = {"vectors": (np.float64, (room, players))} if players else {}
    parts = record(
        written=np.int64,
        lost=np.int64,
        deepest=np.int64,  # ply that is recorded
        at=(np.int32, plies + 2),  # the visit under way at each ply; NO_MOVE where there is none
        last=(np.int32, plies + 2),  # the visit that ended last at each ply
        moves=(np.int64, plies + 2),  # the move that led to each ply
        moved=(np.int32, room),  # where events go when some are dropped
        events=(Event, room),
        **vectors,
    )
    return {"log": parts}


def clear(w: Any) -> None:
    """Forget everything."""
    w.log.written, w.log.lost, w.log.deepest = 0, 0, len(w.log.at)
    w.log.at[:] = NO_MOVE
    w.log.last[:] = NO_MOVE


def step(w: Any, ply: int, move: int) -> None:
    """The node at `ply` tries a move; who makes moves without `node.step` calls this."""
    if options.TRACE:
        w.log.moves[ply + 1] = move


def enter(w: Any, ply: int, depth: int, low: float, high: float, side: int) -> None:
    """The node at `ply` is visited, with this window of player `side`; infinite where there is none. Its moves are at `ply + 1`."""
    if options.TRACE:
        event = visit(w, ply, game.player(w.states[ply]), side, depth, shown(low, side), shown(high, side))
        if event >= 0:
            w.log.events[event].outer = w.log.at[ply]
            w.log.events[event].nodes = w.control.nodes  # visited before it
        w.log.at[ply] = event


def leave(w: Any, ply: int, value: float) -> None:
    """The visit ends with this value: in full, or cut where the value reaches the window's upper end."""
    if options.TRACE:
        event = w.log.at[ply]
        if event >= 0:
            e = w.log.events[event]
            settle(w, ply, value, CUT if shown(value, e.side) >= e.high else SEARCHED)


def settle(w: Any, ply: int, value: float, how: int) -> None:
    """The visit ends with this value in a way that the search knows best."""
    if options.TRACE:
        event = w.log.at[ply]
        if event >= 0:
            end(w, ply, shown(value, w.log.events[event].side), how)


def end(w: Any, ply: int, value: float, how: int) -> None:
    """The visit at `ply`, which is recorded, ends; not once a limit is met, when values mean nothing."""
    event = w.log.at[ply]
    if w.control.nodes < w.control.limit:
        e = w.log.events[event]
        e.value, e.how, e.nodes = value, how, w.control.nodes - e.nodes
        w.log.at[ply], w.log.last[ply] = e.outer, event


def foresee(w: Any, ply: int, value: float, how: int, whose: int) -> None:
    """The visit ends before any move is made, with a value for player `whose`, who need not be the side that the visit speaks for."""
    if options.TRACE:
        event = w.log.at[ply]
        if event >= 0:
            settle(w, ply, value if w.log.events[event].side == whose else -value, how)


def leaf(w: Any, ply: int, value: float, following: int, side: int) -> None:
    """A leaf is visited; `following` is whose turn it would be, or why it is nobody's."""
    if options.TRACE:
        mover = game.player(w.states[ply]) if options.COALITION and following >= 0 else following
        event = visit(w, ply, mover, side, 0, np.nan, np.nan)
        w.log.last[ply] = event
        if event >= 0:
            e = w.log.events[event]
            e.value, e.nodes = shown(value, side), 0
            e.how = FINISHED if following == OVER else EVALUATED if following >= 0 or following == CHANCE else REPETITION


def tell(w: Any, ply: int, values: Any) -> None:
    """The visit that ended last at `ply` found these values, one of each player."""
    if options.TRACE and options.VECTORS:
        event = w.log.last[ply]
        if event >= 0:
            note_values(w, event, values)


def is_part(w: Any, ply: int) -> None:
    """Only the mover's value of the visit that ended last at `ply` is known, and only as a lower bound."""
    if options.TRACE and options.VECTORS:
        event = w.log.last[ply]
        if event >= 0:
            w.log.events[event].high = w.log.events[event].value


def note_values(w: Any, event: int, values: Any) -> None:
    for p in range(game.PLAYERS):
        w.log.vectors[event, p] = values[p]


def ask(w: Any, ply: int, depth: int, bound: float, strict: bool, side: int) -> None:
    """The node at `ply` is visited by a test: is its value greater than the bound, or at least the bound? A window of one float."""
    if options.TRACE:
        low = bound if strict else np.nextafter(bound, -np.inf)
        enter(w, ply, depth, low, np.nextafter(low, np.inf), side)


def answer(w: Any, ply: int, passed: bool) -> None:
    """The test's answer: its value is the end of the window that it does not pass."""
    if options.TRACE:
        event = w.log.at[ply]
        if event >= 0:
            e = w.log.events[event]
            end(w, ply, e.high if passed else e.low, CUT if passed else SEARCHED)


def bounds(w: Any, ply: int, least: float, most: float, side: int) -> None:
    """The value of the node at `ply` must lie between these, now that the move last searched is known: for chance nodes."""
    if options.TRACE:
        event = w.log.last[ply + 1]
        if event >= 0:
            w.log.events[event].least, w.log.events[event].most = shown(least, side), shown(most, side)


def shown(value: float, side: int) -> float:
    """A value as searches count it, as player `side` does: see kibitz/searches/window/node.py."""
    return value + options.SUM if side == 1 else value


def visit(w: Any, ply: int, mover: int, side: int, depth: int, low: float, high: float) -> int:
    """A new event at a ply, still open; its number, or NO_MOVE where that ply is not recorded."""
    while ply <= w.log.deepest and w.log.written == len(w.log.events) and w.log.deepest > 0:
        drop_deepest(w, ply)
    parent, move = (w.log.at[ply - 1], w.log.moves[ply]) if ply > 0 else (NO_MOVE, NO_MOVE)
    if ply <= w.log.deepest:
        return add(w, parent, move, mover, side, ply, depth, low, high)
    if parent >= 0:
        w.log.events[parent].entered += 1
    w.log.lost += 1
    return NO_MOVE


def drop_deepest(w: Any, ply: int) -> None:
    """Make room for an event at `ply`: forget the deepest ply, that one included, and record none as deep any more."""
    t = w.log
    deepest = ply
    for i in range(t.written):
        deepest = max(deepest, t.events[i].ply)
    t.deepest = max(deepest - 1, 0)
    kept = 0
    for i in range(t.written):
        t.moved[i] = NO_MOVE
        if t.events[i].ply <= t.deepest:
            t.moved[i] = kept
            t.events[kept] = t.events[i]
            if options.VECTORS:
                note_values(w, kept, t.vectors[i])
            e = t.events[kept]
            e.parent, e.outer = moved(w, e.parent), moved(w, e.outer)
            kept += 1
    for ply in range(len(t.at)):
        t.at[ply], t.last[ply] = moved(w, t.at[ply]), moved(w, t.last[ply])
    t.lost += t.written - kept
    t.written = kept


def moved(w: Any, event: int) -> int:
    return w.log.moved[event] if event >= 0 else NO_MOVE


def add(w: Any, parent: int, move: int, mover: int, side: int, ply: int, depth: int, low: float, high: float) -> int:
    """A new event, still open; its number, or NO_MOVE where there is no room. For searches that do not go ply by ply; others `enter`."""
    t = w.log
    if parent >= 0:
        t.events[parent].entered += 1
    number = t.written
    if number == len(t.events):
        t.lost += 1
        return NO_MOVE
    t.written += 1
    e = t.events[number]
    e.parent, e.outer, e.move, e.mover, e.side, e.how = parent, NO_MOVE, move, mover, side, OPEN
    e.ply, e.depth, e.entered, e.nodes = ply, depth, 0, UNCOUNTED
    e.low, e.high, e.value, e.least, e.most = low, high, np.nan, np.nan, np.nan
    return number


# --- outside ---


@dataclass
class Recorder:
    """Keeps the trace of the deepest search that was finished; of an unfinished one only where there is no other.

    Given to a search as the setting `trace`.
    """

    room: int = MOST
    events: Any = field(default_factory=lambda: np.zeros(0, Event))
    vectors: Any = None  # of each event, a value of each player, where the search knows them
    hero: int | None = None  # whose values they are, where all others count as one side against him
    passes: int = 1  # nodes on a path for each ply, at most
    lost: int = 0  # visits there was no room for
    deepest: int | None = None  # ply that is recorded, where deeper ones were dropped
    step: float = 0.0  # what a ply to the end of the game costs in these values: see kibitz/searches/window/node.py
    depth: int = 0
    nodes: int = 0  # positions visited by this search alone
    finished: bool = False

    def keep(self, w: Any, depth: int, before: int) -> None:
        """The search of this depth has ended; `before` it there were this number of nodes."""
        finished = bool(w.control.nodes < w.control.limit)
        if finished or not self.finished:
            self.events = np.array(w.log.events[: w.log.written])
            self.vectors = np.array(w.log.vectors[: w.log.written]) if "vectors" in w.log.dtype.names else None
            self.lost, self.depth, self.finished = int(w.log.lost), depth, finished
            self.deepest = int(w.log.deepest) if w.log.deepest < len(w.log.at) else None
            self.nodes = int(w.control.nodes) - before


@contextmanager
def recording(recorder: Recorder | None, w: Any, depth: int) -> Iterator[None]:
    """What is searched inside is the search of one depth."""
    if recorder is None:
        yield
        return
    before = int(w.control.nodes)
    clear(w)
    yield
    recorder.keep(w, depth, before)
