"""`load`: a shipped game by its name, a user's game by the path of its file."""

from __future__ import annotations

import hashlib
import traceback
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.core.errors import InputError, KibitzError, RulesError, nearest
from kibitz.core.position.game import Game
from kibitz.core.position.game_files import Parts
from kibitz.core.protocol.parameters import parameters as parameters_given

SHIPPED = Path(__file__).parent.parent / "games"


@dataclass(frozen=True)
class _Loaded:
    """A game, and what was in the files that it is made of; None for one that was looked for and not there."""

    game: Game
    contents: dict[Path, str | None]

    @property
    def is_current(self) -> bool:
        return all(_digest(path) == digest for path, digest in self.contents.items())


_loaded: dict[tuple[Any, ...], _Loaded] = {}


def shipped() -> list[str]:
    """The names of the games that come with kibitz: a game is a file in its folder."""
    return sorted(p.stem for p in SHIPPED.iterdir() if not p.name.startswith("_") and (p.suffix == ".py" or (p / "__init__.py").exists()))


def load(name: str, **parameters: Any) -> Game:
    """A game: `load("connect4")`, `load("kalah", holes=4)`, `load("path/to/my_game.py")`."""
    path = _path(name)
    wanted = (path, tuple(sorted((k, str(v)) for k, v in parameters.items())))
    if wanted not in _loaded or not _loaded[wanted].is_current:
        _loaded[wanted] = _load(path, name, parameters)
    return _loaded[wanted].game


def _load(path: Path, name: str, parameters: dict[str, Any]) -> _Loaded:
    """Run the game's file with these parameters; an edit of any file that it is made of will be noticed."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None
    short = path.parent.name if path.name == "__init__.py" else path.stem
    parts = None if path.is_relative_to(SHIPPED) else Parts(path.parent)
    with parameters_given(parameters, short, str(path)) as scope:
        module = _run(path, source, short, parts)
    files = {*scope.files, *(parts.files if parts else ())}
    contents: dict[Path, str | None] = {file: _digest(file) for file in files}
    contents[path] = hashlib.sha256(source).hexdigest()
    again = (_load_again, (name, dict(parameters)))
    game = Game(module, short, scope.values, scope.declared, reload=again, files=tuple(sorted(contents)), trusted=parts is None)
    return _Loaded(game, contents)


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def forget() -> None:
    """Run a game's file again the next time it is loaded: something that it reads has changed, and is no part of it and no file of weights."""
    _loaded.clear()


def _load_again(name: str, parameters: dict[str, Any]) -> Game:
    return load(name, **parameters)


def _path(name: str) -> Path:
    if not name:
        raise InputError(f"no game named; {nearest(name, shipped(), 'games')}")
    if name.endswith(".py") or "/" in name or "\\" in name:
        path = Path(name).expanduser().resolve()
        if not path.is_file():
            raise InputError(f"there is no file {name}; give the path of a game's .py file or one of: {', '.join(shipped())}")
        return path
    for path in (SHIPPED / f"{name}.py", SHIPPED / name / "__init__.py"):
        if path.is_file() and name in shipped():
            return path
    raise InputError(f"unknown game '{name}'; {nearest(name, shipped(), 'games')}")


def _run(path: Path, source: bytes, short: str, parts: Parts | None) -> ModuleType:
    """Run a game's file in a module of its own, so that each set of parameters has its own constants."""
    module = ModuleType(f"kibitz_game_{short}")
    module.__file__ = str(path)
    if parts is not None:
        vars(module)["__builtins__"] = parts.builtins
    try:
        code = compile(source, str(path), "exec")
        with parts.in_place() if parts is not None else nullcontext():
            exec(code, module.__dict__)
    except KibitzError:
        raise
    except SyntaxError as error:
        raise RulesError(f"{Path(error.filename or path).name}:{error.lineno}: {error.msg}") from None
    except Exception as error:
        places = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == path.parent]
        where = f"{Path(places[-1].filename).name}:{places[-1].lineno}" if places else path.name
        raise RulesError(f"{where}: {type(error).__name__}: {error}") from None
    return module
