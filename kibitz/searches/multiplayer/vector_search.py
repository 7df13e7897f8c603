"""The shell of searches in which a position has a value for each player: `deepening` with vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Candidate, Result
from kibitz.core.running.control import Run
from kibitz.searches import deepening, trace
from kibitz.searches.deepening import Found, Kept
from kibitz.searches.multiplayer import ties
from kibitz.searches.window import node
from kibitz.tables import vectors
from kibitz.tables.vectors import VectorTable

ROUNDING = 1e-9  # of the range of values: more than means of many outcomes can be wrong by
UNIQUE = "no player was ever indifferent: the values are the same whatever the rule of ties"


def bounds(game: Game, prune: bool) -> dict[str, Any]:
    """The compile-time options that say what pruning may take for granted: see kibitz/searches/multiplayer/vector_node.py."""
    (low, high), total, players = game.constants["VALUES"], game.constants["SUM"], game.players
    summed = players > 1 and total is not None
    first_low, first_high = game.first_range
    return {
        "PRUNE": prune,
        "SUMMED": summed,  # do the utilities of all players add up to one number?
        "TOTAL": float(total or 0.0),
        "REST": float((players - 2) * low),  # what all but two players have at least
        "FORCED": float(high if players == 1 else total - (players - 1) * low if summed else np.inf),  # who has that leaves the others the least
        "SLACK": ROUNDING * (high - low) if game.has_chance else 0.0,
        "EVEN": float(total / players if summed else 0.5 * (low + high)),
        "FIRST_LOW": float(first_low),
        "FIRST_HIGH": float(first_high),
    }  # fmt: skip


class VectorSearch(deepening.Search):
    """A search of a position for all its players. The position may be a chance node: then there are values, and no move."""

    def __init__(self, position: Position, settings: Mapping[str, Any], engine: str, root: Callable[..., float]) -> None:
        game = position.game
        constants, deep = game.constants, node.plies(game.constants)
        self.rule = settings["ties"]
        self.hero = max(0, position.player)  # whom the search is for
        recorder = settings.get("trace")
        chosen = {
            **bounds(game, settings["prune"]),
            "TIES": ties.RULES.index(self.rule),
            "CHANCE": game.has_chance,
            "DEEP": deep,
            "VECTORS": True,
        }
        widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])
        extra = {
            "vectors": (np.float64, (deep + 2, game.players + 1)),
            "lists": (constants["MOVE"], (deep + 1, widest)),
            "given": (constants["MOVE"], (deep + 1, constants["MAX_MOVES"])),
            "many": (np.int64, deep + 1),
            "weights": (np.float64, (deep + 1 if game.has_chance else 1, widest)),
            "entry": vectors.entry(game.players),
            "hero": np.int64,
            "seed": np.int64,
            "ties": np.int64,  # how often somebody was indifferent to what others were not, or may have been
            "loose": np.int64,  # did a leaf not keep to the bounds?
            **trace.fields(deep, recorder.room if recorder else 0, game.players),
        }
        kernel = deepening.Kernel(root, chosen, extra, one_sided=True)
        lines = {"lines": 1, "only": ""} if position.is_chance else {}
        super().__init__(position, {**settings, **lines, "distance": "off"}, engine, kernel)
        self.only = tuple(n for n in position.numbers if n in self.only)
        self.w.hero, self.w.seed = self.hero, settings["seed"]
        self.values: tuple[float, ...] = ()  # of the search that ended last

    def vector(self, depth: int) -> tuple[float, ...]:
        """One search of this depth, here and now: everybody's value."""
        self._run(depth)
        return self.values

    # --- what `deepening` asks ---

    def _table(self, kept: Kept, behind: int, meaning: tuple[Any, ...]) -> Any:  # noqa: ARG002
        return VectorTable(self.settings["table"], self.position.game.players) if self.settings["table"] else None

    def _is_final(self, value: float, depth: int, player: int) -> bool:  # noqa: ARG002
        """Only where no horizon was met: a value that cannot be better for one player may still be another for the rest."""
        return bool(self.w.horizons == 0)

    def _run(self, depth: int, place: int = 0) -> Run:
        """Once more, without pruning, if a leaf did not keep to what that takes for granted."""
        loose = bool(self.w.loose)
        run = super()._run(depth, place)
        if self.w.loose and not loose and not self._stopped:
            if self.table:
                self.table = self._table(Kept(), 0, ())
                self.table.attach(self.w)
            run = super()._run(depth, place)
        self.values = tuple(float(v) for v in self.w.vectors[0][: self.position.game.players])
        return run

    def _solved_line(self, position: Position) -> list[int]:
        """Not what was found before a leaf came up that does not keep to the bounds."""
        loose = bool(self.w.loose)
        line = super()._solved_line(position)
        return line if bool(self.w.loose) == loose else []

    def _finished(self, depth: int) -> tuple[Found | None, str]:
        found, ended = super()._finished(depth)
        if found is not None:
            found = found._replace(values=self.values)
            if self.position.is_chance:
                found = found._replace(line=())
        return found, ended

    def _others(self, depth: int, best: Candidate) -> tuple[tuple[Candidate, ...], str]:
        found = super()._others(depth, best)
        self.values = best.values
        return found

    def _candidate(self, value: float, line: list[int], exact: bool) -> Candidate:
        return replace(super()._candidate(value, line, exact), values=self.values)

    def _nothing_yet(self) -> Found:
        evaluate, s = self.position.game.rule("evaluate"), self.position.state
        values = tuple(float(evaluate(s, p)) for p in range(self.position.game.players))
        some = [] if self.position.is_chance else list((self.only or self.position.numbers)[:1])
        return Found(0, values[self.hero], self.position.named_line(some), False, values=values)

    def _answer(self, found: Found, ended: str) -> Result:
        result = super()._answer(found, ended)
        note = ""
        if found.solved:
            note = f"where a player is indifferent: ties={self.rule}; another rule may come to other values" if self.w.ties else UNIQUE
        return replace(result, values=found.values, note=result.note or note)
