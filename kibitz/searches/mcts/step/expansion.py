"""How the tree grows: a leaf becomes a node, an edge comes into play; and which edge a simulation takes from a node when not all have been tried.

With several threads, a thread changes a node's edges only while it holds the node's lock; a thread that finds it taken goes on without.
"""

from __future__ import annotations

from typing import Any

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE
from kibitz.core.records import random
from kibitz.searches.mcts.tree import cells
from kibitz.searches.mcts.tree.blocks import new_node
from kibitz.searches.mcts.tree.layout import NONE, edge, first_edge, opened_edges

# --- which edge: functions for `follow` ---


def follow_untried_first(w: Any, edges: Any, n: Any, at: int) -> int:
    """Every move once, in random order, before the rule selects among them."""
    if opened_edges(n) < n.count:
        e = open_edge(w, edges, n, at, NONE)
        if e != NONE:
            return e
    return follow_in_play(w, edges, n, at)


def follow_in_play(w: Any, edges: Any, n: Any, at: int) -> int:
    """The edge in play that the rule prefers."""
    if opened_edges(n) == 0:
        return NONE
    return options.select(w, edges, n, first_edge(at), first_edge(at) + opened_edges(n))


def follow_any(w: Any, edges: Any, n: Any, at: int) -> int:
    """For rules that know something of edges nobody has tried."""
    e = options.select(w, edges, n, first_edge(at), first_edge(at) + n.count)
    if e >= first_edge(at) + opened_edges(n):
        e = open_edge(w, edges, n, at, e)
        if e == NONE:
            return follow_in_play(w, edges, n, at)
    return e


# --- edges come into play ---


def open_edge(w: Any, edges: Any, n: Any, at: int, wanted: int) -> int:
    """Put an edge in play: `wanted`, or any where that is NONE. Returns where it lies now; NONE where another thread is at work here."""
    if options.THREADS and not cells.grab(n):
        return NONE
    place, end = first_edge(at) + opened_edges(n), first_edge(at) + n.count
    possible = place < end and (wanted == NONE or wanted >= place)  # else another thread was faster
    if possible:
        exchange(edges, place, wanted if wanted != NONE else place + random.below(w.rng, end - place))
        if not options.CHANCE or n.player != CHANCE:
            edge(edges, place).scale = options.untried_scale
        if options.THREADS:
            cells.store(n, "opened", n.opened + 1)  # after all that stands in the edge
        else:
            n.opened += 1
        if options.arrange is not None and opened_edges(n) < n.count and (not options.CHANCE or n.player != CHANCE):
            options.arrange(edges, place + 1, end)
    if options.THREADS:
        cells.release(n, "lock")
    return place if possible else NONE


def exchange(edges: Any, a: int, b: int) -> None:
    """Two edges that are not in play change places."""
    if a != b:
        cells.swap(edges, a, b, options.UNIT)


# --- leaves become nodes ---


def plant(w: Any, t: Any, nodes: Any, edges: Any) -> None:
    """Make the root."""
    w.state = w.root
    t.root = options.expand(w, t, nodes, edges, game.player(w.state))


def expand(w: Any, t: Any, nodes: Any, edges: Any, player: int) -> int:
    """A node for the position `w.state`, with its edges; NONE where there is no room. Nobody can see it yet."""
    if t.is_full == 1:
        return NONE
    return add_node(w, t, nodes, edges, player, list_edges(w, player))


def list_edges(w: Any, player: int) -> int:
    """Write the moves or outcomes of `w.state` into `w.choices`; how many."""
    return game.outcomes(w.state, w.choices, w.weights) if options.CHANCE and player == CHANCE else game.moves(w.state, w.choices)


def add_node(w: Any, t: Any, nodes: Any, edges: Any, player: int, count: int) -> int:
    """A node with the first `count` of `w.choices` as its edges; NONE where there is no room."""
    at = new_node(t, nodes, edges, count, player)
    if at != NONE:
        for i in range(count):
            e = first_edge(at) + i
            cells.clear(edges, e, options.UNIT)
            x = edge(edges, e)
            x.move, x.child = w.choices[i], NONE
            if options.WEIGHTS and player == CHANCE:
                x.weight = w.weights[i]
    return at
