"""What is proven: the least and the greatest utility that best play can still lead to, kept at every node and backed up.

MCTS-Solver (Winands and others 2008) with score bounds (Cazenave and Saffidine 2010), so that draws and scores are proven as wins and losses
are, for chance nodes and for any number of players. A node is proven when its bounds meet. Bounds are of utilities, one pair for player 0 where
interests are opposite, else one for each player. Of the players who are not to move, nothing is assumed about how the mover chooses among equals.

A child that cannot be better for the mover than another child certainly is, is *pruned*: its edge is never followed again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compile import game, options
from kibitz.core.rules import CHANCE
from kibitz.searches.montecarlo import chance
from kibitz.searches.montecarlo.selection import PRUNED
from kibitz.searches.montecarlo.tree import edge, first_edge, node


def low_for(n: Any, player: int) -> float:
    """The least that `player` gets."""
    if options.OPPOSITE:
        return np.float64(n.low[0]) if player == 0 else game.SUM - np.float64(n.high[0])
    return np.float64(n.low[player])


def high_for(n: Any, player: int) -> float:
    """The most that `player` gets."""
    if options.OPPOSITE:
        return np.float64(n.high[0]) if player == 0 else game.SUM - np.float64(n.low[0])
    return np.float64(n.high[player])


def low_behind(nodes: Any, x: Any, player: int) -> float:
    """The least that `player` gets behind edge `x`; nothing is known of leaves."""
    return low_for(node(nodes, x.child), player) if x.child >= 0 else game.VALUES[0]


def high_behind(nodes: Any, x: Any, player: int) -> float:
    """The most."""
    return high_for(node(nodes, x.child), player) if x.child >= 0 else game.VALUES[1]


def is_proven(n: Any) -> bool:
    """Is it known what every player gets?"""
    for p in range(n.low.shape[0]):
        if n.low[p] != n.high[p]:
            return False
    return True


def settle(n: Any, player: int, value: float) -> None:
    """The game is over here and worth this to `player`. With opposite interests player 0 is enough."""
    n.low[player], n.high[player] = value, value


def back_up(w: Any, nodes: Any, edges: Any, depth: int) -> None:
    """The bounds of the node at `depth` on the path have changed: so may those above it, up to the root."""
    for ply in range(depth - 1, -1, -1):
        if not tighten(nodes, edges, w.path[ply]):
            return


def tighten(nodes: Any, edges: Any, at: int) -> bool:
    """Bounds of a node from those of its children; have they changed?"""
    n, first = node(nodes, at), first_edge(at)
    if options.CHANCE and n.player == CHANCE:
        return tighten_chance(nodes, edges, n, first)
    low, high = game.VALUES[0], game.VALUES[0] if n.opened == n.count else game.VALUES[1]
    for e in range(first, first + n.opened):
        x = edge(edges, e)
        low, high = max(low, low_behind(nodes, x, n.player)), max(high, high_behind(nodes, x, n.player))
    if low < high:
        prune(nodes, edges, n, first, low)
    if options.OPPOSITE:
        return narrowed(n, 0, low, high) if n.player == 0 else narrowed(n, 0, game.SUM - high, game.SUM - low)
    changed = narrowed(n, n.player, low, high)
    for p in range(game.PLAYERS):
        if p != n.player and n.opened == n.count:
            changed = tighten_bystander(nodes, edges, n, first, p, low) or changed
    return changed


def prune(nodes: Any, edges: Any, n: Any, first: int, low: float) -> None:
    """Some move is certainly worth `low` to the mover, and more is possible: moves that can be worth no more need no visits, except that one."""
    for e in range(first, first + n.opened):
        x = edge(edges, e)
        if high_behind(nodes, x, n.player) <= low and (low_behind(nodes, x, n.player) < low or low == game.VALUES[0]):
            x.value = PRUNED


def tighten_bystander(nodes: Any, edges: Any, n: Any, first: int, player: int, enough: float) -> bool:
    """Bounds of a player who is not to move: the mover may make any move that could be as good as `enough`."""
    low, high = game.VALUES[1], game.VALUES[0]
    for e in range(first, first + n.opened):
        x = edge(edges, e)
        if high_behind(nodes, x, n.player) >= enough:
            low, high = min(low, low_behind(nodes, x, player)), max(high, high_behind(nodes, x, player))
    return narrowed(n, player, low, high)


def tighten_chance(nodes: Any, edges: Any, n: Any, first: int) -> bool:
    """The mean of the outcomes' bounds by their weights; an outcome that is not in play may be worth anything."""
    changed = False
    for p in range(n.low.shape[0]):
        low, high, weights = 0.0, 0.0, 0.0
        for e in range(first, first + n.count):
            x = edge(edges, e)
            weight = chance.weight_of(x)
            weights += weight
            low += weight * (low_behind(nodes, x, p) if e < first + n.opened else game.VALUES[0])
            high += weight * (high_behind(nodes, x, p) if e < first + n.opened else game.VALUES[1])
        changed = narrowed(n, p, low / weights, high / weights) or changed
    return changed


def narrowed(n: Any, p: int, low: float, high: float) -> bool:
    """Write down new bounds; do they say more than the old ones? Bounds that meet are taken as they are: means are rounded."""
    if low != high:
        low, high = max(low, np.float64(n.low[p])), min(high, np.float64(n.high[p]))
    if low == np.float64(n.low[p]) and high == np.float64(n.high[p]):
        return False
    n.low[p], n.high[p] = low, high
    return True
