"""What a player who does not see everything can make sure of, and hope for, by its definition: nothing but positions, what they lead to, and what is heard.

A belief is a set of whole positions, just as the rules have them: nothing is forgotten, blurred or remembered, and beliefs are not compared with each other.
"""

from __future__ import annotations

from collections.abc import Iterable

import kibitz as kb
from kibitz.core.protocol.rules import NO_MOVE, OVER

Set = frozenset[bytes]


def followers(game: kb.Game, data: bytes, observer: int) -> list[tuple[int, int, float, bytes]]:
    """What may happen in a position: the move where it is the observer's, what he hears, how likely it is while others move at random, and where it leads."""
    position = kb.Position(game, data)
    chances = position.chances if position.is_chance else [1.0 / len(position.numbers)] * len(position.numbers)
    found = []
    for move, chance in zip(position.numbers, chances, strict=True):
        s = position.state
        game.rule("play")(s, move)
        percept = int(game.rule("percept")(position.state, move, s, observer))
        found.append(
            (move if position.player == observer else NO_MOVE, percept, 1.0 if position.player == observer else chance, s.tobytes())
        )
    return found


def is_sure(game: kb.Game, belief: Iterable[bytes], observer: int, goal: float, moves: int, way: frozenset[Set] = frozenset()) -> bool:
    """Can he be sure of the goal within `moves` own moves? `way`: beliefs since his last move, which the others may come back to for ever."""
    states = frozenset(belief)
    positions = [kb.Position(game, data) for data in states]
    turns = {p.player for p in positions}
    if OVER in turns:
        return turns == {OVER} and all(p.utility(observer) >= goal for p in positions)
    own = {turn == observer for turn in turns}
    if len(own) == 2 or states in way:
        return False
    heard: dict[int, dict[int, set[bytes]]] = {}
    for data in states:
        for move, percept, _, after in followers(game, data, observer):
            heard.setdefault(move, {}).setdefault(percept, set()).add(after)
    if own == {True}:
        return moves > 0 and any(all(is_sure(game, s, observer, goal, moves - 1) for s in groups.values()) for groups in heard.values())
    return all(is_sure(game, s, observer, goal, moves, way | {states}) for groups in heard.values() for s in groups.values())


def hope(game: kb.Game, belief: dict[bytes, float], observer: int, goal: float, moves: int, patience: int, waited: int = 0) -> float:
    """The most that the weights of won positions may add up to, within `moves` own moves and with no more than `patience` events between two, others moving at random."""
    positions = {data: kb.Position(game, data) for data in belief}
    if any(p.is_over for p in positions.values()):
        return sum(weight for data, weight in belief.items() if positions[data].is_over and positions[data].utility(observer) >= goal)
    own = any(p.player == observer for p in positions.values())
    if moves == 0 if own else waited == patience:
        return 0.0
    heard: dict[int, dict[int, dict[bytes, float]]] = {}
    for data, weight in belief.items():
        for move, percept, chance, after in followers(game, data, observer):
            group = heard.setdefault(move, {}).setdefault(percept, {})
            group[after] = group.get(after, 0.0) + weight * chance
    left, since = (moves - 1, 0) if own else (moves, waited + 1)
    return max(sum(hope(game, group, observer, goal, left, patience, since) for group in groups.values()) for groups in heard.values())
