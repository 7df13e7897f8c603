"""Strategies over percepts as files: a claim about a belief, and what shows it. Sealed like other proofs (file.py); whoever reads one trusts only the rules (percept_replay.py).

The line of JSON says the game with its parameters and a digest of its rules, the player, the goal, the positions in which the game may have begun, as text, and what the player has heard since.
What follows are the columns of the nodes and of the branches, compressed.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.position.game import Position, from_board
from kibitz.core.position.identity import identity
from kibitz.tables.proof.claim import spelled
from kibitz.tables.proof.file import BadProof, check_text, game_of, plain, read_bytes, read_sealed, write_sealed
from kibitz.tables.proof.percept_strategy import Branch, Node, PerceptStrategy, SureClaim

MAGIC = b"kibitz strategy over percepts 1\n"
NODE_COLUMNS, BRANCH_COLUMNS = (("move", "<i8"), ("first", "<i4"), ("count", "<i4")), (("percept", "<i8"), ("to", "<i4"))
MOST = 1 << 28  # nodes, or branches: no file says more


def is_percept_file(path: Path) -> bool:
    """Does a file say that it is one? One line where it cannot be read."""
    return read_bytes(path).startswith(MAGIC)


def write_percept_strategy(path: Path, strategy: PerceptStrategy) -> None:
    """The strategy as a file that is whole or not there."""
    claim, game = strategy.claim, strategy.claim.game
    origin = [Position(game, data) for data in claim.origin]
    for position in origin:
        check_text(position)
    head = {
        "game": game.name, "parameters": {name: plain(value) for name, value in game.parameters.items()}, "rules": identity(game),
        "player": claim.player + 1, "goal": claim.goal, "origin": [position.show() for position in origin], "words": claim.words,
        "nodes": len(strategy.nodes), "branches": len(strategy.branches),
        "moves": strategy.moves, "plies": strategy.plies, "places": strategy.places,
    }  # fmt: skip
    columns = [strategy.nodes[name].astype(kind) for name, kind in NODE_COLUMNS]
    columns += [strategy.branches[name].astype(kind) for name, kind in BRANCH_COLUMNS]
    write_sealed(path, MAGIC, head, zlib.compress(b"".join(column.tobytes() for column in columns), 9))


def read_percept_strategy(path: Path, game: str = "") -> PerceptStrategy:
    """What a file claims, unchecked; one line where it is damaged, or of another game than the one named."""
    damaged, line, body = read_sealed(path, MAGIC)
    try:
        head = json.loads(line)
        sizes = {k: int(head[k]) for k in ("nodes", "branches", "player", "moves", "plies", "places")}
        name, parameters = str(head["game"]), dict(head["parameters"])
        goal, words, texts = str(head["goal"]), str(head["words"]), [str(text) for text in head["origin"]]
        if not 0 < sizes["nodes"] <= MOST or not 0 <= sizes["branches"] <= MOST:
            raise damaged
        size = sizes["nodes"] * 16 + sizes["branches"] * 12
        stream = zlib.decompressobj()
        content = stream.decompress(body, size + 1)
        if len(content) != size or stream.decompress(stream.unconsumed_tail, 1) or not stream.eof or stream.unused_data:
            raise damaged
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
        raise damaged from None
    nodes, begin = _columns(content, 0, sizes["nodes"], Node, NODE_COLUMNS)
    branches, _ = _columns(content, begin, sizes["branches"], Branch, BRANCH_COLUMNS)
    opened = game_of(path, name, parameters, game)
    if not opened.is_hidden or not 0 < sizes["player"] <= opened.players or not texts:
        raise BadProof(f"{path} claims what nobody can claim of {name}")
    origin = tuple(from_board(opened, text).data for text in texts)
    if [Position(opened, data).show() for data in origin] != texts:
        raise BadProof(f"a position in {path} is another one by the rules of {name}")
    claim = SureClaim(opened, sizes["player"] - 1, origin, words, spelled(goal))
    return PerceptStrategy(claim, nodes, branches, sizes["moves"], sizes["plies"], sizes["places"])


def _columns(content: bytes, begin: int, length: int, of: Any, columns: tuple[tuple[str, str], ...]) -> tuple[Any, int]:
    """An array of records, read column by column; where the next one begins."""
    array = np.zeros(length, of)
    for name, kind in columns:
        end = begin + length * np.dtype(kind).itemsize
        array[name] = np.frombuffer(content[begin:end], kind)
        begin = end
    return array, begin
