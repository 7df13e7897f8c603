"""Matches for people and programs: told in a few lines, as JSON, and the games themselves in a file, one line a game (see recording.py for who writes it).

A line of the file holds fields with tabs between them:

    game  pair  first  winner  utility  opening  seed  moves  ended  one  two

the number of the game and of its pair, which contestant was player 1, who won (one, two or draw), the utility to contestant one, how many of the
moves are the opening, the seed and stream that chance drew from, and all moves from the start in the game's notation; `end` where the rules ended the game, else why
the loser lost it; and of either contestant its utility and what it spent: moves, nodes, depths, seconds, late moves, the latest, with / between them. Files of earlier
versions have the first eight. Lines that begin with # say who played.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import InputError

if TYPE_CHECKING:
    from kibitz.arena.contest import Effort, Played
    from kibitz.arena.match import Match

ONE, TWO = 0, 1
SITS = ("one", "two")
COLUMNS = ("game", "pair", "first", "winner", "utility", "opening", "seed", "moves")
FURTHER = ("ended", *SITS)
ENDED = "end"  # by the rules


# --- told ---


def told(match: Match) -> str:
    """A few lines for people."""
    e = match.estimate
    names = [f"{SITS[who]}: {match.name(who)}" for who in (ONE, TWO)]
    width = max(len(name) for name in names)
    lines = [f"{'':{width}}   score   wins  draws  losses   nodes/move  depth  seconds/move"]
    counts = ((match.wins, match.draws, match.losses), (match.losses, match.draws, match.wins))
    for who in (ONE, TWO):
        effort, moves = match.effort(who), max(1, match.effort(who).moves)
        score = e.score if who == ONE else 1.0 - e.score
        won, drawn, lost = counts[who]
        spent = f"{effort.nodes / moves:12.0f} {effort.depths / moves:6.1f} {effort.seconds / moves:13.4f}"
        lines.append(f"{names[who]:{width}} {score:7.3f} {won:6} {drawn:6} {lost:7} {spent}")
    low, high = e.interval
    lines.append(
        f"score of one {e.score:.3f}, 95 % interval {low:.3f} to {high:.3f} (Student's t over {len(match.pairs)} pairs, one won and one lost added)"
    )
    lines.append(
        f"Elo {_signed(e.elo)} ({_signed(e.elo_interval[0])} to {_signed(e.elo_interval[1])}), better with likelihood {e.superiority:.3f}"
    )
    mean = match.utility(ONE)
    if mean is not None:
        lines.append(f"mean utility of one {mean:+.3f}")
    lines += _forfeits(match)
    lines += _late(match)
    if match.interrupted:
        lines.append(f"stopped after {len(match.games)} of {match.wanted} games")
    return "\n".join([*lines, *match.notes, *([match.unwritten] if match.unwritten else [])])


def _forfeits(match: Match) -> list[str]:
    """Who lost games otherwise than by the rules, how many, and why."""
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


def as_dict(match: Match) -> dict[str, Any]:
    """For programs. An infinite Elo difference is the text "inf" or "-inf"."""
    e = match.estimate
    return {
        "game": match.contestants[ONE].game.label,
        "one": _contestant(match, ONE),
        "two": _contestant(match, TWO),
        "games": len(match.games),
        "wanted": match.wanted,
        "wins": match.wins,
        "draws": match.draws,
        "losses": match.losses,
        "score": e.score,
        "interval": list(e.interval),
        "elo": _plain(e.elo),
        "elo_interval": [_plain(end) for end in e.elo_interval],
        "superiority": e.superiority,
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


# --- the games in a file ---


def check_place(path: Path) -> None:
    """Refuse a place where no file can be written, before hours of play."""
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; give the name of a file")
    folder = path.parent
    if not folder.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise InputError(f"cannot write {path}: writing there is not allowed")


def line_of(game: Played) -> str:
    """A game as its line."""
    winner = "draw" if game.score == 0.5 else SITS[ONE] if game.score == 1.0 else SITS[TWO]
    fields = (
        game.number + 1,
        game.stream + 1,
        SITS[game.first],
        winner,
        f"{game.utilities[ONE]:+g}",
        game.opening,
        f"{game.seed}:{game.stream}",
        " ".join(game.moves),
        game.forfeit or ENDED,
        *(_spent(game.utilities[who], game.efforts[who]) for who in (ONE, TWO)),
    )
    return "\t".join(map(str, fields))


def _spent(utility: float, e: Effort) -> str:
    return f"{utility!r}/{e.moves}/{e.nodes}/{e.depths}/{e.seconds:.6f}/{e.late}/{e.latest:.6f}"


def read(path: Path) -> list[dict[str, str]]:
    """The lines of a file of games, each as its fields."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"cannot read {path}: it is not text") from None
    return [fields_of(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line and not line.startswith("#")]


def fields_of(line: str, place: str) -> dict[str, str]:
    """Of one line; `place` says where it is."""
    fields = line.split("\t")
    for columns in ((*COLUMNS, *FURTHER), COLUMNS):
        if len(fields) == len(columns):
            return dict(zip(columns, fields, strict=True))
    raise InputError(f"{place}: a line has {len(COLUMNS)} fields or more, with tabs between them: {', '.join((*COLUMNS, *FURTHER))}")
