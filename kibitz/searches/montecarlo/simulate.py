"""One simulation after another: select a leaf, expand, play out, back up.

    select     from the root along the edges that the rule prefers
    expand     an edge not tried yet, drawn at random, comes into play; a leaf visited again becomes a node, with edges of its own
    simulate   a playout from the new leaf
    back up    the reward of each position's owner, from the leaf to the root

Works for any number of players, for players who move several times in a row, and for chance. The owner is whoever moved into the position.

**Several threads** work on one tree, each with a workspace of its own. A thread counts its visit on the way down and adds the reward on the way up: until
then the visit counts as a loss (virtual loss), which sends other threads elsewhere. Visits and rewards are summed atomically, none is lost. A node's edges
are changed by whoever grabs its lock; a thread that finds it taken does not wait but goes on with the edges in play, or plays out from there. A new
node is complete before its place is written where others can see it. The other races are harmless: an edge's `value` and `scale` are computed anew
with every visit and may be a visit old; `square`, draws left and RAVE's means may lose a summand. Bounds are computed from bounds that were true and only
ever narrow, by an atomic step: two threads that prove siblings may miss each other, until the next visit, but what a proof rests on stays to be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE, FORBIDDEN, LOSS, OVER
from kibitz.core.records.random import Rng
from kibitz.core.records.record import record
from kibitz.core.running.control import Control
from kibitz.searches import node as repetition
from kibitz.searches.montecarlo import backing, bounds, cells, guided, playing, rave, transpositions
from kibitz.searches.montecarlo.growing import edge_to_follow, grown
from kibitz.searches.montecarlo.tree import NONE, REPEATED, edge, new_node, node, widest

DEEPEST = 1024  # plies of the tree; playouts go on from there


def workspace(constants: Mapping[str, Any], with_rave: bool, is_guided: bool = False) -> np.dtype[Any]:
    """What one thread writes: the position it is in, its path, its generator."""
    deep, wide = plies(constants), widest(constants)
    fields: dict[str, Any] = {
        "control": Control,  # nodes: positions visited
        "playouts": np.int64,
        "most_playouts": np.int64,
        "deepest": np.int64,
        "explore": np.float64,
        "expand": np.int64,
        "epsilon": np.float64,
        "cutoff": np.int64,
        "rave": np.float64,
        "widen": np.float64,
        "sparse": np.float64,
        "alpha": np.float64,
        "rng": Rng,
        "root": constants["State"],
        "state": constants["State"],
        "trial": constants["State"],
        "choices": (constants["MOVE"], wide),
        "weights": (np.float64, wide),
        "result": (np.float64, constants["PLAYERS"]),  # rewards
        "path": (np.int64, deep + 1),  # nodes; NONE where there is a leaf
        "steps": (np.int64, deep + 1),  # edges; steps[i] leads to path[i]
        "owners": (np.int64, deep + 1),
        "keys": (np.uint64, past_room(constants) + deep + 2),  # see searches/node.py
        "since": (np.int64, deep + 2),
        "past": np.int64,
    }
    if with_rave:
        fields |= rave.fields(deep + int(constants["MAX_PLIES"]) + 1)
    if is_guided:
        fields |= guided.fields(wide)
    return record(**fields)


def plies(constants: Mapping[str, Any]) -> int:
    return min(int(constants["MAX_PLIES"]), DEEPEST)


def past_room(constants: Mapping[str, Any]) -> int:
    """How many positions before the root are looked at for repetitions: a whole game's, as a rule."""
    return max(512, int(constants["MAX_PLIES"]))


# --- kernels ---


def simulate(w: Any, t: Any, nodes: Any, edges: Any) -> int:
    """Simulations until a limit is met or the root is proven; returns how many."""
    before = w.playouts
    if t.root == NONE:
        w.state = w.root
        t.root = grown(w, t, nodes, edges, game.player(w.state))
        if options.GUIDED and node(nodes, t.root).player != CHANCE:
            look_at_root(w, node(nodes, t.root))
    while w.playouts < w.most_playouts and w.control.nodes < w.control.limit:
        if options.SOLVE and root_is_proven(node(nodes, t.root)):
            break
        depth = descend(w, t, nodes, edges)
        if options.GUIDED and w.fault != guided.FINE:
            break  # nothing of this simulation is written down
        backing.back_up(w, nodes, edges, depth)
        w.playouts += 1
    return w.playouts - before


def root_is_proven(n: Any) -> bool:
    """Is it known what the root is worth to its mover, or to all where chance is to move?"""
    if options.CHANCE and n.player == CHANCE:
        return bounds.is_proven(n)
    return bounds.is_known_to(n, n.player)


def descend(w: Any, t: Any, nodes: Any, edges: Any) -> int:
    """From the root to a leaf and on to the end; the rewards are in `w.result`. Returns how deep in the tree the leaf is."""
    w.state = w.root
    depth, at = 0, t.root
    w.path[0], w.owners[0] = at, 0
    while at != NONE:
        n = node(nodes, at)
        if options.RAVE:
            w.moves_made = depth
        if options.THREADS:
            backing.count_visit(w, nodes, edges, n, depth)
        if options.SHARED:
            transpositions.refresh(w, nodes, edges, n, at, depth)
        if options.SOLVE and depth > 0 and bounds.is_proven(n):
            as_proven(w, nodes, edges, n, depth)
            break
        e = edge_to_follow(w, edges, n, at)
        if e == NONE:
            play_out(w, depth)
            break
        depth += 1
        step(w, n.player, depth, e, edge(edges, e).move)
        at = edge(edges, e).child
        w.path[depth] = at
        if at < 0:
            at = visit_leaf(w, t, nodes, edges, n, e, depth)
    return depth


def step(w: Any, mover: int, depth: int, e: int, move: int) -> None:
    """Make the move of edge `e`."""
    w.control.nodes += 1
    w.steps[depth] = e
    w.owners[depth] = w.owners[depth - 1] if options.CHANCE and mover == CHANCE else mover
    if options.RAVE:
        rave.write_down(w, depth - 1, mover, move)
    if options.REPEATS:
        here = w.past + depth
        w.since[depth] = here if game.irreversible(w.state, move) else w.since[depth - 1]
        game.play(w.state, move)
        w.keys[here] = game.situation(w.state)
    else:
        game.play(w.state, move)


def visit_leaf(w: Any, t: Any, nodes: Any, edges: Any, parent: Any, e: int, depth: int) -> int:
    """A node to go on from, where the leaf behind edge `e` has been visited before; else NONE, and the simulation has come to its end."""
    w.path[depth] = NONE
    x = edge(edges, e)
    if options.THREADS and not backing.count_leaf_visit(parent, x):
        w.path[depth] = x.child  # another thread has made it a node
        return x.child
    if options.RAVE:
        w.moves_made = depth
    player = player_here(w, depth)
    if player in (OVER, REPEATED):
        finished(w, player, parent.player)
        if options.SOLVE:
            conclude(w, t, nodes, edges, parent, x, player, depth)
        return NONE
    visits = -1 - x.child - (1 if options.THREADS else 0)  # before this one
    if (options.SHARED or visits >= w.expand) and depth + 1 < w.path.shape[0]:
        if options.SHARED:
            at = transpositions.join(w, t, nodes, edges, parent, x, player, depth, visits >= w.expand)
        else:
            at = become_node(w, t, nodes, edges, parent, x, player)
        if at != NONE:
            w.path[depth] = at
            return at
    play_out(w, depth)
    return NONE


def become_node(w: Any, t: Any, nodes: Any, edges: Any, parent: Any, x: Any, player: int) -> int:
    """Make a leaf a node that knows what the leaf knew; NONE where there is no room or another thread is at work."""
    if options.THREADS and not cells.grab(parent):
        return NONE
    at = NONE
    if x.child < 0:
        at = grown(w, t, nodes, edges, player)
        if at != NONE:
            backing.take_over(node(nodes, at), x, at, 1 if options.THREADS else 0)
    if options.THREADS:
        cells.release(parent, "lock")
    return at


def player_here(w: Any, depth: int) -> int:
    player = game.player(w.state)
    if options.REPEATS and player != OVER and repetition.first_of_repetition(w, depth) < repetition.NEVER:
        return REPEATED
    return player


# --- the end of a simulation ---


def look_at_root(w: Any, n: Any) -> None:
    """A guided search counts the root's own evaluation as its first visit, as it does at every other node."""
    play_out(w, 0)
    n.visits, n.total, n.square = 1, w.result[0], w.result[0] * w.result[0]


def play_out(w: Any, depth: int) -> None:
    if options.STATIC:
        guided.look(w, w.state)
        return
    made = playing.playout(w, w.state, depth)
    w.control.nodes += made
    if options.RAVE:
        w.moves_made = depth + made
    playing.reward(w, w.state)


def finished(w: Any, player: int, last: int) -> None:
    """Rewards of a game that is over after a move of player `last`, or of CHANCE."""
    if options.REPEATS and player == REPEATED:
        for p in range(game.PLAYERS):
            w.result[p] = playing.as_reward(utility(w, player, last, p))
    else:
        playing.reward(w, w.state)


def utility(w: Any, player: int, last: int, p: int) -> float:
    """What a finished game is worth to player `p`; a repeated position may be lost for whoever repeated it, unless chance did."""
    if options.REPEATS and player == REPEATED:
        if (game.REPETITION == LOSS and last >= 0) or game.REPETITION == FORBIDDEN:
            if options.HAS_SUM and game.PLAYERS == 2:
                least = max(game.VALUES[0], game.SUM - game.VALUES[1])
                return least if p == last else game.SUM - least
            return game.VALUES[0] if p == last else game.VALUES[1]
        return game.SUM / game.PLAYERS if options.HAS_SUM else 0.0
    return np.float64(game.utility(w.state, p))


def conclude(w: Any, t: Any, nodes: Any, edges: Any, parent: Any, x: Any, player: int, depth: int) -> None:
    """The game is over: a node without edges says what it is worth, and what that proves is backed up."""
    if options.THREADS and not cells.grab(parent):
        return
    at = new_node(t, nodes, edges, 0, player) if x.child < 0 else NONE
    if at != NONE:
        n = node(nodes, at)
        for p in range(n.low.shape[0]):
            bounds.settle(n, p, utility(w, player, parent.player, p))
        backing.take_over(n, x, at, 0)
        w.path[depth] = at
    if options.THREADS:
        cells.release(parent, "lock")
    if at != NONE:
        bounds.back_up(w, nodes, edges, depth)


def as_proven(w: Any, nodes: Any, edges: Any, n: Any, depth: int) -> None:
    """Nothing to find out: the rewards are known."""
    for p in range(game.PLAYERS):
        w.result[p] = playing.as_reward(bounds.low_for(n, p))
    if options.THREADS:
        bounds.back_up(w, nodes, edges, depth)  # two threads that proved siblings may have missed each other
