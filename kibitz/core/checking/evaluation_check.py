"""Is a game's knowledge of its positions consistent? The part of `kibitz check` for `evaluate` and what belongs to it.

Unfinished positions, if utilities have a constant sum: evaluations add up to that sum, none is above `best_case`, and
minus `banked` they are equal for equal keys. Two players: there are as many features as FEATURES names, and one player's are the negative of the other's; the
phase lies between 0 and 1; WEIGHTS fit FEATURES. All games: network inputs have the shape INPUTS, and each move has its own slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from kibitz.core.errors import RulesError
from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.protocol.weights import checked, tapers
from kibitz.core.records.record import Cells

TOLERANCE = 1e-9
KEY_ADVICE = "let it depend on what the key depends on"

Problem = tuple[str, str, str, list[int] | None]  # function, what is wrong, what to do, the moves that lead there


def problems(game: Game, places: Iterable[tuple[Any, list[int]]]) -> Iterator[Problem]:
    """What is wrong in some positions, each given with the moves that lead to it."""
    yield from _constants(game)
    seen: dict[int, tuple[float, ...]] = {}
    for data, moves in places:
        s = np.frombuffer(bytearray(data.tobytes()), data.dtype)[0]  # the rules' own copy
        player = int(game.rule("player")(s))
        for function, examine in EXAMINED:
            if player == OVER or (player == CHANCE and examine not in AT_CHANCE):
                continue
            if game.defines(function) and (game.players == 2 or examine in FOR_ALL):
                try:
                    yield from ((function, problem, advice, moves) for problem, advice in examine(game, s, seen))
                except Exception as error:
                    yield function, f"{type(error).__name__}: {error}", "it must work for every unfinished position", moves


def _constants(game: Game) -> Iterator[Problem]:
    told = (bool(game.constants["INPUTS"]), game.defines("inputs"), game.constants["SLOTS"] > 0, game.defines("slot"))
    if any(told) and not all(told):
        yield (
            "inputs",
            "INPUTS, inputs(s, out), SLOTS and slot(s, move) go together, and one of them is missing",
            "write all, or none",
            None,
        )
    names, weights = game.constants["FEATURES"], game.constants["WEIGHTS"]
    if bool(names) != game.defines("features"):
        yield "features", "FEATURES and features(s, player, out) go together, and one of them is missing", "write both, or neither", None
    elif names:
        try:
            rows = checked(weights, names, "WEIGHTS")
        except RulesError as error:
            yield "WEIGHTS", str(error), "write one for each feature", None
            return
        if tapers(rows) != game.defines("phase"):
            yield "WEIGHTS", "two rows of weights go with a function phase(s), one row goes without", "write both, or neither", None


def _evaluations(game: Game, s: Any, seen: dict[int, tuple[float, ...]]) -> Iterator[tuple[str, str]]:
    total = game.constants["SUM"]
    values = [float(game.rule("evaluate")(s, player)) for player in range(game.players)]
    if game.players > 1 and total is not None and abs(sum(values) - total) > TOLERANCE * max(1.0, *map(abs, values)):
        told = " and ".join(f"{value} for player {player}" for player, value in enumerate(values))
        yield f"said {told}", f"let them add up to SUM = {total}, as utilities do"
    for player, value in enumerate(values):
        most = float(game.rule("best_case")(s, player))
        if value > most + TOLERANCE:
            yield f"said {value} for player {player}, above best_case, {most}", "no later utility or evaluation may exceed best_case"
    rest = tuple(value - float(game.rule("banked")(s, player)) for player, value in enumerate(values))
    known = seen.setdefault(int(game.rule("key")(s)), rest)
    if not np.allclose(known, rest, rtol=0, atol=TOLERANCE * max(1.0, *map(abs, (*rest, 0.0)))):
        yield f"less banked it is {rest[0]}, and {known[0]} in a position with the same key", KEY_ADVICE


def _features(game: Game, s: Any, seen: Any) -> Iterator[tuple[str, str]]:  # noqa: ARG001
    names = game.constants["FEATURES"]
    found = []
    for player in (0, 1):
        out = np.full(len(names) + 1, np.nan).view(Cells)  # one more, to see whether too much is written
        game.rule("features")(s, player, out)
        found.append(np.asarray(out, dtype=float))
    if np.isnan(found[0][:-1]).any() or not np.isnan(found[0][-1]):
        yield "wrote more, or fewer, numbers than FEATURES has names, or one that is none", f"write {len(names)} numbers"
        return
    for name, one, other in zip(names, *found, strict=False):
        if abs(one + other) > TOLERANCE * max(1.0, abs(one)):
            yield f"'{name}' is {one} for player 0 and {other} for player 1", "write what the player has more than the other"


def _phase(game: Game, s: Any, seen: Any) -> Iterator[tuple[str, str]]:  # noqa: ARG001
    phase = float(game.rule("phase")(s))
    if not 0.0 <= phase <= 1.0:
        yield f"returned {phase}", "return a number from 0, the opening, to 1, the ending"


def _inputs(game: Game, s: Any, seen: Any) -> Iterator[tuple[str, str]]:  # noqa: ARG001
    size = int(np.prod(game.constants["INPUTS"]))
    out = np.full(size + 1, np.nan).view(Cells)
    game.rule("inputs")(s, out)
    found = np.asarray(out, dtype=float)
    if not np.isfinite(found[:-1]).all() or not np.isnan(found[-1]):
        yield f"wrote more, or fewer, numbers than INPUTS = {game.constants['INPUTS']} has room for", f"write {size} finite numbers"


def _slots(game: Game, s: Any, seen: Any) -> Iterator[tuple[str, str]]:  # noqa: ARG001
    moves = np.zeros(game.constants["MAX_MOVES"], game.constants["MOVE"]).view(Cells)
    count, slots = int(game.rule("moves")(s, moves)), game.constants["SLOTS"]
    found = [int(game.rule("slot")(s, moves[i])) for i in range(count)]
    if not all(0 <= slot < slots for slot in found):
        yield f"returned {next(slot for slot in found if not 0 <= slot < slots)}", f"return a number from 0 to SLOTS - 1 = {slots - 1}"
    elif len(set(found)) < count:
        yield "returned the same slot for two moves of one position", "let every move of a position have its own"


AT_CHANCE = (_evaluations,)  # where chance is to move, too: searches may end there
FOR_ALL = (_evaluations, _inputs, _slots)  # games of any number of players
EXAMINED = (("evaluate", _evaluations), ("features", _features), ("phase", _phase), ("inputs", _inputs), ("slot", _slots))
