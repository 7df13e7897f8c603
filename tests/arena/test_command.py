"""`kibitz match` as a user types it."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.arena import contest, records
from kibitz.arena import match as matches
from kibitz.core.errors import KibitzError
from tests.cli.test_commands import answer, kibitz

pytestmark = pytest.mark.compiled

MATCH = ("match", "tictactoe", "--one", "alphabeta(depth=6)", "--two", "alphabeta(depth=1)", "--games", "8", "--opening-plies", "2")


def test_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = answer(capsys, *MATCH, "--record", str(tmp_path / "games.txt"))
    assert (found["games"], found["pairs"], found["interrupted"]) == (8, 4, False)
    assert found["wins"] + found["draws"] + found["losses"] == 8
    assert found["interval"][0] < found["score"] <= found["interval"][1]
    assert found["one"]["player"] == "alphabeta(depth=6)"
    assert len(records.read(tmp_path / "games.txt")) == 8
    code, out, _ = kibitz(capsys, *MATCH)
    assert code == 0
    assert f"score of one {found['score']:.3f}" in out
    assert "over 4 pairs" in out


@pytest.mark.once
def test_parameters_of_one_side(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(
        capsys, "match", "connect4", "--depth", "2", "--games", "2", "--one-param", "weights=start", "--two-param", "weights=none"
    )
    assert [found[who]["game"] for who in ("one", "two")] == ["connect4(weights=start)", "connect4(weights=none)"]


def test_openings_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text("# two of them\n1 5\n\n2 3\n")
    assert answer(capsys, *MATCH[:-4], "--games", "4", "--openings", str(tmp_path / "openings.txt"))["games"] == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["match", "tictactoe", "--games", "5"], "games=5: must be 2 or more, and even"),
        (["match", "tictactoe", "--one", "alphabta"], "unknown search 'alphabta'"),
        (["match", "tictactoe", "--openings", "gone.txt"], "cannot read gone.txt"),
        (["match", "kalah", "--two-param", "holes=3", "--games", "2"], "are different games: their State differ"),
        (["match", "othello", "--two-param", "weights=strat"], "must be fitted, start, none or the path of a .json file"),
    ],
)
def test_bad_input_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    code, out, err = kibitz(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_a_record_that_cannot_be_written_costs_no_score(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(records, "_append", full)
    path = tmp_path / "games.txt"
    code, out, _ = kibitz(capsys, *MATCH, "--record", str(path))
    assert code == 1
    assert "score of one" in out
    assert out.splitlines()[-1] == f"cannot write {path}: No space left on device; 8 of 8 games are not in it"


def test_a_match_goes_on_and_has_as_many_games_as_there_are_openings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("match", "tictactoe", "--depth", "1", "--record", str(tmp_path / "games.txt"))
    whole, path = answer(capsys, *words), tmp_path / "games.txt"
    assert whole["notes"][1].startswith(f"{whole['games']} games instead of 200")
    assert 20 < whole["games"] < 200
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-10]) + "\n")
    again = answer(capsys, *words, "--resume")
    assert len(records.read(path)) == again["games"] == whole["games"]
    assert again["interval"] == whole["interval"]


def test_what_was_played_is_told_before_what_went_wrong(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    played, games = contest.play_game, []

    def break_down(pairing: contest.Pairing) -> contest.Played:
        games.append(pairing)
        if len(games) == 4:
            raise KibitzError("a worker process died")
        return played(pairing)

    monkeypatch.setattr(matches, "play_game", break_down)
    code, out, err = kibitz(capsys, *MATCH)
    assert (code, err) == (2, "kibitz: a worker process died\n")
    assert out.splitlines()[-1] == "stopped after 3 of 8 games"


STOPPED = """
import kibitz as kb
if __name__ == "__main__":
    told = lambda so_far: print("played", flush=True)
    print(kb.match("alphabeta", "alphabeta", kb.load("tictactoe"), games=60, openings=3, jobs={jobs}, watch=told), flush=True)
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_in_a_terminal_gives_the_result_so_far(jobs: int, tmp_path: Path) -> None:
    """The signal goes to all processes of the group, in the middle of a game."""
    script = tmp_path / "script.py"
    script.write_text(STOPPED.format(jobs=jobs))
    process = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "played\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "of 60 games" in out.splitlines()[-1]
    assert out.splitlines()[-1].startswith("stopped after ")
