"""Files: written under a temporary name and renamed, so that a file is either complete or absent; checksums; one-line errors if a file cannot be read or written."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import platformdirs

from kibitz.core.errors import InputError

SEAL = 32  # bytes of a checksum


def data_folder() -> Path:
    """Where results that were long in the making are kept: KIBITZ_DATA, or the user's data folder."""
    chosen = os.environ.get("KIBITZ_DATA")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("kibitz"))


# --- writing ---


def check_place(path: str | Path) -> Path:
    """Refuse a place where no file can be written, before hours of work and not after them. No folder is ever made."""
    place = Path(path)
    if place.is_dir() or not place.name:
        raise InputError(f"cannot write {path}: it is a folder; give the name of a file")
    folder = place.absolute().parent
    if not folder.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {place.parent}; make it first")
    if not os.access(folder, os.W_OK):
        raise InputError(f"cannot write {path}: the folder {folder} cannot be written to")
    if place.exists() and not os.access(place, os.W_OK):
        raise InputError(f"cannot write {path}: writing there is not allowed")
    return place


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, which becomes `path` when all of it is written; else what was there before stays. OSErrors pass through."""
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    try:
        with temporary.open("w+b") as file:
            yield file
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """`replacing`, with one line where it cannot be done. Its folder must be there: a name with a slip in it makes none."""
    check_place(path)
    try:
        with replacing(path) as file:
            yield file
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write the file with this content, or leave the one there was before; never part of it."""
    with writing(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def make_folder(path: Path) -> None:
    """Make a folder of kibitz's own, such as one below `data_folder`."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {path}: {error.strerror or error}") from None


# --- reading ---


@contextmanager
def reading(path: str | Path) -> Iterator[None]:
    """One line where a file cannot be read inside, or is not text."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"cannot read {path}: it is not text") from None


def read_text(path: str | Path) -> str:
    """All of a text file."""
    with reading(path):
        return Path(path).read_text(encoding="utf-8")


# --- checksums ---


def sealed(content: bytes) -> bytes:
    """The content behind its checksum."""
    return hashlib.sha256(content).digest() + content


def unsealed(content: bytes) -> bytes | None:
    """What `sealed` was given; None where it is damaged."""
    payload = content[SEAL:]
    return payload if hashlib.sha256(payload).digest() == content[:SEAL] else None


def write_json(path: Path, content: Any) -> None:
    """Write `content` with a checksum, readable by people."""
    write_whole(path, json.dumps({"checksum": _checksum(content), "content": content}, indent=1) + "\n")


def read_json(path: Path, what: str) -> Any:
    """What `write_json` wrote; one line where it is damaged."""
    with reading(path):
        content = path.read_bytes()
    try:
        whole = json.loads(content)
        if whole["checksum"] == _checksum(whole["content"]):
            return whole["content"]
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{path} is damaged, or no file of {what}; make it again")


def _checksum(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
