"""Random choices outside kernels, by the generator of kibitz.core.records.random: the same for the same seed and stream on every machine."""

from __future__ import annotations

import numpy as np

from kibitz.core.position.game import Game, Position, first
from kibitz.core.records import random


class Lots:
    """A stream of random choices."""

    def __init__(self, seed: int, stream: int) -> None:
        self.rng = random.seeded(seed, stream)

    def draw_move(self, position: Position) -> int:
        """Any legal move, each equally likely; where chance decides, an outcome by its weight."""
        moves = position.moves
        with np.errstate(over="ignore"):  # uint64 arithmetic wraps on purpose
            if position.is_chance:
                return int(moves[random.by_weight(position.chances, len(moves), self.rng)])
            return int(moves[int(random.below(self.rng, len(moves)))])

    def draw_line(self, game: Game, plies: int) -> tuple[tuple[int, ...], Position]:
        """Moves from the start of a game, as many of the players' own, and the position they lead to; chance never comes next there."""
        position, line, made = first(game), [], 0
        while not position.is_over and (made < plies or position.is_chance):
            made += not position.is_chance
            line.append(self.draw_move(position))
            position = position.after_line(line[-1:])
        return tuple(line), position
