"""Files are whole or not there, and a name with a slip in it makes no folders."""

import os
from pathlib import Path

import pytest

import kibitz as kb
from kibitz.core.files import check_place, make_folder, read_json, write_json, write_whole
from tests.typed import kibitz


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "it is a folder; give the name of a file"),
        ("here", "it is a folder; give the name of a file"),
        ("nowhere/result.svg", "there is no folder"),
        ("file/result.svg", "there is no folder"),
    ],
)
def test_places_where_nothing_can_be_written(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "file").write_text("")
    for write in (check_place, lambda path: write_whole(path, "text"), lambda path: write_json(path, [])):
        with pytest.raises(kb.InputError, match=words):
            write(tmp_path / name)
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["file", "here"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(kb.InputError, match="cannot be written to"):
        check_place(tmp_path / "result.svg")


def test_folders_of_our_own_are_made(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    write_json(tmp_path / "a" / "b" / "c.json", [1, 2])
    assert read_json(tmp_path / "a" / "b" / "c.json", "numbers") == [1, 2]
    with pytest.raises(kb.InputError, match="cannot make the folder"):
        make_folder(tmp_path / "a" / "b" / "c.json" / "d")


@pytest.mark.parametrize(
    "words",
    [
        ("show", "tictactoe", "--svg"),
        ("tree", "connect4", "--depth", "30", "--svg"),
        ("play", "go", "--save"),
        ("tune", "probcut", "othello", "--out"),
        ("book", "build", "chess", __file__, "--out"),
    ],
)
def test_commands_refuse_before_they_work(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...]) -> None:
    code, out, err = kibitz(capsys, *words, str(tmp_path / "nowhere" / "file"))
    assert (code, out) == (2, "")
    assert err.startswith("kibitz: cannot write ")
    assert "there is no folder" in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
