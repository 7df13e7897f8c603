"""The kernels that update a belief: every state and every move that agree with the percept, each resulting state once.

States are kept in an array, found by a hash table of their places (open addressing), and told apart by all their words. An entry of the table is the upper half of a state's hash
and its place: where the halves differ the state itself, far away in memory, need not be looked at. `w.ceiling` is the largest
hash that is kept: where more states are found than there is room for, it is halved and what lies above it is dropped, so that the states that stay
are a sample in which each is as likely as another, whatever the order in which they were found.

A state's weight is its probability while others move at random: 1/n for each of n moves, and for chance what its outcomes weigh. Paths that lead to
one state add up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records.hashing import scatter, word, word_count
from kibitz.core.records.random import by_weight
from kibitz.core.records.record import record
from kibitz.core.running.control import Control

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
EMPTY = -1
PLACE = np.int64(0xFFFFFFFF)  # of an entry
HALF, BUT_ONE = np.uint64(32), np.uint64(33)


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """Scratch for one state at a time, and what a run found."""
    widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])
    return record(
        control=Control,  # its nodes are the moves tried
        before=constants["State"],
        after=constants["State"],
        choices=(constants["MOVE"], widest),
        chances=(np.float64, widest),
        following=(constants["State"], widest),  # what one state leads to
        keys=(np.uint64, widest),  # their hashes
        count=np.int64,  # states, or percepts, found so far
        ceiling=np.uint64,
        salt=np.uint64,  # of the hashes: another one draws another sample
        done=np.int64,  # states that were carried on
        touched=np.uint64,  # of no meaning
    )


def choices(w: Any, s: Any, own: int, observer: int) -> int:
    """What may happen in a state where the observer makes the move `own`, or somebody else moves (own < 0): how many, with their chances; 0 where it cannot be."""
    mover = game.player(s)
    if mover == OVER or (mover == observer) != (own >= 0):
        return 0
    if own >= 0:
        w.choices[0], w.chances[0] = own, 1.0
        return 1
    if mover == CHANCE:
        n = game.outcomes(s, w.choices, w.chances)
        total = 0.0
        for i in range(n):
            total += w.chances[i]
        for i in range(n):
            w.chances[i] = w.chances[i] / total if not game.EQUALLY_LIKELY else 1.0 / n
        return n
    n = game.moves(s, w.choices)
    for i in range(n):
        w.chances[i] = 1.0 / n
    return n


def advance(
    w: Any, states: Any, weights: Any, kept: Any, kept_weights: Any, slots: Any, own: int, percept: int, observer: int, may_grow: bool
) -> int:
    """Add to `kept` the states that follow `states` by one event, from the place `w.done` on; how many there are.

    `w.done` falls short of the states where the limit of nodes was met, or where `kept` has to grow first.
    """
    note_places(w, kept, slots)
    for i in range(w.done, states.shape[0]):
        if w.control.nodes >= w.control.limit or (may_grow and w.count + w.choices.shape[0] > kept.shape[0]):
            break
        w.before = states[i]
        n, m = choices(w, w.before, own, observer), 0
        for j in range(n):
            if heard_after(w, w.choices[j], observer) == percept:
                game.blur(w.after, observer)
                w.following[m], w.keys[m], w.chances[m] = w.after, scatter(w.after, w.salt), w.chances[j]
                m += 1
        touch(w, kept, slots, m)
        for j in range(m):
            w.after = w.following[j]
            add(w, kept, kept_weights, slots, w.keys[j], weights[i] * w.chances[j])
        w.control.nodes += n
        w.done += 1
    return w.count


def touch(w: Any, kept: Any, slots: Any, m: int) -> None:
    """Look once at all that will be looked at for these states: to wait for memory many times at once takes no longer than to wait once."""
    for j in range(m):
        found = slots[slot_of(w.keys[j], slots)]
        if found != EMPTY and found & ~PLACE == entry(w.keys[j], 0):
            w.touched += word(kept[found & PLACE], 0)


def heard_after(w: Any, move: int, observer: int) -> int:
    """What the observer hears of a move in `w.before`; `w.after` is the state that it leads to."""
    w.after = w.before
    game.play(w.after, move)
    return game.percept(w.before, move, w.after, observer)


def add(w: Any, kept: Any, kept_weights: Any, slots: Any, key: Any, weight: float) -> None:
    """Keep `w.after`, whose hash is given, unless that lies above the ceiling; add to its weight where it is there already."""
    if key > w.ceiling:
        return
    if w.count == kept.shape[0] and find(w.after, kept, slots, key) < 0:
        make_room(w, kept, kept_weights, slots, key)
        if key > w.ceiling:
            return
    place = find(w.after, kept, slots, key)
    if place >= 0:
        kept_weights[place] += weight
        return
    slots[-1 - place] = entry(key, w.count)
    kept[w.count] = w.after
    kept_weights[w.count] = weight
    w.count += 1


def deal(w: Any, states: Any, weights: Any, kept: Any, kept_weights: Any, slots: Any, rng: Any, observer: int) -> int:
    """Add to `kept` as many states as it has room for, drawn by weight and dealt anew; those that come up twice count twice. How many different ones there are."""
    w.count, w.done = 0, 0
    for i in range(slots.shape[0]):
        slots[i] = EMPTY
    for _ in range(kept.shape[0]):
        if w.control.nodes >= w.control.limit:
            break
        w.after = states[by_weight(weights, states.shape[0], rng)]
        game.redeal(w.after, observer, rng)
        game.blur(w.after, observer)
        add(w, kept, kept_weights, slots, scatter(w.after, w.salt), 1.0)
        w.control.nodes += 1
    w.done = states.shape[0]
    return w.count


def find(s: Any, kept: Any, slots: Any, key: Any) -> int:
    """Where the state stands in `kept`; or, as -1 - slot, where its place would be noted."""
    mask = slots.shape[0] - 1
    slot, wanted = slot_of(key, slots), entry(key, 0)
    while slots[slot] != EMPTY:
        if slots[slot] & ~PLACE == wanted and same(s, kept[slots[slot] & PLACE]):
            return slots[slot] & PLACE
        slot = (slot + 1) & mask
    return -1 - slot


def slot_of(key: Any, slots: Any) -> Any:
    """Where the search for a hash begins."""
    return np.int64(key & np.uint64(0x7FFFFFFFFFFFFFFF)) & (slots.shape[0] - 1)


def entry(key: Any, place: int) -> Any:
    """What the hash table says of a state with this hash: never negative, as EMPTY is."""
    return np.int64((key >> BUT_ONE) << HALF) | np.int64(place)


def same(a: Any, b: Any) -> bool:
    for i in range(word_count(a)):
        if word(a, i) != word(b, i):
            return False
    return True


def make_room(w: Any, kept: Any, kept_weights: Any, slots: Any, key: Any) -> None:
    """Halve the ceiling until something was dropped, and note the rest anew; the state with the smallest hash, of these and the one with `key`, always stays."""
    smallest = key
    for i in range(w.count):
        smallest = min(smallest, scatter(kept[i], w.salt))
    while w.count == kept.shape[0] and w.ceiling > smallest:
        w.ceiling = max(w.ceiling >> np.uint64(1), smallest)
        left = 0
        for i in range(w.count):
            if scatter(kept[i], w.salt) <= w.ceiling:
                if left != i:
                    kept[left] = kept[i]
                    kept_weights[left] = kept_weights[i]
                left += 1
        w.count = left
    note_places(w, kept, slots)


def note_places(w: Any, kept: Any, slots: Any) -> None:
    """Fill the hash table."""
    for i in range(slots.shape[0]):
        slots[i] = EMPTY
    for i in range(w.count):
        key = scatter(kept[i], w.salt)
        slots[-1 - find(kept[i], kept, slots, key)] = entry(key, i)


def slots_for(room: int) -> Any:
    """A hash table of so many states, at most half full."""
    return np.zeros(1 << (2 * room - 1).bit_length(), np.int64)


def hear(w: Any, states: Any, weights: Any, percepts: Any, tallies: Any, own: int, observer: int) -> int:
    """Write to `percepts` what may be heard of the next event, each once, with the weight of it; how many there are, or more than there is room for.

    `w.done` falls short of the states where the limit of nodes was met.
    """
    w.count, w.done = 0, 0
    for i in range(states.shape[0]):
        if w.control.nodes >= w.control.limit:
            break
        w.before = states[i]
        n = choices(w, w.before, own, observer)
        for j in range(n):
            heard = heard_after(w, w.choices[j], observer)
            place = 0
            while place < w.count and percepts[place] != heard:
                place += 1
            if place == w.count:
                if place == percepts.shape[0]:
                    return place + 1
                percepts[place], tallies[place] = heard, 0.0
                w.count += 1
            tallies[place] += weights[i] * w.chances[j]
        w.control.nodes += n
        w.done += 1
    return w.count
