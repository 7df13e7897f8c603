"""What settles an unfinished position besides the rules: endgame tables, and what the game says of the best that a player can still get (`best_case`).

A search and the walk of a strategy ask the same `settled_early`. A strategy that rests on it says so, with the digests of the tables: a reader who trusts only the rules must have these tables checked
(`kibitz table verify`), or ask for a proof without.

Where a repetition is a draw, a table's win stands although the table knows nothing of the line that led there. On its way each position is nearer to the end than the one before, and
all of them are in the table; an earlier position of the line that is in the table as won or lost would have settled the line there. Only what was played before the first position could
come up again: where that is so often that one more time would end the game, tables are left out (`resting_on`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.tables.endgame import lookup
from kibitz.tables.endgame.lookup import EQUITIES, RESULTS, Inside
from kibitz.tables.endgame.probing import LEAST_VALUE
from kibitz.tables.endgame.root import open_inside

OPEN = -1

# --- kernels ---


def settled_early(w: Any, s: Any, player: int, threshold: float, left: int) -> int:
    """Does `player` get so much from the unfinished position, in at most `left` plies where they count (`options.BOUNDED`)? 1: yes, 0: no, OPEN: who knows."""
    if options.BOUNDS:
        if game.best_case(s, player) < threshold:
            return 0
        if not options.BOUNDED and game.SUM - game.best_case(s, 1 - player) >= threshold:
            return 1
    if options.ENDINGS == RESULTS:
        found = lookup.result(w.endings, s)
        if found > LEAST_VALUE:
            return by_result(found, s, player, threshold, left)
    if options.ENDINGS == EQUITIES:
        value = lookup.equity(w.endings, s)
        if value == value:  # a number
            value = value if player == 0 else game.SUM - value
            if value + options.ERROR < threshold:
                return 0
            if not options.BOUNDED and value - options.ERROR >= threshold:
                return 1
    return OPEN


def by_result(found: int, s: Any, player: int, threshold: float, left: int) -> int:
    """The same by a table of wins, draws and losses. For a claim with a limit of plies it settles wins, of which it knows the shortest, and results that are too low anyway."""
    first = lookup.utility_for(found, game.player(s))
    value = first if player == 0 else game.SUM - first
    if value < threshold:
        return 0
    if not options.BOUNDED:
        return 1
    if (found > 0) != (game.player(s) == player) or found == 0:
        return OPEN
    return 1 if abs(found) <= left else 0


# --- outside ---


@dataclass(frozen=True)
class Rests:
    """What a search, or a strategy, may rest on besides the rules."""

    inside: Inside | None = None
    bounds: bool = False

    def flags(self) -> dict[str, Any]:
        """What kernels are bound with."""
        return {**lookup.flags(self.inside), "BOUNDS": self.bounds, "ERROR": self.inside.error if self.inside else 0.0}

    def fields(self, constants: Mapping[str, Any]) -> dict[str, Any]:
        """What the workspace holds for it."""
        return lookup.fields(constants["State"], self.inside)

    @property
    def tables(self) -> dict[str, str]:
        """The sections of the tables, with what tells each from all others."""
        return {name: table.digest for name, table in sorted(self.inside.tables.files.items())} if self.inside else {}


NOTHING = Rests()


def resting_on(position: Position, folder: str = "", bounds: bool = False) -> Rests:
    """The endgame tables of a folder, unless what was played before spoils them, and the game's bounds, if it tells any."""
    game_ = position.game
    if bounds and not game_.defines("best_case"):
        raise InputError(f"{game_.name} tells no bounds: it has no best_case")
    if not folder:
        return Rests(None, bounds)
    inside = open_inside(folder, game_)
    if not inside.tables.files:
        raise InputError(f"there are no tables of {game_.label} in {folder}")
    return Rests(None if inside.tables.may_repeat(position) else inside, bounds)
