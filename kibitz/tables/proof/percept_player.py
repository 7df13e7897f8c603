"""A player that follows a strategy over percepts: it gets what the player heard, and nothing else of the position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.hidden.view import puzzled, view
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import LOWER, Result
from kibitz.tables.proof.claim import least_value
from kibitz.tables.proof.percept_replay import verify
from kibitz.tables.proof.percept_strategy import WAIT, PerceptStrategy


class PerceptPlayer:
    """Plays a strategy out, from one of the positions that its claim is about."""

    settings: Mapping[str, Any] = {}

    def __init__(self, strategy: PerceptStrategy, name: str) -> None:
        self.strategy, self.name = verify(strategy), name

    def remembering(self) -> PerceptPlayer:
        """It knows everything already."""
        return self

    def check(self, game: Game) -> None:
        """Refuse another game."""
        if game != self.strategy.claim.game:
            raise InputError(f"{self.name} is a strategy of {self.strategy.claim.game.label}, not of {game.label}")

    def beginning(self, start: Position) -> Position:
        """Where to begin: the position that was asked for, where it is one of the claim's; the first of those, where none was."""
        claim = self.strategy.claim
        if claim.words:
            raise InputError(f"{self.name} begins after '{claim.words}' was heard, and not with a position")
        possible = [Position(claim.game, data) for data in claim.origin]
        chosen = possible[0] if start == start.game.start else start
        if chosen not in possible:
            raise InputError(f"{self.name} is sure of {len(possible)} other position{'s' if len(possible) != 1 else ''}, not of this one")
        return puzzled(chosen, claim.player, possible)

    def search(self, position: Position) -> Result:
        """The strategy's move, and what it makes sure of at least."""
        claim, node = self.strategy.claim, 0
        if position.player != claim.player:
            raise InputError(f"{self.name} holds the moves of {claim.game.side(claim.player)} only: {self.strategy}")
        known = view(position, claim.player)
        for event in known.events:
            after = self.strategy.following(node)
            if event.move != self.strategy.move(node) or event.percept not in after:
                raise InputError(f"{self.name} knows nothing of what was heard: its strategy does not lead there")
            node = after[event.percept]
        if self.strategy.move(node) == WAIT:
            raise InputError(f"{self.name} knows nothing of what was heard: its strategy does not lead there")
        move = known.move(self.strategy.move(node))
        return Result(
            position, self.name, move, least_value(claim.game, claim.goal), LOWER, (move,), 0, 0, 0.0, "proof", note=str(self.strategy)
        )
