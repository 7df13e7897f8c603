"""Evaluators give values and move probabilities for many positions at once: the game itself, a Python function, or a network.

An evaluator answers a `Batch` with an `Answer`: for each position a value, for the player to move and within the game's VALUES, and a weight for each of its
moves, in the order of the batch. Weights need not add up to 1; they must be numbers, none negative, not all 0. `judge` calls the evaluator and checks the answer:
an invalid answer gives a one-line error, and nothing of it is used.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game
from kibitz.evaluators.batch import BAD_VALUE, BAD_WEIGHTS, Batch, Gatherer


class Answer(NamedTuple):
    """What an evaluator says of a batch."""

    values: npt.NDArray[np.float64]  # for the player to move
    weights: npt.NDArray[np.float64]  # a row a position, a column a move; what stands beyond a position's moves counts for nothing


class Evaluator(ABC):
    """For one game."""

    name = "evaluator"  # in messages

    def __init__(self, game: Game) -> None:
        self.game, self.gatherer = game, Gatherer(game)

    @abstractmethod
    def answer(self, batch: Batch) -> Answer:
        """The evaluator's own opinion, unchecked."""

    def prepare(self) -> None:
        """Compile what answering takes, so that the first answer comes as soon as any other; nobody is asked."""
        none = self.gatherer.empty()
        low, high = self.game.constants["VALUES"]
        self.gatherer.audited(np.empty(0), np.empty(none.moves.shape), none.counts, low, high)

    def judge(self, states: Any) -> Answer:
        """Answers for a batch of positions, none of them over and none chance's to move; the weights of each add up to 1."""
        return self.judge_batch(self.gatherer.batch(states))

    def judge_batch(self, batch: Batch) -> Answer:
        """The same of positions whose moves are listed already."""
        return self.checked(self.answer(batch), batch)

    def checked(self, answer: Any, batch: Batch) -> Answer:
        """The answer as arrays, its weights adding up to 1; or one line on what is wrong with it."""
        try:
            values, weights = (np.asarray(part, dtype=np.float64) for part in answer)
        except (TypeError, ValueError):
            raise InputError(f"{self.name}: it must return two arrays, values and weights of moves, not {_short(answer)}") from None
        size, wide = len(batch), batch.moves.shape[1]
        if values.shape not in ((size,), (size, 1)):
            raise InputError(f"{self.name}: the values have the shape {values.shape}; it must be ({size},), one a position")
        if weights.shape != (size, wide):
            raise InputError(f"{self.name}: the weights have the shape {weights.shape}; it must be ({size}, {wide}), a row a position")
        low, high = self.game.constants["VALUES"]
        values, weights = values.reshape(size), np.array(weights, order="C")
        found = self.gatherer.audited(values, weights, batch.counts, low, high)
        if found == BAD_VALUE:
            wrong = values[~((values >= low) & (values <= high))][0]
            raise InputError(f"{self.name}: a value is {wrong:g}; it must be a number from {low:g} to {high:g}, the game's VALUES")
        if found == BAD_WEIGHTS:
            raise InputError(f"{self.name}: the weights of a position's moves must be numbers, none negative, not all 0")
        return Answer(values, weights)


class Called(Evaluator):
    """A Python function: batch -> (values, weights)."""

    def __init__(self, game: Game, function: Callable[[Batch], Any]) -> None:
        super().__init__(game)
        self.function, self.name = function, getattr(function, "__name__", "evaluator")

    def answer(self, batch: Batch) -> Answer:
        return self.function(batch)  # type: ignore[no-any-return]  # looked at afterwards, whatever it is


class Own(Evaluator):
    """The game's own `policy` and `evaluate`."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.name = game.name
        if not game.defines("evaluate"):
            raise InputError(f"{game.name} has no evaluate; use another evaluator, or playouts")

    def answer(self, batch: Batch) -> Answer:
        return Answer(*self.gatherer.own(batch))

    def prepare(self) -> None:
        super().prepare()
        self.gatherer.own(self.gatherer.empty())


def _short(thing: Any) -> str:
    text = type(thing).__name__
    return f"{text} of {len(thing)}" if isinstance(thing, tuple | list) else text
