"""A game unfolded: every history, that is every way it can go, and the information sets that the players' knowledge makes of them.

Histories are numbered level by level, so that a level lies in one piece, parents come before children, and the children of a history lie side by side. What a
player knows is his own moves and his percepts (see core/hidden/view.py): a number that stands for that sequence, equal for equal ones, found through
a table that compares them whole and never by a hash alone. Everybody counts events, so the histories of an information set are all of one level.

An information set is a player's knowledge where it is his turn. Its moves are *slots*: number `first` and those that follow, one for each move. A strategy is
an array over all slots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.errors import InputError, RulesError
from kibitz.core.hidden.view import View, in_words
from kibitz.core.position.game import Game, Position
from kibitz.core.position.told import Event
from kibitz.core.protocol.rules import CHANCE, NO_MOVE, OVER
from kibitz.core.records.hashing import combine
from kibitz.core.records.random import below, seeded
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, Control, supervise

LIMIT = 4_000_000  # histories, where nobody says
FIRST_ROOM = 1 << 12
WALKS = 16  # random games that are looked at, and
SURELY = 10.0  # times the limit that their guesses must come to
EMPTY = -1
FINE, NO_ROOM, UNLIKE = 0, 1, 2  # `trouble`: no room for more; an information set whose histories differ in their moves


class Histories(NamedTuple):
    """All of them, in order."""

    states: Any
    parent: Any
    move: Any  # that leads to it
    chance: Any  # probability of that move, where chance makes it; else 1
    mover: Any
    first: Any  # of its children
    count: Any  # of its children
    info: Any  # its information set, or -1
    told: Any  # [history, player]: what the player knows, a number of `Knowledge`
    utility: Any  # [history, player], where it ends


class Knowledge(NamedTuple):
    """What a player may know: his last event, and what he knew before it. The first numbers are the players' knowledge at the start."""

    before: Any
    move: Any  # his own, or NO_MOVE
    percept: Any
    info: Any  # the information set, where it is his turn; else -1


class Infosets(NamedTuple):
    """Information sets, in the order of their first histories."""

    player: Any
    node: Any  # the first of its histories
    first: Any  # slot
    count: Any  # of moves


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """Scratch for one history at a time, and how far the work is."""
    widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])
    return record(
        control=Control,  # its nodes are the histories carried on
        state=constants["State"],
        after=constants["State"],
        choices=(constants["MOVE"], widest),
        chances=(np.float64, widest),
        done=np.int64,  # histories carried on
        count=np.int64,  # histories found
        known=np.int64,  # of knowledge
        infos=np.int64,
        slots=np.int64,
        trouble=np.int64,
        where=np.int64,  # the history where there is trouble
    )


# --- kernels ---


def unfold(w: Any, h: Histories, k: Knowledge, sets: Infosets, table: Any) -> int:
    """Carry on histories until all are, or there is trouble, or the limit is met; how many are."""
    while w.done < w.count and w.control.nodes < w.control.limit:
        i = w.done
        w.state = h.states[i]
        mover = game.player(w.state)
        h.mover[i], h.first[i], h.count[i], h.info[i] = mover, w.count, 0, -1
        n = choices(w, mover)
        if w.count + n > h.parent.shape[0]:
            w.trouble = NO_ROOM
            break
        if mover == OVER:
            for p in range(game.PLAYERS):
                h.utility[i, p] = game.utility(w.state, p)
        else:
            for j in range(n):
                add_child(w, h, k, table, i, mover, w.choices[j], w.chances[j])
            h.count[i] = n
            if mover >= 0 and not assign(w, h, k, sets, i, mover):
                break
        w.done += 1
        w.control.nodes += 1
    return w.done


def choices(w: Any, mover: int) -> int:
    """What may happen in `w.state`: how many moves, each with its probability where chance makes it."""
    if mover == OVER:
        return 0
    if mover != CHANCE:
        n = game.moves(w.state, w.choices)
        for j in range(n):
            w.chances[j] = 1.0
        return n
    n = game.outcomes(w.state, w.choices, w.chances)
    total = 0.0
    for j in range(n):
        if game.EQUALLY_LIKELY:
            w.chances[j] = 1.0
        total += w.chances[j]
    for j in range(n):
        w.chances[j] = w.chances[j] / total
    return n


def add_child(w: Any, h: Histories, k: Knowledge, table: Any, i: int, mover: int, move: int, chance: float) -> None:
    """The history that a move leads to."""
    child = w.count
    w.after = w.state
    game.play(w.after, move)
    h.states[child] = w.after
    h.parent[child], h.move[child], h.chance[child] = i, move, chance
    for p in range(game.PLAYERS):
        h.told[child, p] = learn(w, k, table, h.told[i, p], move if p == mover else NO_MOVE, game.percept(w.state, move, w.after, p))
    w.count += 1


def learn(w: Any, k: Knowledge, table: Any, before: int, move: int, percept: int) -> int:
    """The number of this knowledge, a new one where it has none."""
    place = find(k, table, before, move, percept)
    if place >= 0:
        return place
    at = w.known
    table[-1 - place] = at
    k.before[at], k.move[at], k.percept[at], k.info[at] = before, move, percept, -1
    w.known += 1
    return at


def find(k: Knowledge, table: Any, before: int, move: int, percept: int) -> int:
    """The number of this knowledge; or, as -1 - slot, where it would be noted."""
    mask = table.shape[0] - 1
    key = combine(combine(combine(np.uint64(0), np.uint64(before)), np.uint64(move + 1)), np.uint64(percept))
    slot = np.int64(key & np.uint64(0x7FFFFFFFFFFFFFFF)) & mask
    while table[slot] != EMPTY:
        at = table[slot]
        if k.before[at] == before and k.move[at] == move and k.percept[at] == percept:
            return at
        slot = (slot + 1) & mask
    return -1 - slot


def assign(w: Any, h: Histories, k: Knowledge, sets: Infosets, i: int, mover: int) -> bool:
    """Find the information set of a history, a new one where there is none; False where it has other moves than the first in the set."""
    at, n = h.told[i, mover], h.count[i]
    info = k.info[at]
    if info < 0:
        info = w.infos
        k.info[at] = info
        sets.player[info], sets.node[info], sets.first[info], sets.count[info] = mover, i, w.slots, n
        w.infos += 1
        w.slots += n
    h.info[i] = info
    like = sets.node[info]
    alike = h.count[like] == n
    if alike:
        for j in range(n):
            alike = alike and h.move[h.first[like] + j] == h.move[h.first[i] + j]
    if not alike:
        w.trouble, w.where = UNLIKE, i
    return alike


def note_again(k: Knowledge, table: Any, first: int, known: int) -> None:
    """Enter all knowledge in an empty table, from number `first` on."""
    for at in range(first, known):
        table[-1 - find(k, table, k.before[at], k.move[at], k.percept[at])] = at


def guess_size(w: Any, rng: Any) -> float:
    """The histories that a walk down random moves from `w.state` makes us expect: right on average (Knuth 1975)."""
    total, width = 1.0, 1.0
    for _ in range(game.MAX_PLIES):
        mover = game.player(w.state)
        n = choices(w, mover)
        if n == 0:
            break
        width *= n
        total += width
        game.play(w.state, w.choices[below(rng, n)])
    return total


# --- shell ---


@dataclass(frozen=True)
class GameTree:
    """A game with all its histories and information sets."""

    start: Position  # which all players know
    h: Histories = field(repr=False)
    k: Knowledge = field(repr=False)
    sets: Infosets = field(repr=False)
    slots: int
    levels: Any = field(repr=False)  # the first history of each level, and behind them how many there are

    @property
    def game(self) -> Game:
        return self.start.game

    @property
    def histories(self) -> int:
        return len(self.h.parent)

    @property
    def infosets(self) -> int:
        return len(self.sets.node)

    def moves(self, info: int) -> list[int]:
        """What the player may do there."""
        first = int(self.h.first[self.sets.node[info]])
        return [int(m) for m in self.h.move[first : first + int(self.sets.count[info])]]

    def position(self, info: int) -> Position:
        """The first history of an information set, with all that the players were told."""
        return self.start.after_line(self.path(int(self.sets.node[info])))

    def path(self, node: int) -> list[int]:
        """The moves that lead to a history, chance's among them."""
        line: list[int] = []
        while node > 0:
            line.append(int(self.h.move[node]))
            node = int(self.h.parent[node])
        return line[::-1]

    def words(self, info: int) -> str:
        """What the player knows there, a word for each event; see core/hidden/history.py."""
        player, position, words = int(self.sets.player[info]), self.start, []
        for move in self.path(int(self.sets.node[info])):
            after = position.after_line([move])
            name = str(position.named_line([move])[0]) if position.player == player else ""
            words.append(in_words(self.game, after.told[player].events[-1], player, name))
            position = after
        return " ".join(words)

    def find(self, known: View) -> int | None:
        """The information set of a view of the game from this start; None for a view of another."""
        if known.origin != (self.start.data,):
            return None
        at = known.observer
        for event in known.events:
            following = self._events.get((at, event))
            if following is None:
                return None
            at = following
        info = int(self.k.info[at])
        return info if info >= 0 else None

    @cached_property
    def _events(self) -> dict[tuple[int, Event], int]:
        first = self.game.players
        rows = zip(self.k.before[first:].tolist(), self.k.move[first:].tolist(), self.k.percept[first:].tolist(), strict=True)
        return {(before, Event(move, percept)): at for at, (before, move, percept) in enumerate(rows, first)}


def is_too_large(start: Position) -> bool:
    """Is all that may follow this position surely more than can be unfolded? A quick look at a few random games; False says little."""
    w, rng = blank(workspace(start.game.constants)), seeded(0)
    walk = start.game.bind(guess_size, target="python")
    total = 0.0
    with np.errstate(over="ignore"):
        for _ in range(WALKS):
            w.state = start.state
            total += walk(w, rng)
    return total / WALKS > SURELY * LIMIT


def unfold_position(start: Position, limit: int = LIMIT, watch: Callable[[int], None] | None = None) -> GameTree:
    """All that may follow a position that all players know; refused where it is more than `limit`. `watch` is told how many histories there are so far."""
    game_ = start.game
    if start.is_over:
        raise InputError("the game is over in this position; there is nothing to decide")
    if not game_.is_hidden:
        raise InputError(
            f"{game_.label} hides nothing; equilibria here are of games of hidden information, and others have a value: kibitz solve"
        )
    w = blank(workspace(game_.constants))
    w.control.limit = NO_LIMIT
    room = min(FIRST_ROOM, limit)
    h, k, sets, table = _make_room(game_, room)
    h.states[0], h.parent[0], h.move[0], h.chance[0] = start.state, -1, NO_MOVE, 1.0
    for p in range(game_.players):
        h.told[0, p], k.before[p], k.info[p] = p, -1 - p, -1
    w.count, w.known = 1, game_.players
    while True:
        run = supervise(game_.bind(unfold, label="unfold"), w, h, k, sets, table, control=w.control)
        if run.interrupted:
            raise KeyboardInterrupt
        if watch is not None:
            watch(int(w.count))
        if w.trouble == UNLIKE:
            raise RulesError(
                f"{game_.label}: moves differ between positions that look alike to the mover; kibitz check {game_.name} names them"
            )
        if w.trouble != NO_ROOM:
            break
        if room == limit:
            raise InputError(
                f"{game_.label} has more than {limit:,} histories, too many to unfold; --limit allows more, searches that play it: pimc, ismcts, sampling"
            )
        room = min(limit, 4 * room)
        h, k, sets, table = _grow(game_, w, h, k, sets, room)
        w.trouble = FINE
    return _cut(start, w, h, k, sets)


def _make_room(game_: Game, room: int) -> tuple[Histories, Knowledge, Infosets, Any]:
    """Arrays for this number of histories."""
    players, n, known = game_.players, np.int32, (room + 1) * game_.players
    h = Histories(
        np.zeros(room, game_.constants["State"]), np.zeros(room, n), np.zeros(room, game_.constants["MOVE"]), np.zeros(room),
        np.zeros(room, np.int8), np.zeros(room, n), np.zeros(room, n), np.zeros(room, n),
        np.zeros((room, players), n), np.zeros((room, players)),
    )  # fmt: skip
    k = Knowledge(np.zeros(known, n), np.zeros(known, np.int64), np.zeros(known, np.int64), np.zeros(known, n))
    sets = Infosets(np.zeros(room, np.int8), np.zeros(room, n), np.zeros(room, n), np.zeros(room, n))
    return h, k, sets, np.full(1 << (2 * known - 1).bit_length(), EMPTY, n)


def _grow(game_: Game, w: Any, h: Histories, k: Knowledge, sets: Infosets, room: int) -> tuple[Histories, Knowledge, Infosets, Any]:
    """The same with more room."""
    new_h, new_k, new_sets, table = _make_room(game_, room)
    for olds, news in ((h, new_h), (k, new_k), (sets, new_sets)):
        for old, new in zip(olds, news, strict=True):
            new[: len(old)] = old
    game_.bind(note_again, label="unfold")(new_k, table, game_.players, int(w.known))
    return new_h, new_k, new_sets, table


def _cut(start: Position, w: Any, h: Histories, k: Knowledge, sets: Infosets) -> GameTree:
    """What was found, without the room that is left, and where its levels begin."""
    count, known, infos = int(w.count), int(w.known), int(w.infos)
    whole = Histories(*(a[:count].copy() for a in h))
    levels = [0, 1]
    while levels[-1] < count:
        level = slice(levels[-2], levels[-1])
        levels.append(levels[-1] + int(whole.count[level].sum()))
    return GameTree(
        replace(start, told=()),
        whole,
        Knowledge(*(a[:known].copy() for a in k)),
        Infosets(*(a[:infos].copy() for a in sets)),
        int(w.slots),
        np.array(levels, np.int64),
    )
