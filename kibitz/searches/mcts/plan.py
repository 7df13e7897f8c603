"""The parts of a Monte Carlo search.

    Rules     the functions that do the steps of a simulation; kernels call them as `options.select` and so on
    Flags     facts that kernels are compiled for: `options.SOLVE` and so on
    Plan      both for one game, with the records of its tree

Features (feature.py) replace some of the functions and add fields of nodes, edges and the workspace. A new rule is one file that ends with a Feature,
and one line in the search that offers it: rule/tuned.py is an example.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import FORBIDDEN, LOSS, WEIGHTED
from kibitz.core.records.record import record
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.leaf.playout import any_move, play_uniformly, share_of_range, value_by_playout
from kibitz.searches.mcts.rule import ucb1
from kibitz.searches.mcts.step import backup, expansion, outcomes, workspace
from kibitz.searches.mcts.tree import position_table, proofs
from kibitz.searches.mcts.tree.layout import Layout, edge_fields, node_fields
from kibitz.tables.endgame import lookup

Function = Callable[..., Any]


@dataclass(frozen=True)
class Rules:
    """The steps of a simulation, each a function; the usual ones make plain UCT."""

    follow: Function = expansion.follow_untried_first  # (w, edges, n, at) -> the edge to take, in play now; NONE to stop here
    select: Function = ucb1.select  # (w, edges, n, first, end) -> the edge that the rule prefers
    draw_outcome: Function = outcomes.draw_in_turn  # (w, edges, n, at) -> the same at a chance node
    plant: Function = expansion.plant  # (w, t, nodes, edges): make the root
    expand: Function = expansion.expand  # (w, t, nodes, edges, player) -> a node for the position `w.state`; NONE: no room
    arrange: Function | None = None  # (edges, first, end): put the edge first that is to come into play next; None: it is drawn at random
    leaf_value: Function = value_by_playout  # (w, depth): write the rewards of the position `w.state` into `w.result`
    playout: Function = play_uniformly  # (w, s, ply) -> moves made; plays `s` on, in place
    playout_move: Function = any_move  # (w, s, mover) -> a move of a playout
    as_reward: Function = share_of_range  # (value) -> a utility as a number from 0 to 1
    back_up: Function = backup.back_up  # (w, nodes, edges, depth): add the rewards in `w.result` along the path
    scale: Function = ucb1.scale  # (visits) -> what an edge keeps of its visits for the rule
    untried_scale: float = 1.0  # the same of an edge in play that nobody has visited: UCB1 counts it as tried once
    hash_position: Function = position_table.hash_by_key  # (s) -> 64 bits: equal where positions may share a node
    share_out: Function | None = None  # guided: (w, edges, n, first): write down the moves' shares
    pick: Function | None = None  # guided: (w, edges, n, first, end) -> an edge by the shares written down
    select_first: Function | None = None  # guided, in waves: the rule for the first of a wave at a node
    weigh: Function | None = None  # guided: (w, s, moves, count, weights): how likely each move is


@dataclass(frozen=True)
class Flags:
    """Facts that kernels are compiled for: code behind one that is false is not even typed."""

    SOLVE: bool  # proofs are kept at every node
    THREADS: bool  # several threads grow one tree
    FETCH: bool  # edges are asked for before they are looked at one by one: on GPUs, which do not do so themselves
    TRANSPOSITIONS: bool  # positions that several paths lead to share one node
    CHANCE: bool  # the game has chance nodes
    WEIGHTS: bool  # outcomes differ in how likely they are: edges keep a weight
    WHOLE_WEIGHTS: bool  # these weights are whole numbers
    OPPOSITE: bool  # two players, whose utilities add up to SUM
    EVERYBODY: bool  # what it brings every player is noted for each move of the root: one player's value does not tell the others'
    REPEATS: bool  # a position may come up again, and the game has a rule for that
    TWOFOLD: bool  # does once more on the path count as repeated? Not here: see searches/window/node.py
    FORBIDS: bool  # a move that repeats a position is not allowed
    LOSES: bool  # whoever repeats a position loses
    DRAW: float  # each player's utility where a repetition draws the game
    ENDINGS: int  # endgame tables are asked about new positions: see kibitz/tables/endgame/lookup.py
    RANKED: bool  # the game numbers their positions
    UNIT: int  # bytes of an edge
    NODE_UNITS: int  # units of a node: see tree/layout.py


@dataclass(frozen=True)
class Plan:
    """One search of one game: what its kernels are bound to, and its records."""

    flags: Flags
    rules: Rules
    layout: Layout
    workspace: np.dtype[Any]
    settings: tuple[str, ...]  # to be copied into the workspace
    changed: int  # bytes of a workspace, from its beginning, that simulations leave changed
    kept: int  # bytes that they read: what is behind is scratch

    @property
    def options(self) -> dict[str, Any]:
        """What kernels read as `options.NAME`."""
        return {one.name: getattr(part, one.name) for part in (self.flags, self.rules) for one in fields(part)}


def tallies(game: Game) -> bool:
    """Does one player's value leave open what the game is worth to the others?"""
    return game.players > 2 or (game.players == 2 and game.constants["SUM"] is None)


def make_plan(game: Game, settings: Mapping[str, Any], features: Sequence[Feature]) -> Plan:
    """The plan of a search with these settings; of two features that replace the same function the later one counts."""
    constants = game.constants
    solves, shares = bool(settings["solve"]), bool(settings.get("transpositions"))
    added = [*features]
    if solves:
        added.append(Feature(node=proofs.node_fields))
    if shares:
        added.append(Feature(node=position_table.node_fields, edge=position_table.EDGE_FIELDS))
    layout = Layout(
        node=record(**node_fields(constants), **{k: v for one in added for k, v in one.node(constants).items()}),
        edge=record(**edge_fields(constants), **{k: v for one in added for k, v in one.edge.items()}),
    )
    sum_ = constants["SUM"]
    flags = Flags(
        SOLVE=solves,
        THREADS=settings["threads"] > 1,
        FETCH=bool(settings.get("fetch")),
        TRANSPOSITIONS=shares,
        CHANCE=game.has_chance,
        WEIGHTS=game.has_chance and not constants["EQUALLY_LIKELY"],
        WHOLE_WEIGHTS=constants["CHANCE_KIND"] == WEIGHTED,
        OPPOSITE=game.players == 2 and sum_ is not None,
        EVERYBODY=tallies(game),
        REPEATS=game.repeats,
        TWOFOLD=False,
        FORBIDS=constants["REPETITION"] == FORBIDDEN,
        LOSES=constants["REPETITION"] == LOSS,
        DRAW=float(sum_) / game.players if sum_ is not None else 0.0,
        **lookup.flags(settings.get("endings")),
        UNIT=layout.unit,
        NODE_UNITS=layout.node_units,
    )
    functions: dict[str, Any] = {}
    if flags.WEIGHTS:
        functions["draw_outcome"] = outcomes.draw_by_weight
    if game.defines("banked"):
        functions["hash_position"] = position_table.hash_by_state
    numbers = dict.fromkeys(name for one in added for name in one.settings)
    work = {**workspace.fields(constants, settings), **dict.fromkeys(numbers, np.float64)}
    work |= lookup.fields(constants["State"], settings.get("endings"))
    if flags.EVERYBODY:
        work |= workspace.tally_fields(constants)
    for one in added:
        functions |= one.rules
        work |= one.workspace(constants)
    kind, changed, kept = workspace.in_order(work, numbers, [name for one in added for name in one.scratch])
    return Plan(flags, Rules(**functions), layout, kind, tuple(numbers), changed, kept)
