"""Claims about random games, put to `prove` with random settings: what is called proven or disproven is true, and whoever trusts only the rules can check it.

Where nothing can come up again nothing may be left unknown, except by a limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from kibitz.core.position.game import Position
from kibitz.core.protocol.rules import CYCLE_FREE, DRAW
from kibitz.searches.proof.prove import METHODS, Proof, prove
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN
from kibitz.tables.proof.file import BadProof, Strategy, verify
from tests.differential.families import FAMILIES
from tests.naive_graphs import Standing, TooLarge, Truth

PLAIN = ("plain", "wins", "scores", "lopsided", "reals", "tenths", "bank", "purse", "big")
REPEATING = ("draws", "thrice", "losing", "superko")
BEYOND = (-0.3, 0.0, 0.0, 1e-3, 1.0)  # what is claimed besides the true value
MOST_PIECES = 12
INTERPRETED, COMPILED = 3_000, 1_000_000  # nodes, where strategies are walked line by line as positions repeat


@dataclass(frozen=True)
class Claim:
    """One question, and what is true."""

    family: str
    position: Position
    here: Standing
    truth: Truth
    player: int
    bound: float
    within: int  # plies; 0: any number
    settings: dict[str, Any]
    graph: Any
    piece: int = 0  # nodes after which the search is stopped, to go on from its file; 0: it is not

    def __str__(self) -> str:
        within = f" within {self.within} plies" if self.within else ""
        pieces = f", {self.piece} nodes at a time" if self.piece else ""
        return f"{self.family}: value >= {self.bound!r} for player {self.player + 1}{within}, {self.settings}{pieces}"

    def ask(self) -> Proof:
        goal, given = f"value >= {self.bound!r}", {"within": self.within, **self.settings}
        if not self.piece:
            return prove(self.position, goal, self.player, **given)
        with TemporaryDirectory() as folder:
            file = str(Path(folder) / "saved")
            for _ in range(MOST_PIECES):
                found = prove(self.position, goal, self.player, **{**given, "nodes": self.piece, "resume": file})
                if found.ended != "nodes":
                    return found
            return prove(self.position, goal, self.player, **{**given, "resume": file})

    @property
    def is_true(self) -> bool:
        if self.within:
            return reached(self.truth, self.here, self.bound, self.player, self.within)
        return self.truth.value(self.here)[self.player] >= self.bound

    @property
    def must_be_answered(self) -> bool:
        return self.truth.repetition == CYCLE_FREE and not 0 < self.settings["nodes"] < INTERPRETED and self.settings["memory"] >= 0.5


def draw(seed: int, number: int, interpreted: bool) -> Claim | None:
    """Claim `number` of a run with this seed; None where there is nothing to ask."""
    rng = Random(f"{seed}:claim:{number}")
    return drawn(rng.choice((*PLAIN, *REPEATING)), rng, interpreted)


def drawn(family: str, rng: Random, interpreted: bool) -> Claim | None:
    """A claim about a random position of a random game of the family."""
    kind = FAMILIES[family]
    graph = kind.draw(rng, interpreted)
    truth, position = Truth(graph, kind.game.constants), kind.position(graph)
    here = truth.first()
    for _ in range(rng.randrange(3)):
        edges = [e for e in truth.moves(here) if truth.moves(truth.after(here, e))]
        if edges:
            edge = rng.choice(edges)
            position, here = position.play(edge.label), truth.after(here, edge)
    if not truth.moves(here):
        return None
    player = rng.randrange(2)
    try:
        worth = truth.value(here)[player]
    except TooLarge:
        return None
    bound, within = worth + rng.choice(BEYOND), rng.choice((0, 0, 0, rng.randrange(1, 5)))
    method = rng.choice(("dfpn", *METHODS))
    settings = {
        "method": method,
        "memory": rng.choice((0.001, 0.5)) if method == "dfpn" else 0.5,
        "leaf": rng.choice(("one", "moves")),
        "order": rng.random() < 0.5 and kind.game.defines("order"),
        "threads": rng.choice((1, 1, 2, 3)) if method == "dfpn" else 1,
        "nodes": 0 if kind.repetition == CYCLE_FREE else INTERPRETED if interpreted else COMPILED,
        "with_strategy": rng.random() < 0.5,
    }
    if rng.random() < 0.1:
        settings["nodes"] = rng.randint(1, 200)
    settings["shortest"] = rng.random() < 0.2
    piece = rng.randint(5, 300) if method == "dfpn" and rng.random() < 0.25 else 0
    return Claim(family, position, here, truth, player, bound, within, settings, graph, piece)


def faults(claim: Claim) -> Iterator[str]:
    """All that is wrong with the answer."""
    found, wanted = claim.ask(), PROVEN if claim.is_true else DISPROVEN
    if found.verdict not in (UNKNOWN, wanted):
        yield f"it is called {found.verdict}; it is {wanted}"
    elif found.verdict == UNKNOWN and claim.must_be_answered:
        yield f"it is called unknown ({found.ended}); it is {wanted}"
    elif found.verdict != UNKNOWN and found.strategy is not None:
        try:
            verify(found.strategy)
        except Exception as error:
            yield f"what shows it does not: {error}"
        else:
            yield from forged(claim, found.strategy)


def forged(claim: Claim, strategy: Strategy) -> Iterator[str]:
    """Strategies that somebody changed, and that are not refused though they show what is not true with the history of the game."""
    rng = Random(str(claim))
    for _ in range(2):
        wrong, choices = strategy, strategy.choices.copy()
        if len(choices) and rng.random() < 0.8:
            choices[rng.randrange(len(choices))] = rng.randrange(4)
            wrong = replace(wrong, choices=choices)
        if rng.random() < 0.3:
            wrong = replace(wrong, verdict=DISPROVEN if wrong.verdict == PROVEN else PROVEN)
        if rng.random() < 0.3:
            wrong = replace(wrong, claim=replace(wrong.claim, within=rng.randrange(1, 6)))
        wrong = fitted(replace(wrong, merged=rng.random() < 0.8 and claim.truth.repetition == DRAW))
        try:
            verify(wrong)
        except BadProof:
            continue
        if replace(claim, within=wrong.claim.within).is_true != (wrong.verdict == PROVEN):
            yield f"a forged strategy is taken for one that shows: {wrong}"


def fitted(strategy: Strategy) -> Strategy:
    """With as many positions and plies as the walk finds, so that it is not refused for these."""
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


def reached(truth: Truth, here: Standing, bound: float, player: int, left: int) -> bool:
    """By plain recursion: is the game over within the given plies, and worth the bound?"""
    if truth.player(here) < 0:
        return truth.end(here)[player] >= bound
    if left == 0:
        return False
    answers = [reached(truth, truth.after(here, e), bound, player, left - 1) for e in truth.moves(here)]
    return any(answers) if truth.player(here) == player else all(answers)
