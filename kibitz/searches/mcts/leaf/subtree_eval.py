"""A small search for every new position of a larger tree, which counts as one evaluation.

The value is that of the small search, the weights are its visits. Its memory is freed afterwards.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.position.game import Game, Position
from kibitz.evaluators.batch import Batch
from kibitz.evaluators.evaluator import Answer, Evaluator
from kibitz.searches.mcts import uct
from kibitz.searches.mcts.plan import make_plan
from kibitz.searches.mcts.search import Memory

SPARE = 1.5  # room for so much more than the playouts need in most games; a full tree plays on


class SubtreeEvaluator(Evaluator):
    """UCT with a fixed number of playouts for each position."""

    def __init__(self, game: Game, playouts: int, seed: int) -> None:
        super().__init__(game)
        self.name = f"subtree={playouts}"
        layout = make_plan(game, uct.METHOD.settings({}), []).layout
        room = SPARE * playouts * layout.unit * (layout.node_units + game.constants["MAX_MOVES"])
        self.playouts, self.memory = playouts, Memory()
        self.settings = uct.METHOD.settings({"memory": max(0.1, room / 2**20), "playouts": playouts, "seed": seed})

    def prepare(self) -> None:
        super().prepare()
        if not self.game.start.is_over:  # else there is nothing to search there; the first position compiles it
            uct.make_search(self.game.start, self.settings, self.name).prepare()

    def answer(self, batch: Batch) -> Answer:
        values, weights = np.empty(len(batch)), np.zeros(batch.moves.shape)
        for i, position in enumerate(batch.positions):
            values[i], visits = self._search(position)
            weights[i, : batch.counts[i]] = [visits.get(move, 0.0) for move in batch.moves[i, : batch.counts[i]].tolist()]
        return Answer(values, weights)

    def _search(self, position: Position) -> tuple[float, dict[int, float]]:
        """The position's value to the player to move, and the visits of its moves."""
        self.memory.position = None  # nothing of the last one is wanted
        search = uct.make_search(position, self.settings, self.name, self.memory)
        search.run_playouts(self.playouts)
        found = search.reader.read()
        visits: dict[int, float] = {c.numbers[0]: float(c.visits) for c in found.table}
        if found.line and not any(visits.values()):
            visits[int(found.line[0])] = 1.0
        return found.value, visits
