"""Numbers for ProbCut: fitted rightly, kept safely, used where they belong."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.cli.main import run
from kibitz.core.records.record import blank, record
from kibitz.searches.deterministic import probcut
from kibitz.tuning import probcut as tuning
from kibitz.tuning.probcut import Plan, fitted, measure, noted

SMALL = kb.load("breakthrough", rows=7, columns=4)


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path))


def test_lines_are_found_again() -> None:
    """Depth 3 is twice depth 1 plus 5, give or take 0.5; depth 4 is depth 2 exactly."""
    chance = np.random.default_rng(1)
    one, two = chance.normal(0, 10, 5000), chance.normal(0, 10, 5000)
    table = np.stack([one, two, 2 * one + 5 + chance.normal(0, 0.5, 5000), two], axis=1)
    first, second = fitted(table.tolist(), 4)
    assert (first.shallow, first.deep, second.shallow, second.deep) == (1, 3, 2, 4)
    assert (first.a, first.b, first.sigma) == pytest.approx((2.0, 5.0, 0.5), abs=0.03)
    assert (second.a, second.b, second.sigma) == pytest.approx((1.0, 0.0, 0.0), abs=1e-9)


def test_too_few_positions_make_no_line() -> None:
    assert fitted([[0.0, 1.0, 2.0]] * (tuning.FEWEST - 1), 3) == []


def test_only_depths_of_one_parity_are_paired_and_the_nearest_to_half_are_used() -> None:
    cuts = fitted(np.random.default_rng(0).normal(size=(100, 8)).cumsum(axis=1).tolist(), 8)
    assert {(c.deep - c.shallow) % 2 for c in cuts} == {0}
    places = blank(record(**probcut.FIELDS)).cuts
    probcut.fill(places, cuts, 1.5, 2)
    assert [places[8, 0].shallow, places[8, 1].shallow] in ([4, 6], [2, 4])
    assert places[8, 0].margin == pytest.approx(1.5 * next(c.sigma for c in cuts if (c.deep, c.shallow) == (8, places[8, 0].shallow)))


@pytest.mark.compiled
def test_a_killed_measurement_goes_on_where_it_was() -> None:
    plan = Plan(SMALL, 16, 3, 7)
    whole = measure(plan, jobs=1)
    lines = plan.journal.read_text().strip().splitlines()
    plan.journal.write_text("\n".join(lines[:5]) + "\n" + lines[5][: len(lines[5]) // 2])  # cut in the middle of a line
    assert len(list(noted(plan.journal))) == 5
    played: list[int] = []
    assert measure(plan, 2, lambda done, _: played.append(done)) == whole
    assert played[0] == 5


@pytest.mark.compiled
def test_numbers_are_kept_with_their_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    cuts = [probcut.Cut(1, 3, 1.0, 0.0, 0.1, 100), probcut.Cut(2, 4, 1.0, 0.0, 0.1, 100)]
    path = probcut.store(SMALL, cuts)
    assert probcut.measured(SMALL) == cuts
    content: dict[str, Any] = json.loads(path.read_text())
    content["content"]["cuts"][0]["a"] = 2.0
    path.write_text(json.dumps(content))
    with pytest.raises(kb.InputError, match="damaged"):
        probcut.measured(SMALL)
    probcut.store(SMALL, cuts)
    monkeypatch.setattr(probcut, "fingerprint", lambda _: "another")
    with pytest.raises(kb.InputError, match="has changed since its numbers were measured"):
        probcut.measured(SMALL)


@pytest.mark.compiled
def test_cuts_save_nodes_the_more_the_less_certain_they_have_to_be() -> None:
    probcut.store(SMALL, measure(Plan(SMALL, 16, 5, 0), jobs=2))
    position = SMALL.position("b2b3 b6c5")
    nodes = [kb.search(position, f"selective(null=0, reductions=0, probcut={t})", depth=6).nodes for t in (0.0, 100.0, 1.0)]
    assert nodes[2] < nodes[0]
    assert not kb.search(position, "selective(null=0, reductions=0, probcut=1.0)", depth=4).exact


@pytest.mark.compiled
def test_the_command_tells_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["tune", "probcut", "breakthrough", "-p", "rows=7", "-p", "columns=4", "--games", "16", "--depth", "3", "--json"])
    assert ended.value.code == 0
    told = json.loads(capsys.readouterr().out)
    assert [(c["shallow"], c["deep"]) for c in told["cuts"]] == [(1, 3)]
    for words, line in (
        (["tictactoe"], "has no evaluation"),
        (["pig"], "it has chance"),
        (["breakthrough", "-p", "rows=7", "-p", "columns=4", "--games", "1", "--depth", "3"], "measure more games"),
    ):
        with pytest.raises(SystemExit) as ended:
            run(["tune", "probcut", *words])
        assert ended.value.code == 2
        assert line in capsys.readouterr().err
