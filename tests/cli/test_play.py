"""`kibitz play` in games of chance, and with other numbers of players than two."""

from pathlib import Path

import pytest

import kibitz as kb
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
    assert "engine as player 2 plays " in out
    assert "engine as player 3 plays " in out
    assert "you are player 2 now" in out


def test_a_place_to_save_is_looked_at_before_the_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = kibitz(capsys, "play", "go", "--save", str(tmp_path / "nowhere" / "game.sgf"))
    assert (code, out) == (2, "")
    assert "there is no folder" in err
    assert not list(tmp_path.iterdir())
