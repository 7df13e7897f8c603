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
    quiescence=n   see kibitz/searches/quiescence.py

Whatever was pruned counts as a horizon: the table never calls such a value final. Where anything is pruned, a position of the path that comes up again is a
draw already, and values are stored though they may depend on the path, as chess programs do: who waits for certainty stores next to nothing.
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
from kibitz.searches import deepening, node, ordering, quiescence, sharing, trace
from kibitz.searches.deterministic import probcut
from kibitz.searches.method import Method, opposite_interests
from kibitz.tables import transposition
from kibitz.tables.transposition import packed

USUAL_QUIESCENCE, USUAL_NULL = 8, 2
SHALLOW = 3  # plies a promise in the table may be less deep than the node it speaks of
NULL_SLOPE = 4  # plies of depth for every ply more that a skipped turn saves
REDUCED_FROM = 3  # depth from which late moves are reduced
UNKNOWN_FROM = 5  # depth from which a node without a move to try first is searched a ply less deep
FUTILE_TO = 6  # depth to which an evaluation far above beta is enough
HOPELESS_TO = 3  # depth to which quiet moves are left out
TRIED = 4  # quiet moves tried before others are left out, at depth 0; more by the square of the depth
MOST_TABLE = 64
_PLACES: Any = np.log(np.arange(1, MOST_TABLE + 1))
REDUCTION = np.maximum(1, np.floor(0.4 + np.outer(_PLACES, _PLACES) / 2.2)).astype(np.int64)  # by depth - 1 and place in the order
SINGULAR_FROM = 4  # depth from which a singular move is looked for
PRUNING = ("beam", "null", "reductions", "futility", "probcut")  # options that leave something out

# --- kernels ---


def root(w: Any, table: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. Meaningless once a limit is met."""
    w.control.nodes += 1
    if w.control.nodes >= w.control.limit:
        return np.nan
    w.reach = min(2 * depth, min(game.MAX_PLIES, node.DEEPEST))
    for ply in range(w.reach + 1):
        w.excluded[ply], w.skipped[ply] = NO_MOVE, 0
    return value(w, table, np.int64(0), depth, alpha, beta, np.int64(game.player(w.states[0])))  # type: ignore[arg-type]


def value(w: Any, table: Any, ply: int, depth: int, alpha: float, beta: float, mover: int) -> float:
    s = w.states[ply]
    w.line_end[ply] = ply
    w.farthest = max(w.farthest, ply)
    excluded, skipped = w.excluded[ply], w.skipped[ply]  # meant for this call alone
    w.excluded[ply], w.skipped[ply] = NO_MOVE, 0
    whole = excluded == NO_MOVE and (ply > 0 or w.rooted == 0)
    trace.enter(w, ply, depth, alpha, beta, mover)

    # 1. Known already, or at least a move to try first.
    key, first, promise = game.key(s) if options.TABLE else np.uint64(0), NO_MOVE, np.nan
    if options.TABLE and excluded == NO_MOVE:
        foreseen = node.foreseen(w, table, key, ply, depth, alpha, beta, mover)
        if not np.isnan(foreseen):
            return foreseen
        first = w.entry.move
        if options.SINGULAR:
            promise = promised(w, table, key, ply, depth, mover)
        if options.REDUCTIONS and ply > 0 and first == NO_MOVE and depth >= UNKNOWN_FROM:
            depth -= 1

    # 2. Good or bad enough by less than a search of every move.
    standing = np.nan
    if (options.NULL or options.FUTILITY) and ply > 0 and whole and not game.restless(s):
        standing = node.turned(np.float64(game.evaluate(s, 0)), 0, mover)
    if options.FUTILITY and depth <= FUTILE_TO and standing - options.FUTILITY * depth >= beta and node.is_open(beta, mover):
        return pruned(w, ply, beta)
    if options.NULL and skipped == 0 and depth > options.NULL + 1 and standing >= beta:
        following: Any = np.int64(game.player(w.states[ply + 1])) if give_up_turn(w, ply) else mover
        if following >= 0 and following != mover:
            w.skipped[ply + 1] = 1
            ceiling = np.nextafter(-beta, np.inf)
            left = max(np.int64(1), depth - 1 - options.NULL - depth // NULL_SLOPE)
            v = -value(w, table, ply + 1, left, -beta, ceiling, following)
            if v >= beta or w.control.nodes >= w.control.limit:
                return pruned(w, ply, beta)
    if options.CHECKS and whole and ply > 0 and depth < probcut.DEPTHS:
        least, most = node.seen(options.LOW, options.HIGH, mover)
        for check in range(options.CHECKS):
            shallow = w.cuts[depth, check].shallow
            if shallow > 0:
                asked = probcut.enough(w.cuts[depth, check], beta, mover)
                if asked < most:
                    v = value(w, table, ply, shallow, np.nextafter(asked, -np.inf), asked, mover)
                    if v >= asked:
                        return pruned(w, ply, beta)
                asked = probcut.too_little(w.cuts[depth, check], alpha, mover)
                if asked > least:
                    v = value(w, table, ply, shallow, asked, np.nextafter(asked, np.inf), mover)
                    if v <= asked:
                        return pruned(w, ply, alpha)
                if w.control.nodes >= w.control.limit:
                    return alpha

    # 3. Is the table's move the only good one?
    singular = False
    if options.SINGULAR and not np.isnan(promise):
        asked = promise - options.SINGULAR
        w.excluded[ply] = first
        singular = value(w, table, ply, depth // 2, np.nextafter(asked, -np.inf), asked, mover) < asked
        w.line_end[ply] = ply

    # 4. The first move in full; the others asked first whether they are better, late ones less deep.
    horizons, before, own = w.horizons, node.NEVER, True
    if options.REPEATS:
        before = node.enter_loop(w, ply)
    best, best_move = -np.inf, NO_MOVE
    n = game.moves(s, w.lists[ply])
    if ply == 0 and w.rooted > 0:
        n = asked_for(w)
    ordering.sort(w, s, ply, n, mover, first)
    wide, tried = min(n, options.BEAM) if options.BEAM else n, 0  # moves that count: not those that the rule on repetition forbids
    fresh = wide
    hopeless = options.FUTILITY > 0.0 and depth <= HOPELESS_TO and standing + options.FUTILITY * (depth + 1) <= alpha
    hopeless = hopeless and node.is_open(alpha, mover)
    for i in range(n):
        if options.BEAM and tried == options.BEAM:
            w.horizons += 1
            break
        if options.SHARED and whole:
            fresh = sharing.put_off(w, table, key, ply, i, wide, fresh, depth)
        move = w.lists[ply, i]
        if packed(move) == excluded:
            continue
        quiet = i > 0 and (options.REDUCTIONS > 0 or options.FUTILITY > 0.0) and not game.noisy(s, move)
        following = node.step(w, ply, move)
        if node.is_forbidden(w, ply + 1, following):
            continue
        tried += 1
        calm = following >= 0 and not game.restless(w.states[ply + 1])
        if options.FUTILITY and quiet and calm and (hopeless or late(depth, i)) and not np.isnan(standing) and node.is_open(best, mover):
            w.horizons += 1
            best = max(best, alpha)  # nobody knows that it is less
            continue
        if options.SHARED:
            sharing.begin(table, key, move, depth)
        floor = max(alpha, best)
        ceiling = beta if best_move == NO_MOVE else np.nextafter(floor, np.inf)
        full = depth - 1
        if following >= 0 and ply + depth < w.reach and ((singular and packed(move) == first) or (options.EXTEND and not calm)):
            full += 1
        ahead = full
        if options.REDUCTIONS and quiet and calm and depth >= REDUCED_FROM and i >= options.REDUCTIONS:
            ahead = max(np.int64(1), full - REDUCTION[min(depth, MOST_TABLE) - 1, min(i, MOST_TABLE - 1)])
        v, asking = -np.inf, True
        while asking:  # less deep, in full, in the whole window
            if following < 0 or full == 0:
                v = quiescence.leaf(w, ply + 1, following, mover, floor, beta)
                ceiling = beta
            elif following == mover:
                v = value(w, table, ply + 1, ahead, floor, ceiling, following)
            else:
                v = -value(w, table, ply + 1, ahead, -ceiling, -floor, following)
            asking = v > floor and (ahead < full or (ceiling < beta and v < beta)) and w.control.nodes < w.control.limit
            ceiling = beta if ahead == full else ceiling
            w.horizons += 1 if ahead < full else 0
            ahead = full
        if options.SHARED:
            sharing.end(table, key, move, depth)
        if w.control.nodes >= w.control.limit:
            return best
        if v > best:
            best, best_move = v, move
            if v > alpha:
                node.extend_line(w, ply, move)
            if v >= beta:
                if whole:
                    ordering.cut(w, ply, mover, move, depth)
                break

    # 5. Remember.
    if options.REPEATS:
        own = node.leave_loop(w, ply, before)
    if options.TABLE and (own or options.TWOFOLD) and whole:
        node.remember(w, table, key, ply, depth, w.horizons == horizons, (alpha, beta), best, best_move, mover)
    trace.leave(w, ply, best)
    return best


def pruned(w: Any, ply: int, value: float) -> float:
    """A value that no full search stands behind."""
    w.horizons += 1
    w.line_end[ply] = ply
    trace.settle(w, ply, value, trace.FORETOLD)
    return value


def late(depth: int, i: int) -> bool:
    """Were so many moves tried before the one at place i that a quiet one will hardly be better, near the horizon?"""
    return depth <= HOPELESS_TO and i >= TRIED * (1 + depth * depth)


def asked_for(w: Any) -> int:
    """The moves of the root that are to be looked at; how many."""
    for i in range(w.rooted):
        w.lists[0, i] = w.roots[i]
    return w.rooted


def give_up_turn(w: Any, ply: int) -> bool:
    """Skip the mover's turn, in the state above; False where that is not allowed."""
    w.states[ply + 1] = w.states[ply]
    if not game.skip(w.states[ply + 1]):
        return False
    w.control.nodes += 1
    trace.step(w, ply, NO_MOVE)
    if options.REPEATS:
        w.since[ply + 1] = w.past + ply + 1  # nothing before counts as repeated
        w.keys[w.past + ply + 1] = game.situation(w.states[ply + 1])
    return True


def promised(w: Any, table: Any, key: np.uint64, ply: int, depth: int, mover: int) -> float:
    """What the table's move is worth at least, by a search nearly as deep; NaN where that is unknown, or a won or lost game."""
    if ply == 0 or depth < SINGULAR_FROM or ply + depth >= w.reach or not transposition.probe(w, table, key):
        return np.nan
    if w.entry.move == NO_MOVE or w.entry.depth < depth - SHALLOW:
        return np.nan
    lower = node.promised(w, ply, mover)[0]
    least, most = node.seen(options.LOW, options.HIGH, mover)
    return lower if least < lower < most else np.nan


# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str, kept: deepening.Kept | None = None) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring. `kept` is what an earlier search left in its table."""
    constants, chosen = position.game.constants, suited(position.game, settings)
    deep = node.plies(constants)
    extra = {
        "reach": np.int64,
        "excluded": (np.int64, deep + 2),
        "skipped": (np.int64, deep + 2),
        "rooted": np.int64,
        "roots": (constants["MOVE"], constants["MAX_MOVES"]),
        **probcut.FIELDS,
    }
    flags = {"SOFT": True, **{name.upper(): chosen[name] for name in ("beam", "null", "reductions", "futility", "singular", "extend")}}
    flags["CHECKS"] = chosen["checks"] if chosen["probcut"] else 0
    approximate = any(chosen[name] for name in PRUNING)
    flags["TWOFOLD"] = approximate and constants["REPETITION"] == DRAW
    cuts = (chosen["probcut"], chosen["checks"]) if chosen["probcut"] else ()
    search = deepening.Search(
        position, chosen, engine, root, flags, extra, approximate=approximate, kept=kept, unfinished=True, meaning=cuts
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
        Parameter("beam", 0, 0, 1 << 20, None, "only so many moves of every position, the first in order; 0: all"),
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
