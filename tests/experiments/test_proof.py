"""The experiment on claims: what a shard tells, and what is made of many."""

from typing import Any

import pytest

from kibitz.core.errors import KibitzError
from kibitz.experiments.experiment import Finished
from kibitz.experiments.studies import proof as experiment
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN
from tests.differential.cases import on

GIVEN = {"claims": "mate in 4,bulky five", "nodes": 1500, "memory": 1}
SETTINGS = experiment.EXPERIMENT.settings(GIVEN, "proof")


@pytest.mark.once
def test_every_method_answers_alike() -> None:
    with on("python"):
        found = {shard.inputs["method"]: experiment.run(shard.inputs) for shard in experiment.shards(SETTINGS)[5:]}
    alphabeta = found.pop("alphabeta")
    assert (alphabeta["verdict"], alphabeta["ended"]) == (UNKNOWN, "nodes")
    assert {r["verdict"] for r in found.values()} == {PROVEN}
    assert all(r["ended"] == "solved" and r["seconds"] > 0 and r["megabytes"] > 0 for r in found.values())
    assert found["dfpn"]["nodes"] == 457


@pytest.mark.once
def test_what_does_not_fit_and_limits() -> None:
    shards = {shard.inputs["method"]: shard.inputs for shard in experiment.shards(SETTINGS)[:5]}
    with on("python"):
        assert experiment.run(shards["solver"])["ended"] == experiment.UNFIT
        found = experiment.run({**shards["alphabeta"], "nodes": 50})
        assert (found["verdict"], found["ended"]) == (UNKNOWN, "nodes")


@pytest.mark.once
def test_a_wrong_answer_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(experiment.CLAIMS, "bulky five", experiment.CLAIMS["bulky five"]._replace(truth=DISPROVEN))
    with on("python"), pytest.raises(KibitzError, match="calls 'bulky five' proven: a fault of kibitz"):
        experiment.run({"claim": "bulky five", "method": "dfpn", "nodes": 5000, "memory": 1})


def finished(claim: str, method: str, verdict: str, seconds: float, ended: str = "solved", nodes: int = 1000) -> Finished:
    result: dict[str, Any] = {"verdict": verdict, "ended": ended, "nodes": nodes, "seconds": seconds, "megabytes": 0.12345}
    return Finished({"claim": claim, "method": method}, result)


def test_summary() -> None:
    results = [
        finished("bulky five", "pn", PROVEN, 0.5),
        finished("bulky five", "dfpn", PROVEN, 0.25, nodes=900),
        finished("mate in 4", "pn", UNKNOWN, 1.0, "memory"),
        finished("mate in 4", "solver", UNKNOWN, 0.0, experiment.UNFIT),
    ]
    summary = experiment.summarise(SETTINGS, results)
    assert [(r["verdict"], r["ended by"], r["nodes"], r["MB"]) for r in summary.rows] == [
        (PROVEN, None, 1000, 0.123),
        (PROVEN, None, 900, 0.123),
        (None, "memory", 1000, 0.123),
        (experiment.UNFIT, None, None, None),
    ]
    assert summary.notes[0] == "pn: 1 of 2 claims settled; fewest positions in none"
    assert summary.notes[2] == "dfpn: 1 of 1 claims settled; fewest positions in bulky five"
    assert summary.notes[3] == "solver: 0 of 0 claims settled; fewest positions in none"
