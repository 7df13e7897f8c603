"""Are a game's numbers of positions consistent? The part of `kibitz check` for `rank` and `unrank`; for their meaning see kibitz/core/position/ranking.py."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from kibitz.core.position.game import Game
from kibitz.core.records.record import blank

SAMPLE = 300  # numbers that are turned into positions and back

Problem = tuple[str, str, str, list[int] | None]  # function, what is wrong, what to do, the moves that lead there

ROUND_TRIP = "rank(s) must be i after unrank(i, s) has returned True, whatever was in s before"


def problems(game: Game, places: Iterable[tuple[Any, list[int]]]) -> Iterator[Problem]:
    """What is wrong with a game's numbers: in some of its positions, each given with the moves that lead there, and from number to position and back."""
    if not game.defines("rank"):
        return
    size = game.constants["SIZE"]
    for data, moves in places:
        s = np.frombuffer(bytearray(data.tobytes()), data.dtype)[0]  # the rules' own copy
        i = int(game.rule("rank")(s))
        if not -1 <= i < size:
            yield "rank", f"returned {i}", f"return a number from 0 to SIZE - 1 = {size - 1}, or -1 where the position has none", moves
        elif i >= 0:
            yield from ((function, problem, advice, moves) for function, problem, advice in _returned(game, i, s))
    numbers = random.Random(1)
    for i in sorted({0, size - 1, *(numbers.randrange(size) for _ in range(SAMPLE))}):
        yield from ((function, problem, advice, None) for function, problem, advice in _round_trip(game, i))


def _returned(game: Game, i: int, s: Any) -> Iterator[tuple[str, str, str]]:
    """The position that has the number of `s` must be as good as `s`."""
    other = s.copy()
    if not game.rule("unrank")(i, other):
        yield (
            "unrank",
            f"says that there is no position number {i}, and rank gave that number to one",
            "return True where rank gives the number",
        )
        return
    player, mover = int(game.rule("player")(s)), int(game.rule("player")(other))
    if (player < 0) != (mover < 0) and int(game.rule("valid_plies")(s)) > 0:
        yield (
            "unrank",
            f"made of number {i} a position where player is {mover}, not {player}",
            "positions may share a number only if they are worth the same",
        )
    elif not game.defines("canonical") and game.constants["SECTIONS"] == () and int(game.rule("key")(s)) != int(game.rule("key")(other)):
        yield (
            "unrank",
            f"made of number {i} a position with another key",
            "let rank tell apart what key tells apart, or declare the symmetry: canonical(s)",
        )


def _round_trip(game: Game, i: int) -> Iterator[tuple[str, str, str]]:
    one, other = blank(game.constants["State"]), blank(game.constants["State"])
    game.rule("start")(other)
    has_one, has_other = bool(game.rule("unrank")(i, one)), bool(game.rule("unrank")(i, other))
    if has_one != has_other or (has_one and one.tobytes() != other.tobytes()):
        yield "unrank", f"writes another position for number {i} where s held another one before", "set every field of s"
    elif has_one and int(game.rule("rank")(one)) != i:
        yield "rank", f"returned {int(game.rule('rank')(one))} for the position that unrank made of {i}", ROUND_TRIP
