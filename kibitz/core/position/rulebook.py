"""The rules of one game, checked at the door: a namespace of functions and constants that searches can be bound to."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import Bound, bind, default_checked, default_target
from kibitz.core.errors import RulesError
from kibitz.core.position import default_rules, ranking
from kibitz.core.protocol import default_text, rules
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.records.record import Record

Namespace = ModuleType | type | Mapping[str, Any]


class Rulebook:
    """All of a game but its positions, which `Game` adds."""

    def __init__(
        self,
        namespace: Namespace,
        name: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        declared: Mapping[str, Parameter] | None = None,
        reload: tuple[Callable[..., Rulebook], tuple[Any, ...]] | None = None,
        files: tuple[Path, ...] = (),
        trusted: bool = False,
    ) -> None:
        names = _names(namespace)
        self.name = name or getattr(namespace, "__name__", "game").rpartition(".")[2].lower()
        self.parameters = dict(parameters or {})
        self.declared = dict(declared or {})
        self.about = (inspect.getdoc(namespace) or "").strip() if not isinstance(namespace, Mapping) else ""
        self._reload = reload or (type(self), (namespace, name))
        self.trusted = trusted  # have its rules been looked at?
        self.files = files  # that it is made of: its own, those it imports from beside it, and its weights
        self.constants = _checked_constants(names, self.name)
        self.functions = _checked_functions(names, self.name)
        self.people: dict[str, Any] = {hook: names.get(hook, getattr(default_text, hook, None)) for hook in rules.FOR_PEOPLE}
        self.people["wire"] = self.people["wire"] or self.people["name"]
        self.colours: Mapping[str, str] = names.get("COLOURS", {})
        self.positions: Mapping[str, str] = names.get("POSITIONS", {})  # by name
        self._sides = _checked_names(names.get("PLAYER_NAMES", ()), self.players, self.name)

    # --- what it is ---

    @property
    def players(self) -> int:
        return int(self.constants["PLAYERS"])

    def side(self, player: int) -> str:
        """What people call a player: `White`, or `player 1` where the game does not say."""
        return self._sides[player] if self._sides else f"player {player + 1}"

    @property
    def has_chance(self) -> bool:
        return self.defines("outcomes")

    @property
    def is_hidden(self) -> bool:
        """Is there something that not all players see? Then they are given views, never the position: see core/hidden."""
        return self.defines("percept")

    @property
    def repeats(self) -> bool:
        """Can a position come up again, and does that count?"""
        return bool(self.constants["REPETITION"] != rules.CYCLE_FREE)

    @property
    def first_range(self) -> tuple[float, float]:
        """The range of the first player's utilities: VALUES, as far as what is left of SUM lies in VALUES too where there are two players."""
        (low, high), total = self.constants["VALUES"], self.constants["SUM"]
        return (max(low, total - high), min(high, total - low)) if self.players == 2 and total is not None else (low, high)

    @property
    def drawn(self) -> float:
        """What a game drawn by repetition is worth to each player."""
        return float((self.constants["SUM"] or 0.0) / self.players)

    @property
    def title(self) -> str:
        """The first line of the game's docstring."""
        return self.about.partition("\n")[0]

    def defines(self, function: str) -> bool:
        """Does the game itself define this optional function?"""
        return self.functions.get(function) is not getattr(default_rules, function, None)

    def __repr__(self) -> str:
        return f"<game {self.label}>"

    @property
    def label(self) -> str:
        """Name and parameters that differ from their defaults."""
        changed = [
            f"{n}={default_text.of_parameter(v)}"
            for n, v in self.parameters.items()
            if n not in self.declared or v != self.declared[n].default
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rulebook) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    @cached_property
    def identity(self) -> tuple[Any, ...]:
        """Equal for two games with the same rules, however often they were loaded."""
        rules_ = tuple(self.rule(name).digest for name in self.functions)
        return (self.name, tuple(sorted((n, str(v)) for n, v in self.parameters.items())), str(self.constants), rules_)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._reload

    # --- what it does ---

    @property
    def namespace(self) -> dict[str, Any]:
        """Constants and functions under their protocol names: what `game` means in bound code."""
        return {**self.constants, **self.functions}

    def bind(
        self,
        function: Callable[..., Any],
        options: Mapping[str, Any] | None = None,
        target: str | None = None,
        label: str | None = None,
        checked: bool | None = None,
    ) -> Bound:
        """A search or kernel bound to this game; bound once, however often it is asked for."""
        is_checked = default_checked() if checked is None else checked
        wanted = (function, tuple(sorted((options or {}).items())), target or default_target(), is_checked)
        if wanted not in self._bound:
            if wanted[2] != "python" and not self.trusted:
                self._vet()
            self._bound[wanted] = bind(
                function, self.namespace, f"{label or function.__name__} for {self.label}", options, target, is_checked
            )
        return self._bound[wanted]

    def _vet(self) -> None:
        """Called before the first compilation; `Game` looks for plain mistakes then."""

    @cached_property
    def _bound(self) -> dict[Any, Bound]:
        return {}

    def rule(self, name: str) -> Bound:
        """One of the game's own functions, interpreted: nothing to compile, fast enough for a person."""
        return self.bind(self.functions[name], target="python")

    @property
    def reads_own_text(self) -> bool:
        """Can positions be written as text and read back? Not where a game brings its own `show` without a `read`."""
        return (self.people["show"] is default_text.show) == (self.people["read"] is default_text.read)


def _names(namespace: Namespace) -> dict[str, Any]:
    """Everything the namespace defines; a class's functions see the class's names."""
    if isinstance(namespace, ModuleType):
        return dict(vars(namespace))
    if isinstance(namespace, Mapping):
        return dict(namespace)
    if not isinstance(namespace, type):
        raise RulesError(f"Game() takes a module, a class or a dict of rules, not {type(namespace).__name__}")
    names = {
        n: getattr(v, "__func__", v) for cls in reversed(namespace.__mro__[:-1]) for n, v in vars(cls).items() if not n.startswith("__")
    }
    seen: dict[str, Any] = {}
    for name, value in names.items():
        if isinstance(value, FunctionType):
            scope = {**value.__globals__, **names}
            clone = FunctionType(value.__code__, scope, value.__name__, value.__defaults__, value.__closure__)
            clone.__doc__, clone.__module__ = value.__doc__, value.__module__
            seen[name] = clone
    for clone in seen.values():
        clone.__globals__.update(seen)
    return {**names, **seen}


def _checked_constants(names: Mapping[str, Any], game: str) -> dict[str, Any]:
    """The protocol's constants, complete and of the right kind."""
    state = names.get("State")
    if state is None:
        raise RulesError(f"{game}: State is missing; write State = record(turn=np.int8, ...)")
    if not (isinstance(state, np.dtype) and issubclass(state.type, Record)):
        raise RulesError(f"{game}: State must be made with record(...), not {type(state).__name__}")
    found: dict[str, Any] = {"State": state}
    for name, lowest in (("PLAYERS", 1), ("MAX_MOVES", 1), ("MAX_PLIES", 1)):
        value = names.get(name)
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < lowest:
            said = "is missing" if value is None else f"is {value!r}"
            raise RulesError(f"{game}: {name} {said}; write a whole number of at least {lowest}, such as {name} = 2")
        found[name] = int(value)
    found["VALUES"] = _checked_range(names.get("VALUES"), game)
    for name, default in rules.DEFAULTS.items():
        found[name] = names.get(name, default)
    if found["GRAIN"] < 0:
        raise RulesError(f"{game}: GRAIN is {found['GRAIN']}; write the step between two utilities, or 0 where they are real numbers")
    if found["MOVE"] not in (np.int8, np.int16, np.int32, np.int64):
        raise RulesError(f"{game}: MOVE must be np.int8, np.int16, np.int32 or np.int64")
    kinds = (rules.UNIFORM, rules.WEIGHTED, rules.GENERAL)
    if found["CHANCE_KIND"] not in kinds:
        raise RulesError(f"{game}: CHANCE_KIND is {found['CHANCE_KIND']!r}; write one of {', '.join(kinds)}")
    endings = (rules.CYCLE_FREE, rules.DRAW, rules.LOSS, rules.FORBIDDEN)
    if found["REPETITION"] not in endings or not (isinstance(found["REPETITIONS"], int) and found["REPETITIONS"] >= 2):
        said = f"REPETITION is {found['REPETITION']!r}, REPETITIONS {found['REPETITIONS']!r}"
        raise RulesError(f"{game}: {said}; write one of {', '.join(endings)}, and a whole number of at least 2")
    if "outcomes" in names and found["REPETITION"] == rules.FORBIDDEN:
        raise RulesError(f"{game}: REPETITION is 'forbidden', and chance cannot be forbidden an outcome; write 'draw' or 'loss'")
    if names.get("percept") not in (None, default_rules.percept) and found["REPETITION"] != rules.CYCLE_FREE:
        raise RulesError(
            f"{game}: REPETITION is {found['REPETITION']!r}, and players who do not see the position cannot see it repeat; count in the state what ends the game"
        )
    total, (low, high) = found["SUM"], found["VALUES"]
    if found["PLAYERS"] == 2 and total is not None and not max(low, total - high) < min(high, total - low):
        raise RulesError(
            f"{game}: VALUES = {found['VALUES']} and SUM = {total} leave no room for utilities; write values that add up to SUM"
        )
    found["EVEN"] = min(max(total / found["PLAYERS"], low), high) if found["PLAYERS"] > 2 and total is not None else 0.5 * (low + high)
    found["EQUALLY_LIKELY"] = found["CHANCE_KIND"] == rules.UNIFORM
    if "outcomes" in names and not found["MAX_OUTCOMES"]:
        found["MAX_OUTCOMES"] = found["MAX_MOVES"]
    found["SIZE"], found["SECTIONS"] = ranking.checked(names, game)
    found["MAX_UNPLAYS"] = ranking.most_unplays(names, game)
    return found


def _checked_range(values: Any, game: str) -> tuple[float, float]:
    wanted = "write VALUES = (lowest, highest) utility, such as (-1.0, 1.0)"
    if values is None:
        raise RulesError(f"{game}: VALUES is missing; {wanted}")
    try:
        low, high = (float(v) for v in values)
    except (TypeError, ValueError):
        raise RulesError(f"{game}: VALUES is {values!r}; {wanted}") from None
    if not low < high:
        raise RulesError(f"{game}: VALUES is {values!r}, an empty range; {wanted}")
    return low, high


def _checked_names(sides: Any, players: int, game: str) -> tuple[str, ...]:
    """What people call the players, all of them or none."""
    named = isinstance(sides, tuple | list) and all(isinstance(side, str) and side.strip() == side != "" for side in sides)
    if not named or (sides and len(sides) != players) or len(set(sides)) < len(sides):
        raise RulesError(
            f"{game}: PLAYER_NAMES is {sides!r}; write a name for each of the {players} players, such as PLAYER_NAMES = ('White', 'Black')"
        )
    return tuple(sides)


def _checked_functions(names: Mapping[str, Any], game: str) -> dict[str, Any]:
    """The protocol's functions, with defaults for those left out."""
    found: dict[str, Any] = {}
    for name, arguments in {**rules.REQUIRED, **rules.OPTIONAL, **rules.FOR_PEOPLE}.items():
        value = getattr(names.get(name), "py_func", names.get(name))
        wanted = f"def {name}({', '.join(arguments)})"
        if value is None and name in rules.REQUIRED:
            raise RulesError(f"{game}: the function {name} is missing; write {wanted}")
        if value is None:
            value = getattr(default_rules, name, None)
        elif not isinstance(value, FunctionType):
            raise RulesError(f"{game}: {name} must be a plain function; write {wanted}")
        elif value.__code__.co_argcount != len(arguments):
            raise RulesError(f"{game}: {name} takes {value.__code__.co_argcount} arguments; write {wanted}")
        if value is not None and name not in rules.FOR_PEOPLE:
            found[name] = value
    return found
