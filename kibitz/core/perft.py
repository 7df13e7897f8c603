"""Perft: how many move paths of a given length lead from a position, the standard check of a move generator.

A pass counts as a move, a chance outcome as a move. A path that ends early counts only where games are counted. Moves that are forbidden
because they would repeat a position are left out of paths and games; other rules on repetition are not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.compile import Bound, game, options
from kibitz.core.control import NO_LIMIT, Control, supervise
from kibitz.core.errors import InputError
from kibitz.core.position import Move, Position
from kibitz.core.record import blank, record
from kibitz.core.rules import CHANCE, FORBIDDEN, OVER

MOST_RESULTS = 1 << 16
LOOK_DEPTH = 3  # subtrees this small are counted without a look whether to stop
MOST_PAST = 1024  # earlier positions that may not come up again
DEEPEST = 256  # deeper counts would not end, except in games with hardly a choice


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """A stack of states and move lists. Its size does not depend on the depth asked for: another size is another compilation."""
    plies = min(constants["MAX_PLIES"], DEEPEST)
    widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])
    return record(
        control=Control,
        states=(constants["State"], plies + 2),  # one to try moves in
        lists=(constants["MOVE"], (plies + 1, widest)),
        weights=(np.float64, max(1, constants["MAX_OUTCOMES"])),
        past=np.int64,
        situations=(np.uint64, MOST_PAST + plies + 1 if constants["REPETITION"] == FORBIDDEN else 1),  # of the game so far and the path
    )


# --- kernels ---


def choices(w: Any, s: Any, ply: int) -> int:
    """Write what can happen in `s` into the ply's list: moves or chance outcomes; 0 when the game is over."""
    mover = game.player(s)
    if mover == OVER:
        return 0
    if mover == CHANCE:
        return game.outcomes(s, w.lists[ply], w.weights)
    return game.moves(s, w.lists[ply])


def allowed(w: Any, s: Any, ply: int) -> int:
    """`choices` without moves that would repeat a position where that is forbidden."""
    n = choices(w, s, ply)
    if game.REPETITION != FORBIDDEN:
        return n
    here, kept = w.past + ply, 0
    w.situations[here] = game.situation(s)
    for i in range(n):
        w.states[ply + 1] = s
        game.play(w.states[ply + 1], w.lists[ply][i])
        following, repeated = game.situation(w.states[ply + 1]), False
        if following != w.situations[here]:
            for j in range(here):
                repeated = repeated or w.situations[j] == following
        if not repeated:
            w.lists[ply][kept] = w.lists[ply][i]
            kept += 1
    return kept


def paths(w: Any, ply: int, depth: int) -> int:
    """Paths of `depth` moves from the state at `ply`; at the last ply the moves are counted, not played. depth >= 1.

    Meaningless once the limit is 0: the count was stopped.
    """
    s = w.states[ply]
    n = allowed(w, s, ply)
    if depth == 1:
        return n
    total = 0
    if depth > LOOK_DEPTH and w.control.limit == 0:
        return total
    for i in range(n):
        w.states[ply + 1] = s
        game.play(w.states[ply + 1], w.lists[ply][i])
        total += paths(w, ply + 1, depth - 1)
    return total


def endings(w: Any, results: Any, ply: int, depth: int) -> int:
    """Finished games of at most `depth` moves; `results` counts them by the first player's utility, in steps of the grain."""
    s = w.states[ply]
    n = allowed(w, s, ply)
    if n == 0:
        results[np.int64(round((game.utility(s, 0) - game.VALUES[0]) / options.STEP))] += 1
        return 1
    total = 0
    if depth > 0 and w.control.limit != 0:
        for i in range(n):
            w.states[ply + 1] = s
            game.play(w.states[ply + 1], w.lists[ply][i])
            total += endings(w, results, ply + 1, depth - 1)
    return total


def successors(w: Any, layer: Any, following: Any) -> int:
    """All positions one move after those of `layer`, written to `following`; returns how many."""
    total = 0
    for position in range(layer.shape[0]):
        w.states[0] = layer[position]
        n = choices(w, w.states[0], 0)
        for i in range(n):
            following[total] = w.states[0]
            game.play(following[total], w.lists[0][i])
            if options.CANONICAL:
                game.canonical(following[total])
            total += 1
    return total


# --- shell ---


@dataclass(frozen=True)
class Endings:
    """Finished games by what they are worth to the first player."""

    games: int
    by_utility: dict[float, int]


def perft(position: Position, depth: int, target: str | None = None) -> int:
    """The number of move paths of length `depth`."""
    _check_depth(position, depth)
    if depth == 0:
        return 1
    if depth > position.game.constants["MAX_PLIES"]:
        return 0
    return int(_finished(position.game.bind(paths, target=target, label="perft"), _prepared(position), 0, depth))


def divide(position: Position, depth: int, target: str | None = None) -> dict[Move, int]:
    """`perft` split by first move."""
    _check_depth(position, depth)
    if depth == 0:
        raise InputError("depth 0 has no first moves to divide by; use a depth of at least 1")
    return {move: perft(position.play(move), depth - 1, target) for move in position.moves}


def count_games(position: Position, depth: int, target: str | None = None) -> Endings:
    """The finished games of at most `depth` moves, by result."""
    _check_depth(position, depth)
    constants = position.game.constants
    depth = min(depth, constants["MAX_PLIES"])
    low, high = constants["VALUES"]
    step = constants["GRAIN"]
    if not step or (high - low) / step >= MOST_RESULTS:
        raise InputError(f"{position.game.name} has too many possible results to count games by them")
    results = np.zeros(round((high - low) / step) + 1, np.int64)
    kernel = position.game.bind(endings, {"STEP": float(step)}, target, label="perft --games")
    games = _finished(kernel, _prepared(position), results, 0, depth)
    return Endings(int(games), {low + i * step: int(n) for i, n in enumerate(results) if n})


def distinct(position: Position, depth: int, symmetric: bool = False, target: str | None = None) -> Iterator[int]:
    """How many different positions there are after 0, 1, ..., `depth` moves; with `symmetric`, up to the game's symmetries."""
    _check_depth(position, depth)
    game_ = position.game
    if symmetric and not game_.defines("canonical"):
        raise InputError(f"{game_.name} declares no symmetry; it would have to define canonical(s)")
    widest = max(game_.constants["MAX_MOVES"], game_.constants["MAX_OUTCOMES"])
    kernel = game_.bind(successors, {"CANONICAL": symmetric}, target, label="perft --distinct")
    w = _prepared(position)
    layer = np.array([position.state], game_.constants["State"])
    yield 1
    for _ in range(depth):
        following = np.zeros(layer.shape[0] * widest, layer.dtype)
        n = kernel(w, layer, following)
        words = following[:n].view(np.uint64).reshape(n, -1)
        layer = np.unique(words, axis=0).reshape(-1).view(layer.dtype)
        yield layer.shape[0]


def _finished(kernel: Bound, w: Any, *arguments: Any) -> Any:
    """The kernel's result; half a count is no count, so Ctrl-C passes through."""
    run = supervise(kernel, w, *arguments, control=w.control)
    if run.interrupted:
        raise KeyboardInterrupt
    return run.result


def _prepared(position: Position) -> Any:
    w = blank(workspace(position.game.constants))
    w.states[0] = position.state
    w.control.limit = NO_LIMIT
    if position.game.constants["REPETITION"] == FORBIDDEN:
        past = position.past[-MOST_PAST:]
        w.situations[: len(past)] = past
        w.past = len(past)
    return w


def _check_depth(position: Position, depth: int) -> None:
    deepest = DEEPEST if position.game.constants["MAX_PLIES"] > DEEPEST else None
    if depth < 0 or (deepest and depth > deepest):
        raise InputError(f"depth {depth}: must be from 0 to {deepest}" if deepest else f"depth {depth}: must be 0 or more")
