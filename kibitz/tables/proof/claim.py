"""What can be claimed of a position: that a player gets at least so much from it, whatever the other does; perhaps within a number of plies."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position

WIN, NOT_LOSE = "win", "not lose"
PROVEN, DISPROVEN, UNKNOWN = "proven", "disproven", "unknown"
MOST_PLIES = 500  # that a line may be asked to have


@dataclass(frozen=True)
class Claim:
    """`player` gets at least `threshold` from `position`; with `within`, in a game that is over after at most that number of plies."""

    position: Position
    player: int
    goal: str  # in words: win, not lose, value >= 3
    within: int = 0

    @property
    def threshold(self) -> float:
        """The least utility that fulfils the goal."""
        return threshold(self.position.game, self.goal)

    @property
    def bound(self) -> int:
        """`within`, or 0 where every game is over by then anyway."""
        return self.within if self.within < self.position.game.constants["MAX_PLIES"] else 0

    def holder(self, verdict: str) -> int:
        """Whose strategy shows the verdict: the player's own that the claim holds, the other's that it does not."""
        return self.player if verdict == PROVEN else 1 - self.player

    def as_words(self, verdict: str) -> str:
        """One sentence that says the verdict."""
        who, limit = (
            self.position.game.side(self.player),
            f" within {self.within} {'ply' if self.within == 1 else 'plies'}" if self.within else "",
        )
        if verdict == UNKNOWN:
            return f"unknown: {who}, {self.goal}{limit}"
        can = "can" if verdict == PROVEN else "cannot"
        if self.goal == WIN:
            return f"{who} {can} force a win{limit}"
        if self.goal == NOT_LOSE:
            return f"{who} {can} avoid losing{' in a game that is over' + limit if limit else ''}"
        return f"{who} {can} get {self.threshold:g} or more{limit}"


def claimed(position: Position, goal: str = WIN, player: int | None = None, within: int = 0) -> Claim:
    """The claim, with its goal in one spelling; without a player, of the one to move. Refuses games that it does not fit."""
    check_kind(position.game)
    if player is None:
        player = max(position.player, 0)
    if player not in (0, 1):
        raise InputError(f"there is no player {player + 1}; the players are 1 and 2")
    if not 0 <= within <= MOST_PLIES:
        raise InputError(f"within {within} plies: write a whole number up to {MOST_PLIES}, or 0 for any number")
    return Claim(position, player, spelled(goal), within)


def threshold(game: Game, goal: str) -> float:
    """The least utility that fulfils a goal."""
    if goal == WIN:
        return math.nextafter(game.drawn, math.inf)
    return game.drawn if goal == NOT_LOSE else float(goal.split()[-1])


def least_value(game: Game, goal: str) -> float:
    """The least utility that there is, on the game's scale, which fulfils a goal."""
    low, grain = game.constants["VALUES"][0], float(game.constants["GRAIN"])
    if not grain:
        return threshold(game, goal)
    steps = ((game.drawn if goal == WIN else threshold(game, goal)) - low) / grain
    reached = math.floor(steps) + 1 if goal == WIN else math.ceil(steps)  # grains from the lowest to what was claimed
    return float(low + reached * grain)


def spelled(goal: str) -> str:
    """The one spelling of a goal."""
    words = " ".join(goal.lower().replace("-", " ").split()) if not re.search(r"\d", goal) else goal
    if words in (WIN, NOT_LOSE):
        return words
    found = re.fullmatch(r"\s*(?:value\s*)?>=\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*", words)
    if not found:
        raise InputError(f"'{goal}' is no goal; write win, not lose, or a value to reach such as 'value >= 3'")
    return f"value >= {float(found[1]):g}" if float(f"{float(found[1]):g}") == float(found[1]) else f"value >= {float(found[1])!r}"


def check_kind(game: Game) -> None:
    """Refuse games in which one strategy does not settle what a player gets."""
    if (reason := why_unprovable(game)) is not None:
        raise InputError(f"nothing can be proven of {game.name}: {reason}")


def why_unprovable(game: Game) -> str | None:
    """Why one strategy does not settle what a player gets; None where it does."""
    return (
        "its players do not see the whole position; kibitz sure asks what a player can make sure of"
        if game.is_hidden
        else "it has chance, and no strategy is sure there"
        if game.has_chance
        else f"it has {game.players} player{'s' if game.players > 1 else ''}, not two"
        if game.players != 2
        else "its players' interests are not opposite (SUM = None)"
        if game.constants["SUM"] is None
        else None
    )
