"""The result of a match of any number of players: a row for each, as text and as JSON.

The games of one opening are not independent, so the opening is the unit: a player's share of it is the mean over its games, and intervals are Student's over openings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.arena.contest import Contestant, Effort
from kibitz.core.drawing import notebook
from kibitz.core.measuring import intervals
from kibitz.core.measuring.intervals import Estimate
from kibitz.core.position.readable import rough


@dataclass(frozen=True)
class SeatedGame:
    """A game that was played to its end."""

    number: int
    stream: int
    seats: tuple[int, ...]
    opening: int  # moves of it
    moves: tuple[str, ...]
    utilities: tuple[float, ...]  # of the contestants, not of the seats; and so the next two
    shares: tuple[float, ...]
    efforts: tuple[Effort, ...]


@dataclass(frozen=True)
class SeatsMatch:
    """What came of a match. Contestants are numbered from 0, as they were named."""

    contestants: tuple[Contestant, ...]
    games: tuple[SeatedGame, ...]
    wanted: int
    each: int  # games of one opening
    arranged: str  # in which arrangements of the seats, in words
    seed: int
    seconds: float = field(compare=False)
    notes: tuple[str, ...] = ()
    unwritten: str = ""  # why games are missing in the record

    def with_games(self, games: tuple[SeatedGame, ...], seconds: float, unwritten: str) -> SeatsMatch:
        return replace(self, games=games, seconds=seconds, unwritten=unwritten)

    @property
    def interrupted(self) -> bool:
        return len(self.games) < self.wanted

    @property
    def openings(self) -> list[list[SeatedGame]]:
        """The games of each opening that was played in all its arrangements."""
        found: dict[int, list[SeatedGame]] = {}
        for game in self.games:
            found.setdefault(game.stream, []).append(game)
        return [games for games in found.values() if len(games) == self.each]

    def share(self, who: int) -> Estimate:
        """What a contestant won of a game, on average, and where that would lie over endless openings."""
        return intervals.score([_mean([game.shares[who] for game in games]) for games in self.openings])

    def utility(self, who: int) -> Estimate:
        """The mean utility of a contestant, likewise."""
        means = [_mean([game.utilities[who] for game in games]) for games in self.openings]
        return intervals.mean(means) if means else Estimate(float("nan"), float("nan"), float("nan"))

    def wins(self, who: int) -> int:
        """Games that a contestant won alone."""
        return sum(game.shares[who] == 1.0 for game in self.games)

    def shared(self, who: int) -> int:
        """Games in which others had as much, and nobody more."""
        return sum(0.0 < game.shares[who] < 1.0 for game in self.games)

    def seat(self, place: int) -> float:
        """What whoever sat there won of a game, on average: is it an advantage to move first?"""
        return _mean([game.shares[game.seats[place]] for game in self.games])

    def effort(self, who: int) -> Effort:
        total = Effort()
        for game in self.games:
            total.add(game.efforts[who])
        return total

    def name(self, who: int) -> str:
        return self.contestants[who].player.name

    def __str__(self) -> str:
        return _in_words(self)

    def __repr__(self) -> str:
        return f"<match of {', '.join(map(self.name, range(len(self.contestants))))}: {len(self.games)} games>"

    def _repr_html_(self) -> str:
        head = ("player", "share", "from", "to", "won", "shared", "utility", "nodes/move", "depth", "s/move")
        return notebook.beside("", notebook.grid(head, _rows(self)), *(notebook.said(line, dim=True) for line in _remarks(self)))

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "game": self.contestants[0].game.label,
            "players": [_as_dict(self, who) for who in range(len(self.contestants))],
            "seats": [self.seat(place) for place in range(len(self.contestants))],
            "games": len(self.games),
            "wanted": self.wanted,
            "openings": len(self.openings),
            "arranged": self.arranged,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
            "notes": list(self.notes),
            "unwritten": self.unwritten,
        }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _rows(match: SeatsMatch) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for who in range(len(match.contestants)):
        share, effort, moves = match.share(who), match.effort(who), max(1, match.effort(who).moves)
        won = (str(match.wins(who)), str(match.shared(who)), f"{match.utility(who).value:+.3f}")
        spent = (rough(effort.nodes / moves), f"{effort.depths / moves:.1f}", f"{effort.seconds / moves:.4f}")
        rows.append((f"{who + 1}: {match.name(who)}", f"{share.value:.3f}", f"{share.low:.3f}", f"{share.high:.3f}", *won, *spent))
    return rows


def _in_words(match: SeatsMatch) -> str:
    head: tuple[str, ...] = ("", "share", "from", "to", "won", "shared", "utility", "nodes/move", "depth", "seconds/move")
    rows: list[tuple[str, ...]] = [head, *_rows(match)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = [
        "  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))) for row in rows
    ]
    return "\n".join([*lines, *_remarks(match)])


def _remarks(match: SeatsMatch) -> list[str]:
    many = len(match.contestants)
    lines = [
        f"{len(match.games)} games from {len(match.openings)} openings, each in {match.arranged}; an even share is {1 / many:.3f}",
        "95 % intervals of the shares: Student's t over openings, one won and one lost added",
        f"by seat, first to last: {' '.join(f'{match.seat(place):.3f}' for place in range(many))}",
    ]
    for who in range(many):
        effort = match.effort(who)
        if effort.late:
            lines.append(f"{who + 1} overstepped its time in {effort.late} of {effort.moves} moves, by {effort.latest:.3f} s at most")
    if match.interrupted:
        lines.append(f"stopped after {len(match.games)} of {match.wanted} games")
    return [*lines, *match.notes, *([match.unwritten] if match.unwritten else [])]


def _as_dict(match: SeatsMatch, who: int) -> dict[str, Any]:
    share, utility, effort = match.share(who), match.utility(who), match.effort(who)
    moves = max(1, effort.moves)
    return {
        "player": match.name(who),
        "share": share.value,
        "interval": [share.low, share.high],
        "wins": match.wins(who),
        "shared": match.shared(who),
        "utility": utility.value,
        "utility_interval": [utility.low, utility.high],
        "moves": effort.moves,
        "nodes_per_move": effort.nodes / moves,
        "depth": effort.depths / moves,
        "seconds_per_move": round(effort.seconds / moves, 6),
        "late_moves": effort.late,
    }
