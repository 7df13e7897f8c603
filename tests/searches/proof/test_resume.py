"""Proof searches that are stopped, killed even, go on from their file, and claim no more for it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.searches.proof import numbers
from kibitz.searches.proof.prove import Proof, prove
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN
from kibitz.tables.proof.file import verify
from tests.differential.cases import on

pytestmark = pytest.mark.once


def in_pieces(position: kb.Position, file: Path, piece: int, goal: str = "win", **settings: object) -> tuple[Proof, int]:
    """Asked for a number of nodes at a time, from one file; the last answer, and how many runs it took."""
    for runs in range(1, 1000):
        found = prove(position, goal, nodes=piece, resume=str(file), **settings)  # type: ignore[arg-type]
        if found.ended != "nodes":
            return found, runs
    raise AssertionError("it comes to no end")


@pytest.mark.parametrize(("moves", "verdict"), [("a1 b1", PROVEN), ("b2 a1", DISPROVEN)])
def test_in_pieces(moves: str, verdict: str, tmp_path: Path) -> None:
    position, file = kb.load("mnk").position(moves), tmp_path / "saved"
    with on("python"):
        whole = prove(position, memory=0.01)
        found, runs = in_pieces(position, file, 40, memory=0.01)
        assert (found.verdict, whole.verdict) == (verdict, verdict)
        assert runs > 1
        assert found.nodes > whole.nodes  # those of all runs
        again = prove(position, memory=0.01, resume=str(file), with_strategy=True)
    assert (again.verdict, again.nodes - found.nodes <= 40) == (verdict, True)  # the root and its children, once more
    assert again.strategy is not None
    assert verify(again.strategy).verdict == verdict
    assert [p.name for p in tmp_path.iterdir()] == ["saved"]


def test_lines_that_were_cut_off_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can win within four plies: that says nothing of longer games, whoever counted the lines that go on."""
    monkeypatch.setattr(numbers, "DEEPEST", 4)
    position = kb.load("mnk").start
    with on("python"):
        whole = prove(position, memory=0.1)
        assert (whole.verdict, whole.ended) == (UNKNOWN, "length")
        for piece in (60, 500):
            found, runs = in_pieces(position, tmp_path / f"{piece}", piece, memory=0.1)
            assert runs > 1
            assert (found.verdict, found.ended) == (UNKNOWN, "length")
            again = prove(position, memory=0.1, resume=str(tmp_path / f"{piece}"))  # the table knows it all by now
            assert (again.verdict, again.ended, again.nodes - found.nodes < 60) == (UNKNOWN, "length", True)


def test_lengths_in_pieces(tmp_path: Path) -> None:
    """One question after another; what was not won within a number of plies is not asked again."""
    mate = kb.load("chess").position("7k/8/5K2/8/8/8/8/6R1 w - - 0 1")
    with on("python"):
        found, runs = in_pieces(mate, tmp_path / "mate", 60, leaf="moves", memory=0.1, shortest=True)
        assert (found.verdict, found.claim.within, runs > 1) == (PROVEN, 3, True)
        tree = kb.load("trees", tree="[[0, [1, 0]], [[0, 1], 0]]").start
        found, runs = in_pieces(tree, tmp_path / "tree", 5, "value >= 1", memory=0.01, shortest=True)
        assert (found.verdict, runs > 1) == (DISPROVEN, True)


KILLED = """
import sys
import kibitz as kb
from kibitz.searches.proof.prove import prove
found = prove(kb.load("mnk", m=4).start, "win", memory=0.02, resume=sys.argv[1], saving=0.05)
print(found.verdict)
"""


def test_killed_three_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At moments drawn at random after the first saving: half-written files never count."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    file, rng = tmp_path / "saved", Random(19)
    words = [sys.executable, "-c", KILLED, str(file)]
    for _ in range(3):
        before = file.stat().st_mtime_ns if file.exists() else 0
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as child:
            while child.poll() is None and not (file.exists() and file.stat().st_mtime_ns > before):
                time.sleep(0.01)
            time.sleep(rng.uniform(0.0, 0.2))
            child.send_signal(signal.SIGKILL)
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "proven\n"


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    game, file = kb.load("mnk"), tmp_path / "saved"
    start, saved = game.start, str(file)
    with on("python"):
        prove(start, nodes=20, memory=0.01, resume=saved)
        for other in ({"goal": "not lose"}, {"player": 1}, {"within": 3}, {"shortest": True}, {"leaf": "moves"}):
            with pytest.raises(InputError, match="or of other rules or options"):
                prove(start, memory=0.01, resume=saved, **other)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="or of other rules or options"):
            prove(game.position("a1"), memory=0.01, resume=saved)
        with pytest.raises(InputError, match=r"another size; say --memory 0\.01"):
            prove(start, memory=1, resume=saved)
        with pytest.raises(InputError, match="pn has a tree"):
            prove(start, method="pn", resume=saved)
        whole = file.read_bytes()
        changed = bytearray(whole)
        changed[-9] ^= 1
        for broken in (bytes(changed), whole[:-16], whole.replace(b'"horizons"', b'"horizon_"'), b"", b"something else\n"):
            file.write_bytes(broken)
            with pytest.raises(InputError, match="is damaged"):
                prove(start, memory=0.01, resume=saved)
    with pytest.raises(InputError, match="no folder"):
        prove(start, resume=str(tmp_path / "none" / "saved"))
