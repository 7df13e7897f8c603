"""`kibitz belief` and `kibitz sure` as they are typed: what may be, a game as either side heard it, what is sure, and what is refused in one line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import kibitz as kb
from tests.typed import kibitz

MATE = ("XX./OO./... 45 12", "XX./O.O/... 46 12")  # X has won with the third square wherever the second O stands


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    monkeypatch.chdir(tmp_path)


def test_a_belief_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = kibitz(capsys, "belief", "blind_tictactoe", "--player", "2", "--history", "- 1 -", "--shown", "1")
    assert code == 0
    assert "28 positions possible" in out
    assert "   25   25   25\n" in out
    code, out, _ = kibitz(capsys, "belief", "blind_tictactoe", "--player", "2", "--history", "- 1 -", "--json")
    told = json.loads(out)
    assert (told["size"], told["complete"], told["sizes"], told["history"]) == (28, True, [1, 9, 8, 28], "- 1 -")
    assert told["cells"]["1,1"] == 0.25
    code, out, _ = kibitz(capsys, "belief", "blind_tictactoe", "--player", "2", "--history", "- 1 -", "--limit", "9")
    assert "a sample: more are possible" in out


def test_a_game_is_told_as_either_side_heard_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for player in ("1", "2"):
        code, out, _ = kibitz(
            capsys, "belief", "kriegspiel", "--moves", "e2e4 e7e5 e4e5 g1f3", "--player", player, "--json", "--shown", "0"
        )
        assert code == 0
        told.append((json.loads(out)["history"], json.loads(out)["sizes"]))
    assert told[0] == ("e2e4 - e4e5/illegal g1f3", [1, 1, 20, 1, 1])
    assert told[1][0] == "- e7e5 illegal -"
    monkeypatch.setattr("sys.stdin", io.StringIO("5\nquit\n"))
    assert kibitz(capsys, "play", "blind_tictactoe", "--with", "sampling(playouts=9)", "--seed", "1", "--save", "game.txt")[0] == 0
    for player, first in (("1", "5"), ("2", "-")):
        code, out, _ = kibitz(capsys, "belief", "blind_tictactoe", "--from", "game.txt", "--player", player, "--json")
        assert code == 0
        assert json.loads(out)["history"].split()[0] == first


def test_a_heat_map_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("belief", "battleships", "-p", "size=4", "-p", "fleet=3,2", "--history", "a1h - a2h - b2/hit", "--shown", "0")
    code, out, _ = kibitz(capsys, *words, "--svg", "heat.svg")
    assert code == 0
    assert len(out.splitlines()[-1].split()) == 4
    picture = Path("heat.svg").read_text()
    assert picture.startswith("<svg")
    assert picture.count('fill="#d6250f"') == 15
    rules = (Path(kb.__file__).parent / "games" / "kuhn_poker.py").read_text()
    Path("plain.py").write_text(rules.replace("def draw", "def undrawn"))
    code, _, err = kibitz(capsys, "belief", "plain.py", "--history", "K", "--svg", "cards.svg")
    assert (code, "plain draws nothing, so there is no picture to write" in err) == (2, True)
    assert not Path("cards.svg").exists()


def test_what_is_sure_is_told_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    positions = [word for text in MATE for word in ("--position", text)]
    code, out, _ = kibitz(capsys, "sure", "blind_tictactoe", *positions, "--out", "sure.kbp")
    assert code == 0
    assert "proven: X can make sure of a win within 1 move of his own" in out
    assert "[1] 3 (2 possible)" in out
    assert "written to sure.kbp" in out
    code, out, _ = kibitz(capsys, "verify", "sure.kbp", "--json")
    assert (json.loads(out)["positions"], json.loads(out)["verdict"]) == (2, "proven")
    code, out, _ = kibitz(capsys, "verify", "sure.kbp")
    assert "verified: in blind_tictactoe, 2 positions possible, X can make sure of a win" in out
    assert "[1] 3 (2 possible)" in kibitz(capsys, "tree", "sure.kbp")[1]
    code, out, _ = kibitz(capsys, "sure", "blind_tictactoe", "--history", "5 - 1 -", "--within", "1", "--hope", "1", "--json")
    told = json.loads(out)
    assert (code, told["verdict"], told["moves"]) == (1, "disproven", 1)
    assert told["hope"]["chance"] == pytest.approx(0.7143, abs=1e-4)
    code, out, _ = kibitz(capsys, "sure", "blind_tictactoe", "--history", "5 - 1 -", "--within", "1", "--hope", "1")
    assert "no guarantee" in out


def test_a_strategy_is_played(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Against somebody who holds the other side; from the position that is asked for, if the strategy is sure of it."""
    positions = [word for text in MATE for word in ("--position", text)]
    assert kibitz(capsys, "sure", "blind_tictactoe", *positions, "--out", "sure.kbp")[0] == 0
    for more in ((), ("--position", MATE[1])):
        code, out, err = kibitz(capsys, "play", "blind_tictactoe", "--with", "sure.kbp", "--second", *more)
        assert code == 0, err
        assert "game over: you lose" in out
    for words, said in (
        (("blind_tictactoe", "--second", "--position", "X../O../... - -"), "is sure of 2 other positions, not of this one"),
        (("kriegspiel", "--second"), "is a strategy of blind_tictactoe, not of kriegspiel"),
    ):
        code, out, err = kibitz(capsys, "play", *words, "--with", "sure.kbp")
        assert code == 2
        assert said in err
    monkeypatch.setattr("sys.stdin", io.StringIO("3\n"))
    code, out, err = kibitz(capsys, "play", "blind_tictactoe", "--with", "sure.kbp")
    assert (code, "you win" in out) == (0, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("belief", "chess"), "chess hides nothing: everybody knows the position"),
        (("belief", "kuhn_poker", "--player", "3"), "there is no player 3; kuhn_poker has players 1 to 2"),
        (("belief", "blind_tictactoe", "--player", "2", "--history", "- 5 - 5"), "impossible word 4, '5': it is the turn of O"),
        (("belief", "blind_tictactoe", "--history", "5 -", "--moves", "5 1"), "exclude each other"),
        (("belief", "blind_tictactoe", "--from", "x", "--history", "5"), "--from tells a whole game"),
        (("belief", "blind_tictactoe", "--from", "x"), "cannot read x"),
        (("sure", "blind_tictactoe", "--goal", "winning"), "'winning' is no goal"),
        (("sure", "blind_tictactoe", "--out", "nowhere/sure.kbp"), "there is no folder nowhere"),
        (("sure", "kriegspiel", "--history", "e2e4 - e2e4"), "impossible word 3, 'e2e4'"),
        (("sure", "blind_tictactoe", "--position", "XXX/OO./... - -"), "the game is over"),
        (("verify", "nowhere.kbp"), "cannot read nowhere.kbp"),
        (("prove", "kriegspiel"), "kibitz sure asks what a player can make sure of"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = kibitz(capsys, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
