"""The kernel of `solver`: is the value of a position at least `asked`? It searches to the end of the game, without evaluation or depth limit.

Values are whole numbers for the player to move at the node: twice the utility less SUM, in grains (`counted`), so that the other player's value is the
negative. Where only how soon a game ends is left to prefer (options.DISTANCE) a win d plies from the node counts options.WIN - d, a loss the negative, a
draw 0; WIN is so large that every win counts more than a draw. Such a value loses one for every ply on the way up (`nearer`), and a question gains
one on the way down (`further`): what the table keeps counts from the node and holds wherever the position comes up.

`value(w, table, ply, asked, mover)` returns v. Against the true value x:

    v >= asked      x >= v
    v <  asked      x <= v

`w` is the workspace: `states` and `lists` by ply, what ordering needs, the counters. `table` is that of kibitz/tables/bounds.py. At the root there is always
a search, and `w.best` is the move that reached what was asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import NO_MOVE, OVER
from kibitz.core.records.hashing import mix
from kibitz.core.running.control import Control
from kibitz.searches.window import threads
from kibitz.tables import bounds
from kibitz.tables.bounds import Whole
from kibitz.tables.endgame import lookup
from kibitz.tables.endgame.lookup import EQUITIES, RESULTS
from kibitz.tables.endgame.probing import LEAST_VALUE

UNTOLD = -(1 << 40)  # in place of a value
EXACTLY = 1e-6  # how far a utility may lie from a multiple of its grain
KILLER = 2.0  # what a killer is worth beside replies, or the game's order
EARNED = 1.0  # what the best history is worth
HISTORY = 4096  # moves share places; what is lost is only an order
SHARED = 3  # as deep as kibitz/searches/window/threads.py wants a node to be before threads divide its moves


def fields(state: np.dtype[Any], move: Any, wide: int, deep: int) -> dict[str, Any]:
    """The workspace: all that one search writes, one record, a single pointer through the recursion."""
    return {
        "control": Control,
        "leaves": np.int64,  # finished games, and positions that the game told the value of
        "table_shift": np.int64,
        "age": np.int64,
        "states": (state, deep + 2),
        "lists": (move, (deep + 2, wide)),
        "image": state,  # of a position, mirrored
        "scores": (np.float64, wide),
        "killers": (np.int64, (deep + 2, 2)),
        "history": (np.float64, HISTORY),
        "best": np.int64,  # the move of the root that reached what was asked
        "found": np.int64,
        "deepest": np.int64,  # plies there is room for
        "too_deep": np.bool_,  # has a line come that far?
        "uneven": np.bool_,  # has a utility been met that GRAIN does not divide?
        "together": np.int64,  # plies from the root within which threads divide the moves of a node
        # From this number of plies left on (see `plies_left`): look at the table, put moves in order, look children up before any is searched, merge mirror images.
        "stored": np.int64,
        "ordered": np.int64,
        "children": np.int64,
        "mirrored": np.int64,
    }


def ask(w: Any, table: Any, asked: Whole) -> Whole:
    """`value` of w.states[0], which is not over, for its mover."""
    ply, mover = np.int64(0), np.int64(game.player(w.states[0]))
    return value(w, table, ply, asked, mover)  # type: ignore[arg-type]  # a literal 0 would be a type of its own


def value(w: Any, table: Any, ply: int, asked: Whole, mover: Whole) -> Whole:
    """See the module's docstring. Meaningless once a limit is met."""
    s = w.states[ply]
    w.control.nodes += 1
    if ply >= w.deepest:
        w.too_deep = True
        w.control.limit = 0
        return asked
    left = plies_left(s, ply)
    asked = outcome_or_distance(asked, left)

    # 1. What the rules tell without a search.
    if ply > 0:
        answer = told_by_rules(w, s, asked, mover, left)
        if answer != UNTOLD:
            return answer

    # 2. What the table knows. A forced move is made at once.
    n = game.candidates(s, w.lists[ply]) if options.CANDIDATES else game.moves(s, w.lists[ply])
    key, kept, hint, stored = np.uint64(0), np.int64(0), np.int64(-1), False
    if options.TABLE and (n > 1 or ply == 0) and left >= w.stored:
        stored = True
        key = key_of(w, s, left)
        known = bounds.probe(w.table_shift, table, key)
        if options.BANKED:
            kept = counted_banked(w, s, mover)
        if known != bounds.NOTHING:
            low, high = bounds.lower(known) + kept, bounds.upper(known) + kept
            if ply > 0 and (low >= asked or high < asked):
                return low if low >= asked else high
            hint = bounds.hint(known)

    # 3. The moves, the most promising first; does the table know one that will do?
    if n > 1 and left >= w.ordered:
        sort(w, s, ply, n, mover, hint)
    elif n > 1 and hint >= 0:
        put_first(w, ply, n, hint)
    below = further(asked)
    if options.CHILDREN and stored and ply > 0 and left >= w.children:
        answer = known_child(w, table, ply, n, asked, below, mover)
        if answer >= asked:
            bounds.store(w.table_shift, table, key, answer - kept, options.TOP, w.found, 1)
            return answer

    # 4. Each of them, until one will do.
    best, best_move, before, fresh = np.int64(-options.TOP), np.int64(NO_MOVE), w.control.nodes, n
    for i in range(n):
        if options.SHARED and stored and ply < w.together:
            fresh = threads.put_off(w, table, key, ply, i, n, fresh, SHARED)
            threads.begin(table, key, w.lists[ply, i], SHARED)
        w.states[ply + 1] = s
        game.play(w.states[ply + 1], w.lists[ply, i])
        following: Any = np.int64(game.player(w.states[ply + 1]))
        if following == OVER:
            v = ended(w, w.states[ply + 1], mover)
        elif following == mover:
            v = value(w, table, ply + 1, below, following)
        else:
            v = -value(w, table, ply + 1, 1 - below, following)
        if options.SHARED and stored and ply < w.together:
            threads.end(table, key, w.lists[ply, i], SHARED)
        if w.control.nodes >= w.control.limit:
            return asked
        v = nearer(v)
        if v > best:
            best, best_move = v, w.lists[ply, i]
            if v >= asked:
                if i > 0:
                    remember_cut(w, ply, mover, best_move, left)
                break
    if ply == 0:
        w.best = best_move

    # 5. Remember.
    if options.TABLE and stored:
        low, high = (best - kept, options.TOP) if best >= asked else (-options.TOP, best - kept)
        bounds.store(w.table_shift, table, key, low, high, best_move, bounds.digits(w.control.nodes - before))
    return best


def told_by_rules(w: Any, s: Any, asked: Whole, mover: Whole, left: Whole) -> Whole:
    """What the rules answer without a search: what is out of reach, what is certain, what the game finishes by itself; or UNTOLD."""
    most = ceiling(s, mover, left)
    if most < asked:
        return most
    least = -ceiling(s, 1 - mover, left)
    if least >= asked:
        return least
    if options.ENDINGS:
        found = by_tables(w, s, mover)
        if found != UNTOLD:
            return found
    if options.FINISH:
        told = game.finish(s, uncounted(asked))
        if not np.isnan(told):
            w.leaves += 1
            return counted(w, told)
    return np.int64(UNTOLD)


def by_tables(w: Any, s: Any, mover: Whole) -> Whole:
    """What endgame tables say, as `mover` counts it; or UNTOLD."""
    first: Any = np.int64(UNTOLD)
    if options.ENDINGS == RESULTS:
        found = lookup.result(w.endings, s)
        if found > LEAST_VALUE and options.DISTANCE:
            return options.WIN - found if found > 0 else -options.WIN - found if found < 0 else np.int64(0)
        if found > LEAST_VALUE:
            first = counted(w, lookup.utility_for(found, mover))
    if options.ENDINGS == EQUITIES:
        equity = lookup.equity(w.endings, s)
        if not np.isnan(equity):
            first = counted(w, equity)
    return -first if mover == 1 and first != UNTOLD else first


# --- values ---


def counted(w: Any, utility: float) -> Whole:
    """A player's utility in whole numbers; notes in `w.uneven` one that GRAIN does not divide."""
    exact = (2.0 * utility - options.SUM) / options.GRAIN
    whole = np.int64(np.round(exact))
    if abs(exact - whole) > EXACTLY:
        w.uneven = True
    return whole


def counted_banked(w: Any, s: Any, mover: Whole) -> Whole:
    """What `mover` has got already, in whole numbers, and the other has not."""
    exact = 2.0 * game.banked(s, 0) / options.GRAIN
    whole = np.int64(np.round(exact))
    if abs(exact - whole) > EXACTLY:
        w.uneven = True
    return whole if mover == 0 else -whole


def uncounted(asked: Whole) -> float:
    """The utility that is counted as `asked`."""
    return 0.5 * (options.GRAIN * asked + options.SUM)


def ended(w: Any, s: Any, mover: Whole) -> Whole:
    """What a finished game is worth to `mover`."""
    w.control.nodes += 1
    w.leaves += 1
    v = counted(w, game.utility(s, 0))
    if mover == 1:
        v = -v
    if options.DISTANCE:
        return options.WIN if v > 0 else -options.WIN if v < 0 else np.int64(0)
    return v


def plies_left(s: Any, ply: int) -> Whole:
    """How many more there can be."""
    return min(game.latest(s), game.MAX_PLIES - ply) if options.LATEST else game.MAX_PLIES - ply


def ceiling(s: Any, player: int, left: Whole) -> Whole:
    """A value of the player's that nothing can exceed, when `left` more plies are left at most."""
    if options.DISTANCE:
        if options.BEST_CASE:
            most = 2.0 * game.best_case(s, player) - options.SUM
            if most < -EXACTLY:
                return left - options.WIN
            if most <= EXACTLY:
                return np.int64(0)
        soon = game.soonest(s, player) if options.SOONEST else np.int64(1)
        return options.WIN - soon if soon <= left else np.int64(0)
    if options.BEST_CASE:
        return np.int64(np.floor((2.0 * game.best_case(s, player) - options.SUM) / options.GRAIN + EXACTLY))
    return options.TOP


def outcome_or_distance(asked: Whole, left: Whole) -> Whole:
    """No win or loss is farther than `left`: a question between those and a draw is one of the outcome alone, the same wherever it is asked."""
    if options.DISTANCE:
        if 0 < asked <= options.WIN - left:
            return np.int64(1)
        if left - options.WIN < asked <= 0:
            return np.int64(0)
    return asked


def nearer(v: Whole) -> Whole:
    """A child's value as the parent counts it."""
    if options.DISTANCE:
        return v - 1 if v > 0 else v + 1 if v < 0 else v
    return v


def further(asked: Whole) -> Whole:
    """The child's value that the parent counts as `asked`."""
    if options.DISTANCE:
        return asked + 1 if asked > 0 else asked - 1 if asked < 0 else asked
    return asked


# --- the table ---


def key_of(w: Any, s: Any, left: Whole) -> np.uint64:
    """The position's key; far from the end that of all its mirror images."""
    if options.SYMMETRY and left >= w.mirrored:
        w.image = s
        game.canonical(w.image)
        return game.key(w.image)
    return game.key(s)


def known_child(w: Any, table: Any, ply: int, n: int, asked: Whole, below: Whole, mover: Whole) -> Whole:
    """The value of a move whose child the table knows to be good enough (then `w.found` is the move), or one below `asked`."""
    for i in range(n):
        child = w.states[ply + 1]
        w.states[ply + 1] = w.states[ply]
        game.play(child, w.lists[ply, i])
        following = game.player(child)
        if following != OVER:
            left = plies_left(child, ply + 1) if options.SYMMETRY else 0
            known = bounds.probe(w.table_shift, table, key_of(w, child, left))
            if known != bounds.NOTHING:
                kept = counted_banked(w, child, following) if options.BANKED else np.int64(0)
                v = bounds.lower(known) + kept if following == mover else -(bounds.upper(known) + kept)
                if v >= below and v > -options.TOP // 2:
                    w.found = w.lists[ply, i]
                    return nearer(v)
    return asked - 1


# --- which move first ---


def sort(w: Any, s: Any, ply: int, n: int, mover: Whole, hint: Whole) -> None:
    """The table's move, then by the game's order, killers and history, or by how few replies are left. Stable."""
    moves, scores = w.lists[ply], w.scores
    for i in range(n):
        move = moves[i]
        score = np.inf if (move & bounds.MOVE_BITS) == hint else worth(w, s, ply, move, mover)
        j = i
        while j > 0 and scores[j - 1] < score:
            scores[j], moves[j] = scores[j - 1], moves[j - 1]
            j -= 1
        scores[j], moves[j] = score, move


def worth(w: Any, s: Any, ply: int, move: Whole, mover: Whole) -> float:
    score = 0.0
    if options.ORDER == 2:
        score += game.solving_order(s, move)
    elif options.ORDER == 1:
        score += game.order(s, move)
    if options.REPLIES:
        child = w.states[ply + 1]
        w.states[ply + 1] = s
        game.play(child, move)
        following = game.player(child)
        if following == OVER:
            score += 1e6
        else:
            replies = game.moves(child, w.lists[ply + 1])
            score += 1.0 * replies if following == mover else -1.0 * replies
    if options.KILLERS:
        if move == w.killers[ply, 0]:
            score += KILLER
        elif move == w.killers[ply, 1]:
            score += 0.75 * KILLER
    if options.HISTORY:
        earned = w.history[place(mover, move)]
        score += EARNED * earned / (earned + 1e4)
    return score


def put_first(w: Any, ply: int, n: int, hint: Whole) -> None:
    """The table's move alone; the others as the game lists them."""
    moves = w.lists[ply]
    for i in range(n):
        if (moves[i] & bounds.MOVE_BITS) == hint:
            move = moves[i]
            for j in range(i, 0, -1):
                moves[j] = moves[j - 1]
            moves[0] = move
            break


def remember_cut(w: Any, ply: int, mover: Whole, move: Whole, left: Whole) -> None:
    """A move that was not tried first was good enough."""
    if options.KILLERS and w.killers[ply, 0] != move:
        w.killers[ply, 1] = w.killers[ply, 0]
        w.killers[ply, 0] = move
    if options.HISTORY:
        w.history[place(mover, move)] += np.float64(min(left, 30))


def place(mover: Whole, move: Whole) -> Whole:
    return np.int64(mix(np.uint64(move) * np.uint64(64) + np.uint64(mover)) % np.uint64(HISTORY))
