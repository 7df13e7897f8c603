"""Best-reply search (Schadd and Winands 2011): after every move of the player it is for, one of the others replies, the one who can harm him most; the rest pass.

For games of three players or more without chance or hidden information that say how a turn is skipped (`skip`). His own next move then lies two plies away, however
many players there are, which looks farther ahead than max^n or paranoid search do in the same time; but the positions are not those of the game, in which nobody may
pass, so that nothing here is ever exact: the value is an estimate, also where a win seems certain.

A ply of `depth` is a move; to pass is none. A node of the others has their next one's moves, and, where he may skip, the nodes of those after him: what all of them
together can do, one move of one of them. After it all skip until it is the player's turn again, as far as the game lets them. Alpha-beta does the rest, and all that is
kept of a line is its first move: what follows is no line of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records.hashing import combine
from kibitz.searches import deepening, trace
from kibitz.searches.method import Method
from kibitz.searches.multiplayer.coalition import OPTIONS, CoalitionSearch, one_against_all
from kibitz.searches.window import node, ordering

# --- kernels ---


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover. Meaningless once a limit is met."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    return value(w, arrays.table, np.int64(0), depth, alpha, beta, node.side_of(w, w.states[0]), np.int64(0))  # type: ignore[arg-type]


def value(w: Any, table: Any, ply: int, depth: int, alpha: float, beta: float, mover: int, passed: int) -> float:
    """What the node at `ply` is worth to side `mover`, fail-soft; `passed` of the others have passed since the last move."""
    s = w.states[ply]
    w.line_end[ply] = ply
    if options.FOR_FIRST:
        trace.enter(w, ply, depth, -beta if mover == 1 else alpha, -alpha if mover == 1 else beta, 0)

    # 1. Known already, or at least a move to try first.
    key = np.uint64(0)
    if options.TABLE:
        key = game.key(s) if passed == 0 else combine(game.key(s), np.uint64(passed))
    foreseen = node.foreseen(w, table, key, ply, depth, alpha, beta, mover)
    if not np.isnan(foreseen):
        return foreseen
    horizons, before, own = w.horizons, node.NEVER, True
    if options.REPEATS:
        before = node.enter_loop(w, ply)

    # 2. Every move of whoever is to move, and what the others have in his place, until one is good enough.
    best, best_move = -np.inf, NO_MOVE
    n = game.moves(s, w.lists[ply])
    ordering.sort(w, s, ply, n, mover, w.entry.move if options.TABLE else NO_MOVE)
    for i in range(n + 1):
        floor = max(alpha, best)
        if i == n:
            if mover == 0 or not pass_on(w, ply, passed):
                break
            v = value(w, table, ply + 1, depth, floor, beta, mover, passed + 1)
        else:
            following = step(w, ply, w.lists[ply, i], mover)
            if following < 0 or depth <= 1 or ply + 1 >= options.DEEP:
                v = node.leaf(w, ply + 1, following, mover)
            elif following == mover:
                v = value(w, table, ply + 1, depth - 1, floor, beta, following, np.int64(0))  # type: ignore[arg-type]
            else:
                v = -value(w, table, ply + 1, depth - 1, -beta, -floor, following, np.int64(0))  # type: ignore[arg-type]
        if w.control.nodes >= w.control.limit:
            return best
        if v > best:
            best, best_move = v, w.lists[ply, i] if i < n else NO_MOVE
            if ply == 0:
                w.line[0, 0], w.line_end[0] = best_move, 1
            if v >= beta:
                if i < n:
                    ordering.cut(w, ply, mover, best_move, depth)
                break

    # 3. Remember.
    if options.REPEATS:
        own = node.leave_loop(w, ply, before)
    if options.TABLE and own:
        node.remember(w, table, key, ply, depth, w.horizons == horizons, (alpha, beta), best, best_move, mover)
    trace.settle(w, ply, -best if mover == 1 else best, trace.CUT if best >= beta else trace.SEARCHED)
    return best


def pass_on(w: Any, ply: int, passed: int) -> bool:
    """Put the node at `ply` with the turn given to the next of the others above it, where there is one and the game allows it."""
    if passed >= game.PLAYERS - 2 or ply + 1 >= options.DEEP:
        return False
    w.states[ply + 1] = w.states[ply]
    if not game.skip(w.states[ply + 1]) or node.side_of(w, w.states[ply + 1]) != 1:
        return False
    w.control.nodes += 1
    trace.step(w, ply, NO_MOVE)
    if options.REPEATS:
        w.since[ply + 1], w.keys[w.past + ply + 1] = w.since[ply], game.situation(w.states[ply + 1])
    return True


def step(w: Any, ply: int, move: int, mover: int) -> int:
    """Make a move; after one of the others' all who are not the hero pass, but whoever made it. Whose turn it is then: a side, or why it is nobody's."""
    who = game.player(w.states[ply])
    following = node.step(w, ply, move)
    if mover == 1:
        for _ in range(game.PLAYERS - 2):
            if following != 1 or game.player(w.states[ply + 1]) == who or not give_turn(w, ply + 1):
                break
            following = node.side_of(w, w.states[ply + 1])
    return following


def give_turn(w: Any, ply: int) -> bool:
    """Skip a turn at the node at `ply`, unless the game does not let it or would be over."""
    w.spare = w.states[ply]
    if not game.skip(w.spare) or game.player(w.spare) < 0:
        return False
    w.states[ply] = w.spare
    return True


# --- shell ---


class BestReplySearch(CoalitionSearch):
    """A search of a position for the player to move."""

    def __init__(self, position: Position, settings: Mapping[str, Any], engine: str) -> None:
        constants = position.game.constants
        passes = position.game.players - 1
        deep = node.plies({**constants, "MAX_PLIES": constants["MAX_PLIES"] * passes})
        kernel = deepening.Kernel(root, {"DEEP": deep}, {"spare": constants["State"]}, approximate=True, passes=passes)
        super().__init__(position, settings, engine, kernel)

    def _answer(self, found: deepening.Found, ended: str) -> Result:
        return replace(super()._answer(found, ended), distance=None)


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    return BestReplySearch(position, settings, engine).results()


def can_be_passed_over(game: Game) -> str | None:
    """For games of several players in which a turn can be skipped."""
    if (reason := one_against_all(game)) is not None:
        return reason
    if game.players == 2:
        return "it has two players, of whom one replies anyway: paranoid is the same search"
    return None if game.defines("skip") else "it does not say how a turn is skipped (skip), and all but one of the others have to pass"


METHOD = Method(
    name="bestreply",
    about="one player against all others, of whom one at a time replies: an estimate that looks far ahead",
    options=tuple(p for p in OPTIONS if p.name != "threads"),
    unfit=can_be_passed_over,
    run=run,
)
