"""The parts of a user's game: Python files that lie beside it and that it imports.

Two games may each have a `board.py` of their own, and a part may be edited while the process lives. So every game has its own modules of such names, made from
what the files hold when the game is loaded; they stand in `sys.modules` only while an import of the game runs, and what stood there before comes back.
"""

from __future__ import annotations

import builtins
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

SHARED = ("kibitz", "numpy", "numba")  # never a part, whatever lies beside the game

_importing = threading.RLock()


class Parts:
    """The parts of one game. `files` are those that it has imported so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: set[Path] = set()
        self._modules: dict[str, ModuleType] = {}

    @property
    def builtins(self) -> dict[str, Any]:
        """For the game's namespace: an import that is reached later, in a function, finds the same parts."""
        return {**vars(builtins), "__import__": self._import}

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """While the game's own lines run."""
        with _importing:
            others = {name: module for name, module in list(sys.modules.items()) if self._is_part(name)}
            for name in others:
                del sys.modules[name]
            sys.modules.update(self._modules)
            sys.path.insert(0, str(self.folder))
            sys.meta_path.insert(0, self)
            try:
                yield
            finally:
                sys.meta_path.remove(self)
                sys.path.remove(str(self.folder))
                self._modules = {name: module for name, module in list(sys.modules.items()) if self._is_part(name)}
                for name in self._modules:
                    del sys.modules[name]
                sys.modules.update(others)

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002
        """Python's question where a module is: ours, if it lies beside the game or in a package there."""
        if not self._is_part(name):
            return None
        folders = [str(self.folder)] if path is None else [entry for entry in path if Path(entry).is_relative_to(self.folder)]
        for folder in folders:
            found = FileFinder(folder, (_Source, [".py"])).find_spec(name)
            if found is not None and found.origin:
                self.files.add(Path(found.origin))
                return found
        return None

    def _is_part(self, name: str) -> bool:
        top = name.partition(".")[0]
        if top in SHARED or top in sys.stdlib_module_names:
            return False
        return (self.folder / f"{top}.py").is_file() or (self.folder / top / "__init__.py").is_file()

    def _import(self, name: str, *rest: Any) -> Any:
        if not self._is_part(name):
            return builtins.__import__(name, *rest)
        with self.in_place():
            return builtins.__import__(name, *rest)


class _Source(SourceFileLoader):
    """From the source itself: Python's compiled files tell two versions apart by length and whole seconds only."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code
