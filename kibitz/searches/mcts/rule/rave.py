"""RAVE: the value of a move when it was made at any later time of a simulation, not just here (Gelly and Silver 2011, sections 4 and 5.3).

A simulation's moves are recorded, in the tree and in the playout. Afterwards every edge of the path's nodes whose move the same player made there or
later learns the result. The rule looks at all moves, because one that was never tried here may have been played later in other simulations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.measuring.random_games import outcome
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records.bits import popcount
from kibitz.core.records.hashing import STEP
from kibitz.core.records.record import record
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.leaf.playout import most_moves
from kibitz.searches.mcts.rule.ucb1 import root_log
from kibitz.searches.mcts.step import backup, expansion
from kibitz.searches.mcts.step.workspace import plies
from kibitz.searches.mcts.tree.layout import PRUNED, as_word, edge, first_edge, node, opened_edges

URGENT = 1.0  # of a move of which nothing is known: as good as a win

Seen = record(move=np.int64, simulation=np.int64, ply=np.int32, by=np.int32)


def fields(constants: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of the workspace: the moves of a simulation in order, and a table of when each was made last."""
    longest = plies(constants) + int(constants["MAX_PLIES"]) + 1
    bits = max(4, int(2 * longest - 1).bit_length())
    return {
        "played": (np.int64, longest),
        "by": (np.int8, longest),
        "played_out": np.int64,  # plies of the playout
        "moves_made": np.int64,
        "seen": (Seen, 1 << bits),
        "simulation": np.int64,
    }


# --- the rule ---


def select(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The edge, in play or not, with the highest bound around the mean and the all-moves-as-first mean, mixed.

    The latter counts sqrt(k / (3 N + k)) after N visits. An edge nobody has tried explores as if tried once.
    """
    reach = w.explore * root_log(n.visits)
    best, highest = first, -np.inf
    for e in range(first, end):
        x = edge(edges, e)
        in_play = e < first + opened_edges(n)
        if in_play and x.value <= 0.5 * PRUNED:
            bound = PRUNED
        else:
            beta = share(w.rave, np.float64(x.scale)) if in_play else 1.0
            known = np.float64(x.rave) if x.rave_visits > 0.0 else URGENT
            bound = beta * known + reach * (np.float64(x.scale) if in_play else 1.0)
            if in_play:
                bound += (1.0 - beta) * np.float64(x.value)
        if bound > highest:
            best, highest = e, bound
    return best


def share(k: float, scale: float) -> float:
    """How much they count beside the visits of the move itself: sqrt(k / (3 N + k)), N being 1 / scale^2."""
    ours = k * scale * scale
    return math.sqrt(ours / (3.0 + ours))


# --- moves of a simulation ---


def play_and_note(w: Any, s: Any, ply: int) -> int:
    """A playout whose moves are written down from `ply` on."""
    most, made = most_moves(w), 0
    while made < most:
        mover = game.player(s)
        if mover == OVER:
            break
        if mover == CHANCE:
            n = game.outcomes(s, w.choices, w.weights)
            write_down(w, ply + made, mover, 0)
            game.play(s, w.choices[outcome(w.weights, n, w.rng)])
        else:
            move = options.playout_move(w, s, mover)
            write_down(w, ply + made, mover, move)
            game.play(s, move)
        made += 1
    w.played_out = made
    return made


def write_down(w: Any, ply: int, mover: int, move: int) -> None:
    """Record a move and the player who made it."""
    w.played[ply], w.by[ply] = move, mover


def back_up(w: Any, nodes: Any, edges: Any, depth: int) -> None:
    """The rewards, and what the moves of the simulation came to."""
    backup.back_up(w, nodes, edges, depth)
    for ply in range(depth):
        write_down(w, ply, node(nodes, w.path[ply]).player, edge(edges, w.steps[ply + 1]).move)
    w.moves_made = depth + w.played_out
    w.played_out = 0
    learn(w, nodes, edges, depth)


def learn(w: Any, nodes: Any, edges: Any, depth: int) -> None:
    """Tell the edges of the nodes on the path what the simulation came to."""
    w.simulation += 1
    for ply in range(w.moves_made):
        if w.by[ply] >= 0:
            note(w, w.played[ply], w.by[ply], ply)
    for ply in range(depth):
        n, first = node(nodes, w.path[ply]), first_edge(w.path[ply])
        if n.player >= 0:
            gained = w.result[n.player]
            for e in range(first, first + n.count):
                x = edge(edges, e)
                if when_last(w, x.move, n.player) >= ply:
                    visits = np.float64(x.rave_visits) + 1.0
                    x.rave_visits = visits
                    x.rave = np.float64(x.rave) + (gained - np.float64(x.rave)) / visits


def note(w: Any, move: int, mover: int, ply: int) -> None:
    """The player made this move at this ply; there is always room, the table is twice as long as a game."""
    at = find_place(w, move, mover)
    x = w.seen[at]
    x.move, x.by, x.ply, x.simulation = move, mover, ply, w.simulation


def when_last(w: Any, move: int, mover: int) -> int:
    """The last ply of the simulation at which the player made this move; -1 if never."""
    x = w.seen[find_place(w, move, mover)]
    return x.ply if x.simulation == w.simulation else -1


def find_place(w: Any, move: int, mover: int) -> int:
    """Where the move is noted, or where it would be."""
    size = w.seen.shape[0]
    unused = 64 - popcount(np.uint64(size - 1))
    at = np.int64(((as_word(move) * np.uint64(4) + np.uint64(mover)) * STEP) >> np.uint64(unused))
    while w.seen[at].simulation == w.simulation and (w.seen[at].move != move or w.seen[at].by != mover):
        at = (at + 1) & (size - 1)
    return at  # type: ignore[return-value]


RAVE = Feature(
    rules={"follow": expansion.follow_any, "select": select, "playout": play_and_note, "back_up": back_up},
    edge={"rave": np.float32, "rave_visits": np.float32},
    workspace=fields,
    settings=("explore", "rave"),
)
