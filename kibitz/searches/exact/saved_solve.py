"""A solve of hours that was stopped, killed even, goes on from what it saved: its table and the interval it knew.

A file is one line of JSON and the table's bytes. The line says what the table belongs to (the game's rules, the position, the kernel, so that nothing else is
taken for it), how far the solve was, and a checksum of the bytes. It is written under a temporary name, then renamed: there is always a whole one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
import uuid
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.tables.bounds import Entry

MAGIC = "kibitz solve 1"
CHUNK = 1 << 24  # bytes written and looked at at a time


class Saved:
    """The file of one solve."""

    def __init__(self, place: str, solve: Any) -> None:
        self.place = check_place(place)
        if solve.table is None:
            raise InputError(f"resume={place}: it is the table that is kept; leave table=0 out")
        self.belongs = hashlib.sha256(f"{solve.kernel.digest}{solve.position.data.hex()}{solve.distance}".encode()).hexdigest()
        self.head: dict[str, Any] | None = None
        if self.place.exists():
            self._read(solve)

    def _read(self, solve: Any) -> None:
        """Take the table and the time it took; refuse a file that is damaged or of something else."""
        damaged = InputError(f"{self.place} is damaged, or no saved solve; give another name, or remove it")
        try:
            with self.place.open("rb") as file:
                head = json.loads(file.readline(1 << 16))
                if head["magic"] != MAGIC:
                    raise damaged
                if head["belongs"] != self.belongs:
                    raise InputError(f"{self.place} is a solve of {head['what']}, or of other rules or options; give another name")
                table = solve.table
                wanted = int(head["entries"])
                while 2 << table.bits < wanted and table.bits < table.most_bits:
                    table.bits += 1
                table.entries = table._allocated(table.bits)
                if 2 << table.bits != wanted:
                    raise InputError(
                        f"{self.place} holds a table of {wanted * Entry.itemsize / 2**20:g} MB; say table={head['megabytes']:g}"
                    )
                seen, memory = hashlib.sha256(), memoryview(table.own.view(np.uint8))
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
            raise InputError(f"cannot read {self.place}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError):
            raise damaged from None
        self.head = head
        solve.nodes_before, solve.seconds_before = int(head["nodes"]), float(head["seconds"])
        for w in (solve.w, *solve.mates.workspaces):
            w.table_shift = solve.table.shift

    def restore(self, solve: Any, interval: Any) -> None:
        """What was known of the position."""
        if self.head is None:
            return
        solve.best = int(self.head["best"])
        interval.high = min(interval.high, self.head["high"])
        if solve.best != NO_MOVE:  # the move that is worth `low`
            interval.low = max(interval.low, self.head["low"])

    def write(self, solve: Any) -> None:
        """Save; the last whole file stays until the new one is."""
        memory, seen = memoryview(solve.table.own.view(np.uint8)), hashlib.sha256()
        for at in range(0, len(memory), CHUNK):
            seen.update(memory[at : at + CHUNK])
        head = {
            "magic": MAGIC,
            "what": solve.position.game.label,
            "belongs": self.belongs,
            "entries": len(memory) // Entry.itemsize,
            "megabytes": solve.table.megabytes,
            "checksum": seen.hexdigest(),
            "nodes": solve.nodes,
            "seconds": round(solve.seconds_before + time.perf_counter() - solve.began, 3),
            "low": solve.interval.low,
            "high": solve.interval.high,
            "best": solve.best,
        }
        temporary = self.place.with_name(f"{self.place.name}.{uuid.uuid4().hex}")
        try:
            with temporary.open("wb") as file:
                file.write(json.dumps(head).encode() + b"\n")
                for at in range(0, len(memory), CHUNK):
                    file.write(memory[at : at + CHUNK])
            temporary.replace(self.place)
        except OSError as error:
            with contextlib.suppress(OSError):
                Path(temporary).unlink(missing_ok=True)
            raise InputError(f"cannot write {self.place}: {error.strerror or error}") from None
