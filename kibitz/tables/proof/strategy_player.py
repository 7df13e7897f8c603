"""A player that follows a strategy, without any search."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import LOWER, Result
from kibitz.tables.proof.claim import PROVEN, least_value
from kibitz.tables.proof.file import Strategy, choices_by_position, read_proof
from kibitz.tables.proof.percept_file import is_percept_file, read_percept_strategy
from kibitz.tables.proof.percept_player import PerceptPlayer

SUFFIX = ".kbp"


class ProofPlayer:
    """Plays a strategy out. It knows the positions that the strategy leads to, and only the moves of who holds it."""

    settings: Mapping[str, Any] = {}

    def __init__(self, strategy: Strategy, name: str) -> None:
        self.strategy, self.name = strategy, name
        self._choices = choices_by_position(strategy)

    def remembering(self) -> ProofPlayer:
        """It knows everything already."""
        return self

    def check(self, game: Game) -> None:
        """Refuse another game."""
        if game != self.strategy.claim.position.game:
            raise InputError(f"{self.name} is a proof of {self.strategy.claim.position.game.label}, not of {game.label}")

    def beginning(self, start: Position) -> Position:
        """Where to begin: the position of the claim, where no other one was asked for."""
        proven = self.strategy.claim.position
        return proven if start == start.game.start and start.game == proven.game else start

    def search(self, position: Position) -> Result:
        """The strategy's move, and what it makes sure of at least."""
        claim, game = self.strategy.claim, position.game
        holder = claim.holder(self.strategy.verdict)
        if position.player != holder:
            raise InputError(f"{self.name} holds the moves of {game.side(holder)} only: {self.strategy}")
        choice = self._choices.get(position.data)
        if choice is None:
            raise InputError(f"{self.name} knows nothing of this position: its strategy does not lead there")
        move = position.move(Position(game, position.data).numbers[choice])
        return Result(position, self.name, move, self._sure(), LOWER, (move,), 0, 0, 0.0, "proof", note=str(self.strategy))

    def _sure(self) -> float:
        """The least that the holder gets: the next utility from the claim's threshold on, or what is left for him below it."""
        claim, game = self.strategy.claim, self.strategy.claim.position.game
        grain, total = float(game.constants["GRAIN"]), float(game.constants["SUM"])
        least = least_value(game, claim.goal)
        return least if self.strategy.verdict == PROVEN else total - claim.threshold if not grain else total - (least - grain)


def proof_player(path: str) -> ProofPlayer:
    """The player whose strategy is in a file, which is checked first."""
    return ProofPlayer(read_proof(Path(path)), Path(path).name)


def player_of_file(path: str) -> ProofPlayer | PerceptPlayer:
    """The same, whether everything is seen or not."""
    if is_percept_file(Path(path)):
        return PerceptPlayer(read_percept_strategy(Path(path)), Path(path).name)
    return proof_player(path)
