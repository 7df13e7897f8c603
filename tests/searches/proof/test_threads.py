"""df-pn with several threads on one table: the same answers, proofs that stand, limits heeded."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.core.records.record import blank, record
from kibitz.searches.proof import memory
from kibitz.searches.proof.prove import prove
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN
from kibitz.tables.proof.file import verify
from tests.differential.cases import on
from tests.naive import minimax
from tests.searches.proof.naive_pn import random_tree

KEY = np.uint64(0x123456789ABCDEF1)
TREES = kb.load("trees", tree="[0, 1]", capacity=256, low=-9, high=20)


def sweep(trees: range) -> None:
    for seed in trees:
        rng = Random(seed)
        position = TREES.position(random_tree(rng, list(range(-9, 21, 3)), depth=rng.choice((3, 5, 6))))
        player, bound = rng.randrange(2), rng.randrange(-9, 21)
        true = minimax(position, player) >= bound
        found = prove(
            position, f"value >= {bound}", player, threads=rng.choice((2, 3, 4)), memory=rng.choice((0.001, 0.1)), with_strategy=True
        )
        assert found.verdict == (PROVEN if true else DISPROVEN), seed
        assert found.strategy is not None
        verify(found.strategy)


@pytest.fixture
def all_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little it took: small trees would have nothing to share."""
    monkeypatch.setattr(memory, "MANY", 2)
    monkeypatch.setattr(memory, "MUCH", 8)


@pytest.mark.once
@pytest.mark.usefixtures("all_shared")
def test_random_trees_interpreted() -> None:
    with on("python"):
        sweep(range(2000, 2060))


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.usefixtures("all_shared")
def test_thousands_of_random_trees() -> None:
    sweep(range(20_000, 25_000))


@pytest.mark.once
@pytest.mark.usefixtures("all_shared")
def test_a_game_that_repeats_and_lengths() -> None:
    with on("python"):
        found = prove(kb.load("chess").position("7k/8/5K2/8/8/8/8/6R1 w - - 0 1"), "win", shortest=True, leaf="moves", threads=2)
    assert (found.verdict, found.claim.within) == (PROVEN, 3)


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "parameters", "moves", "verdict"),
    [
        ("mnk", {"m": 4, "n": 4, "k": 4}, "", DISPROVEN),
        ("domineering", {"rows": 5, "columns": 5}, "", DISPROVEN),
        ("hex", {"size": 4}, "", PROVEN),
        ("breakthrough", {"rows": 5, "columns": 4}, "", DISPROVEN),
    ],
)
@pytest.mark.parametrize("threads", [2, 4])
def test_the_same_claims(game: str, parameters: dict[str, int], moves: str, verdict: str, threads: int) -> None:
    found = prove(kb.load(game, **parameters).position(moves), "win", 0, memory=64, threads=threads, with_strategy=True)
    assert found.verdict == verdict
    assert found.strategy is not None
    verify(found.strategy)


@pytest.mark.once
def test_limits_and_refusals() -> None:
    start = kb.load("mnk", m=4, n=4, k=4).start
    with on("python"):
        spent = prove(start, nodes=200, threads=2)
        assert (spent.verdict, spent.ended) == (UNKNOWN, "nodes")
        assert spent.nodes < 400
        late = prove(start, time=0.2, threads=3)
        assert (late.verdict, late.ended) == (UNKNOWN, "time")
    with pytest.raises(InputError, match="pn searches with one thread"):
        prove(start, method="pn", threads=2)
    with pytest.raises(InputError, match="from 1 to 256"):
        prove(start, threads=0)


@pytest.mark.once
def test_an_entry_half_written_is_nobodys() -> None:
    """What a thread reads while another one writes: the key of one position, the numbers of another."""
    with on("python"), np.errstate(over="ignore"):
        table, w = memory.allocated(0.01), blank(record(used=np.int64, **memory.FIELDS))
        memory.attach(w, table)
        memory.keep(w, table, KEY, 7, 9, 100)
        known = memory.recall(w, table, KEY)
        assert (memory.proof_in(known), memory.disproof_in(known)) == (7, 9)
        place = next(i for i in range(len(table)) if table[i]["numbers"])
        table[place]["numbers"] ^= np.uint64(1)
        assert memory.recall(w, table, KEY) == memory.NOTHING
