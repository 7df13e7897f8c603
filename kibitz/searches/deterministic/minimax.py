"""Minimax in three forms: every position to the depth is visited, without pruning.

Exact, to its depth, for two-player games of opposite interests without chance or hidden information; players need not alternate. Kept for
teaching and as the reference for every other search. All three forms visit the same nodes and give the same value:

    recursive   a function that calls itself
    stack       a loop with the path on an explicit stack
    levels      the whole tree in memory, level by level, then values from the leaves back to the root; memory grows as the tree does
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import NO_MOVE, OVER
from kibitz.core.records.memory import zeros
from kibitz.core.records.record import record
from kibitz.searches import deepening, scale, trace
from kibitz.searches.method import Method, opposite_interests
from kibitz.searches.window import node

Frame = record(best=np.float64, at=np.int64, count=np.int64, mover=np.int64)

NO_ROOM = -1


def kept(constants: dict[str, Any]) -> np.dtype[Any]:
    """One position of the tree that the form `levels` keeps; its children follow each other in the next level."""
    return record(state=constants["State"], value=np.float64, first=np.int64, count=np.int64, mover=np.int64, move=np.int64)


# --- kernels ---


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:  # noqa: ARG001
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. The window is not used."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    mover: Any = np.int64(game.player(w.states[0]))
    if options.RECURSIVE:
        return value(w, np.int64(0), depth, mover)  # type: ignore[arg-type]
    return value_with_stack(w, depth, mover)


def value(w: Any, ply: int, depth: int, mover: int) -> float:
    """The best of all moves, for the mover. depth >= 1."""
    s = w.states[ply]
    w.line_end[ply] = ply
    trace.enter(w, ply, depth, -np.inf, np.inf, mover)
    best = -np.inf
    n = game.moves(s, w.lists[ply])
    for i in range(n):
        following = node.step(w, ply, w.lists[ply, i])
        if following < 0 or depth == 1:
            v = node.leaf(w, ply + 1, following, mover)
        else:
            v = scale.turned(value(w, ply + 1, depth - 1, following), following, mover)
        if w.control.nodes >= w.control.limit:
            return best
        if v > best:
            best = v
            node.extend_line(w, ply, w.lists[ply, i])
    trace.leave(w, ply, best)
    return best


def value_with_stack(w: Any, depth: int, mover: int) -> float:
    """`value` of ply 0 as a loop; a frame is a node whose moves are being searched."""
    ply = 0
    enter(w, 0, depth, mover)
    while True:
        f = w.frames[ply]
        if f.at < f.count:
            following = node.step(w, ply, w.lists[ply, f.at])
            if following >= 0 and depth - ply > 1:
                ply += 1
                enter(w, ply, depth - ply, following)
                continue
            v = node.leaf(w, ply + 1, following, f.mover)
        else:  # all moves are searched: the node's value goes to its parent
            trace.leave(w, ply, f.best)
            if ply == 0:
                return f.best
            ply -= 1
            v = scale.turned(f.best, f.mover, w.frames[ply].mover)
        if w.control.nodes >= w.control.limit:
            return v
        take(w, ply, v)


def enter(w: Any, ply: int, depth: int, mover: int) -> None:
    f = w.frames[ply]
    w.line_end[ply] = ply
    trace.enter(w, ply, depth, -np.inf, np.inf, mover)
    f.best, f.at, f.mover = -np.inf, 0, mover
    f.count = game.moves(w.states[ply], w.lists[ply])


def take(w: Any, ply: int, v: float) -> None:
    """`v` is the value of the frame's move `at`."""
    f = w.frames[ply]
    if v > f.best:
        f.best = v
        node.extend_line(w, ply, w.lists[ply, f.at])
    f.at += 1


def by_levels(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:  # noqa: ARG001
    """The whole tree in w's memory: grown level by level, then valued from its end. NaN where the memory is too small."""
    tree = arrays.own
    w.control.nodes += 1
    mover: Any = np.int64(game.player(w.states[0]))
    tree[0].state, tree[0].mover = w.states[0], mover
    begin, end = 0, 1
    for level in range(depth):
        grown = grow(w, tree, begin, end, level + 1, depth)
        w.states[0] = tree[0].state  # growing used its place
        if grown == NO_ROOM or w.control.nodes >= w.control.limit:
            return np.nan
        begin, end = end, grown
    settle(tree, end)
    follow_best(w, tree)
    write_down(w, tree, end, depth)
    return tree[0].value


def grow(w: Any, tree: Any, begin: int, end: int, ply: int, depth: int) -> int:
    """Append the children of the nodes begin..end-1; returns the new end. Leaves get their values, for the player who moved into them."""
    last = end
    for parent in range(begin, end):
        mother = tree[parent]
        mother.first, mother.count = last, 0
        if mother.mover == OVER:
            continue
        w.states[0] = tree[parent].state
        mother.count = game.moves(w.states[0], w.lists[0])
        for i in range(mother.count):
            if last == tree.shape[0] or w.control.nodes >= w.control.limit:
                return NO_ROOM
            following = node.step(w, 0, w.lists[0, i])
            tree[last].state = w.states[1]
            child = tree[last]
            child.mover, child.move, child.count = following, w.lists[0, i], 0
            if following == OVER:
                child.value = scale.turned(node.finished(w, w.states[1], ply), 0, mother.mover)
            elif ply == depth:
                child.value = scale.turned(node.estimated(w, w.states[1]), 0, mother.mover)
            if following == OVER or ply == depth:
                w.leaves += 1
            last += 1
    return last


def settle(tree: Any, end: int) -> None:
    """Values of inner nodes, from the last to the first: children come after their parents. A leaf's value is its parent's mover's already."""
    for i in range(end - 1, -1, -1):
        mother = tree[i]
        if mother.count > 0:
            best = -np.inf
            for j in range(mother.first, mother.first + mother.count):
                best = max(best, value_for_parent(tree, j, mother.mover))
            mother.value = best


def value_for_parent(tree: Any, i: int, mover: int) -> float:
    child = tree[i]
    return scale.turned(child.value, child.mover, mover) if child.count > 0 else child.value


def follow_best(w: Any, tree: Any) -> None:
    """Write the best line into w.line[0]."""
    i, ply = 0, 0
    while tree[i].count > 0:
        mother = tree[i]
        for j in range(mother.first, mother.first + mother.count):
            if value_for_parent(tree, j, mother.mover) == mother.value:
                w.line[0, ply] = tree[j].move
                i = j
                break
        ply += 1
    w.line_end[0] = ply


def write_down(w: Any, tree: Any, end: int, depth: int) -> None:
    """The tree is its own trace: nodes and events have the same numbers, as far as there is room."""
    if options.TRACE:
        trace.add(w, NO_MOVE, NO_MOVE, tree[0].mover, tree[0].mover, 0, depth, -np.inf, np.inf)
        for i in range(end):
            mother, ply = tree[i], 0
            if i < w.log.written:
                e = w.log.events[i]
                e.value, e.how, ply = trace.shown(mother.value, e.side), trace.SEARCHED, e.ply
                if mother.count == 0:
                    e.how, e.low, e.high = trace.FINISHED if mother.mover == OVER else trace.EVALUATED, np.nan, np.nan
            for child in range(mother.first, mother.first + mother.count):
                parent = i if i < w.log.written else NO_MOVE
                whose = tree[child].mover if tree[child].count > 0 else mother.mover
                trace.add(w, parent, tree[child].move, tree[child].mover, whose, ply + 1, depth - ply - 1, -np.inf, np.inf)


# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    constants, form = position.game.constants, settings["form"]
    plain = {**settings, "table": 0.0, "order": False, "killers": "off", "history": "off", "strict": True}
    if form == "levels":
        tree = allocated(kept(constants), settings["memory"], "memory")
        if position.game.repeats:
            raise InputError(
                f"the form levels forgets the path, and {position.game.name} can repeat positions; use form=recursive or form=stack"
            )
        return _told_of_lack(deepening.deepen(position, plain, engine, deepening.Kernel(by_levels, memory=tree)), settings["memory"])
    extra = {"frames": (Frame, node.plies(constants) + 1)} if form == "stack" else {}
    return deepening.deepen(position, plain, engine, deepening.Kernel(root, {"RECURSIVE": form == "recursive"}, extra))


def _told_of_lack(results: Iterator[Result], megabytes: float) -> Iterator[Result]:
    """The form `levels` answers NaN where its memory is too small."""
    for result in results:
        if result.value != result.value:
            raise InputError(
                f"depth {result.depth} needs more than memory={megabytes:g} MB in the form levels; ask for more, or use form=recursive"
            )
        yield result


def allocated(kind: np.dtype[Any], megabytes: float, option: str) -> Any:
    """An array of as many records as fit; one line when there is no memory for it."""
    return zeros(kind, max(1, int(megabytes * 2**20) // kind.itemsize), f"no memory for {option}={megabytes:g} MB; ask for less")


METHOD = Method(
    name="minimax",
    about="every position to the depth; for teaching, and as a reference for the others",
    options=(
        Parameter("form", "recursive", None, None, ("recursive", "stack", "levels"), "how the tree is walked"),
        Parameter("memory", 256.0, 0.1, 1 << 20, None, "megabytes for the tree, in the form levels"),
        *(p for p in deepening.OPTIONS if p.name in ("deepening", "distance")),
    ),
    unfit=opposite_interests,
    run=run,
)
