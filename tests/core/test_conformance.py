"""`check` finds what is wrong: twenty-odd games with one mistake each, and none in sound ones."""

from pathlib import Path

import pytest

from kibitz.cli.template import TEMPLATE
from kibitz.core.checking.conformance import check
from kibitz.core.errors import KibitzError
from kibitz.core.position.loading import load

pytestmark = pytest.mark.compiled

SOUND = '''"""Take one or two from a heap; chance removes one more from time to time."""
import numpy as np
from kibitz import CHANCE, OVER, WEIGHTED, record
State = record(heap=np.int16, turn=np.int8, dice=np.int8)
PLAYERS, MAX_MOVES, MAX_OUTCOMES, MAX_PLIES = 2, 2, 2, 40
VALUES = (-1.0, 1.0)
CHANCE_KIND = WEIGHTED
HEAP = 12
def start(s):
    s.heap, s.turn, s.dice = HEAP, 0, 0
def player(s):
    if s.heap == 0:
        return OVER
    return CHANCE if s.dice else s.turn
def moves(s, out):
    n = min(2, s.heap)
    for i in range(n):
        out[i] = i + 1
    return n
def outcomes(s, out, weights):
    out[0], out[1] = 0, 1
    weights[0], weights[1] = 3.0, 1.0
    return 2
def play(s, move):
    if s.dice:
        s.dice, s.heap = 0, s.heap - move
    else:
        s.heap -= move
        s.turn = 1 - s.turn
        s.dice = 1
def utility(s, player):
    return -1.0 if player == s.turn else 1.0
def evaluate(s, player):
    return 0.5 if player == s.turn else -0.5
def order(s, move):
    return float(move)
def show(s):
    return f"{s.heap} {s.turn} {s.dice}"
def read(text, s):
    s.heap, s.turn, s.dice = (int(word) for word in text.split())
def name(s, move):
    return f"-{move}"
def draw(s):
    return f"<svg><text>{s.heap}</text></svg>"
'''

BROKEN = {
    "no State": ("State = record(", "Status = record(", "State is missing"),
    "State not a record": ("State = record(heap=np.int16, turn=np.int8, dice=np.int8)", "State = {}", "State must be made with record"),
    "function missing": ("def utility", "def utilty", "function utility is missing; write def utility(s, player)"),
    "wrong arguments": ("def play(s, move):", "def play(s, move, extra):", "play takes 3 arguments; write def play(s, move)"),
    "empty range": ("(-1.0, 1.0)", "(1.0, -1.0)", "VALUES is (1.0, -1.0), an empty range"),
    "zero moves": ("= 2, 2, 2, 40", "= 2, 0, 2, 40", "MAX_MOVES is 0"),
    "undefined name": ("min(2, s.heap)", "min(2, s.heap, LIMIT)", "the name 'LIMIT' is not defined"),
    "list overrun": ("n = min(2, s.heap)", "n = 2 + min(1, s.heap)", "moves: wrote more than MAX_MOVES = 2 entries"),
    "list overrun unseen": ("    return n\ndef outcomes", "    out[2] = 5\n    return n\ndef outcomes", "moves: wrote more than MAX_MOVES = 2"),
    "array overrun": ("s.heap -= move", "s.heap -= (1, 2)[move]", "play: game.py:28: IndexError"),
    "move listed twice": ("out[i] = i + 1", "out[i] = 1", "moves: listed 1 twice at the start"),
    "nothing to do": ("return n\ndef out", "return n - 1\ndef out", "moves: found nothing to do though the game is not over"),
    "play changes nothing": ("s.dice, s.heap = 0, s.heap - move", "s.heap = s.heap - move", "play: the move 0 changed nothing"),
    "asking changes": ("    n = min(2, s.heap)", "    n = min(2, s.heap)\n    s.turn = 1 - s.turn", "changed the position at the start; only play may"),
    "pick of another move": ("def order", "def pick(s, out, rng):\n    return 1\ndef order", "pick: did not draw one lot, where the same lot"),
    "pick in another order": (
        "def order",
        "def pick(s, out, rng):\n    n = min(2, s.heap)\n    return n - below(rng, n)\nfrom kibitz.core.records.random import below\ndef order",
        "from the list that moves writes",
    ),
    "bad player": ("else s.turn", "else s.turn + 1", "player: returned 2"),
    "never over": ("        return OVER", "        s.heap = 5", "changed the position"),
    "too long": ("MAX_PLIES = 2, 2, 2, 40", "MAX_PLIES = 2, 2, 2, 9", "player: the game is not over after MAX_PLIES = 9 moves"),
    "utility out of range": ("-1.0 if player == s.turn else 1.0", "-3.0 if player == s.turn else 3.0", "utility: returned"),
    "utility off the grain": ("-1.0 if player == s.turn else 1.0", "-0.5 if player == s.turn else 0.5", "no multiple of GRAIN = 1.0"),
    "utilities do not add up": ("return -1.0 if player == s.turn else 1.0", "return 1.0", "add up to 2.0, not to SUM = 0.0"),
    "weight zero": ("= 3.0, 1.0", "= 3.0, 0.0", "outcomes: gave a weight of 0.0"),
    "weight nan": ("= 3.0, 1.0", "= 3.0, np.nan", "outcomes: gave a weight of nan"),
    "weights not whole": ("= 3.0, 1.0", "= 3.0, 0.5", "outcomes: gave a weight that is no whole number"),
    "weights not uniform": ("CHANCE_KIND = WEIGHTED", "", "outcomes: gave unequal weights from 1.0 to 3.0"),
    "evaluation at the edge": ("0.5 if player", "1.0 if player", "evaluate: returned 1.0"),
    "best case too low": ("def order", "def best_case(s, player):\n    return 0.5\ndef order", "best_case: said 0.5 for player"),
    "order not finite": ("return float(move)", "return np.inf", "order: returned inf"),
    "noisy is no answer": ("def order", "def noisy(s, move):\n    return move\ndef order", "noisy: returned 1"),
    "skip keeps the turn": ("def order", "def skip(s):\n    return True\ndef order", "skip: returned True, and then it is the same player's turn"),
    "skip half done": ("def order", "def skip(s):\n    s.turn = 1 - s.turn\n    return False\ndef order", "skip: returned False but changed"),
    "policy negative": (
        "def order", "def policy(s, moves, n, out):\n    for i in range(n):\n        out[i] = -1.0\ndef order", "policy: gave the weights [-1.0",
    ),
    "key too small": ("def show", "def key(s):\n    return np.uint64(s.turn)\ndef show", "key: two different positions have the same key"),
    "names alike": ('f"-{move}"', '"take"', "name: gave two moves the name 'take'"),
    "name with a blank": ('f"-{move}"', 'f"take {move}"', "name: gave the name 'take 1'"),
    "text does not come back": ("s.heap, s.turn, s.dice = (int", "s.heap, s.dice, s.turn = (int", "read: made another position"),
    "picture not XML": ("</text></svg>", "</svg>", "draw: did not return well-formed SVG"),
    "field too small": ("heap=np.int16", "heap=np.int8", "start: game.py:10: OverflowError"),
    "uint64 mixed with int": ("def order(s, move):\n    return", "def order(s, move):\n    return np.uint64(move) + 1 +", "uint64 + a signed integer"),
    "not compilable": ("return float(move)", 'return float({"a": move}.get("a", "x"))', "compile: game.py:"),
    "compiled overflows": ("return float(move)", "return float((move + 3) ** 50 % 7)", "order: differs: order"),
}  # fmt: skip
LARGER = {"field too small": ("HEAP = 12", "HEAP = 200")}


def written(folder: Path, source: str) -> str:
    path = folder / "game.py"
    path.write_text(source)
    return str(path)


def complaints(path: str) -> str:
    """What `kibitz check` would print."""
    try:
        return "\n".join(str(f) for f in check(load(path), games=200).failures)
    except KibitzError as error:
        return str(error)


def test_the_sound_one_passes(tmp_path: Path) -> None:
    assert complaints(written(tmp_path, SOUND)) == ""


def test_there_are_twenty_of_them() -> None:
    assert len(BROKEN) >= 20


@pytest.mark.parametrize("mistake", BROKEN)
def test_broken_games_are_caught(tmp_path: Path, mistake: str) -> None:
    right, wrong, words = BROKEN[mistake]
    source = SOUND.replace(*LARGER[mistake]) if mistake in LARGER else SOUND
    assert source.count(right) == 1
    found = complaints(written(tmp_path, source.replace(right, wrong)))
    assert words in found
    assert all(len(line) < 400 for line in found.splitlines())


BANKING = '''"""Take one or two from a heap, each worth what is taken; the key leaves the scores out, for `banked` tells them."""
import numpy as np
from kibitz import OVER, record
State = record(heap=np.int16, turn=np.int8, got=(np.int16, 2))
PLAYERS, MAX_MOVES, MAX_PLIES, VALUES = 2, 2, 9, (-9.0, 9.0)
def start(s): s.heap = 9
def player(s): return OVER if s.heap == 0 else s.turn
def moves(s, out):
    out[0], out[1] = 1, 2
    return min(2, s.heap)
def play(s, move):
    s.heap -= move
    s.got[s.turn] += move
    s.turn = 1 - s.turn
def utility(s, player): return banked(s, player)
def banked(s, player): return float(s.got[player] - s.got[1 - player])
def key(s): return np.uint64(2 * s.heap + s.turn)
'''


def test_an_evaluation_must_know_of_what_is_banked(tmp_path: Path) -> None:
    """The one that stands in where a game has none says the middle of VALUES: that breaks what a key without the scores relies on."""
    found = complaints(written(tmp_path, BANKING))
    assert found.startswith("evaluate: the one that stands in for it does not know of banked: less banked it is ")
    assert "write evaluate(s, player), and let it add banked(s, player)" in found
    ignoring = BANKING + "def evaluate(s, player): return 0.0\n"
    assert "evaluate: less banked it is " in complaints(written(tmp_path, ignoring))
    assert complaints(written(tmp_path, BANKING + "def evaluate(s, player): return 0.99 * banked(s, player)\n")) != ""
    assert (
        complaints(
            written(
                tmp_path,
                BANKING.replace("VALUES = 2, 2, 9, (-9.0, 9.0)", "VALUES = 2, 2, 9, (-10.0, 10.0)")
                + "def evaluate(s, player): return banked(s, player)\n",
            )
        )
        == ""
    )


def test_the_way_there_is_told(tmp_path: Path) -> None:
    source = SOUND.replace("out[i] = i + 1", "out[i] = i + 1 if s.heap > 9 else 1")
    assert "moves: listed 1 twice after -" in complaints(written(tmp_path, source))


def test_template_of_kibitz_new_is_sound(tmp_path: Path) -> None:
    assert complaints(written(tmp_path, TEMPLATE)) == ""
    assert 30 <= len(TEMPLATE.splitlines()) <= 50


def test_same_seed_same_games() -> None:
    first, again = (check(load("tictactoe"), games=50, seed=3) for _ in range(2))
    assert first == again
    assert first.passed
    assert first.positions != check(load("tictactoe"), games=50, seed=4).positions
