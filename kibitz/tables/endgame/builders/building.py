"""Building tables: one section after another, each when those are there that its moves lead to.

What is under way lies in a folder beside the table, `NAME.table.work`, and is gone on with by the next run; it goes when the table is written.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.files import make_folder
from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import CYCLE_FREE, DRAW
from kibitz.tables.endgame.builders.equities import equities
from kibitz.tables.endgame.builders.graph import Graph, MissingTable
from kibitz.tables.endgame.builders.reaching import USUAL_DISK, reached
from kibitz.tables.endgame.builders.retrograde import results
from kibitz.tables.endgame.numbering import USUAL_MEMORY, WHOLE, Numbering, Numbers, Section
from kibitz.tables.endgame.probing import (
    EQUITIES,
    FINISHED,
    LEAST_VALUE,
    NOTHING,
    RESULTS,
    known_of,
    path_of,
    shortened,
    values_of,
)
from kibitz.tables.endgame.store import TableFile, open_table, rules_digest, write_table, zstandard

BYTES_OF_MOVE = 8  # listed, and turned round

Watch = Callable[[str, str, int, int], None]  # section, what is being done, how much of it, of how much


@dataclass(frozen=True)
class Built:
    """A table that is there now."""

    section: Section
    path: Path
    is_new: bool
    counts: dict[str, int]


def kind_of(game: Game) -> str:
    """Which kind of table fits a game; an InputError says why none does."""
    if game.is_hidden:
        raise InputError(f"{game.label}: its players do not see the whole position, so what one is worth is no help to them")
    if game.players != 2 or game.constants["SUM"] is None:
        raise InputError(f"{game.label}: tables are for two players whose utilities add up to one number")
    steps = game.constants["GRAIN"] and (game.first_range[1] - game.first_range[0]) / game.constants["GRAIN"]
    repetition = game.constants["REPETITION"]
    if repetition not in (CYCLE_FREE, DRAW):
        raise InputError(
            f"{game.label}: what a position is worth depends on the positions before it (REPETITION = '{repetition}'), so no table can tell"
        )
    if not game.has_chance and steps in (1, 2) and not game.defines("banked"):  # what is banked decides who wins, and is in no number
        return RESULTS
    if repetition == DRAW:
        raise InputError(f"{game.label}: tables of games drawn by repetition know wins, draws and losses only, neither points nor chance")
    return EQUITIES


def build(game: Game, folder: Path, names: Iterable[str] = (), **settings: Any) -> list[Built]:
    """Build the tables of these sections (all of them when none is named) and of all that they lead to, as far as they are not there; a whole one by the same rules is left alone.

    Settings are those of `Builder`.
    """
    return Builder(game, folder, **settings).build(names)


class Builder:
    """Builds the tables of one game in one folder."""

    def __init__(
        self,
        game: Game,
        folder: Path,
        jobs: int = 0,
        memory: float = USUAL_MEMORY,
        disk: float = USUAL_DISK,
        target: str | None = None,
        watch: Watch | None = None,
    ) -> None:
        zstandard()
        self.game, self.folder, self.kind = game, folder, kind_of(game)
        self.jobs, self.memory, self.disk, self.target = jobs or os.cpu_count() or 1, memory, disk, target
        self._watch = watch or (lambda *_: None)
        self._values: dict[str, Any] = {}  # of sections that moves lead to
        self._done: dict[str, Built] = {}
        make_folder(folder)
        self.numbering = self._numbered()

    def build(self, names: Iterable[str]) -> list[Built]:
        """Every table that was asked for or needed, in the order in which they were finished."""
        waiting = [*reversed(self.wanted(names))]
        while waiting:
            section = waiting[-1]
            try:
                if section.name not in self._done:
                    self._done[section.name] = self._built(section)
                waiting.pop()
            except MissingTable as missing:
                if missing.section in waiting:
                    raise InputError(
                        f"{self.game.label}: moves lead from {section.name} to {missing.section.name} and back; make one section of them"
                    ) from None
                if self._kept(missing.section.name) is None:
                    waiting.append(missing.section)
        return list(self._done.values())

    def wanted(self, names: Iterable[str]) -> list[Section]:
        """The sections with these names, in any case of letters; all where there are none."""
        return [self.numbering.section(name) for name in names] or list(self.numbering.sections)

    def _numbered(self) -> Numbering:
        if self.game.defines("rank"):
            return Numbering(self.game)
        path = path_of(self.folder, self.game, WHOLE)
        if (table := self._kept(WHOLE)) is not None:
            return Numbering(self.game, Numbers(table.whole("keys"), np.zeros(1, self.game.constants["State"])))
        told = lambda number: self._watch("", "counting positions", number, 0)  # noqa: E731
        return Numbering(self.game, reached(self.game, _work(path), self.memory, self.disk, self.target, told))

    def _kept(self, name: str) -> TableFile | None:
        """The table of a section that is there and whole, its values at hand. One that is damaged or was built by other rules is built anew."""
        path = path_of(self.folder, self.game, name)
        if not path.exists():
            return None
        try:
            table = open_table(path, self.game)
            table.check()
        except InputError:
            return None
        self._values[name] = values_of(table)
        return table

    def _built(self, section: Section) -> Built:
        path = path_of(self.folder, self.game, section.name)
        if (table := self._kept(section.name)) is not None:
            return Built(section, path, False, table.header["counts"])
        work = _work(path)
        graph = Graph(work, self.numbering, section, self.kind == EQUITIES, self._unplays(section), self.target)
        known = known_of(self.numbering, self._values)
        graph.list_moves(known, self.jobs, lambda done: self._watch(section.name, "listing moves", done, section.size))
        header: dict[str, Any] = {"positions": section.size}
        if self.kind == RESULTS:
            values = results(graph, self.memory, self.target, lambda d: self._watch(section.name, f"working backwards, {d} plies", 0, 0))
            header["counts"], stored = result_counts(values), shortened(values)
        else:
            told = lambda done: self._watch(section.name, "closing in on values", done, section.size)  # noqa: E731
            values, header["error"], header["sweeps"] = equities(graph, self.target, told)
            header["counts"], stored = equity_counts(values), values
        arrays = {"values": stored}
        if not self.numbering.is_ranked:
            arrays["keys"] = self.numbering.numbers.keys
        write_table(path, {**header, **self._about(section, graph)}, arrays, work)
        shutil.rmtree(work, ignore_errors=True)
        self._values[section.name] = values
        return Built(section, path, True, header["counts"])

    def _unplays(self, section: Section) -> bool:
        """Are predecessors asked of the game? Listing all moves and turning them round is quicker, where they are sure to fit."""
        moves = section.size * self.game.constants["MAX_MOVES"] * BYTES_OF_MOVE / 2**20
        return self.kind == RESULTS and self.game.defines("unplay") and moves > self.memory

    def _about(self, section: Section, graph: Graph) -> dict[str, Any]:
        made = "bounds of values from both sides, component by component" if self.kind == EQUITIES else "results from the end backwards, "
        if self.kind == RESULTS:
            made += "by the game's own predecessors" if graph.unplays else "all moves listed"
        return {
            "game": self.game.label,
            "parameters": {name: str(value) for name, value in self.game.parameters.items()},
            "rules": rules_digest(self.game),
            "section": section.name,
            "begin": section.begin,
            "end": section.end,
            "men": section.men,
            "kind": self.kind,
            "numbering": "rank" if self.numbering.is_ranked else "keys",
            "made": made,
            **({} if graph.unplays else {"moves": len(graph.array("targets"))}),
        }


def _work(path: Path) -> Path:
    """Where what is under way lies."""
    return path.with_name(f"{path.name}.work")


def result_counts(values: Any) -> dict[str, int]:
    """How many positions are won, drawn and lost by whoever is to move; finished games; numbers that stand for nothing."""
    plain = values > LEAST_VALUE
    return {
        "won": int((plain & (values > 0)).sum()),
        "drawn": int((plain & (values == 0)).sum()),
        "lost": int((plain & (values < 0)).sum()),
        "finished": int((values == FINISHED).sum()),
        "nothing": int((values == NOTHING).sum()),
    }


def equity_counts(values: Any) -> dict[str, int]:
    return {"valued": int(np.isfinite(values).sum()), "finished": int(np.isposinf(values).sum()), "nothing": int(np.isneginf(values).sum())}
