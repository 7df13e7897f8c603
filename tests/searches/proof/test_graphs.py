"""Claims about random games that are graphs: positions met again on other paths, points banked, every rule on repetition; against plain recursion along the path.

What is called proven or disproven must be true, with the history of the game; where nothing can come up again nothing may be left unknown.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from kibitz.tables.proof.claim import DISPROVEN, PROVEN
from tests.differential import claims
from tests.differential.cases import on
from tests.differential.claims import PLAIN, REPEATING


def sweep(family: str, seeds: range, interpreted: bool) -> tuple[int, int]:
    """How many claims were true, and how many not."""
    said = [0, 0]
    for seed in seeds:
        claim = claims.drawn(family, Random(f"{family}:{seed}"), interpreted)
        if claim is not None:
            assert list(claims.faults(claim)) == [], (seed, str(claim))
            said[claim.is_true] += 1
    return said[True], said[False]


@pytest.mark.once
@pytest.mark.parametrize("family", [*PLAIN, *REPEATING])
def test_what_is_said_is_true(family: str) -> None:
    with on("python"):
        true, untrue = sweep(family, range(50, 110) if family in PLAIN else range(25), interpreted=True)
    assert true > 0
    assert untrue > 0


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("family", [*PLAIN, *REPEATING])
def test_thousands(family: str) -> None:
    true, untrue = sweep(family, range(1000, 2500), interpreted=False)
    assert true > 100
    assert untrue > 100


@pytest.mark.once
def test_a_position_reached_by_a_pass_is_no_repetition() -> None:
    """Of the first position nothing is left out, whatever came before: found by the sweep."""
    claim = claims.drawn("superko", Random("superko:2024"), True)
    assert claim is not None
    assert claim.is_true
    usual = {"method": "dfpn", "memory": 0.5, "nodes": 3_000}
    with on("python"):
        assert replace(claim, within=0, settings=usual).ask().verdict != DISPROVEN


@pytest.mark.once
def test_an_earlier_question_may_have_met_the_end_of_the_plies() -> None:
    """Positions that can be reached in more or fewer plies: what the table knew of them from a question about fewer hid that lines go on, and a win was called none."""
    claim = claims.drawn("plain", Random("plain:short:22"), True)
    assert claim is not None
    assert claim.is_true
    settings = {"method": "dfpn", "memory": 0.001, "nodes": 0, "shortest": True}
    with on("python"):
        assert replace(claim, within=0, settings=settings).ask().verdict == PROVEN
