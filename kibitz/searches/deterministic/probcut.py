"""ProbCut (Buro 1995) and Multi-ProbCut (Buro 1997): a shallow search predicts the value of a deep one.

Over many positions the deep value is close to `a * shallow + b`, with a standard error sigma: the numbers of a `Cut`, one for each pair of depths,
measured by `kibitz tune probcut GAME` from the engine's own games. They hold for one evaluation: they are stored with its fingerprint, and a game
whose evaluation has changed since is asked to measure again.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core import files
from kibitz.core.compiling.binder import options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game
from kibitz.core.records.record import record

DEPTHS = 33  # deep searches of 1 to 32 plies
CHECKS = 4  # shallow depths for one deep depth, at most
SHIPPED = Path(__file__).parent / "measured"
FINGERPRINT_GAMES = 4  # random games whose evaluations make the fingerprint

Place = record(shallow=np.int64, a=np.float64, b=np.float64, margin=np.float64)
FIELDS = {"cuts": (Place, (DEPTHS, CHECKS))}


@dataclass(frozen=True)
class Cut:
    """What a search `shallow` plies deep says of one `deep` plies deep."""

    shallow: int
    deep: int
    a: float
    b: float
    sigma: float
    positions: int  # that it was measured on


# --- kernels ---


def enough(cut: Any, beta: float, mover: int) -> float:
    """The shallow value from which on the deep one reaches beta, as good as surely."""
    more = options.SUM if mover == 1 else 0.0  # what was measured are players' own values: see kibitz/searches/window/node.py
    return (beta + more + cut.margin - cut.b) / cut.a - more


def too_little(cut: Any, alpha: float, mover: int) -> float:
    """The shallow value up to which the deep one stays below alpha, as good as surely."""
    more = options.SUM if mover == 1 else 0.0
    return (alpha + more - cut.margin - cut.b) / cut.a - more


# --- shell ---


def fill(places: Any, cuts: Sequence[Cut], errors: float, checks: int) -> None:
    """Write the cuts to a workspace: for every deep depth the `checks` shallow ones nearest to half of it, the cheapest first."""
    for deep in range(1, DEPTHS):
        fitting = sorted((c for c in cuts if c.deep == deep and c.a > 0), key=lambda c: abs(2 * c.shallow - c.deep))[:checks]
        for check, cut in enumerate(sorted(fitting, key=lambda c: c.shallow)):
            place = places[deep, check]
            place.shallow, place.a, place.b, place.margin = cut.shallow, cut.a, cut.b, errors * cut.sigma


@cache
def fingerprint(game: Game) -> str:
    """Stands for the evaluation that the numbers were measured with: what it says in some random games."""
    chance, evaluate, said = random.Random(1), game.rule("evaluate"), []
    for _ in range(FINGERPRINT_GAMES):
        position = game.start
        while not position.is_over:
            said.append(f"{evaluate(position.state, 0):.9g}")
            position = position.play(chance.choice(position.moves))
    return hashlib.sha256(" ".join(said).encode()).hexdigest()


def stored(game: Game) -> Path:
    """Where the numbers of a game are kept once measured here."""
    return files.data_folder() / "probcut" / f"{_as_file_name(game)}.json"


def _as_file_name(game: Game) -> str:
    """A parameter may be a path."""
    return re.sub(r"[^\w(),.= -]+", "_", game.label)


def store(game: Game, cuts: Sequence[Cut], path: Path | None = None) -> Path:
    """Keep the numbers for every later search of this game, or in a file of one's own."""
    if path is None:
        path = stored(game)
        files.make_folder(path.parent)
    files.write_json(path, {"game": game.label, "fingerprint": fingerprint(game), "cuts": [asdict(c) for c in cuts]})
    return path


def measured(game: Game) -> list[Cut]:
    """The numbers measured here, or else those that come with kibitz; refuses those of another evaluation."""
    advice = f"measure it: kibitz tune probcut {game.name}"
    found = [path for path in (stored(game), SHIPPED / f"{_as_file_name(game)}.json") if path.exists()]
    if not found:
        raise InputError(f"probcut: nothing is known of how shallow searches of {game.label} foretell deep ones; {advice}")
    for path in found:
        content = files.read_json(path, "ProbCut's numbers")
        if content["fingerprint"] == fingerprint(game):
            return [Cut(**c) for c in content["cuts"]]
    raise InputError(f"probcut: the evaluation of {game.label} has changed since its numbers were measured; {advice}")
