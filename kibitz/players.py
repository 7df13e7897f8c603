"""Players: a search with its options and limits, written `alphabeta(depth=8, table=64)`; best moves, exact values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.core.drawing import notebook
from kibitz.core.errors import InputError, KibitzError
from kibitz.core.hidden.view import view
from kibitz.core.position.game import Game, Position
from kibitz.core.position.notation import Move
from kibitz.core.position.result import ESTIMATE, Result
from kibitz.core.protocol.default_text import of_parameter
from kibitz.core.protocol.parameters import Parameter
from kibitz.searches.mcts.fleet.many import Many, search_trees
from kibitz.searches.method import Method, fitting, method, names, taken_apart
from kibitz.strength import positions
from kibitz.tables.book import BEST, WEIGHTED, open_book
from kibitz.tables.endgame.root import from_tables, open_inside, open_tables

USUAL_TIME = 2.0  # seconds for a search without a limit
SOLVERS = ("solver", "alphabeta", "star2", "maxn")  # the first that fits a game solves it where the user names none
SMALL = 200  # MAX_MOVES times MAX_PLIES: such games are read to the end, or nearly

OWN = (  # options of every player
    Parameter("book", "", None, None, None, "opening book, in quotes"),
    Parameter("choice", BEST, None, None, (BEST, WEIGHTED), "the book's most promising move, or a move drawn by how often it was played"),
    Parameter(
        "tables",
        "",
        None,
        None,
        None,
        "folder of endgame tables; in quotes if it could be taken for a number",
    ),
    Parameter("strength", 0, 0, 4000, None, "a rating to play at, by searching fewer positions; 0: full strength"),
)
USUAL_OWN = {p.name: p.default for p in OWN}


@dataclass(frozen=True)
class Player:
    """A search and all its settings."""

    method: Method
    settings: Mapping[str, Any]
    memory: Any = field(default=None, compare=False)  # what it keeps from one move to the next, where the search can: see `remembering`
    own: Mapping[str, Any] = field(default_factory=lambda: dict(USUAL_OWN))  # options of the player, whatever its search: see OWN
    evaluator: Any = field(default=None, compare=False)  # evaluates positions for it, where the search asks: see `asking`
    why: str = field(default="", compare=False)  # it suits the game, where it was chosen for it: see `usual_player`

    def remembering(self) -> Player:
        """A player for one game, which keeps its table or tree from move to move, where its search can."""
        return replace(self, memory=self.method.memory() if self.method.memory else None)

    def asking(self, evaluator: Any) -> Player:
        """The same player, with positions evaluated by an Evaluator, or by a function of a batch of positions: see kibitz/evaluators."""
        if not self.method.asks:
            asking = [name for name in names() if method(name).asks]
            raise InputError(f"{self.method.name} asks no evaluator; searches that do: {', '.join(asking)}")
        return replace(self, evaluator=evaluator)

    @property
    def name(self) -> str:
        """As it can be written: the search, and the settings that differ from the usual."""
        usual = self.method.settings({})
        changed = [f"{n}={_write_value(v)}" for n, v in self.settings.items() if v != usual[n]]
        changed += [f"{n}={v!r}" if isinstance(v, str) else f"{n}={v}" for n, v in self.own.items() if v != USUAL_OWN[n]]
        return f"{self.method.name}({', '.join(changed)})" if changed else self.method.name

    def __repr__(self) -> str:
        return f"<player {self.name}>"

    def _repr_html_(self) -> str:
        """Its search and its options, those that differ from the usual in bold."""
        usual, options = {**self.method.settings({}), **USUAL_OWN}, (*self.method.limits, *self.method.options, *OWN)
        given = {**self.settings, **self.own}
        rows = [(p.name, of_parameter(given[p.name]), p.range, p.about) for p in options]
        changed = [row for row in rows if given[row[0]] != usual[row[0]]]
        head, left = ("option", "value", "what it may be", "what it is"), (0, 1, 2, 3)
        rest = notebook.grid(head, [row for row in rows if row not in changed], left=left)
        return notebook.beside(
            "",
            notebook.said(self.name, bold=True),
            notebook.said(f"{self.method.about}{f'; {self.why}' if self.why else ''}"),
            notebook.grid(head, changed, left=left) if changed else "",
            f"<details><summary>{'all other' if changed else 'all'} options</summary>{rest}</details>",
        )

    def takes(self, option: str) -> bool:
        """Does it know an option of this name?"""
        return option in self.settings or option in self.own

    def limited(self, **options: Any) -> Player:
        """The same player with other options or limits, and with what it remembers."""
        others = {n: v for n, v in options.items() if n not in USUAL_OWN}
        return replace(self, settings=self.method.settings({**self.settings, **others}), own=_check_own({**self.own, **options}))

    def check(self, game: Game) -> None:
        """Refuse a game of the wrong kind."""
        reason = self.method.unfit(game)
        if reason is not None:
            others = fitting(game)
            advice = f"searches that fit: {', '.join(others)}" if others else "no search here fits it yet"
            raise InputError(f"{self.method.name} cannot search {game.name}: {reason}; {advice}")
        for option in ("book", "tables"):
            if self.own[option] and game.is_hidden:
                raise InputError(f"{option}: it knows positions, and the players of {game.label} do not")
        if self.own["book"]:
            open_book(self.own["book"], game)
        if self.own["tables"]:
            open_tables(self.own["tables"], game)
        if self.own["strength"]:
            positions(self.method.name, game.name, self.own["strength"])

    def prepare(self, position: Position) -> None:
        """Compile what a search of such a position needs, so that none spends its time on that."""
        self.check(position.game)
        brief = replace(self, settings={**self.settings, "nodes": 1}, memory=None, own={**USUAL_OWN, "tables": self.own["tables"]})
        for _ in brief.run(position, {}):
            pass

    def analyse(self, position: Position) -> Iterator[Result]:
        """Better and better results until a limit is met; only the book's or the tables' move, where there is one."""
        self.check(position.game)
        if (known := self.from_book(position) or self.from_tables(position)) is not None:
            return iter((known,))
        return self.run(position, {"time": USUAL_TIME})

    def run(self, position: Position, usual: Mapping[str, Any], **more: Any) -> Iterator[Result]:
        """The search, without the book; with the `usual` limit where none is set, and with settings that users do not have."""
        settings = {**self.settings, **more}
        if self.own["strength"]:
            enough = positions(self.method.name, position.game.name, self.own["strength"])
            settings["nodes"] = min(settings["nodes"] or enough, enough)
        if not any(settings[p.name] for p in self.method.limits):
            settings.update(usual)
        kept = () if self.memory is None else (self.memory,)
        settings |= self.inside(position.game)
        asked = {} if self.evaluator is None else {"evaluator": self.evaluator}
        if self.method.views:
            return self._seeing(position, settings, kept)
        return self.method.run(position, settings, self.name, *kept, **asked)

    def _seeing(self, position: Position, settings: Mapping[str, Any], kept: tuple[Any, ...]) -> Iterator[Result]:
        """The search of a game in which not all is seen: it is given what the player to move knows, and nothing else of the position."""
        if position.player < 0:
            first = "" if position.is_over else ", ".join(str(move) for move in position.moves[:3])
            here = "the game is over" if position.is_over else f"chance decides; choose what comes first, such as {first}"
            raise InputError(f"{self.name} plays for the player to move; here {here}")
        for result in self.method.run(view(position, position.player), settings, self.name, *kept):
            yield replace(result, position=position)

    def from_book(self, position: Position) -> Result | None:
        """What the player's book says of the position; None without a book, or where it does not know it."""
        if not self.own["book"]:
            return None
        found = open_book(self.own["book"], position.game).choose(position, self.own["choice"], int(self.settings.get("seed", 0)))
        if found is None:
            return None
        (low, high), score = position.game.constants["VALUES"], 0.5 if found.score is None else found.score
        note = f"from the book: {found.games} games" if found.has_results else f"from the book, with the weight {found.games}"
        value = low + score * (high - low)
        return Result(position, self.name, found.move, value, ESTIMATE, (found.move,), 0, 0, 0.0, "book", note=note)

    def from_tables(self, position: Position) -> Result | None:
        """What the player's endgame tables say; None without tables, or where they do not hold the position."""
        return from_tables(open_tables(self.own["tables"], position.game), position, self.name) if self.own["tables"] else None

    def inside(self, game: Game) -> dict[str, Any]:
        """The setting that brings the player's endgame tables to the nodes of its search, where it looks at any."""
        return {"endings": open_inside(self.own["tables"], game)} if self.own["tables"] and self.method.endings else {}

    def search(self, position: Position) -> Result:
        """The last of them."""
        for result in self.analyse(position):
            last = result
        return last


class Forfeit(KibitzError):
    """Why another player loses the game it is playing: it broke the rules, ended, or did not answer."""


class Outsider(ABC):
    """A player that is none of our searches, such as another program. It is told all moves of the game.

    In a match it loses the game in which `prepare` or `search` raises Forfeit, and the match goes on; so it must be ready for another game after that.
    """

    settings: Mapping[str, Any]  # with a `time` where there is a limit that matches should look at

    @property
    @abstractmethod
    def name(self) -> str:
        """As it is written where a player is named."""

    @abstractmethod
    def check(self, game: Game) -> None:
        """Refuse a game that it cannot play."""

    @abstractmethod
    def prepare(self, position: Position) -> None:
        """Get ready for such positions."""

    @abstractmethod
    def search(self, position: Position, moves: Sequence[Move]) -> Result:
        """Its move in the position that these moves have led to from the start of the game."""


def player(text: str, **limits: Any) -> Player:
    """The player described by `text`, such as `alphabeta(depth=8)`; `limits` are further options that take precedence."""
    name, given = taken_apart(text)
    chosen, given = method(name), {**given, **{n: v for n, v in limits.items() if v is not None}}
    return Player(chosen, chosen.settings({n: v for n, v in given.items() if n not in USUAL_OWN}), own=_check_own(given))


def usual_player(game: Game, **options: Any) -> Player:
    """The player for a game where the user names none; its `why` says why it suits the game.

    Of the searches that suit, the one that suits best among those that know all these options.
    """
    given = {n: v for n, v in options.items() if v is not None}
    suited = [(name, why) for name, why in _suited(game) if _method_of(name).unfit(game) is None]
    for name, why in suited:
        chosen = _method_of(name)
        if {p.name for p in (*chosen.limits, *chosen.options, *OWN)}.issuperset(given):
            return replace(player(name, **given), why=why)
    return player(suited[0][0], **given)  # which refuses what it does not know


def _method_of(text: str) -> Method:
    """The search of a player that is written with its options."""
    return method(taken_apart(text)[0])


def _suited(game: Game) -> list[tuple[str, str]]:
    """Searches for such a game and why, the most suitable first; the last of them fits every game."""
    simulating = ("uct", "simulated games need no evaluation")
    full = ("alphabeta", "two players, nothing left to chance")
    if game.is_hidden:
        return [("sampling", "its players do not see the whole position")]
    if game.players != 2 or game.constants["SUM"] is None:
        return _suited_to_many(game)
    if game.has_chance:
        weighing = ("star2", "it weighs all that the dice may bring")
        return [weighing, simulating] if game.defines("evaluate") else [simulating, weighing]
    if game.constants["MAX_MOVES"] * game.constants["MAX_PLIES"] <= SMALL:
        return [("alphabeta", "the game is small"), simulating]
    if game.defines("playout") or not game.defines("evaluate"):
        return [simulating, full]
    if any(game.defines(hook) for hook in ("noisy", "restless", "skip")):
        return [("selective", "the game says which moves are quiet"), full, simulating]
    return [full, simulating]


def _suited_to_many(game: Game) -> list[tuple[str, str]]:
    """The same for games of more than two players, of one, or of two whose interests are not opposite."""
    number = "any number of players" if game.players != 2 else "players whose interests are not opposite"
    simulating, each = ("uct", f"simulated games suit {number}"), ("maxn(ties=soon)", "it has a value for each player")
    if game.constants["MAX_MOVES"] * game.constants["MAX_PLIES"] <= SMALL:
        return [each, simulating]
    replying = [("bestreply", "it looks far ahead, however many play")] if game.defines("skip") else []
    return [*replying, each, simulating] if game.defines("evaluate") else [simulating, each]


def search(position: Position, player: str | Player | None = None, **options: Any) -> Result:
    """The best move: `search(p, "alphabeta", time=2)`. Without a limit it takes two seconds, without a player the usual one for the game."""
    return _player_of(player, options, position.game).search(position)


def search_many(
    positions: Sequence[Position], player: str | Player = "uct", *, device: str = "cpu", threads: int = 0, **options: Any
) -> Many:
    """A search tree for each of many positions of one game, thousands at once: `search_many(positions, "uct(playouts=256)", device="cuda")`.

    The same seed gives the same trees on the CPU (`threads` of it; 0: all cores) and on a GPU.
    """
    if not positions:
        raise InputError("there are no positions to search; give at least one")
    chosen = _player_of(player, options, positions[0].game)
    chosen.check(positions[0].game)
    if device != chosen.settings.get("device", "cpu") and chosen.settings.get("device", "cpu") != "cpu":
        device = chosen.settings["device"]
    return search_trees(positions, chosen.method.name, chosen.settings, chosen.name, device, threads)


def analyse(position: Position, player: str | Player | None = None, **options: Any) -> Iterator[Result]:
    """Better and better results, as they are found."""
    return _player_of(player, options, position.game).analyse(position)


def solve(position: Position, player: str | Player | None = None, **options: Any) -> Result:
    """The exact value, a best line and, for games that are won, drawn or lost, the distance to the end.

    Searches until the value is certain; a limit (`time`, `nodes`) may end it before: then `exact` is False, and `lower` and `upper` tell what is known.
    Without a player the search `solver` does it, where it fits the game and knows the options; alpha-beta else, and star2 where there is chance.
    """
    for result in solving(position, player, **options):
        last = result
    return last


def solving(position: Position, player: str | Player | None = None, **options: Any) -> Iterator[Result]:
    """The results on the way to `solve`'s, while they are found."""
    chosen = _player_of(player or usual_solver(position.game, options), options, position.game)
    chosen.check(position.game)
    if (known := chosen.from_tables(position)) is not None and known.exact:
        return iter((known,))
    return chosen.method.run(position, {**chosen.settings, **chosen.inside(position.game)}, f"solve({chosen.name})")


def usual_solver(game: Game, options: Mapping[str, Any]) -> str:
    """The search that solves this game where the user names none."""
    fit = [name for name in SOLVERS if method(name).unfit(game) is None]
    if not fit:
        reason = str(method(SOLVERS[1]).unfit(game))
        raise InputError(
            f"solve cannot solve {game.label}: {reason}; a good move, not a proof, is found by search with {_suited(game)[0][0]}"
        )
    given = {n for n, v in options.items() if v is not None}
    return next((name for name in fit if {p.name for p in (*method(name).limits, *method(name).options, *OWN)} >= given), fit[-1])


def _player_of(given: str | Player | None, options: Mapping[str, Any], game: Game) -> Player:
    others = {n: v for n, v in options.items() if n != "evaluator"}
    if given is None:
        chosen = usual_player(game, **others)
    elif isinstance(given, Player):
        chosen = given.limited(**others) if others else given
    else:
        chosen = player(given, **others)
    return chosen if options.get("evaluator") is None else chosen.asking(options["evaluator"])


def _write_value(value: Any) -> str:
    """A setting as `player` reads it: words as they are, other texts in quotes."""
    return repr(value) if isinstance(value, str) and not value.isidentifier() else of_parameter(value)


def _check_own(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the player itself, checked."""
    try:
        return {p.name: p.value(given[p.name]) if p.name in given else p.default for p in OWN}
    except InputError as error:
        raise InputError(str(error).replace("parameter ", "")) from None
