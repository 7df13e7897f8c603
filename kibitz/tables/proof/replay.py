"""A walk through all lines of a strategy, by the rules alone.

The holder of the strategy makes one move wherever it is his turn, the one that `options.CHOOSE` names; every move of the other player is tried. The walk
goes depth first in the order of the rules, so a strategy is no more than its choices in the order in which the walk asks for them. It ends at the
first line in which the holder does not get what he wants.

In games without repetition a position is entered once: a later line that leads there adds nothing. It is identified by every bit of its
record (and by its ply if plies count), not by a key.

In games that can repeat positions the result depends on the path. There are two kinds of walk. In the general one every line is walked to its end, with the game's rule on repetition
and with what was played before the first position. Where a repetition is a draw, many lines that lead to one position can be walked as one (`options.MERGED`), since then

    a draw suits the holder           a line that repeats a position ends well at once, and those that go on end well too
    it does not                       no line may repeat one: `never_repeats` looks at every move of the walk, and finds no circle among the situations

and a position that occurred often enough before the first one ends the game as the rule says. A strategy that cannot be walked in this way is walked line by line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import FORBIDDEN, LOSS, OVER
from kibitz.core.records.hashing import STEP, combine, hash_record, word, word_count
from kibitz.core.records.record import record
from kibitz.core.running.control import Control
from kibitz.tables.proof.leaves import settled_early

DEEPEST = 512  # plies of a line

# What is wrong with a line.
FINE = 0
BAD_END = 1
TOO_LONG = 2
NO_SUCH_MOVE = 3
NO_MORE_CHOICES = 4
COMES_BACK = 5
FULL = 6
NOT_ALLOWED = 7
NO_REPLY = 8
STOPPED = 9
LOST = 10  # there is no choice that keeps the claim; of a walk that looks for one
MAY_REPEAT = 11  # of a merged walk
BAD_TABLE = 12

FAULTS = {
    BAD_END: "the game ends there, and not as claimed",
    TOO_LONG: "the game is not over there, as it should be by then",
    NO_SUCH_MOVE: "the strategy names a move there that does not exist",
    NO_MORE_CHOICES: "the strategy has no move there",
    COMES_BACK: "the line comes back to an earlier position, so the strategy would never end",
    FULL: "there are more positions than the proof says",
    NOT_ALLOWED: "the strategy's move there would repeat a position, which is not allowed",
    NO_REPLY: "the other player has no move there, and the game is not over",
    BAD_TABLE: "by an endgame table, or the game's own bounds, that does not lead to what is claimed",
    MAY_REPEAT: "a line may come back to an earlier position, which is a draw",
}

OPENED, CLOSED, LEFT_OUT, FAULTY = 0, 1, 2, 3  # how a position was arrived at


def seen_record(constants: dict[str, Any]) -> np.dtype[Any]:
    """A position that was gone into; `choice` is the holder's there, or -1."""
    return record(state=constants["State"], ply=np.int32, height=np.int32, choice=np.int32)


def plies(constants: dict[str, Any]) -> int:
    return min(int(constants["MAX_PLIES"]), DEEPEST)


def fields(constants: dict[str, Any], past: int) -> dict[str, Any]:
    """The workspace of a walk, with room for `past` situations of the game so far."""
    deep = plies(constants)
    return {
        "control": Control,
        "holder": np.int64,
        "asked": np.int64,  # the player of the claim
        "asked_for": np.float64,  # his least utility
        "wanted": np.bool_,  # does the holder want him to get it?
        "longest": np.int64,  # plies that a line may have; more than there can be where that does not count
        "choices": np.int64,  # taken from the strategy so far
        "positions": np.int64,  # gone into
        "stored": np.int64,  # of them in `seen`
        "fault": np.int64,
        "fault_ply": np.int64,
        "earlier": np.int64,  # situations before the first position
        "situations": (np.uint64, past + deep + 1),
        "path": (constants["State"], deep + 1),
        "replies": (constants["MOVE"], (deep + 1, constants["MAX_MOVES"])),
        "reply_at": (np.int64, deep + 1),
        "reply_end": (np.int64, deep + 1),
        "tried": (np.int64, deep + 1),
        "height": (np.int64, deep + 1),  # plies of the longest line from here
        "place": (np.int64, deep + 1),  # in `seen`
        "rested": np.int64,  # lines that end where something besides the rules settles them: see leaves.py
    }


Situation = record(key=np.uint64, head=np.int32, led_to=np.int32)  # the first of its positions, and the ways into it: see `never_repeats`


# --- kernels ---


def whole(n: Any) -> int:
    """A number as 64 bits: a variable of a kernel has one type."""
    return np.int64(n)  # type: ignore[return-value]


def walk(w: Any, seen: Any, index: Any, body: Any, memory: Any) -> None:
    """All lines from w.path[0]; w.fault says how it went, and the line that fails is replies[p, reply_at[p]] for each ply before w.fault_ply.

    `memory` is for the chooser.
    """
    w.fault, w.fault_ply, w.choices, w.positions, w.stored, w.rested = FINE, 0, 0, 0, 0, 0
    ply = whole(0)
    if arrive(w, seen, index, body, memory, whole(0), whole(-1)) != OPENED:
        return
    while True:
        if w.reply_at[ply] == w.reply_end[ply]:
            if w.tried[ply] == 0:
                w.fault, w.fault_ply = NO_REPLY, ply
                return
            if options.MERGE:
                seen[w.place[ply]].height = w.height[ply]
            if ply == 0:
                return
            ply -= 1
            w.height[ply] = max(w.height[ply], w.height[ply + 1] + 1)
            w.reply_at[ply] += 1
            continue
        w.path[ply + 1] = w.path[ply]
        game.play(w.path[ply + 1], w.replies[ply, w.reply_at[ply]])
        w.control.nodes += 1
        how = arrive(w, seen, index, body, memory, ply + 1, whole(game.player(w.path[ply])))
        if how == FAULTY:
            return
        w.tried[ply] += 1 if how != LEFT_OUT else 0
        if how == OPENED:
            ply += 1
            continue
        if how == CLOSED:
            w.height[ply] = max(w.height[ply], w.height[ply + 1] + 1)
        w.reply_at[ply] += 1


def arrive(w: Any, seen: Any, index: Any, body: Any, memory: Any, ply: int, mover: int) -> int:
    """Look at the position at `ply`, to which `mover` moved; is there anything to walk through below?"""
    w.height[ply] = 0
    how = ended(w, ply, mover)
    if how != OPENED:
        return how
    if options.MERGE:
        place = find(w, seen, index, ply)
        if w.fault != FINE:
            return failed(w, w.fault, ply)
        if place >= 0:
            w.height[ply] = seen[place].height
            return CLOSED if w.height[ply] >= 0 else failed(w, COMES_BACK, ply)
    elif options.KEEP:
        add(w, seen, ply)
        if w.fault != FINE:
            return failed(w, w.fault, ply)
    if w.control.nodes >= w.control.limit:
        return failed(w, STOPPED, ply)
    w.positions += 1
    n = game.moves(w.path[ply], w.replies[ply])
    w.reply_at[ply], w.reply_end[ply], w.tried[ply] = 0, n, 0
    if game.player(w.path[ply]) == w.holder:
        chosen = options.CHOOSE(w, body, memory, ply, n)
        if w.fault != FINE:
            return failed(w, w.fault, ply)
        w.reply_at[ply], w.reply_end[ply] = chosen, chosen + 1
        if options.MERGE or options.KEEP:
            seen[w.place[ply]].choice = chosen
    return OPENED


def ended(w: Any, ply: int, mover: int) -> int:
    """Is the game over at `ply`, by the rules, by repetition or because enough was played? Then it must have ended as the holder wants."""
    s = w.path[ply]
    over = game.player(s) == OVER
    value = np.float64(game.utility(s, w.asked)) if over else 0.0
    if options.REPEATS and not over:
        times = repeated(w, ply)
        if game.REPETITION == FORBIDDEN:
            if times > 0 and ply > 0:  # the first position was reached, so it was allowed
                return LEFT_OUT if mover != w.holder else failed(w, NOT_ALLOWED, ply)
        elif times >= game.REPETITIONS - 1:
            over, value = True, options.DRAWN
            if game.REPETITION == LOSS and mover >= 0:
                first = options.LOW if mover == 0 else options.HIGH
                value = first if w.asked == 0 else game.SUM - first
    if over:
        return CLOSED if (value >= w.asked_for) == w.wanted else failed(w, BAD_END, ply)
    if ply > 0 and (options.ENDINGS or options.BOUNDS):
        early = settled_early(w, s, w.asked, w.asked_for, w.longest - ply)
        if early >= 0:
            w.rested += 1
            return CLOSED if (early == 1) == w.wanted else failed(w, BAD_TABLE, ply)
    if ply >= w.longest:
        return CLOSED if not w.wanted and options.BOUNDED else failed(w, TOO_LONG, ply)
    return OPENED


def repeated(w: Any, ply: int) -> int:
    """How often the position at `ply` came up before; a pass where repetition is forbidden counts as new."""
    here, times = w.earlier + ply, 0
    w.situations[here] = game.situation(w.path[ply])
    if game.REPETITION == FORBIDDEN and ply > 0 and w.situations[here] == w.situations[here - 1]:
        return 0
    for i in range(w.earlier if options.MERGED else here):
        if w.situations[i] == w.situations[here]:
            times += 1
    return times


def never_repeats(w: Any, seen: Any, places: Any, after: Any, queue: Any) -> None:
    """Can no line of a merged walk come back to a situation? w.fault says so.

    Situations are taken away one after another, each when nothing that is left leads to it; on a circle that comes for none. `places` has room for all situations, `after` for the positions
    of `seen`, of which those in one situation are chained, and `queue` for the situations that can be taken away next.
    """
    number, first, last = whole(0), whole(0), whole(0)
    for i in range(w.stored):
        key = game.situation(seen[i].state)
        e = places[place_of(places, key)]
        number += 1 if e.head == 0 else 0
        after[i], e.key, e.head = e.head, key, i + 1
    for i in range(w.stored):
        lead_on(w, seen, places, queue, i, 1, whole(0))
        if w.control.nodes >= w.control.limit:
            w.fault = STOPPED
            return
    for place in range(len(places)):
        if places[place].head != 0 and places[place].led_to == 0:
            queue[last] = place
            last += 1
    while first < last:
        i = whole(places[queue[first]].head - 1)
        first += 1
        while i >= 0:
            last = lead_on(w, seen, places, queue, i, -1, last)
            i = whole(after[i] - 1)
    if first < number:
        w.fault = MAY_REPEAT


def lead_on(w: Any, seen: Any, places: Any, queue: Any, i: int, change: int, last: int) -> int:
    """Change the count of ways into each situation that a position of the walk leads to; those that nothing leads to any more join the queue, whose end is told."""
    w.path[0] = seen[i].state
    n = game.moves(w.path[0], w.replies[0])
    for k in range(n):
        if seen[i].choice < 0 or seen[i].choice == k:
            w.path[1] = w.path[0]
            game.play(w.path[1], w.replies[0, k])
            w.control.nodes += 1
            if game.player(w.path[1]) != OVER:
                place = place_of(places, game.situation(w.path[1]))
                e = places[place]
                if e.head != 0:
                    e.led_to += change
                    if change < 0 and e.led_to == 0:
                        queue[last] = place
                        last += 1
    return last


def place_of(places: Any, key: np.uint64) -> int:
    """Where a situation is, or an empty place where it is none of the walk."""
    slot = whole((key * STEP) & np.uint64(len(places) - 1))
    while places[slot].head != 0 and places[slot].key != key:
        slot = (slot + 1) % len(places)
    return slot


def failed(w: Any, fault: int, ply: int) -> int:
    w.fault, w.fault_ply = fault, ply
    return FAULTY


def find(w: Any, seen: Any, index: Any, ply: int) -> int:
    """Where in `seen` the position at `ply` is; -1 where it is new, and is added."""
    s = w.path[ply]
    key = combine(hash_record(s), np.uint64(ply)) if options.BOUNDED else hash_record(s)
    slot = whole(key & np.uint64(len(index) - 1))
    while index[slot] != 0:
        place = whole(index[slot] - 1)
        if same(seen[place].state, s) and (not options.BOUNDED or seen[place].ply == ply):
            return place
        slot = (slot + 1) % len(index)
    add(w, seen, ply)
    if w.fault == FINE:
        index[slot] = w.stored
    return -1


def add(w: Any, seen: Any, ply: int) -> None:
    """Write the position at `ply` down in `seen`."""
    if w.stored == len(seen):
        w.fault = FULL
        return
    seen[w.stored].state = w.path[ply]
    e = seen[w.stored]
    e.ply, e.height, e.choice = ply, -1, -1
    w.place[ply] = w.stored
    w.stored += 1


def same(a: Any, b: Any) -> bool:
    for i in range(word_count(a)):  # noqa: SIM110 - kernels are loops
        if word(a, i) != word(b, i):
            return False
    return True


def next_choice(w: Any, body: Any, memory: Any, ply: int, n: int) -> int:  # noqa: ARG001
    """The next one that is written down: the chooser of a walk that checks."""
    if w.choices == len(body):
        w.fault = NO_MORE_CHOICES
        return 0
    chosen = whole(body[w.choices])
    w.choices += 1
    if chosen >= n:
        w.fault = NO_SUCH_MOVE
        return 0
    return chosen
