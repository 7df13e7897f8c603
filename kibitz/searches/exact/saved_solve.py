"""Resuming a solve that was stopped or killed, from its saved table and interval (kibitz/tables/saved.py)."""

from __future__ import annotations

import hashlib
import time
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.tables.bounds import Entry
from kibitz.tables.saved import restore_table, save_table

MAGIC = "kibitz solve 1"


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
        """Take the table and the time it took."""

        def room(head: dict[str, Any]) -> Any:
            table, wanted = solve.table, int(head["entries"])
            while 2 << table.bits < wanted and table.bits < table.most_bits:
                table.bits += 1
            table.entries = table._allocated(table.bits)
            if 2 << table.bits != wanted:
                raise InputError(f"{self.place} holds a table of {wanted * Entry.itemsize / 2**20:g} MB; say table={head['megabytes']:g}")
            return table.own

        self.head = head = restore_table(self.place, MAGIC, self.belongs, "solve", room)
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
        head = {
            "magic": MAGIC,
            "what": solve.position.game.label,
            "belongs": self.belongs,
            "megabytes": solve.table.megabytes,
            "nodes": solve.nodes,
            "seconds": round(solve.seconds_before + time.perf_counter() - solve.began, 3),
            "low": solve.interval.low,
            "high": solve.interval.high,
            "best": solve.best,
        }
        save_table(self.place, head, solve.table.own)
