"""Selective search: NegaScout that looks less at what seems not to matter and more at what does. Strong, and never called exact.

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

Whatever was pruned counts as a horizon: the table never calls such a value final. Where anything is pruned, a position of the path that comes up again is a
draw already, and values are stored though they may depend on the path, as chess programs do: storing only values that do not depend on the path leaves the table nearly empty.
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
from kibitz.searches import deepening, trace
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
    w.reach = min(2 * depth, min(game.MAX_PLIES, node.DEEPEST))
    w.excluded, w.skipped = NO_MOVE, False
    return frame.root(w, arrays, depth, alpha, beta)


# --- open ---


def open_node(w: Any, arrays: Any, top: int) -> float:
    """The node's value, where the table or the evaluation gives it."""
    f = w.frames[top]
    ply = f.ply
    w.line_end[ply] = ply
    w.farthest = max(w.farthest, ply)
    f.whole = ply > 0 or w.rooted == 0
    if stages.any_asks():
        stages.begin(w, f)
    trace.enter(w, ply, f.depth, f.alpha, f.beta, f.side)
    f.key, f.first = game.key(w.states[ply]) if options.TABLE else np.uint64(0), NO_MOVE
    if options.TABLE and not stages.is_excluding(f):
        known = node.foreseen(w, arrays.table, f.key, ply, f.depth, f.alpha, f.beta, f.side)
        if not np.isnan(known):
            return known
        f.first = w.entry.move
        if options.SINGULAR:
            f.promise = stages.promised(w, arrays.table, f)
        if options.REDUCTIONS and ply > 0 and f.first == NO_MOVE and f.depth >= UNKNOWN_FROM:
            f.depth -= 1
    if options.NULL or options.FUTILITY:
        f.standing = np.nan
        if ply > 0 and f.whole and not game.restless(w.states[ply]):
            f.standing = node.turned(np.float64(game.evaluate(w.states[ply], 0)), 0, f.side)
    if options.FUTILITY and f.depth <= FUTILE_TO and f.standing - options.FUTILITY * f.depth >= f.beta and node.is_open(f.beta, f.side):
        return pruned(w, f, f.beta)
    if not stages.any_asks():
        begin_moves(w, f)
    return np.nan


def pruned(w: Any, f: Any, value: float) -> float:
    """A value that no full search stands behind."""
    w.horizons += 1
    w.line_end[f.ply] = f.ply
    trace.settle(w, f.ply, value, trace.FORETOLD)
    return value


# --- ask: less than a search of every move first ---


def ask(w: Any, arrays: Any, top: int) -> float:
    """The next question about the node, to the frame above (NaN); or the value of a move that leads to a leaf."""
    f = w.frames[top]
    while stages.any_asks() and f.stage < stages.moves_stage():
        f.stage += 1
        if f.stage == stages.moves_stage():
            begin_moves(w, f)
        elif stages.asks_first(w, top, f):
            return np.nan
    return ask_move(w, arrays, top)


# --- ask: then the moves ---


def begin_moves(w: Any, f: Any) -> None:
    """The node's moves in order; at the root those that were asked for."""
    ply = f.ply
    frame.begin_moves(w, f, ply)
    f.again = False
    s, moves = w.states[ply], w.lists[ply]
    n = game.moves(s, moves)
    if ply == 0 and w.rooted > 0:
        n = w.rooted
        for i in range(n):
            moves[i] = w.roots[i]
    ordering.sort(w, s, ply, n, f.side, f.first)
    f.at, f.count, f.tried = -1, n, 0
    if options.THREADS:
        f.wide = min(n, options.BEAM) if options.BEAM else n
        f.fresh = f.wide
    if options.FUTILITY:
        hopeless = f.depth <= HOPELESS_TO and f.standing + options.FUTILITY * (f.depth + 1) <= f.alpha
        f.hopeless = hopeless and node.is_open(f.alpha, f.side)


def ask_move(w: Any, arrays: Any, top: int) -> float:
    """The value of a move that leads to a leaf; NaN for one that is asked about: less deep, in full, in the whole window."""
    f = w.frames[top]
    if not f.again and not goes_on(w, arrays, f):
        return f.best
    following, floor = f.following, max(f.alpha, f.best)
    if following < 0 or f.full == 0:
        f.high = f.beta
        return frame.ask_leaf(w, top, f.ply, following, floor)
    node.pose_child(w, top, following, f.ahead, floor, f.high)
    return np.nan


def goes_on(w: Any, arrays: Any, f: Any) -> bool:
    """Make the next move that is to be searched; False where there is none."""
    ply = f.ply
    for at in range(f.at + 1, f.count):
        if options.BEAM and f.tried == options.BEAM:
            w.horizons += 1
            break
        f.at = at
        if options.THREADS and f.whole:
            f.fresh = threads.put_off(w, arrays.table, f.key, ply, at, f.wide, f.fresh, f.depth)
        move = w.lists[ply, at]
        if stages.is_excluding(f) and packed(move) == f.excluded:
            continue
        quiet = at > 0 and (options.REDUCTIONS > 0 or options.FUTILITY > 0.0) and not game.noisy(w.states[ply], move)
        following = node.step(w, ply, move)
        if node.is_forbidden(w, ply + 1, following):
            continue
        f.tried += 1
        calm = following >= 0 and not game.restless(w.states[ply + 1])
        if options.FUTILITY and quiet and calm and is_futile(f):
            w.horizons += 1
            f.best = max(f.best, f.alpha)  # nobody knows that it is less
            continue
        if options.THREADS:
            threads.begin(arrays.table, f.key, move, f.depth)
        f.following = following
        plan_depth(w, f, move, following, quiet, calm)
        return True
    f.at = f.count
    return False


def is_futile(f: Any) -> bool:
    """Near the horizon: will a quiet move hardly be better, for the evaluation, or for all that were tried before it?"""
    late = f.depth <= HOPELESS_TO and f.at >= TRIED * (1 + f.depth * f.depth)
    return (f.hopeless or late) and not np.isnan(f.standing) and node.is_open(f.best, f.side)


def plan_depth(w: Any, f: Any, move: int, following: int, quiet: bool, calm: bool) -> None:
    """How deep to search the move, how deep at first, and in which window at first."""
    depth, at = f.depth, f.at
    f.high = f.beta if f.best_move == NO_MOVE else np.nextafter(max(f.alpha, f.best), np.inf)
    full = depth - 1
    if (
        following >= 0
        and f.ply + depth < w.reach
        and ((options.EXTEND and not calm) or (stages.is_singular(f) and packed(move) == f.first))
    ):
        full = depth
    f.full, f.ahead = full, full
    if options.REDUCTIONS and quiet and calm and depth >= REDUCED_FROM and at >= options.REDUCTIONS:
        f.ahead = max(np.int64(1), full - REDUCTION[min(depth, MOST_TABLE) - 1, min(at, MOST_TABLE - 1)])


# --- take and close ---


def take(w: Any, arrays: Any, top: int, v: float) -> bool:
    """The last question was answered with v. Is the node done?"""
    f = w.frames[top]
    if stages.any_asks() and f.stage < stages.moves_stage():
        return stages.takes_first(w, f, v)
    if f.at == f.count:
        return True
    f.again = v > max(f.alpha, f.best) and (f.ahead < f.full or (f.high < f.beta and v < f.beta))
    if f.ahead < f.full:
        w.horizons += 1
        f.ahead = f.full
    else:
        f.high = f.beta
    if f.again:
        return False
    if options.THREADS:
        threads.end(arrays.table, f.key, w.lists[f.ply, f.at], f.depth)
    if frame.is_enough(w, f, f.ply, v):
        if f.whole:
            ordering.cut(w, f.ply, f.side, f.best_move, f.depth)
        return True
    return False


def close(w: Any, arrays: Any, top: int) -> float:
    """The node's value, which the table keeps if all moves count."""
    f = w.frames[top]
    if stages.any_asks() and f.foretold:
        return pruned(w, f, f.best)
    own = True
    if options.REPEATS:
        own = node.leave_loop(w, f.ply, f.before)
    if options.TABLE and (own or options.TWOFOLD) and f.whole:
        node.remember(w, arrays.table, f.key, f.ply, f.depth, w.horizons == f.horizons, (f.alpha, f.beta), f.best, f.best_move, f.side)
    trace.leave(w, f.ply, f.best)
    return f.best


RULE = frame.Rule(open=open_node, ask=ask, take=take, close=close)

# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str, kept: deepening.Kept | None = None) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring. `kept` is what an earlier search left in its table."""
    constants, chosen = position.game.constants, suited(position.game, settings)
    extra = {
        "frames": node.frames(constants, **stages.FIELDS),
        "reach": np.int64,
        "excluded": np.int64,  # for the node that is asked next: see stages.FIELDS
        "skipped": np.bool_,
        "rooted": np.int64,
        "roots": (constants["MOVE"], constants["MAX_MOVES"]),
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
    search = deepening.Search(
        position, chosen, engine, root, compiled, extra, approximate=approximate, kept=kept, unfinished=True, meaning=cuts
    )
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
        Parameter("null", -1, -1, 16, None, "plies saved where a skipped turn is good enough; 0: off; -1: 2 where the game has skip(s)"),
        Parameter("reductions", 4, 0, 1 << 20, None, "moves searched in full before quiet ones are searched less deep; 0: off"),
        Parameter("futility", -1.0, -1.0, 1e9, None, "what a quiet move may change, for pruning near the horizon; 0: off; -1: the game's MARGIN"),
        Parameter("probcut", 0.0, 0.0, 100.0, None, "trust a shallow search that leaves the window by so many standard errors; 0: off"),
        Parameter("checks", 2, 1, probcut.CHECKS, None, "shallow depths that probcut tries; 1: ProbCut, more: Multi-ProbCut"),
        Parameter("singular", 0.0, 0.0, 1e9, None, "a move better than all others by so much is searched a ply deeper; 0: off"),
        Parameter("extend", True, None, None, None, "restless positions are searched a ply deeper"),
        *(replace(p, default=-1, low=-1, about=f"{p.about}; -1: 8 where the game has noisy moves") if p.name == "quiescence" else p
          for p in deepening.OPTIONS),
        *deepening.ROOTS,
    ),
    unfit=opposite_interests,
    run=run,
    memory=deepening.Kept,
)  # fmt: skip
