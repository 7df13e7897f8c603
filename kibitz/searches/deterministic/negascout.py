"""NegaScout, also known as principal variation search (Reinefeld 1983): the first move with the whole window, the others with a null window.

Exact, to its depth, for two-player games of opposite interests without chance or hidden information; players need not alternate. A null window
asks only whether a move is better than the best so far, which is cheaper to answer; a move that is gets searched again, from the value that the
question brought to light. Fewer nodes than alpha-beta where the first move is usually the best: use it with a table and an order.

A null window is the next float, so that nothing lies between its edges, whatever the evaluation. No move is searched again where its value is
exact already: that of a leaf, and, two plies before the horizon, of a reply searched in full (nothing known in advance may have cut it short, and
leaves must have a value, not a bound as quiescence gives them).

The form `minimax` is the same search as textbooks draw it: pictures show all values and windows as the first player, MAX, sees them, whose nodes take the
greatest; MIN's take the least. Its null window is one grain of the game's values (the next float where they have none): [m, m + 1] for whole numbers. A
value strictly inside it, as an evaluation may give, is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.searches import deepening
from kibitz.searches.method import Method, opposite_interests
from kibitz.searches.window import frame

# --- kernels: the rule ---

root = frame.root


def window(w: Any, f: Any) -> tuple[float, float, int]:  # noqa: ARG001
    """The first move in full; the others are asked first whether they are better. A leaf does not need the other end of the window, which takes time to compute."""
    if f.again:
        return f.found, f.beta, f.depth - 1
    floor = max(f.alpha, f.best)
    return floor, f.beta if f.at == 0 or f.depth == 1 else beyond(floor), f.depth - 1


def answer(w: Any, f: Any, v: float) -> float:  # noqa: ARG001
    """A move that is better is searched again in the window that is left, unless its value is exact already."""
    if f.again:
        f.again = False
        return max(f.found, v)
    floor = max(f.alpha, f.best)
    if floor < v < f.beta and f.at > 0 and not is_exact(f) and v >= beyond(floor):
        f.found, f.again = v, True
    return v


def beyond(value: float) -> float:
    """The other end of a null window at `value`: the next float, or the next value there can be."""
    return value + game.GRAIN if options.GRAINS and game.GRAIN > 0.0 else np.nextafter(value, np.inf)


def is_exact(f: Any) -> bool:
    """Did the move lead to a leaf, or was the reply, two plies before the horizon, searched in full?"""
    if f.following < 0 or f.depth == 1:
        return True
    return f.depth == 2 and f.following != f.side and not (options.TABLE or options.BEST_CASE or options.QUIESCENCE)


RULE = frame.Rule(window, answer)

# --- shell ---


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    return deepening.deepen(position, settings, engine, kernel(settings["form"] == "minimax"))


def kernel(for_max: bool = False) -> deepening.Kernel:
    return deepening.Kernel(root, {"GRAINS": for_max, "FOR_FIRST": for_max, **RULE.options()})


METHOD = Method(
    name="negascout",
    about="alpha-beta with null windows for all but the first move",
    options=(
        Parameter(
            "form",
            "negamax",
            None,
            None,
            ("negamax", "minimax"),
            "negamax: values for the player to move; minimax: all for the first player",
        ),
        *deepening.OPTIONS,
        *deepening.ROOTS,
    ),
    unfit=opposite_interests,
    run=run,
    endings=True,
)
