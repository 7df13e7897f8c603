"""The same for games of hidden information: the search over beliefs, with random options and limits, on random games, held against its definition.

What it calls sure must be, for any position of the belief and within as many moves as it says; who plays on with it reaches the goal. What it calls a chance must be that chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

import kibitz as kb
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.view import puzzled, view
from kibitz.core.position.result import ESTIMATE, Result
from kibitz.searches.belief.andor import GOALS
from kibitz.tables.proof.claim import least_value
from tests import hidden_graphs, hidden_trees, naive_beliefs
from tests.differential import options

SEARCH = "andor"
DEEPEST = 3  # own moves
PLAYED = 3  # games that are played on


@dataclass(frozen=True)
class HiddenCase:
    """A position with all that its player may take for it, and what to ask."""

    number: str
    possible: tuple[kb.Position, ...]
    told: kb.Position
    options: dict[str, Any]

    def __str__(self) -> str:
        who = f"player {self.told.player} in {self.told.game.name}"
        return f"{who}, {len(self.possible)} positions possible, {SEARCH}({self.options}); {self.number}"


def draw(seed: int, number: int, interpreted: bool) -> HiddenCase | None:
    """Case `number` of a run with this seed; None where there is nothing to ask."""
    rng = Random(f"{seed}:hidden:{number}")
    game_seed, tree = rng.getrandbits(40), rng.random() < 0.4
    if tree:
        told = hidden_trees.line(hidden_trees.draw(game_seed), rng, rng.randint(0, 3))
    else:
        starts = hidden_graphs.draw(game_seed)
        told = puzzled(starts[0], max(0, starts[0].player), starts)
    while told.player < 0 and not told.is_over:
        told = told.play(rng.choice(told.numbers))
    if told.is_over:
        return None
    found = options.draw(SEARCH, told.game, rng)
    found |= {"depth": rng.randint(1, DEEPEST), "nodes": rng.choice((0, 0, 1, 3, 20, 200)) if tree else rng.choice((1, 3, 20, 200, 1000))}
    belief = Belief.of(view(told, told.player))
    return HiddenCase(f"case {seed}:{number}", belief.positions, told, found)


def faults(case: HiddenCase) -> Iterator[str]:
    """All that is wrong with the answers."""
    player, asked = case.told.player, kb.player(SEARCH, **case.options)
    last: Result | None = None
    for last in asked.run(case.told, {}):
        yield from _of_result(case, last)
    assert last is not None
    for other in case.possible[:3]:
        there = kb.Position(other.game, other.data, told=case.told.told)
        same = asked.search(there)
        if (same.move, same.value, same.bound, same.note) != (last.move, last.value, last.bound, last.note):
            yield f"{last} became {same} where another position was the true one, that looks alike to player {player}"


def _of_result(case: HiddenCase, result: Result) -> Iterator[str]:
    game, player = case.told.game, case.told.player
    goal = GOALS[case.options.get("goal", "win")]
    least, (low, high) = least_value(game, goal), game.constants["VALUES"]
    if result.move is None or int(result.move) not in case.told.numbers:
        yield f"{result.move} is no move; legal are {case.told.numbers}"
        return
    records = [p.data for p in case.possible]
    if result.bound != ESTIMATE:
        within = re.search(r"within (\d+) moves? of his own", result.note)
        if within is None or result.value != least or not naive_beliefs.is_sure(game, records, player, least, int(within[1])):
            yield f"called sure, and is not: {result}"
        else:
            yield from _played_on(case, int(within[1]), least)
    elif result.table and result.ended in ("moves", "certain") and game.name.startswith("hidden_trees"):
        belief = Belief.of(view(case.told, player))
        weights = {s.tobytes(): float(c) for s, c in zip(belief.states, belief.chances, strict=True)}
        truth = low + (high - low) * naive_beliefs.hope(game, weights, player, least, result.depth, 64)
        if result.value != pytest.approx(truth, abs=1e-9) and case.options.get("states", 1 << 16) >= belief.size:
            yield f"the chance is worth {truth}: {result}"


def _played_on(case: HiddenCase, moves: int, least: float) -> Iterator[str]:
    """Others move at random, the player as it says it will."""
    for number in range(PLAYED):
        rng, player = Random(number), case.told.player
        true = rng.choice(case.possible)
        here, asked, left = kb.Position(true.game, true.data, told=case.told.told), kb.player(SEARCH, **case.options).remembering(), moves
        while not here.is_over and left >= 0:
            if here.player == player:
                left -= 1
            here = here.play(int(asked.search(here).move or 0) if here.player == player else rng.choice(here.numbers))
        if not here.is_over or here.utility(player) < least:
            yield f"playing on from {true.show()!r} did not reach the goal within {moves} moves"
