"""Endgame tables at the nodes of a search: what its kernel calls, and how its workspace gets what that needs.

A search that wants it does four things; the first three cost nothing where there are no tables:

    1  bind its kernel with       **flags(inside)            which is OFF where `inside` is None
    2  add to its workspace       **fields(State, inside)     one field, `endings`; none without tables
    3  before it runs             attach(inside, w, position) for the workspace of each thread; keep `inside` for as long as the kernel may run
    4  in the kernel              if options.ENDINGS == RESULTS:
                                      found = lookup.result(w.endings, s)
                                      if found > LEAST_VALUE: ...

`inside` is an `Inside`: the tables of a folder, opened for this. A player hands it to its search as `settings["endings"]` (see kibitz/players.py).

`result` tells of an unfinished position, for its mover: d for a win in d plies, -d for a loss in d, 0 for a draw; ABSENT, below LEAST_VALUE, where no table holds it or a
counter that its number leaves out (`valid_plies`) might end the game before. `equity`, where options.ENDINGS == EQUITIES: what the position is worth to the first player, or NaN.
Both count in `w.endings.hits` what they found.

**Repetition.** A table's draw is one on every path. Its win may be a draw where a position on the way to it has come up before: `w.endings.recurring` says that one has come up
so often before the search began that the next time would end the game. Where nothing that came before can come up again, as after a capture, there is no doubt. Else the caller must count
the win as it counts its own table's (see kibitz/searches/window/node.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import DRAW
from kibitz.core.records.borrowed import borrowed_keys, borrowed_reals, borrowed_shorts, borrowed_words, lend
from kibitz.core.records.record import record
from kibitz.tables.endgame import probing
from kibitz.tables.endgame.numbering import Numbers
from kibitz.tables.endgame.probing import LEAST_VALUE, Known, Tables

NONE, RESULTS, EQUITIES = 0, 1, 2  # options.ENDINGS
OFF = {"ENDINGS": NONE, "RANKED": False}

# --- kernels ---


def result(e: Any, s: Any) -> int:
    """Who wins, and how soon: see the module's docstring; `e` is `w.endings`."""
    found: Any = np.int64(probing.result_at(e, numbers(e), known(e), s))
    if found > LEAST_VALUE:
        e.hits += 1
    return found


def equity(e: Any, s: Any) -> float:
    """What an unfinished position is worth to the first player, NaN where no table holds it."""
    found = np.float64(probing.equity_at(e, numbers(e), known(e), s))
    if np.isfinite(found):
        e.hits += 1
        return found
    return np.nan


def utility_for(found: int, player: int) -> float:
    """What `result` told of a position in which `player` is to move, as the first player's utility."""
    if found == 0:
        return 0.5 * (first_low() + first_high())
    return first_high() if (found > 0) == (player == 0) else first_low()


def first_low() -> float:
    """The least utility of the first player, given what both add up to."""
    return max(game.VALUES[0], game.SUM - game.VALUES[1])


def first_high() -> float:
    """The greatest."""
    return min(game.VALUES[1], game.SUM - game.VALUES[0])


def numbers(e: Any) -> Numbers:
    """The keys that number the positions, where the game has no `rank`."""
    keys = borrowed_keys(e.keys, e.positions)
    return Numbers(keys, keys)


def known(e: Any) -> Known:
    """All values."""
    return Known(
        borrowed_words(e.begins, e.sections + 1),
        borrowed_words(e.places, e.sections),
        borrowed_shorts(e.results, e.count_of_results),
        borrowed_reals(e.equities, e.count_of_equities),
    )


# --- shell ---


class Inside:
    """The tables of a folder, as kernels read them."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.game = tables, tables.game
        self.numbering = tables.numbering
        self.held = Inside.lendable(tables.known(), self.numbering.numbers)
        kinds = {f.header["kind"] for f in tables.files.values()}
        self.kind = NONE if not kinds else RESULTS if kinds == {probing.RESULTS} else EQUITIES
        self.error = max((float(f.header.get("error", 0.0)) for f in tables.files.values()), default=0.0)

    @staticmethod
    def lendable(known_: Known, numbers_: Numbers) -> dict[str, Any]:
        """The arrays by the names of the fields that point to them."""
        return {
            "begins": known_.begins,
            "places": known_.places,
            "results": np.ascontiguousarray(known_.results),
            "equities": np.ascontiguousarray(known_.equities),
            "keys": np.ascontiguousarray(numbers_.keys),
        }

    @property
    def meaning(self) -> tuple[Any, ...]:
        """What values in a search's own table rest on besides."""
        return (str(self.tables.folder), *sorted(self.tables.files))

    def attach(self, w: Any, position: Position) -> None:
        """Let the workspace of a search of this position point to the tables."""
        e = w.endings
        for name, array in self.held.items():
            address, length = lend(array)
            setattr(e, name, address)
            if name in LENGTHS:
                setattr(e, LENGTHS[name], length)
        e.recurring = self.game.constants["REPETITION"] == DRAW and self.tables.may_repeat(position)


LENGTHS = {"places": "sections", "results": "count_of_results", "equities": "count_of_equities", "keys": "positions"}


def flags(inside: Inside | None) -> dict[str, Any]:
    """What kernels are bound with."""
    return {"ENDINGS": inside.kind, "RANKED": inside.numbering.is_ranked} if inside else OFF


def attach(inside: Inside | None, w: Any, position: Position) -> None:
    """Let the workspace of a search of this position point to the tables, if there are any."""
    if inside:
        inside.attach(w, position)


def fields(state: Any, inside: Inside | None) -> dict[str, Any]:
    """What the workspace holds for it."""
    if inside is None:
        return {}
    addresses = dict.fromkeys(("begins", "places", "results", "equities", "keys", *LENGTHS.values(), "hits"), np.int64)
    return {"endings": record(**addresses, recurring=np.bool_, image=state)}


# --- in an answer; all of these are about no tables where `inside` is None ---


def hits(inside: Inside | None, *workspaces: Any) -> int | None:
    """How often the threads of a search found a position in the tables."""
    return sum(int(w.endings.hits) for w in workspaces) if inside else None


def noted(note: str, inside: Inside | None, found: int | None) -> str:
    """The note of an answer, and what it owes to the tables."""
    if not inside or not found:
        return note
    within = f", to within {inside.error:.1e}" if inside.error else ""
    told = f"by tables: {found} position{'' if found == 1 else 's'} looked up{within}"
    return f"{note}; {told}" if note else told


def line(inside: Inside | None, position: Position) -> list[int]:
    """Best play to the end from a position that the tables call won or lost."""
    return [int(move) for move in inside.tables.line(position)] if inside else []
