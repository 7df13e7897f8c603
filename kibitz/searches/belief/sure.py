"""AND-OR search: can the observer be sure to reach his goal within a number of his own moves, whichever position of the belief is the true one and whatever the others do?

At a belief where it is his turn one of his moves must do, for everything that may be heard of it; where it is not, everything that may be heard must do. A belief is not won within n
moves where one of its positions is not, even by somebody who sees everything. What is found of a belief within n moves is kept for good: it does not depend on how one came there,
for the moves that are left grow fewer on every way, and where the others come back to a belief without him they can do so for ever.

After S. Russell and J. Wolfe, Efficient belief-state AND-OR search, with application to Kriegspiel (2005): beliefs whose parts fail are not searched.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import options
from kibitz.core.records.record import record
from kibitz.core.running.control import Control
from kibitz.searches.belief import beliefs, positions
from kibitz.searches.belief.beliefs import unfold
from kibitz.searches.belief.dominance import find_part, find_whole, list_lost, list_won
from kibitz.searches.belief.positions import BAD, GOOD, OWN, SCRATCH, whole
from kibitz.searches.belief.seeing import LOST, OPEN, WON, enter, leave, seeing_wins

Frame = record(number=np.int32, left=np.int16, before=np.int16, next_=np.int32)


def fields(constants: dict[str, Any]) -> dict[str, Any]:
    """The workspace."""
    return {"control": Control, **positions.fields(constants), **beliefs.fields(), "links": np.int64}


# --- kernels ---


def glance(m: Any, number: int, left: int) -> int:
    """What is known already of a belief with `left` own moves left."""
    node = m.nodes[number]
    if node.who == GOOD or node.won <= left:
        return whole(WON)
    if node.who == BAD or node.lost >= left or (node.who == OWN and left == 0) or node.asked == left:
        return whole(LOST)
    return whole(OPEN)


def judge(w: Any, m: Any, number: int, left: int) -> int:
    """The same, with a look at its positions one by one, and at beliefs that are larger and smaller; OPEN and `w.short` where there is no more room."""
    known = glance(m, number, left)
    if known != OPEN:
        return known
    node = m.nodes[number]
    if options.SEEING:
        for i in range(node.first, node.first + node.count):
            seen = seeing_wins(w, m, whole(m.members[i]), left)
            if seen == OPEN:
                return whole(OPEN)
            if seen == LOST:
                node.lost = max(node.lost, left)
                return whole(LOST)
    if options.DOMINANCE:
        other = find_whole(m, number, left)
        if other >= 0:
            node.won, node.whole_ = m.nodes[other].won, other
            return whole(WON)
        if find_part(m, number, left) >= 0:
            node.lost = max(node.lost, left)
            return whole(LOST)
    return whole(OPEN)


def is_sure(w: Any, m: Any, root: int, left: int) -> int:
    """Is the belief won for certain within `left` moves? WON or LOST; OPEN where there is no more room, or a limit was met: call again."""
    w.short = positions.ENOUGH
    known = judge(w, m, root, left)
    if known != OPEN or w.short != positions.ENOUGH:
        return known
    top = whole(0)
    enter(m.path, m.nodes, top, root, left)
    while top >= 0:
        frame = m.path[top]
        number = whole(frame.number)
        if w.control.nodes >= w.control.limit or not unfold(w, m, number):
            return leave(m.path, m.nodes, top)
        down = step(w, m, top)
        if w.short != positions.ENOUGH:
            return leave(m.path, m.nodes, top)
        if down >= 0:
            if top + 1 == m.path.shape[0]:
                w.short = SCRATCH
                return leave(m.path, m.nodes, top)
            w.control.nodes += 1
            own = m.nodes[number].who == OWN
            enter(m.path, m.nodes, top + 1, down, whole(frame.left - 1 if own else frame.left))
            top += 1
            continue
        m.nodes[number].asked = frame.before
        if down == WON_HERE:
            m.nodes[number].won, m.nodes[number].whole_ = frame.left, -1
            if options.DOMINANCE and not list_won(w, m, number):
                return leave(m.path, m.nodes, top - 1)
        else:
            m.nodes[number].lost = max(m.nodes[number].lost, frame.left)
            if options.DOMINANCE and not list_lost(w, m, number):
                return leave(m.path, m.nodes, top - 1)
        top -= 1
    return glance(m, root, left)


LOST_HERE, WON_HERE = -1, -2


def step(w: Any, m: Any, top: int) -> int:
    """The next belief to go into from that of a frame, or what has come out there."""
    frame = m.path[top]
    node = m.nodes[frame.number]
    end = whole(node.branch + node.branches)
    at = whole(node.branch + frame.next_)
    if node.who == BAD:
        return whole(LOST_HERE)
    if node.who != OWN:
        while at < end:
            known = whole(WON) if m.branches[at].stay else judge(w, m, whole(m.branches[at].to), whole(frame.left))
            if known != WON:
                frame.next_ = at - node.branch
                return whole(LOST_HERE) if known == LOST else whole(m.branches[at].to)
            at += 1
        return whole(WON_HERE)
    below = whole(frame.left - 1)
    while at < end:  # the first branch of a move
        move, last, open_ = whole(m.branches[at].move), at, whole(-1)
        fails = False
        while last < end and m.branches[last].move == move:
            fails = fails or glance(m, whole(m.branches[last].to), below) == LOST
            last += 1
        place = at
        while not fails and place < last:
            known = judge(w, m, whole(m.branches[place].to), below)
            if w.short != positions.ENOUGH:
                return whole(LOST_HERE)
            if known == LOST:
                fails = True
            elif known == OPEN:
                open_ = place
                break
            place += 1
        if not fails:
            frame.next_ = at - node.branch
            if open_ >= 0:
                return whole(m.branches[open_].to)
            m.nodes[frame.number].best = move
            return whole(WON_HERE)
        at = last
    return whole(LOST_HERE)
