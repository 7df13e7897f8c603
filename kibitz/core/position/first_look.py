"""A quick test of a game before its first search: one or two short random games, interpreted, so that mistakes can be named.

Compiled code trusts the rules: a utility outside VALUES, an invalid move or an endless loop would give wrong values, or none, silently. The test takes a tenth of
a second and finds the plain mistakes; `kibitz check` tests everything.
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np

from kibitz.core.errors import RuleFault, RulesError
from kibitz.core.position.rulebook import Rulebook
from kibitz.core.position.watchdog import watching
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records.record import Cells, blank

ENOUGH = 0.1  # seconds, all games together
GAMES = 3


def vet(game: Rulebook) -> None:
    """Raise a RulesError if a mistake shows at once."""
    lots, until = random.Random(1), time.perf_counter() + ENOUGH
    try:
        with watching(game), np.errstate(over="ignore"):
            for _ in range(GAMES):
                _play(game, lots, until)
    except RuleFault as fault:
        raise RulesError(f"{game.name}: {fault} (kibitz check tells the moves that lead there)") from fault.__cause__


def _play(game: Rulebook, lots: random.Random, until: float) -> None:
    constants = game.constants
    s = blank(constants["State"])
    game.rule("start")(s)
    for _ in range(constants["MAX_PLIES"] + 1):  # the last one to see that the game is over
        player = int(game.rule("player")(s))
        if player == OVER:
            _look_at_utilities(game, s)
            return
        if time.perf_counter() >= until:
            return
        if not (player == CHANCE and game.has_chance) and not 0 <= player < game.players:
            raise RuleFault("player", f"returned {player}", f"return 0 to {game.players - 1}, OVER, or CHANCE in a game with outcomes")
        game.rule("play")(s, lots.choice(_listed(game, s, player)))
    if not game.repeats:
        problem = f"the game is not over after MAX_PLIES = {constants['MAX_PLIES']} moves"
        raise RuleFault("player", problem, "raise MAX_PLIES, or let player return OVER when nothing can happen any more")


def _listed(game: Rulebook, s: Any, player: int) -> list[int]:
    """What can happen; refuses an empty list, one that is too long, and numbers that stand for no move."""
    rule, limit = ("outcomes", "MAX_OUTCOMES") if player == CHANCE else ("moves", "MAX_MOVES")
    most = game.constants[limit]
    out = np.zeros(most, game.constants["MOVE"]).view(Cells)
    n = int(game.rule(rule)(s, out, np.zeros(most).view(Cells)) if player == CHANCE else game.rule(rule)(s, out))
    if n > most:
        raise RuleFault(rule, f"returned {n}, more than {limit} = {most}", f"raise {limit} to a true upper bound")
    if n <= 0:
        raise RuleFault(rule, f"returned {n} though the game is not over", "return a pass, or let player return OVER")
    listed: list[int] = out[:n].tolist()
    if min(listed) < 0:
        raise RuleFault(rule, f"listed {min(listed)}", "use numbers from 0: negative ones stand for no move")
    return listed


def _look_at_utilities(game: Rulebook, s: Any) -> None:
    low, high = game.constants["VALUES"]
    for player in range(game.players):
        value = float(game.rule("utility")(s, player))
        if not low <= value <= high:
            raise RuleFault(
                "utility", f"returned {value:g} for player {player}", f"VALUES = ({low:g}, {high:g}) must hold every utility: widen it"
            )
