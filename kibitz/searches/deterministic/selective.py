"""Selective search: NegaScout with forward pruning, reductions and extensions. Strong, and never called exact.

For two-player games of opposite interests without chance or hidden information. Each way to prune or to extend is an option, and costs nothing
when it is off; with all of them off this is NegaScout. What they do at a node of the given depth:

    beam=n         only the n moves that come first in order are searched
    null=r         the mover gives up the turn (`skip`); if a search r plies less deep, and one more for every four plies of depth, still reaches
                   beta, so would a move
    reductions=n   quiet moves after the first n are searched less deep, the later and the deeper the more, and in full if they turn out better;
                   a node of which the table knows no move is searched a ply less deep
    futility=m     near the horizon: an evaluation that is better than beta by m a ply is good enough, and where it is worse than alpha by m a
                   ply, or many moves were tried, quiet moves are left out
    probcut=t      a shallow search foretells the deep value as a x + b, with the error sigma measured by `kibitz tune probcut`; if it leaves the
                   window by t sigma, the deep search is saved; `checks` shallow depths are tried (1: ProbCut, more: Multi-ProbCut)
    singular=m     if no other move comes within m of what the table promises of its move, that move is searched a ply deeper
    extend         positions that the game calls `restless` are searched a ply deeper
    quiescence=n   see kibitz/searches/window/quiescence.py

Pruned moves count as a horizon: the table never treats such a value as final. If anything is pruned, the first repetition on the path is a
draw, and values are stored even if they depend on the path, as in chess programs: storing only values that do not depend on the path leaves the table nearly empty.

`value` calls itself and is no rule of kibitz/searches/window/frame.py, because that was slower: there, with all these
questions in between, it took about 1.1 times as long on Connect Four. On chess it makes no clear difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import DRAW, NO_MOVE
from kibitz.searches import deepening, scale, trace
from kibitz.searches.deterministic import probcut, stages
from kibitz.searches.method import Method, opposite_interests
from kibitz.searches.window import frame, node, ordering, threads
from kibitz.searches.window.flags import SelectiveFlags, as_options
from kibitz.tables.transposition import packed

USUAL_QUIESCENCE, USUAL_NULL = 8, 2
REDUCED_FROM = 3  # depth from which late moves are reduced
UNKNOWN_FROM = 5  # depth from which a node without a move to try first is searched a ply less deep
FUTILE_TO = 6  # depth to which an evaluation far above beta is enough
HOPELESS_TO = 3  # depth to which quiet moves are left out
TRIED = 4  # quiet moves tried before others are left out, at depth 0; more by the square of the depth
MOST_TABLE = 64
_PLACES: Any = np.log(np.arange(1, MOST_TABLE + 1))
REDUCTION = np.maximum(1, np.floor(0.4 + np.outer(_PLACES, _PLACES) / 2.2)).astype(np.int64)  # by depth - 1 and place in the order
PRUNING = ("beam", "null", "reductions", "futility", "probcut")  # options that leave something out

# --- kernels ---


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. Meaningless once a limit is met."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    w.reach = min(2 * depth, min(game.MAX_PLIES, node.DEEPEST))
    w.excluded, w.skipped = NO_MOVE, False
    return value(w, arrays.table, np.int64(0), depth, alpha, beta, np.int64(game.player(w.states[0])))  # type: ignore[arg-type]


def value(w: Any, table: Any, ply: int, depth: int, alpha: float, beta: float, mover: int) -> float:
    """The value of the node at `ply`, which is not over, for its mover; once a limit is met, of the best move so far."""
    # 1. Known already; or good enough by the evaluation.
    excluded, skipped = enter_node(w, ply, depth, alpha, beta, mover)
    whole = excluded == NO_MOVE and (ply > 0 or w.rooted == 0)
    key = game.key(w.states[ply]) if options.TABLE else np.uint64(0)
    known, first, promise, depth = recall(w, table, key, ply, depth, (alpha, beta), mover, excluded)
    standing = standing_value(w, ply, mover, whole and np.isnan(known))
    if not np.isnan(known) or is_ample(depth, standing, beta, mover):
        return known if not np.isnan(known) else pruned(w, ply, beta)
    # 2. Good or bad enough by less than a search of every move; or is the table's move the only good one?
    if options.NULL and not skipped and depth > options.NULL + 1 and standing >= beta and stages.gives_up_turn(w, ply, mover):
        w.skipped = True
        v = -value(w, table, ply + 1, stages.depth_after_skip(depth), -beta, np.nextafter(-beta, np.inf), 1 - mover)
        if v >= beta or w.control.nodes >= w.control.limit:
            return pruned(w, ply, beta)
    if options.CHECKS and whole and ply > 0 and depth < probcut.DEPTHS:
        for check in range(2 * options.CHECKS):
            left, low, high = stages.shallow(w, check, depth, alpha, beta, mover)
            if left > 0:
                v = value(w, table, ply, left, low, high, mover)
                if w.control.nodes >= w.control.limit or (v >= high if check % 2 == 0 else v <= low):
                    return pruned(w, ply, beta if check % 2 == 0 else alpha)
    singular: Any = np.int64(NO_MOVE)
    if options.SINGULAR and not np.isnan(promise):
        asked, w.excluded = promise - options.SINGULAR, first
        singular = first if value(w, table, ply, depth // 2, np.nextafter(asked, -np.inf), asked, mover) < asked else singular
        w.line_end[ply] = ply
    # 3. The first move in full; the others asked first whether they are better, late ones less deep.
    horizons, before = w.horizons, node.enter_loop(w, ply) if options.REPEATS else node.NEVER
    n, wide = list_moves(w, ply, mover, first)
    best, best_move, tried, fresh, hopeless = -np.inf, NO_MOVE, 0, wide, is_hopeless(depth, standing, alpha, mover)
    for i in range(n):
        if options.BEAM and tried == options.BEAM:
            w.horizons += 1
            break
        if options.THREADS and whole:
            fresh = threads.put_off(w, table, key, ply, i, wide, fresh, depth)
        move = w.lists[ply, i]
        if options.SINGULAR and packed(move) == excluded:
            continue
        following, quiet, restless = make_move(w, ply, i, move)
        if node.is_forbidden(w, ply + 1, following):
            continue
        tried += 1
        if options.FUTILITY and quiet and (hopeless or is_late(depth, i)) and not np.isnan(standing) and scale.is_open(best, mover):
            w.horizons += 1
            best = max(best, alpha)  # nobody knows that it is less
            continue
        if options.THREADS:
            threads.begin(table, key, move, depth)
        floor = max(alpha, best)
        longer = ply + depth < w.reach and following >= 0 and (restless or (options.SINGULAR and packed(move) == singular))
        full = depth if longer else depth - 1
        ahead = reduced(depth, i, full) if quiet else full
        ceiling, asking = beta if best_move == NO_MOVE else np.nextafter(floor, np.inf), True
        while asking:  # less deep, in full, in the whole window
            if following < 0 or full == 0:
                v, ceiling = frame.leaf(w, ply + 1, following, mover, floor, beta), beta
            elif following == mover:
                v = value(w, table, ply + 1, ahead, floor, ceiling, following)
            else:
                v = -value(w, table, ply + 1, ahead, -ceiling, -floor, following)
            asking = v > floor and (ahead < full or (ceiling < beta and v < beta)) and w.control.nodes < w.control.limit
            w.horizons += 1 if ahead < full else 0
            ceiling, ahead = beta if ahead == full else ceiling, full
        if options.THREADS:
            threads.end(table, key, move, depth)
        if w.control.nodes >= w.control.limit:
            return best
        if v > best:
            best, best_move = v, move
            if take_best(w, ply, depth, mover, (alpha, beta), v, move, whole):
                break
    # 4. Remember.
    own = node.leave_loop(w, ply, before) if options.REPEATS else True
    if options.TABLE and (own or options.TWOFOLD) and whole:
        node.remember(w, table, key, ply, depth, w.horizons == horizons, (alpha, beta), best, best_move, mover)
    trace.leave(w, ply, best)
    return best


# --- open ---


def enter_node(w: Any, ply: int, depth: int, alpha: float, beta: float, mover: int) -> tuple[int, bool]:
    """What was left for this node alone: the move to leave out, and was the turn given up before it?"""
    w.line_end[ply] = ply
    w.farthest = max(w.farthest, ply)
    trace.enter(w, ply, depth, alpha, beta, mover)
    excluded, skipped = w.excluded, w.skipped
    w.excluded, w.skipped = NO_MOVE, False
    return excluded, skipped


def recall(
    w: Any, table: Any, key: np.uint64, ply: int, depth: int, window: tuple[float, float], mover: int, excluded: int
) -> tuple[float, int, float, int]:
    """The value, where the table gives it, else NaN; its move, what it promises of that, and how deep to search."""
    known, first, promise = np.nan, np.int64(NO_MOVE), np.nan
    if (options.TABLE or options.ENDINGS) and excluded == NO_MOVE:
        known = node.foreseen(w, table, key, ply, depth, window[0], window[1], mover)
        if options.TABLE and np.isnan(known):
            first = np.int64(w.entry.move)
            if options.SINGULAR:
                promise = stages.promised(w, table, key, ply, depth, mover)
            if options.REDUCTIONS and ply > 0 and first == NO_MOVE and depth >= UNKNOWN_FROM:
                depth -= 1
    return known, first, promise, depth  # type: ignore[return-value]


def standing_value(w: Any, ply: int, mover: int, whole: bool) -> float:
    """The evaluation, where it may prune; else NaN."""
    if (options.NULL or options.FUTILITY) and ply > 0 and whole and not game.restless(w.states[ply]):
        return scale.turned(np.float64(game.evaluate(w.states[ply], 0)), 0, mover)
    return np.nan


def is_ample(depth: int, standing: float, beta: float, mover: int) -> bool:
    """Near the horizon: is the evaluation so much better than beta that it is enough?"""
    if options.FUTILITY > 0.0:
        return depth <= FUTILE_TO and standing - options.FUTILITY * depth >= beta and scale.is_open(beta, mover)
    return False


def pruned(w: Any, ply: int, value: float) -> float:
    """A value that no full search stands behind."""
    w.horizons += 1
    w.line_end[ply] = ply
    trace.settle(w, ply, value, trace.FORETOLD)
    return value


# --- moves ---


def list_moves(w: Any, ply: int, mover: int, first: int) -> tuple[int, int]:
    """The node's moves in order; at the root those that were asked for. How many, and how many of them may be searched."""
    s, moves = w.states[ply], w.lists[ply]
    n = game.moves(s, moves)
    if ply == 0 and w.rooted > 0:
        n = w.rooted
        for i in range(n):
            moves[i] = w.roots[i]
    ordering.sort(w, s, ply, n, mover, first)
    return n, min(n, options.BEAM) if options.BEAM else n


def make_move(w: Any, ply: int, i: int, move: int) -> tuple[int, bool, bool]:
    """Make the move at place i; whose turn it is then, whether the move may be searched less deep, whether it leads to a position that is searched deeper."""
    quiet = i > 0 and (options.REDUCTIONS > 0 or options.FUTILITY > 0.0) and not game.noisy(w.states[ply], move)
    following = node.step(w, ply, move)
    calm = following >= 0 and not game.restless(w.states[ply + 1])
    return following, quiet and calm, options.EXTEND and not calm


def is_hopeless(depth: int, standing: float, alpha: float, mover: int) -> bool:
    """Near the horizon: is the evaluation so much worse than alpha that no quiet move reaches it?"""
    if options.FUTILITY > 0.0:
        return depth <= HOPELESS_TO and standing + options.FUTILITY * (depth + 1) <= alpha and scale.is_open(alpha, mover)
    return False


def is_late(depth: int, i: int) -> bool:
    """Near the horizon: were enough moves tried before the one at place i that a quiet one will hardly be better?"""
    return depth <= HOPELESS_TO and i >= TRIED * (1 + depth * depth)


def reduced(depth: int, i: int, full: int) -> int:
    """How deep to search the move at place i at first, which is quiet."""
    if options.REDUCTIONS and depth >= REDUCED_FROM and i >= options.REDUCTIONS:
        return max(np.int64(1), full - REDUCTION[min(depth, MOST_TABLE) - 1, min(i, MOST_TABLE - 1)])
    return full


def take_best(w: Any, ply: int, depth: int, mover: int, window: tuple[float, float], v: float, move: int, whole: bool) -> bool:
    """The move is the best so far: its line, and is it good enough?"""
    if v > window[0]:
        node.extend_line(w, ply, move)
    if v >= window[1]:
        if whole:
            ordering.cut(w, ply, mover, move, depth)
        return True
    return False


RULE = frame.Rule()  # for what lies beyond the horizon

# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str, kept: deepening.Kept | None = None) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring. `kept` is what an earlier search left in its table."""
    constants, chosen = position.game.constants, suited(position.game, settings)
    extra = {
        "reach": np.int64,
        "excluded": np.int64,  # for the node that is asked next: a move to leave out, as the table keeps it
        "skipped": np.bool_,  # for the same: the turn was given up before it
        **probcut.FIELDS,
    }
    approximate = any(chosen[name] for name in PRUNING)
    flags = SelectiveFlags(
        **{name: chosen[name] for name in ("beam", "null", "reductions", "futility", "singular", "extend")},
        checks=chosen["checks"] if chosen["probcut"] else 0,
        twofold=approximate and constants["REPETITION"] == DRAW,
    )
    compiled = {**as_options(flags), **RULE.options()}
    cuts = (chosen["probcut"], chosen["checks"]) if chosen["probcut"] else ()
    kernel = deepening.Kernel(root, compiled, extra, approximate=approximate, tells_unfinished=True, meaning=cuts)
    search = deepening.Search(position, chosen, engine, kernel, kept)
    if chosen["probcut"]:
        probcut.fill(search.w.cuts, probcut.measured(position.game), chosen["probcut"], chosen["checks"])
    return search.results()


def suited(game: Game, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with those that were left to the game decided; refuses what the game has no rule for."""
    chosen = dict(settings)
    if chosen["quiescence"] < 0:
        chosen["quiescence"] = USUAL_QUIESCENCE if game.defines("noisy") or game.defines("restless") else 0
    if chosen["null"] < 0:
        chosen["null"] = USUAL_NULL if game.defines("skip") else 0
    if chosen["futility"] < 0:
        chosen["futility"] = float(game.constants["MARGIN"])
    for name in ("killers", "history"):  # an order made for noisy moves says nothing of quiet ones
        if chosen[name] == "auto" and game.defines("noisy"):
            chosen[name] = "on"
    if chosen["null"] and not game.defines("skip"):
        raise InputError(f"null={chosen['null']}: {game.name} does not allow a turn to be skipped; define skip(s), or set null=0")
    if chosen["singular"] and not chosen["table"]:
        raise InputError("singular: needs a table to know which move to ask about; leave table=0 out, or set singular=0")
    return chosen


METHOD = Method(
    name="selective",
    about="NegaScout that prunes and extends by judgement; strong, never exact",
    options=(
        Parameter("beam", 0, 0, 1 << 20, None, "search only this many moves of every position, the first in order; 0: all"),
        Parameter("null", -1, -1, 16, None, "null-move pruning: plies by which the search is reduced; 0: off; -1: 2 if the game has skip(s)"),
        Parameter("reductions", 4, 0, 1 << 20, None, "moves searched in full before quiet ones are reduced; 0: off"),
        Parameter("futility", -1.0, -1.0, 1e9, None, "margin for a quiet move, for pruning near the horizon; 0: off; -1: the game's MARGIN"),
        Parameter("probcut", 0.0, 0.0, 100.0, None, "trust a shallow search that leaves the window by this many standard errors; 0: off"),
        Parameter("checks", 2, 1, probcut.CHECKS, None, "shallow depths that probcut tries; 1: ProbCut, more: Multi-ProbCut"),
        Parameter("singular", 0.0, 0.0, 1e9, None, "a move better than all others by this margin is searched a ply deeper; 0: off"),
        Parameter("extend", True, None, None, None, "restless positions are searched a ply deeper"),
        *(replace(p, default=-1, low=-1, about=f"{p.about}; -1: 8 if the game has noisy moves") if p.name == "quiescence" else p
          for p in deepening.OPTIONS),
        *deepening.ROOTS,
    ),
    unfit=opposite_interests,
    run=run,
    endings=True,
    memory=deepening.Kept,
)  # fmt: skip
