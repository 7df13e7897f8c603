"""The weights of an evaluation, in a file beside the game that uses them: written by `kibitz tune eval`, read when the game is loaded.

A row of weights has one number for each feature. An evaluation has one row, or two where its weights change with the phase of the game: the
opening's and the ending's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kibitz.core.errors import InputError, RulesError
from kibitz.core.files import read_json, write_json
from kibitz.core.protocol.parameters import note_file, parameter

Row = tuple[float, ...]
Weights = Row | tuple[Row, Row]

DIGITS = 6  # significant ones of a weight in its file; more would claim more than games can tell


def fitted(file: str | Path, features: Sequence[str], start: Any) -> Any:
    """The weights to use, as the game's parameter `weights` says; `file` is the game's own, `__file__`.

    `fitted`: those in the file beside the game (`my_game_weights.json` beside `my_game.py`), or `start` while there is no such file; `start`: the
    ones given here, made by hand; `none`: all zero; or the path of another file of weights. They come in the shape of `start`.
    """
    known = checked(start, features, "the weights to start from")
    chosen = parameter("weights", "fitted", about="of the evaluation: fitted, start (made by hand), none, or the path of a .json file")
    if chosen in ("start", "none"):
        return known if chosen == "start" else _zero(known)
    if chosen == "fitted":
        path = beside(file)
        note_file(path)
        return read(path, features, known) if path.exists() else known
    if not chosen.endswith(".json"):
        raise InputError(f"parameter weights={chosen}: must be fitted, start, none or the path of a .json file")
    path = Path(chosen).expanduser()
    note_file(path)
    return read(path, features, known)


def beside(file: str | Path) -> Path:
    """Where the weights of the game in `file` lie."""
    path = Path(file)
    return path.with_name("weights.json") if path.name == "__init__.py" else path.with_name(f"{path.stem}_weights.json")


def read(path: Path, features: Sequence[str], like: Weights) -> Weights:
    """The weights in a file, which must be for these features and of the shape of `like`."""
    content = read_json(path, "weights")
    again = "fit them again with kibitz tune eval"
    if not isinstance(content, dict) or "weights" not in content:
        raise InputError(f"{path} holds no weights; {again}")
    if content.get("features") != list(features):
        raise InputError(f"{path} has weights for other features than the game's ({', '.join(features)}); {again}")
    try:
        found = checked(content["weights"], features, str(path))
    except RulesError as error:
        raise InputError(f"{error}; {again}") from None
    if tapers(found) != tapers(like):
        raise InputError(f"{path} has {'two rows' if tapers(found) else 'one row'} of weights, the game wants another number; {again}")
    return found


def write(path: Path, game: str, features: Sequence[str], weights: Weights, how: Any) -> None:
    """A file of weights; `how` tells where they come from."""
    write_json(path, {"game": game, "features": list(features), "weights": rounded(weights), "how": how})


def rounded(weights: Weights) -> Weights:
    """As many digits as a file holds."""
    rows = tuple(tuple(float(f"{w:.{DIGITS}g}") for w in row) for row in rows_of(weights))
    return (rows[0], rows[1]) if len(rows) == 2 else rows[0]


def rows_of(weights: Weights) -> tuple[Row, ...]:
    """One row or two."""
    return weights if tapers(weights) else (weights,)  # type: ignore[return-value]


def tapers(weights: Weights) -> bool:
    """Are there a row for the opening and one for the ending?"""
    return bool(weights) and isinstance(weights[0], tuple)


def checked(weights: Any, features: Sequence[str], what: str) -> Weights:
    """`weights` as tuples of real numbers; one for each feature, in one row or two."""
    wanted = f"one number for each of the {len(features)} features, or two rows of them for a game with phases"
    try:
        nested = len(weights) == 2 and all(isinstance(row, Sequence) for row in weights)
        rows = tuple(tuple(float(w) for w in row) for row in (weights if nested else (weights,)))
    except (TypeError, ValueError):
        raise RulesError(f"{what}: must be {wanted}") from None
    if any(len(row) != len(features) for row in rows) or not all(abs(w) < float("inf") for row in rows for w in row):
        raise RulesError(f"{what}: must be {wanted}; there are {' and '.join(str(len(row)) for row in rows)}")
    return (rows[0], rows[1]) if nested else rows[0]


def _zero(weights: Weights) -> Weights:
    rows = tuple((0.0,) * len(row) for row in rows_of(weights))
    return (rows[0], rows[1]) if len(rows) == 2 else rows[0]
