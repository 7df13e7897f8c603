"""Positions as numbers: each kept once, with what may follow it and what the observer hears of that.

Moves that were tried in vain are forgotten (`untried`): they are illegal in every position that is still possible, so trying them again gains nothing. A step that changes nothing but
what was tried is marked `vain`.

All arrays grow: a kernel that finds one too short says so in `w.short`, and is called again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.hidden.updating import choices, same
from kibitz.core.protocol.rules import OVER
from kibitz.core.records.hashing import hash_record
from kibitz.core.records.record import record

OWN, OTHERS, GOOD, BAD = 0, 1, 2, 3  # whose turn it is to the observer, or how the game ended
NEVER = 1 << 14  # more moves than are ever asked for

# `w.short`: what has to grow.
ENOUGH, POSITIONS, STEPS, MEMBERS, NODES, BRANCHES, LINKS, SCRATCH = range(8)

# A position: its steps stand side by side; by how many moves of his own the observer, seeing everything, is known to win, or not to.
Fact = record(
    first=np.int64, count=np.int32, who=np.int8, asked=np.int16, won=np.int16, lost=np.int16, wholes=np.int32, whole_links=np.int32, parts=np.int32,
)  # fmt: skip
Step = record(percept=np.int64, to=np.int32, vain=np.int8)


class Memory(NamedTuple):
    """All that a search keeps."""

    states: Any  # of positions, by number
    facts: Any  # about them
    slots: Any  # numbers of positions by hash, EMPTY where there is none
    steps: Any
    members: Any  # numbers of positions, those of a belief side by side, ascending
    nodes: Any  # beliefs
    places: Any  # numbers of beliefs by hash
    branches: Any
    links: Any
    path: Any  # of the search: a frame for each belief on the way from the root
    trail: Any  # the same of the search that sees everything
    keys: Any  # scratch: percepts of what follows
    found: Any  # and numbers


EMPTY = -1


def fields(constants: dict[str, Any]) -> dict[str, Any]:
    """The part of a workspace that is about positions."""
    widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])
    return {
        "before": constants["State"],
        "after": constants["State"],
        "noted": constants["State"],
        "choices": (constants["MOVE"], widest),
        "chances": (np.float64, widest),
        "observer": np.int64,
        "goal": np.float64,  # the utility that he wants at least
        "positions": np.int64,  # the number of them
        "steps": np.int64,
        "short": np.int64,
    }


# --- kernels ---


def whole(n: Any) -> int:
    """A number as 64 bits: a variable of a kernel has one type."""
    return np.int64(n)  # type: ignore[return-value]


def intern(w: Any, m: Any) -> int:
    """The number of `w.after`, which is changed to what stands for it, with `w.noted` as it was but for what was tried; -1 where there is no more room."""
    game.blur(w.after, w.observer)
    w.noted = w.after
    game.untried(w.after)
    mask = m.slots.shape[0] - 1
    slot = whole(hash_record(w.after) & np.uint64(0x7FFFFFFFFFFFFFFF)) & mask
    while m.slots[slot] != EMPTY:
        if same(w.after, m.states[m.slots[slot]]):
            return whole(m.slots[slot])
        slot = (slot + 1) & mask
    if w.positions == m.states.shape[0]:
        w.short = POSITIONS
        return whole(-1)
    number = whole(w.positions)
    m.states[number] = w.after
    fact = m.facts[number]
    fact.first, fact.count, fact.won, fact.lost, fact.asked = -1, -1, NEVER, -1, -1
    fact.wholes, fact.whole_links, fact.parts = 0, -1, -1
    mover = game.player(w.after)
    if mover == OVER:
        fact.who = GOOD if game.utility(w.after, w.observer) >= w.goal else BAD
    else:
        fact.who = OWN if mover == w.observer else OTHERS
    m.slots[slot] = number
    w.positions += 1
    return number


def note_positions(w: Any, m: Any) -> None:
    """Fill the hash table anew."""
    for i in range(m.slots.shape[0]):
        m.slots[i] = EMPTY
    for i in range(w.positions):
        note(m.slots, hash_record(m.states[i]), i)


def note(slots: Any, key: Any, number: int) -> None:
    """Note a number in the first free slot from that of the key on."""
    mask = slots.shape[0] - 1
    slot = whole(key & np.uint64(0x7FFFFFFFFFFFFFFF)) & mask
    while slots[slot] != EMPTY:
        slot = (slot + 1) & mask
    slots[slot] = number


def expand(w: Any, m: Any, number: int) -> bool:
    """List what may follow a position; False if there is no more room. If the observer is to move, step i is that of move i."""
    if m.facts[number].count >= 0:
        return True
    w.before = m.states[number]
    own = m.facts[number].who == OWN
    if own:
        n = whole(game.moves(w.before, w.choices))
    else:
        n = whole(choices(w, w.before, -1, w.observer))
    if w.steps + n > m.steps.shape[0]:
        w.short = STEPS
        return False
    first, real = whole(w.steps), own
    for i in range(n):
        w.after = w.before
        game.play(w.after, w.choices[i])
        percept = whole(game.percept(w.before, w.choices[i], w.after, w.observer))
        to = intern(w, m)
        if to < 0:
            return False
        step = m.steps[first + i]
        step.to, step.percept, step.vain = to, percept, to == number and not same(w.noted, w.after)
        real = real or step.vain == 0
    m.facts[number].first, m.facts[number].count = first, n if real else 0  # others who can only try in vain cannot move
    w.steps = first + n
    return True
