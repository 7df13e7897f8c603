"""Weights from games in files: which positions are kept, what they are said to be worth, and what the ridge makes of known weights."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.records.record import Cells
from kibitz.tuning.eval_fit import PRESENT, fade_results, fit
from kibitz.tuning.recorded_games import Records
from kibitz.tuning.regression import chances, log_loss, logistic
from tests.typed import answer, kibitz

pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of Connect Four, as matches are written."""
    path = tmp_path_factory.mktemp("records") / "games.txt"
    kb.match("alphabeta(depth=3)", "alphabeta(depth=2)", kb.load("connect4"), games=120, openings=6, record=path)
    return path


def row_of(position: kb.Position) -> list[float]:
    out = np.zeros(len(position.game.constants["FEATURES"])).view(Cells)
    position.game.rule("features")(position.state, 0, out)
    return out.tolist()


def test_positions_at_the_ends_of_lines(tmp_path: Path) -> None:
    """Every third position after four moves; the search's line is played from it, and what the file says of the result counts."""
    game = kb.load("connect4")
    moves = "4 4 4 4 3 5 2 6 6 2 4 4 7 7"
    path = tmp_path / "games.txt"
    path.write_text(f"{moves} 0-1\n# nobody knows who won the next one\n4 4 3\n{moves} 1/2-1/2\n")
    plan = Records(game, (str(path),), depth=3, opening=4, every=3)
    (task,) = plan.tasks(10**6)
    sample = plan.sample(task)
    expected: list[Any] = []
    for number, utility in ((0, -1.0), (2, 0.0)):
        for ply in range(4 + number % 3, len(moves.split()), 3):
            here = game.position(" ".join(moves.split()[:ply]))
            end = here.after_line([int(m) for m in kb.search(here, "alphabeta", depth=3, table=0, deepening=False, distance="off").line])
            if not end.is_over:
                expected.append((row_of(end), number, utility))
    assert len(expected) >= 4
    assert sample.features.tolist() == [row for row, _, _ in expected]
    assert sample.games.tolist() == [number for _, number, _ in expected]
    assert sample.utilities.tolist() == [utility for _, _, utility in expected]


def test_records_of_a_match_are_fitted_to_and_kept(match: Path) -> None:
    game, seen = kb.load("connect4"), list[int]()
    found = fit(game, recorded=[match], opening=6)
    assert (found.games, found.interrupted) == (120, False)
    assert found.positions > 1000
    assert found.after.log_loss < np.log(2)
    again = fit(game, recorded=[match], opening=6, jobs=2, watch=seen.append)
    assert again.weights == found.weights
    assert seen == [120]  # all that was read is there
    assert fit(game, 60, recorded=[match], opening=6).games == 60


def test_the_ridge_may_pull_towards_what_is_known(match: Path) -> None:
    game = kb.load("connect4")
    known = np.ravel(game.constants["WEIGHTS"])
    held = fit(game, recorded=[match], opening=6, ridge=1e9, towards=PRESENT)
    assert np.ravel(held.weights) == pytest.approx(known, rel=1e-3, abs=1e-5)
    free = fit(game, recorded=[match], opening=6, ridge=0.0, towards=PRESENT)
    assert np.ravel(free.weights) != pytest.approx(known, rel=0.05)


def test_the_best_between_games_and_knowledge_is_found() -> None:
    draw, ridge = np.random.default_rng(5), 30.0
    rows, results = draw.normal(size=(400, 3)) * (1.0, 5.0, 0.0), draw.choice([0.0, 0.5, 1.0], 400)
    known = np.array([0.3, -0.2, 0.7])
    found = logistic(rows, results, ridge, known)

    def loss(w: np.ndarray) -> float:
        return log_loss(rows @ w, results) + 0.5 * ridge / 400 * float(((w - known) ** 2).sum())

    assert found[2] == pytest.approx(0.7)  # a feature that never varies keeps what is known
    for i in range(3):
        for step in (-1e-3, 1e-3):
            moved = found.copy()
            moved[i] += step
            assert loss(found) <= loss(moved) + 1e-12


def naive_aim(said: list[float], result: float, place: int, fade: float) -> float:
    """What the position at `place` of a game is to foretell: each later one counts `fade` of the one before it, and the result has what is left."""
    later = said[place + 1 :]
    return sum((1 - fade) * fade**i * chance for i, chance in enumerate(later)) + fade ** len(later) * result


@pytest.mark.parametrize("fade", [0.0, 0.3, 0.9])
def test_positions_learn_from_those_after_them(fade: float) -> None:
    draw = np.random.default_rng(7)
    games, results = np.repeat([3, 4, 9], [5, 1, 8]), np.repeat([1.0, 0.5, 0.0], [5, 1, 8])
    sums = draw.normal(size=14)
    expected: list[float] = []
    for number in (3, 4, 9):
        said, result = chances(sums[games == number]).tolist(), results[games == number][0]
        expected += [naive_aim(said, result, place, fade) for place in range(len(said))]
    assert fade_results(sums, results, games, fade) == pytest.approx(expected)


def test_fading_changes_what_is_found_and_needs_knowledge(match: Path) -> None:
    game = kb.load("connect4")
    plain, taught = (fit(game, recorded=[match], opening=6, fade=fade, towards=PRESENT, ridge=5.0) for fade in (1.0, 0.7))
    known = np.ravel(game.constants["WEIGHTS"])
    distances = [np.abs(np.ravel(found.weights) - known).sum() for found in (plain, taught)]
    assert distances[1] < distances[0]  # what the present weights say of later positions is not far from what they say of this one
    with pytest.raises(kb.InputError, match=r"fade=0.7: the present weights predict nothing"):
        fit(kb.load("connect4", weights="none"), recorded=[match], opening=6, fade=0.7)


def test_command(capsys: pytest.CaptureFixture[str], match: Path, tmp_path: Path) -> None:
    out = tmp_path / "w.json"
    said = answer(
        capsys, "tune", "eval", "connect4", "--from", str(match), "--every", "2", "--towards", "present", "--ridge", "20", "--out", str(out)
    )
    assert said["games"] == 120
    assert kb.load("connect4", weights=str(out)).constants["WEIGHTS"] == tuple(map(tuple, said["weights"]))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--from", "nowhere.txt"], "cannot read nowhere.txt: No such file"),
        (["--from", "empty.txt"], "there are no games in empty.txt"),
        (["--from", "games.pgn"], "games.pgn: PGN is for chess; for connect4 write a game a line"),
        (["--towards", "heaven"], "towards=heaven: must be zero or present"),
        (["--fade", "1.5"], "fade=1.5: must be from 0.0 to 1.0"),
        (["--every", "0"], "every=0: must be from 1 to"),
    ],
)
def test_bad_input(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "games.pgn").write_text("")
    code, out, err = kibitz(capsys, "tune", "eval", "connect4", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert not (tmp_path / "connect4_weights.json").exists()
