"""`load`: a shipped game by its name, a user's game by the path of its file."""

from __future__ import annotations

import hashlib
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.core.errors import InputError, KibitzError, RulesError, nearest
from kibitz.core.game import Game
from kibitz.core.parameters import parameters as parameters_given

SHIPPED = Path(__file__).parent.parent / "games"

_loaded: dict[tuple[Any, ...], Game] = {}


def shipped() -> list[str]:
    """The names of the games that come with kibitz: a game is a file in its folder."""
    return sorted(p.stem for p in SHIPPED.iterdir() if not p.name.startswith("_") and (p.suffix == ".py" or (p / "__init__.py").exists()))


def load(name: str, **parameters: Any) -> Game:
    """A game: `load("connect4")`, `load("kalah", holes=4)`, `load("path/to/my_game.py")`."""
    path = _path(name)
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None
    known = (path, hashlib.sha256(source).hexdigest(), tuple(sorted((k, str(v)) for k, v in parameters.items())))
    if known not in _loaded:
        short = path.parent.name if path.name == "__init__.py" else path.stem
        with parameters_given(parameters, short, str(path)) as scope:
            module = _run(path, source, short)
        _loaded[known] = Game(module, short, scope.values, scope.declared, reload=(_load_again, (name, dict(parameters))))
    return _loaded[known]


def forget() -> None:
    """Run a game's file again the next time it is loaded: something that it reads has changed."""
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


def _run(path: Path, source: bytes, short: str) -> ModuleType:
    """Run a game's file in a module of its own, so that each set of parameters has its own constants."""
    module = ModuleType(f"kibitz_game_{short}")
    module.__file__ = str(path)
    sys.path.insert(0, str(path.parent))  # a user's game may import files beside it
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except KibitzError:
        raise
    except SyntaxError as error:
        raise RulesError(f"{path.name}:{error.lineno}: {error.msg}") from None
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        where = f"{path.name}:{lines[-1]}" if lines else path.name
        raise RulesError(f"{where}: {type(error).__name__}: {error}") from None
    finally:
        sys.path.remove(str(path.parent))
    return module
