"""Binding: a search written against the name `game`, and the rules of one game, become machine code.

`bind` clones a function with its globals replaced: `game` and `options` by what they stand for, every plain function it calls by its own
bound clone. The target then decides what the clones are: `cpu` compiles them with Numba, `python` leaves them as they are, for debugging
and coverage, `cuda` compiles them as far as intermediate code, of which core/device makes code for a GPU. The same source runs all three ways.

Functions may call themselves, but a cycle of two or more functions is refused: such code crashes when it comes back from the disk cache
(Numba issue 6061). For the same reason a recursive function must end up with one signature.
"""

from __future__ import annotations

import builtins
import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any, cast

import numba
import numpy as np

from kibitz.core.compiling import compile_progress, digest, numba_errors, refusals, rule_errors, thrift
from kibitz.core.compiling.cache import DiskCache
from kibitz.core.compiling.pipeline import Compiler, InnerCompiler
from kibitz.core.errors import InputError, KibitzError, RuleFault, RulesError, nearest
from kibitz.core.protocol import rules
from kibitz.core.protocol.rules import Rules
from kibitz.core.records.record import Cells


class Placeholder:
    """Stands in a search's source for what binding will put there."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, attribute: str) -> Any:
        raise AttributeError(f"{self.__name__}.{attribute} exists only in bound code: see kibitz.core.compiling.binder.bind")


game = cast(Rules, Placeholder("game"))
options: Any = Placeholder("options")

CUDA = "cuda"
TARGETS = ("cpu", "python", CUDA)


def default_target() -> str:
    """`KIBITZ_TARGET`, or the CPU."""
    return os.environ.get("KIBITZ_TARGET", "cpu")


def default_checked() -> bool:
    """Does compiled code look at every array index where nobody says? If `KIBITZ_CHECKED` is 1."""
    return os.environ.get("KIBITZ_CHECKED", "0") == "1"


class Bound:
    """A function bound to a game and options; call it like the original."""

    def __init__(self, function: Callable[..., Any], digest: str, label: str, target: str, binder: _Binder) -> None:
        self.function, self.label, self.target = function, label, target
        self.digest = digest  # of everything the function depends on
        self._binder = binder
        self._ready = target == "python"

    def __repr__(self) -> str:
        return f"<{self.label}, {self.target}>"

    def __call__(self, *arguments: Any) -> Any:
        given = [_coerced(a) for a in arguments]
        if not self._ready:
            self._compile(given)
        if self.target == "python":
            with np.errstate(over="ignore"):  # uint64 arithmetic wraps on purpose
                return self.function(*given)
        try:
            return self.function(*given)
        except Exception as error:
            numba_errors.pass_on(error)
            raise

    def prepare(self, *arguments: Any) -> None:
        """Compile for arguments like these, or fetch the compiled code from disk, without running it."""
        if not self._ready:
            self._compile([_coerced(a) for a in arguments])

    def body(self, *arguments: Any) -> Any:
        """Bound for `cuda`: the function, with all it calls, as intermediate code for arguments like these: Numba's result of compiling."""
        self.prepare(*arguments)
        (compiled,) = self.function.overloads.values()  # type: ignore[attr-defined]
        return compiled

    def repeated(self, *arguments: Any) -> Callable[..., Any]:
        """A call with these arguments and further whole numbers, to be made again and again: their types are looked at once, not at every call.

        `further` ones are compiled for by a call of the usual kind before.
        """
        given = [_coerced(a) for a in arguments]
        if self.target == "python":
            return lambda *further: self(*given, *further)
        (compiled,) = self.function.overloads.values()  # type: ignore[attr-defined]
        entry = compiled.entry_point

        def call(*further: Any) -> Any:
            try:
                return entry(*given, *further)
            except Exception as error:
                numba_errors.pass_on(error)
                raise

        return call

    def _compile(self, arguments: list[Any]) -> None:
        try:
            with compile_progress.preparing(self.label), thrift.thrifty():
                self.function.compile(tuple(numba.typeof(a) for a in arguments))  # type: ignore[attr-defined]
        except KibitzError:
            raise
        except Exception as error:  # the compiler's own, and what it trips over
            self._binder.check()  # a rule that returns nothing is why its callers cannot be compiled
            raise RulesError(numba_errors.explain(error)) from None
        self._binder.check()
        self._ready = True


def bind(
    function: Callable[..., Any],
    namespace: Mapping[str, Any],
    label: str,
    options: Mapping[str, Any] | None = None,
    target: str | None = None,
    checked: bool | None = None,
) -> Bound:
    """`function` with `game` standing for `namespace` and `options` for constants chosen now.

    `namespace` holds the constants and functions of a game under their protocol names; `label` is how the pair is called in notices.
    With `checked`, compiled code looks at every array index, as interpreted code always does; None: as `KIBITZ_CHECKED` says.
    """
    target = target or default_target()
    if target not in TARGETS:
        raise InputError(f"unknown target '{target}'; {nearest(target, TARGETS, 'targets')}")
    is_checked = default_checked() if checked is None else checked
    binder = _Binder({"game": namespace, "options": options or {}}, target, label, is_checked and target == "cpu")
    return Bound(*binder.bind(cast(FunctionType, function)), label, target, binder)


def _coerced(argument: Any) -> Any:
    """Plain numbers: a second signature of a recursive function would be fatal, see the module's docstring."""
    kind = type(argument)  # asked of the type: isinstance would ask a record for its fields, slowly
    if kind is not np.uint64 and issubclass(kind, np.integer | np.bool_):
        return int(argument)
    return float(argument) if issubclass(kind, np.floating) else argument


class _Binder:
    """Clones functions; remembers what is done, and what is under way, to share and to see cycles."""

    def __init__(self, replaced: Mapping[str, Mapping[str, Any]], target: str, label: str, checked: bool) -> None:
        self._replaced, self._target, self._label, self._checked = replaced, target, label, checked
        self._done: dict[FunctionType, tuple[Callable[..., Any], str]] = {}
        self._under_way: list[FunctionType] = []
        self._recursive: list[Any] = []
        self._complaints: list[str] = []
        names = {*rules.REQUIRED, *rules.OPTIONAL}
        self._rules = {getattr(f, "py_func", f): name for name, f in replaced["game"].items() if name in names and not _is_default(f)}

    def bind(self, function: FunctionType) -> tuple[Callable[..., Any], str]:
        """The bound clone and its digest."""
        function = getattr(function, "py_func", function)  # a function its author compiled already is bound from its source
        if function in self._done:
            return self._done[function]
        if function in self._under_way:
            cycle = [*self._under_way[self._under_way.index(function) :], function]
            names = " -> ".join(f.__name__ for f in cycle)
            raise RulesError(
                f"{_where(function)}: functions call each other in a cycle: {names}; make it one function that calls itself, or a loop"
            )
        self._under_way.append(function)
        done = self._clone(function)
        self._under_way.pop()
        self._done[function] = done
        return done

    def check(self) -> None:
        """After compiling: refuse what would compute something else than the source says, or crash when loaded from disk."""
        if self._complaints:
            raise RulesError(self._complaints[0])

    def _clone(self, function: FunctionType) -> tuple[Callable[..., Any], str]:
        refusals.refuse(function, compiled=self._target != "python")
        scope = {**vars(builtins), **function.__globals__}
        free = dict(zip(function.__code__.co_freevars, (c.cell_contents for c in function.__closure__ or ()), strict=True))
        meaning = hashlib.sha256(digest.of_code(function) + b"checked" * self._checked)
        proxies: dict[str, ModuleType] = {}
        bound: dict[str, Any] = {}
        calls_itself: list[Callable[[Any], None]] = []

        for use in sorted(set(digest.uses(function.__code__)), key=lambda u: u.path):
            value, reached = self._resolve(use, scope)
            put = _putter(reached, proxies, bound) if self._is_ours(scope[reached[0]], reached) else None
            if value is function:
                if self._target == CUDA:
                    raise RulesError(
                        f"{_where(function)}: {function.__name__} calls itself, which a GPU has no room for; write a loop, or leave it to the CPU"
                    )
                calls_itself.append(put or _putter(reached, proxies, bound))
                meaning.update(repr((reached, "itself")).encode())
                continue
            value, its_digest = self._bound_value(value, use)
            meaning.update(repr((reached, its_digest)).encode())
            if put is not None:
                put(value)
        cells = []
        for name, value in free.items():
            value, its_digest = self._bound_value(
                value, digest.Use((name,), function.__code__.co_filename, function.__code__.co_firstlineno)
            )
            meaning.update(repr((name, its_digest)).encode())
            cells.append(CellType(value))

        full = meaning.hexdigest()
        clone = FunctionType(function.__code__, {**function.__globals__, **bound}, function.__name__, function.__defaults__, tuple(cells))
        clone.__qualname__ = f"{function.__name__}_{full[:16]}"
        clone.__module__ = __name__  # Numba imports this name when it loads the function from disk; a user's file has none to import
        made = self._interpreted(clone, function) if self._target == "python" else self._compiled(clone, function, full, not calls_itself)
        for put in calls_itself:
            put(made)
        clone.__globals__.update(bound)
        if calls_itself and self._target == "cpu":
            self._recursive.append(made)
        return made, full

    def _resolve(self, use: digest.Use, scope: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
        """What a use stands for, following modules and placeholders, and how far its path was needed."""
        first = use.path[0]
        if first not in scope:
            raise RulesError(
                f"{_short(use.file)}:{use.line}: the name '{first}' is not defined; {nearest(first, [n for n in scope if n[0] != '_'], 'names')}"
            )
        value, reached = scope[first], 1
        while reached < len(use.path) and isinstance(value, ModuleType | Placeholder) and not refusals.draws(value):
            attribute = use.path[reached]
            if isinstance(value, Placeholder):
                known = self._replaced[value.__name__]
                if attribute not in known:
                    raise RulesError(
                        f"{self._label}: needs {value.__name__}.{attribute}, which is not there; write a function or constant '{attribute}'"
                    )
                value = known[attribute]
            elif hasattr(value, attribute):
                value = getattr(value, attribute)
            else:
                raise RulesError(f"{_short(use.file)}:{use.line}: {'.'.join(use.path[:reached])} has nothing called '{attribute}'")
            reached += 1
        if refusals.draws(value):
            raise RulesError(
                f"{_short(use.file)}:{use.line}: {'.'.join(use.path)} draws a random number in a rule; {refusals.CHANCE_ADVICE}"
            )
        return value, use.path[:reached]

    def _is_ours(self, root: Any, reached: tuple[str, ...]) -> bool:
        """Must this name be replaced in the clone? Numba finds NumPy and the like by itself."""
        return not (isinstance(root, ModuleType) and digest.is_foreign(root)) and (len(reached) > 1 or reached[0] not in vars(builtins))

    def _bound_value(self, value: Any, use: digest.Use) -> tuple[Any, str]:
        """A constant, or a function bound in turn; with its digest."""
        if callable(getattr(value, "py_func", None)) or (
            isinstance(value, FunctionType) and not digest.is_twin(value) and not digest.is_foreign(value)
        ):
            return self.bind(value)
        try:
            meaning = hashlib.sha256(digest.of_value(value, ".".join(use.path))).hexdigest()
        except RulesError as error:
            raise RulesError(f"{_short(use.file)}:{use.line}: {error}") from None
        if self._target == "python" and type(value) is np.ndarray:
            value = value.view(Cells)
        if self._target != "python":
            value = getattr(value, "__kibitz_in_frame__", value)
        return value, meaning

    def _interpreted(self, clone: FunctionType, function: FunctionType) -> Any:
        return rule_errors.asked(clone, self._rules[function], function) if function in self._rules else clone

    def _compiled(self, clone: FunctionType, function: FunctionType, full: str, inline: bool) -> Any:
        # Rules inlined into the search: 10 to 40 % faster, and as fast in the process that compiles as in those that load from disk.
        flags = {"nogil": True, "error_model": "numpy", "boundscheck": self._checked, "forceinline": inline}
        inner = self._target == CUDA or len(self._under_way) > 1  # somebody else, whom Python calls, will call it
        dispatcher = numba.njit(pipeline_class=InnerCompiler if inner else Compiler, **flags)(clone)
        dispatcher._cache = DiskCache(function.__name__, full, lambda compiled: self._may_keep(dispatcher, compiled, function), inner)
        thrift.compiled_once(dispatcher)
        return dispatcher

    def _may_keep(self, dispatcher: Any, compiled: Any, source: FunctionType) -> bool:
        """Look at a fresh compilation; one that would be refused must not come back from disk, where nobody looks at it again."""
        if self._rules.get(source) in rule_errors.ANSWERING and (returned := numba_errors.no_number(compiled.signature.return_type)):
            self._complaints.append(str(RuleFault(self._rules[source], f"{_where(source)}: {returned}", rule_errors.RETURN)))
        self._complaints += numba_errors.mixed_integers(compiled.type_annotation)
        if dispatcher in self._recursive and len(dispatcher.overloads) > 1:
            function, (one, other) = dispatcher.py_func, list(dispatcher.overloads)[:2]
            names = function.__code__.co_varnames
            self._complaints.append(f"{_where(function)}: {function.__name__} {numba_errors.two_signatures(names, one, other)}")
        return not self._complaints


def _putter(path: tuple[str, ...], proxies: dict[str, ModuleType], bound: dict[str, Any]) -> Callable[[Any], None]:
    """A function that puts a value where code reads `a.b.c`: in a global, or in stand-ins for the modules on the way."""
    if len(path) == 1:
        return lambda value: bound.__setitem__(path[0], value)
    place = ""
    for step in path[:-1]:
        parent, place = place, f"{place}.{step}"
        if place not in proxies:
            proxies[place] = ModuleType(step)
            if parent:
                setattr(proxies[parent], step, proxies[place])
            else:
                bound[step] = proxies[place]
    return lambda value: setattr(proxies[place], path[-1], value)


def _is_default(value: Any) -> bool:
    """Is it no rule of the game's own?"""
    return (
        not isinstance(getattr(value, "py_func", value), FunctionType)
        or getattr(value, "__module__", "") == "kibitz.core.position.default_rules"
    )


def _where(function: FunctionType) -> str:
    return f"{_short(function.__code__.co_filename)}:{function.__code__.co_firstlineno}"


def _short(file: str) -> str:
    return Path(file).name
