"""The interface of a search method: its name, its options, the games it fits, and a generator of better and better results."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kibitz.core.errors import InputError, nearest
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter

FOLDER = Path(__file__).parent
PATH = re.compile(r"(?<=[(,\s])(\w+)=([^\s,()'\"]*/[^\s,()'\"]*)")  # an option's value that is a path, without quotes

# Limits every search takes; 0 means none.
LIMITS = (
    Parameter("depth", 0, 0, 256, None, "plies to search; 0: no limit"),
    Parameter("time", 0.0, 0.0, 1e9, None, "seconds; 0: no limit"),
    Parameter("nodes", 0, 0, 10**18, None, "positions to visit; 0: no limit"),
)


WITHOUT_DEPTH = tuple(p for p in LIMITS if p.name != "depth")  # for searches that go to the end of the game
PLAYOUTS = Parameter("playouts", 0, 0, 2**31 - 1, None, "simulations; 0: no limit")  # for searches that sample, in place of the depth
STOPPING = (*WITHOUT_DEPTH, PLAYOUTS)


@dataclass(frozen=True)
class Method:
    """One search. `run` yields a result each time it knows more; the last one is its answer.

    A search that can use what it learned when it is asked about a later position makes a `memory` for it: an object that `run` takes as a fourth
    argument, reads and fills.
    """

    name: str
    about: str
    options: tuple[Parameter, ...]
    unfit: Callable[[Game], str | None]  # why a game is of the wrong kind; None where it fits
    run: Callable[..., Iterator[Result]]  # of a position, settings and the player's name
    limits: tuple[Parameter, ...] = LIMITS  # options that end the search
    memory: Callable[[], Any] | None = None
    endings: bool = False  # does it look positions up in endgame tables at its nodes? Then they are in its settings: see kibitz/tables/endgame/lookup.py
    views: bool = False  # is it for games of hidden information? Then `run` takes a View in place of a position: see core/hidden
    asks: bool = False  # can somebody else evaluate positions for it? Then `run` takes an `evaluator`: see kibitz/evaluators

    def settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every option's value; refuses unknown names and values out of range."""
        known = {p.name: p for p in (*self.limits, *self.options)}
        for name in given:
            if name not in known:
                raise InputError(f"{self.name} has no option '{name}'; {nearest(name, known, 'its options')}")
        try:
            return {name: p.value(given[name]) if name in given else p.default for name, p in known.items()}
        except InputError as error:
            raise InputError(f"{self.name}: {str(error).replace('parameter ', '')}") from None


def names() -> list[str]:
    """Every search there is: a file in a folder of this package that defines METHOD."""
    return sorted(_places())


def method(name: str) -> Method:
    """The search of that name."""
    found: Method = importlib.import_module(module_of(name)).METHOD
    return found


def module_of(name: str) -> str:
    """The module of the file that defines the search of that name."""
    if name not in _places():
        raise InputError(f"unknown search '{name}'; {nearest(name, names(), 'searches')}")
    return _places()[name]


def fitting(game: Game) -> list[str]:
    """The searches that can search this game."""
    return [name for name in names() if method(name).unfit(game) is None]


def taken_apart(text: str) -> tuple[str, dict[str, Any]]:
    """`name(option=value, ...)` taken apart; values may be numbers, words, true and false, paths with a slash, and anything in quotes."""
    wrong = f"'{text}' is no player; write a search with its options, such as alphabeta(depth=8, table=64)"
    try:
        tree = ast.parse(PATH.sub(r"\1='\2'", text.strip()), mode="eval").body
    except SyntaxError:
        raise InputError(wrong) from None
    if isinstance(tree, ast.Name):
        return tree.id, {}
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.args:
        raise InputError(wrong)
    given: dict[str, Any] = {}
    for keyword in tree.keywords:
        if keyword.arg is None:
            raise InputError(wrong)
        try:
            given[keyword.arg] = keyword.value.id if isinstance(keyword.value, ast.Name) else ast.literal_eval(keyword.value)
        except ValueError:
            raise InputError(f"{wrong}; '{ast.unparse(keyword.value)}' is no number or word") from None
    return tree.func.id, given


@cache
def _places() -> dict[str, str]:
    found = {}
    for path in FOLDER.glob("*/*.py"):
        if not path.name.startswith("_") and "\nMETHOD = " in path.read_text(encoding="utf-8"):
            found[path.stem] = f"kibitz.searches.{path.parent.name}.{path.stem}"
    return found


def refuse_finished(position: Position) -> None:
    """For every search: where the game is over there is nothing to find."""
    if position.is_over:
        raise InputError(
            f"the game is over in this position ({position.utility(0):+g} for {position.game.side(0)}); there is no move to find"
        )


def open_to_all(game: Game) -> str | None:
    """For searches of positions that everybody sees."""
    return "its players do not see the whole position" if game.is_hidden else None


def opposite_interests(game: Game) -> str | None:
    """For searches of two players whose gain is the other's loss, without chance or hidden information."""
    if (reason := open_to_all(game)) is not None:
        return reason
    if game.players != 2:
        return f"it has {game.players} player{'s' if game.players > 1 else ''}, not two"
    if game.constants["SUM"] is None:
        return "its players' interests are not opposite (SUM = None)"
    if game.has_chance:
        return "it has chance"
    return None
