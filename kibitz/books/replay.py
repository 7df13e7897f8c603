"""Games replayed by compiled rules: every position on the way, and the move made there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kibitz.books.sources import GameText
from kibitz.core.compiling.binder import game
from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import OVER
from kibitz.core.records.record import blank, record

MOST_KNOWN = 100_000  # moves remembered by their text


# --- kernel ---


def look(w: Any) -> int:
    """Whose turn it is in w.state; its key and its moves are written down."""
    w.key = game.situation(w.state)
    who: int = game.player(w.state)
    w.n = game.moves(w.state, w.list) if who != OVER else 0
    return who


def advance(w: Any, move: int) -> int:
    game.play(w.state, move)
    return look(w)


# --- shell ---


class Step(NamedTuple):
    """A move that was made."""

    player: int
    key: int  # of the position it was made in, as `situation` says
    move: int
    word: str  # the same as programs write it
    state: bytes | None  # that position, where it was asked for


@dataclass(frozen=True)
class Replayed:
    """A game as far as it keeps to the rules."""

    steps: list[Step]
    score: float | None  # of the first player: what the file says, or the rules where they ended the game
    utility: float | None  # to the first player, where the rules ended the game


class Replayer:
    """Replays games of one kind."""

    def __init__(self, game: Game) -> None:
        constants = game.constants
        self.game, self.wire = game, game.people["wire"]
        kind = record(state=constants["State"], list=(constants["MOVE"], constants["MAX_MOVES"]), n=np.int64, key=np.uint64)
        self.w = blank(kind)
        self.look, self.advance = game.bind(look, label="replay"), game.bind(advance, label="replay")
        self.known: dict[tuple[int, str], int] = {}  # moves by position and text: openings come up again and again

    def replay(self, text: GameText, most: int | None = None, states: bool = False) -> Replayed:
        """At most so many moves of a game, with the positions they were made in if `states`; all moves, where its result has to be found out."""
        state = blank(self.game.constants["State"])
        self.game.rule("start")(state)
        self.w.state = state
        who, steps = int(self.look(self.w)), []
        for written in text.moves if text.score is None else text.moves[:most]:
            move = self._number(written)
            if who == OVER or move is None:
                break
            word = str(self.wire(self.w.state, move))
            steps.append(Step(who, int(self.w.key), move, word, self.w.state.tobytes() if states else None))
            who = int(self.advance(self.w, move))
        utility = float(self.game.rule("utility")(self.w.state, 0)) if who == OVER else None
        score = text.score if text.score is not None or utility is None else self._score(utility)
        return Replayed(steps[:most], score, utility)

    def _number(self, word: str) -> int | None:
        """The legal move that is written so, as programs or as people do."""
        place = (int(self.w.key), word)
        if place not in self.known:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            found = self._looked_up(word)
            if found is None:
                return None
            self.known[place] = found
        return self.known[place]

    def _looked_up(self, word: str) -> int | None:
        s, moves = self.w.state, [int(m) for m in self.w.list[: self.w.n]]
        for spelled in (self.wire, self.game.people["name"]):
            for move in moves:
                if str(spelled(s, move)) == word:
                    return move
        name, spellings = self.game.people["name"], self.game.people["spellings"]
        found = [m for m in moves if word in spellings(s, m, str(name(s, m)))]
        return found[0] if len(found) == 1 else None

    def _score(self, utility: float) -> float:
        middle = 0.5 * sum(self.game.constants["VALUES"])
        return 1.0 if utility > middle else 0.0 if utility < middle else 0.5
