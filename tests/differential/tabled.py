"""Endgame tables of a random game: some of its positions, with what plain iteration over all of them finds.

In a game whose positions come up again a table holds what a position is worth by itself, without the rule on repetition: whoever cannot force the end draws.
"""

from __future__ import annotations

from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

import kibitz as kb
from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import OVER
from kibitz.searches.method import Method
from kibitz.tables.endgame.builders.building import kind_of
from kibitz.tables.endgame.lookup import Inside
from kibitz.tables.endgame.numbering import WHOLE, Numbering, Numbers
from kibitz.tables.endgame.probing import EQUITIES, RESULTS, Tables, known_of
from tests.differential.graphs import Graph
from tests.naive_graphs import Standing, Truth

SHARES = (0.2, 0.5, 1.0)  # of the positions


@cache
def fit(game: kb.Game) -> bool:
    """Are there tables of such games?"""
    try:
        return kind_of(game) in (RESULTS, EQUITIES) and not game.defines("rank")
    except kb.InputError:
        return False


def draw(game: kb.Game, search: Method, rng: Random) -> float:
    """How much of a game is in tables; mostly there are none."""
    share = rng.choice((0.0, 0.0, *SHARES))
    return share if search.endings and fit(game) else 0.0


def chosen(graph: Graph, share: float) -> list[int]:
    """Positions that are in the tables."""
    return [i for i, n in enumerate(graph.nodes) if n.player != OVER and Random(f"{graph.number}:{i}:{share}").random() < share]


def inside(graph: Graph, first: Position, truth: Truth, share: float) -> Inside:
    """Tables of these positions; tells `truth` of them."""
    game, kind = first.game, kind_of(first.game)
    results = _results(graph, truth) if kind == RESULTS else {}
    held: dict[int, Any] = {}
    keys = []
    for i in chosen(graph, share):
        s = first.state
        s.at = i
        here = Standing(i, (), (0.0,) * truth.players)
        value = results[i][1] if kind == RESULTS else truth.value(here)[0]
        truth.tables[i] = results[i][0] if kind == RESULTS else value
        held[int(game.rule("key")(s))] = value
        keys.append(int(game.rule("key")(s)))
    keys.sort()
    numbering = Numbering(game, Numbers(np.array(keys, np.uint64), np.zeros(1, game.constants["State"])))
    values = np.array([held[key] for key in keys], np.int16 if kind == RESULTS else np.float64)
    file = SimpleNamespace(header={"kind": kind, "error": 0.0})
    known = known_of(numbering, {WHOLE: values})
    fake: Any = SimpleNamespace(game=game, numbering=numbering, files={WHOLE: file}, known=lambda: known, folder="none", line=lambda _: [])
    fake.may_repeat = lambda position: Tables.may_repeat(fake, position)
    return Inside(fake)


def _results(graph: Graph, truth: Truth) -> dict[int, tuple[float, int]]:
    """Of every unfinished position: the first player's utility, and the plies to the end, less than 0 where the mover loses; by going over all of them again and again."""
    found: dict[int, tuple[float, int]] = {}
    open_ = [i for i, n in enumerate(graph.nodes) if n.player != OVER]
    middle = (first_low(truth) + first_high(truth)) / 2
    for plies in range(1, len(graph.nodes) + 2):
        for i in [i for i in open_ if i not in found]:
            decided = _decided(graph, found, i, plies, middle)
            if decided is not None:
                found[i] = (first_high(truth) if (decided > 0) == (graph.nodes[i].player == 0) else first_low(truth)), decided
    return {i: found.get(i, (middle, 0)) for i in open_}


def first_low(truth: Truth) -> float:
    """The least that the first player can get."""
    return max(truth.values[0], (truth.sum or 0.0) - truth.values[1])


def first_high(truth: Truth) -> float:
    """The most."""
    return min(truth.values[1], (truth.sum or 0.0) - truth.values[0])


def _decided(graph: Graph, found: dict[int, tuple[float, int]], at: int, plies: int, middle: float) -> int | None:
    """Is the position won or lost in the given plies, given all that is decided in fewer?"""
    mover, reached = graph.nodes[at].player, []
    for e in graph.nodes[at].moves:
        if graph.nodes[e.to].player == OVER:
            worth, far = graph.nodes[e.to].worth[0], 0
        elif e.to in found and abs(found[e.to][1]) < plies:
            worth, far = found[e.to][0], abs(found[e.to][1])
        else:
            worth, far = middle, 0
        sign = 0 if worth == middle else 1 if (worth > middle) == (mover == 0) else -1
        reached.append((sign, far))
    if any(sign > 0 and far == plies - 1 for sign, far in reached):
        return plies
    if all(sign < 0 for sign, _ in reached) and max(far for _, far in reached) == plies - 1:
        return -plies
    return None
