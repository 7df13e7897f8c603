"""A player that plays an equilibrium: the game is unfolded and solved by counterfactual regret minimisation first, then every move is drawn from the strategy found.

For small games of hidden information, with a guarantee only for two-player zero-sum games: see regrets.py. A strategy that
`kibitz equilibrium --resume FILE` saved is played with `file='FILE'`, without any more solving.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.view import View
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import ESTIMATE, Candidate, Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.records import random
from kibitz.searches.equilibrium.regrets import FORMS
from kibitz.searches.equilibrium.solving import USUAL, Report, Solver, check_game
from kibitz.searches.equilibrium.strategy import Strategy
from kibitz.searches.equilibrium.unfolding import GameTree, unfold_position
from kibitz.searches.method import WITHOUT_DEPTH, Method

MOST_ROUNDS = 1 << 40
ROUNDS = Parameter("rounds", 0, 0, MOST_ROUNDS, None, "rounds of regret minimisation; 0: no limit")
OPTIONS = (
    Parameter("form", USUAL, None, None, tuple(FORMS), "how old regrets are discounted, and how rounds are weighted"),
    Parameter("file", "", None, None, None, "a strategy that kibitz equilibrium saved, in quotes: no rounds are added"),
    Parameter("seed", 0, 0, (1 << 63) - 1, None, "seed for drawing the move"),
)

_trees: dict[tuple[Game, bytes], GameTree] = {}
_solved: dict[tuple[Any, ...], Report] = {}  # a process solves a game once, however many games it plays


def run(known: View, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Results while the strategy gets better; see the module's docstring."""
    if not known.is_own_turn:
        raise InputError(f"it is not the turn of {known.game.side(known.observer)}")
    began = time.perf_counter()
    tree = _unfolded(known)
    info = tree.find(known)
    if info is None:
        raise InputError("cfr: what was heard cannot happen by the rules of the game")
    for report in _reports(tree, settings):
        yield _answer(known, settings, engine, tree, info, report, began)


def _unfolded(known: View) -> GameTree:
    """All that may follow where the game began."""
    if len(known.origin) != 1:
        raise InputError("cfr: all players must know the position where the game begins")
    begun = (known.game, known.origin[0])
    if begun not in _trees:
        _trees[begun] = unfold_position(Position(*begun))
    return _trees[begun]


def _reports(tree: GameTree, settings: Mapping[str, Any]) -> Iterator[Report]:
    """The solving of this game as these settings ask for it, or only its end where that has been done."""
    rounds = settings["rounds"] or MOST_ROUNDS
    if settings["nodes"]:
        rounds = min(rounds, max(1, settings["nodes"] // tree.histories))
    wanted = (tree.start, settings["form"], settings["file"], rounds, settings["time"])
    if wanted in _solved:
        yield _solved[wanted]
        return
    solver = Solver(tree, settings["form"])
    if settings["file"]:
        place = Path(settings["file"])
        if not place.exists():
            raise InputError(f"cannot read {place}: there is no such file; kibitz equilibrium {tree.game.name} --resume FILE makes one")
        solver.resume(place)
        report = Report(solver.mean(), solver.rounds, solver.seconds, "rounds")
        yield report
    else:
        for report in solver.run(rounds, settings["time"] or None):
            yield report
    if report.ended != "interrupted":
        _solved[wanted] = report


def _answer(known: View, settings: Mapping[str, Any], engine: str, tree: GameTree, info: int, report: Report, began: float) -> Result:
    """A move drawn from the strategy, and what each is worth when all follow it."""
    strategy: Strategy = report.strategy
    value, worth = strategy.worth(info)
    chances = strategy.of(info)
    rng = random.seeded(settings["seed"], len(known.events))
    with np.errstate(over="ignore"):
        drawn = known.moves[int(random.by_weight(list(chances.values()), len(chances), rng))]
    position = Belief.of(known).position(0)
    table = tuple(
        Candidate(position, (move,), report.rounds, worth[move], float("nan"), ESTIMATE, share=chances[move])
        for move in sorted(chances, key=lambda move: (-chances[move], move))
    )
    return Result(
        position=position,
        engine=engine,
        move=drawn,
        value=value,
        bound=ESTIMATE,
        line=(drawn,),
        depth=0,
        nodes=report.rounds * tree.histories,
        seconds=time.perf_counter() - began,
        ended=report.ended or "time",
        playouts=report.rounds,
        table=table,
        note=f"exploitability {report.exploitability:.3g}; the move is drawn by the probabilities r" if report.ended else "",
    )


def unfit(game: Game) -> str | None:
    """Why a game is of the wrong kind."""
    return check_game(game)


ABOUT = "an equilibrium of the whole game by counterfactual regret minimisation; for small games of hidden information"
METHOD = Method("cfr", ABOUT, OPTIONS, unfit, run, (*WITHOUT_DEPTH, ROUNDS), views=True)
