"""The slow obvious twin of every exact search: plain recursion over positions, nothing clever, nothing shared with the fast code.

A two-player game needs utilities with a constant sum, so that what one player wants the other wants to prevent; nothing here assumes that
players take turns.
"""

from __future__ import annotations

from math import inf, log

from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move

Memo = dict[bytes, float]


def minimax(position: Position, player: int = 0) -> float:
    """What `position` is worth to `player` when both play their best, or of several all others against him; no chance."""
    if position.is_over:
        return position.utility(player)
    values = [minimax(position.play(move), player) for move in position.moves]
    return max(values) if position.player == player else min(values)


def maxn(position: Position, memo: dict[Position, tuple[float, ...]] | None = None) -> tuple[float, ...]:
    """What `position` is worth to each player, if each takes what is best for himself, the first of the rules' moves where several are."""
    memo = {} if memo is None else memo
    if position not in memo:
        if position.is_over:
            memo[position] = tuple(position.utility(player) for player in range(position.game.players))
        else:
            memo[position] = max(
                (maxn(position.play(int(move)), memo) for move in position.moves), key=lambda values: values[position.player]
            )
    return memo[position]


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


def minimax_to_depth(position: Position, depth: int, player: int) -> float:
    """`minimax` that asks the game's evaluation when `depth` moves have been made."""
    if position.is_over:
        return position.utility(player)
    if depth == 0:
        return float(position.game.rule("evaluate")(position.state, player))
    values = [minimax_to_depth(position.play(move), depth - 1, player) for move in position.moves]
    return max(values) if position.player == player else min(values)


def outcome(position: Position, memo: dict[Position, tuple[float, int]] | None = None) -> tuple[float, int]:
    """The value to the player to move and the plies to the end, when wins are made quick and losses slow; a draw's plies mean nothing."""
    memo = {} if memo is None else memo
    if position in memo:
        return memo[position]
    middle = sum(position.game.constants["VALUES"]) / 2
    found = []
    for move in position.moves:
        child = position.play(move)
        if child.is_over:
            value, plies = child.utility(position.player), 0
        else:
            value, plies = outcome(child, memo)
            value = value if child.player == position.player else position.game.constants["SUM"] - value
        preference = -plies if value > middle else plies if value < middle else 0
        found.append((value, preference, plies + 1))
    value, _, plies = max(found)
    memo[position] = value, plies
    return memo[position]


def expectiminimax_to_depth(
    position: Position, depth: int, player: int, last: int = 0, chances: int = 0, apart: int = 0, path: tuple[bool, ...] = ()
) -> float:
    """`expectiminimax` that asks the game's evaluation when players have made `depth` moves; a chance position there is resolved first.

    Unless a limit bars it, and it is not the root: with fewer than `last` moves left, more than `chances` chance positions on the path (0: any number), or
    fewer than `apart` moves since the last one. `path` says of each earlier position whether it was chance's.
    """
    if position.is_over:
        return position.utility(player)
    if position.is_chance:
        if path and (depth < last or (chances and sum(path) >= chances) or (True in path and _moves_since_chance(path) < apart)):
            return float(position.game.rule("evaluate")(position.state, player))
    elif depth == 0:
        return float(position.game.rule("evaluate")(position.state, player))
    below = depth if position.is_chance else depth - 1
    onward = (*path, position.is_chance)
    values = [expectiminimax_to_depth(position.play(move), below, player, last, chances, apart, onward) for move in position.moves]
    if position.is_chance:
        return sum(chance * value for chance, value in zip(position.chances, values, strict=True))
    return max(values) if position.player == player else min(values)


def _moves_since_chance(path: tuple[bool, ...]) -> int:
    return path[::-1].index(True)


def quiescent(position: Position, depth: int, spare: int, player: int) -> float:
    """`minimax_to_depth` whose leaves play out noisy moves for `spare` plies more; the mover may also leave things as they are."""
    if position.is_over:
        return position.utility(player)
    s, rule = position.state, position.game.rule
    estimate = float(rule("evaluate")(s, player))
    if depth == 0 and spare == 0:
        return estimate
    if depth > 0:
        values = [quiescent(position.play(move), depth - 1, spare, player) for move in position.moves]
    elif rule("restless")(s):
        values = [quiescent(position.play(move), 0, spare - 1, player) for move in position.moves]
    else:
        noisy = [move for move in position.moves if rule("noisy")(s, move)]
        values = [estimate, *(quiescent(position.play(move), 0, spare - 1, player) for move in noisy)]
    return max(values) if position.player == player else min(values)


def beam(position: Position, width: int, player: int) -> float:
    """`minimax` that knows only the first `width` moves of every position."""
    if position.is_over:
        return position.utility(player)
    values = [beam(position.play(move), width, player) for move in position.moves[:width]]
    return max(values) if position.player == player else min(values)


def by_likelihood(position: Position, budget: int, rate: float, player: int) -> float:
    """Minimax in which a move costs `rate` times -log of its probability, all moves alike, and lines end where the budget does."""
    if position.is_over:
        return position.utility(player)
    if budget <= 0:
        return float(position.game.rule("evaluate")(position.state, player))
    cost = round(log(len(position.moves)) * rate)
    values = [by_likelihood(position.play(move), budget - cost, rate, player) for move in position.moves]
    return max(values) if position.player == player else min(values)


class Star:
    """Star1 (h = 0), Star2 (h = 1) and Star2.5 to the end of the game, in the order of the rules, counting leaves. Second player's values are negative ones.

    Outcomes are equally likely. Written from the description: bounds of every outcome in a list, sums taken anew each time.
    """

    def __init__(self, low: float, high: float, h: int = 0, cyclic: bool = True) -> None:
        self.low, self.high, self.h, self.cyclic = low, high, h, cyclic
        self.leaves = 0

    def value(
        self, p: Position, alpha: float, beta: float, view: int, known: dict[int, tuple[float, float]] | None = None, root: bool = False
    ) -> float:
        """For `view`, fail-soft. `known`: bounds of some moves' values, for the mover."""
        if p.is_over:
            self.leaves += 1
            return p.utility(0) if view == 0 else -p.utility(0)
        if not p.is_chance and p.player != view:
            return -self.value(p, -beta, -alpha, p.player, known, root)
        low, high = (self.low, self.high) if view == 0 else (-self.high, -self.low)
        if p.is_chance or not root:
            if low >= beta or high <= alpha:
                return high if high <= alpha else low
            alpha, beta = max(alpha, low), min(beta, high)
        if p.is_chance:
            return self.of_chance(p, alpha, beta, view, low, high)
        best = -inf
        for move in p.moves:
            floor, v = max(alpha, best), None
            if known and int(move) in known:
                least, most = known[int(move)]
                v = least if least == most or least >= beta else most if most <= floor else None
            best = max(best, self.value(p.play(move), floor, beta, view) if v is None else v)
            if best >= min(beta, high):
                break
        return min(max(best, low), high)

    def of_chance(self, p: Position, alpha: float, beta: float, view: int, low: float, high: float) -> float:
        children = [p.play(move) for move in p.moves]
        n = len(children)
        lows, highs = [low] * n, [high] * n
        tried: list[dict[int, tuple[float, float]]] = [{} for _ in children]
        if self.h:  # who probes looks at every outcome first
            for i, child in enumerate(children):
                if child.is_over:
                    lows[i] = highs[i] = self.value(child, alpha, beta, view)
        turns = (
            [(i, True) for _ in range(self.h) for i in range(n)] if self.cyclic else [(i, True) for i in range(n) for _ in range(self.h)]
        )
        for i, probe in [*turns, *((i, False) for i in range(n))]:
            if sum(highs) <= alpha * n:
                return sum(highs) / n
            if sum(lows) >= beta * n:
                return sum(lows) / n
            if lows[i] == highs[i]:
                continue
            a = max(lows[i], n * alpha - (sum(highs) - highs[i]))
            b = min(highs[i], n * beta - (sum(lows) - lows[i]))
            if probe:
                self.probe(children[i], a, b, view, i, lows, highs, tried[i])
                continue
            v = self.value(children[i], a, b, view, tried[i])
            if v <= a:
                highs[i] = max(v, lows[i])
            elif v >= b:
                lows[i] = min(v, highs[i])
            else:
                lows[i] = highs[i] = v
            if lows[i] < highs[i]:
                return sum(highs) / n if v <= a else sum(lows) / n
        return sum(lows) / n

    def probe(
        self,
        outcome: Position,
        a: float,
        b: float,
        view: int,
        i: int,
        lows: list[float],
        highs: list[float],
        tried: dict[int, tuple[float, float]],
    ) -> None:
        """Look at the next move of an outcome."""
        if outcome.is_chance or len(tried) == len(outcome.moves):
            return
        move = next(m for m in outcome.moves if int(m) not in tried)
        v = self.value(outcome.play(move), a, b, view)
        least, most = v if v > a else -inf, v if v < b else inf
        own = outcome.player == view
        tried[int(move)] = (least, most) if own else (-most, -least)
        all_known = max(t[1] for t in tried.values()) if len(tried) == len(outcome.moves) else inf
        if own:
            least, most = least, all_known
        else:
            least, most = -all_known, most
        lows[i] = min(max(lows[i], least), highs[i])
        highs[i] = max(min(highs[i], most), lows[i])
