"""Players from strings, and what is said when they make no sense."""

from pathlib import Path
from typing import Any

import pytest

import kibitz as kb
from kibitz.players import usual_player
from kibitz.searches.method import LIMITS, method, names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("alphabeta", "alphabeta"),
        (" alphabeta( depth = 8 , table=64 ) ", "alphabeta(depth=8)"),
        ("alphabeta(soft=false, form=recursive)", "alphabeta(soft=False, form=recursive)"),
        ("alphabeta(time=0.5, killers='on')", "alphabeta(time=0.5, killers=on)"),
        ("minimax(depth=3)", "minimax(depth=3)"),
    ],
)
def test_players_are_read_and_written(text: str, name: str) -> None:
    player = kb.player(text)
    assert player.name == name
    assert kb.player(player.name) == player


@pytest.mark.parametrize("text", ["tables=a/b-c.d, depth=2", " tables=/a/b , depth=2", "depth=2, tables='x=a/b'", "depth=2,tables=~/a"])
def test_paths_need_no_quotes(text: str) -> None:
    player = kb.player(f"alphabeta({text})")
    assert player.own["tables"] == text.replace("depth=2", "").replace("tables=", "", 1).strip(" ,'")
    assert kb.player(player.name) == player


def test_limits_beside_the_text_take_precedence() -> None:
    assert kb.player("alphabeta(depth=8)", depth=3, time=None).settings["depth"] == 3
    start = kb.load("tictactoe").start
    assert kb.search(start, kb.player("alphabeta(depth=2)")).depth == 2
    assert kb.search(start, kb.player("alphabeta(depth=2)"), depth=1).depth == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("alphabta", "unknown search 'alphabta'; did you mean alphabeta?"),
        ("alphabeta(dept=3)", "alphabeta has no option 'dept'; did you mean depth?"),
        ("alphabeta(depth=lots)", "alphabeta: depth=lots: must be a whole number from 0 to 256"),
        ("alphabeta(depth=300)", "alphabeta: depth=300: must be a whole number from 0 to 256"),
        ("alphabeta(form=tree)", "alphabeta: form=tree: must be one of recursive, stack"),
        ("alphabeta(8)", "'alphabeta(8)' is no player"),
        ("alphabeta(depth=", "is no player; write a search with its options"),
        ("alphabeta(depth=1+f(2))", "is no number or word"),
        ("", "is no player"),
    ],
)
def test_nonsense(text: str, words: str) -> None:
    with pytest.raises(kb.InputError) as caught:
        kb.player(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("SUM = None", "its players' interests are not opposite (SUM = None)"),
        ("PLAYERS = 3", "it has 3 players, not two"),
        ("def outcomes(s, out, weights):\n    return 0", "it has chance"),
    ],
)
def test_games_of_the_wrong_kind(tmp_path: Path, change: str, reason: str) -> None:
    from kibitz.cli.new import TEMPLATE

    path = tmp_path / "other.py"
    path.write_text(f"{TEMPLATE}\n{change}\n")
    game = kb.load(str(path))
    for name in ("alphabeta", "minimax"):
        with pytest.raises(kb.InputError) as caught:
            kb.search(game.start, name)
        said = str(caught.value)
        assert said.startswith(f"{name} cannot search other: {reason}; searches that fit: ")
        assert "uct" in said


def test_every_search_describes_itself() -> None:
    assert {"alphabeta", "minimax"} <= set(names())
    for name in names():
        found = method(name)
        assert found.name == name
        assert found.about
        options = (*LIMITS, *found.options)
        assert len({p.name for p in options}) == len(options)
        for p in options:
            assert p.about
            assert p.value(p.default) == p.default


def test_results_are_frozen_and_print_well() -> None:
    result = kb.search(kb.load("connect4").position("4455"), "alphabeta")
    attribute: Any = "value"
    with pytest.raises(AttributeError):
        setattr(result, attribute, 0.0)
    assert str(result).startswith("3  Red (X) wins in 3 plies: 3 4 2\ndepth 3, ")
    assert "<svg" in result._repr_html_()
    assert set(result.as_dict()) >= {"game", "position", "engine", "move", "value", "bound", "line", "depth", "nodes", "seconds"}


@pytest.mark.parametrize(
    ("game", "options", "name"),
    [
        ("chess", {}, "selective"),
        ("connect4", {}, "alphabeta"),
        ("tictactoe", {}, "alphabeta"),
        ("ewn", {}, "star2"),
        ("go", {}, "uct"),
        ("go", {"depth": 3}, "alphabeta(depth=3)"),
        ("chess", {"playouts": 9}, "uct(playouts=9)"),
        ("ewn", {"playouts": 9}, "uct(playouts=9)"),
    ],
)
def test_the_usual_player(game: str, options: dict[str, Any], name: str) -> None:
    chosen = usual_player(kb.load(game), **options)
    assert chosen.name == name
    assert chosen.why


def test_every_game_has_a_usual_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    for game in (*(kb.load(name) for name in kb.shipped()), kb.load("pig", players=3)):
        position = game.start
        while game.is_hidden and position.is_chance:  # a player sees nothing of his own before the deal
            position = position.play(position.numbers[0])
        result = kb.search(position, time=0.01)
        assert result.engine == usual_player(game, time=0.01).name


def test_what_cannot_be_solved() -> None:
    with pytest.raises(kb.InputError, match=r"solve cannot solve blind_tictactoe: .*search with sampling"):
        kb.solve(kb.load("blind_tictactoe").start)
    exact = kb.solve(kb.load("trees", tree="aima-chance").start)
    assert (exact.exact, exact.value) == (True, pytest.approx(2.1))
