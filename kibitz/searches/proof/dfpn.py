"""Depth-first proof-number search (df-pn): the nodes that best-first search would expand, in bounded memory.

A node is searched until one of its numbers reaches a limit that its parent sets: the own number may exceed that of the second best child a little (a
quarter, so that two subtrees do not take turns at every step), the other number what is left of the parent's limit for the sum. Numbers are kept in
a table; a node that was lost from it is searched again. The numbers of the path and of its children lie on the stack, so the search goes on,
and ends, whatever the table forgets.

Positions that several lines lead to share an entry, so the sums may count a leaf twice: that makes a node look harder than it is, and nothing else.
In games that can come back to a position, only bounded questions are asked (`options.BOUNDED`): there the plies left are part of the key, no line comes
back to the same key, and what is proven does not depend on how the position was reached. See kibitz/searches/proof/prove.py.

**Threads** (`options.THREADS`) search the whole tree, each by itself, and share the table. A child that another thread is searching counts as if its number
were a quarter more when the next one is chosen, so threads part where another child is nearly as good (after T. Kaneko, Parallel depth first proof number search,
2010, who puts such virtual numbers into the table). What others have found meanwhile is looked up after every large child: a node that they have settled is left at
once, and of other numbers only those are taken that have grown, so that every thread gets on by itself.

After A. Nagai, Df-pn algorithm for searching AND/OR trees (2002); the quarter is from J. Pawlewicz and L. Lew, Improving depth-first pn-search (2006).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.searches.proof import memory, numbers
from kibitz.searches.proof.numbers import MOST, NEVER, whole

SLACK = 4  # a child is searched until it exceeds the second best one by a fraction of 1/SLACK


def fields(constants: dict[str, Any]) -> dict[str, Any]:
    """The workspace: besides what all searches have, the nodes on the path, each with its children."""
    deep, widest = numbers.plies(constants), int(constants["MAX_MOVES"])
    return {
        **numbers.fields(constants),
        **memory.FIELDS,
        "count": (np.int64, deep + 1),  # children
        "at": (np.int64, deep + 1),  # the child that is being searched
        "at_or": (np.int8, deep + 1),
        "node_key": (np.uint64, deep + 1),
        "before": (np.int64, deep + 1),  # positions visited when the node was entered
        "most_own": (np.int64, deep + 1),  # limits
        "most_other": (np.int64, deep + 1),
        "own": (np.int32, (deep + 1, widest)),  # of the children, as the parent's side sees them
        "other": (np.int32, (deep + 1, widest)),
        "promise": (np.float64, widest),
        "child_key": (np.uint64, (deep + 1, widest)),  # of open children
        "heavy": (np.int8, (deep + 1, widest)),
    }


# --- kernels ---


def search(w: Any, table: Any) -> None:
    """Settle w.states[0], which is open, or come as far as the limit lets it: w.root_proof, w.root_disproof.

    Afterwards the root's children are at ply 0 with their numbers.
    """
    ply = whole(0)
    w.most_own[0], w.most_other[0] = NEVER, NEVER
    w.node_key[0] = numbers.key_of(w, ply)
    enter(w, table, ply)
    while True:
        best, own, second, other = summed_up(w, table, ply)
        if ply == 0:
            w.root_proof, w.root_disproof = numbers.turned(own, other, w.at_or[0] != 0)
        if own >= w.most_own[ply] or other >= w.most_other[ply] or w.control.nodes >= w.control.limit:
            proof, disproof = numbers.turned(own, other, w.at_or[ply] != 0)
            memory.keep(w, table, w.node_key[ply], proof, disproof, w.control.nodes - w.before[ply])
            if ply == 0:
                return
            ply -= 1
            note(w, ply, w.at[ply], proof, disproof)
            if options.THREADS:
                look_up_again(w, table, ply, w.control.nodes - w.before[ply + 1] >= memory.MANY)
        else:
            descend(w, table, ply, best, second, other)
            ply += 1
            enter(w, table, ply)


def enter(w: Any, table: Any, ply: int) -> None:
    """List the children of the node at `ply`, each with what is known of it; none after one that settles the node."""
    s = w.states[ply]
    w.before[ply] = w.control.nodes
    w.at_or[ply] = 1 if numbers.is_or(w, s) else 0
    n = game.moves(s, w.lists[ply])
    if options.ORDER:
        sort(w, ply, n)
    w.count[ply] = n
    for i in range(n):
        w.states[ply + 1] = w.states[ply]
        game.play(w.states[ply + 1], w.lists[ply, i])
        w.control.nodes += 1
        answer = numbers.settled(w, ply + 1)
        if answer >= 0:
            note(w, ply, i, NEVER * (1 - answer), NEVER * answer)
        else:
            key = numbers.key_of(w, ply + 1)
            known = memory.recall(w, table, key)
            if options.THREADS:
                w.child_key[ply, i], w.heavy[ply, i] = key, memory.is_heavy(known)
            if known != memory.NOTHING:
                note(w, ply, i, memory.proof_in(known), memory.disproof_in(known))
            else:
                proof, disproof = numbers.leaf_cost(w, ply + 1, numbers.is_or(w, w.states[ply + 1]))
                note(w, ply, i, proof, disproof)
        if w.own[ply, i] == 0:
            w.count[ply] = i + 1
            return


def note(w: Any, ply: int, child: int, proof: int, disproof: int) -> None:
    """Write down a child's numbers, as the node's side sees them."""
    w.own[ply, child], w.other[ply, child] = numbers.turned(proof, disproof, w.at_or[ply] != 0)


def summed_up(w: Any, table: Any, ply: int) -> tuple[int, int, int, int]:
    """The leftmost best child, the node's own number, the second best child's, and the node's other number.

    Best is by what a child would count while another thread is searching it.
    """
    best, least, own, second, total = 0, whole(NEVER + 1), whole(NEVER + 1), whole(NEVER + 1), whole(0)
    for i in range(w.count[ply]):
        n = whole(w.own[ply, i])
        own = min(own, n)
        if options.THREADS and n > 0 and n < NEVER and w.heavy[ply, i] != 0 and memory.is_busy(table, w.child_key[ply, i]):
            n = max(n, min(n + 1 + n // SLACK, w.most_own[ply] - 1))  # still a child that may be searched, if it was one
        if n < least:
            best, least, second = i, n, least
        elif n < second:
            second = n
        total += w.other[ply, i]
    return best, own, min(second, NEVER), NEVER if own == 0 else min(total, MOST)


def look_up_again(w: Any, table: Any, ply: int, heavy: bool) -> None:
    """A child was left: the thread has done with it; after a `heavy` one, see what others have found of the node and of its other children."""
    here = w.at[ply]
    memory.end(table, w.node_key[ply + 1])
    if not heavy:
        return
    w.heavy[ply, here] = 1
    known = memory.recall(w, table, w.node_key[ply])
    if known != memory.NOTHING and (memory.proof_in(known) == 0 or memory.disproof_in(known) == 0):
        w.count[ply] = 1
        note(w, ply, 0, memory.proof_in(known), memory.disproof_in(known))
        return
    for i in range(w.count[ply]):
        if i != here and w.own[ply, i] > 0 and w.own[ply, i] < NEVER:
            known = memory.recall(w, table, w.child_key[ply, i])
            if known != memory.NOTHING:
                own, other = numbers.turned(memory.proof_in(known), memory.disproof_in(known), w.at_or[ply] != 0)
                if own >= w.own[ply, i] or own == 0:
                    w.own[ply, i], w.other[ply, i] = own, other
                w.heavy[ply, i] = memory.is_heavy(known)


def descend(w: Any, table: Any, ply: int, best: int, second: int, other: int) -> None:
    """Make the move to a child, and set its limits."""
    w.at[ply] = best
    if options.THREADS and w.heavy[ply, best] != 0:
        memory.begin(table, w.child_key[ply, best])
    w.states[ply + 1] = w.states[ply]
    game.play(w.states[ply + 1], w.lists[ply, best])
    w.node_key[ply + 1] = numbers.key_of(w, ply + 1)
    most_own = min(w.most_own[ply], second + 1 + second // SLACK, NEVER)
    most_other = min(w.most_other[ply] - (other - w.other[ply, best]), NEVER)
    if numbers.is_or(w, w.states[ply + 1]) == (w.at_or[ply] != 0):
        w.most_own[ply + 1], w.most_other[ply + 1] = most_own, most_other
    else:
        w.most_own[ply + 1], w.most_other[ply + 1] = most_other, most_own


def sort(w: Any, ply: int, n: int) -> None:
    """The game's most promising moves first; among equals the order of the rules."""
    moves, s = w.lists[ply], w.states[ply]
    for i in range(n):
        w.promise[i] = game.order(s, moves[i])
    for i in range(1, n):
        move, promise, j = moves[i], w.promise[i], i
        while j > 0 and w.promise[j - 1] < promise:
            moves[j], w.promise[j] = moves[j - 1], w.promise[j - 1]
            j -= 1
        moves[j], w.promise[j] = move, promise
