"""Claims about random games that are graphs: positions met again on other paths, points banked, every rule on repetition; against plain recursion along the path.

What is called proven or disproven must be true, with the history of the game; where nothing can come up again nothing may be left unknown.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from kibitz.core.protocol.rules import CYCLE_FREE
from kibitz.searches.proof.prove import prove
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN
from kibitz.tables.proof.file import BadProof, verify
from tests.differential.cases import on
from tests.differential.families import FAMILIES
from tests.naive_graphs import TooLarge, Truth

PLAIN = ("plain", "wins", "scores", "lopsided", "reals", "tenths", "bank", "purse", "big")
REPEATING = ("draws", "thrice", "losing", "superko")


def sweep(family: str, seeds: range, interpreted: bool) -> Counter[str]:
    said: Counter[str] = Counter()
    kind = FAMILIES[family]
    nodes = (
        0 if kind.repetition == CYCLE_FREE else 3_000 if interpreted else 1_000_000
    )  # strategies are walked line by line where positions repeat
    for seed in seeds:
        rng = Random(f"{family}:{seed}")
        graph = kind.draw(rng, interpreted)
        truth, position = Truth(graph, kind.game.constants), kind.position(graph)
        here = truth.first()
        for _ in range(rng.randrange(3)):
            edges = [e for e in truth.moves(here) if truth.moves(truth.after(here, e))]
            if edges:
                edge = rng.choice(edges)
                position, here = position.play(edge.label), truth.after(here, edge)
        if not truth.moves(here):
            continue
        player = rng.randrange(2)
        try:
            worth = truth.value(here)[player]
        except TooLarge:
            continue
        bound = worth + rng.choice((-0.3, 0.0, 0.0, 1e-3, 1.0))
        method = rng.choice(("dfpn", "dfpn", "pn", "pn2"))
        found = prove(
            position,
            f"value >= {bound!r}",
            player,
            method=method,
            memory=rng.choice((0.001, 0.5)) if method == "dfpn" else 0.5,
            nodes=nodes,
        )
        said[found.verdict] += 1
        assert found.verdict in (UNKNOWN, PROVEN if worth >= bound else "disproven"), (family, seed, method, worth, bound)
        if found.verdict != UNKNOWN and found.strategy is not None:
            verify(found.strategy)
            said["merged"] += found.strategy.merged
            said["forged"] += forged(found.strategy, truth, here, bound, rng)
        if kind.repetition == CYCLE_FREE:
            assert found.verdict != UNKNOWN
        if rng.random() < 0.3:
            limited(position, bound, player, truth, here, rng)
    return said


def forged(strategy, truth, here, bound, rng):  # type: ignore[no-untyped-def]
    """How many strategies that somebody changed are refused: those that are not must show what is true, with the history of the game."""
    refused = 0
    for _ in range(3):
        wrong = strategy
        if len(strategy.choices) and rng.random() < 0.8:
            choices = strategy.choices.copy()
            choices[rng.randrange(len(choices))] = rng.randrange(4)
            wrong = replace(wrong, choices=choices)
        if rng.random() < 0.3:
            wrong = replace(wrong, verdict=DISPROVEN if wrong.verdict == PROVEN else PROVEN)
        if rng.random() < 0.3:
            wrong = replace(wrong, claim=replace(wrong.claim, within=rng.randrange(1, 6)))
        wrong = told(replace(wrong, merged=rng.random() < 0.8))
        try:
            verify(wrong)
        except BadProof:
            refused += 1
        else:
            within = wrong.claim.within
            worth = reached(truth, here, bound, wrong.claim.player, within) if within else truth.value(here)[wrong.claim.player] >= bound
            assert worth == (wrong.verdict == PROVEN)
    return refused


def told(strategy):  # type: ignore[no-untyped-def]
    """With the numbers of positions and plies that the walk finds, so that it is not refused for these."""
    for _ in range(3):
        try:
            return verify(strategy)
        except BadProof as fault:
            found = re.search(r"there are (\d+) positions and a longest line of (\d+)", str(fault))
            more = re.search(r"more positions than|(\d+) more moves than", str(fault))
            if found:
                strategy = replace(strategy, positions=int(found[1]), longest=int(found[2]))
            elif more and more[1]:
                strategy = replace(strategy, choices=strategy.choices[: len(strategy.choices) - int(more[1])])
            elif more:
                strategy = replace(strategy, positions=100_000)
    return strategy


def limited(position, bound, player, truth, here, rng):  # type: ignore[no-untyped-def]
    """The same claim within a few plies: always answered, except where repetition spoils it, and a proof of it is one without the limit."""
    within = rng.randrange(1, 5)
    found = prove(
        position, f"value >= {bound!r}", player, within=within, nodes=0 if truth.repetition == CYCLE_FREE else 3_000, with_strategy=True
    )
    if found.strategy is not None:
        forged(found.strategy, truth, here, bound, rng)
    wanted = reached(truth, here, bound, player, within)
    assert found.verdict in (UNKNOWN, PROVEN if wanted else "disproven")
    if truth.repetition == CYCLE_FREE:
        assert found.verdict != UNKNOWN


def reached(truth, here, bound, player, left):  # type: ignore[no-untyped-def]
    """By plain recursion: is the game over within so many plies, and worth the bound?"""
    if truth.player(here) < 0:
        return truth.end(here)[player] >= bound
    if left == 0:
        return False
    answers = [reached(truth, truth.after(here, e), bound, player, left - 1) for e in truth.moves(here)]
    return any(answers) if truth.player(here) == player else all(answers)


@pytest.mark.once
@pytest.mark.parametrize("family", [*PLAIN, *REPEATING])
def test_what_is_said_is_true(family: str) -> None:
    with on("python"):
        said = sweep(family, range(50, 110) if family in PLAIN else range(25), interpreted=True)
    assert said[PROVEN] > 0
    assert said["disproven"] > 0
    assert said["forged"] > 0 or family in PLAIN
    assert (said["merged"] > 0) == (family in ("draws", "thrice"))


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("family", [*PLAIN, *REPEATING])
def test_thousands(family: str) -> None:
    said = sweep(family, range(1000, 2500), interpreted=False)
    assert said[PROVEN] > 100
    assert said["disproven"] > 100


@pytest.mark.once
def test_a_position_reached_by_a_pass_is_no_repetition() -> None:
    """Of the first position nothing is left out, whatever came before: found by the sweep."""
    with on("python"):
        assert sweep("superko", range(2024, 2025), interpreted=True)["disproven"] == 0
