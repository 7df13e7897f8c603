"""Checks of a game's hints for searches in one position: `noisy`, `restless`, `skip`, `policy`, `playout`. Part of conformance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import OVER
from kibitz.core.records.random import Rng
from kibitz.core.records.record import Cells, blank

TRIES = 3  # playout moves drawn from each position


def faults(position: Position) -> Iterator[tuple[str, str, str]]:
    """Each with the function, what it did, and what would be right."""
    if position.player < 0:
        return
    rule, s = position.game.rule, position.state
    for name in ("noisy", "restless"):
        for move in position.moves[: 1 if name == "restless" else None]:
            answer = rule(name)(s, int(move)) if name == "noisy" else rule(name)(s)
            if not isinstance(answer, bool | np.bool_):
                yield name, f"returned {answer!r}", "return True or False"
            if s.tobytes() != position.data:
                yield name, "changed the position", "only play may write to s"
                return
    yield from _skipping(position)
    moves = np.array([int(m) for m in position.moves], position.game.constants["MOVE"])
    weights = np.zeros(len(moves))
    rule("policy")(s, moves, len(moves), weights)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
        yield "policy", f"gave the weights {weights.tolist()}", "give finite weights, none negative, some of them positive"
    if s.tobytes() != position.data:
        yield "policy", "changed the position", "only play may write to s"

    yield from _playing(position)


def _playing(position: Position) -> Iterator[tuple[str, str, str]]:
    """`playout` returns legal moves and leaves the position alone."""
    game, s, rng = position.game, position.state, blank(Rng)
    legal, out = (np.zeros(game.constants["MAX_MOVES"], game.constants["MOVE"]).view(Cells) for _ in range(2))
    n = game.rule("moves")(s, legal)
    for lot in range(TRIES):
        rng.word = lot
        move = game.rule("playout")(s, out, rng)
        if move not in legal[:n].tolist():
            yield "playout", f"returned {move}", "return one of the moves that `moves` lists"
            return
        if s.tobytes() != position.data:
            yield "playout", "changed the position", "only play may write to s"
            return


def _skipping(position: Position) -> Iterator[tuple[str, str, str]]:
    after = position.state
    if not position.game.rule("skip")(after):
        if after.tobytes() != position.data:
            yield "skip", "returned False but changed the position", "leave s alone where a turn cannot be skipped"
        return
    following = Position(position.game, after.tobytes())
    if following.player in (position.player, OVER):
        said = "the game is over" if following.player == OVER else "it is the same player's turn"
        yield "skip", f"returned True, and then {said}", "give the turn to the other player"
    elif not following.moves:
        yield "skip", "left the other player without a move", "return False where the other player could not move"
