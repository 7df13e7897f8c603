"""UCT: Monte Carlo tree search guided by upper confidence bounds (Kocsis and Szepesvari 2006), with proofs, chance, RAVE and threads.

A simulation follows, at each node of the tree, the move with the largest

    UCB = U/N + C sqrt(ln N_parent / N)

where N counts the simulations through the move and U their rewards for the player who makes it; it adds one node to the tree and plays a random game
from there. The answer is the move with the most simulations. Fits every game of perfect information: any number of players, several moves in a
row, chance. No evaluation is needed. With time it converges to best play (for two players of opposite interests, to the minimax move); what is
proven on the way is backed up (see bounds.py) and, once the root is proven, exact. Everything else is an estimate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.searches.method import Method
from kibitz.searches.montecarlo.search import PLAYING, STOPPING, Memory, Search

OPTIONS = (
    Parameter("explore", round(math.sqrt(2.0), 6), 0.0, 1e6, None, "C: larger looks more at moves that are rarely tried"),
    Parameter("memory", 256.0, 0.001, 1 << 20, None, "megabytes for the tree; when they are used up it grows no more"),
    Parameter("expand", 1, 1, 1 << 30, None, "visits of a leaf before its moves are tried one by one"),
    Parameter("solve", True, None, None, None, "prove wins, draws and losses in the tree"),
    Parameter("rave", 0.0, 0.0, 1e9, None, "visits at which a move's own results count as much as RAVE's; 0: no RAVE"),
    Parameter("widen", 0.0, 0.0, 1e6, None, "c: after t visits ceil(c t^alpha) moves of a player are in play; 0: all"),
    Parameter("sparse", 0.0, 0.0, 1e6, None, "c: after t visits ceil(c t^alpha) outcomes of chance are in play; 0: all"),
    Parameter("alpha", 0.5, 0.0, 1.0, None, "the power of t in both"),
    Parameter("transpositions", False, None, None, None, "positions that several paths lead to share one node"),
    *PLAYING,
)


def run(position: Position, settings: Mapping[str, Any], engine: str, memory: Memory | None = None) -> Iterator[Result]:
    """Results while the tree grows; see the module's docstring."""
    if settings["transpositions"] and position.game.repeats:
        raise InputError(
            f"transpositions=true: a position of {position.game.name} that comes up again counts by how it came about; leave transpositions off"
        )
    return Search(position, settings, engine, memory).results()


def any_game(game: Game) -> str | None:  # noqa: ARG001
    """Every game whose players see everything."""
    return None


METHOD = Method(
    name="uct",
    about="Monte Carlo tree search: simulated games, most of them where they promise most; for every game",
    options=OPTIONS,
    unfit=any_game,
    run=run,
    limits=STOPPING,
    memory=Memory,
)
