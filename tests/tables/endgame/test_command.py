"""`kibitz table` as a user types it."""

import json
import re
from pathlib import Path

import pytest

from tests.typed import answer, kibitz


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def build(capsys: pytest.CaptureFixture[str], game: str = "tictactoe", *more: str) -> str:
    code, out, err = kibitz(capsys, "table", "build", game, *more)
    assert code == 0, err
    return out


def test_a_table_is_built_and_told_of(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = build(capsys)
    assert out.splitlines()[0] == "tictactoe: 627 positions to solve"
    assert "all: 390 won, 148 drawn, 89 lost; " in out
    assert out.rstrip().endswith(str(tmp_path / "data" / "tables" / "tictactoe-all.table"))
    assert "there before" in build(capsys)
    _, out, _ = kibitz(capsys, "table", "list", "tictactoe")
    assert "results  627" in out
    assert "1 tables of tictactoe" in out


def test_probing_tells_every_move(capsys: pytest.CaptureFixture[str]) -> None:
    build(capsys)
    _, out, _ = kibitz(capsys, "table", "probe", "tictactoe", "--moves", "12")
    assert "won in 5 plies for the player to move (table all)" in out
    assert out.splitlines()[-1].startswith("line: ")
    found = answer(capsys, "table", "probe", "tictactoe", "--moves", "12")
    assert (found["entry"]["value"], found["entry"]["distance"], found["entry"]["exact"]) == (1.0, 5, True)
    assert len(found["moves"]) == 7
    assert len(found["line"]) == 5
    _, out, _ = kibitz(capsys, "table", "probe", "tictactoe", "--moves", "14253")
    assert "the game is over" in out


def test_stats_and_their_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    build(capsys)
    _, out, _ = kibitz(capsys, "table", "stats", "tictactoe", "--svg", "distances.svg")
    assert "    1 plies          321 won            0 lost  ####" in out
    found = answer(capsys, "table", "stats", "tictactoe")["tables"][0]
    counts = [n for pair in found["distances"].values() for n in (pair["won"], pair["lost"]) if n]
    drawn = re.findall(r'width="23.00" height="([\d.]+)" fill', (tmp_path / "distances.svg").read_text())
    assert [float(height) for height in drawn] == pytest.approx([220 * n / max(counts) for n in counts], abs=0.01)
    assert found["counts"] == {"won": 390, "drawn": 148, "lost": 89, "finished": 0, "nothing": 0}
    assert sum(d["won"] for d in found["distances"].values()) == 390
    assert kibitz(capsys, "table", "stats", "tictactoe", "--svg", "no/place.svg")[0] == 2


def test_longest_wins_with_their_lines(capsys: pytest.CaptureFixture[str]) -> None:
    build(capsys)
    assert kibitz(capsys, "table", "longest", "tictactoe")[1] == "all: 5 plies; which position that is, the table does not tell\n"
    build(capsys, "pig", "-p", "target=3")
    assert "without distances" in kibitz(capsys, "table", "longest", "pig", "-p", "target=3")[1]


def test_verifying_and_what_is_wrong(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    build(capsys)
    assert kibitz(capsys, "table", "verify", "tictactoe", "--positions", "50")[1] == "all: 50 positions agree with their successors\n"
    assert answer(capsys, "table", "verify", "tictactoe", "--positions", "9")["tables"] == [{"section": "all", "positions": 9, "faults": 0}]
    path = tmp_path / "data" / "tables" / "tictactoe-all.table"
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 4]))
    code, _, err = kibitz(capsys, "table", "verify", "tictactoe")
    assert code == 2
    assert "the checksum of block 1 is wrong; build it again" in err
    path.write_bytes(content[:-7])
    code, _, err = kibitz(capsys, "table", "probe", "tictactoe")
    assert code == 2
    assert "is damaged" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("build", "go"), "depends on the positions before it"),
        (("build", "pig", "-p", "players=3"), "for two players"),
        (("build", "tictactoe", "KQK"), "tictactoe names no sections"),
        (("build", "tictactoe", "--men", "3"), "no sections with at most 3 men"),
        (("build", "chess", "KXK"), "no section 'KXK'"),
        (("build", "chess", "KQK", "--men", "3"), "exclude each other"),
        (("probe", "nim"), "there is no folder"),
        (("list", "nim", "--tables", "nowhere"), "there is no folder"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = kibitz(capsys, "table", *words)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.rglob("*.table*"))


def test_json_of_a_build(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = kibitz(capsys, "table", "build", "nim", "-p", "heaps=1,2", "--json")
    found = json.loads(out)
    assert found["game"] == "nim(heaps=1,2)"
    assert found["tables"][0]["counts"]["won"] == 4
    assert Path(found["tables"][0]["file"]).exists()
