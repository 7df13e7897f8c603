"""Proofs as files: `write_proof`, `read_proof`, and `verify`, which takes nothing but the rules for granted.

A file is one line that says what it is, one with a checksum of all that follows, one of JSON with the claim and the position as text, and the strategy: its
choices in the order of the walk (see replay.py), each the place of the move in the rules' list, two bytes, compressed. The checksum guards
against accidents, the replay against forged files.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.files import write_whole
from kibitz.core.position.game import Game, Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.rules import DRAW
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, supervise
from kibitz.tables.endgame import lookup
from kibitz.tables.proof import replay
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, Claim, claimed
from kibitz.tables.proof.leaves import Rests, resting_on

MAGIC = b"kibitz proof 1\n"
CHOICE = np.dtype("<u2")
FIRST_ROOM = 1 << 16  # positions that a walk has room for at first
ROOM_FOR_PAST = 512  # situations of the game so far, unless there are more


@dataclass(frozen=True)
class Strategy:
    """What shows a claim, or shows it wrong: the holder's choices, in the order of the walk."""

    claim: Claim
    verdict: str
    choices: Any  # an array of CHOICE
    positions: int  # that the walk goes into
    longest: int  # line, in plies
    tables: Mapping[str, str] = field(default_factory=dict)  # endgame tables that it rests on: sections with their digests
    bounds: bool = False  # does it rest on the game's own bounds?
    merged: bool = False  # in a game that can repeat positions: are lines that lead to one position walked as one? See replay.py

    def __str__(self) -> str:
        return self.claim.as_words(self.verdict)

    @property
    def rests(self) -> str:
        """What it rests on besides the rules, in words; nothing, mostly."""
        tables = f"the endgame table{'s' if len(self.tables) > 1 else ''} {', '.join(self.tables)}" if self.tables else ""
        return " and ".join(part for part in (tables, "the game's own bounds (best_case)" if self.bounds else "") if part)


class BadProof(InputError):
    """A proof that proves nothing, with the line of play that fails."""


# --- the walk ---


def walking(
    claim: Claim,
    choose: Any,
    merged: bool,
    rests: Rests,
    more: dict[str, Any] | None = None,
    constants: dict[str, Any] | None = None,
    keep: bool = False,
) -> tuple[Any, Any]:
    """The walk bound to the claim's game with a chooser, and a workspace for it with more fields besides; does it `keep` positions it may meet again?"""
    game, past = claim.position.game, ROOM_FOR_PAST
    while past < len(claim.position.past):
        past *= 8
    low, high = game.first_range
    given = {
        "MERGE": merged or not game.repeats,
        "MERGED": merged,
        "REPEATS": game.repeats,
        "BOUNDED": claim.bound > 0,
        "LOW": low,
        "HIGH": high,
        "DRAWN": game.drawn,
        "KEEP": keep and not merged,
        **rests.flags(),
    }
    kernel = game.bind(replay.walk, {"CHOOSE": choose, "PAST": past, **given, **(constants or {})}, label="replay")
    w = blank(record(**{**(more or {}), **replay.fields(game.constants, past), **rests.fields(game.constants)}))
    lookup.attach(rests.inside, w, claim.position)
    return kernel, w


def set_off(w: Any, claim: Claim, verdict: str) -> None:
    """Put the claim's position at the beginning of the walk."""
    position = claim.position
    w.path[0] = position.state
    w.asked, w.asked_for, w.wanted = claim.player, claim.threshold, verdict == PROVEN
    w.holder = claim.holder(verdict)
    w.longest = claim.bound or replay.plies(position.game.constants)
    w.earlier = len(position.past)
    w.situations[: len(position.past)] = position.past
    w.control.nodes, w.control.limit = 0, NO_LIMIT


def room(claim: Claim, positions: int, keep: bool) -> tuple[Any, Any]:
    """Memory for the positions, where the walk must `keep` them, and the index into it."""
    size = positions if keep or not claim.position.game.repeats else 1
    try:
        return np.zeros(max(1, size), replay.seen_record(claim.position.game.constants)), np.zeros(slots(size), np.int32)
    except MemoryError:
        raise InputError(f"no memory for a proof of {positions} positions") from None


def slots(size: int) -> int:
    """A power of two of places, half of them empty."""
    return 1 << max(2, (2 * size + 1).bit_length())


def merges(claim: Claim) -> bool:
    """Can lines of a game that repeats positions be walked as one where they meet?"""
    return claim.position.game.constants["REPETITION"] == DRAW


def check_lines(claim: Claim, verdict: str, w: Any, seen: Any) -> bool:
    """After a merged walk: w.fault where a line might repeat a position and that would not suit the holder. False if Ctrl-C came first."""
    draw_fulfils = claim.position.game.drawn >= claim.threshold
    if w.fault != replay.FINE or draw_fulfils == (verdict == PROVEN):
        return True
    kernel = claim.position.game.bind(replay.never_repeats, {}, label="replay")
    stored = int(w.stored)
    places, after, queue = np.zeros(slots(stored), replay.Situation), np.zeros(stored + 1, np.int32), np.zeros(stored + 1, np.int64)
    run = supervise(kernel, w, seen, places, after, queue, control=w.control)
    return not run.interrupted


def failing_line(w: Any, position: Position) -> str:
    """The moves that lead to where the walk failed."""
    numbers = [int(w.replies[ply, w.reply_at[ply]]) for ply in range(int(w.fault_ply))]
    line = " ".join(str(move) for move in position.named_line(numbers))
    return f"after {line}" if line else "in the first position"


# --- checking ---


def verify(strategy: Strategy, tables: str = "") -> Strategy:
    """Replay the strategy with the rules; the same strategy, if every line ends as claimed, and BadProof if one does not. `tables` is the folder of those that it rests on."""
    _replayed(strategy, False, tables)
    return strategy


def choices_by_position(strategy: Strategy) -> dict[bytes, int]:
    """`verify`, and then the strategy as what to look up: by a position's record, which of the rules' moves the holder makes there.

    Where a position comes up early and late, the player of the claim moves as he does late, with less time left; who is to hold out, as he does early.
    """
    seen = _replayed(strategy, True)
    order = np.argsort(seen["ply"], kind="stable")
    kind, begin = seen.dtype["state"], seen.dtype.fields["state"][1]
    records = seen.view(np.uint8).reshape(len(seen), seen.dtype.itemsize)[:, begin : begin + kind.itemsize]  # bytes between fields, too
    chosen = order if strategy.verdict == PROVEN else order[::-1]
    return {records[i].tobytes(): int(seen[i]["choice"]) for i in chosen if seen[i]["choice"] >= 0}


def _rests(strategy: Strategy, folder: str) -> Rests:
    """What the strategy rests on, which must be there and be the same."""
    if strategy.tables and not folder:
        raise InputError(
            f"the proof rests on {strategy.rests}; name the folder that has them (--tables DIR), or have it proven without (--expand)"
        )
    rests = resting_on(strategy.claim.position, folder if strategy.tables else "", strategy.bounds)
    for name, digest in strategy.tables.items():
        if rests.tables.get(name) != digest:
            raise BadProof(
                f"the proof rests on the endgame table {name}, and in {folder} there is {'another one' if name in rests.tables else 'none'}"
            )
    return rests


def _replayed(strategy: Strategy, keep: bool, tables: str = "") -> Any:
    """The walk; the positions it went into, where it kept them."""
    claim, choices = strategy.claim, np.ascontiguousarray(strategy.choices, CHOICE)
    if strategy.merged and not merges(claim):
        raise BadProof(
            f"in {claim.position.game.name} what a position is worth depends on the line that leads there; the proof merges lines"
        )
    kernel, w = walking(claim, replay.next_choice, strategy.merged, _rests(strategy, tables), keep=keep and claim.position.game.repeats)
    size = min(max(strategy.positions, 0), FIRST_ROOM)
    while True:
        set_off(w, claim, strategy.verdict)
        seen, index = room(claim, size, keep or strategy.merged)
        run = supervise(kernel, w, seen, index, choices, np.zeros(1, np.uint8), control=w.control)
        if run.interrupted or (strategy.merged and not check_lines(claim, strategy.verdict, w, seen)):
            raise KeyboardInterrupt
        if w.fault != replay.FULL or size >= strategy.positions:
            break
        size = min(8 * size, strategy.positions)  # only as far as the lines go, whatever the file says of their number
    if w.fault != replay.FINE:
        where = "" if w.fault == replay.MAY_REPEAT else f"{failing_line(w, claim.position)}: "
        raise BadProof(f"{where}{replay.FAULTS[int(w.fault)]}")
    if w.choices != len(choices):
        raise BadProof(f"the strategy has {len(choices) - int(w.choices)} more moves than the lines ask for")
    if (int(w.positions), int(w.height[0])) != (strategy.positions, strategy.longest):
        found = f"{int(w.positions)} positions and a longest line of {int(w.height[0])} plies"
        raise BadProof(f"there are {found}; the proof says {strategy.positions} and {strategy.longest}")
    return seen[: int(w.stored)]


# --- files ---


def write_proof(path: Path, strategy: Strategy) -> None:
    """The strategy as a file that is whole or not there."""
    claim, position = strategy.claim, strategy.claim.position
    check_text(position)
    body = zlib.compress(np.ascontiguousarray(strategy.choices, CHOICE).tobytes(), 9)
    head = {
        "game": position.game.name,
        "parameters": {name: plain(value) for name, value in position.game.parameters.items()},
        "position": position.show(),
        "past": list(position.past),
        "player": claim.player + 1,
        "goal": claim.goal,
        "within": claim.within,
        "verdict": strategy.verdict,
        "choices": len(strategy.choices),
        "positions": strategy.positions,
        "longest": strategy.longest,
        **({"merged": True} if strategy.merged else {}),
        **({"tables": dict(strategy.tables)} if strategy.tables else {}),
        **({"bounds": True} if strategy.bounds else {}),
    }
    write_sealed(path, MAGIC, head, body)


def write_sealed(path: Path, magic: bytes, head: dict[str, Any], body: bytes) -> None:
    """A line that says what the file is, one with the checksum of the rest, one of JSON, and bytes."""
    content = json.dumps(head, ensure_ascii=False).encode() + b"\n" + body
    write_whole(path, magic + _checksum(content) + b"\n" + content)


def read_sealed(path: Path, magic: bytes) -> tuple[InputError, bytes, bytes]:
    """The line of JSON and the bytes of such a file; first, what to say where they make no sense."""
    damaged = InputError(f"{path} is damaged, or no proof; make it again")
    content = read_bytes(path)
    if not content.startswith(magic):
        raise damaged
    checksum, _, content = content[len(magic) :].partition(b"\n")
    if checksum != _checksum(content):
        raise damaged
    line, _, body = content.partition(b"\n")
    return damaged, line, body


def read_bytes(path: Path) -> bytes:
    """All of a file, or one line that says why it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def check_text(position: Position) -> None:
    """Refuse a position that cannot be written as text and read back, before it is proven anything of."""
    game = position.game
    if not game.reads_own_text or from_board(game, position.show()).data != position.data:
        raise InputError(f"this position of {game.name} does not come back from its text, so no file can say which it is")


def read_proof(path: Path, game: str = "") -> Strategy:
    """What a file claims, unchecked; one line where it is damaged, or of another game than the one named, by a name or the path of its file."""
    damaged, line, body = read_sealed(path, MAGIC)
    try:
        head = json.loads(line)
        size = int(head["choices"]) * CHOICE.itemsize
        stream = zlib.decompressobj()
        choices = np.frombuffer(stream.decompress(body, size + 1), CHOICE)
        if choices.nbytes != size or stream.decompress(stream.unconsumed_tail, 1) or not stream.eof or stream.unused_data:
            raise damaged
        name, parameters, said = str(head["game"]), dict(head["parameters"]), {k: head[k] for k in ("verdict", "goal", "position")}
        numbers = {k: int(head[k]) for k in ("player", "within", "positions", "longest")}
        past, merged = tuple(int(n) for n in head["past"]), bool(head.get("merged", False))
        tables, bounds = {str(k): str(v) for k, v in dict(head.get("tables", {})).items()}, bool(head.get("bounds", False))
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
        raise damaged from None
    if said["verdict"] not in (PROVEN, DISPROVEN):
        raise damaged
    opened = game_of(path, name, parameters, game)
    position = Position(opened, from_board(opened, said["position"]).data, past)
    if position.show() != said["position"]:
        raise BadProof(f"the position in {path} is another one by the rules of {name}")
    claim = claimed(position, said["goal"], numbers["player"] - 1, numbers["within"])
    return Strategy(claim, said["verdict"], choices, numbers["positions"], numbers["longest"], tables, bounds, merged)


def game_of(path: Path, name: str, parameters: dict[str, Any], wanted: str) -> Game:
    """The game that the file names; where one is named besides, it must be that."""
    try:
        game = load(wanted or name, **parameters)
    except InputError as error:
        raise InputError(
            f"{path} is a proof of {name}, which cannot be loaded{f' as {wanted}' if wanted else ''}: {error}; name the file of its rules: kibitz verify {path} GAME.py"
        ) from None
    if game.name != name:
        raise InputError(f"{path} is a proof of {name}, not of {game.name}")
    return game


def plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
