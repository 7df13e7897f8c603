"""The value of a game with more than two outcomes, by yes-no questions: is it at least v?

Values are counted in steps of the game's GRAIN from the lowest there can be, so that any finite range will do, negative values too. v is doubled from 1
until a question is answered no, or nothing higher is possible; then the value lies between floor(v/2) and v - 1, and that is halved, rounding up: where two
values are left the upper one is asked about, or the search would not end. All questions share one table, each with keys of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.searches.proof.prove import Asking, Proof, Settings, Watch, answered
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN, claimed


@dataclass(frozen=True)
class Value:
    """What is known of a value for a player, and the questions that were asked."""

    position: Position
    player: int
    low: float  # the value is this or more
    high: float  # and this or less
    questions: tuple[Proof, ...]
    nodes: int
    seconds: float
    ended: str

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def __str__(self) -> str:
        who = self.position.game.side(self.player)
        return f"{who} gets {self.low:g}" if self.exact else f"{who} gets between {self.low:g} and {self.high:g}"

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "game": self.position.game.label,
            "position": self.position.show(),
            "player": self.player + 1,
            "goal": "value",
            "low": self.low,
            "high": self.high,
            "exact": self.exact,
            "questions": [{"goal": q.claim.goal, "verdict": q.verdict, "nodes": q.nodes} for q in self.questions],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "ended": self.ended,
        }


def value_of(position: Position, player: int | None = None, watch: Watch | None = None, **settings: Any) -> Value:
    """What a player (0 or 1; else whoever is to move) gets from the position, whatever the other does."""
    claim = claimed(position, player=player)
    game, grain = position.game, float(position.game.constants["GRAIN"])
    if not grain:
        raise InputError(f"{game.name} has real numbers for values, of which there is no next one; ask for a value: --goal 'value >= 0.5'")
    if settings.get("resume"):
        raise InputError("resume is for one question, and a value takes many; ask one of them, such as 'value >= 3'")
    asking = Asking(claim, Settings(**settings), watch)
    least, most = game.first_range
    if claim.player == 1:
        least, most = game.constants["SUM"] - most, game.constants["SUM"] - least
    steps, asked = round((most - least) / grain), []
    known = [0, steps]

    def is_at_least(v: int) -> bool | None:
        answer = answered(asking, claimed(position, f"value >= {least + v * grain!r}", claim.player))
        asked.append(answer)
        if answer.verdict == PROVEN:
            known[0] = max(known[0], v)
        elif answer.verdict == DISPROVEN:
            known[1] = min(known[1], v - 1)
        return None if answer.verdict == UNKNOWN else answer.verdict == PROVEN

    for _ in questions(steps, is_at_least):
        pass
    ended = asked[-1].ended if asked else "solved"
    return Value(
        position, claim.player, least + known[0] * grain, least + known[1] * grain, tuple(asked), asking.nodes, asking.seconds, ended
    )


def questions(steps: int, is_at_least: Callable[[int], bool | None]) -> Iterator[int]:
    """Each v that is asked for, from 1 to `steps`, until the value is known or a question has no answer."""
    v, low, high = 1, 0, steps
    while v <= steps:
        yield v
        answer = is_at_least(v)
        if answer is None:
            return
        if not answer:
            low, high = v // 2, v - 1
            break
        low, v = v, 2 * v
    while low < high:
        middle = -(-(low + high) // 2)
        yield middle
        answer = is_at_least(middle)
        if answer is None:
            return
        low, high = (middle, high) if answer else (low, middle - 1)
