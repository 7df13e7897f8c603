"""The code that a result depends on, as a digest: results are kept until that code changes, and no longer.

That is: what the experiment's `run` reaches in its own file (not how results are summed up or drawn); the games and searches that it names; the files that the
experiment or the inputs of a shard name by their paths, a user's own game above all, or a file of weights; and all of every file of kibitz, or beside the file
that imports it, that these import, directly or not, with the weights beside it. Comments, docstrings and layout do not count.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.position.loading import SHIPPED, shipped
from kibitz.core.protocol.weights import beside
from kibitz.experiments.experiment import Experiment, Inputs, module
from kibitz.experiments.modules import imported, modules_beside
from kibitz.searches.method import module_of

PACKAGE = Path(__file__).parent.parent
READ = (".py", ".json")  # kinds of files that a text may name: games, and weights of evaluations


class Provenance:
    """What the results of an experiment come from. Files are read when it is made, or when a shard first names them."""

    def __init__(self, source: str, experiment: Experiment) -> None:
        file = module(source).__file__
        assert file is not None
        self.folder = Path(file).parent
        self._digests: dict[tuple[Path, ...], str] = {}
        reached = _reached(ast.parse(Path(file).read_text(encoding="utf-8")), experiment.run.__name__)
        named = [p for node in reached for part in ast.walk(node) for p in self._named(part)]
        named += [p for node in reached for p in _files_of_import(node, self.folder)]
        named += [p for name in experiment.games for p in self._game(name)]
        named += [p for name in experiment.searches for p in _module_files(module_of(name))]
        self.code = _hashed([*sorted(_without_docstrings(node) for node in reached), self._contents(named)])

    def of_shard(self, inputs: Inputs) -> str:
        """The digest of the code, and of the files that these inputs name."""
        files = [p for text in _texts(inputs) for p in self._file(text)]
        return _hashed([self.code, self._contents(files)]) if files else self.code

    def _contents(self, files: Iterable[Path]) -> str:
        known = tuple(sorted(set(files)))
        if known not in self._digests:
            self._digests[known] = _hashed(sorted(_all_contents(list(known))))
        return self._digests[known]

    def _game(self, name: str) -> list[Path]:
        """The file of a game: one of ours, or a user's own."""
        if name in shipped():
            return [p for p in (SHIPPED / f"{name}.py", SHIPPED / name / "__init__.py") if p.is_file()]
        if found := self._file(name):
            return found
        raise InputError(f"the experiment names a game '{name}', which is none of ours and no file; write its path, such as my_game.py")

    def _named(self, node: ast.AST) -> list[Path]:
        """Files that a piece of code names: in `load("nim")` a game of ours, in any text the path of a file that there is."""
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant) and node.args[0].value in shipped():
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            return self._game(node.args[0].value) if called == "load" else []
        return self._file(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else []

    def _file(self, text: str) -> list[Path]:
        """The file of that path, if there is one: from here, as `kibitz.load` takes it, or beside the experiment."""
        if not text.endswith(READ) or "\n" in text:
            return []
        places = (Path(text).expanduser().absolute(), self.folder / text)
        return [p.resolve() for p in places if p.is_file()][:1]


def code_digest(source: str, experiment: Experiment) -> str:
    """Of the experiment that `source` names, without what shards may name."""
    return Provenance(source, experiment).code


def _all_contents(waiting: list[Path]) -> Iterator[str]:
    """What these files say, and all that they import, with the weights beside each."""
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        if path.suffix != ".py":
            yield f"{path.name}:{_read(path)}"
            continue
        meaning, names = _meaning(_read(path), path.name)
        waiting += [p for name in names for p in _files_of(name, path.parent)]
        yield f"{path.stem}:{meaning}"
        if (weights := beside(path)).exists():
            waiting.append(weights)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error.strerror if isinstance(error, OSError) else 'it is not text'}") from None


@cache
def _meaning(text: str, file: str) -> tuple[str, tuple[str, ...]]:
    """What a file says but for comments, docstrings and layout, as a digest; and the modules that it may import."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise InputError(f"{file}:{error.lineno}: {error.msg}") from None
    names = tuple(dict.fromkeys(name for node in ast.walk(tree) for name in imported(node)))
    return _hashed([_without_docstrings(tree)]), names


def _hashed(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _texts(value: Any) -> Iterator[str]:
    """Every text in a shard's inputs."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def _reached(tree: ast.Module, start: str) -> list[ast.stmt]:
    """The statements of a file that define `start` and every name it uses, directly or not."""
    makers: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for name in _defined(statement):
            makers.setdefault(name, []).append(statement)
    reached: list[ast.stmt] = []
    waiting = [start]
    while waiting:
        for statement in makers.pop(waiting.pop(), []):
            if statement not in reached:
                reached.append(statement)
                waiting += [n.id for n in ast.walk(statement) if isinstance(n, ast.Name)]
    return reached


def _defined(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a file defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
    else:
        yield from (n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _files_of_import(node: ast.AST, folder: Path) -> Iterator[Path]:
    """The files that an import brings in: of kibitz, or of the folder of the file that imports."""
    for name in imported(node):
        yield from _files_of(name, folder)


def _files_of(name: str, folder: Path) -> Iterator[Path]:
    yield from _module_files(name)
    yield from modules_beside(name, folder)


def _module_files(name: str) -> Iterator[Path]:
    """The file of a module of kibitz, of `kibitz` itself the one that lists its names; none for other names."""
    parts = name.split(".")
    if parts[0] == "kibitz":
        place = PACKAGE.joinpath(*parts[1:])
        yield from (p for p in (place.with_suffix(".py"), place / "__init__.py") if p.is_file())


def _without_docstrings(node: ast.AST) -> str:
    for part in ast.walk(node):
        body = getattr(part, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body[:1] = [] if len(body) > 1 else [ast.Pass()]
    return ast.dump(node)
