"""Other programs that die, hang, cheat or babble lose one game by name; the match goes on, and nobody is left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

import kibitz as kb
from kibitz.arena import records
from kibitz.arena.match import match
from kibitz.core.position.game import Position
from kibitz.players import Outsider
from kibitz.protocols import uci_program
from kibitz.protocols.uci_program import UciProgram

UNRULY = Path(__file__).parent.parent / "protocols" / "unruly.py"
TICTACTOE = kb.load("tictactoe")
OTHER = "montecarlo(playouts=2, seed=1)"


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    uci_program.talks.end_all()


def unruly(how: str, folder: Path, patience: float = 60.0) -> UciProgram:
    return UciProgram(f"{sys.executable} {UNRULY} '{how}' {folder}", patience=patience)


def pids(folder: Path) -> list[int]:
    path = folder / "pids"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_alive(pid: int) -> bool:
    """Not counting those that have ended and that nobody has asked about."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def wait_until_gone(numbers: list[int], seconds: float = 20.0) -> None:
    until = time.monotonic() + seconds
    while left := [pid for pid in numbers if is_alive(pid)]:
        assert time.monotonic() < until, f"still there: {left}"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("how", "patience", "reason"),
    [
        ("die", 60.0, "has ended instead of answering 'go movetime 1000'"),
        ("hang", 1.0, "has not answered 'go movetime 1000' within its patience of 1 s"),
        ("chatter", 1.0, "has not come to an end with its answer to 'go movetime 1000'"),
        ("illegal", 60.0, "illegal move"),
        ("none", 60.0, "illegal move '(none)'"),
        ("nonsense", 60.0, "illegal move"),
    ],
)
def test_one_failure_is_one_lost_game_by_name(how: str, patience: float, reason: str, tmp_path: Path) -> None:
    program, record = unruly(how, tmp_path, patience), tmp_path / "games.txt"
    played = match(program, OTHER, TICTACTOE, games=4, openings=1, record=record)
    assert len(played.games) == 4
    (lost,) = [g for g in played.games if g.forfeit]
    assert lost.forfeit.startswith(program.name)
    assert reason in lost.forfeit
    assert (lost.score, lost.utilities) == (0.0, (-1.0, 1.0))
    assert f"one lost 1 game so: {lost.forfeit}" in str(played)
    assert played.as_dict()["forfeits"] == [{"game": lost.number + 1, "lost_by": "one", "reason": lost.forfeit}]
    assert len(set(pids(tmp_path))) >= 2  # it was started anew
    (line,) = [line for line in records.read(record) if line["ended"] != "end"]
    assert (line["winner"], line["ended"]) == ("two", lost.forfeit)
    uci_program.talks.end_all()
    wait_until_gone(pids(tmp_path))


def test_bytes_that_are_no_text_lose_nothing(tmp_path: Path) -> None:
    played = match(unruly("bytes", tmp_path), OTHER, TICTACTOE, games=4, openings=1)
    assert (tmp_path / "done").exists()
    assert [g.forfeit for g in played.games] == [""] * 4
    assert len(pids(tmp_path)) == 1


def test_a_program_that_cannot_even_begin_is_refused_before_the_match(tmp_path: Path) -> None:
    with pytest.raises(kb.KibitzError, match="has ended instead of answering 'uci'"):
        match(UciProgram(f"{sys.executable} -c pass"), OTHER, TICTACTOE, games=2, openings=1, record=tmp_path / "games.txt")
    assert not (tmp_path / "games.txt").exists()


@dataclass(frozen=True)
class Cheat(Outsider):
    """An outsider that is no program, and makes the same move again and again."""

    settings: Any = field(default_factory=dict)
    name = "cheat"

    def check(self, game: kb.Game) -> None:
        assert game is TICTACTOE

    def prepare(self, position: Position) -> None:
        assert not position.is_over

    def search(self, position: Position, moves: Sequence[kb.Move]) -> kb.Result:
        assert len(moves) >= 1
        return replace(kb.search(position, OTHER), move=kb.Move(8, "9"))


def test_an_illegal_move_of_any_outsider_loses_the_game() -> None:
    played = match(Cheat(), OTHER, TICTACTOE, games=2, openings=1)
    assert played.losses == 2
    assert all(g.forfeit.startswith("cheat: illegal move") for g in played.games)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nobody_is_left_behind(jobs: int, number: signal.Signals, tmp_path: Path) -> None:
    """Ctrl-C goes to all processes of the terminal; the other signal to the first one alone. The program hangs, and so does what it started."""
    command = [
        "match",
        "tictactoe",
        "--one",
        unruly("hang for ever", tmp_path).name,
        "--two",
        OTHER,
        "--games",
        "6",
        "--opening-plies",
        "1",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "kibitz", *command, "--jobs", str(jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "KIBITZ_TARGET": "python"},
    )
    until = time.monotonic() + 60
    while len(pids(tmp_path)) < 1 + 2 * jobs - (jobs == 1):  # ours, the workers', and what these started
        assert time.monotonic() < until
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, number) if number == signal.SIGINT else process.terminate()
    out, err = process.communicate(timeout=60)
    assert process.returncode == (0 if number == signal.SIGINT else -signal.SIGTERM), err
    if number == signal.SIGINT:
        assert "of 6 games" in out
    wait_until_gone([process.pid, *pids(tmp_path)], 60.0)
