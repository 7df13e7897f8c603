"""Strategies of all players in an unfolded game: their values, the best reply to them, and what it wins.

A strategy is a probability for every slot. The *exploitability* of a strategy is what a best reply wins from it, on average over the seats: in a game of two
players with opposite interests 0 at an equilibrium, and nowhere else. A best reply is exact: the player knows the strategies of all others, and no more of
the position than his information sets say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.searches.equilibrium.unfolding import GameTree, Histories, Infosets

# --- kernels ---


def probability(h: Histories, sets: Infosets, policy: Any, i: int) -> float:
    """The probability of the move that leads to history `i`, once its parent has been reached."""
    parent = h.parent[i]
    if h.mover[parent] == CHANCE:
        return h.chance[i]
    return policy[sets.first[h.info[parent]] + i - h.first[parent]]


def reach(h: Histories, sets: Infosets, policy: Any, player: int, own: Any, others: Any) -> None:
    """Write how likely the player himself makes each history, and all others and chance together."""
    own[0], others[0] = 1.0, 1.0
    for i in range(1, h.parent.shape[0]):
        parent, share = h.parent[i], probability(h, sets, policy, i)
        mine = h.mover[parent] == player
        own[i] = own[parent] * share if mine else own[parent]
        others[i] = others[parent] if mine else others[parent] * share


def evaluate(h: Histories, sets: Infosets, policy: Any, player: int, values: Any) -> float:
    """Write what each history is worth to the player when all follow the policy; returns what the game is worth."""
    last = h.parent.shape[0]
    for i in range(last):
        values[i] = h.utility[i, player]  # 0 where it is not over
    for k in range(1, last):
        i = last - k
        values[h.parent[i]] += probability(h, sets, policy, i) * values[i]
    return values[0]


def reply(h: Histories, sets: Infosets, levels: Any, policy: Any, player: int, others: Any, values: Any, gains: Any, best: Any) -> float:
    """Write the player's best move in each of his information sets (`best`), the first among equals, and what each history is worth to him then."""
    for slot in range(gains.shape[0]):
        gains[slot] = 0.0
    for k in range(1, levels.shape[0]):
        begin, end = levels[levels.shape[0] - 1 - k], levels[levels.shape[0] - k]
        for i in range(begin, end):
            weigh_history(h, sets, policy, player, others, values, gains, i)
        for i in range(begin, end):
            if h.mover[i] == player:
                info = h.info[i]
                first, choice = sets.first[info], 0
                for j in range(1, sets.count[info]):
                    if gains[first + j] > gains[first + choice]:
                        choice = j
                best[info] = choice
                values[i] = values[h.first[i] + choice]
    return values[0]


def weigh_history(h: Histories, sets: Infosets, policy: Any, player: int, others: Any, values: Any, gains: Any, i: int) -> None:
    """What a history is worth to the player, whose best moves in later ones are known; where it is his turn, what each move is worth goes to its slot."""
    if h.mover[i] == OVER:
        values[i] = h.utility[i, player]
        return
    values[i] = 0.0
    for j in range(h.count[i]):
        child = h.first[i] + j
        if h.mover[i] == player:
            gains[sets.first[h.info[i]] + j] += others[i] * values[child]
        else:
            values[i] += probability(h, sets, policy, child) * values[child]


# --- shell ---


class Reply(NamedTuple):
    """A best reply of one player to the strategies of all others."""

    value: float  # what the game is worth to him then
    moves: Any  # by information set: which of its moves; -1 in those of others


@dataclass(frozen=True)
class Strategy:
    """What every player does in each of his information sets."""

    tree: GameTree
    policy: Any = field(repr=False, compare=False)  # a probability for every slot

    @classmethod
    def uniform(cls, tree: GameTree) -> Strategy:
        """Every move as likely as another."""
        return normal(tree, np.zeros(tree.slots))

    @classmethod
    def joined(cls, tree: GameTree, parts: dict[int, dict[int, float]]) -> Strategy:
        """From probabilities of moves by information set; where none are given, every move is as likely as another."""
        sums = np.zeros(tree.slots)
        for info, chances in parts.items():
            first = int(tree.sets.first[info])
            for place, move in enumerate(tree.moves(info)):
                sums[first + place] = chances.get(move, 0.0)
        return normal(tree, sums)

    def of(self, info: int) -> dict[int, float]:
        """The probability of every move in an information set."""
        first = int(self.tree.sets.first[info])
        return {move: float(self.policy[first + place]) for place, move in enumerate(self.tree.moves(info))}

    @cached_property
    def values(self) -> tuple[float, ...]:
        """What the game is worth to each player."""
        tree, kernel = self.tree, self.tree.game.bind(evaluate, label="strategy")
        return tuple(float(kernel(tree.h, tree.sets, self.policy, p, np.zeros(tree.histories))) for p in range(tree.game.players))

    def best_reply(self, player: int) -> Reply:
        """What does best against all others, who go on as they do."""
        tree = self.tree
        if not 0 <= player < tree.game.players:
            raise InputError(f"there is no player {player + 1}; {tree.game.label} has players 1 to {tree.game.players}")
        own, others, values, gains = (np.zeros(n) for n in (tree.histories, tree.histories, tree.histories, tree.slots))
        best = np.full(tree.infosets, -1, np.int64)
        tree.game.bind(reach, label="strategy")(tree.h, tree.sets, self.policy, player, own, others)
        value = tree.game.bind(reply, label="strategy")(tree.h, tree.sets, tree.levels, self.policy, player, others, values, gains, best)
        return Reply(float(value), best)

    @cached_property
    def gains(self) -> tuple[float, ...]:
        """What each player could win by going over to a best reply."""
        return tuple(max(0.0, self.best_reply(p).value - value) for p, value in enumerate(self.values))

    @property
    def exploitability(self) -> float:
        """The mean of these: 0 where nobody has anything to win."""
        return sum(self.gains) / len(self.gains)

    def worth(self, info: int) -> tuple[float, dict[int, float]]:
        """What an information set is worth to its player when all follow the strategy, and each of its moves; by how likely its histories are.

        Where the others never let it come about, its histories count alike.
        """
        tree, player = self.tree, int(self.tree.sets.player[info])
        values, others = self._seen(player)
        nodes = np.flatnonzero(tree.h.info == info)
        weights = others[nodes] / others[nodes].sum() if others[nodes].sum() > 0.0 else np.full(len(nodes), 1.0 / len(nodes))
        moves = {move: float(weights @ values[tree.h.first[nodes] + place]) for place, move in enumerate(tree.moves(info))}
        return float(weights @ values[nodes]), moves

    def _seen(self, player: int) -> tuple[Any, Any]:
        """What every history is worth to a player, and how likely all others make it."""
        if player not in self._kept:
            tree = self.tree
            own, others, values = (np.zeros(tree.histories) for _ in range(3))
            tree.game.bind(reach, label="strategy")(tree.h, tree.sets, self.policy, player, own, others)
            tree.game.bind(evaluate, label="strategy")(tree.h, tree.sets, self.policy, player, values)
            self._kept[player] = values, others
        return self._kept[player]

    @cached_property
    def _kept(self) -> dict[int, tuple[Any, Any]]:
        return {}


def normal(tree: GameTree, sums: Any) -> Strategy:
    """Probabilities in proportion to these numbers; where they are all 0, every move is as likely as another."""
    owner = np.repeat(np.arange(tree.infosets), tree.sets.count)  # slots are in the order of their information sets
    totals = np.bincount(owner, sums, tree.infosets)
    counts = tree.sets.count.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        policy = np.where(totals[owner] > 0.0, sums / totals[owner], 1.0 / counts[owner])
    return Strategy(tree, policy)
