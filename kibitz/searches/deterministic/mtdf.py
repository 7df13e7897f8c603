"""MTD(f) (Plaat and others 1996): the value is found by null-window searches alone, each at the bound that the last one returned.

Exact, to its depth, for the games alpha-beta is exact for: alpha-beta is called again and again with a null window at a guess, starting from the
value of the previous depth. Its bounds close in from both sides. It visits the same positions repeatedly, so it needs a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.searches import deepening
from kibitz.searches.deterministic import alphabeta
from kibitz.searches.method import Method, opposite_interests
from kibitz.searches.window import frame, node

# --- kernels ---


def root(w: Any, arrays: Any, depth: int, alpha: float, beta: float) -> float:
    """The value of w.states[0], which is not over, for its mover; the best line is w.line[0]. Meaningless once a limit is met."""
    w.control.nodes += 1
    w.kept_end = 0
    lower, upper, guess = alpha, beta, min(max(w.guess, alpha), beta)
    mover: Any = np.int64(game.player(w.states[0]))
    while lower < upper and w.control.nodes < w.control.limit:
        asked = np.nextafter(guess, np.inf) if guess == lower else guess  # does the value reach this?
        guess = frame.search(w, arrays, depth, mover, np.nextafter(asked, -np.inf), asked)
        if guess >= asked:
            lower = guess
            keep_line(w)
        else:
            upper = guess
    w.guess = guess
    take_line(w)
    return guess


def keep_line(w: Any) -> None:
    """A move reached the bound: it is the best until another question is answered yes."""
    w.kept_end = w.line_end[0]
    for i in range(w.kept_end):
        w.kept[i] = w.line[0, i]


def take_line(w: Any) -> None:
    w.line_end[0] = w.kept_end
    for i in range(w.kept_end):
        w.line[0, i] = w.kept[i]


# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    constants = position.game.constants
    extra = {"guess": np.float64, "kept": (constants["MOVE"], node.plies(constants) + 1), "kept_end": np.int64}
    return deepening.deepen(position, settings, engine, deepening.Kernel(root, alphabeta.RULE.options(), extra))


METHOD = Method(
    name="mtdf",
    about="null-window searches that close in on the value; needs a table",
    options=(*(p for p in deepening.OPTIONS if p.name != "aspiration"), *deepening.ROOTS),  # it has no window to narrow
    unfit=opposite_interests,
    run=run,
    endings=True,
)
