"""What Monte Carlo searches call exact is: the move keeps the value, lines are legal and best, nothing belongs to another path or another tree."""

import json
import math
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.compiling.binder import bind
from kibitz.core.position.game import Position
from kibitz.core.records.record import blank, record
from kibitz.searches.mcts import uct
from kibitz.searches.mcts.search import Memory
from kibitz.searches.mcts.step.workspace import past_room
from kibitz.searches.mcts.tree import cells
from kibitz.searches.mcts.tree.proofs import exact_kind
from kibitz.searches.method import method
from tests import naive
from tests.searches.driver import INTERPRETED
from tests.searches.test_repetition import ring

SEARCHES = (
    "uct",
    "uct(transpositions=true)",
    "uct(threads=2)",
    "uct(rave=10)",
    "uct(widen=1)",
    "puct",
    "puct(wave=3)",
    "puct(choose=r)",
    "esprit",
)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


# --- the move of a solved position ---


def test_a_solved_root_plays_the_move_that_wins() -> None:
    """A leaf that won its only playout has as many visits as the win, and is no win."""
    position = kb.load("connect4").start.play(3, 0, 3, 0, 3, 0)
    for seed in range(4 if INTERPRETED else 40):
        result = kb.search(position, "uct", seed=seed, playouts=1000)
        assert (result.bound, result.ended, result.value, int(result.move or 0)) == ("exact", "solved", 1.0, 3)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("search", SEARCHES)
def test_the_move_of_a_solved_root_keeps_its_value(search: str) -> None:
    tree = [[[1, 1], [1, 1]], [[1, 1], [1, -1]], 1, [[1, 1, 1, -1], 1]]
    position = kb.load("trees", tree=json.dumps(tree), low=-1, high=1).start
    for seed in range(12):
        result = kb.search(position, search, seed=seed, playouts=300)
        assert result.exact
        assert result.move in naive.best_moves(position)
        assert result.table[0].move == result.move
        assert (result.table[0].bound, result.table[0].value) == ("exact", result.value)


@pytest.mark.usefixtures("interpreted")
def test_a_solved_root_is_drawn_from_among_moves_that_keep_its_value() -> None:
    position = kb.load("trees", tree="[[-1, 1], [[[1, 0], 1], 1], [0, 0]]", low=-1, high=1).start
    moves = set()
    for seed in range(15):
        result = kb.search(position, "puct(temperature=50, c0=9)", seed=seed, playouts=300)
        assert result.exact
        assert result.move in naive.best_moves(position)
        moves.add(result.move)
    assert len(moves) == 1
    position = kb.load("trees", tree="[[1, [0, 1]], [1, [1, 0]], [-1, 1]]", low=-1, high=1).start
    assert {int(kb.search(position, "puct(temperature=50, c0=9)", seed=seed, playouts=300).move or 0) for seed in range(15)} <= {0, 1}


@pytest.mark.usefixtures("interpreted")
def test_real_utilities_are_compared_as_they_are() -> None:
    """Seen from the second player's side and back, 0.1 would be 0.09999999999999998."""
    position = kb.load("trees", tree="[[0.1, 0.7], [[0.1], 0.6], 0.09999999999999998]", low=0, high=1).start
    for search in ("uct", "puct"):
        result = kb.search(position, search, playouts=500)
        assert (result.bound, result.value) == ("exact", 0.1)
        assert int(result.move or 0) in (0, 1)


# --- chance ---


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("name", "parameters"), [("ewn", {"size": 4}), ("pig", {"target": 10}), ("duel", {"rounds": 2, "sides": 3})])
def test_games_with_chance_are_played_out_by_pure_monte_carlo(name: str, parameters: dict[str, int]) -> None:
    """The position behind a move may be chance's; the tree ends there."""
    position = kb.load(name, **parameters).start
    for _ in range(3):
        result = kb.search(position, "montecarlo", playouts=60, seed=3)
        assert result.playouts == 60
        position = position.play(position.moves[0] if result.move is None else result.move)


# --- repetition ---


@pytest.mark.once
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("search", ["uct", "uct(solve=false)", "puct", "esprit(wave=4)", "uct(memory=0.01)"])
def test_lines_hold_no_move_that_repetition_forbids(search: str) -> None:
    game = kb.load("go", size=2, komi=0.5)
    for moves in ((), (0, 3), (0, 3, 2, 1), (0, 1, 3)):
        position = game.start.play(*moves)
        for seed in range(2):
            result = kb.search(position, search, playouts=80, seed=seed)
            for line in (result.line, *(c.line for c in result.table), *(likely.line for likely in result.likely)):
                assert position.play(*(int(move) for move in line)) != position or not line  # which refuses a forbidden move


@pytest.mark.usefixtures("interpreted")
def test_a_root_of_which_only_forbidden_moves_were_tried_is_evaluated() -> None:
    position = kb.load("go", size=2, komi=0.5).start.play(0, 1, 2, 3, 4, 2)  # one move of two may not be made
    for seed in range(8):
        for search in ("uct", "montecarlo"):
            result = kb.search(position, search, playouts=1, seed=seed)
            assert math.isfinite(result.value)
            assert result.move in position.moves


def long_ring(folder: Path, plies: int) -> kb.Game:
    return ring(folder, ("= 2, 3, 200,", f"= 2, 3, {plies},"))


@pytest.mark.usefixtures("interpreted")
def test_a_repetition_is_seen_however_long_ago(tmp_path: Path) -> None:
    game = long_ring(tmp_path, 2000)
    past = tuple(game.start.play(*line).situation for line in ((1,), (6,), (2,)))
    position = Position(game, game.start.data, (*past, *range(1500)))
    result = kb.search(position, "uct", playouts=50)
    assert (result.bound, result.value) == ("exact", 0.0)
    assert {c.value for c in result.table} == {0.0}


@pytest.mark.usefixtures("interpreted")
def test_nothing_is_certain_where_a_repetition_may_go_unseen(tmp_path: Path) -> None:
    game = long_ring(tmp_path, 20)
    position = Position(game, game.start.data, tuple(range(past_room(game.constants, {}) + 1)))
    result = kb.search(position, "uct", playouts=300)
    assert result.bound == "estimate"
    assert all(c.bound == "estimate" for c in result.table)


def test_what_a_repetition_is_worth_fits_the_tree() -> None:
    constants = {"VALUES": (0.0, 1.0), "GRAIN": 1.0, "SUM": 1.0, "PLAYERS": 3, "REPETITION": "draw", "MAX_OUTCOMES": 0}
    assert exact_kind(constants) is np.float64  # a third each
    assert exact_kind({**constants, "REPETITION": "none"}) is np.float32
    assert exact_kind({**constants, "PLAYERS": 2}) is np.float32


# --- kept trees ---


@pytest.mark.usefixtures("interpreted")
def test_a_search_that_never_ran_leaves_no_tree_of_another_position() -> None:
    game = kb.load("trees", tree="[[1, -1], [[1, 1], [1, 1]], 0]", low=-1, high=1)
    memory, settings = Memory(), method("uct").settings({"playouts": 100, "solve": False})
    first = list(uct.make_search(game.start, settings, "uct", memory).results())[-1]
    assert len(first.table) == 3
    uct.make_search(game.start.play(0), settings, "uct", memory)  # the tree has gone on to that position
    again = list(uct.make_search(game.start, settings, "uct", memory).results())[-1]
    assert len(again.table) == 3
    assert int(again.move or 0) == 1


# --- several threads ---

Bounds = record(low=(np.float64, 2), high=(np.float32, 2), opened=np.int16)


def narrow(r: Any, times: int, step: int) -> int:
    changes = 0
    for i in range(times):
        number = (i * step) % times
        if cells.raise_to(r, "low", 1, number):
            changes += 1
        if cells.lower_to(r, "high", 1, -number):
            changes += 1
        if number > cells.load(r, "opened"):
            cells.store(r, "opened", number)
    return changes


@pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.compiled)])
def test_bounds_only_narrow_whoever_writes_them(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", target)
    r, times = blank(Bounds), 1009 if target == "python" else 30_011
    kernel = bind(narrow, {}, "narrowing")
    kernel.prepare(r, times, 1)
    threads = [threading.Thread(target=kernel, args=(r, times, step)) for step in (1, 7, 1001)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (r.low[0], r.high[0], r.low[1], r.high[1]) == (0.0, 0.0, times - 1, 1 - times)
    assert kernel(r, times, 1) == 0
    assert 0 < r.opened < times


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("search", ["uct", "uct(transpositions=true)"])
def test_threads_begin_with_one_root(search: str) -> None:
    """Each would make its own, and what was visited below the first ones would be lost."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for seed in range(10):
            result = kb.search(kb.load("connect4").start, search, playouts=20, threads=3, solve=False, seed=seed)
            assert sum(c.visits for c in result.table) == result.playouts == 20
    finally:
        sys.setswitchinterval(usual)


# --- moves and memory ---

LARGE_MOVES = '''"""Take one, two or three of nine; moves have large numbers."""
import numpy as np
from kibitz import OVER, record
State = record(left=np.int64, turn=np.int8)
PLAYERS, MAX_MOVES, MAX_PLIES, VALUES, MOVE = 2, 3, 9, (-1.0, 1.0), np.int64
FIRST = (1 << 62) + 12345
def start(s):
    s.left = 9
def player(s):
    return OVER if s.left == 0 else s.turn
def moves(s, out):
    n = min(3, s.left)
    for i in range(n):
        out[i] = FIRST + i
    return n
def play(s, move):
    s.left -= move - FIRST + 1
    s.turn = 1 - s.turn
def utility(s, player):
    return -1.0 if player == s.turn else 1.0
'''


@pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.compiled)])
def test_moves_of_64_bits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", target)
    (tmp_path / "large.py").write_text(LARGE_MOVES)
    start = kb.load(str(tmp_path / "large.py")).start
    for search in ("uct(rave=10)",) if target == "cpu" else (*SEARCHES, "puct(noise=0.2)", "montecarlo"):
        result = kb.search(start, search, playouts=400)
        assert result.move == (1 << 62) + 12345
        assert result.exact or search == "montecarlo"


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("search", ["uct", "uct(transpositions=true)", "puct", "uct(solve=false)"])
def test_as_much_memory_as_it_says_is_enough(search: str) -> None:
    for name, parameters in (("connect4", {}), ("othello", {}), ("trees", {"capacity": 700}), ("pig", {}), ("hex", {"size": 9})):
        position = kb.load(name, **parameters).start
        for memory in (0.001, 0.002):
            try:
                kb.search(position, search, memory=memory, playouts=2)
            except kb.InputError as error:
                said = str(error)
                assert f"memory={memory:g} MB is too little for one position and its moves; give " in said
                enough = float(said.split()[-3])
                assert memory < enough < 0.1
                assert kb.search(position, search, memory=enough, playouts=2).playouts == 2
