"""Games by name, by file and by namespace; parameters; what is said when they are wrong."""

import pickle
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.cli.template import TEMPLATE
from kibitz.core.measuring.perft import perft
from kibitz.core.protocol import weights


class Countdown:
    """From five to nothing, one or two at a time."""

    State = kb.record(left=np.int8, turn=np.int8)
    PLAYERS, MAX_MOVES, MAX_PLIES = 2, 2, 5
    VALUES = (-1.0, 1.0)
    BEGIN = 5

    def start(s: Any) -> None:
        s.left = BEGIN  # type: ignore[name-defined]  # noqa: F821

    def player(s: Any) -> Any:
        return kb.OVER if s.left == 0 else s.turn

    def options(s: Any) -> int:
        return min(2, s.left)

    def moves(s: Any, out: Any) -> int:
        for i in range(options(s)):  # type: ignore[name-defined]  # noqa: F821
            out[i] = i + 1
        return options(s)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    def play(s: Any, move: int) -> None:
        s.left -= move
        s.turn = 1 - s.turn

    def utility(s: Any, player: int) -> float:
        return -1.0 if player == s.turn else 1.0


@pytest.mark.parametrize("target", ["cpu", "python"])
def test_a_class_is_a_namespace(target: str) -> None:
    game = kb.Game(Countdown)
    assert game.name == "countdown"
    assert game.title == "From five to nothing, one or two at a time."
    assert perft(game.start, 3, target) == 7
    assert pickle.loads(pickle.dumps(game.start.play(2))) == game.start.play("2")


def test_a_dict_is_a_namespace() -> None:
    module = kb.load("tictactoe")
    names = {**module.constants, **module.functions}
    assert perft(kb.Game(names, "again").start, 2) == 72


@pytest.mark.parametrize("wrong", [3, SimpleNamespace()])
def test_other_things_are_no_namespace(wrong: Any) -> None:
    with pytest.raises(kb.RulesError, match="a module, a class or a dict"):
        kb.Game(wrong)


def test_every_shipped_game_loads_and_names_itself() -> None:
    assert {"connect4", "tictactoe"} <= set(kb.shipped())
    for name in kb.shipped():
        game = kb.load(name)
        assert game.name == name
        assert game.title.endswith((".", ":"))
        assert pickle.loads(pickle.dumps(game)) == game


def test_parameters_and_derived_sizes() -> None:
    small = kb.load("connect4", rows=4, columns="5", line=3)
    assert small.label == "connect4(rows=4, columns=5, line=3)"
    assert (small.constants["MAX_MOVES"], small.constants["MAX_PLIES"]) == (5, 20)
    assert small != kb.load("connect4")
    assert small == kb.load("connect4", rows=4, columns=5, line=3)
    assert pickle.loads(pickle.dumps(small)) == small
    assert perft(small.start, 5) == 5**5 - 5


def test_changed_file_is_another_game(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(TEMPLATE)
    before = kb.load(str(path))
    path.write_text(TEMPLATE.replace("min(3,", "min(2,"))
    after = kb.load(str(path))
    assert before != after
    assert (perft(before.start, 3), perft(after.start, 3)) == (27, 8)


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("conect4", {}, "unknown game 'conect4'; did you mean connect4?"),
        ("", {}, "no game named"),
        ("nowhere/game.py", {}, "there is no file nowhere/game.py"),
        ("connect4", {"rows": 0}, "parameter rows=0: must be a whole number from 1 to 15"),
        ("connect4", {"rows": "many"}, "parameter rows=many: must be a whole number"),
        ("connect4", {"rows": 2.5}, "parameter rows=2.5: must be a whole number"),
        ("connect4", {"rwos": 4}, "connect4 has no parameter 'rwos'; did you mean rows?"),
        ("connect4", {"rows": 9, "columns": 9}, "columns times (rows + 1) is 90; it must be at most 64"),
        ("tictactoe", {"rows": 3}, "tictactoe has no parameter 'rows'; it has none"),
    ],
)
def test_bad_names_and_parameters(name: str, parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(kb.InputError) as caught:
        kb.load(name, **parameters)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def start(s:\n", "bad.py:1: "),
        ("import numpy as np\nimport nothing_like_this\n", "bad.py:2: ModuleNotFoundError"),
        ("x = 1\ny = x / 0\n", "bad.py:2: ZeroDivisionError"),
        ("x = 1\n", "bad: State is missing"),
    ],
)
def test_files_that_are_no_games(tmp_path: Path, source: str, words: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(source)
    with pytest.raises(kb.RulesError) as caught:
        kb.load(str(path))
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


def test_parameters_of_games_it_imports_from_are_not_its_own(tmp_path: Path) -> None:
    """Two files that both declare `rows`, one of which uses the other: each has its own."""
    (tmp_path / "wide_board.py").write_text(
        'from kibitz import parameter\n\nROWS = parameter("rows", 9)\nCOLUMNS = parameter("columns", 7)\n'
    )
    nim = (Path(kb.__file__).parent / "games" / "nim.py").read_text()
    path = tmp_path / "my_nim.py"
    path.write_text(f'{nim}\n\nfrom wide_board import COLUMNS\nfrom kibitz import parameter\n\nROWS = parameter("rows", 3)\n')
    game = kb.load(str(path), rows=4)
    assert "columns" not in game.declared
    assert game.parameters["rows"] == 4
    with pytest.raises(kb.InputError, match="my_nim has no parameter 'columns'"):
        kb.load(str(path), columns=2)


PART = "def reach(s):\n    return min({most}, s.left)\n"
MADE_OF_PARTS = '''"""Take some of five; how many is said elsewhere."""
import numpy as np
from kibitz import OVER, record
from reaching import reach
State = record(left=np.int8, turn=np.int8)
PLAYERS, MAX_MOVES, MAX_PLIES, VALUES = 2, 5, 5, (-1.0, 1.0)
def start(s): s.left = 5
def player(s): return OVER if s.left == 0 else s.turn
def moves(s, out):
    for i in range(reach(s)):
        out[i] = i + 1
    return reach(s)
def play(s, move): s.left, s.turn = s.left - move, 1 - s.turn
def utility(s, player): return -1.0 if player == s.turn else 1.0
def show(s):
    import reaching
    return f"{s.left} left, take up to {reaching.reach(s)}"
'''


def in_parts(folder: Path, most: int) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "game.py").write_text(MADE_OF_PARTS)
    (folder / "reaching.py").write_text(PART.format(most=most))
    return str(folder / "game.py")


def test_each_game_has_its_own_parts(tmp_path: Path) -> None:
    """Files of one name beside two games; an import inside a function finds the right one, too."""
    one, two = in_parts(tmp_path / "one", 2), in_parts(tmp_path / "two", 3)
    games = [kb.load(path) for path in (one, two)]
    assert [len(game.start.moves) for game in games] == [2, 3]
    assert [game.start.show() for game in games] == ["5 left, take up to 2", "5 left, take up to 3"]
    assert games[0] != games[1]
    assert "reaching" not in sys.modules


def test_an_edited_part_is_noticed(tmp_path: Path) -> None:
    """Within a second, and with a file of the same length, which Python's own files of compiled code would miss."""
    before = kb.load(in_parts(tmp_path / "game", 2))
    assert kb.load(str(tmp_path / "game" / "game.py")) is before
    after = kb.load(in_parts(tmp_path / "game", 3))
    assert [len(game.start.moves) for game in (before, after)] == [2, 3]
    assert before != after


def test_a_module_of_the_program_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has imported something of the same name keeps it, and the game has its own."""
    mine = ModuleType("reaching")
    monkeypatch.setitem(sys.modules, "reaching", mine)
    assert len(kb.load(in_parts(tmp_path / "game", 2)).start.moves) == 2
    assert sys.modules["reaching"] is mine


def test_parts_in_a_package_and_of_parts(tmp_path: Path) -> None:
    path = in_parts(tmp_path / "game", 2)
    (tmp_path / "game" / "reaching.py").write_text("from limits.most import MOST\ndef reach(s):\n    return min(MOST, s.left)\n")
    (tmp_path / "game" / "limits").mkdir()
    (tmp_path / "game" / "limits" / "__init__.py").write_text("")
    most = tmp_path / "game" / "limits" / "most.py"
    for number in (1, 4):
        most.write_text(f"MOST = {number}\n")
        game = kb.load(path)
        assert len(game.start.moves) == number
    assert {file.name for file in game.files} == {"game.py", "reaching.py", "__init__.py", "most.py"}


def test_a_mistake_in_a_part_is_told_with_its_place(tmp_path: Path) -> None:
    path = in_parts(tmp_path / "game", 2)
    for wrong, words in (("x = 1\ny = x / 0\n", "reaching.py:2: ZeroDivisionError"), ("def reach(s:\n", "reaching.py:1: ")):
        (tmp_path / "game" / "reaching.py").write_text(wrong)
        with pytest.raises(kb.RulesError) as caught:
            kb.load(path)
        assert str(caught.value).startswith(words)


def test_weights_are_parts_too(tmp_path: Path) -> None:
    """A file of weights that is written, changed or removed is noticed by the next load."""
    source = (Path(kb.__file__).parent / "games" / "kalah.py").read_bytes()
    path = tmp_path / "mine.py"
    path.write_bytes(source)
    own, features = tmp_path / "mine_weights.json", kb.load("kalah").constants["FEATURES"]
    without = kb.load(str(path)).constants["WEIGHTS"]
    assert kb.load(str(path)) is kb.load(str(path))
    weights.write(own, "mine", features, tuple(0.25 for _ in features), {})
    assert kb.load(str(path)).constants["WEIGHTS"] == tuple(0.25 for _ in features) != without
    own.unlink()
    assert kb.load(str(path)).constants["WEIGHTS"] == without
