"""All moves of a section, listed: the part of the work that asks the rules.

Positions are taken some thousands at a time by several threads, and what they find is written to the ends of plain files in the order of the positions. A note says how
many positions are done and how long the files were then, so a run that was killed is gone on with, and the files are the same as if it had not been.

For each position there are: who moves (or NO_POSITION, FINISHED), how many moves stay in the section (their targets are in `targets`, one after another), and what the
others come to, which is known. Where predecessors are asked of the game (`unplay`) no targets are written: it is counted to how many positions of the section moves lead.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import InputError, RulesError
from kibitz.core.files import make_folder, read_json, write_json
from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.running.control import heeded
from kibitz.tables.endgame.numbering import Numbering, Numbers, Section, number_of, set_up, workspace_of
from kibitz.tables.endgame.probing import ABSENT, FINISHED_EQUITY, LEAST_VALUE, Known, has_table, probe, probe_equity
from kibitz.tables.endgame.store import rules_digest

NO_POSITION, FINISHED_POSITION = -9, -10  # in place of a mover
CHUNK_EDGES = 1 << 21  # room for moves of the positions that are taken at a time
MOST_POSITIONS = 1 << 13
NOTE_EVERY = 64  # chunks

# What can be wrong with a position's move.
UNNUMBERED, NO_TABLE, NO_VALUE, OTHER_UTILITY = 1, 2, 3, 4


class Part(NamedTuple):
    """What some positions come to; each array is appended to the file of its name."""

    mover: Any  # int8
    degree: Any  # uint16: moves that stay in the section
    settled: Any  # of those that do not: int16 for results, float64 for equities; see the kernels
    remaining: Any  # uint16, results: moves that may still turn out not to lose
    targets: Any  # uint32: numbers within the section
    weights: Any  # float64: the probability of each target, where there is chance
    gains: Any  # float64: what the first player has banked by the move, where games bank


PER_POSITION = ("mover", "degree", "settled", "remaining")
KINDS = {"mover": np.int8, "degree": np.uint16, "settled": np.int16, "remaining": np.uint16, "targets": np.uint32}
COUNTED_KINDS = {"mover": np.int8, "settled": np.int16, "remaining": np.uint16}  # where the game lists predecessors
EQUITY_KINDS = {
    "mover": np.int8,
    "degree": np.uint16,
    "settled": np.float64,
    "targets": np.uint32,
    "weights": np.float64,
    "gains": np.float64,
}


# --- kernels ---


def list_results(w: Any, numbers: Numbers, known: Known, part: Part, section: Any, begin: int, count: int) -> int:
    """List the moves of `count` positions from number `begin` on. Returns how many stay in the section, -1 where the rules are not as they should be.

    `settled` is the smallest distance of a win by another move, else minus the largest distance of a loss; 0 where there is neither. `remaining` counts
    what is not shown to lose yet: the moves that stay, and one for a draw. With options.UNPLAYED targets are counted, each once, and forgotten.
    """
    edges = 0
    for k in range(count):
        part.mover[k], part.settled[k], part.remaining[k] = NO_POSITION, 0, 0
        if not options.UNPLAYED:
            part.degree[k] = 0
        if not begin_position(w, numbers, part, k, begin + k):
            continue
        mover = game.player(w.state)
        before, win, loss, drawn = edges, 0, 0, 0
        for i in range(game.moves(w.state, w.moves)):
            w.child = w.state
            game.play(w.child, w.moves[i])
            follower = game.player(w.child)
            if follower == OVER:
                result = result_of(w, game.utility(w.child, mover), begin + k)
            else:
                number = number_of(w, numbers, w.child)
                if section[0] <= number < section[1]:
                    part.targets[edges] = number - section[0]
                    edges += 1
                    continue
                value = looked_up(w, known, number, begin + k)
                result = value + (1 if value > 0 else -1 if value < 0 else 0)
                result = result if follower == mover else -result
            if w.trouble != 0:
                return -1
            if result > 0:
                win = result if win == 0 else min(win, result)
            elif result < 0:
                loss = min(loss, result)
            else:
                drawn = 1
        part.settled[k] = win if win > 0 else loss
        if options.UNPLAYED:
            part.remaining[k] = distinct(part.targets, edges) + drawn
            edges = 0
        else:
            part.degree[k] = edges - before
            part.remaining[k] = edges - before + drawn
    return edges


def begin_position(w: Any, numbers: Numbers, part: Part, k: int, number: int) -> bool:
    """Set up a position, the part's at place k, and note its mover. Are there moves to list?"""
    if w.control.limit == 0 or not set_up(w, numbers, number):
        return False
    mover = game.player(w.state)
    part.mover[k] = FINISHED_POSITION if mover == OVER else mover
    return mover != OVER


def distinct(numbers: Any, count: int) -> int:
    """How many different numbers there are among the first `count`, which are brought to the front."""
    kept = 0
    for i in range(count):
        j = 0
        while j < kept and numbers[j] != numbers[i]:
            j += 1
        if j == kept:
            numbers[kept] = numbers[i]
            kept += 1
    return kept


def result_of(w: Any, utility: float, number: int) -> int:
    """A finished game: 1 won, -1 lost, 0 drawn."""
    if utility != options.DRAWN and utility != options.LOST and utility != options.WON:
        w.trouble, w.number = OTHER_UTILITY, number
    return 1 if utility > options.DRAWN else -1 if utility < options.DRAWN else 0


def looked_up(w: Any, known: Known, led_to: int, number: int) -> int:
    """The value of a position outside the section, for its mover; notes trouble where there is none."""
    value = probe(known, led_to) if led_to >= 0 else ABSENT
    if value <= LEAST_VALUE:
        w.trouble = UNNUMBERED if led_to < 0 else NO_TABLE if value == ABSENT else NO_VALUE
        w.number, w.led_to = number, led_to
    return value


def list_equities(w: Any, numbers: Numbers, known: Known, part: Part, section: Any, begin: int, count: int) -> int:
    """The same for values in between. `settled` is the best of the moves that end the game, for the mover (infinite where there is none), or, where chance decides, what these
    contribute to the expected value. All values are the first player's, without what he has banked.
    """
    edges = 0
    for k in range(count):
        part.mover[k], part.degree[k], part.settled[k] = NO_POSITION, 0, 0.0
        if not begin_position(w, numbers, part, k, begin + k):
            continue
        mover = game.player(w.state)
        before, banked, total = edges, game.banked(w.state, 0), 0.0
        if mover == CHANCE:
            n = game.outcomes(w.state, w.moves, w.weights)
            for i in range(n):
                total += w.weights[i]
        else:
            n = game.moves(w.state, w.moves)
            part.settled[k] = -np.inf if mover == 0 else np.inf
        for i in range(n):
            w.child = w.state
            game.play(w.child, w.moves[i])
            over = game.player(w.child) == OVER
            number = -1 if over else number_of(w, numbers, w.child)
            if not section[0] <= number < section[1]:
                value = (game.utility(w.child, 0) if over else game.banked(w.child, 0) + expected(w, known, number, begin + k)) - banked
                if w.trouble != 0:
                    return -1
                if mover == CHANCE:
                    part.settled[k] += w.weights[i] / total * value
                else:
                    part.settled[k] = max(part.settled[k], value) if mover == 0 else min(part.settled[k], value)
                continue
            part.targets[edges] = number - section[0]
            if options.CHANCE:
                part.weights[edges] = w.weights[i] / total if mover == CHANCE else 1.0
            if options.BANKS:
                part.gains[edges] = game.banked(w.child, 0) - banked
            edges += 1
        part.degree[k] = edges - before
    return edges


def expected(w: Any, known: Known, led_to: int, number: int) -> float:
    """The equity of a position outside the section; notes trouble where there is none."""
    value = probe_equity(known, led_to)
    if not np.isfinite(value):
        w.trouble = UNNUMBERED if led_to < 0 else NO_VALUE if value == FINISHED_EQUITY or has_table(known, led_to) else NO_TABLE
        w.number, w.led_to = number, led_to
    return value


# --- shell ---


class MissingTable(Exception):
    """Moves lead to a section that has no table yet."""

    def __init__(self, section: Section) -> None:
        super().__init__(section.name)
        self.section = section


class Graph:
    """The moves of one section, in files of a folder."""

    def __init__(
        self, folder: Path, numbering: Numbering, section: Section, equities: bool, unplays: bool = False, target: str | None = None
    ) -> None:
        self.folder, self.numbering, self.section, self.equities, self.unplays = folder, numbering, section, equities, unplays
        game_ = numbering.game
        low, high = game_.first_range
        self.kinds: dict[str, Any] = dict(EQUITY_KINDS if equities else COUNTED_KINDS if unplays else KINDS)
        bound_with: dict[str, Any] = {"CHANCE": game_.has_chance, "BANKS": game_.defines("banked")} if equities else {}
        if not equities:
            bound_with = {"WON": float(high), "LOST": float(low), "DRAWN": float(game_.drawn), "UNPLAYED": unplays}
        for name, needed in (("weights", game_.has_chance), ("gains", game_.defines("banked"))):
            if equities and not needed:
                del self.kinds[name]
        self.kernel = numbering.bind(list_equities if equities else list_results, bound_with, target)
        self.widest = max(game_.constants["MAX_MOVES"], game_.constants["MAX_OUTCOMES"])
        self.chunk = max(1, min(MOST_POSITIONS, CHUNK_EDGES // self.widest))
        self._stamp = (
            f"{rules_digest(game_)} {section} {self.chunk} {sorted(self.kinds)}"  # what files must have been written for to be gone on with
        )
        self._done = 0  # positions
        self._lengths: dict[str, int] = dict.fromkeys(self.kinds, 0)  # of the files, in entries

    def list_moves(self, known: Known, jobs: int, watch: Callable[[int], None]) -> None:
        """Write the files, or what is missing of them; `watch` is told how many positions are done."""
        make_folder(self.folder)
        self._take_up()
        try:
            files: dict[str, Any] = {name: (self.folder / name).open("r+b") for name in self.kinds}
            for name, file in files.items():
                file.truncate(self._lengths[name] * np.dtype(self.kinds[name]).itemsize)
                file.seek(0, 2)
            try:
                self._list(files, known, jobs, watch)
            finally:
                for file in files.values():
                    file.close()
        except OSError as error:
            raise InputError(f"cannot write in {self.folder}: {error.strerror or error}") from None

    def array(self, name: str) -> Any:
        """One of the files, in memory or mapped: all of it is read in any case."""
        size = self._lengths[name]
        return np.memmap(self.folder / name, self.kinds[name], "r", shape=(size,)) if size else np.zeros(0, self.kinds[name])

    def _take_up(self) -> None:
        """What an earlier run has left."""
        for name in self.kinds:
            (self.folder / name).touch()
        note = self.folder / "note.json"
        if note.exists():
            kept = read_json(note, "unfinished work")
            sizes = {name: (self.folder / name).stat().st_size // np.dtype(kind).itemsize for name, kind in self.kinds.items()}
            if kept["stamp"] == self._stamp and all(sizes[name] >= kept["lengths"][name] for name in self.kinds):
                self._done, self._lengths = kept["done"], kept["lengths"]

    def _note(self, files: dict[str, Any]) -> None:
        for file in files.values():
            file.flush()
        write_json(self.folder / "note.json", {"done": self._done, "lengths": self._lengths, "stamp": self._stamp})

    def _list(self, files: dict[str, Any], known: Known, jobs: int, watch: Callable[[int], None]) -> None:
        size, begin = self.section.size, self._done
        free = [(workspace_of(self.numbering.game), self._part()) for _ in range(jobs + 1)]
        used: list[Any] = []
        waiting: deque[tuple[Any, Any, int, Future[int]]] = deque()
        section = np.array([self.section.begin, self.section.end], np.int64)
        self.kernel.prepare(free[0][0], self.numbering.numbers, known, free[0][1], section, 0, 0)
        stop, chunks = heeded(), 0
        with ThreadPoolExecutor(jobs) as pool:
            try:
                while begin < size or waiting:
                    while begin < size and free:
                        (w, part), count = free.pop(), min(self.chunk, size - begin)
                        arguments = (w, self.numbering.numbers, known, part, section, self.section.begin + begin, count)
                        used.append(w)
                        waiting.append((w, part, count, pool.submit(self.kernel, *arguments)))
                        begin += count
                    w, part, count, answer = waiting.popleft()
                    edges = int(answer.result())
                    if stop is not None and stop.due:
                        raise KeyboardInterrupt
                    if edges < 0:
                        raise self._trouble(w)
                    self._append(files, part, count, edges)
                    free.append((w, part))
                    chunks += 1
                    if chunks % NOTE_EVERY == 0 or self._done == size:
                        self._note(files)
                    watch(self._done)
            except BaseException:
                for w in used:
                    w.control.limit = 0
                raise

    def _part(self) -> Part:
        room, kinds = self.chunk * self.widest, dict(self.kinds)
        if self.unplays:
            room, kinds["targets"] = self.widest, KINDS["targets"]
        sizes = {name: self.chunk if name in PER_POSITION else room for name in kinds}
        return Part(*(np.zeros(sizes.get(name, 0), kinds.get(name, np.float64)) for name in Part._fields))

    def _append(self, files: dict[str, Any], part: Part, count: int, edges: int) -> None:
        for name in self.kinds:
            length = count if name in PER_POSITION else edges
            files[name].write(getattr(part, name)[:length].tobytes())
            self._lengths[name] += length
        self._done += count

    def _trouble(self, w: Any) -> Exception:
        """What a kernel has met, in words."""
        if w.trouble == NO_TABLE and (missing := self.numbering.section_with(int(w.led_to))):
            return MissingTable(missing)
        game_ = self.numbering.game
        w.control.limit = 1
        self.numbering.bind(set_up, None, "python")(w, self.numbering.numbers, int(w.number))
        shown = " / ".join(Position(game_, w.state.tobytes()).show().splitlines())
        told = {
            UNNUMBERED: "a move leads to a position that has no number: rank must cover all that can follow",
            NO_VALUE: "a move leads to a number that stands for no unfinished position: unrank must make one of every number that rank gives",
            OTHER_UTILITY: "a game that ends there is neither won, drawn nor lost by VALUES: declare GRAIN as the step between utilities",
        }
        return RulesError(f"{game_.label}, {self.section.name}: {told[int(w.trouble)]}; in: {shown}")
