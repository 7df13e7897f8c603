"""From what the page describes (a game, a start, moves) to a position; and from a position to what the page draws."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.notation import next_move
from kibitz.core.protocol.rules import OVER
from kibitz.web.catalogue import Catalogue
from kibitz.web.messages import Limits

KEPT = 1_000  # games in progress whose last position is remembered, so that one more move takes one step


@dataclass(frozen=True)
class Place:
    """A position, and the moves that led to it: for each its name, who made it and its cells."""

    start: str
    position: Position
    made: tuple[tuple[str, int, tuple[str, ...]], ...] = ()
    described: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)  # what the page was told of it


class Places:
    """Opens what pages describe."""

    def __init__(self, catalogue: Catalogue, limits: Limits) -> None:
        self.catalogue, self.limits = catalogue, limits
        self._kept: OrderedDict[tuple[Any, ...], Place] = OrderedDict()
        self._lock = Lock()

    def open(self, asked: Mapping[str, Any]) -> Place:
        """The place that a message describes."""
        game = self.catalogue.load(asked["game"], asked.get("parameters", {}))
        with self.catalogue.asking(game):
            words = asked.get("moves", "").replace(",", " ").replace(";", " ").split()
            if len(words) > self.limits.moves:
                raise InputError(f"a game of more than {self.limits.moves} moves")
            text = asked.get("position", "").strip()
            known = next((n for n in range(len(words), 0, -1) if self._key(game, text, words[:n]) in self._kept), 0)
            place = self._get(self._key(game, text, words[:known])) if known else None
            if place is None:
                known, place = 0, Place(text, game.position(text) if text else game.start)
            for n in range(known, len(words)):
                place = self._after(place, words[n])
            self._keep(self._key(game, text, words), place)
            return place

    def describe(self, place: Place, asked: int) -> dict[str, Any]:
        """All that the page shows of a position."""
        if not place.described:
            place.described.update(self._describe(place))
        return {**place.described, "id": asked}

    def _describe(self, place: Place) -> dict[str, Any]:
        p, game = place.position, place.position.game
        with self.catalogue.asking(game):
            svg, turn, moves = p.picture(), p.player, p.moves
            chances: tuple[float | None, ...] = p.chances if p.is_chance else (None,) * len(moves)
            listed = [{"name": str(m), "cells": list(p.cells(int(m), svg)), "chance": c} for m, c in zip(moves, chances, strict=True)]
            utility = [p.utility(side) for side in range(game.players)] if turn == OVER else []
            text = p.show()
        return {
            "is": "position", "label": game.label, "svg": svg, "text": text, "turn": turn, "moves": listed,
            "made": [{"name": name, "by": by, "cells": list(cells)} for name, by, cells in place.made],
            "over": turn == OVER, "utility": utility, "players": game.players, "values": list(game.constants["VALUES"]),
            "sum": None if game.constants["SUM"] is None else float(game.constants["SUM"]),
            "engines": self.catalogue.engines(game), "start": place.start,
        }  # fmt: skip

    def _after(self, place: Place, word: str) -> Place:
        """One word more: a move, or several run together."""
        p, rest = place.position, word
        made = list(place.made)
        while rest:
            try:
                move = p.move(rest)
                rest = ""
            except InputError:
                found = next_move(rest, {m.notation: int(m) for m in p.moves})
                if found is None:
                    raise
                move, rest = p.move(found[0]), found[1]
            made.append((str(move), p.player, p.cells(int(move))))
            p = p.play(int(move))
            if len(made) > self.limits.moves:
                raise InputError(f"a game of more than {self.limits.moves} moves")
        return Place(place.start, p, tuple(made))

    def _key(self, game: Game, text: str, words: list[str]) -> tuple[Any, ...]:
        return (id(game), game.label, text, *words)

    def _get(self, key: tuple[Any, ...]) -> Place | None:
        with self._lock:
            return self._kept.get(key)

    def _keep(self, key: tuple[Any, ...], place: Place) -> None:
        with self._lock:
            self._kept[key] = place
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
