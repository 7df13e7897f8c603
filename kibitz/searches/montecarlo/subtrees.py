"""A small search of its own for every new position of a larger tree: to that tree it is one evaluation, and a good one.

The value is the small search's, the weights are its visits. Its memory is given back as soon as that is known.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.position.game import Game, Position
from kibitz.core.running.control import NO_LIMIT
from kibitz.evaluators.batch import Batch
from kibitz.evaluators.evaluator import Answer, Evaluator
from kibitz.searches.method import method
from kibitz.searches.montecarlo.search import Memory, Search
from kibitz.searches.montecarlo.tree import sizes

SPARE = 1.5  # room for so much more than the playouts need in most games; a full tree plays on


class Subtrees(Evaluator):
    """UCT with so many playouts a position."""

    def __init__(self, game: Game, playouts: int, seed: int) -> None:
        super().__init__(game)
        self.name = f"subtree={playouts}"
        unit, units = sizes(game.constants, True, False, False, False)
        room = SPARE * playouts * unit * (units + game.constants["MAX_MOVES"])
        self.playouts, self.memory = playouts, Memory()
        self.settings = method("uct").settings({"memory": max(0.1, room / 2**20), "playouts": playouts, "seed": seed})

    def prepare(self) -> None:
        super().prepare()
        if not self.game.start.is_over:  # else there is nothing to search there; the first position compiles it
            Search(self.game.start, self.settings, self.name, None).prepare()

    def answer(self, batch: Batch) -> Answer:
        values, weights = np.empty(len(batch)), np.zeros(batch.moves.shape)
        for i, position in enumerate(batch.positions):
            values[i], visits = self._searched(position)
            weights[i, : batch.counts[i]] = [visits.get(move, 0.0) for move in batch.moves[i, : batch.counts[i]].tolist()]
        return Answer(values, weights)

    def _searched(self, position: Position) -> tuple[float, dict[int, float]]:
        """The position's value to the player to move, and the visits of its moves."""
        self.memory.position = None  # nothing of the last one is wanted
        search = Search(position, self.settings, self.name, self.memory)
        w = search.workers[0]
        w.most_playouts, w.control.limit = self.playouts, NO_LIMIT
        search.kernel(*search._arguments(w))
        found = search.reader.read()
        visits: dict[int, float] = {c.numbers[0]: float(c.visits) for c in found.table}
        if found.line and not any(visits.values()):
            visits[int(found.line[0])] = 1.0
        return found.value, visits
