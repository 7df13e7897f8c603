"""One simulation after another: select a leaf, expand, play out, back up.

    select     from the root along the edges that the rule prefers
    expand     an edge not tried yet, drawn at random, comes into play; a leaf visited again becomes a node, with edges of its own
    simulate   a playout from the new leaf
    back up    the reward of each position's owner, from the leaf to the root

Each of these is a function that the search passes in: see Rules in plan.py. Works for any number of players, for players who move several times in a
row, and for chance. The owner of a position is the player who moved there. The short names are listed in tree/layout.py.

**Several threads** work on one tree, each with a workspace of its own. A thread counts its visit on the way down and adds the reward on the way up: until
then the visit counts as a loss (virtual loss), which sends other threads elsewhere. Visits and rewards are summed atomically, none is lost. A node's edges
are changed by whoever grabs its lock; a thread that finds it taken does not wait but goes on with the edges in play, or plays out from there. A new
node is complete before its place is written where others can see it. The other races are harmless: an edge's `value` and `scale` are computed anew
with every visit and may be a visit old; `square`, draws left and the means that RAVE and UCB1-Tuned keep may lose a summand. Bounds are computed from
bounds that were true and only ever narrow, by an atomic step: two threads that prove siblings may miss each other, until the next visit, but what a
proof rests on stays to be read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.searches.mcts.leaf import playout
from kibitz.searches.mcts.step import backup, transpositions
from kibitz.searches.mcts.step.workspace import FINE
from kibitz.searches.mcts.tree import cells, for_gpus, proofs
from kibitz.searches.mcts.tree.blocks import new_node
from kibitz.searches.mcts.tree.layout import NONE, REPEATED, child_of, edge, first_edge, node
from kibitz.searches.window import node as repetition
from kibitz.tables.endgame import lookup
from kibitz.tables.endgame.lookup import EQUITIES, RESULTS
from kibitz.tables.endgame.probing import LEAST_VALUE

FINISHED = -2  # in place of a node: the simulation has come to its end, and the rewards are known


def simulate(w: Any, t: Any, nodes: Any, edges: Any) -> int:
    """Simulations until a limit is met or the root is proven; returns how many."""
    before = w.playouts
    if t.root == NONE:
        options.plant(w, t, nodes, edges)
    while w.playouts < w.most_playouts and w.control.nodes < w.control.limit:
        if options.SOLVE and proofs.root_is_proven(node(nodes, t.root)):
            break
        depth = descend(w, t, nodes, edges)
        if w.fault != FINE:
            break  # nothing of this simulation is written down
        options.back_up(w, nodes, edges, depth)
        w.playouts += 1
    return w.playouts - before


def descend(w: Any, t: Any, nodes: Any, edges: Any) -> int:
    """From the root to a leaf and on to the end; the rewards are in `w.result`. Returns how deep in the tree the leaf is.

    First down the tree, then what is to be done at a leaf, then the playout, each in a place of its own: threads of a GPU that are at the same place go on together.
    """
    w.state = w.root
    depth, at = 0, t.root
    w.path[0], w.owners[0] = at, 0
    while at >= 0:
        leaf = NONE  # the edge that leads there
        while at >= 0:
            n = node(nodes, at)
            if options.FETCH:
                for_gpus.fetch(edges, first_edge(at), n.opened, options.UNIT)
            if options.THREADS:
                backup.count_visit(w, nodes, edges, n, depth)
            if options.TRANSPOSITIONS:
                transpositions.refresh(w, nodes, edges, n, at, depth)
            if options.SOLVE and depth > 0 and proofs.is_proven(n):
                take_proven(w, nodes, edges, n, depth)
                at = FINISHED
                break
            e = follow(w, edges, n, at)
            if e == NONE:
                at = NONE
                break
            depth += 1
            step(w, n.player, depth, e, edge(edges, e).move)
            at = child_of(edge(edges, e))
            w.path[depth] = at
            leaf = e if at < 0 else NONE
        if leaf != NONE:
            at = visit_leaf(w, t, nodes, edges, node(nodes, w.path[depth - 1]), leaf, depth)
    if at == NONE:
        options.leaf_value(w, depth)
    return depth


def follow(w: Any, edges: Any, n: Any, at: int) -> int:
    """The edge of the node `n`, which lies at `at`, that this simulation follows, in play now; NONE to stop here."""
    if n.count == 0:
        return NONE  # pure Monte Carlo looks no farther
    if options.CHANCE and n.player == CHANCE:
        return options.draw_outcome(w, edges, n, at)
    return options.follow(w, edges, n, at)


def step(w: Any, mover: int, depth: int, e: int, move: int) -> None:
    """Make the move of edge `e`."""
    w.control.nodes += 1
    w.steps[depth] = e
    w.owners[depth] = w.owners[depth - 1] if options.CHANCE and mover == CHANCE else mover
    if options.REPEATS:
        here = w.past + depth
        w.since[depth] = here if game.irreversible(w.state, move) else w.since[depth - 1]
        game.play(w.state, move)
        w.keys[here] = game.situation(w.state)
    else:
        game.play(w.state, move)


def visit_leaf(w: Any, t: Any, nodes: Any, edges: Any, parent: Any, e: int, depth: int) -> int:
    """A node to go on from, where the leaf behind edge `e` has been visited before; NONE where a playout is to tell what the leaf is worth; FINISHED where that is known."""
    w.path[depth] = NONE
    x = edge(edges, e)
    if options.THREADS and not backup.count_leaf_visit(parent, x):
        w.path[depth] = child_of(x)  # another thread has made it a node
        return child_of(x)
    player = player_here(w, depth)
    if player in (OVER, REPEATED):
        finish(w, player, parent.player)
        if options.SOLVE:
            conclude(w, t, nodes, edges, x, player, depth, np.nan)
        return FINISHED
    if options.ENDINGS and take_from_tables(w, t, nodes, edges, x, player, depth):
        return FINISHED
    visits = -1 - x.child - (1 if options.THREADS else 0)  # before this one
    if (options.TRANSPOSITIONS or visits >= w.expand) and depth + 1 < w.path.shape[0]:
        if options.TRANSPOSITIONS:
            at = transpositions.join(w, t, nodes, edges, x, player, depth)
        else:
            at = become_node(w, t, nodes, edges, parent, x, player)
        if at != NONE:
            w.path[depth] = at
            return at
    return NONE


def become_node(w: Any, t: Any, nodes: Any, edges: Any, parent: Any, x: Any, player: int) -> int:
    """Make a leaf a node that knows what the leaf knew; NONE where there is no room or another thread is at work."""
    if options.THREADS and not cells.grab(parent):
        return NONE
    at = NONE
    if child_of(x) < 0:
        at = options.expand(w, t, nodes, edges, player)
        if at != NONE:
            backup.take_over(node(nodes, at), x, at, 1 if options.THREADS else 0)
    if options.THREADS:
        cells.release(parent, "lock")
    return at


def player_here(w: Any, depth: int) -> int:
    player = game.player(w.state)
    if options.REPEATS and player != OVER and repetition.first_of_repetition(w, depth) < repetition.NEVER:
        return REPEATED
    return player


# --- the end of a simulation ---


def finish(w: Any, player: int, last: int) -> None:
    """Rewards of a game that is over after a move of player `last`, or of CHANCE."""
    if options.REPEATS and player == REPEATED:
        for p in range(game.PLAYERS):
            w.result[p] = options.as_reward(utility(w, player, last, p))
    else:
        playout.reward(w, w.state)


def utility(w: Any, player: int, last: int, p: int) -> float:
    """What a finished game is worth to player `p`; a repeated position may be lost for whoever repeated it, unless chance did."""
    if options.REPEATS and player == REPEATED:
        if options.FORBIDS or (options.LOSES and last >= 0):
            if options.OPPOSITE:
                least = max(game.VALUES[0], game.SUM - game.VALUES[1])
                return least if p == last else game.SUM - least
            return game.VALUES[0] if p == last else game.VALUES[1]
        return options.DRAW
    return np.float64(game.utility(w.state, p))


def take_from_tables(w: Any, t: Any, nodes: Any, edges: Any, x: Any, player: int, depth: int) -> bool:
    """Do endgame tables know the position? Then the rewards are known, and proven, unless something on the way to a win might come up again."""
    known, sure = np.nan, True
    if options.ENDINGS == RESULTS:
        found = lookup.result(w.endings, w.state)
        if found > LEAST_VALUE:
            known = lookup.utility_for(found, player)
            sure = not options.REPEATS or found == 0 or w.since[depth] == w.past + depth
    if options.ENDINGS == EQUITIES:
        known = lookup.equity(w.endings, w.state)
    if np.isnan(known):
        return False
    for p in range(game.PLAYERS):
        w.result[p] = options.as_reward(known if p == 0 else game.SUM - known)
    if options.SOLVE and sure:
        conclude(w, t, nodes, edges, x, player, depth, known)
    return True


def conclude(w: Any, t: Any, nodes: Any, edges: Any, x: Any, player: int, depth: int, known: float) -> None:
    """The game is over, or the first player's utility is `known`: a node without edges says what it is worth, and what that proves is backed up."""
    parent = node(nodes, w.path[depth - 1])
    if options.THREADS and not cells.grab(parent):
        return
    at = new_node(t, nodes, edges, 0, player) if child_of(x) < 0 else NONE
    if at != NONE:
        n = node(nodes, at)
        for p in range(n.low.shape[0]):
            proofs.settle(n, p, utility(w, player, parent.player, p) if np.isnan(known) else known)
        backup.take_over(n, x, at, 0)
        w.path[depth] = at
    if options.THREADS:
        cells.release(parent, "lock")
    if at != NONE:
        proofs.back_up(w, nodes, edges, depth)


def take_proven(w: Any, nodes: Any, edges: Any, n: Any, depth: int) -> None:
    """Nothing to find out: the rewards are known."""
    for p in range(game.PLAYERS):
        w.result[p] = options.as_reward(proofs.low_for(n, p))
    if options.THREADS:
        proofs.back_up(w, nodes, edges, depth)  # two threads that proved siblings may have missed each other
