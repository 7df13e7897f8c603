"""A player's answer from tables alone, without a search."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import ESTIMATE, EXACT, Result
from kibitz.tables.endgame.lookup import Inside
from kibitz.tables.endgame.probing import Tables


def open_tables(folder: str | Path, game: Game) -> Tables:
    """The tables of a game in a folder; refuses damaged ones. Open tables are kept until a file of theirs changes."""
    place = Path(folder)
    files = sorted((p.name, p.stat().st_mtime_ns, p.stat().st_size) for p in place.glob(f"{game.name}-*")) if place.is_dir() else []
    return _opened(place, game, tuple(files))


@lru_cache(maxsize=8)
def _opened(folder: Path, game: Game, files: tuple[tuple[str, int, int], ...]) -> Tables:  # noqa: ARG001
    return Tables(folder, game)


def open_inside(folder: str | Path, game: Game) -> Inside:
    """The same for the nodes of a search: all values are read into memory, once."""
    return _inside(open_tables(folder, game))


@lru_cache(maxsize=2)
def _inside(tables: Tables) -> Inside:
    return Inside(tables)


def from_tables(tables: Tables, position: Position, engine: str) -> Result | None:
    """The best move by the tables, as a search would answer; None where they do not hold the position and all that its moves lead to.

    The value is exact where the entry is: see kibitz/tables/endgame/probing.py. For a table of equities it is exact to within the error that the table states.
    """
    best = tables.best_move(position)
    if best is None:
        return None
    move, entry = best
    line = tuple(tables.line(position)) or (move,)
    depth = entry.distance or 0
    note = f"from the table {entry.table}{f', to within {entry.error:.1e}' if entry.error else ''}"
    bound = EXACT if entry.exact else ESTIMATE
    return Result(
        position, engine, move, entry.value, bound, line, depth, 0, 0.0, "tables", entry.distance if entry.exact else None, note=note
    )
