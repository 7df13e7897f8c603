"""The data of one thread: its position, the path to it, its random numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from kibitz.core.protocol.rules import CYCLE_FREE
from kibitz.core.records.random import Rng
from kibitz.core.records.record import record
from kibitz.core.running.control import Control
from kibitz.searches.mcts.tree.layout import widest

DEEPEST = 1024  # plies of the tree; playouts go on from there
FINE, BAD_POLICY, BAD_VALUE = 0, 1, 2  # `fault`: what is wrong with what the game or a network says
GIVEN = (
    "most_playouts",
    "expand",
    "past",
    "root",
    "keys",
    "since",
)  # what a simulation reads; of `keys` and `since`, what is before the root
SCRATCH = ("state", "trial", "choices", "weights", "result", "path", "steps", "owners")  # what no simulation leaves to the next one


def fields(constants: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What every search of this family needs; features add to it."""
    deep, wide = min(plies(constants), settings.get("deepest", DEEPEST)), widest(constants)
    repeats = constants["REPETITION"] != CYCLE_FREE
    return {
        "control": Control,  # nodes: positions visited
        "playouts": np.int64,
        "most_playouts": np.int64,
        "deepest": np.int64,
        "expand": np.int64,  # visits of a leaf before it becomes a node
        "fault": np.int64,
        "rng": Rng,
        "root": constants["State"],
        "state": constants["State"],
        "trial": constants["State"],
        "choices": (constants["MOVE"], wide),
        "weights": (np.float64, wide),
        "result": (np.float64, constants["PLAYERS"]),  # rewards
        "path": (np.int64, deep + 1),  # nodes; NONE where there is a leaf
        "steps": (np.int64, deep + 1),  # edges; steps[i] leads to path[i]
        "owners": (np.int64, deep + 1),
        "keys": (np.uint64, past_room(constants, settings) + deep + 2 if repeats else 1),  # see searches/window/node.py
        "since": (np.int64, deep + 2 if repeats else 1),
        "past": np.int64,
    }


def tally_fields(constants: Mapping[str, Any]) -> dict[str, Any]:
    """What the simulations that began with each edge of the root have brought every player, in the order of the edges."""
    wide = widest(constants)
    return {"tally": (np.float64, (wide, constants["PLAYERS"])), "tallied": (np.int64, wide)}


def plies(constants: Mapping[str, Any]) -> int:
    """How deep the tree may get."""
    return min(int(constants["MAX_PLIES"]), DEEPEST)


def past_room(constants: Mapping[str, Any], settings: Mapping[str, Any]) -> int:
    """How many positions before the root are looked at for repetitions: a whole game's, unless the settings say that there are fewer."""
    return int(settings.get("past", max(512, int(constants["MAX_PLIES"]))))


def in_order(fields: Mapping[str, Any], settings: Collection[str], scratch: Collection[str]) -> tuple[np.dtype[Any], int, int]:
    """A workspace: first what simulations change, then what they only read, then scratch; and where the first two of these end."""
    given, rest = {*GIVEN, *settings}, {*SCRATCH, *scratch}
    zones = [[n for n in fields if n not in given | rest], [n for n in fields if n in given], [n for n in fields if n in rest]]
    kind = record(**{name: fields[name] for zone in zones for name in zone})
    offset = {name: int(place[1]) for name, place in (kind.fields or {}).items()}
    return kind, offset[zones[1][0]], offset[zones[2][0]]
