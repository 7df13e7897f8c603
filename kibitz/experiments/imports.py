"""What a file imports, and which of it are files beside it: a user's experiment or game may be cut into several."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


def imported_names(node: ast.AST) -> Iterator[str]:
    """The names of the modules that a statement may bring in; for `from a import b` that is a, and a.b, which may be one."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules_beside(name: str, folder: Path) -> Iterator[Path]:
    """The files of a module of that name in the folder: its own, and those of the packages that it is in."""
    parts = name.split(".")
    if parts[0] == "kibitz":
        return
    for depth in range(1, len(parts) + 1):
        place = folder.joinpath(*parts[:depth])
        yield from (p.resolve() for p in (place.with_suffix(".py"), place / "__init__.py") if p.is_file())


def parts_of(path: Path) -> set[Path]:
    """The files beside it that the file imports, directly or not; none of a file that cannot be read."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        here = waiting.pop()
        try:
            tree = ast.parse(here.read_text(encoding="utf-8"))
        except (OSError, SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            for name in imported_names(node):
                new = set(modules_beside(name, path.parent)) - found - {path}
                found |= new
                waiting += new
    return found


@contextmanager
def reloading_parts(folder: Path, parts: Sequence[Path]) -> Iterator[None]:
    """While a file of this folder is run: imports find these parts of it, and read them as they are now, whatever modules of their names there were."""
    names = {part.relative_to(folder).parts[0].removesuffix(".py") for part in parts if part.is_relative_to(folder)}
    for name in [name for name in sys.modules if name.partition(".")[0] in names]:
        del sys.modules[name]
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # compiled files are told apart by whole seconds
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = writes
