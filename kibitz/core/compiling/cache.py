"""Compiled functions on disk, one file each, named after everything the machine code depends on.

Numba's own cache asks for the time stamp of one source file: it misses edits elsewhere and recompiles after a mere `touch`. Here the file
name carries a digest of the function and all it reaches, its argument types and the processor, so a file is either right or absent.
Files are written under a temporary name, checksummed and renamed: any number of processes may share the folder. A damaged file is
compiled anew; a folder that cannot be written to is not used, after one warning that names it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import uuid
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from llvmlite import binding
from numba.core import serialize
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys

from kibitz.core import files
from kibitz.core.compiling import compile_progress, pipeline
from kibitz.core.errors import InputError

FORMAT = 6  # raise when the layout of a file, or what the compiler is asked for, changes
MOST_BYTES = 1 << 30  # of all files together; the ones written longest ago go first
BETWEEN = MOST_BYTES // 64  # bytes that a process writes between two looks at the whole folder, which holds thousands of files

statistics = {"loaded": 0, "compiled": 0}  # of this process; tests read them
_unseen = BETWEEN  # bytes written since the folder was looked at; a process begins with a look


def folder() -> Path:
    """Where compiled code is kept: KIBITZ_CACHE, or the user's cache folder."""
    chosen = os.environ.get("KIBITZ_CACHE")
    top = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("kibitz"))
    python = f"{sys.implementation.name}{sys.version_info.major}{sys.version_info.minor}"
    return top / f"{FORMAT}-{python}-numba{numba.__version__}-llvmlite{llvmlite.__version__}-numpy{np.__version__}"


def measure() -> tuple[int, int]:
    """How many files are kept and their bytes; those of earlier versions of Python and Numba among them."""
    sizes = [path.stat().st_size for path in _kept()]
    return len(sizes), sum(sizes)


def clear() -> tuple[int, int]:
    """Remove all that is kept; how many files that were, and their bytes."""
    found = measure()
    try:
        for path in _kept():
            path.unlink(missing_ok=True)
        for place in _folders():
            with contextlib.suppress(OSError):  # another process has just written to it
                place.rmdir()
    except OSError as error:
        raise InputError(f"cannot remove {error.filename}: {error.strerror}") from None
    return found


def is_writable() -> bool:
    """Can compiled code be kept?"""
    place = folder()
    while not place.exists():
        place = place.parent
    return os.access(place, os.W_OK)


def _folders() -> list[Path]:
    """Folders that only this module writes; whatever else is beside them is not ours."""
    top = folder().parent
    return [place for place in top.glob("*-numba*-llvmlite*-numpy*") if place.is_dir() and not place.is_symlink()]


def _kept() -> list[Path]:
    return [path for place in _folders() for path in place.iterdir() if path.is_file()]


class DiskCache(_Cache):  # type: ignore[misc]
    """The cache of one bound function. `inspect` sees each fresh compilation and says whether it may be kept."""

    def __init__(self, name: str, digest: str, inspect: Callable[[Any], bool], inner: bool) -> None:
        self._name, self._digest, self._inspect, self._inner = name, digest, inspect, inner

    @property
    def cache_path(self) -> str:
        return str(folder())

    def enable(self) -> None:
        """Always on."""

    def disable(self) -> None:
        """Always on."""

    def flush(self) -> None:
        """Files are never stale: see the module's docstring."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        payload = _read(self._path(sig, target_context.codegen()))
        if payload is not None:
            with contextlib.suppress(Exception):  # a file of another making may hold what cannot be rebuilt here
                needed, content = pickle.loads(payload)
                _bring(needed, target_context)
                rebuild = pipeline.restored if self._inner else CompileResult._rebuild
                loaded = rebuild(target_context, *pickle.loads(content))
                statistics["loaded"] += 1
                return loaded
        statistics["compiled"] += 1
        _try_folder(folder())
        compile_progress.cache_missed()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if self._inspect(data) and not data.lifted and not data.library.has_dynamic_globals:
            path = self._path(sig, data.codegen)
            needed = [] if self._inner else pipeline.called_outside(data.library)
            _write(path, pickle.dumps((needed, serialize.dumps(data._reduce()))))

    def _path(self, sig: Any, codegen: Any) -> Path:
        exact = hashlib.sha256(repr((self._digest, str(sig), codegen.magic_tuple(), self._inner)).encode()).hexdigest()
        return folder() / f"{self._name}-{exact[:32]}"


def kept_text(name: str) -> str | None:
    """A text that was kept under a name which tells all it depends on."""
    content = _read(folder() / name)
    return None if content is None else content.decode()


def keep_text(name: str, text: str) -> None:
    """Keep one."""
    _try_folder(folder())
    _write(folder() / name, text.encode())


def source_of(*modules: str) -> str:
    """A digest of modules that make code."""
    files_ = [Path(str(sys.modules[name].__file__)).read_bytes() for name in modules]
    return hashlib.sha256(b"".join(files_)).hexdigest()


def _bring(needed: list[str], target_context: Any) -> None:
    """See that the linker finds what code from disk calls. All of Numba's library brings everything, but takes longer than anything else at the start."""
    for bring in (lambda: rtsys.initialize(target_context), target_context.refresh):
        if not all(binding.address_of_symbol(name) for name in needed):
            bring()


def _read(path: Path) -> bytes | None:
    try:
        content = path.read_bytes()
    except OSError:
        return None
    return files.unsealed(content)


@cache
def _try_folder(where: Path) -> None:
    """Before the first compilation, which would be told of as the only one: can files be kept here?"""
    trial = where / f"trial.{uuid.uuid4().hex}"
    try:
        where.mkdir(parents=True, exist_ok=True)
        trial.write_bytes(b"")
        trial.unlink()
    except OSError as error:
        compile_progress.cannot_keep(str(where), error.strerror or str(error))


def _write(path: Path, payload: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with files.replacing(path) as file:
            file.write(files.sealed(payload))
        _make_room(path.parent, len(payload))
    except OSError as error:  # such as a disk that has become full
        compile_progress.cannot_keep(str(path.parent), error.strerror or str(error))


def _make_room(where: Path, written: int) -> None:
    """Remove what is too much, if this process has not looked yet or has written a lot since."""
    global _unseen
    _unseen += written
    if _unseen < BETWEEN:
        return
    _unseen = 0
    files = []
    for entry in os.scandir(where):
        with contextlib.suppress(OSError):
            files.append((entry.stat().st_mtime, entry.stat().st_size, entry.path))
    excess = sum(size for _, size, _ in files) - MOST_BYTES
    for _, size, path in sorted(files):
        if excess <= 0:
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
        excess -= size
