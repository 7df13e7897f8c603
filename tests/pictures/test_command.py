"""`kibitz tree` as a user types it."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_commands import answer, kibitz


def test_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = kibitz(capsys, "tree", "trees", "-p", "tree=aima", "--with", "minimax")
    assert code == 0
    assert out.splitlines()[:3] == [
        "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
        "trees: minimax: move 1, value 3 for MAX; depth 2, 13 nodes",
        "▲ 3",
    ]
    code, out, _ = kibitz(capsys, "tree", "tictactoe", "--moves", "15", "--depth", "2", "--size", "10", "--with", "negascout")
    assert code == 0
    assert "nodes" in out
    assert len(out.splitlines()) < 25


def test_as_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    code, out, _ = kibitz(capsys, "tree", "tictactoe", "--position", "X../.O./...", "--depth", "2", "--svg", str(path))
    assert code == 0
    assert out.splitlines()[1] == f"picture written to {path}"
    assert ElementTree.fromstring(path.read_text()).tag.endswith("svg")
    assert [p.name for p in tmp_path.iterdir()] == ["tree.svg"]


def test_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "tree", "tictactoe", "--with", "negascout(depth=2)")
    assert found["engine"] == "negascout(depth=2)"
    assert found["visits"][0]["parent"] is None
    assert found["nodes"] <= len(found["visits"])
    short = answer(capsys, "tree", "tictactoe", "--with", "minimax(depth=2, deepening=false)", "--room", "20")
    assert (len(short["visits"]), short["lost"]) == (10, 72)  # the first ply


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["tictactoe", "--with", "alphabta"], "unknown search 'alphabta'; did you mean alphabeta?"),
        (["tictactoe", "--with", "minimax(dept=3)"], "minimax has no option 'dept'; did you mean depth?"),
        (["tictactoe", "--moves", "14253"], "the game is over in this position"),
        (["tictactoe", "--moves", "99"], "illegal move"),
        (["tictactoe", "--depth", "1", "--svg", "/no/such/folder/t.svg"], "cannot write /no/such/folder/t.svg: there is no folder /no/such/folder"),
        (["tictactoe", "--depth", "1", "--svg", "/"], "cannot write /: it is a folder"),
        (["tictactoe", "--room", "0"], "--room"),
        (["nothere"], "unknown game 'nothere'"),
        (["trees", "-p", "tree=aima-chance", "--with", "scout"], "scout cannot search trees: it has chance"),
    ],
)  # fmt: skip
def test_what_is_refused(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    code, out, err = kibitz(capsys, "tree", *words)
    assert code == 2
    assert out == ""
    assert says in err
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err


def test_json_and_a_picture_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "t.svg"
    code, out, _ = kibitz(capsys, "tree", "tictactoe", "--depth", "1", "--json", "--svg", str(path))
    assert code == 0
    assert json.loads(out)["depth"] == 1
    assert path.exists()
