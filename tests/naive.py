"""The slow obvious twin of every exact search: plain recursion over positions, nothing clever, nothing shared with the fast code.

A two-player game needs utilities with a constant sum, so that what one player wants the other wants to prevent; nothing here assumes that
players take turns.
"""

from __future__ import annotations

from math import inf

from kibitz.core.position import Move, Position

Memo = dict[bytes, float]


def minimax(position: Position, player: int = 0) -> float:
    """What `position` is worth to `player` when both play their best; no chance."""
    if position.is_over:
        return position.utility(player)
    values = [minimax(position.play(move), player) for move in position.moves]
    return max(values) if position.player == player else min(values)


def minimax_memoised(position: Position, player: int = 0, memo: Memo | None = None) -> float:
    """`minimax`, solving each different position once. One `memo` serves one game and one player."""
    memo = {} if memo is None else memo
    if position.data not in memo:
        if position.is_over:
            memo[position.data] = position.utility(player)
        else:
            values = [minimax_memoised(position.play(move), player, memo) for move in position.moves]
            memo[position.data] = max(values) if position.player == player else min(values)
    return memo[position.data]


def best_moves(position: Position) -> list[Move]:
    """All moves that keep what the position is worth to the player to move, in the rules' order."""
    memo: Memo = {}
    values = [minimax_memoised(position.play(move), position.player, memo) for move in position.moves]
    return [move for move, value in zip(position.moves, values, strict=True) if value == max(values)]


def expectiminimax(position: Position, player: int = 0) -> float:
    """`minimax` where chance may decide: a chance position is worth the mean of its outcomes."""
    if position.is_over:
        return position.utility(player)
    values = [expectiminimax(position.play(move), player) for move in position.moves]
    if position.is_chance:
        return sum(chance * value for chance, value in zip(position.chances, values, strict=True))
    return max(values) if position.player == player else min(values)


def alphabeta(position: Position, alpha: float = -inf, beta: float = inf) -> tuple[float, int]:
    """Fail-hard alpha-beta in the order of the rules: the value to player 0, and how many positions were visited, this one included.

    The value is alpha where the true one is at most alpha, beta where it is at least beta, and exact in between.
    """
    if position.is_over:
        return min(max(position.utility(0), alpha), beta), 1
    visited = 1
    for move in position.moves:
        value, below = alphabeta(position.play(move), alpha, beta)
        visited += below
        if position.player == 0:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return (alpha if position.player == 0 else beta), visited


def alphabeta_nodes(position: Position) -> int:
    """How many positions plain alpha-beta visits from an open window."""
    return alphabeta(position)[1]
