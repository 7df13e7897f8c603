"""Max^n (Luckhardt and Irani 1986): every node has a value for each player, and the player to move takes the child with the highest value for himself.

Exact, to its depth, for games of any number of players without hidden information, with chance or without, whatever their interests: the values are those of an
equilibrium in which each player plays his best against the others. With three players or more there may be several, because a player to whom two moves are worth
the same may choose either, and the others care: what is found, and called exact, is the one of the rule `ties`, and a result says where that mattered. What is true
of two players' values is not of these: they are no guarantee. A player whom the others do not treat as max^n expects may get less; `paranoid` says what is
certain.

What may be left out without a change is in kibitz/searches/multiplayer/vector_node.py. Where chance decides, values are means, to rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import CHANCE, NO_MOVE
from kibitz.searches import deepening, trace
from kibitz.searches.method import Method, open_to_all
from kibitz.searches.multiplayer import ties, vector_node
from kibitz.searches.multiplayer.vector_node import NOBODY, OPEN
from kibitz.searches.multiplayer.vector_search import VectorSearch
from kibitz.searches.window import node, ordering

# --- kernels ---


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:  # noqa: ARG001
    """The value of w.states[0], which is not over, for its mover, or for the first player where chance is to decide; all values are w.vectors[0]. The window is not used."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    mover: Any = np.int64(game.player(w.states[0]))
    value(w, arrays.table, np.int64(0), depth, mover, np.int64(NOBODY), -np.inf, np.int64(0))  # type: ignore[arg-type]
    return w.vectors[0, max(np.int64(0), mover)]


def value(w: Any, table: Any, ply: int, depth: int, mover: int, above: int, floor: float, even: int) -> bool:
    """What the node at `ply` is worth to everybody, in w.vectors[ply]; False where whoever moved here, `above`, will not come here.

    He has a move that is worth `floor` to him; `even`, 1 or 0: does he prefer that one to any that is worth as much?
    """
    s = w.states[ply]
    side: Any = max(np.int64(0), mover)
    w.line_end[ply] = ply
    trace.enter(w, ply, depth, -np.inf, np.inf, side)

    # 1. Known already, or at least a move to try first.
    key, lot = np.uint64(0), np.uint64(0)
    if options.TABLE:
        key = vector_node.identity(w, ply)
    if options.TIES == ties.RANDOM:
        lot = game.key(s)
    if options.TABLE:
        known = vector_node.recall(w, table, key, ply, depth, mover, above, floor, even)
        if known != OPEN:
            return known == vector_node.FOUND
    horizons, before = w.horizons, node.NEVER
    if options.REPEATS:
        before = node.enter_loop(w, ply)
    best_move, reached, cut = NO_MOVE, True, False

    if options.CHANCE and mover == CHANCE:
        # 2. The mean of all outcomes.
        n, total = game.outcomes(s, w.lists[ply], w.weights[ply]), 0.0
        vector_node.clear(w, ply)
        for i in range(n):
            following = node.step(w, ply, w.lists[ply, i])
            if vector_node.ends(w, ply + 1, depth, following):
                vector_node.leaf(w, ply + 1, following, mover)
            else:
                value(w, table, ply + 1, depth, following, np.int64(NOBODY), -np.inf, np.int64(0))  # type: ignore[arg-type]
            if w.control.nodes >= w.control.limit:
                return False
            total += w.weights[ply, i]
            vector_node.add(w, ply, w.weights[ply, i])
        vector_node.divide(w, ply, total)
    else:
        # 3. Every move, unless the best there is was found, or nobody will come here.
        n = vector_node.list_moves(w, ply, mover, w.entry.move if options.TABLE else NO_MOVE)
        for i in range(n):
            move = w.lists[ply, i]
            following = node.step(w, ply, move)
            if options.REPEATS and node.is_forbidden(w, ply + 1, following):
                continue
            there = True
            if vector_node.ends(w, ply + 1, depth - 1, following):
                vector_node.leaf(w, ply + 1, following, mover)
            elif best_move == NO_MOVE:
                there = value(w, table, ply + 1, depth - 1, following, mover, -np.inf, np.int64(0))  # type: ignore[arg-type]
            else:
                loses: Any = np.int64(0) if ties.may_win_ties(w, ply, lot, move, best_move) else np.int64(1)
                there = value(w, table, ply + 1, depth - 1, following, mover, w.vectors[ply, mover], loses)
            if w.control.nodes >= w.control.limit:
                return False
            if there and (best_move == NO_MOVE or ties.prefers(w, ply, mover, lot, move, best_move)):
                best_move = move
                vector_node.take(w, ply, move)
                if vector_node.is_out_of_reach(w, w.vectors[ply, mover], mover, above, floor, even):
                    reached, cut = False, True
                elif vector_node.is_best_there_is(w, ply, mover, lot, i, n, best_move):
                    cut = i + 1 < n
                if cut or not reached:
                    ordering.cut(w, ply, mover, best_move, depth)
                    break

    # 4. Remember.
    own = node.leave_loop(w, ply, before) if options.REPEATS else True
    if options.ROOTED and ply == 0 and w.rooted > 0:
        own = False
    if options.TABLE and own:
        vector_node.remember(w, table, key, ply, depth, w.horizons == horizons, not reached, best_move)
    trace.settle(w, ply, w.vectors[ply, side], trace.CUT if cut else trace.SEARCHED)
    trace.tell(w, ply, w.vectors[ply])
    if not reached:
        trace.is_part(w, ply)
    return reached


# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    return VectorSearch(position, settings, engine, root).results()


METHOD = Method(
    name="maxn",
    about="any number of players, each for himself: exact to its depth, for one rule for ties",
    options=(
        Parameter("ties", "first", None, None, ties.RULES, "which of the moves of equal value a player makes"),
        Parameter("seed", 0, 0, 2**31 - 1, None, "random seed for ties=random"),
        Parameter("prune", True, None, None, None, "prune by the sum and the range of utilities, without changing values"),
        *(p for p in deepening.OPTIONS if p.name in ("table", "order", "killers", "history", "deepening", "strict")),
        *deepening.ROOTS,
    ),
    unfit=open_to_all,
    run=run,
)
