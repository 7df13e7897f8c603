"""Monte-Carlo star-minimax (Lanctot, Saffidine, Veness, Archibald and Winands 2013): some drawn outcomes stand for all of a chance node.

With `options.SAMPLED`, `w.sample` outcomes of every chance node are drawn with replacement, each as likely as its weight says; how often each was drawn takes
the place of its weight, and what was not drawn is not looked at. Everything else stays: the value found is that of the thinned-out tree, to the depth
of the search, and an estimate of the true one. Its error has two parts. Means of samples scatter; and a player who chooses the best of several of them
chooses the luckiest, so that values lean to the side of whoever chooses. Both shrink as the sample grows.

Lots are drawn by the seed and the key of the position: a node has the same sample whenever it is met in a search, so that all depths, windows and the table
speak of the same tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.measuring.random_games import outcome
from kibitz.core.position.game import Position
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.records import random
from kibitz.core.records.hashing import combine
from kibitz.core.records.random import Rng, by_weight
from kibitz.core.records.record import blank

STREAM = 1  # of the seed; the other one is that of approximate probes

OPTIONS = (
    Parameter("sample", 0, 0, 10**6, None, "outcomes to draw at each chance node; the value is then an estimate; 0: all outcomes"),
    Parameter("seed", 0, 0, 1 << 62, None, "random seed: the same seed gives the same search"),
)


def fields(constants: dict[str, Any]) -> dict[str, Any]:
    """What the workspace holds for it."""
    return {"sample": np.int64, "lots": np.uint64, "lot": Rng, "times": (np.float64, max(1, constants["MAX_OUTCOMES"]))}


# --- kernel ---


def draw(w: Any, ply: int, n: int) -> None:
    """Draw from the n outcomes of the chance node at `ply`: w.weights, how likely each is, becomes how often each was drawn."""
    w.lot.word = combine(w.lots, game.key(w.states[ply]))
    for k in range(n):
        w.times[k] = 0.0
    for _ in range(w.sample):
        w.times[outcome(w.weights, n, w.lot)] += 1.0
        if w.control.nodes >= w.control.limit:
            break
    for k in range(n):
        w.weights[k] = w.times[k]


# --- shell ---


def begin(w: Any, settings: Mapping[str, Any]) -> None:
    """Write what the user asked for into the workspace."""
    w.sample = settings["sample"]
    with np.errstate(over="ignore"):  # uint64 arithmetic wraps on purpose
        random.seed(w.lot, settings["seed"], STREAM)
    w.lots = w.lot.word


def shares(position: Position, sample: int, seed: int) -> dict[int, float]:
    """Which outcomes of a chance position a search draws, and how much each counts: for pictures."""
    game_, lot, times = position.game, blank(Rng), Counter[int]()
    out, weights = (np.zeros(game_.constants["MAX_OUTCOMES"], kind) for kind in (game_.constants["MOVE"], np.float64))
    n = game_.rule("outcomes")(position.state, out, weights)
    with np.errstate(over="ignore"):
        random.seed(lot, seed, STREAM)
        lot.word = combine(lot.word, game_.rule("key")(position.state))
        for _ in range(sample):
            k = random.below(lot, n) if game_.constants["EQUALLY_LIKELY"] else by_weight(weights, n, lot)
            times[int(out[k])] += 1
    return {move: drawn / sample for move, drawn in times.items()}


def note(sample: int) -> str:
    """For the result."""
    return f"sampled: {sample} outcome{'' if sample == 1 else 's'} drawn at each chance node"
