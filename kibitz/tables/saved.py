"""A search's table on disk, from which a search that was stopped or killed can be resumed.

A file is one line of JSON and the table's bytes. The line says what the table belongs to (rules, position, options, by a digest), what else the search
needs to resume, and a checksum of the bytes. The file is written under a temporary name, then renamed: there is always a complete one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.files import writing

CHUNK = 1 << 24  # bytes written and looked at at a time
LONGEST_HEAD = 1 << 16


def save_table(place: Path, head: dict[str, Any], entries: Any) -> None:
    """Write the table behind its line of JSON; the last whole file stays until the new one is."""
    memory, seen = memoryview(entries.view(np.uint8)), hashlib.sha256()
    for at in range(0, len(memory), CHUNK):
        seen.update(memory[at : at + CHUNK])
    whole = {**head, "entries": len(entries), "checksum": seen.hexdigest()}
    with writing(place) as file:
        file.write(json.dumps(whole).encode() + b"\n")
        for at in range(0, len(memory), CHUNK):
            file.write(memory[at : at + CHUNK])


def restore_table(place: Path, magic: str, belongs: str, kind: str, room: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The line of JSON; the table goes into the entries that `room` has for it. Refuses a file that is damaged, or that belongs to something else than this `kind` of work."""
    damaged = InputError(f"{place} is damaged, or no saved {kind}; give another name, or remove it")
    try:
        with place.open("rb") as file:
            head: dict[str, Any] = json.loads(file.readline(LONGEST_HEAD))
            if head["magic"] != magic:
                raise damaged
            if head["belongs"] != belongs:
                raise InputError(f"{place} is a {kind} of {head['what']}, or of other rules or options; give another name")
            entries = room(head)
            if len(entries) != int(head["entries"]):
                raise damaged
            seen, memory = hashlib.sha256(), memoryview(entries.view(np.uint8))
            for at in range(0, len(memory), CHUNK):
                part = memory[at : at + CHUNK]
                if file.readinto(part) != len(part):
                    raise damaged
                seen.update(part)
            if seen.hexdigest() != head["checksum"] or file.read(1):
                raise damaged
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"cannot read {place}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise damaged from None
    return head
