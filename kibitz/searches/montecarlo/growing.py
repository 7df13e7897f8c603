"""How the tree grows: a leaf becomes a node, an edge comes into play; and which edge a simulation follows from a node.

Whoever changes a node's edges holds its lock, where there are several threads; a thread that finds it taken goes on without.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE
from kibitz.core.records import random
from kibitz.searches.montecarlo import cells, chance, guided, selection
from kibitz.searches.montecarlo.selection import PRUNED
from kibitz.searches.montecarlo.tree import NONE, edge, first_edge, new_node, opened_edges


def edge_to_follow(w: Any, edges: Any, n: Any, at: int) -> int:
    """The edge of the node `n`, which lies at `at`, that this simulation follows, in play now; NONE to play out from here."""
    if n.count == 0:
        return NONE  # pure Monte Carlo looks no farther
    if options.CHANCE and n.player == CHANCE:
        return outcome_to_follow(w, edges, n, at)
    if options.RAVE or options.GUIDED:
        return best_of_all(w, edges, n, at)
    most: Any = min(np.int64(n.count), selection.in_play(w.widen, w.alpha, n.visits)) if options.WIDEN else np.int64(n.count)
    if opened_edges(n) < most:
        e = open_edge(w, edges, n, at, NONE)
        if e != NONE:
            return e
    return best_in_play(w, edges, n, at)


def best_in_play(w: Any, edges: Any, n: Any, at: int) -> int:
    """The edge in play that the rule prefers; one more where best play needs none of them."""
    if opened_edges(n) == 0:
        return NONE
    e = preferred(w, edges, n, first_edge(at), first_edge(at) + opened_edges(n))
    if options.SOLVE and options.WIDEN and edge(edges, e).value <= 0.5 * PRUNED and opened_edges(n) < n.count:
        another = open_edge(w, edges, n, at, NONE)
        return another if another != NONE else e
    return e


def best_of_all(w: Any, edges: Any, n: Any, at: int) -> int:
    """For rules that know something of edges nobody has tried."""
    e = preferred(w, edges, n, first_edge(at), first_edge(at) + n.count)
    if e >= first_edge(at) + opened_edges(n):
        e = open_edge(w, edges, n, at, e)
        if e == NONE:
            return best_in_play(w, edges, n, at)
    return e


def preferred(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The edge before `end` that the rule of this search prefers."""
    if options.GUIDED:
        return guided.best_edge(w, edges, n, first, end)
    return selection.best_edge(w, edges, n, first, end)


def outcome_to_follow(w: Any, edges: Any, n: Any, at: int) -> int:
    """The outcome of chance that is to happen now."""
    first = first_edge(at)
    e, end = NONE, first + n.count
    if not options.WEIGHTS and not options.SPARSE:  # all equally likely: the first round in random order, later ones in the same order
        seen = n.visits + guided.under_way(edges, n, first) if options.WAVES else n.visits
        return open_edge(w, edges, n, at, NONE) if opened_edges(n) < n.count else first + seen % n.count
    if options.SPARSE:
        most: Any = min(np.int64(n.count), selection.in_play(w.sparse, w.alpha, n.visits))
        if opened_edges(n) < most:
            e = open_edge(w, edges, n, at, chance.newly_drawn(w, edges, first + opened_edges(n), end))
        end = first + opened_edges(n)
    if e == NONE and end > first:
        e = chance.drawn(w, edges, first, end)
        if e >= first + opened_edges(n):
            e = open_edge(w, edges, n, at, e)
    if e != NONE:
        edge(edges, e).scale = np.float64(edge(edges, e).scale) - 1.0
    return e


def open_edge(w: Any, edges: Any, n: Any, at: int, wanted: int) -> int:
    """Put an edge in play: `wanted`, or any where that is NONE. Returns where it lies now; NONE where another thread is at work here."""
    if options.THREADS and not cells.grab(n):
        return NONE
    place, end = first_edge(at) + opened_edges(n), first_edge(at) + n.count
    possible = place < end and (wanted == NONE or wanted >= place)  # else another thread was faster
    if possible:
        exchange(edges, place, wanted if wanted != NONE else place + random.below(w.rng, end - place))
        x = edge(edges, place)
        x.child, x.value = NONE, 0.0
        if not options.CHANCE or n.player != CHANCE:
            x.scale = 0.0 if options.GUIDED else 1.0
        if options.GUIDED:
            x.waiting = 0.0
        if options.THREADS:
            cells.store(n, "opened", n.opened + 1)  # after all that stands in the edge
        else:
            n.opened += 1
        if options.GUIDED and opened_edges(n) < n.count and (not options.CHANCE or n.player != CHANCE):
            likeliest_first(edges, place + 1, end)
    if options.THREADS:
        cells.release(n, "lock")
    return place if possible else NONE


def exchange(edges: Any, a: int, b: int) -> None:
    """Two edges that are not in play change places."""
    if a == b:
        return
    one, other = edge(edges, a), edge(edges, b)
    one.move, other.move = other.move, one.move
    if options.CHANCE:
        one.scale, other.scale = other.scale, one.scale
    if options.WEIGHTS:
        one.weight, other.weight = other.weight, one.weight
    if options.RAVE:
        one.rave, other.rave = other.rave, one.rave
        one.rave_visits, other.rave_visits = other.rave_visits, one.rave_visits
    if options.GUIDED:
        one.prior, other.prior = other.prior, one.prior


def likeliest_first(edges: Any, first: int, end: int) -> None:
    """Of the edges not in play, the one that the policy likes best comes first; so nobody has to look at the others."""
    exchange(edges, first, guided.likeliest(edges, first, end))


# --- leaves become nodes ---


def grown(w: Any, t: Any, nodes: Any, edges: Any, player: int) -> int:
    """A node for the position `w.state`, with its edges; NONE where there is no room. Nobody can see it yet."""
    if t.is_full == 1:
        return NONE
    is_chance = options.CHANCE and player == CHANCE
    count = 0
    if not options.EVEN or t.root == NONE:  # pure Monte Carlo looks one move ahead only
        count = game.outcomes(w.state, w.choices, w.weights) if is_chance else game.moves(w.state, w.choices)
    at = new_node(t, nodes, edges, count, player)
    if at != NONE:
        for i in range(count):
            x = edge(edges, first_edge(at) + i)
            x.move, x.child, x.value, x.scale = w.choices[i], NONE, 0.0, 0.0
            if options.WEIGHTS:
                x.weight = w.weights[i] if is_chance else 0.0
            if options.RAVE:
                x.rave, x.rave_visits = 0.0, 0.0
            if options.SHARED:
                x.times = 0
            if options.GUIDED:
                x.prior, x.waiting = 0.0, 0.0
        if options.GUIDED and not is_chance and count > 0:
            guided.ask_policy(w, edges, first_edge(at), count)
            likeliest_first(edges, first_edge(at), first_edge(at) + count)
    return at
