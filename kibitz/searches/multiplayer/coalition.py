"""One against all others: the shell of searches that make two sides of any number of players.

The player to move at the root, `w.hero`, is the first side, and all others together are the second, whose only aim is to minimise his value.
That is a two-player zero-sum game, whatever the players' own utilities are, and the window searches do the rest (`options.COALITION`, see
kibitz/searches/window/node.py). Values are the hero's, as he counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import EXACT, LOWER, Candidate, Result
from kibitz.searches import deepening
from kibitz.searches.deepening import Found
from kibitz.searches.method import open_to_all, opposite_interests

OPTIONS = tuple(p for p in deepening.OPTIONS if p.name not in ("quiescence", "aspiration"))


def one_against_all(game: Game) -> str | None:
    """For searches that know one player and those against him: perfect information, no chance, and not what alphabeta searches."""
    if (reason := open_to_all(game)) is not None:
        return reason
    if game.players == 1:
        return "it has one player, and nobody against him; maxn and uct search it"
    if game.has_chance:
        return "it has chance"
    if opposite_interests(game) is None:
        return "its two players' interests are opposite: alphabeta is the same search"
    return None


class CoalitionSearch(deepening.Search):
    """A search of a position for the player to move. A proven value is what he gets at least, whatever the others do."""

    def __init__(self, position: Position, settings: Mapping[str, Any], engine: str, kernel: deepening.Kernel) -> None:
        self.hero = max(0, position.player)
        own = {"COALITION": True, "BEST_CASE": False, "FOR_FIRST": True}
        made_of = replace(kernel, options={**kernel.options, **own}, fields={**kernel.fields, "hero": np.int64}, one_sided=True)
        super().__init__(position, settings, engine, made_of)
        if self.recorder:
            self.recorder.hero, self.recorder.passes = self.hero, made_of.passes

    # --- what `deepening` asks ---

    def _side(self, position: Position) -> int:
        return 0 if position.player in (self.hero, -1) else 1

    def _workspace(self, extra: Mapping[str, Any]) -> Any:
        w = super()._workspace(extra)
        w.hero = self.hero
        return w

    def _finished(self, depth: int) -> tuple[Found | None, str]:
        found = super()._finished(depth)
        if self.recorder:
            _show_for_hero(self.recorder.events)
        return found

    def _candidate(self, value: float, line: list[int], exact: bool) -> Candidate:
        found = super()._candidate(value, line, exact)
        return replace(found, bound=LOWER) if found.bound == EXACT else found

    def _answer(self, found: Found, ended: str) -> Result:
        result = super()._answer(found, ended)
        return replace(result, bound=LOWER) if result.bound == EXACT else result


def _show_for_hero(events: Any) -> None:
    """Windows and values of the second side's visits as the hero counts them."""
    others = events["side"] == 1
    low, high = events["low"][others], events["high"][others]
    events["value"][others] = -events["value"][others]
    events["low"][others], events["high"][others] = -high, -low
    events["side"][others] = 0
