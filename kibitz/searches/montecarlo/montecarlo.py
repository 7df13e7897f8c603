"""Pure Monte Carlo: as many random games after each move, and the move whose games went best.

Fits every game of perfect information. The answer is best against a random player; it need not become better play however many games there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.searches.method import Method
from kibitz.searches.montecarlo.search import PLAYING, STOPPING, USUAL, Search
from kibitz.searches.montecarlo.uct import any_game


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Results while games are played: a tree of one ply, its moves tried in turn."""
    return Search(position, {**USUAL, **settings}, engine, None, even=True).results()


METHOD = Method(
    name="montecarlo",
    about="random games after each move; the move that did best in them",
    options=PLAYING,
    unfit=any_game,
    run=run,
    limits=STOPPING,
)
