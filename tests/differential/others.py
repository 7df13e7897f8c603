"""Cases of other kinds than a search of an open game: claims put to `prove`, games of hidden information, what is sure in them."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError
from tests.differential import beliefs, claims, patience, secrets
from tests.differential.cases import on
from tests.naive_graphs import TooLarge


@dataclass(frozen=True)
class Kind:
    """How to draw a case by a seed and its number, and what is wrong with what came of it."""

    draw: Callable[[int, int, bool], Any]
    faults: Callable[[Any], Iterator[str]]


KINDS = {
    "claims": Kind(claims.draw, claims.faults),
    "secrets": Kind(secrets.draw, secrets.faults),
    "beliefs": Kind(beliefs.draw, beliefs.faults),
}


def sweep(kind: Kind, seed: int, first: int, cases: int, target: str, checked: bool = False) -> Iterator[tuple[int, Any, list[str]]]:
    """The cases in which something is wrong: number, case, faults."""
    with on(target, checked):
        for number in range(first, first + cases):
            case = kind.draw(seed, number, target == "python")
            if case is None:
                continue
            wrong = run(kind, case, target)
            if wrong:
                yield number, case, wrong
            if any(said == LATE for said in wrong):
                return


LATE = "it took too long"


def run(kind: Kind, case: Any, target: str) -> list[str]:
    """What is wrong with one case."""
    seconds = patience.INTERPRETED if target == "python" else patience.COMPILED
    try:
        with patience.limited(seconds, case) as alarm:
            wrong = list(kind.faults(case))
    except patience.TookTooLong:
        return [LATE]
    except TooLarge:
        return []
    except KibitzError as error:
        return [f"refused: {error}"]
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return [f"{type(error).__name__}: {error}", f"at {Path(place.filename).name}:{place.lineno} in {place.name}"]
    return [*wrong, LATE] if alarm.rang else wrong
