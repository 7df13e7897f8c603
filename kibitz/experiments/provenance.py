"""The code that a result depends on, as a digest: results are kept until that code changes, and no longer.

That is: what the experiment's `run` reaches in its own file (not how results are summed up or drawn), and all of every file of kibitz that this, the
games and the searches import, directly or not, with the weights beside it. Comments, docstrings and layout do not count.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.weights import beside
from kibitz.experiments.experiment import Experiment, module
from kibitz.searches.method import method

PACKAGE = Path(__file__).parent.parent


def code_digest(source: str, experiment: Experiment) -> str:
    """Of the experiment that `source` names."""
    file = module(source).__file__
    assert file is not None
    own = ast.parse(Path(file).read_text(encoding="utf-8"))
    reached = _reached(own, experiment.run.__name__)
    found = {_without_docstrings(node) for node in reached}
    waiting = [p for node in reached for p in _imported(node)]
    waiting += [p for name in experiment.games for p in _module_files(f"kibitz.games.{name}")]
    waiting += [p for name in experiment.searches for p in _module_files(method(name).run.__module__)]
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            waiting += [p for node in ast.walk(tree) for p in _imported(node)]
            found.add(f"{path.stem}:{_without_docstrings(tree)}")
            weights = beside(path)
            if weights.exists():
                found.add(f"{weights.name}:{weights.read_text(encoding='utf-8')}")
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()


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


def _imported(node: ast.AST) -> Iterator[Path]:
    """The files of kibitz that an import brings in."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield from _module_files(alias.name)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from _module_files(node.module)
        for alias in node.names:
            yield from _module_files(f"{node.module}.{alias.name}")


def _module_files(name: str) -> Iterator[Path]:
    """The file of a module of kibitz; none for other names, and none for `kibitz` itself, which only lists names."""
    parts = name.split(".")
    if parts[0] == "kibitz" and len(parts) > 1:
        place = PACKAGE.joinpath(*parts[1:])
        yield from (p for p in (place.with_suffix(".py"), place / "__init__.py") if p.is_file())


def _without_docstrings(node: ast.AST) -> str:
    for part in ast.walk(node):
        body = getattr(part, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body[0] = ast.Pass()
    return ast.dump(node)
