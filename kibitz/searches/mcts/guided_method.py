"""Makes a method of a rule for guided search: `puct` and `esprit` are a rule, its options and a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.fleet import roots
from kibitz.searches.mcts.guided_search import GUIDED, Answerer, GuidedSearch, make_guided_search
from kibitz.searches.mcts.leaf.external_eval import EVALUATORS, Given, choose_evaluator
from kibitz.searches.mcts.search import Memory
from kibitz.searches.mcts.uct import any_game
from kibitz.searches.method import STOPPING, Method


@dataclass(frozen=True)
class GuidedMethod:
    """Searches by the rule that `choose`, a function of a module, finds for the settings; called, it runs one and yields results while the tree grows."""

    name: str
    choose: Callable[[Mapping[str, Any]], Feature]

    def make(
        self,
        position: Position,
        settings: Mapping[str, Any],
        engine: str = "",
        memory: Memory | None = None,
        evaluator: Answerer | None = None,
    ) -> GuidedSearch:
        """A search with these settings; the evaluator is asked about waves of leaves, the game where there is none."""
        return make_guided_search(position, settings, self.choose(settings), engine or self.name, memory, evaluator)

    def __call__(
        self,
        position: Position,
        settings: Mapping[str, Any],
        engine: str,
        memory: Memory | None = None,
        evaluator: Given | None = None,
    ) -> Iterator[Result]:
        if roots.is_apart(settings):
            if evaluator is not None:
                raise InputError("trees of many ask nobody for evaluations; leave trees and device out")
            return roots.search_roots(position, self.name, settings, engine)
        return self.make(position, settings, engine, memory, choose_evaluator(position.game, settings, evaluator)).results()

    def method(self, about: str, own: tuple[Parameter, ...]) -> Method:
        """With the options that every guided search has."""
        options = (*own, *EVALUATORS, *GUIDED)
        return Method(self.name, about, options, any_game, self, limits=STOPPING, memory=Memory, asks=True)
