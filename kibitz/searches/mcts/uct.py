"""UCT: Monte Carlo tree search guided by upper confidence bounds (Kocsis and Szepesvari 2006), with proofs, chance, RAVE and threads.

A simulation follows, at each node of the tree, the move with the largest

    UCB = U/N + C sqrt(ln N_parent / N)

where N counts the simulations through the move and U their rewards for the player who makes it; it adds one node to the tree and plays a random game
from there. The answer is the move with the most simulations. Fits every game of perfect information: any number of players, several moves in a
row, chance. No evaluation is needed. With time it converges to best play (for two players of opposite interests, to the minimax move); what is
proven on the way is backed up (see tree/proofs.py) and, once the root is proven, exact. Everything else is an estimate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.fleet import roots
from kibitz.searches.mcts.leaf.playout import choose_playout
from kibitz.searches.mcts.rule import widening
from kibitz.searches.mcts.rule.rave import RAVE
from kibitz.searches.mcts.rule.tuned import TUNED
from kibitz.searches.mcts.rule.ucb1 import UCB1
from kibitz.searches.mcts.search import PLAYING, Memory, Search
from kibitz.searches.method import STOPPING, Method, open_to_all

RULES = {"ucb1": UCB1, "tuned": TUNED}
OPTIONS = (
    Parameter("explore", round(math.sqrt(2.0), 6), 0.0, 1e6, None, "C: larger values explore rarely tried moves more"),
    Parameter("rule", "ucb1", None, None, tuple(RULES), "the bound: UCB1's, or UCB1-Tuned's, which uses the variance of a move's results"),
    Parameter("memory", 256.0, 0.001, 1 << 20, None, "megabytes for the tree; when they are used up it stops growing"),
    Parameter("expand", 1, 1, 1 << 30, None, "visits of a leaf before its moves are tried one by one"),
    Parameter("solve", True, None, None, None, "prove wins, draws and losses in the tree"),
    Parameter("rave", 0.0, 0.0, 1e9, None, "visits at which a move's own results count as much as RAVE's; 0: no RAVE"),
    Parameter("widen", 0.0, 0.0, 1e6, None, "progressive widening, c: after t visits ceil(c t^alpha) moves of a player are tried; 0: all"),
    Parameter("sparse", 0.0, 0.0, 1e6, None, "sparse sampling, c: after t visits ceil(c t^alpha) outcomes of chance are tried; 0: all"),
    Parameter("alpha", 0.5, 0.0, 1.0, None, "the power of t in `widen` and `sparse`"),
    Parameter("transpositions", False, None, None, None, "positions reached by several paths share one node"),
    *PLAYING,
)


def list_features(game: Game, settings: Mapping[str, Any]) -> list[Feature]:
    """What a search with these settings is made of; a later feature replaces what an earlier one brings."""
    features = [choose_playout(game, settings), RULES[settings["rule"]]]
    if settings["widen"] > 0.0:
        features.append(widening.MOVES)
    if settings["sparse"] > 0.0 and game.has_chance:
        features.append(widening.OUTCOMES)
    if settings["rave"] > 0.0:
        features.append(RAVE)
    return features


def make_search(position: Position, settings: Mapping[str, Any], engine: str = "uct", memory: Memory | None = None) -> Search:
    """A search with these settings; refuses what does not fit together."""
    if settings["transpositions"] and position.game.repeats:
        raise InputError(
            f"transpositions=true: a position of {position.game.name} that comes up again counts by how it came about; leave transpositions off"
        )
    if settings["rave"] > 0.0 and settings["rule"] != "ucb1":
        raise InputError(
            f"rave={settings['rave']:g} with rule={settings['rule']}: RAVE mixes its means into UCB1's bounds; use rule=ucb1 or rave=0"
        )
    return Search(position, settings, engine, memory, list_features(position.game, settings))


def run(position: Position, settings: Mapping[str, Any], engine: str, memory: Memory | None = None) -> Iterator[Result]:
    """Results while the tree grows; see the module's docstring."""
    if roots.is_apart(settings):
        return roots.search_roots(position, "uct", settings, engine)
    return make_search(position, settings, engine, memory).results()


def any_game(game: Game) -> str | None:
    """Every game whose players see everything."""
    return open_to_all(game)


METHOD = Method(
    "uct",
    "Monte Carlo tree search: simulated games, most of them along the most promising moves; for every game",
    OPTIONS, any_game, run, STOPPING, Memory, endings=True,
)  # fmt: skip
