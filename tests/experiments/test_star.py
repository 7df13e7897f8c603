"""The experiments on chance: what they count and what they make of it. A handful of nodes each, interpreted."""

from typing import Any

import pytest

from kibitz.core.position.game import from_board
from kibitz.core.position.loading import load
from kibitz.experiments import ballard, sensitivity, star_ewn
from kibitz.experiments.experiment import Finished, experiment
from kibitz.experiments.statistics import Estimate
from tests import naive


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def finished(name: str, given: dict[str, Any]) -> tuple[dict[str, Any], list[Finished]]:
    """All shards of an experiment."""
    e = experiment(name)
    settings = e.settings(given, name)
    return settings, [Finished(shard.inputs, e.run(shard.inputs)) for shard in e.shards(settings)]


def test_ballard_counts_the_leaves_that_the_description_says() -> None:
    found = ballard.run({"kind": "handed-20", "levels": "+*-", "branching": 3, "chances": 2, "probes": [1, 2], "first": 0, "count": 3})
    game = load("ballard", levels="+*-", branching=3, chances=2, **ballard.KINDS["handed-20"])
    searches = {"Star1 0": (0, True), "Star2.5 cyclic 1": (1, True), "Star2.5 cyclic 2": (2, True), "Star2.5 sequential 2": (2, False)}
    for seed in range(3):
        tree = from_board(game, f"seed={seed}")
        for name, (h, cyclic) in searches.items():
            twin = naive.Star(0.0, 100.0, h, cyclic)
            twin.value(tree, -1000.0, 1000.0, 0, root=True)
            assert found[name][seed] == twin.leaves


def test_ballard_sums_up() -> None:
    settings, results = finished("ballard", {"trees": 2, "widths": "3", "chances": "2", "probes": "1,3", "kinds": "independent,handed-100"})
    summary = ballard.summarise(settings, results)
    assert [(r["search"], r["h"]) for r in summary.rows][:4] == [("Star0", None), ("Star0.5", None), ("Star1", None), ("Star2.5 cyclic", 1)]
    by_search = {(r["search"], r["h"]): r["handed-100 %"] for r in summary.rows}
    probed, star1 = by_search["Star2.5 cyclic", 3], by_search["Star1", None]
    assert isinstance(probed, Estimate)
    assert isinstance(star1, Estimate)
    assert probed.value >= star1.value
    assert by_search["Star2.5 sequential", 3] == star1  # all children of an outcome, then of the next: that is Star1
    assert any("root mean square" in note for note in summary.notes)


def test_trees_that_are_too_large_are_left_out() -> None:
    e = experiment("ballard")
    assert not e.shards(e.settings({"levels": "+*-*+", "widths": "64", "chances": "64"}, "ballard"))


def test_sensitivity() -> None:
    settings, results = finished("sensitivity", {"trees": 4, "positions": 2, "depths": "1", "changes": "half,cube"})
    summary = sensitivity.summarise(settings, results)
    assert summary.notes == ("figure: leaves 1, 2, 3, 4: move 1, worth 2.1; leaves 1, 20, 30, 400: move 2, worth 40.9",)
    assert {r["where"] for r in summary.rows} == {"trees with chance", "trees without chance", "EWN, depth 1"}
    for r in summary.rows:
        share = r["another move %"]
        assert isinstance(share, Estimate)
        if r["change"] == "half" or r["where"] == "trees without chance":
            assert share.value == 0.0


@pytest.mark.parametrize("change", sensitivity.CHANGES)
def test_changes_keep_the_order(change: str) -> None:
    changed = [sensitivity.CHANGES[change](v / 50 - 1) for v in range(101)]
    assert changed == sorted(set(changed))
    assert -1 <= changed[0] < changed[-1] <= 1


def test_star_ewn() -> None:
    given = {"positions": 2, "depths": "1", "searches": "expectiminimax,Star0,Star2", "orders": "ordered,unordered"}
    settings, results = finished("star-ewn", given)
    summary = star_ewn.summarise(settings, results)
    assert len(summary.rows) == 1 + 2 * 2 * 2
    assert summary.notes[0].startswith("depth 1: Star2 evaluates ")
    positions = [star_ewn.position(n) for n in range(8)]
    assert len(set(positions)) == 8
    assert not any(p.is_chance or p.is_over for p in positions)
    results[0].result["values"][0] += 0.1
    with pytest.raises(Exception, match="the searches disagree"):
        star_ewn.summarise(settings, results)
