"""Runs of counterfactual regret minimisation that can be watched, stopped, saved and resumed."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError, nearest
from kibitz.core.files import check_place, write_whole
from kibitz.core.position.game import Game
from kibitz.core.position.identity import identity
from kibitz.core.records.record import blank
from kibitz.core.running.control import deadline, supervise, why_to_end
from kibitz.searches.equilibrium.regrets import FORMS, Tables, Workspace, run_rounds
from kibitz.searches.equilibrium.strategy import Strategy, normal
from kibitz.searches.equilibrium.unfolding import GameTree, is_too_large

USUAL = "plus"
FORMAT = "kibitz equilibrium 1"
LONGEST = 2.0  # seconds, about, between two looks


@dataclass(frozen=True)
class Report:
    """How far a run is."""

    strategy: Strategy  # the mean of all rounds
    rounds: int
    seconds: float
    ended: str  # why it stopped: rounds, exploitability, time or interrupted; empty while it runs

    @cached_property
    def exploitability(self) -> float:
        return self.strategy.exploitability


@cache
def check_game(game: Game) -> str | None:
    """Why there is no solving it so."""
    if not game.is_hidden:
        return "its players see the whole position"
    if game.players < 2:
        return "it has one player"
    if is_too_large(game.start):
        return "there is too much of it to unfold"
    return None


class Solver:
    """One run on one unfolded game."""

    def __init__(self, tree: GameTree, form: str = USUAL) -> None:
        if form not in FORMS:
            raise InputError(f"there is no form '{form}' of CFR; {nearest(form, FORMS, 'the forms')}")
        self.tree, self.form = tree, form
        w = blank(Workspace)
        w.alpha, w.beta, w.gamma = FORMS[form]
        w.players = tree.game.players
        slots, histories = np.zeros(tree.slots), np.zeros(tree.histories)
        self.w = w
        self.tables = Tables(
            slots.copy(), slots.copy(), Strategy.uniform(tree).policy, histories.copy(), histories.copy(), histories.copy()
        )
        self.kernel = tree.game.bind(run_rounds, label="cfr")
        self.seconds = 0.0

    @property
    def rounds(self) -> int:
        return int(self.w.control.nodes)

    def mean(self) -> Strategy:
        """The mean policy so far, which is what goes to an equilibrium."""
        return normal(self.tree, self.tables.sums.copy())

    def run(self, rounds: int, seconds: float | None = None, enough: float = 0.0) -> Iterator[Report]:
        """Run up to `rounds` rounds in all, for `seconds` more, or until the exploitability is `enough`. Yields a report now and then, and a last one."""
        until, step = deadline(seconds), 1
        while True:
            self.w.control.limit = rounds
            began = time.perf_counter()
            left = None if seconds is None else max(0.0, until - began)
            run = supervise(self.kernel, self.w, self.tree.h, self.tree.sets, self.tables, step, control=self.w.control, seconds=left)
            took = time.perf_counter() - began
            self.seconds += took
            found = Report(self.mean(), self.rounds, self.seconds, "")
            is_enough = enough > 0.0 and found.exploitability <= enough
            ended = why_to_end(run.interrupted, until, exploitability=is_enough, rounds=self.rounds >= rounds)
            yield Report(found.strategy, found.rounds, found.seconds, ended)
            if ended:
                return
            step = max(1, min(2 * step, int(step * LONGEST / max(took, 1e-6))))

    # --- on disk ---

    @property
    def belongs(self) -> str:
        return identity(self.tree.game, self.tree.start.data.hex(), self.form)

    def save(self, place: Path) -> None:
        """Write all that it takes to go on; the file is there whole or as it was."""
        content = io.BytesIO()
        np.savez_compressed(
            content, format=FORMAT, game=self.tree.game.label, belongs=self.belongs, rounds=self.rounds, seconds=self.seconds,
            regrets=self.tables.regrets, sums=self.tables.sums, policy=self.tables.policy,
        )  # fmt: skip
        write_whole(place, content.getvalue())

    def resume(self, place: Path) -> None:
        """Go on from a file, if it is there; refuse one of another game or form, or a damaged one."""
        check_place(place)
        if not place.exists():
            return
        kept = read_file(place)
        if kept["belongs"] != self.belongs:
            raise InputError(f"{place} is of {kept['game']}, of other rules, or of another form of CFR; give another name")
        for name in ("regrets", "sums", "policy"):
            array = getattr(self.tables, name)
            if kept[name].shape != array.shape or not np.all(np.isfinite(kept[name])):
                raise _damaged(place)
            array[:] = kept[name]
        self.w.control.nodes, self.seconds = int(kept["rounds"]), float(kept["seconds"])


def read_file(place: Path) -> dict[str, Any]:
    """What a saved run holds."""
    try:
        with np.load(place, allow_pickle=False) as kept:
            found = {name: kept[name] if kept[name].ndim else kept[name].item() for name in kept.files}
    except OSError as error:
        raise InputError(f"cannot read {place}: {error.strerror or error}") from None
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile):
        raise _damaged(place) from None
    if found.get("format") != FORMAT or not {"game", "belongs", "rounds", "seconds", "regrets", "sums", "policy"} <= found.keys():
        raise _damaged(place)
    return found


def _damaged(place: Path) -> InputError:
    return InputError(f"{place} is damaged, or no saved equilibrium; give another name, or remove it")
