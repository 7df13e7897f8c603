"""The command line as a user types it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import __version__
from tests.typed import answer, kibitz


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = kibitz(capsys, "games")
    assert code == 0
    assert "connect4" in out
    listed = {g["game"]: g for g in answer(capsys, "games")["games"]}
    assert listed["connect4"]["parameters"]["rows"] == {
        "default": 6,
        "range": "a whole number from 1 to 15",
        "about": "squares in a column",
    }
    assert listed["tictactoe"]["players"] == 2


def test_show(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = kibitz(capsys, "show", "connect4", "--moves", "4453", "--svg", str(tmp_path / "board.svg"))
    assert code == 0
    assert "..OXX.." in out
    assert "Red (X) to move: 4 3 5 2 6 1 7" in out
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    over = answer(capsys, "show", "tictactoe", "--moves", "14253")
    assert (over["player"], over["moves"], over["utilities"]) == (-1, [], [1.0, -1.0])
    after = answer(capsys, "show", "tictactoe", "--position", "X../.../...", "--moves", "5")
    assert after["position"] == "X..\n.O.\n..."


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "perft", "connect4", "5")["by_depth"] == [1, 7, 49, 343, 2401, 16807]
    assert answer(capsys, "perft", "connect4", "3", "--interpreted")["nodes"] == 343
    assert answer(capsys, "perft", "tictactoe", "9", "--games")["by_utility"] == {"-1": 77904, "0": 46080, "1": 131184}
    assert answer(capsys, "perft", "tictactoe", "9", "--distinct", "--symmetric")["positions"] == 765
    assert answer(capsys, "perft", "connect4", "3", "--divide", "--param", "columns=3")["by_move"] == {"2": 9, "1": 9, "3": 9}
    code, out, _ = kibitz(capsys, "perft", "connect4", "6")
    assert code == 0
    assert "117 649" in out


def test_check(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert answer(capsys, "check", "tictactoe", "--games", "20")["passed"] is True
    broken = tmp_path / "broken.py"
    kibitz(capsys, "new", str(broken))
    broken.write_text(broken.read_text().replace("s.turn = 1 - s.turn", "s.turn = 2 - s.turn"))
    code, out, _ = kibitz(capsys, "check", str(broken), "--games", "20")
    assert code == 1
    assert "player: returned 2 after" in out


def test_new(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = kibitz(capsys, "new", "my_game")
    assert code == 0
    assert "kibitz check my_game.py" in out
    assert answer(capsys, "perft", "my_game.py", "3", "--param", "target=9")["nodes"] == 27
    code, _, err = kibitz(capsys, "new", "my_game")
    assert code == 2
    assert "my_game.py exists already" in err
    assert [p.name for p in tmp_path.iterdir() if p.suffix != ""] == ["my_game.py"]


def test_search(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "search", "connect4", "--moves", "4455", "--with", "alphabeta(table=1)", "--depth", "5")
    assert (found["move"], found["value"], found["bound"], found["distance"]) == ("3", 1.0, "exact", 3)
    assert found["engine"] == "alphabeta(depth=5, table=1.0)"
    assert set(found) >= {"game", "position", "engine", "move", "value", "bound", "line", "depth", "nodes", "seconds"}
    code, out, _ = kibitz(capsys, "search", "connect4", "--moves", "4455", "--depth", "5")
    assert code == 0
    lines = out.splitlines()
    assert "...XX.." in lines
    assert [line.split()[0] for line in lines if line.split() and line.split()[0].isdigit()][1:4] == ["1", "2", "3"]
    assert "with alphabeta: two players, nothing left to chance; --with names another" in lines
    assert lines[-2] == "3  Red (X) wins in 3 plies: 3 4 2"
    assert re.fullmatch(r"depth 3, \d+ positions, \d.\d\d s; solved", lines[-1])


def test_search_without_a_player_never_refuses(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    for words in (("pig", "-p", "players=3"), ("ewn",), ("go",), ("nim",)):
        code, out, err = kibitz(capsys, "search", *words, "--time", "0.01")
        assert (code, err) == (0, "")
        assert "; --with names another" in out
    code, out, err = kibitz(capsys, "solve", "blind_tictactoe")
    assert (code, out) == (2, "")
    assert err.startswith("kibitz: solve cannot solve blind_tictactoe: its players do not see the whole position; ")
    code, out, _ = kibitz(capsys, "solve", "pig", "-p", "players=3", "--time", "0.05")  # can be solved, but not so fast
    assert code == 1
    assert "not solved: the limit on time came first" in out


def test_solve(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "solve", "tictactoe")
    assert (found["value"], found["bound"], len(found["line"])) == (0.0, "exact", 9)
    code, out, _ = kibitz(capsys, "solve", "connect4", "--nodes", "5000")
    assert code == 1
    assert "not solved: the limit on nodes came first" in out


def test_searches(capsys: pytest.CaptureFixture[str]) -> None:
    listed = {s["search"]: s for s in answer(capsys, "searches")["searches"]}
    assert {"alphabeta", "minimax"} <= set(listed)
    assert {"name": "depth", "default": 0, "range": "a whole number from 0 to 256", "about": "plies to search; 0: no limit"} in listed[
        "minimax"
    ]["options"]
    code, out, _ = kibitz(capsys, "searches")
    assert code == 0
    assert "killers" in out


def test_play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["nonsense", "5", "hint", "moves", "undo", "undo", "1", "sides", "quit"])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    code, out, _ = kibitz(capsys, "play", "tictactoe", "--depth", "9")
    assert code == 0
    assert "illegal move 'nonsense': legal moves are 1 2 3 4 5 6 7 8 9" in out
    assert out.count("engine plays") >= 2
    assert "try " in out
    assert "there is nothing to undo" in out
    assert "you are O now" in out


def test_play_to_the_end(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["1", "2", "3", "4", "5", "6", "7", "8", "9"] * 9)  # the first that is legal
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    code, out, _ = kibitz(capsys, "play", "tictactoe", "--second")
    assert code == 0
    assert "game over: " in out
    assert "you win" not in out


def test_signature(capsys: pytest.CaptureFixture[str]) -> None:
    """What the searches visit, to the node. A change here is a change of a search: say so in the commit."""
    assert answer(capsys, "bench", "--signature") == json.loads((Path(__file__).parent / "signature.json").read_text())


def test_bench(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")  # what it tells, not how fast it is: the signature compiles every search
    rows = answer(capsys, "bench", "tictactoe", "--time", "0.01")["bench"]
    assert [r["game"] for r in rows] == ["tictactoe"]
    assert rows[0]["paths_per_second"] > 0
    assert rows[0]["games_per_second"] > 0
    assert set(rows[0]["nodes_per_second"]) >= {"alphabeta", "minimax", "dfpn", "pn", "pn2"}
    assert min(rows[0]["nodes_per_second"].values()) > 0


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert kibitz(capsys, "--version") == (0, f"kibitz {__version__}\n", "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["perfect", "connect4"], "there is no command 'perfect'; did you mean perft?"),
        (["perft"], "Missing argument 'GAME'; see kibitz perft --help"),
        (["perft", "conect4", "3"], "unknown game 'conect4'; did you mean connect4?"),
        (["perft", "connect4", "three"], "Invalid value for 'depth'"),
        (["perft", "connect4", "3", "--divide", "--games"], "exclude each other"),
        (["perft", "connect4", "3", "--symmetric"], "--symmetric, --time and --memory go with --distinct"),
        (["show", "connect4", "--moves", "44444444"], "illegal move '44': legal moves are 3 5 2 6 1 7"),
        (["show", "connect4", "--position", "???"], "'???' is no position of connect4"),
        (["show", "connect4", "--param", "rows=77"], "parameter rows=77: must be a whole number from 1 to 15"),
        (["show", "connect4", "--param", "rows"], "write NAME=VALUE"),
        (["show", "connect4", "--svg", "no/such/folder/x.svg"], "cannot write no/such/folder/x.svg"),
        (["check", "missing.py"], "there is no file missing.py"),
        (["search", "connect4", "--with", "alphabta"], "unknown search 'alphabta'; did you mean alphabeta?"),
        (["search", "connect4", "--with", "alphabeta(dept=3)"], "alphabeta has no option 'dept'; did you mean depth?"),
        (["search", "connect4", "--time", "-1"], "time=-1.0: must be a number from 0"),
        (["search", "tictactoe", "--moves", "14253"], "the game is over in this position"),
        (["new", "not a name"], "cannot be the name of a Python file"),
    ],
)
def test_bad_input_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    code, out, err = kibitz(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.startswith("kibitz: ")
    assert err.count("\n") == 1
    assert message in err


def test_ctrl_c_stops_a_long_count() -> None:
    """In a process of its own: the signal goes to the main thread while the kernel runs in another."""
    import signal
    import time

    command = [sys.executable, "-m", "kibitz", "perft", "connect4", "30"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    assert process.stdout is not None
    while not process.stdout.readline().strip().startswith("9 "):
        pass
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "kibitz: stopped"
