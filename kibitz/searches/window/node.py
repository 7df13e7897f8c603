"""What all deterministic two-player searches share at a node: the workspace, leaves, the table, the best line.

Values are for the player to move at the node (`mover`): the first player's as they are, the second's the negative of the first's, whatever SUM is. To
turn a value over is then exact, a bound remains a bound, and a null window stays as narrow as it was (SUM - (SUM - v) need not be v). The second
player's own values, SUM more, are made of them where an answer leaves the search: `deepening`. Players need not alternate: a child's value counts as
it is when the same player moves again, and is turned over when the other one does.

**Distance.** How far away a win is: see kibitz/searches/scale.py. In the table such values count from the node, not from the root.

**Horizon.** `w.horizons` counts evaluations of unfinished games. A value found without any is final: no deeper search can change it. It is stored
with depth SOLVED and, unless `options.STRICT`, serves searches of every depth.

**Banked.** Where a game says what a player has got already, whatever happens (`banked`), table values exclude it: positions that differ in
nothing else share an entry.

**Endgame tables.** With `options.ENDINGS` a position that a table holds is worth what the table says, without a search, at nodes and at leaves (`by_tables`).

**Repetition.** Where the game says that positions may repeat, `w.keys` holds the situations of the game so far and of the path; a position that has
come up often enough ends the game there, or was not allowed and counts as worse than anything that is. Such a value belongs to this path alone: `w.loop` is the first place in `w.keys` it depends on, and a
node is stored only if nothing before itself was asked. With `options.TWOFOLD` a position of the path that comes up once more counts as repeated: who can go
in a circle once can do it again.

A stored value may still meet a path on which it would have repeated. `w.doubts` counts the table's answers of which that is not ruled out: the move
that led to the node can be taken back, or the entry was itself made of such an answer. A value found without any is as exact as one found without
a table; `deepening` calls no other proven.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import FORBIDDEN, LOSS, NO_MOVE, OVER
from kibitz.core.records.record import record
from kibitz.core.running.control import Control
from kibitz.searches import trace
from kibitz.searches.scale import by_distance, from_node, from_root, kept_clear, seen, turned
from kibitz.searches.window import ordering
from kibitz.tables import transposition
from kibitz.tables.endgame import lookup
from kibitz.tables.endgame.lookup import EQUITIES, RESULTS
from kibitz.tables.endgame.probing import LEAST_VALUE
from kibitz.tables.transposition import SOLVED

REPEATED = -3  # in place of a player: the game ends here because the position has come up before
NEVER = 1 << 30
PAST = 512  # keys of the game so far, unless there are more: see `room_for`
DEEPEST = 256  # plies; the stack is as deep as a search may go, not as a game may last


# A node on the path from the root, as `frame.search` keeps it: a question, and what is known of the answer. Searches may add fields: `frames`.
FRAME = {
    # The question: what is the node at `ply` worth to `side`, searched so deep, in the window (alpha, beta)?
    "ply": np.int64,
    "depth": np.int64,
    "side": np.int64,  # the player to move; where chance is to decide, whoever asks
    "alpha": np.float64,
    "beta": np.float64,
    "beyond": np.int64,  # plies beyond the horizon, counting this one: see quiescence; 0 for a node before it
    # What is known of the answer.
    "best": np.float64,
    "best_move": np.int64,
    "key": np.uint64,
    "horizons": np.int64,  # w.horizons when the first move was tried
    "before": np.int64,  # what the parent depends on: see `enter_loop`
    # The move under way.
    "at": np.int64,  # its place in w.lists[ply]
    "count": np.int64,  # how many there are
    "fresh": np.int64,  # the moves from here on have given way once: see threads
    "following": np.int64,  # whose turn it is after it
    "again": np.bool_,  # its value was asked for before, in a narrower window
    "found": np.float64,  # what came of that
}


def plies(constants: dict[str, Any]) -> int:
    return min(int(constants["MAX_PLIES"]), DEEPEST)


def room_for(past: int) -> int:
    """Keys of the game so far that a workspace has room for: few sizes, so that few are compiled."""
    room = PAST
    while room < past:
        room *= 8
    return room


def fields(constants: dict[str, Any], past: int = PAST) -> dict[str, Any]:
    """The workspace: all that one search writes, one record, a single pointer through the recursion; with room for `past` keys of the game so far."""
    deep = plies(constants)
    return {
        "control": Control,
        "horizons": np.int64,
        "leaves": np.int64,  # finished games and horizons, each time one is visited
        "states": (constants["State"], deep + 1),
        "lists": (constants["MOVE"], (deep + 1, constants["MAX_MOVES"])),
        "line": (constants["MOVE"], (deep + 1, deep + 1)),  # line[p][p:line_end[p]]: best play from ply p
        "line_end": (np.int64, deep + 2),
        "keys": (np.uint64, past + deep + 2),  # of the game so far, then of the path: keys[past + ply]
        "since": (np.int64, deep + 2),  # since[ply]: where in keys the positions begin that the one at ply could repeat
        "past": np.int64,
        "loop": np.int64,
        "doubts": np.int64,
        "doubted": (np.int64, deep + 2),  # w.doubts when the node at ply was entered
        "farthest": np.int64,  # the ply of the deepest node so far, in searches that note it
        "frames": frames(constants),
        **transposition.FIELDS,
        **ordering.fields(constants, deep),
    }


def root_fields(constants: dict[str, Any]) -> dict[str, Any]:
    """For searches that may look at some of the root's moves alone: those in `roots`, of which there are `rooted`; 0: at all."""
    return {"rooted": np.int64, "roots": (constants["MOVE"], constants["MAX_MOVES"])}


def frames(constants: dict[str, Any], **more: Any) -> tuple[Any, int]:
    """The stack of frames, each with the fields that a search adds. A node may be searched less deep before it is searched: two for a ply."""
    return record(**FRAME, **more), 2 * plies(constants) + 3


# --- questions ---


def pose(w: Any, top: int, ply: int, depth: int, side: int, alpha: float, beta: float) -> None:
    """Ask the frame at `top` what the node at `ply` is worth to `side`."""
    f = w.frames[top]
    f.ply, f.depth, f.side, f.alpha, f.beta = ply, depth, side, alpha, beta
    if options.QUIESCENCE:
        f.beyond = 0


def pose_child(w: Any, top: int, following: int, depth: int, low: float, high: float) -> None:
    """Ask what the move under way is worth, in a window of the frame's own side; `following` is whose turn it is after the move."""
    f = w.frames[top]
    if following == f.side:
        pose(w, top + 1, f.ply + 1, depth, following, low, high)
    else:
        pose(w, top + 1, f.ply + 1, depth, following, -high, -low)


# --- moves and leaves ---


def step(w: Any, ply: int, move: int) -> int:
    """Make a move of the state at `ply` in the state above it; whose turn it is there."""
    w.states[ply + 1] = w.states[ply]
    game.play(w.states[ply + 1], move)
    w.control.nodes += 1
    trace.step(w, ply, move)
    following: Any = side_of(w, w.states[ply + 1])  # one type, also where REPEATED is another answer
    if options.REPEATS and following != OVER:
        w.since[ply + 1] = w.past + ply + 1 if game.irreversible(w.states[ply], move) else w.since[ply]
        w.keys[w.past + ply + 1] = game.situation(w.states[ply + 1])
        if first_of_repetition(w, ply + 1) < NEVER:
            return REPEATED
    return following


def side_of(w: Any, s: Any) -> int:
    """Whose turn it is: the player, or, where the search sees one player against all others, which of these two sides; OVER or CHANCE."""
    player = np.int64(game.player(s))
    if options.COALITION and player >= 0:
        return np.int64(0) if player == w.hero else np.int64(1)  # type: ignore[return-value]
    return player  # type: ignore[return-value]


def first_player(w: Any) -> int:
    """Whose values the search counts."""
    return w.hero if options.COALITION else 0


def first_of_repetition(w: Any, ply: int) -> int:
    """Where in `w.keys` the position at `ply` first stood, if it has come up often enough; NEVER else."""
    here, times = w.past + ply, 1
    if game.REPETITION == FORBIDDEN and here > 0 and w.keys[here] == w.keys[here - 1]:
        return NEVER  # the move changed nothing: a pass
    for i in range(here - 1, w.since[ply] - 1, -1):
        if w.keys[i] == w.keys[here]:
            times += 1
            if times == game.REPETITIONS or (options.TWOFOLD and i > w.past):
                return i
    return NEVER


def is_forbidden(w: Any, ply: int, following: int) -> bool:
    """Was the move to the node at `ply` not allowed? What its parent is worth depends on the path then, as with any repetition."""
    if options.REPEATS and game.REPETITION == FORBIDDEN and following == REPEATED:
        w.loop = min(w.loop, first_of_repetition(w, ply))
        return True
    return False


def leaf(w: Any, ply: int, following: int, mover: int) -> float:
    """The value for `mover`, who moved here, of a finished game, or of the position at the horizon."""
    return leaf_for(w, ply, following, mover, mover)


def leaf_for(w: Any, ply: int, following: int, mover: int, view: int) -> float:
    """The same for player `view`; `mover` may be CHANCE."""
    w.line_end[ply] = ply
    w.leaves += 1
    value = turned(worth(w, ply, following, mover), 0, view)
    trace.leaf(w, ply, value, following, view)
    return value


def worth(w: Any, ply: int, following: int, mover: int) -> float:
    """What `leaf` returns, for the first player."""
    if following == OVER:
        return finished(w, w.states[ply], ply)
    if options.REPEATS and following == REPEATED:
        w.loop = min(w.loop, first_of_repetition(w, ply))
        if game.REPETITION == FORBIDDEN:  # worse for the mover than any move that is allowed, and there always is one
            return options.LOW - 1.0 if mover == 0 else options.HIGH + 1.0
        if game.REPETITION == LOSS and mover >= 0:  # what chance brought about is nobody's fault
            return by_distance(options.LOW if mover == 0 else options.HIGH, ply)
        return options.DRAWN
    if options.ENDINGS:
        known = by_tables(w, ply, following)
        if not np.isnan(known):
            return known
    return estimated(w, w.states[ply])


def finished(w: Any, s: Any, ply: int) -> float:
    """What a finished game is worth to the first player."""
    return by_distance(np.float64(game.utility(s, first_player(w))), ply)


def estimated(w: Any, s: Any) -> float:
    """The evaluation at the horizon, for the first player; kept clear of the values that a distance makes of wins and losses."""
    w.horizons += 1
    return kept_clear(np.float64(game.evaluate(s, first_player(w))))


# --- the table ---


def recall(w: Any, table: Any, key: np.uint64, ply: int, depth: int, mover: int) -> bool:
    """Is the position known to this depth? Then `w.entry` holds its bounds for `mover`, as they are from the root."""
    if not transposition.probe(w, table, key):
        w.entry.move = NO_MOVE
        return False
    e = w.entry
    if e.depth != depth and (options.STRICT or not (e.depth == SOLVED or (options.DEEPER and e.depth > depth))):
        return False
    e.lower, e.upper = promised(w, ply, mover)
    return True


def promised(w: Any, ply: int, mover: int) -> tuple[float, float]:
    """The bounds in `w.entry`, which are the first player's and count from the node, for `mover` and from the root."""
    lower, upper = from_node(w.entry.lower, ply), from_node(w.entry.upper, ply)
    if options.BANKED:
        kept = game.banked(w.states[ply], first_player(w))
        lower, upper = lower + kept, upper + kept
    return seen(lower, upper, mover)


def trust(w: Any, ply: int) -> None:
    """Bounds in `w.entry` are used for the node at `ply`: count what keeps them from being final, or from being true on every path."""
    if w.entry.depth != SOLVED:
        w.horizons += 1
    if options.REPEATS and (w.entry.doubt != 0 or w.entry.age != w.age or w.since[ply] < w.past + ply):
        w.doubts += 1


def enter_loop(w: Any, ply: int) -> int:
    """Begin to watch what a node depends on; returns what its parent depends on so far."""
    before = w.loop
    w.loop = NEVER
    w.doubted[ply] = w.doubts
    return before


def leave_loop(w: Any, ply: int, before: int) -> bool:
    """Does the node's value depend on itself and what is below alone? Its parent depends on what it depends on."""
    own = w.loop >= w.past + ply
    w.loop = before if own else min(before, w.loop)
    return own


def remember(
    w: Any, table: Any, key: np.uint64, ply: int, depth: int, final: bool, window: tuple[float, float], best: float, move: int, mover: int
) -> None:
    """Store what a search with this window found."""
    store(w, table, key, ply, depth, final, best if best > window[0] else -np.inf, best if best < window[1] else np.inf, move, mover)


def store(w: Any, table: Any, key: np.uint64, ply: int, depth: int, final: bool, lower: float, upper: float, move: int, mover: int) -> None:
    """Store bounds that are `mover`'s."""
    low, high = seen(lower, upper, mover)
    low, high = from_root(low, ply), from_root(high, ply)
    if options.BANKED:
        kept = game.banked(w.states[ply], first_player(w))
        low, high = low - kept, high - kept
    doubtful = options.REPEATS and w.doubts != w.doubted[ply]
    transposition.store(w, table, key, SOLVED if final and not options.STRICT else depth, low, high, transposition.packed(move), doubtful)


# --- endgame tables ---


def by_tables(w: Any, ply: int, player: int) -> float:
    """What endgame tables say of the node at `ply`, where `player` is to move, for the first player; NaN where they say nothing.

    It is final. Only where something that has come up before might come up again on the way to a win, other paths may have come to another value.
    """
    if options.ENDINGS == EQUITIES:
        return lookup.equity(w.endings, w.states[ply])
    if options.ENDINGS == RESULTS:
        found = lookup.result(w.endings, w.states[ply])
        if found <= LEAST_VALUE or ply + abs(found) > game.MAX_PLIES:
            return np.nan
        if options.REPEATS and found != 0 and w.since[ply] < w.past + ply:
            w.doubts += 1
            w.horizons += 1 if w.endings.recurring else 0
        return by_distance(lookup.utility_for(found, player), ply + abs(found))
    return np.nan


# --- before any move ---


def foreseen(w: Any, table: Any, key: np.uint64, ply: int, depth: int, alpha: float, beta: float, mover: int) -> float:
    """A value that answers the window (alpha, beta) before any move is made, or NaN; with a table, `w.entry.move` is the move to try first.

    At the root there is always a search: a move is wanted there.
    """
    answer = np.nan
    if options.ENDINGS and ply > 0:
        answer = turned(by_tables(w, ply, mover), 0, mover)
    how = trace.KNOWN
    if options.BEST_CASE and ply > 0 and np.isnan(answer):
        answer = out_of_reach(w, ply, mover, alpha, beta)
        how = trace.KNOWN if np.isnan(answer) else trace.BEYOND
    if options.TABLE and np.isnan(answer) and recall(w, table, key, ply, depth, mover) and ply > 0:
        answer = settled(w, ply, alpha, beta)
    if not options.SOFT and not np.isnan(answer):
        answer = min(max(answer, alpha), beta)
    if not np.isnan(answer):
        trace.foresee(w, ply, answer, how, mover)
    return answer


def settled(w: Any, ply: int, alpha: float, beta: float) -> float:
    """The answer that the bounds in `w.entry` give, which is no more final than they are; NaN where they give none."""
    e = w.entry
    if not (e.lower >= beta or e.upper <= alpha or e.lower == e.upper):
        return np.nan
    trust(w, ply)
    return e.upper if e.upper <= alpha else e.lower


def out_of_reach(w: Any, ply: int, mover: int, alpha: float, beta: float) -> float:
    """Where the game knows how much can still be had (`best_case`): a bound that answers the window (alpha, beta), or NaN."""
    most = within_reach(w.states[ply], mover)
    if most <= alpha:
        return most
    least = -within_reach(w.states[ply], 1 - mover)
    return least if least >= beta else np.nan


def within_reach(s: Any, player: int) -> float:
    """The most that `player` can still have, as values are counted here."""
    return game.best_case(s, 0) if player == 0 else game.best_case(s, 1) - game.SUM


# --- the best line ---


def extend_line(w: Any, ply: int, move: int) -> None:
    """The best line from `ply` is `move` and then the best line of the next ply."""
    w.line[ply, ply] = move
    end = w.line_end[ply + 1]
    for i in range(ply + 1, end):
        w.line[ply, i] = w.line[ply + 1, i]
    w.line_end[ply] = max(end, ply + 1)
