"""The options that a board may set: memory, threads, search, book, strength."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kibitz.core.errors import InputError, nearest
from kibitz.core.position.game import Game
from kibitz.players import Player, player
from kibitz.strength import MEASURED

EMPTY = "<empty>"  # how the protocol writes an empty text
MEMORY = ("table", "memory")  # what searches call the option for megabytes


@dataclass(frozen=True)
class Option:
    """One option as the protocol declares it. `kind`: spin (a whole number), check (true or false), string or button."""

    name: str
    kind: str
    default: Any = None
    low: int = 0
    high: int = 0

    def declaration(self) -> str:
        words = f"option name {self.name} type {self.kind}"
        if self.kind == "button":
            return words
        said = str(self.default).lower() if self.kind == "check" else str(self.default) or EMPTY
        return f"{words} default {said}" + (f" min {self.low} max {self.high}" if self.kind == "spin" else "")

    def value(self, text: str) -> Any:
        if self.kind == "spin":
            if not re.fullmatch(r"[+-]?[0-9]{1,15}", text) or not self.low <= int(text) <= self.high:
                raise InputError(f"option {self.name} takes a whole number from {self.low} to {self.high}, not '{text}'")
            return int(text)
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise InputError(f"option {self.name} takes true or false, not '{text}'")
            return text.lower() == "true"
        return "" if text == EMPTY else text


class Options:
    """The values of all options, and the player that they describe."""

    def __init__(self, game: Game, search: str) -> None:
        self.game = game
        plain = player(search)
        plain.check(game)
        memory = next((plain.settings[name] for name in MEMORY if plain.takes(name)), 64)
        self.known = {
            o.name.lower(): o
            for o in (
                Option("Hash", "spin", int(max(1, memory)), 1, 65536),
                Option("Threads", "spin", int(plain.settings.get("threads", 1)), 1, 256),
                Option("Clear Hash", "button"),
                Option("Ponder", "check", False),
                Option("MultiPV", "spin", 1, 1, 64),
                Option("Move Overhead", "spin", 50, 0, 10_000),
                Option("Search", "string", search),
                Option("Book", "string", plain.own["book"]),
                Option("OwnBook", "check", True),
            )
        }
        curve = MEASURED.get((plain.method.name, game.name))
        if curve:
            rated = Option("UCI_Elo", "spin", (curve[0][1] + curve[-1][1]) // 2, curve[0][1], curve[-1][1])
            self.known |= {"uci_limitstrength": Option("UCI_LimitStrength", "check", False), "uci_elo": rated}
        self.values = {name: option.default for name, option in self.known.items()}
        self.changed: set[str] = set()

    def declarations(self) -> Iterator[str]:
        return (option.declaration() for option in self.known.values())

    def set(self, words: list[str]) -> None:
        """`name NAME value VALUE`; refuses what it does not know, and keeps the value it had."""
        if not words or words[0] != "name":
            raise InputError("an option is set so: setoption name Hash value 64")
        place = words.index("value") if "value" in words else len(words)
        name, text = " ".join(words[1:place]), " ".join(words[place + 1 :])
        if name.lower() not in self.known:
            raise InputError(f"there is no option '{name}'; {nearest(name, (o.name for o in self.known.values()), 'options')}")
        option = self.known[name.lower()]
        if option.kind == "button":
            return
        before = dict(self.values), set(self.changed)
        self.values[name.lower()] = option.value(text)
        self.changed.add(name.lower())
        try:
            self.player().check(self.game)
        except InputError:
            self.values, self.changed = before
            raise

    @property
    def overhead(self) -> float:
        """Seconds kept back for every move."""
        return float(self.values["move overhead"]) / 1000

    def player(self) -> Player:
        """The search with what was set besides; what a search does not know is left out."""
        chosen = player(self.values["search"])
        chosen.check(self.game)
        wanted: dict[str, Any] = {}
        if "hash" in self.changed:
            wanted |= dict.fromkeys(MEMORY, float(self.values["hash"]))
        if "threads" in self.changed:
            wanted["threads"] = self.values["threads"]
        wanted["lines"] = self.values["multipv"]
        wanted["book"] = self.values["book"] if self.values["ownbook"] else ""
        if self.values.get("uci_limitstrength"):
            wanted["strength"] = self.values["uci_elo"]
        return chosen.limited(**{name: value for name, value in wanted.items() if chosen.takes(name)})
