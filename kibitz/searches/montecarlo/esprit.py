"""ESPRIT: tree search by realization probabilities, effective sample sizes and policy refinement (Jones 2021).

The values found so far are turned into a policy q, and q is mixed with the game's own policy p into r, which says how likely each move is to be played:

    z = n^alpha,  Z the mean of z,  q ~ (1 + (v_best - v) sqrt(Z) / sigma)^-gamma,  r ~ (lam p + z q) / (lam + z)

n are a move's visits, v the mean of the evaluations at and below it for the player who makes it. A simulation follows the largest r / (n + 1), so that
visits come to be in proportion to r. r = p while nothing is visited. Everything else is as in puct.py, and so are the games it fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.searches.method import Method
from kibitz.searches.montecarlo.asking import ASKING, Given, asked
from kibitz.searches.montecarlo.guiding import GUIDED, guided_search
from kibitz.searches.montecarlo.search import STOPPING, Memory
from kibitz.searches.montecarlo.uct import any_game

OPTIONS = (
    Parameter("alpha", 0.5, 0.0, 1.0, None, "n visits are worth n^alpha independent ones"),
    Parameter("lam", 1.0, 1e-6, 1e6, None, "lambda: how many of those the policy is worth"),
    Parameter("gamma", 3.0, 0.01, 1000.0, None, "how fast moves of lower value lose"),
    Parameter("sigma", 0.07, 1e-6, 1e6, None, "the difference in value that counts, from 0 to 1; larger makes broader trees"),
    *ASKING,
    *GUIDED,
)


def run(
    position: Position, settings: Mapping[str, Any], engine: str, memory: Memory | None = None, evaluator: Given | None = None
) -> Iterator[Result]:
    """Results while the tree grows; see the module's docstring."""
    return guided_search(position, settings, "esprit", engine, memory, asked(position.game, settings, evaluator)).results()


METHOD = Method(
    name="esprit",
    about="tree search by how likely moves are to be played: a policy, refined by values; for every game",
    options=OPTIONS,
    unfit=any_game,
    run=run,
    limits=STOPPING,
    memory=Memory,
    asks=True,
)
