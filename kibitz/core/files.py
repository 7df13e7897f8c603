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


def write_whole(path: Path, content: str | bytes) -> None:
    """The file with this content, or the one there was before; never part of it."""
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


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
