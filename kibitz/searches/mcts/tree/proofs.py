"""Proofs: the least and the greatest utility that best play can still lead to, kept at every node and backed up.

MCTS-Solver (Winands and others 2008) with score bounds (Cazenave and Saffidine 2010), so that draws and scores are proven as wins and losses
are, for chance nodes and for any number of players. A node is proven when its bounds meet. Bounds are of utilities, one pair for player 0 where
interests are opposite, else one for each player. For the players not to move, nothing is assumed about how the mover chooses among equal moves.

A child that cannot be better for the mover than another child certainly is, is *pruned*: its edge is never followed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import CHANCE, CYCLE_FREE
from kibitz.searches.mcts.tree import cells
from kibitz.searches.mcts.tree.layout import PRUNED, child_of, edge, first_edge, node, opened_edges, weight_of


def node_fields(constants: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of every node: the least and the greatest utility still possible under best play."""
    of_players = (exact_kind(constants), (tracked(constants),))
    return {"low": of_players, "high": of_players}


def tracked(constants: Mapping[str, Any]) -> int:
    """For how many players bounds are kept: with opposite interests player 0's say everything."""
    players = int(constants["PLAYERS"])
    return 1 if players == 1 or (players == 2 and constants["SUM"] is not None) else players


def exact_kind(constants: Mapping[str, Any]) -> type[np.floating[Any]]:
    """A type that holds every value of the game exactly: half the size will do for whole numbers."""
    numbers = (*constants["VALUES"], constants["GRAIN"], constants["SUM"] or 0.0)
    whole = constants["GRAIN"] > 0 and all(x == int(x) and abs(x) < 2**20 for x in numbers)
    draw = (constants["SUM"] or 0.0) / constants["PLAYERS"]  # of a repetition
    whole = whole and (constants["REPETITION"] == CYCLE_FREE or float(np.float32(draw)) == draw)
    return np.float32 if whole and not constants["MAX_OUTCOMES"] else np.float64


# --- kernels ---


def start(n: Any) -> None:
    """A new node: nothing is known."""
    for p in range(n.low.shape[0]):
        n.low[p], n.high[p] = game.VALUES[0], game.VALUES[1]


def low_for(n: Any, player: int) -> float:
    """The least utility that `player` gets."""
    return as_utility(least(n, player), player)


def high_for(n: Any, player: int) -> float:
    """The greatest."""
    return as_utility(most(n, player), player)


def is_proven(n: Any) -> bool:
    """Is it known what every player gets?"""
    for p in range(n.low.shape[0]):
        if n.low[p] < n.high[p]:
            return False
    return True


def root_is_proven(n: Any) -> bool:
    """Is it known what the root is worth to its mover, or to all where chance is to move?"""
    if options.CHANCE and n.player == CHANCE:
        return is_proven(n)
    return is_known_to(n, n.player)


def is_known_to(n: Any, player: int) -> bool:
    """Is it known what `player` gets?"""
    return not least(n, player) < most(n, player)


# --- in a player's order: numbers to compare, the higher the better. SUM - x would round, and lose a difference or make one ---


def least(n: Any, player: int) -> float:
    """The least that `player` gets: a utility, or the first player's with its sign changed where interests are opposite."""
    if options.OPPOSITE:
        return np.float64(n.low[0]) if player == 0 else -np.float64(n.high[0])
    return np.float64(n.low[player])


def most(n: Any, player: int) -> float:
    """The most that `player` gets."""
    if options.OPPOSITE:
        return np.float64(n.high[0]) if player == 0 else -np.float64(n.low[0])
    return np.float64(n.high[player])


def least_behind(nodes: Any, x: Any, player: int) -> float:
    """The least that `player` gets behind edge `x`; nothing is known of leaves."""
    at = child_of(x)
    return least(node(nodes, at), player) if at >= 0 else worst(player)


def most_behind(nodes: Any, x: Any, player: int) -> float:
    """The most."""
    at = child_of(x)
    return most(node(nodes, at), player) if at >= 0 else best(player)


def worst(player: int) -> float:
    """What any utility is at least."""
    return -game.VALUES[1] if options.OPPOSITE and player == 1 else game.VALUES[0]


def best(player: int) -> float:
    """What any utility is at most."""
    return -game.VALUES[0] if options.OPPOSITE and player == 1 else game.VALUES[1]


def as_utility(number: float, player: int) -> float:
    """Out of the player's order."""
    return game.SUM + number if options.OPPOSITE and player == 1 else number


# --- backing up ---


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
    opened = opened_edges(n)
    low, high = worst(n.player), worst(n.player) if opened == n.count else best(n.player)
    for e in range(first, first + opened):
        x = edge(edges, e)
        low, high = max(low, least_behind(nodes, x, n.player)), max(high, most_behind(nodes, x, n.player))
    if low < high:
        prune(nodes, edges, n, first, opened, low)
    if options.OPPOSITE:
        return narrow(n, 0, low, high) if n.player == 0 else narrow(n, 0, -high, -low)
    changed = narrow(n, n.player, low, high)
    for p in range(game.PLAYERS):
        if p != n.player and opened == n.count:
            changed = tighten_bystander(nodes, edges, n, first, p, low) or changed
    return changed


def prune(nodes: Any, edges: Any, n: Any, first: int, opened: int, low: float) -> None:
    """Some move is certainly worth `low` to the mover, and more is possible: moves that can be worth no more need no visits, except that one."""
    for e in range(first, first + opened):
        x = edge(edges, e)
        if most_behind(nodes, x, n.player) <= low and (least_behind(nodes, x, n.player) < low or low == worst(n.player)):
            x.value = PRUNED


def tighten_bystander(nodes: Any, edges: Any, n: Any, first: int, player: int, enough: float) -> bool:
    """Bounds of a player who is not to move, all moves being in play: the mover may make any that could be as good as `enough`."""
    low, high = best(player), worst(player)
    for e in range(first, first + n.count):
        x = edge(edges, e)
        if most_behind(nodes, x, n.player) >= enough:
            low, high = min(low, least_behind(nodes, x, player)), max(high, most_behind(nodes, x, player))
    return narrow(n, player, low, high)


def tighten_chance(nodes: Any, edges: Any, n: Any, first: int) -> bool:
    """The mean of the outcomes' bounds by their weights; an outcome that is not in play may be worth anything.

    Not while another thread brings one into play: of two that change places one weight would be counted twice, the other never.
    """
    if options.THREADS and options.WEIGHTS and not cells.grab(n):
        return False
    changed = False
    for p in range(n.low.shape[0]):
        low, high, weights = 0.0, 0.0, 0.0
        for e in range(first, first + n.count):
            x = edge(edges, e)
            weight = weight_of(x)
            weights += weight
            low += weight * least_behind(nodes, x, p)
            high += weight * most_behind(nodes, x, p)
        changed = narrow(n, p, low / weights, high / weights) or changed
    if options.THREADS and options.WEIGHTS:
        cells.release(n, "lock")
    return changed


def narrow(n: Any, p: int, low: float, high: float) -> bool:
    """Write down new bounds; do they say more than the old ones? Means are rounded: bounds that meet are taken as they are.

    Several threads only ever raise the one and lower the other: what proved a node stays there to be read. Bounds that cross by rounding have met.
    """
    if options.THREADS:
        raised = cells.raise_to(n, "low", p, low)
        return cells.lower_to(n, "high", p, high) or raised
    if low != high:
        low, high = max(low, np.float64(n.low[p])), min(high, np.float64(n.high[p]))
    if low == np.float64(n.low[p]) and high == np.float64(n.high[p]):
        return False
    n.low[p], n.high[p] = low, high
    return True
