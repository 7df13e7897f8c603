"""Fitting weights: the regression finds what is there to find, self-play is repeatable, a killed run goes on."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.tuning import samples
from kibitz.tuning.eval_fit import fit
from kibitz.tuning.regression import accuracy, best_factor, log_loss, logistic
from kibitz.tuning.samples import Samples
from kibitz.tuning.selfplay import Plan
from tests.cli.test_commands import answer, kibitz
from tests.core.test_evaluation import WEIGHED

pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))


@pytest.fixture
def taking(tmp_path: Path) -> Path:
    path = tmp_path / "taking.py"
    path.write_text(WEIGHED.replace("2, 2, 9", "2, 2, 30").replace("s.heap = 9", "s.heap = 30").replace("s.heap / 9", "(s.heap % 3 == 0)"))
    return path


# --- regression ---


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), ridge=st.sampled_from([0.0, 1.0, 50.0]))
def test_no_other_weights_do_better(seed: int, ridge: float) -> None:
    """The loss is convex: where every small step makes it worse, it is least."""
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(400, 3)) * (1.0, 5.0, 0.1)
    results = draw.choice([0.0, 0.5, 1.0], 400)
    spread = np.sqrt((rows**2).mean(0))
    found = logistic(rows, results, ridge)

    def loss(w: np.ndarray) -> float:
        return log_loss(rows @ w, results) + 0.5 * ridge / 400 * float(((w * spread) ** 2).sum())

    for i in range(3):
        for step in (-1e-3, 1e-3):
            moved = found.copy()
            moved[i] += step / spread[i]
            assert loss(found) <= loss(moved) + 1e-12


def test_known_weights_are_found() -> None:
    draw, true = np.random.default_rng(4), np.array([1.5, -0.5, 0.0])
    rows = draw.normal(size=(60_000, 3))
    results = (draw.random(60_000) < 1 / (1 + np.exp(-rows @ true))).astype(float)
    assert logistic(rows, results, 1.0) == pytest.approx(true, abs=0.04)
    assert best_factor(rows @ true * 0.1, results) == pytest.approx(10, rel=0.03)


def test_edges_of_the_regression() -> None:
    rows = np.array([[1.0, 0.0], [2.0, 0.0], [-1.0, 0.0], [-3.0, 0.0]])
    separable = logistic(rows, np.array([1.0, 1.0, 0.0, 0.0]), 1.0)
    assert np.isfinite(separable).all()
    assert separable[0] > 0 == separable[1]
    assert log_loss(np.zeros(4), np.array([1.0, 0.0, 0.5, 1.0])) == pytest.approx(np.log(2))
    assert accuracy(np.array([3.0, -1.0, 0.0, 9.0]), np.array([1.0, 1.0, 0.0, 0.5])) == 0.5
    assert best_factor(np.zeros(4), np.array([1.0, 0.0, 1.0, 0.0])) == 0.0


# --- self-play ---


def test_a_game_depends_on_seed_and_number_alone() -> None:
    game = kb.load("connect4", weights="start")
    plan = Plan(game, 2, 3, 6, 0.2)
    together, alone = plan.sample(range(8)), plan.sample(range(5, 6))
    mine = together.games == 5
    assert np.array_equal(together.features[mine], alone.features)
    assert set(np.unique(together.utilities)) <= {-1.0, 0.0, 1.0}
    assert ((together.phases >= 0) & (together.phases <= 1)).all()
    other = Plan(game, 2, 4, 6, 0.2).sample(range(8))
    assert not np.array_equal(together.features, other.features)


def test_games_that_repeat_positions_have_results(tmp_path: Path) -> None:
    """Two players shuffle to and fro: the third time ends it."""
    path = tmp_path / "shuffle.py"
    path.write_text(
        WEIGHED.replace("OVER, evaluation", "DRAW, OVER, evaluation")
        .replace("VALUES =", "REPETITION, REPETITIONS = DRAW, 3\nVALUES =")
        .replace("2, 2, 9", "2, 2, 200")
        .replace("out[0], out[1] = 1, 2\n    return min(2, s.heap)", "out[0], out[1] = 1, 0\n    return 1 + (s.heap < 9)")
        .replace("s.heap - move, 1", "s.heap - (2 * move - 1), 1")  # 1: one less, 0: one more
    )
    sample = Plan(kb.load(str(path)), 2, 0, 4, 0.3).sample(range(60))
    assert len(sample.games) > 20
    assert set(np.unique(sample.utilities)) <= {-1.0, 0.0, 1.0}
    assert 0.0 in sample.utilities


# --- the whole ---


def test_weights_are_found_written_and_used(taking: Path, tmp_path: Path) -> None:
    """Whoever is to move with a multiple of three has lost, if both see far enough: the second feature is all there is to know.

    From a heap of 20 a line of eight plies ends before the game does, and from its end eight plies more reach the end.
    """
    taking.write_text(taking.read_text().replace("s.heap = 30", "s.heap = 20"))
    game = kb.load(str(taking), weights="none")
    options = {"depth": 8, "opening": 4, "variety": 0.0}
    found = fit(game, 1000, **options, out=tmp_path / "taking_weights.json")
    assert found.weights[1] < 0
    assert abs(found.weights[0]) < abs(found.weights[1])
    assert found.before.log_loss == pytest.approx(np.log(2))
    assert found.after.log_loss < 0.6
    assert found.after.accuracy > 0.7
    assert kb.load(str(taking)).constants["WEIGHTS"] == found.weights  # the file lies beside the game
    assert fit(game, 1000, **options).weights == found.weights


def test_processes_and_stopped_runs_change_nothing(taking: Path) -> None:
    game = kb.load(str(taking), weights="start")
    options = {"depth": 1, "opening": 10, "seed": 5}

    def stop(played: int) -> None:
        if played >= 150:
            raise KeyboardInterrupt

    part = fit(game, 400, **options, watch=stop)
    assert (part.games, part.interrupted) == (150, True)
    seen: list[int] = []
    whole = fit(game, 400, **options, jobs=2, watch=seen.append)
    assert seen[0] == 150  # goes on where it was
    assert (whole.games, whole.interrupted) == (400, False)
    fewer = fit(game, 310, **options)  # of whole batches, only as many games as were asked for
    assert (fewer.games, fewer.positions < whole.positions) == (310, True)
    Plan(game, 1, 5, 10, 0.1).place.unlink()
    assert fit(game, 400, **options).weights == whole.weights


def test_damaged_batches_are_played_again(taking: Path) -> None:
    import sqlite3

    game = kb.load(str(taking), weights="start")
    wanted = fit(game, 300, depth=1).weights
    path = Plan(game, 1, 0, 10, 0.1).place
    with sqlite3.connect(path) as file:
        file.execute("update shards set result = zeroblob(20) where key = '2'")
    file.close()
    assert sorted(Samples(path).read(6)) == [0, 1, 3, 4, 5]
    assert fit(game, 300, depth=1).weights == wanted
    path.write_bytes(b"not a database at all, but long enough to look like one" * 100)
    with pytest.raises(kb.InputError, match=r"cannot be used .*; remove it to play its games again"):
        fit(game, 300, depth=1)


def test_a_killed_run_goes_on(taking: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tune", "eval", str(taking), "--games", "200000", "--depth", "6", "--out", str(tmp_path / "w.json")]
    process = subprocess.Popen(
        [sys.executable, "-m", "kibitz", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
    )
    path = Plan(kb.load(str(taking)), 6, 0, 10, 0.1).place
    deadline = time.monotonic() + 120
    while not (path.exists() and len(Samples(path).read(10**6)) >= 2):
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not (tmp_path / "w.json").exists()
    kept = Samples(path).read(10**6)
    words[words.index("200000")] = str(len(kept) * samples.BATCH)
    found = answer(capsys, *words)
    assert found["games"] == len(kept) * samples.BATCH
    assert json.loads((tmp_path / "w.json").read_text())["content"]["weights"] == found["weights"]


# --- the command ---


def test_command(capsys: pytest.CaptureFixture[str], taking: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = kibitz(capsys, "tune", "eval", str(taking), "--games", "300", "--depth", "1")
    assert code == 0
    assert "log-loss" in out
    assert "held out" in out
    assert (tmp_path / "taking_weights.json").exists()
    suggested = shlex.split(out.partition("; try: ")[2])
    assert suggested[:3] == ["kibitz", "match", str(taking)]
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    code, out, err = kibitz(capsys, *suggested[1:], "--depth", "1")
    assert (code, err) == (0, "")
    assert "games instead of 200" in out  # of a game as small as this one


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tune", "eval", "nim"], "nim has no evaluation to fit: it needs FEATURES"),
        (["tune", "eval", "othello", "--games", "3"], "games=3: must be from 10 to"),
        (["tune", "eval", "othello", "--depth", "0"], "depth=0: must be from 1 to 64"),
        (["tune", "eval", "othello", "--out", "/"], "cannot write /: it is a folder"),
        (["tune", "eval", "othello", "--variety", "2"], "variety=2.0: must be from 0.0 to 1.0"),
        (["tun"], "there is no command 'tun'; did you mean tune?"),
    ],
)
def test_bad_input_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    code, out, err = kibitz(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_too_few_positions(taking: Path) -> None:
    with pytest.raises(kb.InputError, match="are too few to fit 2 weights to; play more games"):
        fit(kb.load(str(taking)), 10, depth=64, opening=0, variety=0.0)


def test_the_guides_example_is_sound_and_learns(tmp_path: Path) -> None:
    import re

    from kibitz.core.checking.conformance import check

    source = re.search(r"```python\n(.*?)```", (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(), re.DOTALL)
    assert source is not None
    path = tmp_path / "race30.py"
    path.write_text(source[1])
    assert check(kb.load(str(path)), games=50).failures == []
    found = fit(kb.load(str(path)), 2000, depth=6, out=tmp_path / "race30_weights.json")
    assert found.after.log_loss < found.before.log_loss
    assert kb.load(str(path)).constants["WEIGHTS"] == found.weights != (0.1, 0.0)
