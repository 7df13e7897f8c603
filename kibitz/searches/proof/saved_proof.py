"""Resuming a proof search that was stopped or killed from a file (kibitz/tables/saved.py).

Besides df-pn's table the file holds what a verdict depends on and the table does not contain: the current question, the number of its lines that were cut off at the maximum
length, and how often the search began anew under other keys. Without that count a resumed search could call disproven what it had only not searched to the end.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.searches.proof.memory import BUSY
from kibitz.tables.proof.claim import Claim
from kibitz.tables.saved import restore_table, save_table

MAGIC = "kibitz proof search 1"


@dataclass(frozen=True)
class Standing:
    """How far a search had come, besides its table."""

    within: int = 0  # plies of the question that was being asked; 0: any number
    horizons: int = 0  # lines of it that were cut off so far
    forgotten: int = 0  # times that the table was given up for other keys
    clean_from: int = 0  # plies of the first question asked since then
    used: int = 0  # entries in use
    nodes: int = 0
    seconds: float = 0.0


class SavedProof:
    """The file of one claim's search."""

    def __init__(self, place: str, claim: Claim, kernel: str, rests: str, table: Any) -> None:
        """`kernel` and `rests` tell the search, with its options, and the endgame tables from all others."""
        self.place: Path = check_place(place)
        self.what, self.table, position = claim.position.game.label, table[: len(table) - BUSY], claim.position
        of = (kernel, rests, position.data.hex(), position.past, claim.player, claim.threshold, claim.within)
        self.belongs = hashlib.sha256(repr(of).encode()).hexdigest()
        self.standing = self._read() if self.place.exists() else Standing()

    def _read(self) -> Standing:
        """Take the table, and tell how far the search was."""

        def room(head: dict[str, Any]) -> Any:
            if int(head["entries"]) != len(self.table):
                raise InputError(f"{self.place} holds a table of another size; say --memory {head['megabytes']:g}")
            return self.table

        head = restore_table(self.place, MAGIC, self.belongs, "proof search", room)
        try:
            return Standing(**{name: type(default)(head[name]) for name, default in vars(Standing()).items()})
        except (KeyError, TypeError, ValueError):
            raise InputError(f"{self.place} is damaged, or no saved proof search; give another name, or remove it") from None

    def write(self, standing: Standing, megabytes: float) -> None:
        """Save; the last whole file stays until the new one is."""
        head = {"magic": MAGIC, "what": self.what, "belongs": self.belongs, "megabytes": megabytes, **vars(standing)}
        save_table(self.place, head, self.table)
