"""Beliefs by their definition: every way the game can have gone is played through, and those are kept in which the observer was told the same."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import kibitz as kb
from kibitz.core.position.told import Event
from kibitz.core.protocol.rules import NO_MOVE


def belief(start: Sequence[kb.Position], observer: int, events: Sequence[Event]) -> dict[bytes, float]:
    """The records that are possible after these events, and the probability of each while others move at random."""
    found: dict[bytes, float] = {}
    for position in start:
        _follow(position, observer, tuple(events), 1.0 / len(start), found)
    total = sum(found.values())
    return {data: weight / total for data, weight in found.items()}


def _follow(position: kb.Position, observer: int, events: tuple[Event, ...], weight: float, found: dict[bytes, float]) -> None:
    if not events:
        found[position.data] = found.get(position.data, 0.0) + weight
        return
    event, rest = events[0], events[1:]
    if position.is_over or (position.player == observer) != (event.move != NO_MOVE):
        return
    if event.move != NO_MOVE:
        shares = {event.move: 1.0}
    elif position.is_chance:
        shares = dict(zip((int(m) for m in position.moves), position.chances, strict=True))
    else:
        shares = {int(m): 1.0 / len(position.moves) for m in position.moves}
    for move, share in shares.items():
        after = position.play(move)
        percept = int(position.game.rule("percept")(position.state, move, after.state, observer))
        if percept == event.percept:
            _follow(after, observer, rest, weight * share, found)


# --- strategies: {(player, events): {move: probability}} ---

Strategy = dict[tuple[int, tuple[Event, ...]], dict[int, float]]


def known(position: kb.Position, player: int) -> tuple[int, tuple[Event, ...]]:
    """The information set, as strategies name it."""
    return player, position.told[player].events if position.told else ()


def shares(position: kb.Position, strategy: Strategy) -> dict[int, float]:
    """How likely each move is, chance's among them."""
    if position.is_chance:
        return dict(zip((int(m) for m in position.moves), position.chances, strict=True))
    return strategy[known(position, position.player)]


def worth(position: kb.Position, strategy: Strategy, player: int) -> float:
    """What it is worth to a player when all follow the strategy."""
    if position.is_over:
        return position.utility(player)
    return sum(share * worth(position.play(move), strategy, player) for move, share in shares(position, strategy).items())


def best_reply(position: kb.Position, strategy: Strategy, player: int) -> float:
    """What the game is worth to a player who may do anything, by trying all he can do: every pure strategy of his."""
    mine: dict[tuple[int, tuple[Event, ...]], list[int]] = {}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        if here.player == player:
            mine[known(here, player)] = [int(m) for m in here.moves]
        waiting += [here.play(int(m)) for m in here.moves]
    pure = (dict(zip(mine, choice, strict=True)) for choice in itertools.product(*mine.values()))
    return max(worth(position, {**strategy, **{at: {move: 1.0} for at, move in one.items()}}, player) for one in pure)


def open_value(position: kb.Position, player: int) -> float:
    """What it is worth to a player when everybody sees everything, and each takes the first move that is best for himself."""
    return open_values(position)[player]


def open_values(position: kb.Position) -> tuple[float, ...]:
    """The same for every player."""
    if position.is_over:
        return tuple(position.utility(p) for p in range(position.game.players))
    after = [open_values(position.play(int(m))) for m in position.moves]
    if position.is_chance:
        return tuple(sum(c * v[p] for c, v in zip(position.chances, after, strict=True)) for p in range(position.game.players))
    return max(after, key=lambda v: v[position.player])


def pimc(view_of: kb.Position) -> dict[int, float]:
    """What every move is worth on average over all that the player to move thinks possible, with the cards open from now on."""
    player = view_of.player
    origin = [kb_position(view_of.game, data) for data in view_of.told[player].origin] if view_of.told else [view_of]
    possible = belief(origin, player, view_of.told[player].events if view_of.told else ())
    totals: dict[int, float] = {}
    for data, chance in possible.items():
        there = kb_position(view_of.game, data)
        for move in there.moves:
            totals[int(move)] = totals.get(int(move), 0.0) + chance * open_value(there.play(int(move)), player)
    return totals


def kb_position(game: kb.Game, data: bytes) -> kb.Position:
    return kb.Position(game, data)
