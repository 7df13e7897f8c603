"""What newcomers meet: help with examples, what is kept on disk, whether all is well, compiling ahead."""

import shlex
from pathlib import Path

import pytest
import typer

import kibitz as kb
from kibitz.cli import examples
from kibitz.cli.main import app
from kibitz.core.compiling import cache
from tests.typed import answer, kibitz

PROGRAM = typer.main.get_command(app)
COMMANDS = examples.commands(PROGRAM)


def test_every_command_has_examples() -> None:
    assert set(examples.EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize("words", COMMANDS)
def test_examples_are_understood(words: str) -> None:
    """Their options and arguments exist; nothing is run."""
    for example in examples.EXAMPLES[words]:
        typed = shlex.split(example)
        place = len(words.split()) + 1
        assert typed[:place] == ["kibitz", *words.split()]
        COMMANDS[words].make_context(words, typed[place:])


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = kibitz(capsys, "search", "--help")
    assert (code, err) == (0, "")
    assert "kibitz search othello --time 5" in out
    assert "<bool>" not in out
    for words in ((), ("tune",)):
        code, out, err = kibitz(capsys, *words)
        assert (code, err) == (0, "")
        assert "Usage: kibitz" in out


def test_one_search_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = kibitz(capsys, "searches", "negascout")
    assert code == 0
    assert out.startswith("negascout: ")
    assert "mtdf: " not in out
    assert [s["search"] for s in answer(capsys, "searches", "uct")["searches"]] == ["uct"]
    assert kibitz(capsys, "searches", "alphabta")[2] == "kibitz: unknown search 'alphabta'; did you mean alphabeta?\n"


def test_the_cache_is_measured_and_removed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    assert answer(capsys, "cache")["files"] == 0
    cache.folder().mkdir()
    (cache.folder() / "search-0").write_bytes(b"12345")
    (tmp_path / "letter.txt").write_text("not ours")
    assert {**answer(capsys, "cache"), "folder": ""} == {"folder": "", "files": 1, "bytes": 5, "removed": False}
    code, out, _ = kibitz(capsys, "cache")
    assert (code, out.splitlines()) == (0, [str(tmp_path), "1 file, 0.0 MB"])
    assert kibitz(capsys, "cache", "clear")[1].splitlines()[1] == "1 file, 0.0 MB removed"
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    code, out, err = kibitz(capsys, "cache", "clean")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_doctor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "not" / "yet" / "there"))
    told = answer(capsys, "doctor", "--quick")
    assert set(told) == {"versions", "machine", "gpu", "cache", "extras"}
    assert (told["cache"]["files"], told["cache"]["writable"], told["machine"]["cores"] > 0) == (0, True, True)
    monkeypatch.setattr("kibitz.cli.doctor.EXTRAS", {"web": ("a_module_that_nobody_has", "the board")})
    monkeypatch.setattr("kibitz.core.compiling.cache.is_writable", lambda: False)
    code, out, _ = kibitz(capsys, "doctor", "--quick")
    assert code == 0
    assert "missing: pip install 'kibitz[web]'" in out
    assert "set KIBITZ_CACHE to a folder that can" in out


def test_doctor_measures_speed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    monkeypatch.setattr("kibitz.cli.doctor.PATHS", 2)
    monkeypatch.setattr("kibitz.cli.doctor.SECONDS", 0.05)
    code, out, err = kibitz(capsys, "doctor")
    assert (code, err) == (0, "")
    assert "positions/s" in out
    assert "simulated games/s" in out
    assert out.count("on an AMD EPYC core") == 3


def test_warm(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    told = answer(capsys, "warm", "nim", "duel", "--jobs", "1")["warm"]
    made = [(one["game"], one["player"]) for one in told]
    assert made == [("nim", "alphabeta"), ("nim", "solver"), ("nim", "perft"), ("duel", "star2"), ("duel", "perft")]
    every = answer(capsys, "warm", "nim", "--all", "--jobs", "1")["warm"]
    assert [one["player"] for one in every][:2] == ["alphabeta", "solver"]
    assert {"negascout", "uct", "selective"} < {one["player"] for one in every}
    assert kibitz(capsys, "warm", "nim", "--all", "--with", "uct")[0] == 2
    code, out, err = kibitz(capsys, "warm", "nim", "--with", "uct", "--jobs", "1")
    assert (code, err, out.split()[:2]) == (0, "", ["nim", "uct"])
    code, out, err = kibitz(capsys, "warm", "nim", "nymm")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_there_are_types_for_programs_that_use_kibitz() -> None:
    assert (Path(cache.__file__).parents[2] / "py.typed").exists()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("kibitz search con", "connect4"),
        ("kibitz search connect4 --with nega", "negascout"),
        ("kibitz searches uc", "uct"),
        ("kibitz che", "check"),
    ],
)
def test_a_shell_completes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, offered: str) -> None:
    monkeypatch.setenv("_KIBITZ_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    _, out, _ = kibitz(capsys)
    assert out.split() == [offered]


def test_one_game_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Its rules, parameters and searches, the usual one first; a list says no more than what it is."""
    code, out, _ = kibitz(capsys, "games", "pig")
    assert code == 0
    assert "holding keeps it" in " ".join(out.split())
    assert "target" in out
    assert "searches: star2, " in out
    assert "target" not in kibitz(capsys, "games")[1]


def test_where_chance_decides_a_way_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = kibitz(capsys, "search", "kuhn_poker")
    assert code == 2
    way = out.rpartition('--moves "')[2].partition('"')[0]
    assert kb.load("kuhn_poker").position(way).player == 0
    assert "here chance decides" in err
