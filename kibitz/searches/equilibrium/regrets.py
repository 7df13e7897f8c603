"""Counterfactual regret minimisation (Zinkevich and others 2007) in an unfolded game: one round of it for every player in turn.

A move's *regret* is what it would have brought more than the policy did, over all rounds, each history counting as often as chance and the others bring it about. The
next policy makes moves in proportion to their positive regrets. The mean policy of all rounds, each weighted by how likely the player himself comes to where he
decides, goes to an equilibrium where there are two players with opposite interests; with more it is a good strategy as a rule, and nothing is promised.

All forms are one, with three powers of the number of rounds t (discounted CFR, Brown and Sandholm 2019): after round t positive regrets are multiplied by
t^alpha / (t^alpha + 1), negative ones by t^beta / (t^beta + 1), and the mean so far by (t / (t+1))^gamma.

    vanilla       nothing is forgotten, all rounds count alike: alpha = beta = infinity, gamma = 0
    plus          negative regrets are forgotten at once, round t counts t times: alpha = infinity, beta = -infinity, gamma = 1 (CFR+, Tammelin 2014)
    linear        round t counts t times in all: 1, 1, 1
    discounted    1.5, 0, 2
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.records.record import record
from kibitz.core.running.control import Control
from kibitz.searches.equilibrium.strategy import evaluate, reach
from kibitz.searches.equilibrium.unfolding import Histories, Infosets

INFINITE = float("inf")
FORMS = {
    "vanilla": (INFINITE, INFINITE, 0.0),
    "plus": (INFINITE, -INFINITE, 1.0),
    "linear": (1.0, 1.0, 1.0),
    "discounted": (1.5, 0.0, 2.0),
}  # alpha, beta, gamma

Workspace = record(
    control=Control,  # its nodes are the rounds
    alpha=np.float64,
    beta=np.float64,
    gamma=np.float64,
    players=np.int64,
)


class Tables(NamedTuple):
    """What is kept for every slot, and scratch for every history."""

    regrets: Any
    sums: Any  # of the policies so far
    policy: Any  # of the next round
    own: Any
    others: Any
    values: Any


def run_rounds(w: Any, h: Histories, sets: Infosets, t: Tables, rounds: int) -> int:
    """Run more rounds, or up to the limit. Returns the number of all rounds so far."""
    for _ in range(rounds):
        if w.control.nodes >= w.control.limit:
            break
        w.control.nodes += 1
        number = np.float64(w.control.nodes)
        for player in range(w.players):
            reach(h, sets, t.policy, player, t.own, t.others)
            evaluate(h, sets, t.policy, player, t.values)
            update(h, sets, t, player)
            discount(sets, t, player, keeps(number, w.alpha), keeps(number, w.beta), (number / (number + 1.0)) ** w.gamma)
            match_regrets(sets, t, player)
    return w.control.nodes


def keeps(number: float, power: float) -> float:
    """t^power / (t^power + 1), which is 1 and 0 where the power is infinite."""
    if power == np.inf:
        return 1.0
    if power == -np.inf:
        return 0.0
    grown = number**power
    return grown / (grown + 1.0)


def update(h: Histories, sets: Infosets, t: Tables, player: int) -> None:
    """Add a round's regrets of the player's moves, and his policy to the mean."""
    for i in range(h.parent.shape[0]):
        if h.mover[i] == player:
            slot = sets.first[h.info[i]]
            for j in range(h.count[i]):
                t.regrets[slot + j] += t.others[i] * (t.values[h.first[i] + j] - t.values[i])
            if i == sets.node[h.info[i]]:  # the same for all of the set: he remembers what he did
                for j in range(h.count[i]):
                    t.sums[slot + j] += t.own[i] * t.policy[slot + j]


def discount(sets: Infosets, t: Tables, player: int, positive: float, negative: float, mean: float) -> None:
    for info in range(sets.node.shape[0]):
        if sets.player[info] == player:
            for slot in range(sets.first[info], sets.first[info] + sets.count[info]):
                t.regrets[slot] *= positive if t.regrets[slot] > 0.0 else negative
                t.sums[slot] *= mean


def match_regrets(sets: Infosets, t: Tables, player: int) -> None:
    """The player's policy of the next round."""
    for info in range(sets.node.shape[0]):
        if sets.player[info] == player:
            first, n, total = sets.first[info], sets.count[info], 0.0
            for slot in range(first, first + n):
                total += max(0.0, t.regrets[slot])
            for slot in range(first, first + n):
                t.policy[slot] = max(0.0, t.regrets[slot]) / total if total > 0.0 else 1.0 / n
