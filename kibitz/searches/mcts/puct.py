"""PUCT: tree search guided by a policy and evaluations, as AlphaZero's (Silver and others 2018); or by the regularised policy behind it.

A simulation follows, at each node, the move with the largest

    v + C sqrt(N) / (1 + n) p,    C = c0 + log((1 + N + c1) / c1)

where p is the move's probability by the game's `policy`, n its visits, v the mean of the evaluations at and below it for the player who makes it, and N the
visits of the node. A position that is visited for the first time is evaluated: by the game's `evaluate`, or by a
playout. The answer is the move with the most visits. Fits every game of perfect information, chance and any number of players included: every player's
moves are chosen by what they are worth to that player, chance draws its outcomes as in UCT. What is proven on the way is exact (see tree/proofs.py).

rule=regularised  follows the policy y that makes the sum of v y - k KL(p, y) largest, which PUCT's visits come near to (Grill and others 2020).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.core.protocol.parameters import Parameter
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.guided_method import GuidedMethod
from kibitz.searches.mcts.rule.puct_rule import PUCT
from kibitz.searches.mcts.rule.regularised_rule import REGULARISED

OPTIONS = (
    Parameter("c0", 1.25, 0.0, 1e6, None, "larger values explore rarely tried moves more"),
    Parameter("c1", 19652.0, 1.0, 1e12, None, "visits after which that grows"),
    Parameter("rule", "puct", None, None, ("puct", "regularised"), "what moves are followed by"),
)

RULES = {"puct": PUCT, "regularised": REGULARISED}


def choose_rule(settings: Mapping[str, Any]) -> Feature:
    return RULES[settings["rule"]]


SEARCH = GuidedMethod("puct", choose_rule)
make_search = SEARCH.make
METHOD = SEARCH.method("tree search guided by a policy and evaluations, as in AlphaZero; for every game", OPTIONS)
