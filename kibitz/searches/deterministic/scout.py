"""TEST and SCOUT (Pearl 1980): a test whether the value is beyond a bound, and a search that searches in full only the moves that pass the test.

Exact, to its depth, for two-player games of opposite interests without chance or hidden information; players need not alternate. No window and no
table, as in the paper: TEST can skip what alpha-beta must visit, and SCOUT can visit a node that alpha-beta cuts off, more than once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.errors import InputError, nearest
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.searches import deepening, scale, trace
from kibitz.searches.method import Method, method, opposite_interests
from kibitz.searches.window import node

CONDITIONS = {">": (True, True), ">=": (False, True), "<": (False, False), "<=": (True, False)}  # strict?, and the answer that means yes

# --- kernels ---


def test(w: Any, ply: int, depth: int, bound: float, strict: bool, mover: int) -> bool:
    """Is the value of the node at `ply`, for its mover, greater than the bound, or, where not `strict`, at least the bound? depth >= 1.

    Yes as soon as one move says yes. A move of the other player says yes if his own test, turned over, says no.
    """
    trace.ask(w, ply, depth, bound, strict, mover)
    n = game.moves(w.states[ply], w.lists[ply])
    for i in range(n):
        following = node.step(w, ply, w.lists[ply, i])
        if following < 0 or depth == 1:
            v = node.leaf(w, ply + 1, following, mover)
            passed = v > bound if strict else v >= bound
        elif following == mover:
            passed = test(w, ply + 1, depth - 1, bound, strict, following)
        else:
            passed = not test(w, ply + 1, depth - 1, -bound, not strict, following)
        if passed or w.control.nodes >= w.control.limit:
            trace.answer(w, ply, passed)
            return passed
    trace.answer(w, ply, False)
    return False


def value(w: Any, ply: int, depth: int, mover: int) -> float:
    """SCOUT: the first move in full, another only if it passes the test of being better. depth >= 1."""
    w.line_end[ply] = ply
    trace.enter(w, ply, depth, -np.inf, np.inf, mover)
    best = -np.inf
    n = game.moves(w.states[ply], w.lists[ply])
    for i in range(n):
        following = node.step(w, ply, w.lists[ply, i])
        if following < 0 or depth == 1:
            v = node.leaf(w, ply + 1, following, mover)
        else:
            if i > 0:
                same = following == mover
                better = test(w, ply + 1, depth - 1, best if same else -best, same, following)
                if w.control.nodes >= w.control.limit:
                    return best
                if better != same:
                    continue
                w.control.nodes += 1  # visited again
            v = scale.turned(value(w, ply + 1, depth - 1, following), following, mover)
        if w.control.nodes >= w.control.limit:
            return best
        if v > best:
            best = v
            node.extend_line(w, ply, w.lists[ply, i])
    trace.leave(w, ply, best)
    return best


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:  # noqa: ARG001
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. The window is not used."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    return value(w, np.int64(0), depth, np.int64(game.player(w.states[0])))  # type: ignore[arg-type]


def root_of_test(w: Any, arrays: Any, depth: int, bound: float, strict: float) -> float:  # noqa: ARG001
    """1 if the test of w.states[0] says yes, else 0."""
    w.control.nodes += 1
    return 1.0 if test(w, np.int64(0), depth, bound, strict > 0.0, np.int64(game.player(w.states[0]))) else 0.0  # type: ignore[arg-type]


# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    return deepening.deepen(position, _plain(settings), engine, deepening.Kernel(root))


def passes(position: Position, condition: str, bound: float, depth: int) -> tuple[bool, int]:
    """TEST: is the value for the player to move `>`, `>=`, `<` or `<=` the bound, `depth` plies deep? With the nodes that were visited."""
    if condition not in CONDITIONS:
        raise InputError(f"unknown condition '{condition}'; {nearest(condition, CONDITIONS, 'conditions')}")
    strict, meaning = CONDITIONS[condition]
    settings = _plain({**method("scout").settings({"depth": depth}), "distance": "off"})
    search = deepening.Search(position, settings, "test", deepening.Kernel(root_of_test))
    answer = search.ask(min(depth, search.deepest), search.scale.inward(bound, search.view), 1.0 if strict else 0.0)
    return (answer > 0.0) == meaning, int(search.w.control.nodes)


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {**settings, "table": 0.0, "order": False, "killers": "off", "history": "off", "strict": True}


METHOD = Method(
    name="scout",
    about="tests whether a move is better before searching it in full",
    options=tuple(p for p in deepening.OPTIONS if p.name in ("deepening", "distance")),
    unfit=opposite_interests,
    run=run,
)
