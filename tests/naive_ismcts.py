"""The slow obvious twin of information set Monte Carlo tree search, and every way that a game can have gone.

It plays on positions that know what everybody was told, keeps its tree in dictionaries, and draws the same lots in the same order as the fast code.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import kibitz as kb
from kibitz.core.position.told import Event
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records import random

Key = tuple[int, tuple[Event, ...], int]  # whose knowledge, what he was told, who is to move
Tree = dict[Key, dict[int, list[float]]]  # by move: visits, how often it was available, rewards


def told(position: kb.Position, player: int) -> tuple[Event, ...]:
    return position.told[player].events if position.told else ()


def histories(position: kb.Position, observer: int, events: Sequence[Event]) -> Iterator[tuple[kb.Position, float]]:
    """Every way to hear these events from here, and how likely it is while others move at random."""
    if not events:
        yield position, 1.0
        return
    event = events[0]
    if position.is_over or (position.player == observer) != (event.move != NO_MOVE):
        return
    for move, share in shares(position, event.move).items():
        after = position.play(move)
        if told(after, observer)[-1] == event:
            for end, chance in histories(after, observer, events[1:]):
                yield end, share * chance


def shares(position: kb.Position, own: int) -> dict[int, float]:
    if own != NO_MOVE:
        return {own: 1.0}
    if position.is_chance:
        return dict(zip((int(m) for m in position.moves), position.chances, strict=True))
    return {int(m): 1.0 / len(position.moves) for m in position.moves}


def ismcts(
    roots: Sequence[kb.Position], weights: Sequence[float], observer: int, playouts: int, explore: float, single: bool, rng: Any
) -> Tree:
    """The tree after a number of simulations."""
    tree: Tree = {}
    heap = np.cumsum(weights)
    with np.errstate(over="ignore"):
        for _ in range(playouts):
            here = roots[int(np.searchsorted(heap, random.unit(rng) * heap[-1], side="right"))]
            path: list[tuple[list[float], int]] = []
            is_new = False
            while not here.is_over and not is_new:
                if here.is_chance:
                    here = here.play(_outcome(here, rng))
                    continue
                who = observer if single else here.player
                node = tree.setdefault((who, told(here, who), here.player), {})
                move, is_new = _choose(node, [int(m) for m in here.moves], explore, rng)
                path.append((node[move], here.player))
                here = here.play(move)
            while not here.is_over:
                here = here.play(_outcome(here, rng) if here.is_chance else int(here.moves[random.below(rng, len(here.moves))]))
            for edge, owner in path:
                edge[0] += 1
                edge[2] += _reward(here, owner)
    return tree


def _choose(node: dict[int, list[float]], moves: list[int], explore: float, rng: Any) -> tuple[int, bool]:
    for move in moves:
        if move in node:
            node[move][1] += 1
    untried = [move for move in moves if move not in node]
    if untried:
        move = untried[random.below(rng, len(untried))]
        node[move] = [0, 1, 0.0]
        return move, True
    best = max(moves, key=lambda m: node[m][2] / node[m][0] + explore * math.sqrt(math.log(node[m][1]) / node[m][0]))
    return best, False


def _outcome(position: kb.Position, rng: Any) -> int:
    if position.game.constants["EQUALLY_LIKELY"]:
        return int(position.moves[random.below(rng, len(position.moves))])
    return int(position.moves[random.by_weight(position._outcomes()[1], len(position.moves), rng)])


def _reward(end: kb.Position, player: int) -> float:
    low, high = end.game.constants["VALUES"]
    return (end.utility(player) - low) / (high - low)
