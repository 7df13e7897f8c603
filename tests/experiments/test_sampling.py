"""The experiments on sampling: what they measure is what they say, and the bound is the one that is quoted."""

import math
from typing import Any

import numpy as np
import pytest

from kibitz.core.records import random
from kibitz.core.records.random import Rng
from kibitz.core.records.record import blank
from kibitz.experiments import pi, sparse
from kibitz.experiments.experiment import Finished, experiment
from kibitz.experiments.measuring import searched
from kibitz.experiments.statistics import Estimate
from tests import naive

TINY = sparse.Place("ballard", 2, 2, 1, {"levels": "+*-", "branching": 2, "chances": 3}, whole=True)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    monkeypatch.setitem(sparse.PLACES, "tiny", TINY)


def finished(name: str, given: dict[str, Any]) -> tuple[dict[str, Any], list[Finished]]:
    """All shards of an experiment."""
    e = experiment(name)
    settings = e.settings(given, name)
    return settings, [Finished(shard.inputs, e.run(shard.inputs)) for shard in e.shards(settings)]


# --- pi ---


def test_throws_are_those_of_the_generator() -> None:
    rng = blank(Rng)
    with np.errstate(over="ignore"):
        random.seed(rng, 17, 0)
        drawn = [random.unit(rng) for _ in range(40)]
    for first in (0, 5):
        x, y = pi.thrown(17, first, 15)
        assert [v for pair in zip(x, y, strict=True) for v in pair] == drawn[2 * first : 2 * first + 30]


def test_hits_do_not_depend_on_the_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pi.hits(3, 1000)
    monkeypatch.setattr(pi, "PIECE", 64)
    assert pi.hits(3, 1000) == whole
    x, y = pi.thrown(3, 0, 1000)
    assert whole == sum(a * a + b * b < 1 for a, b in zip(x, y, strict=True))


def test_pi_sums_up() -> None:
    settings, results = finished("pi", {"runs": 60, "throws": "100,10000"})
    rows = pi.summarise(settings, results).rows
    assert [(r["throws"], r["runs"]) for r in rows] == [(100, 60), (10_000, 60)]
    for r in rows:
        estimate, error, expected = r["mean of all"], r["error"], r["expected error"]
        assert isinstance(estimate, Estimate)
        assert isinstance(error, float)
        assert isinstance(expected, float)
        assert abs(estimate.value - math.pi) < 4 * expected / math.sqrt(60)
        assert 0.7 < error / expected < 1.3
    assert rows[1]["expected error"] == pytest.approx(0.016422, abs=1e-6)


# --- sparse ---


def test_the_bound_is_the_one_of_the_theorem() -> None:
    place = sparse.Place("pig", 1, 4, 2)
    assert sparse.promised(3.0, 1000, place, 10.0) == pytest.approx(1 - (2 * 1000 * 4) ** 2 * math.exp(-9 * 1000 / 200))
    assert sparse.promised(0.1, 10, place, 10.0) == 0.0
    reach = sparse.reach_of(0.95, 1000, place, 10.0)
    assert sparse.promised(reach, 1000, place, 10.0) == pytest.approx(0.95)
    assert sparse.reach_of(0.95, 3, place, 10.0) == math.inf


@pytest.mark.parametrize("name", [n for n in sparse.PLACES if n != "tiny"])
def test_positions_are_fixed_and_what_the_bound_is_told_of_them_is_true(name: str) -> None:
    place = sparse.PLACES[name]
    first = [sparse.position(name, number) for number in range(6)]
    assert first == [sparse.position(name, number) for number in range(6)]
    assert name == "dice" or len(set(first)) == 6
    for p in first[:2]:
        assert not p.is_over
        assert p.is_chance == (name == "dice")

    def nodes(p: Any, left: int) -> tuple[int, int]:
        """Chance positions that may come next, and how many on one path at most; only some outcomes are followed."""
        if p.is_over or (left == 0 and not p.is_chance):
            return 0, 0
        below = [nodes(p.play(m), left if p.is_chance else left - 1) for m in (p.moves[::5] if p.is_chance else p.moves)]
        if p.is_chance:
            assert all(next_ones <= place.moves for next_ones, _ in below)
            return 1, 1 + max(d for _, d in below)
        return sum(c for c, _ in below), max(d for _, d in below)

    c, d = nodes(first[0], place.depth)
    assert c <= place.moves
    assert d == place.chances


def test_sparse_measures_errors() -> None:
    inputs = {"place": "tiny", "first": 2, "count": 2, "seeds": 3}
    drawn = sparse.run({**inputs, "how": sparse.DRAWN, "sizes": [1, 400]})
    for number, found in zip((2, 3), drawn["400"], strict=True):
        p = sparse.position("tiny", number)
        true = naive.expectiminimax(p)
        again = [searched(p, f"star2(table=0, deepening=false, sample=400, seed={s})", 2).value for s in range(3 * number, 3 * number + 3)]
        assert found["off"] == pytest.approx([value - true for value in again])
        assert found["k"] == [400] * 3
    spread = {size: max(abs(off) for one in found for off in one["off"]) for size, found in drawn.items()}
    assert spread["400"] < 8 < spread["1"]  # leaves are worth 0 to 100
    grown = sparse.run({**inputs, "how": sparse.GROWING, "sizes": [40]})
    assert all(1 <= k <= 3 for one in grown["40"] for k in one["k"])


def test_sparse_sums_up() -> None:
    settings, results = finished("sparse", {"positions": 2, "seeds": 3, "samples": "2,900", "playouts": "30", "places": "tiny"})
    summary = sparse.summarise(settings, results)
    assert [(r["search"], r["k"], r["playouts"]) for r in summary.rows[:2]] == [("drawn", 2.0, None), ("drawn", 900.0, None)]
    assert {r["search"] for r in summary.rows} == {"drawn", "growing", "all"}
    assert summary.rows[0]["bound: below %"] is None  # nothing is promised for so few
    many = summary.rows[1]
    promised, measured = many["bound: below %"], many["95 of 100 below %"]
    assert isinstance(promised, float)
    assert isinstance(measured, float)
    assert measured < promised < 100
    assert many["within %"] == 100.0
    assert summary.notes == ("lambda = 0.25 v: the bound holds in every row of drawn samples",)
