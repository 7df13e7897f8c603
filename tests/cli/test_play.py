"""`kibitz play` in games of chance, and with other numbers of players than two."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import kibitz as kb
from kibitz.cli import terminal
from tests.typed import kibitz

DICE = {f"chance: {n}" for n in range(1, 7)}


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few simulations: not worth a compilation."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """What the person at the keyboard enters, and then the end of the input."""
    waiting = list(lines)

    def typed(_: str) -> str:
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    monkeypatch.setattr("builtins.input", typed)


def rolled(out: str) -> list[str]:
    return [line for line in out.splitlines() if line.startswith("chance: ")]


def test_the_dice_are_rolled_and_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "roll")
    code, out, err = kibitz(capsys, "play", "pig", "--with", "uct(playouts=20)", "--seed", "1")
    assert (code, err) == (0, "")
    assert rolled(out)
    assert set(rolled(out)) <= DICE
    assert "None" not in out


def test_what_the_die_shows_counts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "roll")
    _, out, _ = kibitz(capsys, "play", "pig", "--with", "uct(playouts=5)", "--seed", "3")
    shown = int(rolled(out)[0].split()[1])
    expected = kb.load("pig").start.play("roll", str(shown)).show()
    assert expected in out


def test_same_seed_same_rolls(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    for seed in ("5", "5", "6"):
        typing(monkeypatch, *["roll"] * 4)
        played.append(rolled(kibitz(capsys, "play", "pig", "--with", "uct(playouts=5)", "--seed", seed)[1]))
    assert played[0] == played[1] != played[2]


def test_a_whole_game_of_einstein(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Changing sides at every turn lets the engine make all moves; the dice decide before each, and where the men stand at first."""
    typing(monkeypatch, *["sides"] * 100)
    code, out, _ = kibitz(capsys, "play", "ewn", "-p", "size=4", "--with", "uct(playouts=3)", "--seed", "1")
    assert code == 0
    assert len(rolled(out)) > out.count("engine plays ") > 2
    assert out.splitlines()[-1].startswith("game over: ")


def test_a_game_of_chance_alone_plays_itself(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch)
    code, out, _ = kibitz(capsys, "play", "duel", "--with", "star1", "--seed", "2")
    assert code == 0
    assert len(rolled(out)) == 10
    assert out.splitlines()[-1].startswith("game over: ")


def test_undo_takes_the_roll_back(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "roll", "undo", "quit")
    code, out, _ = kibitz(capsys, "play", "pig", "--with", "uct(playouts=3)", "--seed", "1")
    assert code == 0
    start = kb.load("pig").start.show()
    assert out.count(start) == 2


def test_three_players(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine plays for all others; `sides` goes round."""
    typing(monkeypatch, "hold", "sides", "hold", "quit")
    code, out, _ = kibitz(capsys, "play", "pig", "-p", "players=3", "--with", "uct(playouts=3)", "--seed", "1")
    assert code == 0
    assert "engine as B plays " in out
    assert "engine as C plays " in out
    assert "you are B now" in out


def test_a_place_to_save_is_looked_at_before_the_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = kibitz(capsys, "play", "go", "--save", str(tmp_path / "nowhere" / "game.sgf"))
    assert (code, out) == (2, "")
    assert "there is no folder" in err
    assert not list(tmp_path.iterdir())


def test_a_game_is_saved_and_gone_on_with(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With its parameters and its dice; what was played before is the board it begins with."""
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    words = ("play", "pig", "--with", "uct(playouts=3)", "--seed", "1")
    typing(monkeypatch, "roll", "hold")
    code, out, _ = kibitz(capsys, *words, "-p", "players=3", "--save", str(first))
    assert code == 0
    assert out.endswith(f"\nthe game stops here\ngame written to {first}\n")
    moves = first.read_text().splitlines()[-1].removeprefix("moves: ").split()
    assert moves[0] == "roll"
    now = kb.load("pig", players=3).start.play(*moves)
    assert kibitz(capsys, "show", "pig", "--from", str(first))[1].startswith(now.show())
    typing(monkeypatch, "hold")
    assert kibitz(capsys, *words, "--from", str(first), "--save", str(second))[0] == 0
    later = second.read_text().splitlines()[-1].removeprefix("moves: ").split()
    assert kibitz(capsys, "show", "pig", "--from", str(second))[1].startswith(now.play(*later).show())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no game of nim on record"),
        ("kibitz game: pig\nmoves: roll\n", "a game of pig, not of nim"),
        ("kibitz game: nim\nmoves: nonsense\n", "move 1: illegal move 'nonsense'"),
        ("kibitz game: nim\nheap=3\nmoves:\n", "has no parameter 'heap'"),
    ],
)
def test_broken_records(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "game.txt").write_text(content)
    code, out, err = kibitz(capsys, "show", "nim", "--from", str(tmp_path / "game.txt"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_what_the_engine_thinks_is_shown_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Line:
        def __enter__(self) -> "Line":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def update(self, text: str) -> None:
            shown.append(text)

    monkeypatch.setattr(terminal, "errors", SimpleNamespace(is_terminal=True, status=lambda _: Line()))
    typing(monkeypatch, "5", "hint")
    code, out, _ = kibitz(capsys, "play", "tictactoe", "--depth", "2")
    assert code == 0
    assert shown
    assert all(line.startswith("thinking: ") and "depth" in line for line in shown)
    assert re.search(r"try \d  about .*: \d \d\ndepth 2, ", out)
