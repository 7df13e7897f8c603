"""Does a game list all predecessors of a position and no others? The part of `kibitz check` for `unplay`; for its meaning see kibitz/core/position/ranking.py.

By brute force: from positions of random games, and from some of the game's own numbers, moves are made; the position that was left must be among those listed, and from each
of those listed some move must lead back.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from kibitz.core.checking.ranking_check import Problem
from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import OVER
from kibitz.core.records.record import blank, record

POSITIONS = 12  # of games
NUMBERED = 4  # of the game's own numbers
CHILDREN = 2  # of each, that are looked at
TRIES = 400  # numbers that are looked at for some that have a position

Fault = tuple[str, str]  # what is wrong, what to do


def problems(game: Game, places: Iterable[tuple[Any, list[int]]]) -> Iterator[Problem]:
    """What is wrong with the lists of predecessors, of some positions given with the moves that lead there and of others made from their numbers."""
    if not game.defines("unplay"):
        return
    draw, known = random.Random(2), [(data.tobytes(), moves) for data, moves in places]
    for data, moves in draw.sample(known, min(POSITIONS, len(known))):
        yield from (("unplay", *fault, moves) for fault in _of_children(game, data, draw))
    for data in _numbered(game, draw):
        yield from (("unplay", *fault, None) for fault in _of_children(game, data, draw))


def _numbered(game: Game, draw: random.Random) -> Iterator[bytes]:
    """Positions that numbers stand for."""
    found = 0
    for _ in range(TRIES if game.defines("rank") else 0):
        s = blank(game.constants["State"])
        if found < NUMBERED and game.rule("unrank")(draw.randrange(game.constants["SIZE"]), s):
            found += 1
            yield s.tobytes()


def _of_children(game: Game, data: bytes, draw: random.Random) -> Iterator[Fault]:
    """Some positions that moves lead to, each held against what `unplay` lists of it."""
    s, number = _state(game, data), _number(game, data)
    if number < 0 or int(game.rule("player")(s)) < 0:
        return
    after = [child for child in _after(game, data) if _is_same_section(game, number, _number(game, child))]
    for child in draw.sample(after, min(CHILDREN, len(after))):
        try:
            yield from _of_child(game, number, child)
        except Exception as error:
            yield f"{type(error).__name__}: {error}", "it must work for every unfinished position that has a number"


def _of_child(game: Game, number: int, child: bytes) -> Iterator[Fault]:
    most = int(game.constants["MAX_UNPLAYS"])
    w = blank(record(state=game.constants["State"], out=(game.constants["State"], most + 1)))
    w.state = _state(game, child)
    n = int(game.rule("unplay")(w.state, w.out))
    if not 0 <= n <= most:
        yield f"listed {n} positions", f"list at most MAX_UNPLAYS = {most}, or raise MAX_UNPLAYS"
        return
    if w.state.tobytes() != child:
        yield "changed the position that it was asked about", "write to out only"
        return
    listed = {_number(game, w.out[i].tobytes()): w.out[i].tobytes() for i in range(n)}
    if number not in listed:
        yield "left out a position from which a move leads to this one", "list every position of the same section that comes before"
    aim = _number(game, child)
    for before, x in listed.items():
        y = _made(game, before, x)
        if y is not None and all(_number(game, z) != aim for z in _after(game, y)):
            yield "listed a position from which no move leads to this one", "list only positions that come before"
            return


def _made(game: Game, number: int, data: bytes) -> bytes | None:
    """An unfinished position with this number, if there is one."""
    s = _state(game, data)
    if game.defines("rank") and (number < 0 or not game.rule("unrank")(number, s)):
        return None
    return s.tobytes() if int(game.rule("player")(s)) >= 0 else None


def _after(game: Game, data: bytes) -> list[bytes]:
    """The unfinished positions behind all moves."""
    out, found = np.zeros(int(game.constants["MAX_MOVES"]), game.constants["MOVE"]), list[bytes]()
    for i in range(int(game.rule("moves")(_state(game, data), out))):
        s = _state(game, data)
        game.rule("play")(s, int(out[i]))
        if int(game.rule("player")(s)) != OVER:
            found.append(s.tobytes())
    return found


def _number(game: Game, data: bytes) -> int:
    """By which tables know a position."""
    s = _state(game, data)
    if game.defines("rank"):
        return int(game.rule("rank")(s))
    game.rule("canonical")(s)
    return int(game.rule("key")(s))


def _is_same_section(game: Game, one: int, other: int) -> bool:
    if not game.defines("rank"):
        return True
    sections = game.constants["SECTIONS"] or (("", 0, game.constants["SIZE"], 0),)
    return any(begin <= one < end and begin <= other < end for _, begin, end, _ in sections)


def _state(game: Game, data: bytes) -> Any:
    return np.frombuffer(bytearray(data), game.constants["State"])[0]
