"""Which games and searches the page may ask for: all that are shipped, and the files that were named on the command line."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kibitz.core.errors import InputError, nearest
from kibitz.core.position import loading
from kibitz.core.position.game import Game
from kibitz.core.position.watchdog import TimeIsUp, watching
from kibitz.core.protocol.parameters import Parameter
from kibitz.players import OWN, Player, player, usual_player
from kibitz.searches.method import fitting, method, module_of, names
from kibitz.searches.proof import growth
from kibitz.strength import range_of, rated
from kibitz.web import guard
from kibitz.web.messages import Limits

PLAYERS = {"inner": "auto"}  # options that are players themselves, and what they say where they name none
TRACED = ("chance", "deterministic", "mcts", "multiplayer")  # rooms of searches that write down what they visit
FILES = ("book", "file", "network", "resume", "tables")  # options that name files, which a page may not
MOST_GAMES = 200  # loaded, with different parameters, before all are forgotten
PATIENCE = 5.0  # seconds for one question about a user's game


class Catalogue:
    """Games by the name that the page calls them."""

    def __init__(self, files: tuple[str, ...] = (), tables: str = "") -> None:
        self.tables = Path(tables).expanduser().resolve() if tables else None  # endgame tables, which every search of their games asks
        self.places: dict[str, str] = {name: name for name in loading.shipped()}
        self.own: list[str] = []
        for file in files:
            game = loading.load(file if file.endswith(".py") else f"./{file}")
            if game.name in self.places:
                raise InputError(f"there is a game called {game.name} already; give {file} another name")
            self.places[game.name] = str(Path(file).expanduser().resolve())
            self.own.append(game.name)
        self._lock = threading.RLock()
        self._asked: set[tuple[Any, ...]] = set()
        self._fitting: dict[Game, list[str]] = {}
        self._usual: dict[Game, str] = {}

    def load(self, name: str, parameters: Mapping[str, Any]) -> Game:
        """The game of that name, whose files the page may not choose."""
        if name not in self.places:
            raise InputError(f"unknown game '{name[:40]}'; {nearest(name[:40], self.places, 'games')}")
        with self._lock, guard.closed(*self._folders(name)):
            wanted = (name, *sorted((k, str(v)) for k, v in parameters.items()))
            if wanted not in self._asked and len(self._asked) >= MOST_GAMES:
                self._asked.clear()
                self._fitting.clear()
                self._usual.clear()
                loading.forget()
            self._asked.add(wanted)
            return loading.load(self.places[name], **parameters)

    @contextlib.contextmanager
    def asking(self, game: Game) -> Iterator[None]:
        """While rules of the game are run: no files, and no endless loops in rules that nobody has looked at."""
        with guard.closed(*self._folders(game.name)):
            if game.name not in self.own:
                yield
                return
            try:
                with watching(game, PATIENCE):
                    yield
            except TimeIsUp:
                raise InputError(f"{game.name} took more than {PATIENCE:g} seconds over one position") from None

    def with_tables(self, chosen: Player, game: Game) -> Player:
        """The player with the endgame tables of its game, where there are any."""
        if self.tables is None or game.is_hidden or not any(self.tables.glob(f"{game.name}-*")):
            return chosen
        return chosen.limited(tables=str(self.tables))

    def engines(self, game: Game) -> list[str]:
        """The searches that can search it."""
        with self._lock:
            if game not in self._fitting:
                self._fitting[game] = fitting(game)
            return self._fitting[game]

    def usual(self, game: Game) -> str:
        """The search for it where the user names none."""
        with self._lock:
            if game not in self._usual:
                self._usual[game] = usual_player(game).method.name
            return self._usual[game]

    def drawn(self, game: Game) -> list[str]:
        """The searches whose tree can be shown: those that leave a trace, and those that grow proof numbers."""
        with_traces = [name for name in self.engines(game) if module_of(name).split(".")[2] in TRACED]
        return with_traces + [name for name, m in growth.DRAWN.items() if m.unfit(game) is None]

    def described(self) -> list[dict[str, Any]]:
        """All games, for the page's picker."""
        found = []
        for name in (*self.own, *(name for name in self.places if name not in self.own)):
            game = self.load(name, {})
            found.append(
                {
                    "game": name,
                    "about": game.title,
                    "players": game.players,
                    "sides": [game.side(i) for i in range(game.players)],
                    "chance": game.has_chance,
                    "hidden": game.is_hidden,
                    "own": name in self.own,
                    "parameters": [described(p) for p in game.declared.values()],
                    "positions": sorted(game.positions),
                    "ratings": {search: list(range_of(search, game.name)) for search in rated(game.name)},
                }
            )
        return found

    def _folders(self, name: str) -> tuple[Path, ...]:
        own = (Path(self.places[name]).parent,) if name in self.own else ()
        return (*own, self.tables) if self.tables is not None else own


def searches() -> list[dict[str, Any]]:
    """All searches with their options, for the page's forms."""
    known = [*(method(name) for name in names()), *growth.DRAWN.values()]
    return [
        {
            "search": m.name,
            "about": m.about,
            "limits": [described(p) for p in m.limits],
            "options": [described(p) for p in (*m.options, *OWN) if p.name not in FILES],
        }
        for m in known
    ]


def described(p: Parameter) -> dict[str, Any]:
    """A parameter or an option, so that a form can be made of it."""
    kind = "yes" if isinstance(p.default, bool) else "number" if isinstance(p.default, int | float) else "text"
    default = ",".join(map(str, p.default)) if isinstance(p.default, tuple) else p.default
    whole = isinstance(p.default, int)
    return {
        "name": p.name, "kind": kind, "default": default, "low": p.low, "high": p.high, "whole": whole,
        "choices": None if p.choices is None else list(p.choices), "range": p.range, "about": p.about,
    }  # fmt: skip


def engine_of(text: str, wanted: Mapping[str, Any], limits: Limits, lines: int = 1) -> Player:
    """The player that the page asks for, within the server's limits."""
    chosen = player(text)
    options = {**chosen.settings, **chosen.own}
    for name in FILES:
        if options.get(name):
            raise InputError(f"{name}: the page cannot name files; give it on the command line")
    for name, none in PLAYERS.items():
        if options.get(name, none) != none:
            engine_of(options[name], {}, limits)  # which has the same limits
    if options.get("threads", 1) > limits.threads:
        raise InputError(f"threads={options['threads']}: this server gives a search at most {limits.threads}")
    for name in ("table", "memory"):
        if options.get(name, 0) > limits.memory:
            raise InputError(f"{name}={options[name]:g}: this server gives a search at most {limits.memory:g} MB")
    taken = {name: value for name, value in wanted.items() if chosen.takes(name)}
    asked = taken.get("time") or options["time"] or limits.time
    more: dict[str, Any] = {**taken, "time": min(float(asked), limits.time)}
    if lines > 1 and chosen.takes("lines"):
        more["lines"] = min(lines, limits.lines)
    if options.get("lines", 1) > limits.lines:
        raise InputError(f"lines={options['lines']}: this server gives a search at most {limits.lines}")
    return chosen.limited(**more)
