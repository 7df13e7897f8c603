"""What the documents promise: commands and Python run as they stand there, games and experiments are sound, output is today's, tables name what exists."""

import doctest
import io
import re
import shlex
from pathlib import Path

import pytest

import kibitz as kb
from kibitz.cli.main import STOPPED
from kibitz.core.checking.conformance import check
from kibitz.core.device import driver
from kibitz.core.errors import KibitzError
from kibitz.core.measuring.perft import count_games
from kibitz.core.protocol import rules
from kibitz.players import Player
from tests import documents
from tests.documents import PAGES, ROOT, commands, files, hastened, name_of, python, shortened
from tests.typed import kibitz

# Everything else is run. Each with the reason why it is not.
LEFT_OUT = {
    "make demo": "sets up an environment; what it then runs is in the Makefile, and tried below",
    "make test": "runs this very test",
    "make test-long": "runs this very test, and more",
    "make bench": "installs the peers and takes half an hour; tests/test_benchmarks.py runs its parts",
    "make docs": "tests/test_website.py builds it",
    "make format": "would change the files under test",
    "pip install torch onnx onnxscript onnxruntime": "fetches packages",
    "python examples/train_connect4.py": "needs torch, which tests do without",
    "kibitz serve": "serves until it is stopped; tests/web/conftest.py starts it, and stops it",
    "pip install 'kibitz[web]'": "fetches packages",
    "kibitz experiment kriegspiel-mates": "reads every board there is; tests/experiments/test_beliefs.py runs a row of it",
    "kibitz experiment battleship-shots": "plays whole games; tests/games/test_battleships.py shoots at three fleets",
    "kibitz match go --one": "needs GNU Go; tests/protocols/test_gtp_program.py plays against it where it is installed",
}
PYTHON_LEFT_OUT = {"GtpProgram(": "needs GNU Go, as above"}
NO_GPU = driver.why_none()  # then commands that want one say so, and end
COMPILED = (
    "kibitz check",
    "kibitz solve",
    "kibitz sure kriegspiel",
    "kibitz table",
)  # all others run interpreted: what is shown is that they work, and their searches are tested elsewhere


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for what commands write, their results among it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("kibitz.tuning.eval_fit.ROWS_A_WEIGHT", 0.01)  # weights are fitted to a few games
    return tmp_path


def reason(command: str) -> str | None:
    return next((why for beginning, why in LEFT_OUT.items() if command.startswith(beginning)), None)


@pytest.mark.parametrize("page", [page for page in PAGES if any(not reason(c) for c in commands(page))], ids=name_of)
def test_commands_run(page: Path, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the page, in one folder, with short limits; and the commands that their output advises to try."""
    documents.PROVIDED.get(name_of(page), lambda _: None)(folder)
    waiting = [command for command in commands(page) if not reason(command)]
    while waiting:
        command = waiting.pop(0)
        for beginning, provide in documents.PROVIDED.items():
            if command.startswith(beginning):
                provide(folder)
        small = "heap.py" in command or "examples/" in command  # tests/test_examples.py has the latter
        monkeypatch.setenv("KIBITZ_TARGET", "cpu" if command.startswith(COMPILED) and not small else "python")
        words = shortened(command)
        monkeypatch.setattr("sys.stdin", io.StringIO(documents.TYPED.get(words[0], "")))
        code, out, err = kibitz(capsys, *words)
        if NO_GPU and "=cuda" in command.replace(" cuda", "=cuda") and words[0] != "check":
            assert (code, err.count("leave --device cuda out to work on the CPU")) == (2, 1), f"{command}\n{err}"
            continue
        assert code == 0, f"{command}\n(run as: kibitz {shlex.join(words)})\n{err}"
        assert "Traceback" not in err
        assert out or words[0] in ("gtp", "uci"), command
        if words[0] == "match" and words[1] != "chess":  # of which there are openings enough, and thousands of them take minutes to draw
            begin(capsys, command)
        waiting = [*(c for c in documents.suggested(out) if c not in waiting), *waiting]


def begin(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """A match with all its games and openings: it is refused before the first move, or not at all, so it is stopped there as Ctrl-C would stop it."""
    words = [hastened(word) for word in shlex.split(re.sub(" --(record|jobs) [^ ]+| --resume", "", command))[1:]]
    with pytest.MonkeyPatch.context() as patched:
        for question in ("prepare", "search"):
            patched.setattr(Player, question, interrupt)
        code, _, err = kibitz(capsys, *words)
    assert code in (0, STOPPED), f"{command}\n{err}"
    assert "Traceback" not in err


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("page", [page for page in PAGES if python(page)], ids=name_of)
def test_python_runs(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a page in one namespace, as somebody who reads it from above would type it."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    documents.PROVIDED.get(name_of(page), lambda _: None)(folder)
    names: dict[str, object] = {"kb": kb}
    for source in python(page):
        if not any(words in source for words in PYTHON_LEFT_OUT):
            if NO_GPU:
                source = source.replace('device="cuda"', 'device="cpu"')
            exec(compile(re.sub(r"kb\.solve\((.*)\)", r"kb.solve(\1, time=0.05)", hastened(source)), name_of(page), "exec"), names)


def test_exceptions_are_still_needed() -> None:
    shown = [command for page in PAGES for command in commands(page)]
    assert all(any(c.startswith(beginning) for c in shown) for beginning in LEFT_OUT)
    assert all(any(words in source for page in PAGES for source in python(page)) for words in PYTHON_LEFT_OUT)
    assert sum(not reason(c) for c in shown) > 50


def test_make_knows_its_targets(capsys: pytest.CaptureFixture[str]) -> None:
    makefile = (ROOT / "Makefile").read_text()
    for command in (c for page in PAGES for c in commands(page) if c.startswith("make ")):
        assert re.search(rf"^{command.split()[1]}:", makefile, re.MULTILINE), command
    demo = re.search(r"^demo:.*\n\t\$\(BIN\)/(kibitz .*)$", makefile, re.MULTILINE)
    assert demo is not None
    assert kibitz(capsys, *shortened(demo[1]))[0] == 0


# --- games, experiments and Python that are shown whole ---


def test_readme_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 6
    assert failed == 0


@pytest.mark.parametrize("page", [page for page in PAGES if any("State = record" in source for source in files(page))], ids=name_of)
def test_games_that_are_shown_are_sound(page: Path, tmp_path: Path) -> None:
    path = tmp_path / "shown.py"
    for source in files(page):
        if "State = record" in source:
            path.write_text(source)
            assert check(kb.load(str(path)), games=50).failures == []


def test_the_experiment_that_is_shown_runs(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    page = (ROOT / "docs" / "experiments" / "README.md").read_text()
    (source,) = files(ROOT / "docs" / "experiments" / "README.md")
    (folder / "luck.py").write_text(source)
    assert "`kibitz experiment luck.py -p positions=50`" in page
    code, out, err = kibitz(capsys, "experiment", "luck.py", "-p", "positions=2", "--jobs", "1")
    assert code == 0, err
    assert "with three random moves made" in out


# --- output that is shown ---


def test_the_error_that_is_shown(tmp_path: Path) -> None:
    """Of a game that mixes a set of squares with a number; whichever line that is in."""
    shown = re.search(r"^    kibitz: (my_game\.py:23: .*)$", (ROOT / "docs" / "writing-a-game.md").read_text(), re.MULTILINE)
    assert shown is not None
    mixed = documents.TEMPLATE.replace("if player == s.turn else", "if player == s.turn and np.uint64(7) & s.turn == 0 else")
    (tmp_path / "my_game.py").write_text(mixed)
    with pytest.raises(KibitzError) as caught:
        count_games(kb.load(str(tmp_path / "my_game.py")).start, 30)
    assert re.sub(r":\d+:", ":23:", str(caught.value)) == shown[1]


def test_the_mate_of_a_king_that_nobody_sees_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ROOT / "docs" / "kriegspiel.md"
    command = next(c for c in commands(page) if c.startswith("kibitz sure"))
    code, out, err = kibitz(capsys, *shlex.split(command)[1:])
    assert code == 0, err
    assert "\n".join(out.splitlines()[out.splitlines().index("[1] g1g6 (3 possible)") : -1]) in page.read_text()
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    _, out, _ = kibitz(capsys, "belief", "kriegspiel", "--moves", "e2e4 e7e5 e4e5")
    assert "\n".join(line.rstrip() for line in out.splitlines()[:4]) in page.read_text()


def test_the_board_of_the_horizon_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = kibitz(capsys, "show", "breakthrough", "-p", "rows=6", "-p", "columns=5", "--position", "horizon")
    board = "\n".join(f"    {line}".rstrip() for line in out.splitlines()[:7])
    assert board in (ROOT / "docs" / "horizon.md").read_text()


def test_a_book_is_shown_as_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents.provide_games(folder)
    assert kibitz(capsys, "book", "build", "chess", "games.pgn", "more.pgn", "--out", "chess.book")[0] == 0
    _, out, _ = kibitz(capsys, "book", "probe", "chess", "chess.book", "--moves", "e4 e5")
    heading = next(line for line in out.splitlines() if line.startswith("move "))
    assert f"    {heading.rstrip()}\n" in (ROOT / "docs" / "books.md").read_text()


# --- names and links ---


def test_the_guide_names_the_whole_protocol() -> None:
    guide = (ROOT / "docs" / "writing-a-game.md").read_text()
    for name in (*rules.REQUIRED, *rules.OPTIONAL, *rules.FOR_PEOPLE, *rules.DEFAULTS):
        assert name in guide, name


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists() or "://" in target, (page.name, target)
