"""Perft: how many move paths of a given length lead from a position, the standard check of a move generator.

A pass counts as a move, a chance outcome as a move. A path that ends early counts only where games are counted. Moves that are forbidden
because they would repeat a position are left out of paths and games; other rules on repetition are not asked.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import Bound, game, options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.core.protocol.rules import CHANCE, FORBIDDEN, OVER
from kibitz.core.records.record import WORD, blank, record
from kibitz.core.running.control import NO_LIMIT, Control, supervise

MOST_RESULTS = 1 << 16
CHUNK = 1 << 14  # positions whose successors are made at a time
USUAL_MEMORY = 1024.0  # megabytes for different positions
WORKING = 4  # times the memory that positions take while they are sorted
LOOK_DEPTH = 3  # subtrees this small are counted without a look whether to stop
USUAL_PAST = 1024  # room for earlier positions that may not come up again; a longer game is counted by code of its own
DEEPEST = 256  # deeper counts would not end, except in games with hardly a choice


def workspace(constants: dict[str, Any], room: int = USUAL_PAST) -> np.dtype[Any]:
    """A stack of states and move lists. Its size does not depend on the depth asked for: another size is another compilation.

    `room`: for situations of the game so far, where they may not come up again.
    """
    plies = min(constants["MAX_PLIES"], DEEPEST)
    widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])
    return record(
        control=Control,
        states=(constants["State"], plies + 2),  # one to try moves in
        lists=(constants["MOVE"], (plies + 1, widest)),
        weights=(np.float64, max(1, constants["MAX_OUTCOMES"])),
        past=np.int64,
        situations=(np.uint64, room + plies + 1 if constants["REPETITION"] == FORBIDDEN else 1),  # of the game so far and the path
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
    return int(_finished(position.game.bind(paths, _room(position), target, label="perft"), _prepared(position), 0, depth))


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
    kernel = position.game.bind(endings, {"STEP": float(step), **_room(position)}, target, label="perft --games")
    games = _finished(kernel, _prepared(position), results, 0, depth)
    return Endings(int(games), {low + i * step: int(n) for i, n in enumerate(results) if n})


def distinct(
    position: Position,
    depth: int,
    symmetric: bool = False,
    target: str | None = None,
    seconds: float | None = None,
    memory: float = USUAL_MEMORY,
) -> Iterator[int]:
    """How many different positions there are after 0, 1, ..., `depth` moves; with `symmetric`, up to the game's symmetries.

    An InputError ends it once it has taken more than `seconds`, or would take more than `memory` megabytes.
    """
    _check_depth(position, depth)
    game_ = position.game
    if symmetric and not game_.defines("canonical"):
        raise InputError(f"{game_.name} declares no symmetry; it would have to define canonical(s)")
    kernel = game_.bind(successors, {"CANONICAL": symmetric}, target, label="perft --distinct")
    w, until = _prepared(position), math.inf if seconds is None else time.perf_counter() + seconds
    layer = np.array([position.state], game_.constants["State"])
    yield 1
    for ply in range(1, depth + 1):
        layer = _following(kernel, w, layer, ply, until, memory)
        yield layer.shape[0]


def _following(kernel: Bound, w: Any, layer: Any, ply: int, until: float, memory: float) -> Any:
    """The different positions one move after those of `layer`, made some at a time, so that limits are heeded and Ctrl-C is heard."""
    widest = w.lists.shape[1]
    room, made = memory * 2**20 / WORKING, np.zeros(min(CHUNK, layer.shape[0]) * widest, layer.dtype)
    found: list[Any] = []
    for begin in range(0, layer.shape[0], CHUNK):
        n = int(kernel(w, layer[begin : begin + CHUNK], made))
        found.append(_different(made[:n].view(np.uint64).reshape(n, layer.itemsize // WORD)))
        if sum(part.nbytes for part in found) + layer.nbytes > room:
            found = [_different(np.concatenate(found))]
            if found[0].nbytes + layer.nbytes > room:
                raise InputError(f"ply {ply} has more positions than {memory:g} MB hold; give more memory, or count fewer plies")
        if time.perf_counter() > until:
            raise InputError(f"the time was up before ply {ply} was counted; give more of it, or count fewer plies")
    return _different(np.concatenate(found)).reshape(-1).view(layer.dtype) if found else layer


def _different(positions: Any) -> Any:
    """Each of them once; rows of words."""
    return np.unique(positions, axis=0)


def _finished(kernel: Bound, w: Any, *arguments: Any) -> Any:
    """The kernel's result; half a count is no count, so Ctrl-C passes through."""
    run = supervise(kernel, w, *arguments, control=w.control)
    if run.interrupted:
        raise KeyboardInterrupt
    return run.result


def _prepared(position: Position) -> Any:
    w = blank(workspace(position.game.constants, _room(position).get("PAST", USUAL_PAST)))
    w.states[0] = position.state
    w.control.limit = NO_LIMIT
    if position.game.constants["REPETITION"] == FORBIDDEN:
        w.situations[: len(position.past)] = position.past
        w.past = len(position.past)
    return w


def _room(position: Position) -> dict[str, int]:
    """An option that sets code for long games apart, whose workspace has another size: room for all that has been, a power of two; nothing for the usual ones."""
    if position.game.constants["REPETITION"] != FORBIDDEN or len(position.past) <= USUAL_PAST:
        return {}
    return {"PAST": 1 << (len(position.past) - 1).bit_length()}


def _check_depth(position: Position, depth: int) -> None:
    deepest = DEEPEST if position.game.constants["MAX_PLIES"] > DEEPEST else None
    if depth < 0 or (deepest and depth > deepest):
        raise InputError(f"depth {depth}: must be from 0 to {deepest}" if deepest else f"depth {depth}: must be 0 or more")
