"""What an experiment is: a file that cuts its work into shards, runs one of them, and sums up all of them in a table.

`EXPERIMENT = Experiment(...)` in a file of this folder makes `kibitz experiment NAME`; a user's own file is named by its path. A shard is
determined by its inputs alone: `run` gets nothing else, draws from seeds that are among them, and answers in JSON. So results depend neither on the
order of the shards nor on how many processes share them, and a shard that two runs have in common is run once.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.core.errors import InputError, KibitzError, nearest
from kibitz.core.protocol.default_text import of_parameter
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.modules import parts_of, parts_read_anew
from kibitz.experiments.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = Path(__file__).parent

Settings = Mapping[str, Any]  # the experiment's parameters by their names
Inputs = Mapping[str, Any]  # of one shard
Row = dict[str, str | int | float | Estimate | None]  # a line of the table: columns by their names


@dataclass(frozen=True)
class Shard:
    """A piece of the work, seconds rather than minutes long."""

    inputs: Inputs  # JSON
    cost: float = 1.0  # about how long it takes, in any unit: for the time that is left

    @property
    def name(self) -> str:
        """For people."""
        return ", ".join(f"{k} {v}" for k, v in self.inputs.items())


class Finished(NamedTuple):
    """What came of a shard."""

    inputs: Inputs
    result: Any


@dataclass(frozen=True)
class Summary:
    """What all finished shards say together; shards may be missing."""

    rows: list[Row]  # with the same columns in each
    notes: tuple[str, ...] = ()  # what the paper says, and whether it is so here
    shown: tuple[str, ...] = ()  # columns for the screen, where all are too many; files have all


@dataclass(frozen=True)
class Experiment:
    """One paper's numbers beside ours."""

    about: str  # one line
    claim: str  # what the paper says, and which
    parameters: tuple[Parameter, ...]
    shards: Callable[[Settings], Sequence[Shard]]
    run: Callable[[Inputs], Any]  # a function of the experiment's file
    summarise: Callable[[Settings, list[Finished]], Summary]  # of those that are finished, in the order of `shards`
    plot: Callable[[Figure, Settings, list[Finished]], None] | None = None
    games: tuple[str, ...] = ()  # by name or path, and searches, that it uses: their code is part of what a result depends on
    searches: tuple[str, ...] = ()
    pace: float | None = None  # about how many seconds a unit of cost takes, for the time left while no run has told

    def settings(self, given: Settings, name: str) -> dict[str, Any]:
        """Every parameter's value; refuses unknown names and values out of range."""
        known = {p.name: p for p in self.parameters}
        for word in given:
            if word not in known:
                said = nearest(word, known, "its parameters") if known else "it has none"
                raise InputError(f"experiment {name} has no parameter '{word}'; {said}")
        found = {word: p.value(given[word]) if word in given else p.default for word, p in known.items()}
        for word, value in found.items():
            if isinstance(value, tuple) and len(set(value)) < len(value):
                raise InputError(f"parameter {word}={of_parameter(value)}: a number is there twice; name each once")
        return found


def listed(text: str, known: Sequence[str], what: str) -> list[str]:
    """A parameter that is a list of words: each of them known, none twice."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in known:
            raise InputError(f"unknown {what} '{word}'; {nearest(word, known, f'{what}s')}")
        if words.count(word) > 1:
            raise InputError(f"the {what} '{word}' is named twice; name each once")
    return words


def canonical(inputs: Inputs) -> str:
    """The inputs as text: equal for equal inputs."""
    try:
        return json.dumps(inputs, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise KibitzError(f"the inputs of a shard must be JSON ({error}): {inputs}") from None


# --- finding them ---


def names() -> list[str]:
    """The experiments that come with kibitz."""
    return sorted(_places())


def name_of(source: str) -> str:
    """What an experiment is called: our name for it, or that of the user's file."""
    return Path(source).stem.replace("_", "-") if _is_path(source) else source.replace("_", "-")


def experiment(source: str) -> Experiment:
    """The experiment of that name, or in the file at that path."""
    found = getattr(module(source), "EXPERIMENT", None)
    if not isinstance(found, Experiment):
        raise InputError(f"{source} defines no experiment; write EXPERIMENT = Experiment(...) in it")
    return found


def module(source: str) -> ModuleType:
    """The file that defines it."""
    if _is_path(source):
        return _user_file(Path(source).expanduser().resolve())
    name = name_of(source)
    if name not in _places():
        raise InputError(f"unknown experiment '{source}'; {nearest(name, names(), 'experiments')}")
    return importlib.import_module(_places()[name])


def _is_path(source: str) -> bool:
    return source.endswith(".py") or "/" in source or "\\" in source


@cache
def _places() -> dict[str, str]:
    marked = (p for p in FOLDER.glob("*.py") if "\nEXPERIMENT = " in p.read_text(encoding="utf-8"))
    return {p.stem.replace("_", "-"): f"kibitz.experiments.{p.stem}" for p in marked}


def _user_file(path: Path) -> ModuleType:
    try:
        parts = sorted(parts_of(path))
        return _loaded(path, (path.read_bytes(), *(part.read_bytes() for part in parts)), tuple(parts))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; give the path of a .py file or one of: {', '.join(names())}") from None


@cache
def _loaded(path: Path, _contents: tuple[bytes, ...], parts: tuple[Path, ...]) -> ModuleType:
    """The file as a module; loaded again, with the files beside it that it imports, when any of them has changed."""
    spec = importlib.util.spec_from_file_location(f"kibitz_experiment_{path.stem}", path)
    assert spec is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made  # dataclasses look for their module there
    with parts_read_anew(path.parent, parts):
        return _executed(spec, made, path)


def _executed(spec: ModuleSpec, made: ModuleType, path: Path) -> ModuleType:
    assert spec.loader is not None
    try:
        spec.loader.exec_module(made)
    except KibitzError:
        raise
    except Exception as error:
        line = getattr(error, "lineno", None)
        raise InputError(f"{path.name}{f':{line}' if line else ''}: {type(error).__name__}: {error}") from None
    return made
