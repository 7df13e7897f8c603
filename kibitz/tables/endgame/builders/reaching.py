"""All unfinished positions of a game that can be reached from its start, in the order of their keys: the numbering of games that have none of their own.

First in memory: a queue of positions whose moves are followed one after another, and a hash table of their keys. Where they do not fit, the work goes on in files, layer by layer.
The moves of the last layer's positions are followed; what they lead to is written in sorted runs, each as long as memory allows; the runs are joined, one range of keys
after another, and what is in an earlier layer is left out. In the end all layers are joined. What is finished is noted, and a later run goes on with it.

In the folder: `layerN` and `knownN` hold keys (`.keys`) and states (`.states`), always sorted; `knownN` are the keys of several layers together; `all` is the numbering.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.errors import InputError
from kibitz.core.files import make_folder, read_json, write_json
from kibitz.core.position.game import Game
from kibitz.core.position.readable import count
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records.hashing import mix
from kibitz.core.records.record import WORD
from kibitz.core.running.control import supervise
from kibitz.tables.endgame.numbering import LARGEST, USUAL_MEMORY, Numbers, workspace_of
from kibitz.tables.endgame.store import rules_digest

FIRST_ROOM = 1 << 12  # positions
USUAL_DISK = 16384.0  # megabytes
MOST_KNOWN = 8  # files of keys that a new layer is compared with
NOTE = "positions.json"

Watch = Callable[[int], None]  # how many positions there are so far


# --- kernels ---


def reach(w: Any, queue: Any, keys: Any, places: Any) -> int:
    """Follow all moves of the queue's positions, and add those that are new; returns 1 when all were followed, 0 when there is no more room.

    `places` is a hash table of one more than the number of each position in the queue; at most half of it is ever filled.
    """
    while w.head < w.tail and w.control.nodes < w.control.limit:
        if w.tail + w.moves.shape[0] > queue.shape[0]:
            return 0
        w.state = queue[w.head]
        follow(w, queue, keys, places)
    return 1


def expand(w: Any, layer: Any, queue: Any, keys: Any, places: Any) -> int:
    """The same for a layer of positions that are not in the queue themselves."""
    while w.head < layer.shape[0] and w.control.nodes < w.control.limit:
        if w.tail + w.moves.shape[0] > queue.shape[0]:
            return 0
        w.state = layer[w.head]
        follow(w, queue, keys, places)
    return 1


def follow(w: Any, queue: Any, keys: Any, places: Any) -> None:
    """All moves of `w.state`."""
    w.head += 1
    w.control.nodes += 1
    if game.player(w.state) == CHANCE:
        n = game.outcomes(w.state, w.moves, w.weights)
    else:
        n = game.moves(w.state, w.moves)
    for i in range(n):
        w.child = w.state
        game.play(w.child, w.moves[i])
        if game.player(w.child) != OVER:
            add(w, queue, keys, places)


def add(w: Any, queue: Any, keys: Any, places: Any) -> None:
    """Put `w.child` behind the queue, unless it is in it."""
    game.canonical(w.child)
    key = game.key(w.child)
    place = free_or_same(keys, places, key)
    if places[place] == 0:
        queue[w.tail] = w.child
        keys[w.tail] = key
        w.tail += 1
        places[place] = w.tail


def free_or_same(keys: Any, places: Any, key: np.uint64) -> int:
    """Where in the hash table the key is, or would go."""
    mask = np.uint64(places.shape[0] - 1)
    at = np.int64(mix(key) & mask)  # a game's own key may spread badly
    while places[at] != 0 and keys[places[at] - 1] != key:
        at = np.int64(np.uint64(at + 1) & mask)
    return at  # type: ignore[return-value]


def rehash(w: Any, keys: Any, places: Any) -> None:
    """Enter everything that is in the queue into a new hash table."""
    for i in range(w.tail):
        places[free_or_same(keys, places, keys[i])] = i + 1


# --- positions in the order of their keys ---


class Part(NamedTuple):
    """Keys, each once and sorted, and the states in the same order, as rows of words: NumPy leaves the gaps between a record's fields as they come, and keys may count them."""

    keys: Any
    states: Any


def ordered(keys: Any, states: Any) -> Part:
    """Among equal keys the first one counts."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.ones(len(keys), bool)
    first[1:] = keys[1:] != keys[:-1]
    return Part(keys[first], states[order[first]])


def joined(parts: Sequence[Part], room: int) -> Iterator[Part]:
    """All positions of some parts, a range of keys at a time, of which there are at most `room`."""
    if sum(len(p.keys) for p in parts) <= room:
        yield ordered(np.concatenate([p.keys for p in parts]), np.concatenate([p.states for p in parts]))
        return
    step = max(1, room // (4 * len(parts) + 4))  # one of this number of keys of a part is looked at
    samples = np.sort(np.concatenate([p.keys[::step] for p in parts]))
    bounds = samples[:: max(1, room // step - len(parts))][1:]
    begins = [0] * len(parts)
    for high in [*bounds, None]:
        ends = [len(p.keys) if high is None else int(np.searchsorted(p.keys, high)) for p in parts]
        cut = [Part(p.keys[b:e], p.states[b:e]) for p, b, e in zip(parts, begins, ends, strict=True)]
        yield ordered(np.concatenate([p.keys for p in cut]), np.concatenate([p.states for p in cut]))
        begins = ends


def among(keys: Any, known: Sequence[Any]) -> Any:
    """Which of the sorted keys are in one of these sorted arrays?"""
    found = np.zeros(len(keys), bool)
    for one in known:
        at = np.searchsorted(one, keys)
        found |= one[np.minimum(at, len(one) - 1)] == keys
    return found


# --- shell ---


def reached(
    game_: Game,
    folder: Path,
    memory: float = USUAL_MEMORY,
    disk: float = USUAL_DISK,
    target: str | None = None,
    watch: Watch | None = None,
) -> Numbers:
    """All unfinished positions that can be reached, numbered; with up to `memory` megabytes in memory, and beyond that up to `disk` in files of `folder`.

    An InputError where those are not enough. `watch` is told how many positions there are so far.
    """
    work = Reaching(game_, folder, memory, disk, target, watch or (lambda _: None))
    try:
        found = work.taken_up() or work.in_memory() or work.in_files()
    except OSError as error:
        raise InputError(f"cannot write in {folder}: {error.strerror or error}") from None
    return Numbers(found.keys, found.states.view(game_.constants["State"]).reshape(-1))


class Reaching:
    """One count of one game's positions."""

    def __init__(self, game_: Game, folder: Path, memory: float, disk: float, target: str | None, watch: Watch) -> None:
        self.game, self.folder, self.memory, self.disk, self.target, self.watch = game_, folder, memory, disk, target, watch
        self.kind = game_.constants["State"]
        self.words = self.kind.itemsize // WORD
        self.w = workspace_of(game_)
        self.widest = self.w.moves.shape[0]
        self._stamp = rules_digest(game_)
        self.layers: list[str] = []
        self.known: list[str] = []  # files with all keys of the layers
        self.frontier = ""  # the positions whose moves are to be followed
        self.sizes: dict[str, int] = {}

    def in_memory(self) -> Part | None:
        """All positions, or None where they do not fit: then those found so far are the first two layers."""
        follow_all, enter = (self.game.bind(kernel, None, self.target, label="table") for kernel in (reach, rehash))
        w, room = self.w, max(FIRST_ROOM, 2 * self.widest)
        queue, keys, places = np.zeros(room, self.kind), np.zeros(room, np.uint64), _places(room)
        w.child = self.game.start.state
        if not self.game.start.is_over:
            self.game.bind(add, None, "python")(w, queue, keys, places)
        while self._run(follow_all, queue, keys, places) == 0:
            if self._needs(2 * room) > self.memory:
                self._begin_files(self._rows(queue), keys)
                return None
            room *= 2
            queue, keys, places = _longer(queue, room), _longer(keys, room), _places(room)
            enter(w, keys, places)
        self.watch(int(w.tail))
        return ordered(keys[: w.tail], self._rows(queue)[: w.tail])

    def in_files(self) -> Part:
        """The layers that follow, and then all of them together."""
        follow_layer = self.game.bind(expand, None, self.target, label="table")
        room = max(2 * self.widest, int(self.memory / self._needs(1)))
        queue, keys, places = np.zeros(room, self.kind), np.zeros(room, np.uint64), _places(room)
        while self.sizes[self.frontier]:
            runs, layer = list[Part](), self._part(self.frontier).states.view(self.kind).reshape(-1)
            self.w.head, more = 0, 0
            while not more:
                self.w.tail, places[:] = 0, 0
                more = self._run(follow_layer, layer, queue, keys, places)
                found = ordered(keys[: self.w.tail], self._rows(queue)[: self.w.tail])
                runs.append(self._part(self._write(f"run{len(runs)}", [found])))
            known = [self._part(name).keys for name in self.known]
            fresh = (Part(p.keys[new], p.states[new]) for p in joined(runs, room) for new in [~among(p.keys, known)])
            self.frontier = self._write(f"layer{len(self.layers)}", fresh)
            if self.sizes[self.frontier]:
                self.layers.append(self.frontier)
                self.known.append(self.frontier)
            if len(self.known) > MOST_KNOWN:
                without_states = [Part(k.keys, np.zeros((len(k.keys), 0), np.uint64)) for k in map(self._part, self.known)]
                self.known = [self._write(f"known{len(self.layers)}", joined(without_states, room))]
            self._note()
        self._write("all", joined([self._part(name) for name in self.layers], room))
        self.layers, self.known, self.frontier = ["all"], [], ""
        self._note()
        return self._part("all")

    def taken_up(self) -> Part | None:
        """What an earlier run has left: everything, or a beginning that it is gone on with (then None is told as well)."""
        if not (self.folder / NOTE).exists():
            return None
        kept = read_json(self.folder / NOTE, "unfinished work")
        if kept["stamp"] != self._stamp or not all(self._is_whole(name, size) for name, size in kept["sizes"].items()):
            return None
        self.layers, self.known, self.frontier, self.sizes = kept["layers"], kept["known"], kept["frontier"], kept["sizes"]
        return self.in_files() if self.frontier else self._part("all")

    # --- files ---

    def _begin_files(self, rows: Any, keys: Any) -> None:
        head, tail = int(self.w.head), int(self.w.tail)
        make_folder(self.folder)
        self.layers = [self._write("layer0", [ordered(keys[:tail], rows[:tail])])]
        self.known, self.frontier = list(self.layers), self._write("beginning", [ordered(keys[head:tail], rows[head:tail])])
        self._note()

    def _write(self, name: str, parts: Any) -> str:
        """A file for keys and one for states, of parts in the order of their keys."""
        size = 0
        with self._file(name, "keys").open("wb") as keys, self._file(name, "states").open("wb") as states:
            for part in parts:
                keys.write(part.keys.tobytes())
                states.write(part.states.tobytes())
                size += len(part.keys)
                self._check_room(size)
        self.sizes[name] = size
        return name

    def _check_room(self, more: int) -> None:
        total = sum(self.sizes[name] for name in self.layers)
        taken = (sum(self.sizes.values()) + more) * (WORD + self.kind.itemsize) / 2**20
        self.watch(total)
        if taken > self.disk:
            raise InputError(
                f"{self.game.label} has more than {count(total)} positions, more than {self.memory:g} MB of memory and {self.disk:g} MB of disk hold; "
                "give more of either, or let the game number them: rank(s)"
            )
        if total >= LARGEST:
            raise InputError(f"{self.game.label} has more than {count(total)} positions; a table has less than {count(LARGEST)}")

    def _part(self, name: str) -> Part:
        size = self.sizes[name]
        if not size:
            return Part(np.zeros(0, np.uint64), np.zeros((0, self.words), np.uint64))
        states = self._file(name, "states")
        words = self.words if states.stat().st_size else 0
        mapped = np.asarray(np.memmap(states, np.uint64, "r+", shape=(size, words))) if words else np.zeros((size, 0), np.uint64)
        return Part(np.asarray(np.memmap(self._file(name, "keys"), np.uint64, "r+", shape=(size,))), mapped)

    def _file(self, name: str, what: str) -> Path:
        return self.folder / f"{name}.{what}"

    def _is_whole(self, name: str, size: int) -> bool:
        file = self._file(name, "keys")
        return file.exists() and file.stat().st_size == size * WORD

    def _note(self) -> None:
        """Say how far the work has come, and remove what is needed no more."""
        needed = {*self.layers, *self.known, self.frontier}
        dropped = [name for name in self.sizes if name not in needed]
        self.sizes = {name: size for name, size in self.sizes.items() if name in needed}
        noted = {"stamp": self._stamp, "layers": self.layers, "known": self.known, "frontier": self.frontier, "sizes": self.sizes}
        write_json(self.folder / NOTE, noted)
        for name in dropped:
            for what in ("keys", "states"):
                with suppress(OSError):
                    self._file(name, what).unlink(missing_ok=True)

    # --- memory ---

    def _run(self, kernel: Any, *arrays: Any) -> int:
        before = sum(self.sizes[name] for name in self.layers)
        run = supervise(kernel, self.w, *arrays, control=self.w.control, watch=lambda _: self.watch(before + int(self.w.tail)))
        if run.interrupted:
            raise KeyboardInterrupt
        return int(run.result)

    def _needs(self, room: int) -> float:
        """Megabytes for a queue of positions, its hash table, and a sorted copy."""
        return room * (2 * self.kind.itemsize + 40) / 2**20

    def _rows(self, queue: Any) -> Any:
        return queue.view(np.uint64).reshape(len(queue), self.words)


def _places(room: int) -> Any:
    """A hash table that is never more than half full."""
    return np.zeros(1 << (2 * room - 1).bit_length(), np.int32)


def _longer(array: Any, room: int) -> Any:
    longer = np.zeros(room, array.dtype)
    longer[: len(array)] = array
    return longer
