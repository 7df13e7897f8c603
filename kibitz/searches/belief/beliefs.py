"""Beliefs as nodes of a graph: sets of positions by number, each set kept once; what follows a belief is other beliefs, one for each thing that may be heard.

Where it is the observer's turn, the branches of each of his moves lie side by side, in the order of the rules. A move that changes nothing, and of which nothing new is heard, is left out.
Where it is not, a branch is what is heard of the others' move. What is heard of vain tries alone leaves some of the positions that there were: whatever wins in all of them wins in those.
Such a branch leads back to the belief, and says so (`stay`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.position.game import Game, Position
from kibitz.core.records.hashing import combine
from kibitz.core.records.record import record
from kibitz.searches.belief.positions import BAD, BRANCHES, EMPTY, ENOUGH, MEMBERS, NEVER, NODES, OWN, SCRATCH, expand, intern, note, whole

# A belief: its members and branches; in how many own moves it is known to be won for certain, and in how many not to be; by which
# move, or because it lies in another that is.
Node = record(
    key=np.uint64, bloom=np.uint64, first=np.int64, count=np.int32, who=np.int8, won=np.int16, lost=np.int16, listed=np.int8, best=np.int32, asked=np.int16, whole_=np.int32,
    branch=np.int64, branches=np.int32,
)  # fmt: skip
Branch = record(percept=np.int64, to=np.int32, move=np.int32, stay=np.int8)  # the move by its place in the list, 0 where others move


def fields() -> dict[str, Any]:
    return {"members": np.int64, "nodes": np.int64, "branches": np.int64}


# --- kernels ---


def put(w: Any, m: Any, states: Any) -> int:
    """The belief of these positions; -1 where there is no more room."""
    w.short = ENOUGH
    if states.shape[0] > m.found.shape[0]:
        w.short = SCRATCH
        return whole(-1)
    for i in range(states.shape[0]):
        w.after = states[i]
        number = intern(w, m)
        if number < 0:
            return whole(-1)
        m.keys[i], m.found[i] = 0, number
    sort(m, states.shape[0])
    return node_of(w, m, whole(0), whole(states.shape[0]))


def node_of(w: Any, m: Any, first: int, end: int) -> int:
    """The belief that holds m.found[first:end], numbers of positions in ascending order, perhaps more than once; -1 where there is no more room."""
    key, bloom, n = np.uint64(0), np.uint64(0), whole(0)
    for i in range(first, end):
        if i == first or m.found[i] != m.found[i - 1]:
            word = combine(np.uint64(0), np.uint64(m.found[i]))
            key += word
            bloom |= np.uint64(1) << (word & np.uint64(63))
            m.found[first + n] = m.found[i]
            n += 1
    mask = m.places.shape[0] - 1
    slot = whole(key & np.uint64(0x7FFFFFFFFFFFFFFF)) & mask
    while m.places[slot] != EMPTY:
        node = m.nodes[m.places[slot]]
        if node.key == key and node.count == n and is_same(m, node.first, first, n):
            return whole(m.places[slot])
        slot = (slot + 1) & mask
    if w.nodes == m.nodes.shape[0] or w.members + n > m.members.shape[0]:
        w.short = NODES if w.nodes == m.nodes.shape[0] else MEMBERS
        return whole(-1)
    number = whole(w.nodes)
    node = m.nodes[number]
    node.key, node.bloom, node.first, node.count = key, bloom, w.members, n
    node.who, node.won, node.lost, node.listed = whose(m, first, n), NEVER, -1, 0
    node.best, node.asked, node.whole_, node.branch, node.branches = -1, -1, -1, -1, -1
    for i in range(n):
        m.members[w.members + i] = m.found[first + i]
    w.members += n
    m.places[slot] = number
    w.nodes += 1
    return number


def is_same(m: Any, one: int, other: int, n: int) -> bool:
    for i in range(n):  # noqa: SIM110 - kernels are loops
        if m.members[one + i] != m.found[other + i]:
            return False
    return True


def whose(m: Any, first: int, n: int) -> int:
    """Whose turn it is, or how the game ended: well only if it did in every position."""
    who = whole(m.facts[m.found[first]].who)
    for i in range(first + 1, first + n):
        if m.facts[m.found[i]].who != who:
            return whole(BAD)
    return who


def note_nodes(w: Any, m: Any) -> None:
    """Fill the hash table anew."""
    for i in range(m.places.shape[0]):
        m.places[i] = EMPTY
    for i in range(w.nodes):
        note(m.places, m.nodes[i].key, i)


def unfold(w: Any, m: Any, number: int) -> bool:
    """Find what may follow a belief; False where there is no more room."""
    node = m.nodes[number]
    if node.branches >= 0:
        return True
    for i in range(node.first, node.first + node.count):
        if not expand(w, m, whole(m.members[i])):
            return False
        if m.facts[m.members[i]].count == 0:  # nobody can move there, and it never ends
            node.who, node.branch, node.branches = BAD, w.branches, 0
            return True
    first, moves = whole(w.branches), whole(1)
    if node.who == OWN:
        moves = whole(m.facts[m.members[node.first]].count)
    for move in range(moves):
        n = whole(0)
        for i in range(node.first, node.first + node.count):
            fact = m.facts[m.members[i]]
            begin, end = (fact.first + move, fact.first + move + 1) if node.who == OWN else (fact.first, fact.first + fact.count)
            if n + end - begin > m.keys.shape[0]:
                w.short = SCRATCH
                w.branches = first
                return False
            for step in range(begin, end):
                m.keys[n], m.found[n] = m.steps[step].percept, 2 * m.steps[step].to + m.steps[step].vain
                n += 1
        if not split(w, m, number, whole(move), n):
            w.branches = first
            return False
    node = m.nodes[number]
    node.branch, node.branches = first, w.branches - first
    return True


def split(w: Any, m: Any, number: int, move: int, n: int) -> bool:
    """Branches for m.keys[:n] and m.found[:n], percepts and twice the number of a position, 1 more for what was tried in vain: one for each percept."""
    sort(m, n)
    begin, first = whole(0), whole(w.branches)
    others = m.nodes[number].who != OWN
    while begin < n:
        end, stay = begin, others
        while end < n and m.keys[end] == m.keys[begin]:
            stay = stay and m.found[end] & 1 == 1
            m.found[end] = m.found[end] >> 1
            end += 1
        to = whole(number) if stay else node_of(w, m, begin, end)
        if to < 0:
            return False
        if to == number and not others:  # nothing changed, and nothing was heard that was not known
            w.branches = first
            return True
        if w.branches == m.branches.shape[0]:
            w.short = BRANCHES
            return False
        branch = m.branches[w.branches]
        branch.percept, branch.to, branch.move, branch.stay = m.keys[begin], to, move, stay
        w.branches += 1
        begin = end
    return True


def sort(m: Any, n: int) -> None:
    """Put m.keys[:n] and m.found[:n] in ascending order together, by percept, then by position (Shell's method)."""
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            key, number, j = m.keys[i], m.found[i], i
            while j >= gap and (m.keys[j - gap] > key or (m.keys[j - gap] == key and m.found[j - gap] > number)):
                m.keys[j], m.found[j] = m.keys[j - gap], m.found[j - gap]
                j -= gap
            m.keys[j], m.found[j] = key, number
        gap = gap // 2


# --- shell ---


def numbers(game: Game, data: bytes) -> tuple[int, ...]:
    """The moves of a position in the order of the rules, which is that of a belief's branches."""
    return Position(game, data).numbers
