"""Are a game's hints for the solver true? The part of `kibitz check` for `candidates`, `soonest`, `latest`, `finish` and `solving_order`.

Positions near the end of random games are solved by plain recursion, and the hints are compared with the results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import OVER
from kibitz.core.records.record import Cells

HOOKS = ("candidates", "soonest", "latest", "finish", "solving_order")
POSITIONS = 60  # that are played out
ENOUGH = 2000  # positions that playing one of them out may take
TOLERANCE = 1e-9

Problem = tuple[str, str, str, list[int] | None]  # function, what is wrong, what to do, the moves that lead there


class Worth(NamedTuple):
    """A position under best play: the first player's value, the plies to the end if only those are left to prefer, and the longest game."""

    first: float
    plies: int
    longest: int


class _TooLarge(Exception):
    """It would take too long."""


def problems(game: Game, games: Iterable[tuple[Any, list[int]]]) -> Iterator[Problem]:
    """What is wrong in some games, each given as its positions, the last one finished, and its moves."""
    told = [hook for hook in HOOKS if game.defines(hook)]
    if not told or game.players != 2 or game.constants["SUM"] is None or game.has_chance or game.repeats:
        return
    tried = 0
    for states, moves in games:
        for ply in range(len(moves) - 1, -1, -1):
            if tried == POSITIONS:
                return
            try:
                yield from ((*problem, moves[:ply]) for problem in _of_position(game, states[ply].tobytes()))
            except _TooLarge:
                break
            tried += 1


def _of_position(game: Game, data: bytes) -> Iterator[tuple[str, str, str]]:
    known: dict[bytes, Worth] = {}
    true, s = _worth(game, data, known), _fresh(game, data)
    player, moves = int(game.rule("player")(s)), _listed(game, s, "moves")
    for hook, examine in (
        ("candidates", _candidates),
        ("soonest", _soonest),
        ("latest", _latest),
        ("finish", _finish),
        ("solving_order", _order),
    ):
        if game.defines(hook):
            try:
                yield from ((hook, *problem) for problem in examine(game, data, true, player, moves, known))
            except _TooLarge:
                raise
            except Exception as error:
                yield hook, f"{type(error).__name__}: {error}", "it must work for every unfinished position"


def _candidates(
    game: Game,
    data: bytes,
    true: Worth,
    player: int,  # noqa: ARG001
    moves: list[int],
    known: dict[bytes, Worth],
) -> Iterator[tuple[str, str]]:
    found = _listed(game, _fresh(game, data), "candidates")
    if not found or len(set(found)) < len(found) or not set(found) <= set(moves):
        yield f"listed {found} of the moves {moves}", "list a part of the legal moves, at least one, each once"
        return
    after = [_worth(game, _played(game, data, move), known) for move in found]
    if not any(_same(w.first, true.first) and (not _measures(game) or w.plies + 1 == true.plies or _is_drawn(game, true)) for w in after):
        yield (
            f"listed {found} of the moves {moves}, none of which is best",
            "leave out only moves of which another is as good, and as quick, for sure",
        )


def _soonest(game: Game, data: bytes, true: Worth, player: int, moves: list[int], known: Any) -> Iterator[tuple[str, str]]:  # noqa: ARG001
    for one in (0, 1):
        won = (true.first > game.drawn + TOLERANCE) if one == 0 else (true.first < game.drawn - TOLERANCE)
        least = int(game.rule("soonest")(_fresh(game, data), one))
        if _measures(game) and won and true.plies < least:
            yield (
                f"said {least} for player {one}, who wins in {true.plies} plies",
                "return a number of plies within which the player cannot have won",
            )


def _latest(game: Game, data: bytes, true: Worth, player: int, moves: list[int], known: Any) -> Iterator[tuple[str, str]]:  # noqa: ARG001
    most = int(game.rule("latest")(_fresh(game, data)))
    if most < true.longest:
        yield f"said {most}, and {true.longest} plies can follow", "return an upper bound of the plies to the end"


def _finish(game: Game, data: bytes, true: Worth, player: int, moves: list[int], known: Any) -> Iterator[tuple[str, str]]:  # noqa: ARG001
    value = true.first if player == 0 else game.constants["SUM"] - true.first
    for least in (value - game.constants["GRAIN"], value, value + game.constants["GRAIN"]):
        told = float(game.rule("finish")(_fresh(game, data), least))
        if (told >= least and told > value + TOLERANCE) or (told < least and told < value - TOLERANCE):
            advice = "return a value that is reached where it is at least `least`, one that is not exceeded where it is less, or np.nan"
            yield f"said {told} where {least} was asked for and the position is worth {value}", advice


def _order(game: Game, data: bytes, true: Worth, player: int, moves: list[int], known: Any) -> Iterator[tuple[str, str]]:  # noqa: ARG001
    for move in moves:
        if not np.isfinite(promise := float(game.rule("solving_order")(_fresh(game, data), move))):
            yield f"returned {promise} for the move {move}", "return a finite number"
            return


# --- the plain truth ---


def _worth(game: Game, data: bytes, known: dict[bytes, Worth]) -> Worth:
    if data not in known:
        if len(known) >= ENOUGH:
            raise _TooLarge
        s = _fresh(game, data)
        player = int(game.rule("player")(s))
        if player == OVER:
            known[data] = Worth(float(game.rule("utility")(s, 0)), 0, 0)
        else:
            after = [_worth(game, _played(game, data, move), known) for move in _listed(game, s, "moves")]
            sign = 1.0 if player == 0 else -1.0
            best = max(w.first * sign for w in after)
            plies = [w.plies for w in after if _same(w.first * sign, best)]
            wins = best > sign * game.drawn + TOLERANCE
            known[data] = Worth(best * sign, 1 + (min(plies) if wins else max(plies)), 1 + max(w.longest for w in after))
    return known[data]


def _fresh(game: Game, data: bytes) -> Any:
    return np.frombuffer(bytearray(data), game.constants["State"])[0]


def _played(game: Game, data: bytes, move: int) -> bytes:
    s = _fresh(game, data)
    game.rule("play")(s, move)
    return bytes(s.tobytes())


def _listed(game: Game, s: Any, rule: str) -> list[int]:
    out = np.zeros(game.constants["MAX_MOVES"], game.constants["MOVE"]).view(Cells)
    return [int(move) for move in np.asarray(out)[: int(game.rule(rule)(s, out))]]


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= TOLERANCE


def _is_drawn(game: Game, worth: Worth) -> bool:
    return _same(worth.first, game.drawn)


def _measures(game: Game) -> bool:
    """Is the game won, drawn or lost, so that how soon is all that is left to prefer?"""
    low, high = game.first_range
    grain = game.constants["GRAIN"]
    return bool(grain) and (high - low) / grain in (1.0, 2.0) and not game.defines("banked")
