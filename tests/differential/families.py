"""Families of random games: rules that read everything from the state, and constants that differ.

One compiled search serves all games of a family. A move that is not legal leads nowhere: to a place outside the state's arrays, which interpreted and
checked code refuse to read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

import kibitz as kb
from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import CYCLE_FREE, DRAW, FORBIDDEN, GENERAL, LOSS, UNIFORM, WEIGHTED
from kibitz.core.records.hashing import combine
from kibitz.core.records.random import below
from kibitz.core.records.record import blank, record
from tests.differential.graphs import Graph, Kind, draw

NOWHERE = 10_000
INTERPRETED_CYCLES = 5  # positions of a game that can go round in circles, where all of it runs interpreted

# --- rules ---


def start(s):  # type: ignore[no-untyped-def]
    """One move, and the game is over; positions are made of graphs."""
    s.many[0], s.follows[0, 0], s.mover[1] = 1, 1, -1


def player(s):  # type: ignore[no-untyped-def]
    return s.mover[s.at]


def moves(s, out):  # type: ignore[no-untyped-def]
    for i in range(s.many[s.at]):
        out[i] = s.label[s.at, i]
    return s.many[s.at]


def outcomes(s, out, weights):  # type: ignore[no-untyped-def]
    for i in range(s.many[s.at]):
        out[i] = s.label[s.at, i]
        weights[i] = s.weight[s.at, i]
    return s.many[s.at]


def play(s, move):  # type: ignore[no-untyped-def]
    i = chosen(s, move)
    if i < 0:
        s.at = NOWHERE
    else:
        for p in range(s.bank.shape[0]):
            s.bank[p] += s.gain[s.at, i, p]
        s.at = s.follows[s.at, i]


def chosen(s, move):  # type: ignore[no-untyped-def]
    for i in range(s.many[s.at]):
        if s.label[s.at, i] == move:
            return i
    return -1


def utility(s, player):  # type: ignore[no-untyped-def]
    return s.worth[s.at, player] + s.bank[player]


def evaluate(s, player):  # type: ignore[no-untyped-def]
    return s.guess[s.at, player] + s.bank[player]


def banked(s, player):  # type: ignore[no-untyped-def]
    return s.bank[player]


def best_case(s, player):  # type: ignore[no-untyped-def]
    return s.most[s.at, player] + s.bank[player]


def order(s, move):  # type: ignore[no-untyped-def]
    return np.float64(s.promise[s.at, chosen(s, move)])


def noisy(s, move):  # type: ignore[no-untyped-def]
    return s.noisy[s.at, chosen(s, move)] != 0


def restless(s):  # type: ignore[no-untyped-def]
    return s.restless[s.at] != 0


def policy(s, moves, n, out):  # type: ignore[no-untyped-def]
    for i in range(n):
        out[i] = 4.0 + s.promise[s.at, chosen(s, moves[i])]


def playout(s, out, rng):  # type: ignore[no-untyped-def]
    return s.label[s.at, below(rng, s.many[s.at])]


def irreversible(s, move):  # type: ignore[no-untyped-def]
    return s.final[s.at, chosen(s, move)] != 0


def key(s):  # type: ignore[no-untyped-def]
    return combine(np.uint64(s.number), np.uint64(s.at))


def situation(s):  # type: ignore[no-untyped-def]
    return combine(np.uint64(s.number), np.uint64(s.place[s.at] + 1000))


def candidates(s, out):  # type: ignore[no-untyped-def]
    n = 0
    for i in range(s.many[s.at]):
        if s.kept[s.at, i]:
            out[n] = s.label[s.at, i]
            n += 1
    return n


def soonest(s, player):  # type: ignore[no-untyped-def]
    return s.soon[s.at, player]


def latest(s):  # type: ignore[no-untyped-def]
    return s.late[s.at]


def skip(s):  # type: ignore[no-untyped-def]
    if s.passes[s.at] < 0:
        return False
    s.at = s.passes[s.at]
    return True


def finish(s, least):  # type: ignore[no-untyped-def]
    return s.value[s.at] if s.at % 3 == 1 else np.nan


REQUIRED = (start, player, moves, play, utility, key)
OPTIONAL = {
    f.__name__: f
    for f in (evaluate, banked, best_case, order, noisy, restless, irreversible, policy, playout, candidates, soonest, latest, finish, skip)
}
FOR_SOLVING = ("candidates", "soonest", "latest", "finish")

# --- families ---


@dataclass(frozen=True)
class Family:
    """Games with the same rules and constants."""

    name: str
    kind: Kind
    grain: float = 1.0
    defines: tuple[str, ...] = ("evaluate",)
    constants: dict[str, Any] = field(default_factory=dict)

    @property
    def can_shrink(self) -> bool:
        """Is it still a game of this family if a move is taken away?"""
        return not self.kind.superko

    @property
    def repetition(self) -> str:
        return str(self.constants.get("REPETITION", CYCLE_FREE))

    @property
    def plies(self) -> int:
        """No game is longer."""
        if self.kind.superko:
            return 2 * self.kind.nodes + 2
        return self.kind.nodes * int(self.constants.get("REPETITIONS", 2)) + 1 if self.kind.cyclic else self.kind.nodes

    @property
    def game(self) -> kb.Game:
        return _game(self.name)

    def draw(self, rng: Random, interpreted: bool) -> Graph:
        """A random game; a small one where all of it runs interpreted and it can go round in circles."""
        return draw(self.kind, rng, INTERPRETED_CYCLES if interpreted and self.kind.cyclic else self.kind.nodes)

    def position(self, graph: Graph) -> Position:
        """The first position of the game that the graph is."""
        s, most = blank(self.game.constants["State"]), best_cases(graph, self.kind.players)
        s.number = graph.number
        for i, n in enumerate(graph.nodes):
            s.mover[i], s.many[i], s.restless[i], s.place[i] = n.player, len(n.moves), n.restless, n.place
            s.worth[i], s.guess[i], s.most[i] = n.worth, n.guess, most[i]
            for k, e in enumerate(n.moves):
                s.follows[i, k], s.label[i, k], s.weight[i, k], s.promise[i, k] = e.to, e.label, e.weight, e.promise
                s.noisy[i, k], s.final[i, k] = e.noisy, e.final
                s.gain[i, k] = e.gain or 0.0
        if "skip" in self.defines:
            s.passes[: len(graph.nodes)] = [n.passes for n in graph.nodes]
        if set(FOR_SOLVING) & set(self.defines):
            for i, told in enumerate(knowledge(graph, self.kind.sum or 0.0)):
                s.kept[i, : len(told.kept)], s.soon[i], s.late[i], s.value[i] = told.kept, told.soon, told.late, told.value
        return Position(self.game, s.tobytes())


def best_cases(graph: Graph, players: int) -> list[list[float]]:
    """The most that each player can still get from each position on, evaluations included; what was gained before does not count."""
    most = [[max(n.worth[p], n.guess[p]) for p in range(players)] for n in graph.nodes]
    for _ in graph.nodes:
        for i, n in enumerate(graph.nodes):
            for e in n.moves:
                for p in range(players):
                    most[i][p] = max(most[i][p], most[e.to][p] + (e.gain[p] if e.gain else 0.0))
    return most


class Told(NamedTuple):
    """What a game of this graph may tell a solver of one position, by plain recursion; what is best is best in value, then in distance."""

    kept: list[bool]  # of the moves: a best one, and some others
    soon: list[int]  # plies to the next end that each player has won
    late: int  # plies to the last end
    value: float  # for the player to move
    score: float  # the same for the first player, with the distance


def knowledge(graph: Graph, total: float) -> list[Told]:
    """For a graph without circles, without chance, of two players."""
    known: dict[int, Told] = {}

    def told(at: int) -> Told:
        if at not in known:
            known[at] = found(at)
        return known[at]

    def found(at: int) -> Told:
        n, far = graph.nodes[at], len(graph.nodes) + 1
        if not n.moves:
            first = n.worth[0]
            return Told([], [0 if 2 * n.worth[p] > total else far for p in (0, 1)], 0, first, first)
        after, sign = [told(e.to) for e in n.moves], 1 if n.player == 0 else -1
        scores = [middle + (a.score - middle) * 0.99 for a in after]
        best = scores.index(max(scores, key=lambda v: sign * v))
        kept = [k == best or (e.label + at) % 3 == 0 for k, e in enumerate(n.moves)]
        ends = [told(e.to) for e in n.moves]
        value = max(
            sign * (a.value if graph.nodes[e.to].player == 0 or not graph.nodes[e.to].moves else total - a.value)
            for a, e in zip(ends, n.moves, strict=True)
        )
        own = value if n.player == 0 else total + value
        return Told(kept, [1 + min(a.soon[p] for a in after) for p in (0, 1)], 1 + max(a.late for a in after), own, scores[best])

    middle = total / 2
    return [told(i) for i in range(len(graph.nodes))]


@cache
def _game(name: str) -> kb.Game:
    family = FAMILIES[name]
    kind = family.kind
    room, wide, players = (21 if kind.superko else kind.nodes), kind.most_moves, kind.players
    state = record(
        number=np.uint64,
        bank=(np.float64, players),
        worth=(np.float64, (room, players)),
        guess=(np.float64, (room, players)),
        most=(np.float64, (room, players)),
        gain=(np.float64, (room, wide, players)),
        weight=(np.float64, (room, wide)),
        label=(np.int64, (room, wide)),
        follows=(np.int16, (room, wide)),
        place=(np.int16, room),
        at=np.int16,
        mover=(np.int8, room),
        many=(np.int8, room),
        restless=(np.int8, room),
        promise=(np.int8, (room, wide)),
        noisy=(np.int8, (room, wide)),
        final=(np.int8, (room, wide)),
    )
    if set(FOR_SOLVING) & set(family.defines):
        more = {"kept": (np.int8, (room, wide)), "soon": (np.int16, (room, players)), "late": (np.int16, room), "value": (np.float64, room)}
        state = record(**{n: state.fields[n][0] for n in state.names}, **more)  # type: ignore[index, union-attr]
    if "skip" in family.defines:
        state = record(**{n: state.fields[n][0] for n in state.names}, passes=(np.int16, room))  # type: ignore[index, union-attr]
    rules = {f.__name__: f for f in REQUIRED} | {f: OPTIONAL[f] for f in family.defines}
    if kind.chance:
        rules["outcomes"] = outcomes
    if kind.superko:
        rules["situation"] = situation
    numbers = {
        "PLAYERS": players,
        "MAX_MOVES": wide,
        "MAX_PLIES": family.plies,
        "VALUES": kind.values,
        "GRAIN": family.grain,
        "SUM": kind.sum,
    }
    return kb.Game({"State": state, **numbers, **family.constants, **rules}, name=name)


def _reals(*values: float) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


SCORES = _reals(0, 1, 2, 3, 4)
PARTS = _reals(0.0, 0.1, 0.2, 0.3, 0.6, 0.7, 0.9, 1.0, 1 / 3, 2 / 3)
WON = _reals(-1, 0, 1)
UNCLEAR = _reals(-0.4, -0.25, 0, 0.1, 0.3)
EIGHTS = _reals(0, 1, 2, 5, 7, 8)

FAMILIES = {
    f.name: f
    for f in (
        # Two players, no chance.
        Family("plain", Kind()),
        Family("wins", Kind(worths=WON, values=(-1.0, 1.0), guesses=UNCLEAR), defines=("evaluate", "order")),
        Family("scores", Kind(sum=4.0, values=(0.0, 4.0), worths=SCORES, guesses=_reals(0.5, 1, 2, 3.5)), defines=("evaluate", "best_case")),
        Family("lopsided", Kind(sum=3.0, values=(-50.0, 97.0), worths=_reals(-20, -7, -1, 0, 1, 2, 3, 8, 40), guesses=_reals(-3, 0, 1, 2.5))),
        Family("reals", Kind(sum=1.0, values=(0.0, 1.0), worths=PARTS, guesses=PARTS[1:-3]), grain=0.0),
        Family("tenths", Kind(sum=0.3, values=(-0.7, 1.0), worths=_reals(-0.7, -0.2, 0.1, 0.2, 0.5, 1.0), guesses=_reals(0, 0.1, 0.25)), grain=0.0, defines=("evaluate", "order", "best_case")),
        Family("told", Kind(worths=WON, values=(-1.0, 1.0), guesses=UNCLEAR), defines=("evaluate", "best_case", *FOR_SOLVING)),
        Family("finished", Kind(sum=4.0, values=(0.0, 4.0), worths=SCORES, guesses=_reals(0.5, 1, 2, 3.5)), defines=("evaluate", "best_case", *FOR_SOLVING)),
        Family("captures", Kind(noisy=True, restless=True), defines=("evaluate", "noisy", "restless", "order", "policy", "playout")),
        Family("bank", Kind(values=(-40.0, 40.0), gains=_reals(-2, -1, 0, 0, 1, 3), nodes=10), defines=("evaluate", "banked", "best_case")),
        Family("purse", Kind(values=(-1.0, 1.0), worths=_reals(-1, 0), guesses=_reals(-0.5, -0.45), gains=_reals(0, 1), first_gains=True, nodes=6), defines=("evaluate", "banked")),
        Family("blind", Kind(sum=None, guess_known=False, values=(-9.0, 9.0)), defines=()),
        Family("big", Kind(big=True, worths=_reals(-2, -1, 0, 1, 2)), constants={"MOVE": np.int64}),
        # The same, with positions that come up again.
        Family("draws", Kind(values=(-1.0, 1.0), worths=WON, guesses=UNCLEAR, cyclic=True, nodes=9, most_moves=3), constants={"REPETITION": DRAW}, defines=("evaluate", "irreversible")),
        Family("thrice", Kind(cyclic=True, nodes=5, most_moves=3), constants={"REPETITION": DRAW, "REPETITIONS": 3}),
        Family("losing", Kind(sum=2.0, values=(-3.0, 5.0), worths=_reals(-3, -1, 0, 1, 2, 5), guesses=_reals(-1, 0.5, 1, 2), cyclic=True, nodes=9, most_moves=3), constants={"REPETITION": LOSS}, defines=("evaluate", "order")),
        Family("superko", Kind(values=(-1.0, 1.0), worths=WON, guesses=UNCLEAR, superko=True, nodes=4, most_moves=3), constants={"REPETITION": FORBIDDEN}),
        # Chance.
        Family("dice", Kind(chance=(1.0,), even=True, values=(-1.0, 1.0), worths=WON, guesses=UNCLEAR), defines=("evaluate", "order", "policy", "playout")),
        Family("weighted", Kind(chance=_reals(1, 2, 3, 7), sum=3.0, values=(-2.0, 5.0), worths=_reals(-2, 0, 1, 1.5, 3, 5), guesses=_reals(0, 1, 1.5, 2)), constants={"CHANCE_KIND": WEIGHTED}, defines=("evaluate", "best_case")),
        Family("shares", Kind(chance=_reals(0.1, 0.25, 1.5, 3), sum=1.0, values=(0.0, 1.0), worths=PARTS, guesses=PARTS[1:-3]), grain=0.0, constants={"CHANCE_KIND": GENERAL}),
        Family("gambling", Kind(chance=_reals(1, 2), values=(-40.0, 40.0), gains=_reals(-2, 0, 0, 1), noisy=True, nodes=10), constants={"CHANCE_KIND": WEIGHTED}, defines=("evaluate", "banked", "noisy")),
        Family("rolling", Kind(chance=(1.0,), even=True, values=(-1.0, 1.0), worths=WON, guesses=UNCLEAR, cyclic=True, nodes=8, most_moves=3), constants={"REPETITION": DRAW}),
        # One player, and several.
        Family("alone", Kind(players=1, sum=None, values=(-3.0, 9.0), worths=_reals(-3, 0, 2, 5, 9), guesses=_reals(-1, 0, 3, 4.5))),
        Family("patience", Kind(players=1, sum=None, chance=_reals(1, 2, 5), values=(-3.0, 9.0), worths=_reals(-3, 0, 2, 5, 9), guesses=_reals(0, 3), cyclic=True, nodes=6, most_moves=3), constants={"REPETITION": DRAW, "CHANCE_KIND": WEIGHTED}),
        Family("three", Kind(players=3, sum=None, values=(0.0, 8.0), worths=EIGHTS, guesses=_reals(1, 2, 4), passing=True), defines=("evaluate", "skip")),
        Family("pie", Kind(players=3, sum=6.0, values=(0.0, 6.0), worths=_reals(0, 0, 1, 2, 3), guesses=_reals(1, 1.5, 2), passing=True), defines=("evaluate", "order", "skip")),
        Family("ring", Kind(players=3, sum=6.0, values=(0.0, 6.0), worths=_reals(0, 1, 3), guesses=_reals(1, 2), cyclic=True, nodes=6, most_moves=3), constants={"REPETITION": DRAW}, defines=("evaluate", "irreversible")),
        Family("guilt", Kind(players=3, sum=None, values=(0.0, 8.0), worths=EIGHTS, guesses=_reals(1, 2, 4), cyclic=True, nodes=6, most_moves=3), constants={"REPETITION": LOSS}),
        Family("barter", Kind(sum=None, values=(0.0, 20.0), worths=EIGHTS, guesses=_reals(1, 2, 4), gains=_reals(0, 0, 1), nodes=9), defines=("evaluate", "banked")),
        Family("four", Kind(players=4, sum=10.0, chance=(1.0,), even=True, values=(-14.0, 12.0), worths=_reals(0, 1, 4, 8), guesses=_reals(1, 3), nodes=10), constants={"CHANCE_KIND": UNIFORM}),
    )
}  # fmt: skip
