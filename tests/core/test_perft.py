"""Counting paths, games and positions: published figures, and interpreted counts equal to compiled ones."""

import itertools
from pathlib import Path
from typing import Any

import pytest

import kibitz as kb
from kibitz.core.measuring import perft as counting
from kibitz.core.measuring.perft import DEEPEST, count_games, distinct, divide, perft
from kibitz.core.position.game import Position

BOTH = pytest.mark.parametrize("target", ["cpu", "python"])

COIN = '''"""A coin is thrown until heads."""
import numpy as np
from kibitz import CHANCE, OVER, record
State = record(throws=np.int16, heads=np.int8)
PLAYERS, MAX_MOVES, MAX_OUTCOMES, MAX_PLIES, VALUES, SUM = 1, 1, 2, 400, (0.0, 400.0), None
def start(s): s.throws = 0
def player(s): return OVER if s.heads or s.throws == 400 else CHANCE
def moves(s, out): return 0
def outcomes(s, out, weights):
    out[0], out[1], weights[0], weights[1] = 0, 1, 1.0, 1.0
    return 2
def play(s, move): s.throws, s.heads = s.throws + 1, move
def utility(s, player): return float(s.throws)
'''


@BOTH
def test_tictactoe(target: str) -> None:
    start = kb.load("tictactoe").start
    deepest = 9 if target == "cpu" else 4
    assert [perft(start, d, target) for d in range(deepest + 1)] == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872][
        : deepest + 1
    ]
    assert perft(start, 12, target) == 0


def test_every_game_of_tictactoe() -> None:
    found = count_games(kb.load("tictactoe").start, 9)
    assert found.games == 255168
    assert found.by_utility == {1.0: 131184, -1.0: 77904, 0.0: 46080}
    assert (
        count_games(kb.load("tictactoe").position("1 4 2 5"), 3, "python").games
        == count_games(kb.load("tictactoe").position("1425"), 3).games
    )


def test_positions_of_tictactoe() -> None:
    start = kb.load("tictactoe").start
    assert sum(distinct(start, 9)) == 5478
    assert list(distinct(start, 12))[9:] == [78, 0, 0, 0]
    assert sum(distinct(start, 9, symmetric=True)) == 765
    assert list(distinct(start, 3, target="python")) == list(distinct(start, 3)) == [1, 9, 72, 252]


@pytest.mark.parametrize("chunk", [1, 7, 1 << 14])
def test_positions_some_at_a_time(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "CHUNK", chunk)
    assert list(distinct(kb.load("tictactoe").start, 4)) == [1, 9, 72, 252, 756]


def test_counting_positions_stops_at_its_limits() -> None:
    """What was counted before comes first; a megabyte holds the positions of six plies of Connect Four, with what it takes to sort them."""
    start = kb.load("connect4").start
    counted = distinct(start, 9, memory=1.0)
    assert list(itertools.islice(counted, 6)) == [1, 7, 49, 238, 1120, 4263]
    with pytest.raises(kb.InputError, match="has more positions than 1 MB hold; give more memory, or count fewer plies"):
        list(counted)
    with pytest.raises(kb.InputError, match="the time was up before ply 1 was counted"):
        list(distinct(start, 9, seconds=0.0))


def test_nothing_of_a_long_game_is_forgotten() -> None:
    """A situation that may not come up again, and two thousand others since."""
    go = kb.load("go", size=2, komi=0.5)
    here = go.start.play(0)
    after = [here.play(move) for move in here.moves]
    banned = after[0].situation
    assert banned != here.situation
    long = Position(go, here.data, (banned, *range(2000)), here.last)
    assert len(long.moves) == len(here.moves) - 1
    for target in ("python", "cpu"):
        assert perft(long, 1, target) == len(long.moves)
        assert perft(here, 1, target) == len(here.moves)


def test_connect_four() -> None:
    start = kb.load("connect4").start
    assert perft(start, 7) == 823536
    assert perft(start, 4, "python") == 2401
    assert list(distinct(start, 7)) == [1, 7, 49, 238, 1120, 4263, 16422, 54859]
    assert sum(divide(start, 7).values()) == 823536


def test_divide_names_the_moves() -> None:
    parts = divide(kb.load("tictactoe").position("1 4 2 5"), 2)
    assert {str(m): n for m, n in parts.items()} == {"3": 0, "6": 4, "7": 4, "8": 4, "9": 4}


@BOTH
def test_chance_outcomes_count_as_moves(tmp_path: Path, target: str) -> None:
    path = tmp_path / "coin.py"
    path.write_text(COIN)
    start = kb.load(str(path)).start
    assert [perft(start, d, target) for d in (1, 2, 10)] == [2, 2, 2]
    assert start.is_chance
    assert start.chances == (0.5, 0.5)
    with pytest.raises(kb.InputError, match=f"must be from 0 to {DEEPEST}"):
        perft(start, DEEPEST + 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p: perft(p, -1), "depth -1: must be 0 or more"),
        (lambda p: divide(p, 0), "depth 0 has no first moves"),
        (lambda _: list(distinct(kb.load("kalah").start, 2, symmetric=True)), "kalah declares no symmetry"),
    ],
)
def test_bad_questions(call: Any, words: str) -> None:
    with pytest.raises(kb.InputError, match=words):
        call(kb.load("connect4").start)
