"""The game's own evaluation in place of a playout.

An evaluation is a reward in proportion, or as odds of e to 1 for every `odds` above the middle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import OVER
from kibitz.core.records import maths
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.leaf import playout
from kibitz.searches.mcts.step.workspace import BAD_VALUE


def value_by_evaluation(w: Any, depth: int) -> None:  # noqa: ARG001
    """Write what the evaluation of `w.state` promises each player into `w.result`."""
    if w.odds > 0.0:
        for p in range(game.PLAYERS):
            w.result[p] = worth(w, w.state, p)
    else:
        playout.reward(w, w.state)
    check_rewards(w)


def worth(w: Any, s: Any, player: int) -> float:
    """The reward of a finished game, or what the evaluation promises."""
    if game.player(s) == OVER:
        return options.as_reward(np.float64(game.utility(s, player)))
    value = np.float64(game.evaluate(s, player))
    if w.odds > 0.0:
        return 1.0 / (1.0 + maths.exp(min(700.0, (0.5 * (game.VALUES[0] + game.VALUES[1]) - value) / w.odds)))
    return options.as_reward(value)


def check_rewards(w: Any) -> None:
    """An evaluation must be a number, and inside VALUES."""
    for p in range(game.PLAYERS):
        if not (0.0 <= w.result[p] <= 1.0):
            w.fault = BAD_VALUE


EVALUATION = Feature(rules={"leaf_value": value_by_evaluation})
