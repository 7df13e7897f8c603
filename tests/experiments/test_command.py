"""`kibitz experiment` as a user types it."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.cli.experiment import time_left
from kibitz.experiments.experiment import names
from kibitz.experiments.runner import Progress
from tests import typed

DICE = str(Path(__file__).parent / "dice.py")


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))


def kibitz(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    return typed.kibitz(capsys, "experiment", *words)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return typed.answer(capsys, "experiment", *words)


def test_without_a_name_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = kibitz(capsys)
    assert code == 0
    assert {"growth", "noe-kalah", "reinefeld"} <= set(names())
    for name in names():
        assert f"{name}: " in out
    listed = {e["experiment"]: e for e in answer(capsys)["experiments"]}
    assert set(listed) == set(names())
    assert listed["noe-kalah"]["claim"].startswith("SCOUT saves over 40 %")
    assert {"name": "seeds", "default": "4", "range": "a whole number from 1 to 24", "about": "in each pit at the start"} in listed[
        "noe-kalah"
    ]["parameters"]


def test_the_table_and_what_it_rests_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = kibitz(capsys, DICE, "--jobs", "1", "-p", "shards=4", "-p", "sides=6")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "dice: a fair die has mean 3.5"
    assert lines[1].split() == ["die", "throws", "mean", "sixes", "note"]
    assert lines[2].split()[:2] == ["W6", "80"]
    assert (lines[2].count("±"), lines[2].count("[")) == (1, 1)  # a mean and a share
    assert lines[3] == "a fair die has mean 3.5"
    assert lines[4].startswith("4 shards, ")
    assert err == "kibitz: 0 of 4 shards done\n"
    assert (tmp_path / "data" / "experiments.sqlite").exists()
    assert "4 shards, 4 of them by earlier runs" in kibitz(capsys, DICE, "--jobs", "1", "-p", "shards=4")[1]


def test_json_csv_plot_and_store(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = ("--csv", str(tmp_path / "t.csv"), "--plot", str(tmp_path / "p.png"), "--store", str(tmp_path / "s.sqlite"))
    found = answer(capsys, DICE, "--jobs", "1", "-p", "sides=8", *files)
    assert (found["experiment"], found["parameters"]["sides"], found["missing"]) == ("dice", "8", 0)
    assert set(found["rows"][0]["mean"]) == {"value", "low", "high"}
    assert (tmp_path / "t.csv").read_text().splitlines()[1].startswith(f"W8,240,{found['rows'][0]['mean']['value']}")
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "s.sqlite").exists()
    assert not (tmp_path / "data").exists()


def test_out_of_time(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DICE_PAUSE", "0.02")
    code, out, _ = kibitz(capsys, DICE, "--jobs", "1", "--time", "0.03")
    assert code == 1
    assert "out of time: " in out
    assert " of 12 shards are missing; the same command goes on from here" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["reinfeld"], "unknown experiment 'reinfeld'; did you mean reinefeld?"),
        (["missing.py"], "missing.py: No such file or directory; give the path of a .py file or one of: "),
        ([DICE, "-p", "side=3"], "experiment dice has no parameter 'side'; did you mean sides?"),
        ([DICE, "-p", "sides=1"], "parameter sides=1: must be a whole number from 2 to 100"),
        ([DICE, "-p", "sides"], "--param sides: write NAME=VALUE"),
        ([DICE, "--plot", "plot.gif"], "cannot plot into plot.gif: the name must end with .svg, .png or .pdf"),
        ([DICE, "--csv", "no/such/folder/t.csv"], "there is no folder no/such/folder"),
        ([DICE, "--jobs", "-1"], "Invalid value for '--jobs'"),
        (["reinefeld", "-p", "kinds=random"], "unknown kind 'random'; kinds: incremental, independent, sorted, strong"),
        (["reinefeld", "-p", "kinds=strong,strong"], "the kind 'strong' is named twice"),
        (["reinefeld", "-p", "widths=20,70"], "parameter widths=20,70: must be whole numbers with commas between, each from 2 to 64"),
        (["reinefeld", "-p", "depths=3,4,3"], "parameter depths=3,4,3: a number is there twice"),
        (["growth", "-p", "games=chess960"], "unknown game 'chess960'; games: "),
    ],
)
def test_bad_input_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    code, out, err = kibitz(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.startswith("kibitz: ")
    assert err.count("\n") == 1
    assert message in err


def test_a_missing_matplotlib_is_one_line_before_any_work(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    code, out, err = kibitz(capsys, DICE, "--plot", "plot.svg")
    assert (code, out) == (2, "")
    assert err == "kibitz: plots need matplotlib; install it with: pip install matplotlib\n"


def test_the_guides_experiment_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pages = Path(__file__).parent.parent.parent / "docs" / "experiments"
    guide = (pages / "README.md").read_text()
    source = re.search(r"```python\n(.*?)```", guide, re.DOTALL)
    assert source is not None
    (tmp_path / "luck.py").write_text(source[1])
    (row,) = answer(capsys, str(tmp_path / "luck.py"), "--jobs", "1", "-p", "positions=5")["rows"]
    assert row["positions"] == 5
    assert row["nodes"]["value"] > 1
    for page in pages.glob("*.md"):
        assert page.name == "README.md" or (f"[{page.stem}]({page.name})" in guide and page.stem in names()), page


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "about 1 s left"), (80, "about 80 s left"), (200, "about 3 min left"), (9000, "about 2.5 h left")]
)
def test_time_left_in_words(seconds: float, words: str) -> None:
    assert time_left(Progress(3, 10, 0, seconds)) == words
    assert time_left(Progress(10, 10, 0, seconds)) == ""
    assert time_left(Progress(3, 10, 0, None)) == ""
