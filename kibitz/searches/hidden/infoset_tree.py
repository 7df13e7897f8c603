"""The tree of information set Monte Carlo tree search: kernels, and the records of its memory.

A node is what somebody knows where a player is to move. It is found by its key in a table, from any position that looks like that: a move leads to as many nodes as there are things to be
known after it, so edges hold no children. A node's edges are the moves that were legal there in some position; they form a list, which grows when a position
brings a new one. `available` counts how often a move could have been made: a move that is rarely legal must not look neglected (Cowling, Powley and Whitehouse 2012).

One simulation: draw a position from the belief, follow edges by upper confidence bounds until a move is tried for the first time, play on at random, and credit every edge on the way with
what its player got. It makes one node at most. When memory is used up no nodes are made any more, and simulations go on.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.hidden.informed import learn
from kibitz.core.measuring.random_games import outcome
from kibitz.core.protocol.rules import CHANCE, NO_MOVE, OVER
from kibitz.core.records.hashing import combine
from kibitz.core.records.random import Rng, below, unit
from kibitz.core.records.record import record
from kibitz.core.running.control import Control
from kibitz.searches.mcts.leaf.playout import reward

NONE = -1

Trunk = record(nodes=np.int64, edges=np.int64)  # that are in use
Node = record(key=np.uint64, visits=np.int64, first=np.int64)  # `first` of its edges
Edge = record(
    move=np.int64, following=np.int64, visits=np.int64, available=np.int64, total=np.float64, square=np.float64
)  # `total` of rewards, of whoever makes the move


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """What a simulation needs."""
    widest, deep = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"]), constants["MAX_PLIES"] + 1
    return record(
        control=Control,  # its nodes are the positions visited
        playouts=np.int64,
        most_playouts=np.int64,
        deepest=np.int64,
        observer=np.int64,
        explore=np.float64,
        epsilon=np.float64,  # of playouts
        cutoff=np.int64,
        rng=Rng,
        state=constants["State"],
        before=constants["State"],
        trial=constants["State"],
        knowledge=(np.uint64, constants["PLAYERS"]),
        legal=(constants["MOVE"], constants["MAX_MOVES"]),
        found=(np.int64, constants["MAX_MOVES"]),  # the edge of each legal move, or NONE
        choices=(constants["MOVE"], widest),
        weights=(np.float64, widest),
        result=(np.float64, constants["PLAYERS"]),
        steps=(np.int64, deep),  # edges of the simulation
        owners=(np.int64, deep),
    )


# --- kernels ---


def simulate(w: Any, t: Any, nodes: Any, edges: Any, table: Any, states: Any, knowledge: Any, heap: Any) -> int:
    """Simulations until a limit is met; how many. `heap` are the positions' weights, added up from the first on."""
    before = w.playouts
    while w.playouts < w.most_playouts and w.control.nodes < w.control.limit:
        place = draw_place(heap, w.rng)
        w.state = states[place]
        for p in range(game.PLAYERS):
            w.knowledge[p] = knowledge[place, p]
        depth = descend(w, t, nodes, edges, table)
        w.control.nodes += options.playout(w, w.state, depth)
        reward(w, w.state)
        for i in range(depth):
            e = w.steps[i]
            value = w.result[w.owners[i]]
            edges[e].visits += 1
            edges[e].total += value
            edges[e].square += value * value
        w.deepest = max(w.deepest, depth)
        w.playouts += 1
    return w.playouts - before


def draw_place(heap: Any, rng: Any) -> int:
    """A position by its weight."""
    wanted = unit(rng) * heap[heap.shape[0] - 1]
    low, high = 0, heap.shape[0] - 1
    while low < high:
        middle = (low + high) // 2
        if wanted < heap[middle]:
            high = middle
        else:
            low = middle + 1
    return low


def descend(w: Any, t: Any, nodes: Any, edges: Any, table: Any) -> int:
    """From the position drawn to where the tree ends: `w.state`; how many edges were followed."""
    depth = 0
    while True:
        mover = game.player(w.state)
        if mover == OVER or depth >= w.steps.shape[0]:
            return depth
        if mover == CHANCE:
            n = game.outcomes(w.state, w.choices, w.weights)
            step(w, mover, w.choices[outcome(w.weights, n, w.rng)])
            continue
        at = find_node(t, nodes, table, combine(w.knowledge[w.observer if options.SINGLE else mover], np.uint64(mover)))
        if at == NONE:
            return depth
        chosen = choose(w, t, nodes, edges, at)
        if chosen == NONE:
            return depth
        is_new = edges[chosen].visits == 0
        w.steps[depth], w.owners[depth] = chosen, mover
        depth += 1
        step(w, mover, edges[chosen].move)
        if is_new:
            return depth


def step(w: Any, mover: int, move: int) -> None:
    """Make a move, and tell everybody whose knowledge counts."""
    w.before = w.state
    game.play(w.state, move)
    w.control.nodes += 1
    for p in range(game.PLAYERS):
        if not options.SINGLE or p == w.observer:
            w.knowledge[p] = learn(w.knowledge[p], move if p == mover else NO_MOVE, game.percept(w.before, move, w.state, p))


def find_node(t: Any, nodes: Any, table: Any, key: Any) -> int:
    """The node with this key, made where there is none; NONE where there is no room."""
    mask = table.shape[0] - 1
    slot = np.int64(key & np.uint64(0x7FFFFFFFFFFFFFFF)) & mask
    while table[slot] != NONE:
        if nodes[table[slot]].key == key:
            return table[slot]
        slot = (slot + 1) & mask
    if t.nodes == nodes.shape[0]:
        return NONE
    at = t.nodes
    table[slot] = at
    nodes[at].key, nodes[at].visits, nodes[at].first = key, 0, NONE
    t.nodes += 1
    return at


def choose(w: Any, t: Any, nodes: Any, edges: Any, at: int) -> int:
    """The edge to follow: any of the moves never tried, else the highest upper confidence bound, the first among equals; NONE where there is no room for a new one."""
    n = game.moves(w.state, w.legal)
    untried = look_up(w, nodes, edges, at, n)
    nodes[at].visits += 1
    for i in range(n):
        if w.found[i] != NONE:
            edges[w.found[i]].available += 1
    if untried > 0:
        return try_one(w, t, nodes, edges, at, n, below(w.rng, untried))
    best, highest = NONE, -np.inf
    for i in range(n):
        e = w.found[i]
        visits = np.float64(edges[e].visits)
        bound = edges[e].total / visits + w.explore * math.sqrt(math.log(np.float64(edges[e].available)) / visits)
        if bound > highest:
            best, highest = e, bound
    return best


def look_up(w: Any, nodes: Any, edges: Any, at: int, n: int) -> int:
    """Find the edges of all legal moves; how many were never tried."""
    untried = 0
    for i in range(n):
        e = nodes[at].first
        while e != NONE and edges[e].move != w.legal[i]:
            e = edges[e].following
        w.found[i] = e
        if e == NONE or edges[e].visits == 0:
            untried += 1
    return untried


def try_one(w: Any, t: Any, nodes: Any, edges: Any, at: int, n: int, number: int) -> int:
    """The edge of that many'th move that was never tried, made where there is none."""
    for i in range(n):
        e = w.found[i]
        if e == NONE or edges[e].visits == 0:
            if number == 0:
                return e if e != NONE else new_edge(t, nodes, edges, at, w.legal[i])
            number -= 1
    return NONE


def new_edge(t: Any, nodes: Any, edges: Any, at: int, move: int) -> int:
    if t.edges == edges.shape[0]:
        return NONE
    e = t.edges
    edges[e].move, edges[e].following, edges[e].visits, edges[e].available = move, nodes[at].first, 0, 1
    edges[e].total, edges[e].square = 0.0, 0.0
    nodes[at].first = e
    t.edges += 1
    return e
