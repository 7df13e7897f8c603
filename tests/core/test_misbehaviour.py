"""Rules that cannot be compiled, or go wrong while they run: one line that names the rule, the place and what to write, from `check` and from a search alike."""

import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

import kibitz as kb
from kibitz.core.checking import conformance
from kibitz.core.checking.conformance import check
from kibitz.core.errors import KibitzError, RuleFault
from kibitz.core.measuring.perft import count_games, perft
from kibitz.core.position import watchdog
from tests.typed import kibitz

pytestmark = pytest.mark.compiled

SOUND = '''"""Take one or two from a heap."""
import random
import numpy as np
from kibitz import OVER, record
State = record(heap=np.int16, turn=np.int8)
PLAYERS, MAX_MOVES, MAX_PLIES = 2, 2, 40
VALUES = (-1.0, 1.0)
COUNT = 0
LOTS = np.random.default_rng(1)
def start(s):
    s.heap, s.turn = 12, 0
def player(s):
    if s.heap == 0:
        return OVER
    return s.turn
def moves(s, out):
    n = min(2, s.heap)
    for i in range(n):
        out[i] = i + 1
    return n
def play(s, move):
    s.heap -= move
    s.turn = 1 - s.turn
def utility(s, player):
    return -1.0 if player == s.turn else 1.0
def helper(n, **more):
    return n
def endless(n):
    return endless(n + 1)
def halves(n):
    return 0 if n < 2 else 1 + halves(n // 2)
'''
FIRST = "    n = min(2, s.heap)\n"

# what stands there, what is written instead, what is said of it
BOTH = {
    "global": (FIRST, f"    global COUNT\n    COUNT += 1\n{FIRST}", "game.py:18: moves changes the global 'COUNT'"),
    "import": (FIRST, f"    import math\n{FIRST}", "game.py:17: moves imports math; import it at the top of the file"),
    "import from": (FIRST, f"    from math import floor\n{FIRST}", "game.py:17: moves imports math"),
    "star": (FIRST, f"    a, *b = (1, 2, 3)\n{FIRST}", "game.py:17: moves unpacks with a star"),
    "class": (FIRST, f"    class Pair:\n        pass\n{FIRST}", "game.py:17: moves defines a class"),
    "with": (FIRST, f"    with LOTS:\n        pass\n{FIRST}", "game.py:17: "),
    "open": (FIRST, f"    open('file')\n{FIRST}", "'open' cannot be called in a rule"),
    "generator expression": (FIRST, f"    sum(i for i in range(3))\n{FIRST}", "game.py:17: moves has a generator expression; write a loop"),
    "any arguments": (FIRST, f"    helper(3, more=4)\n{FIRST}", "helper takes **arguments"),
    "yield": ("        out[i] = i + 1\n    return n", "        yield i + 1", "game.py:16: moves yields; write the moves to out[0]"),
    "async": ("def play(", "async def play(", "play is async"),
    "assert": ("    s.heap -= move", "    assert s.heap > 5\n    s.heap -= move", "play: game.py:22: AssertionError"),
    "raise": ("    s.heap -= move", "    if s.heap < 5:\n        raise ValueError('too few')\n    s.heap -= move", "play: game.py:23: ValueError: too few"),
    "division by zero": (FIRST, f"    5 // (s.heap - 12)\n{FIRST}", "moves: game.py:17: ZeroDivisionError"),
    "moves returns nothing": ("    return n\ndef play", "    pass\ndef play", "moves: game.py:16: returned nothing; end every way"),
    "moves sometimes returns nothing": ("    return n\ndef play", "    if s.heap > 5:\n        return n\ndef play", "moves: game.py:16: returned nothing"),
    "player returns nothing": ("    return s.turn\n", "    s.turn\n", "player: game.py:12: returned nothing"),
    "utility returns nothing": ("    return -1.0 if player == s.turn else 1.0", "    -1.0", "utility: game.py:24: returned nothing"),
    "moves returns text": ("    return n\ndef play", "    return 'two'\ndef play", "moves: game.py:16: returned 'two'; return a number"),
    "random": ("min(2, s.heap)", "random.randint(1, min(2, s.heap))", "game.py:17: random.randint draws a random number in a rule; chance belongs to the game"),
    "NumPy's random": ("min(2, s.heap)", "np.random.randint(1, 1 + min(2, s.heap))", "let player return CHANCE"),
    "a generator of numbers": ("min(2, s.heap)", "1 + LOTS.integers(1)", "LOTS.integers draws a random number"),
    "endless recursion": (FIRST, f"    endless(1)\n{FIRST}", "moves: game.py:30: RecursionError"),
    "utility out of range": ("-1.0 if player == s.turn else 1.0", "-3.0 if player == s.turn else 3.0", "utility: returned -3"),
    "endless loop": (FIRST, f"    while s.heap < 9:\n        pass\n{FIRST}", "moves: game.py:17: did not return in 0.3 seconds"),
    "game without end": ("    s.heap -= move", "    s.heap += 0", "player: the game is not over after MAX_PLIES = 40 moves"),
    "a move of -1": ("out[i] = i + 1", "out[i] = i - 1", "moves: listed -1"),
    "another negative move": ("out[i] = i + 1", "out[i] = 7 - 40 * i", "moves: listed -33"),
}  # fmt: skip
CHECKED = {
    "one player only": ("    s.turn = 1 - s.turn", "    pass", "player: player 2 never moves, in 50 games; let play hand on the turn"),
    "print": (FIRST, f"    print(s.heap)\n{FIRST}", "moves: a rule prints (game.py:17)"),
    "print in a helper": ("def helper(n, **more):\n", "def helper(n):\n    print(n)\n", "moves: a rule prints (game.py:27)"),
    "game without end, of any length": ("MAX_PLIES = 2, 2, 40", "MAX_PLIES = 2, 2, 10**6", "player: no game ended in"),
}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.3)


def written(folder: Path, right: str, wrong: str) -> str:
    assert SOUND.count(right) == 1
    path = folder / "game.py"
    path.write_text(SOUND.replace(right, wrong))
    return str(path)


def told(path: str) -> list[str]:
    """What `kibitz check` would print, a line each."""
    try:
        return [str(f) for f in check(kb.load(path), games=50).failures]
    except KibitzError as error:
        return [str(error)]


def test_the_sound_one(tmp_path: Path) -> None:
    path = written(tmp_path, "COUNT = 0", "COUNT = 1")
    assert told(path) == []
    assert kb.solve(kb.load(path).start).exact


@pytest.mark.parametrize("mistake", BOTH)
def test_check_names_it(tmp_path: Path, mistake: str) -> None:
    right, wrong, words = BOTH[mistake]
    said = told(written(tmp_path, right, wrong))
    assert len(said) == 1
    # between the problem and the advice stand the moves that lead there
    problem, _, advice = words.partition("; ")
    assert problem in said[0]
    assert advice in said[0]
    assert "\n" not in said[0]


@pytest.mark.parametrize("mistake", BOTH)
def test_a_search_names_it(tmp_path: Path, mistake: str) -> None:
    """Without any check before; and nothing is compiled for it."""
    right, wrong, words = BOTH[mistake]
    with pytest.raises(kb.RulesError) as caught:
        kb.solve(kb.load(written(tmp_path, right, wrong)).start)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("mistake", CHECKED)
def test_what_only_check_tells(tmp_path: Path, mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "LONGEST_GAME", 1.0)
    right, wrong, words = CHECKED[mistake]
    path = Path(written(tmp_path, right, wrong))
    if "helper" in mistake:
        path.write_text(path.read_text().replace(FIRST, "    n = helper(min(2, s.heap))\n"))
    if "length" in mistake:
        path.write_text(path.read_text().replace("    s.heap -= move", "    s.heap += 0"))
    said = told(str(path))
    assert len(said) == 1
    assert said[0].startswith(words)


def test_what_a_glance_does_not_see(tmp_path: Path) -> None:
    """Compiled rules that return nothing somewhere, raise an exception somewhere, or call themselves with a constant."""
    path = written(
        tmp_path, "    return -1.0 if player == s.turn else 1.0", "    if s.heap != 77:\n        return -1.0 if player == s.turn else 1.0"
    )
    with pytest.raises(kb.RulesError, match=r"utility: game.py:24: returns nothing on some way through it; end every way"):
        count_games(kb.load(path).start, 12)
    seen = kb.load(written(tmp_path, "    s.heap -= move", "    assert s.heap > 5\n    s.heap -= move"))
    seen.trusted = True
    with pytest.raises(kb.RulesError, match=r"play: raised AssertionError \(in game.py\); kibitz check tells the line"):
        perft(seen.start, 9)
    called = kb.load(written(tmp_path, FIRST, f"    halves(9)\n{FIRST}"))
    with pytest.raises(
        kb.RulesError, match=r"game.py:31: halves calls itself, and is called where n is the constant 9; write np.int64\(9\) there"
    ):
        perft(called.start, 2)


def test_a_position_tells_as_well(tmp_path: Path) -> None:
    start = kb.load(written(tmp_path, "    return n\ndef play", "    pass\ndef play")).start
    with pytest.raises(kb.RulesError, match=r"moves: game.py:16: returned nothing"):
        _ = start.moves


def test_commands_say_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, *BOTH["assert"][:2])
    for words in (("solve", path), ("search", path), ("perft", path, "9"), ("play", path, "--second"), ("inspect", path), ("tree", path)):
        code, _, err = kibitz(capsys, *words)
        assert code == 2
        assert err.startswith("kibitz: game: play: game.py:22: AssertionError")
        assert err.count("\n") == 1


def test_a_command_ends_where_a_rule_does_not(tmp_path: Path) -> None:
    """In a process of its own, with the usual patience."""
    path = written(tmp_path, *BOTH["endless loop"][:2])
    began = time.monotonic()
    ended = subprocess.run([sys.executable, "-m", "kibitz", "check", path], capture_output=True, text=True, timeout=100, check=False)
    assert ended.returncode == 1
    assert "moves: game.py:17: did not return in 10 seconds" in ended.stdout
    assert time.monotonic() - began >= 10


def test_faults_travel_between_processes() -> None:
    fault = pickle.loads(pickle.dumps(RuleFault("moves", "returned nothing", "return a number")))
    assert (str(fault), fault.function) == ("moves: returned nothing; return a number", "moves")
