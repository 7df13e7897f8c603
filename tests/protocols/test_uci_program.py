"""Other programs that speak UCI play in matches: here kibitz itself, and what is said of programs that do not."""

import sys
from pathlib import Path

import pytest

import kibitz as kb
from kibitz.protocols.uci_program import is_program, program

TICTACTOE = kb.load("tictactoe")
ITSELF = f"uci:{sys.executable} -m kibitz uci tictactoe; Search=alphabeta(table=0); depth=9"


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def test_a_program_plays_a_match() -> None:
    """It sees enough to lose nothing; and it gets the moves that random openings made."""
    result = kb.match(program(ITSELF, depth=6), "montecarlo(playouts=5, seed=1)", TICTACTOE, games=4, openings=1)
    assert (result.losses, len(result.games)) == (0, 4)
    effort = result.effort(0)
    assert effort.nodes > effort.moves > 0
    assert effort.depths > 0
    assert result.name(0) == ITSELF.replace("depth=9", "depth=6")


def test_programs_are_read() -> None:
    assert is_program(" uci:stockfish")
    assert not is_program("alphabeta")
    found = program("uci:some --thing; UCI_Elo=1800; Clear Way=a b; time=0.5")
    assert (found.command, found.options, found.settings) == ("some --thing", (("UCI_Elo", "1800"), ("Clear Way", "a b")), {"time": 0.5})
    assert program(found.name) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("uci:", "names no program"),
        ("uci:x; fast", "'fast' in 'uci:x; fast' is no NAME=VALUE"),
        ("uci:x; time=soon", "time=soon: must be a number above 0"),
        ("uci:x; depth=0", "depth=0: must be a number above 0"),
        ("uci:no-such-program-anywhere", "there is no program 'no-such-program-anywhere'"),
        (ITSELF + "; Hsh=1", "has no option 'Hsh'"),
        (f"uci:{sys.executable} -c pass", "has ended instead of answering"),
    ],
)
def test_what_is_no_program_is_refused(text: str, words: str) -> None:
    with pytest.raises(kb.KibitzError, match=words):
        kb.match(program(text), "alphabeta(depth=1)", TICTACTOE, games=2)


def test_a_file_that_is_no_program_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "engine").write_text("this is no program\n")
    (tmp_path / "engine").chmod(0o755)
    with pytest.raises(kb.InputError, match="engine cannot be started: Exec format error"):
        kb.match(program(f"uci:{tmp_path / 'engine'}"), "alphabeta(depth=1)", TICTACTOE, games=2)


def test_games_of_chance_are_refused() -> None:
    with pytest.raises(kb.InputError, match="two players without chance"):
        program("uci:x").check(kb.load("ewn"))
