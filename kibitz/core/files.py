"""Files that kibitz writes for itself: under a temporary name first, with a checksum, then renamed; so a file is either whole or not there."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import uuid
from pathlib import Path
from typing import Any

import platformdirs

from kibitz.core.errors import InputError


def data_folder() -> Path:
    """Where results that were long in the making are kept: KIBITZ_DATA, or the user's data folder."""
    chosen = os.environ.get("KIBITZ_DATA")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("kibitz"))


def check_place(path: str | Path) -> Path:
    """The place of a file that is to be written; refuses one where none can be, before hours of work and not after them. No folder is ever made."""
    place = Path(path)
    if place.is_dir() or not place.name:
        raise InputError(f"cannot write {path}: it is a folder; give the name of a file")
    folder = place.absolute().parent
    if not folder.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {place.parent}; make it first")
    if not os.access(folder, os.W_OK):
        raise InputError(f"cannot write {path}: the folder {folder} cannot be written to")
    return place


def write_whole(path: Path, content: str | bytes) -> None:
    """The file with this content, or the one there was before; never part of it. Its folder must be there: a name with a slip in it makes none."""
    check_place(path)
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    try:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def make_folder(path: Path) -> None:
    """A folder of kibitz's own, such as one below `data_folder`."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {path}: {error.strerror or error}") from None


def write_json(path: Path, content: Any) -> None:
    """`content` with a checksum, readable by people."""
    write_whole(path, json.dumps({"checksum": _checksum(content), "content": content}, indent=1) + "\n")


def read_json(path: Path, what: str) -> Any:
    """What `write_json` wrote; one line where it is damaged."""
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        if whole["checksum"] == _checksum(whole["content"]):
            return whole["content"]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{path} is damaged, or no file of {what}; make it anew")


def _checksum(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
