"""Rules that break their contract are detected during the search, which then stops with an error, because it would prune wrongly.

A kernel that meets a fault records what and where, and stops as at a limit; `raise_any` then raises the error.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.errors import RulesError
from kibitz.core.position.game import Position

GUARD = 64  # places behind the lists that outcomes are written to: one that runs over is seen before it does harm

VALUE, WEIGHT, UNEQUAL, BROKEN, COUNT = 1, 2, 3, 4, 5
TOLERANCE = 1e-9  # of the range of values: what turning a value over may round


def fields(constants: dict[str, Any]) -> dict[str, Any]:
    """What the workspace holds for it."""
    return {"fault": np.int64, "fault_number": np.float64, "fault_state": constants["State"]}


# --- kernels ---


def report(w: Any, ply: int, fault: int, number: float) -> None:
    """Write down the first fault, and stop."""
    if w.fault == 0:
        w.fault, w.fault_number = fault, number
        w.fault_state = w.states[ply]
    w.control.limit = 0


def within(w: Any, ply: int, value: float) -> float:
    """The first player's value of a leaf, which must lie in the range of values: bounds of chance nodes rest on that."""
    slack = TOLERANCE * (options.HIGH - options.LOW)
    if not options.LOW - slack <= value <= options.HIGH + slack:
        report(w, ply, VALUE, value)
    return value


def sound(w: Any, ply: int, drawn: int) -> bool:
    """Are there as many outcomes as there may be, each with a weight of the kind that the game declares?"""
    if drawn < 1 or drawn > game.MAX_OUTCOMES:
        report(w, ply, COUNT, np.float64(drawn))
        return False
    for k in range(drawn):
        weight = w.weights[k]
        if not 0.0 < weight < np.inf:
            report(w, ply, WEIGHT, weight)
            return False
        if options.ALIKE and weight != w.weights[0]:
            report(w, ply, UNEQUAL, weight)
            return False
        if options.WHOLE and weight != np.floor(weight):
            report(w, ply, BROKEN, weight)
            return False
    return True


# --- shell ---


def raise_any(w: Any, position: Position) -> None:
    """Tell the user of the fault that a search met, if it met one."""
    if w.fault:
        game_, number = position.game, float(w.fault_number)
        low, high = game_.constants["VALUES"]
        most = game_.constants["MAX_OUTCOMES"]
        said = {
            VALUE: f"a position is worth {number:g} to player 1, outside VALUES = ({low:g}, {high:g}), and cuts would be wrong; widen VALUES",
            WEIGHT: f"outcomes gave a weight of {number:g}; every weight must be positive and finite",
            UNEQUAL: f"outcomes gave unequal weights, one of {number:g}; give equal ones, or declare CHANCE_KIND = WEIGHTED",
            BROKEN: f"outcomes gave a weight of {number:g}, no whole number; give whole numbers, or declare CHANCE_KIND = GENERAL",
            COUNT: f"outcomes gave {number:g} outcomes; give 1 to MAX_OUTCOMES = {most}, or raise MAX_OUTCOMES",
        }[int(w.fault)]
        where = Position(game_, w.fault_state.tobytes()).show()
        raise RulesError(f"{game_.name}: {said} (in the position {' / '.join(where.splitlines())})")
