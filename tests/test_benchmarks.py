"""The benchmarks are found, refuse what they do not know, say when a peer is missing; the C++ twin of alpha-beta does what the kernel does."""

import importlib
import json
import sys
import warnings
from pathlib import Path

import pytest

import benchmarks
import kibitz
from benchmarks import _twin, alphabeta_othello, mates
from benchmarks.__main__ import main

KNOWN = {"alphabeta_openspiel", "alphabeta_othello", "negamax_easyai", "perft_othello", "playouts_openspiel", "warm_start"}
PASS = 64


def test_benchmarks_are_found() -> None:
    assert set(benchmarks.names()) >= KNOWN
    assert all(callable(importlib.import_module(f"benchmarks.{name}").main) for name in benchmarks.names())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["perft_othelo"], "there is no benchmark 'perft_othelo'; did you mean perft_othello"),
        (["perft_othello", "zzz"], "there is no benchmark 'zzz'; benchmarks: against, alphabeta_openspiel, "),
        (["--fast"], "unrecognized arguments: --fast"),
        (["--json", "no/such/folder/rows.json"], "cannot write no/such/folder/rows.json"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    printed = capsys.readouterr()
    assert refused.value.code == 2
    assert printed.out == ""
    assert printed.err.startswith(f"benchmarks: {said}")
    assert printed.err.count("\n") == 1


def test_missing_peer_is_skipped_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # as if it were not installed
    main(["playouts_openspiel", "--json", str(tmp_path / "rows.json")])
    (row,) = json.loads((tmp_path / "rows.json").read_text())["benchmarks"]
    assert row["name"] == "playouts_openspiel"
    assert "pyspiel cannot be imported" in row["skipped"]
    assert "pip install open_spiel" in capsys.readouterr().out.splitlines()[-1]
    assert [p.name for p in tmp_path.iterdir()] == ["rows.json"]


def test_targets() -> None:
    assert benchmarks.compared("a", 17.0, 20.0, "nodes/s", 0.85)["met"] is True
    assert benchmarks.compared("a", 16.9, 20.0, "nodes/s", 0.85)["met"] is False
    assert benchmarks.compared("a", 1.0, 2.0, "nodes/s")["met"] is None
    assert benchmarks.timed("a", 1.3, 1.2)["met"] is False
    lines = benchmarks.table([benchmarks.timed("slow", 1.3, 1.2), benchmarks.skipped("gone", "why")]).splitlines()
    assert lines[1].split() == ["slow", "1.30", "seconds", "<", "1.2", "s", "NO"]
    assert lines[2].split() == ["gone", "skipped:", "why"]


@pytest.mark.compiled
@pytest.mark.parametrize("level", _twin.LEVELS)
def test_twin_of_alphabeta_agrees(level: str) -> None:
    """To the end of the game from eight empty squares, where there are passes; and to the horizon, where the evaluation decides."""
    try:
        program = _twin.build("othello_alphabeta")[level]
    except benchmarks.Skipped as reason:
        warnings.warn(f"the C++ twin of alpha-beta was not tested: {reason}", stacklevel=1)
        pytest.skip(str(reason))
    with_passes = alphabeta_othello.endgame(4, 8)
    assert PASS in alphabeta_othello.ours([with_passes], 16)[0][0].line
    for position, depth in ((with_passes, 16), (alphabeta_othello.endgame(5, 16), 4)):
        ours, _ = alphabeta_othello.ours([position], depth)
        theirs, seconds = alphabeta_othello.cpp(program, [position], depth)
        assert ours == theirs
        assert ours[0].nodes > 100
        assert len(seconds) == 1


@pytest.mark.once
def test_mates(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred of them, each a position of chess; one is proven, and with too few nodes none."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    found = list(mates.problems())
    assert [sum(moves == length for _, moves in found) for length in mates.LENGTHS] == [20] * 5
    assert all(kibitz.load("chess").position(fen).player == (" b " in fen) for fen, _ in found)
    assert mates.proven(*found[0], nodes=100)[0] is False
