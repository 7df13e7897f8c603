"""The searches of the experiments once more, slow and obvious, over positions: values for the player to move, and what they visit.

A game is finished at its leaves or `depth` plies on; players need not take turns except in NegaScout's twin.
"""

from __future__ import annotations

from math import inf, nextafter

from kibitz.core.position.game import Position


class Counting:
    """One search of one position to one depth. `nodes` are moves made, and the root; `leaves` are positions evaluated."""

    def __init__(self, position: Position, depth: int) -> None:
        self.position, self.depth = position, depth
        self.nodes, self.leaves = 1, 0

    def leaf(self, p: Position, player: int) -> float:
        self.leaves += 1
        return p.utility(player) if p.is_over else float(p.game.rule("evaluate")(p.state, player))

    def children(self, p: Position) -> list[Position]:
        return [p.play(move) for move in p.moves]

    # --- alpha-beta, MTD(f), branch and bound ---

    def alphabeta(self, alpha: float = -inf, beta: float = inf) -> float:
        return self._alphabeta(self.position, self.depth, alpha, beta)

    def _alphabeta(self, p: Position, depth: int, alpha: float, beta: float) -> float:
        best = -inf
        for child in self.children(p):
            self.nodes += 1
            floor = max(alpha, best)
            if child.is_over or depth == 1:
                v = self.leaf(child, p.player)
            elif child.player == p.player:
                v = self._alphabeta(child, depth - 1, floor, beta)
            else:
                v = -self._alphabeta(child, depth - 1, -beta, -floor)
            best = max(best, v)
            if best >= beta:
                break
        return best

    def mtdf(self) -> float:
        lower, upper, guess = -inf, inf, 0.0
        while lower < upper:
            asked = nextafter(guess, inf) if guess == lower else guess
            guess = self.alphabeta(nextafter(asked, -inf), asked)
            lower, upper = (guess, upper) if guess >= asked else (lower, guess)
        return guess

    def branch_and_bound(self) -> float:
        return self._bounded(self.position, self.depth, -inf, inf)

    def _bounded(self, p: Position, depth: int, has: float, bound: float) -> float:
        best = -inf
        for child in self.children(p):
            self.nodes += 1
            if child.is_over or depth == 1:
                v = self.leaf(child, p.player)
            elif child.player == p.player:  # the same turn
                v = self._bounded(child, depth - 1, max(has, best), bound)
            else:
                v = -self._bounded(child, depth - 1, -inf, -max(has, best))
            best = max(best, v)
            if best >= bound:
                break
        return best

    # --- SCOUT, with values for the first player, a MAX and a MIN ---

    def scout(self) -> float:
        value = self._scout(self.position, self.depth)
        return value if self.position.player == 0 else -value

    def _scout(self, p: Position, depth: int) -> float:
        largest = p.player == 0
        found: float | None = None
        for child in self.children(p):
            self.nodes += 1
            if child.is_over or depth == 1:
                v = self.leaf(child, 0)
            elif found is None:
                v = self._scout(child, depth - 1)
            elif self._beyond(child, depth - 1, found, largest):
                self.nodes += 1
                v = self._scout(child, depth - 1)
            else:
                continue
            found = v if found is None else max(found, v) if largest else min(found, v)
        assert found is not None
        return found

    def _beyond(self, p: Position, depth: int, bound: float, above: bool) -> bool:
        """Is the value to the first player greater (or, where not `above`, less) than the bound?"""
        wants = (p.player == 0) == above  # does the player to move want it so?
        for child in self.children(p):
            self.nodes += 1
            if child.is_over or depth == 1:
                v = self.leaf(child, 0)
                yes = v > bound if above else v < bound
            else:
                yes = self._beyond(child, depth - 1, bound, above)
            if yes == wants:
                return wants
        return not wants

    # --- NegaScout ---

    def negascout(self) -> float:
        return self._negascout(self.position, self.depth, -inf, inf)

    def _negascout(self, p: Position, depth: int, alpha: float, beta: float) -> float:
        best = -inf
        for number, child in enumerate(self.children(p)):
            self.nodes += 1
            floor = max(alpha, best)
            if child.is_over or depth == 1:
                v = self.leaf(child, p.player)
            elif number == 0:
                v = -self._negascout(child, depth - 1, -beta, -floor)
            else:
                v = -self._negascout(child, depth - 1, -nextafter(floor, inf), -floor)
                if floor < v < beta and depth > 2:
                    v = max(v, -self._negascout(child, depth - 1, -beta, -v))
            best = max(best, v)
            if best >= beta:
                break
        return best
