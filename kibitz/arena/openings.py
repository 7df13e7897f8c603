"""Openings for matches: random legal moves from the start, all different, none of them finished or decided.

Openings that are equal by symmetry count as one. An opening is decided if a search of a few plies finds the winner:
see `verdict`. With more than two players, or with hidden information, only a finished game counts as decided; where chance deals to them as well, an opening is a
deal, and no random moves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.random_moves import Lots
from kibitz.core.protocol import outcomes
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import Control

Opening = tuple[int, ...]  # moves from the start, chance's among them

OPENINGS_STREAM = 1 << 32  # of the seed; streams below are those of the games
USUAL_PLIES = 4  # moves of an opening, and
MOST_PLIES = 12  # the most, unless told
AHEAD = 3  # plies looked ahead
MOST_NODES = 20_000  # in that look, which is deepened step by step; what is not seen by then counts as open
TRIES = 200  # random openings drawn for each one wanted, before we believe that there are no more

UNKNOWN, FIRST_WINS, SECOND_WINS, DRAWN = 0, 1, 2, 3


# --- kernel ---


def verdict(w: Any, ply: int, depth: int) -> int:
    """The result of w.states[ply] if `depth` plies show it: a forced win of either side, or a forced draw. Two players."""
    s = w.states[ply]
    mover = game.player(s)
    if mover == OVER:
        worth, middle = game.utility(s, 0), outcomes.middle(game.VALUES)
        return FIRST_WINS if worth > middle else SECOND_WINS if worth < middle else DRAWN
    if depth == 0 or w.control.nodes >= w.control.limit:
        return UNKNOWN
    n = game.outcomes(s, w.lists[ply], w.weights) if mover == CHANCE else game.moves(s, w.lists[ply])
    wins, loses = FIRST_WINS if mover == 0 else SECOND_WINS, SECOND_WINS if mover == 0 else FIRST_WINS
    answer, alike = loses, True
    for i in range(n):
        w.states[ply + 1] = s
        game.play(w.states[ply + 1], w.lists[ply, i])
        w.control.nodes += 1
        found = verdict(w, ply + 1, depth - 1)
        if mover == CHANCE:
            alike = alike and (i == 0 or found == answer)
            answer = found
        elif found == wins:
            return wins
        elif found == UNKNOWN or answer == UNKNOWN:
            answer = UNKNOWN
        elif found == DRAWN:
            answer = DRAWN
    return answer if alike else UNKNOWN


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """What `verdict` needs."""
    widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"])
    return record(
        control=Control,
        states=(constants["State"], AHEAD + 1),
        lists=(constants["MOVE"], (AHEAD + 1, widest)),
        weights=(np.float64, widest),
    )


# --- shell ---


def random_openings(game: Game, number: int, plies: int, seed: int) -> list[Opening]:
    """`number` different openings of `plies` moves by the players, each with what chance did meanwhile.

    In a game of chance fewer openings may come back; games from the same one then differ by what chance does.
    """
    if plies < 0:
        raise InputError(f"opening plies: {plies}; must be 0 or more")
    found = _draw_openings(game, number, plies, seed)
    if not found:
        raise InputError(f"{game.label} has no opening of {plies} plies that leaves the game open; ask for fewer plies")
    if len(found) < number and not game.has_chance:
        have = f"only {len(found)} different openings of {plies} plies that leave the game open"
        raise InputError(f"{game.label} has {have}; play at most {2 * len(found)} games, or choose another number of opening plies")
    return found


def enough_openings(game: Game, number: int, seed: int) -> tuple[list[Opening], int]:
    """Openings of the usual length, or of the next one of which there are enough, and the length; fewer than `number`, if there are never enough."""
    best: list[Opening] = []
    length = usual_plies(game)
    for plies in range(length, MOST_PLIES + 1):
        found = _draw_openings(game, number, plies, seed)
        if len(found) > len(best):
            best, length = found, plies
        if len(best) == number or (best and game.has_chance) or len(found) <= len(best) / 2:  # longer ones would be ever fewer
            break
    while not best and length > 0:  # a short game
        length -= 1
        best = _draw_openings(game, number, length, seed)
    if not best:
        raise InputError(f"{game.label} is decided too soon for random openings; give openings of your own")
    return best, length


def usual_plies(game: Game) -> int:
    """Moves of an opening, unless told or forced to another number."""
    return 0 if game.is_hidden and game.has_chance else USUAL_PLIES


def _draw_openings(game: Game, number: int, plies: int, seed: int) -> list[Opening]:
    """`number` of them, or fewer where there seem to be no more."""
    lots, misses = Lots(seed, OPENINGS_STREAM), 0
    found: list[Opening] = []
    seen: set[bytes] = set()
    while len(found) < number and misses < TRIES:
        opening, position = lots.draw_line(game, plies)
        known = symmetric_form(position)
        if known in seen:
            misses += 1
            continue
        seen.add(known)
        misses = 0
        if not is_decided(position):
            found.append(opening)
    return found


def given_openings(game: Game, texts: Iterable[str | Position]) -> tuple[list[Position], int]:
    """Openings that the user wrote, moves from the start, boards or positions, each once; and how many were there before, also up to symmetry."""
    positions = [game.position(text) if isinstance(text, str) else text for text in texts]
    for position in positions:
        if position.is_over:
            raise InputError("an opening is a finished game; give positions that can be played on")
    different: dict[bytes, Position] = {}
    for position in positions:
        different.setdefault(symmetric_form(position), position)
    return list(different.values()), len(positions) - len(different)


def drawn_in_words(plies: int) -> str:
    """Which openings these are, for a record; and the same of given ones."""
    return f"openings of {plies} random moves"


def given_in_words(positions: Iterable[Position]) -> str:
    digest = hashlib.sha256(b"".join(position.data for position in positions)).hexdigest()[:12]
    return f"openings given, {digest}"


def is_decided(position: Position) -> bool:
    """Is the game over, or its result plain to the players from looking `AHEAD` plies ahead?"""
    if position.is_over or position.game.is_hidden or position.game.players != 2:
        return position.is_over
    kernel = position.game.bind(verdict, label="openings")
    w = blank(workspace(position.game.constants))
    w.states[0], w.control.limit = position.state, MOST_NODES
    return any(kernel(w, 0, depth) != UNKNOWN for depth in range(1, AHEAD + 1))


def symmetric_form(position: Position) -> bytes:
    """Equal for positions that a symmetry of the game turns into each other."""
    s = position.state
    position.game.rule("canonical")(s)
    return bytes(s.tobytes())
