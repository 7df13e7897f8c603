"""From what the page describes (a game, a start, moves) to a position; and from a position to what the page draws."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, NamedTuple

from kibitz.core.drawing.fields import draw_fields
from kibitz.core.drawing.marks import columns, spots
from kibitz.core.errors import InputError
from kibitz.core.hidden.view import View, in_words, view
from kibitz.core.position.game import Game, Position
from kibitz.core.position.notation import next_move
from kibitz.core.protocol import default_text
from kibitz.core.protocol.rules import NO_MOVE, OVER
from kibitz.web.catalogue import Catalogue
from kibitz.web.messages import Limits

ALL = -1  # in place of an observer: the whole position is shown
KEPT = 1_000  # games in progress whose last position is remembered, so that one more move takes one step


def other_side(p: Position) -> Position | None:
    """The same board with the opponent to move, where the game says how and allows it: what he would do is the threat."""
    if p.game.players != 2 or p.game.is_hidden or p.player < 0:
        return None
    if (resumed := p.resumed(1 - p.player)) is not None:
        return resumed
    s = p.state
    if not p.game.defines("skip") or not p.game.rule("skip")(s):
        return None
    after = replace(p, data=s.tobytes(), past=())
    return after if after.player == 1 - p.player else None


class Made(NamedTuple):
    """One move of a game: its name, who made it, and where on the drawing."""

    name: str
    by: int
    cells: tuple[str, ...]
    spots: tuple[tuple[float, float], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "by": self.by, "cells": list(self.cells), **_listed(self.spots)}


@dataclass(frozen=True)
class Place:
    """A position, and the moves that led to it."""

    start: str
    position: Position
    made: tuple[Made, ...] = ()
    described: dict[int, dict[str, Any]] = field(default_factory=dict, compare=False, repr=False)  # what pages were told of it, by observer


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

    def describe(self, place: Place, asked: int, observer: int = ALL) -> dict[str, Any]:
        """All that the page shows of a position; where not all is seen, what `observer` sees of it, until the game is over."""
        game = place.position.game
        if observer >= game.players:
            raise InputError(f"there is no player {observer + 1}; {game.label} has players 1 to {game.players}")
        if observer != ALL and (not game.is_hidden or place.position.is_over):
            observer = ALL
        if observer not in place.described:
            with self.catalogue.asking(game):
                whole = self._described(place)
                place.described[observer] = whole if observer == ALL else self._seen(place, whole, observer)
        return {**place.described[observer], "id": asked}

    def _described(self, place: Place) -> dict[str, Any]:
        """The whole position."""
        p, game = place.position, place.position.game
        svg, turn, moves = p.picture(), p.player, p.moves
        if not svg and game.people["show"] is default_text.show:
            svg = draw_fields(p.state)
        several = columns(svg)
        chances: tuple[float | None, ...] = p.chances if p.is_chance else (None,) * len(moves)
        return {
            "is": "position", "label": game.label, "svg": svg, "text": p.show(), "turn": turn,
            "moves": [self._choice(p, int(m), str(m), chance, svg, several) for m, chance in zip(moves, chances, strict=True)],
            "made": [made.as_dict() for made in place.made],
            "over": turn == OVER, "utility": [p.utility(side) for side in range(game.players)] if turn == OVER else [],
            "players": game.players, "sides": [game.side(i) for i in range(game.players)], "values": list(game.constants["VALUES"]),
            "sum": None if game.constants["SUM"] is None else float(game.constants["SUM"]),
            "engines": self.catalogue.engines(game), "drawn": self.catalogue.drawn(game), "usual": self.catalogue.usual(game), "start": place.start,
            "threat": other_side(p) is not None,
        }  # fmt: skip

    def _seen(self, place: Place, whole: dict[str, Any], observer: int) -> dict[str, Any]:
        """What one player sees of it; of others' moves what he heard. What chance brings is chosen by the page, which shows none of it."""
        p, people = place.position, place.position.game.people
        known = view(p, observer)
        # A move's number means the same whatever it leads to, so that what others did is not looked at for its cells.
        made = [
            {**one.as_dict(), **({} if one.by == observer else {"cells": [], "spots": []}), **({"said": said} if said else {})}
            for one, said in zip(place.made, _heard(place, known), strict=True)
        ]
        svg = str(people["draw_to"](p.state, observer))
        return {
            **whole, "svg": svg, "text": known.board, "made": made, "observer": observer, "threat": False,
            "moves": whole["moves"] if p.is_chance or known.is_own_turn else [],
        }  # fmt: skip

    def _choice(self, p: Position, move: int, name: str, chance: float | None, svg: str, several: set[str]) -> dict[str, Any]:
        """A move that can be made."""
        cells = p.cells(move, svg)
        places = spots(svg, cells, p.after_line([move]).picture()) if several.intersection(cells) else ()
        return {"name": name, "cells": list(cells), "chance": chance, **_listed(places)}

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
            earlier, after = p.picture(), p.after_line([int(move)])
            cells = p.cells(int(move), earlier)
            made.append(
                Made(str(move), p.player, cells, spots(after.picture(), cells, earlier) if columns(earlier).intersection(cells) else ())
            )
            p = after
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


def _heard(place: Place, known: View) -> list[str]:
    """The moves as a player knows them; empty where he knows them as they are written."""
    events = known.events[len(known.events) - len(place.made) :]
    names = (one.name for one in place.made)
    return [
        in_words(known.game, event, known.observer, name if event.move != NO_MOVE else "")
        for event, name in zip(events, names, strict=True)
    ]


def _listed(places: tuple[tuple[float, float], ...]) -> dict[str, Any]:
    return {"spots": [list(place) for place in places]} if places else {}
