"""Random games of hidden information, and every search that is given a view of them.

Whatever a search is: its move is legal, its value can be, and it is the same from every position that looks alike to the player (a search that sees more than its player answers differently).
The mean over open positions, the tree of information sets and beliefs are held against their definitions besides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import kibitz as kb
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.view import view
from kibitz.core.position.result import ESTIMATE, EXACT, LOWER, UPPER, Result
from kibitz.searches.method import fitting, method
from tests import hidden_trees, naive_hidden
from tests.differential import options

CLOSE = 1e-9
EXACT_INNER = ("auto", "expectiminimax", "star1", "star2")
ALIKE = 3  # positions that look the same, to ask about besides


@dataclass(frozen=True)
class Secret:
    """A search with options, asked about a position of which it is shown a view."""

    number: int  # of the game
    position: kb.Position
    search: str
    options: dict[str, Any]

    def __str__(self) -> str:
        return f"hidden tree {self.number}, {self.position.game.players} players: {kb.player(self.search, **self.options).name}\n{self.position}"


def draw(seed: int, number: int, interpreted: bool) -> Secret | None:
    """Case `number` of a run with this seed; None where there is nothing to choose."""
    rng = Random(f"{seed}:secret:{number}")
    players, game = rng.choice((2, 2, 3)), rng.randrange(1 << 30)
    position = hidden_trees.line(hidden_trees.draw(game, players), rng, rng.randrange(4))
    if position.player < 0 or len(position.moves) < 2:
        return None
    search = rng.choice(fitting(position.game))
    names = {p.name: p for p in (*method(search).options, *method(search).limits)}
    given = {name: rng.choice(options.pool(p)) for name, p in names.items() if name in options.POOLS and rng.random() < 0.4}
    if search == "pimc":
        given["inner"] = "uct(playouts=20)" if players > 2 else rng.choice((*EXACT_INNER, "uct(playouts=20)"))
    most = 40 if interpreted else 300
    for limit, values in {"playouts": range(1, most), "rounds": range(1, 30), "samples": (1, 3, 50)}.items():
        if limit in names:
            given[limit] = rng.choice(values)
    if not given.keys() & {"playouts", "rounds", "samples"} or rng.random() < 0.1:
        given["nodes"] = rng.randint(1, 400)
    for rule in ("playout", "leaf"):  # what else there is needs rules that these games have not
        if given.get(rule, "auto") not in ("auto", "uniform", "playout"):
            given.pop(rule)
    return Secret(game, position, search, given)


def faults(case: Secret) -> Iterator[str]:
    """All that is wrong with the answer."""
    known, result = view(case.position, case.position.player), kb.search(case.position, case.search, **case.options)
    belief = Belief.of(known)
    yield from _form(case.position, result)
    yield from _beliefs(case.position, known, belief)
    for other in list(belief.positions)[:ALIKE]:
        same = kb.search(other, case.search, **case.options)
        if (same.move, repr(same.value), [repr(c.value) for c in same.table]) != (
            result.move,
            repr(result.value),
            [repr(c.value) for c in result.table],
        ):
            yield f"{same.move!r}, {same.value} is told of a position that looks the same; {result.move!r}, {result.value} of this one"
    if case.search == "pimc" and case.options["inner"] in EXACT_INNER and result.ended == "samples" and "drawn" not in result.note:
        wanted = naive_hidden.pimc(case.position)
        for c in result.table:
            if "kept" not in result.note and not math.isclose(c.value, wanted[c.numbers[0]], abs_tol=CLOSE):
                yield f"{c.numbers[0]} is worth {wanted[c.numbers[0]]} over all open positions, {c.value} is told"


def _form(position: kb.Position, result: Result) -> Iterator[str]:
    low, high = position.game.constants["VALUES"]
    legal = [int(m) for m in position.moves]
    if result.move is None or int(result.move) not in legal:
        yield f"{result.move!r} is no move; legal are {legal}"
    if result.bound not in (EXACT, LOWER, UPPER, ESTIMATE):
        yield f"bound is {result.bound!r}"
    if result.bound == ESTIMATE and not (math.isnan(result.value) or low - CLOSE <= result.value <= high + CLOSE):
        yield f"the value {result.value} is outside {low} to {high}"
    if any(c.numbers[0] not in legal for c in result.table):
        yield f"{[c.numbers[0] for c in result.table]} are told, {legal} are legal"
    if result.nodes < 0 or (result.playouts or 0) < 0 or result.seconds < 0:
        yield "negative effort"


def _beliefs(position: kb.Position, known: Any, belief: Belief) -> Iterator[str]:
    origin = [kb.Position(position.game, data) for data in known.origin]
    wanted = naive_hidden.belief(origin, known.observer, known.events)
    found = {s.tobytes(): float(w) for s, w in zip(belief.states, belief.weights, strict=True)}
    if found.keys() != wanted.keys() or any(not math.isclose(found[data], wanted[data], abs_tol=CLOSE) for data in wanted):
        yield f"{len(found)} positions are thought possible, {len(wanted)} are; or they are not as likely as that"
