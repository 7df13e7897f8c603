"""How soon a position is won by a player who sees everything, whatever the others do: a player who sees less cannot win it sooner.

Only the observer's own moves count, tries included. If the others can go on for ever without him, they have not lost. Vain tries are skipped: they change nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.records.record import record
from kibitz.searches.belief.positions import BAD, GOOD, OWN, SCRATCH, expand, whole

Frame = record(number=np.int32, left=np.int16, before=np.int16, next_=np.int32)

LOST, WON, OPEN = 0, 1, 2


def glance(m: Any, number: int, left: int) -> int:
    """What is known already of a position with `left` own moves left."""
    fact = m.facts[number]
    if fact.who == GOOD or fact.won <= left:
        return WON
    if fact.who == BAD or fact.lost >= left or (fact.who == OWN and left == 0) or fact.asked == left:
        return LOST  # also where the others have come back to it without him: they can do so for ever
    return OPEN


def seeing_wins(w: Any, m: Any, number: int, left: int) -> int:
    """Is a position won within `left` moves by a player who sees everything? WON or LOST; OPEN where there is no more room, or a limit was met."""
    known = glance(m, number, left)
    if known != OPEN:
        return known
    top = whole(0)
    enter(m.trail, m.facts, top, number, left)
    while top >= 0:
        frame = m.trail[top]
        fact = m.facts[frame.number]
        if frame.next_ == 0 and not expand(w, m, frame.number):
            return leave(m.trail, m.facts, top)
        if w.control.nodes >= w.control.limit:
            return leave(m.trail, m.facts, top)
        own = fact.who == OWN
        settled = whole(LOST if own or fact.count == 0 else WON)  # where no step says otherwise
        below = whole(frame.left - 1 if own else frame.left)
        pushed = False
        while frame.next_ < fact.count:
            to = whole(m.steps[fact.first + frame.next_].to)
            if m.steps[fact.first + frame.next_].vain or (own and to == frame.number):
                frame.next_ += 1
                continue
            known = whole(glance(m, to, below))
            if known == OPEN:
                if top + 1 == m.trail.shape[0]:
                    w.short = SCRATCH
                    return leave(m.trail, m.facts, top)
                w.control.nodes += 1
                enter(m.trail, m.facts, top + 1, to, below)
                pushed = True
                break
            if (known == WON) == own:
                settled = known
                break
            frame.next_ += 1
        if pushed:
            top += 1
            continue
        fact.asked = frame.before
        if settled == WON:
            fact.won = min(fact.won, frame.left)
        else:
            fact.lost = max(fact.lost, frame.left)
        top -= 1
    return whole(glance(m, number, left))


def enter(path: Any, facts: Any, top: int, number: int, left: int) -> None:
    """Put a question on the path: number `number` of `facts`, with `left` own moves left. What was asked about it before comes back on leaving."""
    frame, fact = path[top], facts[number]
    frame.number, frame.left, frame.before, frame.next_ = number, left, fact.asked, 0
    fact.asked = left


def leave(path: Any, facts: Any, top: int) -> int:
    """Give up all questions on the path."""
    for i in range(top, -1, -1):
        facts[path[i].number].asked = path[i].before
    return whole(OPEN)
