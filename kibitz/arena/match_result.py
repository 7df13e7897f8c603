"""The result of a match: counts, the score with its interval, what the players spent; as a few lines of text and as JSON.

Games come in pairs, one opening with either side, and the two games of a pair are not independent: an opening that favours one side gives each
player a win. So the pair is the unit: its score for the first contestant is 0, 1/4, 1/2, 3/4 or 1.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from kibitz.arena.contest import ONE, TWO, Contestant, Effort, Played
from kibitz.arena.records import SITS
from kibitz.core.drawing import notebook
from kibitz.core.measuring import intervals
from kibitz.core.position.readable import rough


@dataclass(frozen=True)
class Match:
    """What came of a match. Scores are of the first contestant unless they say otherwise."""

    contestants: tuple[Contestant, Contestant]
    games: tuple[Played, ...]  # in the order of their numbers: 0 and 1 are the first pair
    pairs: tuple[float, ...]  # the mean score of each pair that was played to its end
    wanted: int  # games to play: those asked for, unless there are too few openings
    seed: int
    seconds: float = field(compare=False)
    notes: tuple[str, ...] = ()  # what is not as one would expect: other openings, fewer games
    unwritten: str = ""  # why games are missing in the record

    @property
    def wins(self) -> int:
        return sum(g.score == 1.0 for g in self.games)

    @property
    def draws(self) -> int:
        return sum(g.score == 0.5 for g in self.games)

    @property
    def losses(self) -> int:
        return sum(g.score == 0.0 for g in self.games)

    @property
    def score(self) -> float:
        """The mean score, from whole pairs."""
        return intervals.score(self.pairs).value

    @property
    def interval(self) -> tuple[float, float]:
        """Where the score of endless pairs would lie, with 95 % confidence."""
        found = intervals.score(self.pairs)
        return found.low, found.high

    @property
    def elo(self) -> float:
        """The score as a difference in rating; infinite, with its sign, where everything was won or lost."""
        return intervals.elo(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        low, high = self.interval
        return intervals.elo(low), intervals.elo(high)

    @property
    def superiority(self) -> float:
        """The likelihood that the first contestant is the better player."""
        return intervals.superiority(self.pairs)

    @property
    def interrupted(self) -> bool:
        return len(self.games) < self.wanted

    def utility(self, who: int) -> float | None:
        """The mean utility of a contestant; None before any game is finished."""
        return sum(g.utilities[who] for g in self.games) / len(self.games) if self.games else None

    def effort(self, who: int) -> Effort:
        """What a contestant spent, in all games."""
        total = Effort()
        for g in self.games:
            total.add(g.efforts[who])
        return total

    def name(self, who: int) -> str:
        """A contestant's player, and its game where the two differ in that."""
        return name_beside(self.contestants, who)

    def __str__(self) -> str:
        return _in_words(self)

    def __repr__(self) -> str:
        return f"<match of {self.name(ONE)} against {self.name(TWO)}: {self.wins} won, {self.draws} drawn, {self.losses} lost>"

    def _repr_html_(self) -> str:
        return _in_html(self)

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return _as_dict(self)


def name_beside(contestants: tuple[Contestant, Contestant], who: int) -> str:
    """A contestant's player, and its game where the two differ in that."""
    contestant, other = contestants[who], contestants[1 - who]
    return contestant.player.name + (f" in {contestant.game.label}" if contestant.game.label != other.game.label else "")


# --- in words and as data ---


def _in_words(match: Match) -> str:
    """A few lines for people."""
    names = [f"{SITS[who]}: {match.name(who)}" for who in (ONE, TWO)]
    width = max(len(name) for name in names)
    lines = [f"{'':{width}}   score   wins  draws  losses   nodes/move  depth  seconds/move"]
    counts = ((match.wins, match.draws, match.losses), (match.losses, match.draws, match.wins))
    for who in (ONE, TWO):
        effort, moves = match.effort(who), max(1, match.effort(who).moves)
        score = match.score if who == ONE else 1.0 - match.score
        won, drawn, lost = counts[who]
        spent = f"{effort.nodes / moves:12.0f} {effort.depths / moves:6.1f} {effort.seconds / moves:13.4f}"
        lines.append(f"{names[who]:{width}} {score:7.3f} {won:6} {drawn:6} {lost:7} {spent}")
    low, high = match.interval
    lines.append(
        f"score of one {match.score:.3f}, 95 % interval {low:.3f} to {high:.3f} (Student's t over {len(match.pairs)} pairs, one won and one lost added)"
    )
    lines.append(
        f"Elo {_signed(match.elo)} ({_signed(match.elo_interval[0])} to {_signed(match.elo_interval[1])}), better with likelihood {match.superiority:.3f}"
    )
    mean = match.utility(ONE)
    if mean is not None:
        lines.append(f"mean utility of one {mean:+.3f}")
    lines += _forfeits(match)
    lines += _late(match)
    if match.interrupted:
        lines.append(f"stopped after {len(match.games)} of {match.wanted} games")
    return "\n".join([*lines, *match.notes, *([match.unwritten] if match.unwritten else [])])


def _in_html(match: Match) -> str:
    """The same for a notebook, with the score as a picture."""
    rows = []
    for who, (won, lost) in ((ONE, (match.wins, match.losses)), (TWO, (match.losses, match.wins))):
        effort, moves = match.effort(who), max(1, match.effort(who).moves)
        score = match.score if who == ONE else 1.0 - match.score
        spent = (rough(effort.nodes / moves), f"{effort.depths / moves:.1f}", f"{effort.seconds / moves:.3g}")
        rows.append((match.name(who), f"{score:.3f}", str(won), str(match.draws), str(lost), *spent))
    low, high = match.interval
    words = _in_words(match).splitlines()[3:]
    return notebook.beside(
        "",
        notebook.said(f"{match.contestants[ONE].game.label}: {len(match.games)} games in {len(match.pairs)} pairs", bold=True),
        notebook.grid(("player", "score", "wins", "draws", "losses", "nodes/move", "depth", "s/move"), rows),
        notebook.score_bar(match.score, low, high),
        *(notebook.said(line, dim=True) for line in words),
    )


def _forfeits(match: Match) -> list[str]:
    """Which contestants lost games by other causes than the rules, how many, and why."""
    counts = Counter((ONE if g.score == 0.0 else TWO, g.forfeit) for g in match.games if g.forfeit)
    return [f"{SITS[who]} lost {n} game{'s' if n > 1 else ''} so: {why}" for (who, why), n in sorted(counts.items())]


def _late(match: Match) -> list[str]:
    found = []
    for who in (ONE, TWO):
        effort = match.effort(who)
        if effort.late:
            found.append(f"{SITS[who]} overstepped its time in {effort.late} of {effort.moves} moves, by {effort.latest:.3f} s at most")
    return found


def _signed(number: float) -> str:
    return f"{number:+.0f}" if math.isfinite(number) else "plus infinite" if number > 0 else "minus infinite"


def _plain(number: float) -> float | str:
    """What JSON can hold; `float` reads the words for the infinite ones."""
    return number if math.isfinite(number) else "inf" if number > 0 else "-inf"


def _as_dict(match: Match) -> dict[str, Any]:
    """For programs. An infinite Elo difference is the text "inf" or "-inf"."""
    return {
        "game": match.contestants[ONE].game.label,
        "one": _contestant(match, ONE),
        "two": _contestant(match, TWO),
        "games": len(match.games),
        "wanted": match.wanted,
        "wins": match.wins,
        "draws": match.draws,
        "losses": match.losses,
        "score": match.score,
        "interval": list(match.interval),
        "elo": _plain(match.elo),
        "elo_interval": [_plain(end) for end in match.elo_interval],
        "superiority": match.superiority,
        "pairs": len(match.pairs),
        "seed": match.seed,
        "seconds": round(match.seconds, 3),
        "interrupted": match.interrupted,
        "forfeits": [
            {"game": g.number + 1, "lost_by": SITS[ONE if g.score == 0.0 else TWO], "reason": g.forfeit} for g in match.games if g.forfeit
        ],
        "notes": list(match.notes),
        "unwritten": match.unwritten,
    }


def _contestant(match: Match, who: int) -> dict[str, Any]:
    effort: Effort = match.effort(who)
    moves = max(1, effort.moves)
    return {
        "player": match.contestants[who].player.name,
        "game": match.contestants[who].game.label,
        "utility": match.utility(who),
        "moves": effort.moves,
        "nodes_per_move": effort.nodes / moves,
        "depth": effort.depths / moves,
        "seconds_per_move": round(effort.seconds / moves, 6),
        "late_moves": effort.late,
        "latest": round(effort.latest, 6),
    }
