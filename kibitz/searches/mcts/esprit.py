"""ESPRIT: tree search by realization probabilities, effective sample sizes and policy refinement (Jones 2021).

The values found so far give a policy q, which is mixed with the game's own policy p into r, the probability that each move is played:

    z = n^alpha,  Z the mean of z,  q ~ (1 + (v_best - v) sqrt(Z) / sigma)^-gamma,  r ~ (lam p + z q) / (lam + z)

n are a move's visits, v the mean of the evaluations at and below it for the player who makes it. A simulation follows the largest r / (n + 1), so that
visits come to be in proportion to r. Before the first visit r = p. Everything else is as in puct.py, and it fits the same games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.core.protocol.parameters import Parameter
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.guided_method import GuidedMethod
from kibitz.searches.mcts.rule.esprit_rule import ESPRIT

OPTIONS = (
    Parameter("alpha", 0.5, 0.0, 1.0, None, "n visits count as n^alpha independent ones"),
    Parameter("lam", 1.0, 1e-6, 1e6, None, "lambda: the number of these that the policy counts as"),
    Parameter("gamma", 3.0, 0.01, 1000.0, None, "how fast the share of moves of lower value falls"),
    Parameter("sigma", 0.07, 1e-6, 1e6, None, "scale of differences in value, from 0 to 1; larger values make broader trees"),
)


def choose_rule(settings: Mapping[str, Any]) -> Feature:  # noqa: ARG001
    return ESPRIT


SEARCH = GuidedMethod("esprit", choose_rule)
make_search = SEARCH.make
METHOD = SEARCH.method("tree search by realization probabilities: a policy, refined by values; for every game", OPTIONS)
