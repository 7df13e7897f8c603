"""Results for one belief hold for others: a strategy that wins for certain also wins if fewer positions are possible, and a belief that cannot be won for certain
cannot be won if more are possible.

Beliefs that are won are listed with each of their positions, beliefs that are not with one of them; a list is read as far as `LONGEST`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.records.record import record
from kibitz.searches.belief.positions import LINKS, whole

Link = record(node=np.int32, next_=np.int32)

LONGEST = 256  # entries of a list that are looked at
WON_LISTED, LOST_LISTED = 1, 2  # bits of `node.listed`

# --- kernels ---


def list_won(w: Any, m: Any, number: int) -> bool:
    """Note that a belief is won; False where there is no more room."""
    node = m.nodes[number]
    if node.listed & WON_LISTED != 0:
        return True
    if w.links + node.count > m.links.shape[0]:
        w.short = LINKS
        return False
    node.listed |= WON_LISTED
    for i in range(node.first, node.first + node.count):
        fact = m.facts[m.members[i]]
        link = m.links[w.links]
        link.node, link.next_ = number, fact.whole_links
        fact.whole_links = w.links
        fact.wholes += 1
        w.links += 1
    return True


def list_lost(w: Any, m: Any, number: int) -> bool:
    """Note that a belief is not won; False where there is no more room."""
    node = m.nodes[number]
    if node.listed & LOST_LISTED != 0:
        return True
    if w.links == m.links.shape[0]:
        w.short = LINKS
        return False
    node.listed |= LOST_LISTED
    fact = m.facts[m.members[node.first + whole(node.key % np.uint64(node.count))]]
    link = m.links[w.links]
    link.node, link.next_ = number, fact.parts
    fact.parts = w.links
    w.links += 1
    return True


def find_whole(m: Any, number: int, left: int) -> int:
    """A belief that is won within `left` moves and holds all of this one; -1 where none is found."""
    node = m.nodes[number]
    fewest, place = whole(1 << 30), whole(0)
    for i in range(node.first, node.first + node.count):
        listed = whole(m.facts[m.members[i]].wholes)
        if listed < fewest:
            fewest, place = listed, whole(m.members[i])
    at, seen = whole(m.facts[place].whole_links), whole(0)
    while at >= 0 and seen < LONGEST:
        other = whole(m.links[at].node)
        if m.nodes[other].won <= left and holds(m, other, number):
            return other
        at = whole(m.links[at].next_)
        seen += 1
    return whole(-1)


def find_part(m: Any, number: int, left: int) -> int:
    """A belief that is not won within `left` moves and lies in this one; -1 where none is found."""
    node, seen = m.nodes[number], whole(0)
    for i in range(node.first, node.first + node.count):
        at = whole(m.facts[m.members[i]].parts)
        while at >= 0 and seen < LONGEST:
            other = whole(m.links[at].node)
            if m.nodes[other].lost >= left and holds(m, number, other):
                return other
            at = whole(m.links[at].next_)
            seen += 1
    return whole(-1)


def holds(m: Any, large: int, small: int) -> bool:
    """Are all positions of one belief in the other?"""
    one, other = m.nodes[large], m.nodes[small]
    if one.count < other.count or other.bloom & ~one.bloom != np.uint64(0):
        return False
    i, end, j = whole(one.first), whole(one.first + one.count), whole(other.first)
    last = whole(other.first + other.count)
    while j < last:
        while i < end and m.members[i] < m.members[j]:
            i += 1
        if i == end or m.members[i] != m.members[j]:
            return False
        j += 1
    return True
