"""What is said of compilations, and of a folder that cannot keep them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.core.compiling import cache, compile_progress
from kibitz.core.compiling.binder import bind

pytestmark = pytest.mark.compiled


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "KIBITZ_CACHE": str(folder), "KIBITZ_TARGET": "cpu"}
    return subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, check=True)


@pytest.fixture
def blocked(tmp_path: Path) -> Path:
    """A place where no folder can be, not even for root."""
    path = tmp_path / "a file"
    path.write_text("")
    return path / "cache"


def test_one_warning_with_the_path(blocked: Path) -> None:
    """Three things are compiled; nothing is promised to be the first time only, as it is not."""
    said = run(["-m", "kibitz", "perft", "tictactoe", "2", "--divide"], blocked).stderr
    assert said.count("cannot be kept in") == 1
    assert str(blocked) in said
    assert "set KIBITZ_CACHE" in said
    assert "kibitz: compiling perft for tictactoe\n" in said
    assert "first time only" not in said


def test_none_where_all_is_well(tmp_path: Path) -> None:
    command = ["-m", "kibitz", "perft", "tictactoe", "2"]
    assert run(command, tmp_path).stderr == "kibitz: compiling perft for tictactoe (first time only)\n"
    assert run(command, tmp_path).stderr == ""


def twice(x: int) -> int:
    return 2 * x


def thrice(x: int) -> int:
    return 3 * x


def test_a_program_gets_a_warning_of_pythons(blocked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One, whatever is compiled."""
    monkeypatch.setenv("KIBITZ_CACHE", str(blocked))
    monkeypatch.setattr(compile_progress, "_warner", compile_progress.raise_warning)
    monkeypatch.setattr(compile_progress, "_warned", set())
    with pytest.warns(RuntimeWarning, match="compiled code cannot be kept in") as caught:
        assert bind(twice, {}, "t", target="cpu")(3) + bind(thrice, {}, "t", target="cpu")(3) == 15
    assert len(caught) == 1


def test_a_disk_that_becomes_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(compile_progress, "_warner", said.append)
    monkeypatch.setattr(compile_progress, "_warned", set())

    def full(self: Path, mode: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    for name in ("one", "two"):
        cache._write(tmp_path / name, b"code")
    assert said == [
        f"compiled code cannot be kept in {tmp_path} (No space left on device), so it is made anew every time; set KIBITZ_CACHE to a folder that can be written"
    ]
    assert compile_progress.how_often() == ""
