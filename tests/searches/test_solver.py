"""The solver: equal to plain recursion in value, distance and line; true at any time; what games tell it; all moves at once; killed and resumed."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import kibitz as kb
from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError, RulesError
from kibitz.core.position.game import Game
from kibitz.players import solving
from kibitz.searches.exact.solver import METHOD
from kibitz.tables import bounds
from tests import naive
from tests.searches.driver import INTERPRETED, trees

TREES = kb.load("trees")
EXAMPLES = 30 if INTERPRETED else 150
SOLVERS: list[dict[str, Any]] = [{}, {"children": 1, "table": 0.001, "order": False}]

CHOMP = '''"""Chomp on a small board: take a square and all beyond it; whoever takes the poisoned corner loses."""
import numpy as np
from kibitz import OVER, record
WIDE, HIGH = 5, 3
State = record(rows=(np.int8, HIGH), turn=np.int8)
PLAYERS, MAX_MOVES, MAX_PLIES, VALUES = 2, WIDE * HIGH, WIDE * HIGH, (-1.0, 1.0)
GRAIN = 2.0
def start(s):
    for row in range(HIGH):
        s.rows[row] = WIDE
def player(s):
    return OVER if s.rows[0] == 0 else s.turn
def moves(s, out):
    n = 0
    for row in range(HIGH):
        for column in range(s.rows[row]):
            out[n] = row * WIDE + column
            n += 1
    return n
def play(s, move):
    for row in range(move // WIDE, HIGH):
        s.rows[row] = min(s.rows[row], move % WIDE)
    s.turn = 1 - s.turn
def utility(s, player):
    return 1.0 if player == s.turn else -1.0
'''


def end_of(position: kb.Position, result: kb.Result) -> kb.Position:
    return position.after_line([int(m) for m in result.line])


def small_positions() -> list[kb.Position]:
    """Of games for points, games with banked points, and games won, drawn or lost."""
    kalah, connect4 = kb.load("kalah", holes=2, seeds=2), kb.load("connect4", rows=3, columns=4, line=3)
    return [
        kalah.start,
        connect4.start,
        connect4.position("12"),
        kb.load("nim", heaps="2,3,3").start,
        kb.load("tictactoe").position("1 5 9"),
    ]


@pytest.mark.parametrize("options", SOLVERS)
@settings(max_examples=EXAMPLES)
@given(tree=trees())
def test_random_trees(options: dict[str, Any], tree: Any) -> None:
    position = TREES.position(json.dumps(tree))
    result = kb.solve(position, "solver", **options)
    assert (result.exact, result.value) == (True, naive.minimax(position, position.player))
    assert result.lower == result.upper == result.value
    assert end_of(position, result).utility(position.player) == result.value


@pytest.mark.parametrize("position", small_positions(), ids=repr)
def test_small_games(position: kb.Position) -> None:
    result = kb.solve(position)
    assert result.engine.startswith("solve(solver")
    assert result.value == naive.minimax_memoised(position, position.player)
    end = end_of(position, result)
    assert end.is_over
    assert end.utility(position.player) == result.value
    if result.distance is not None:
        assert (result.value, result.distance) == naive.outcome(position)
        assert len(result.line) == result.distance


@pytest.mark.parametrize("position", small_positions(), ids=repr)
def test_an_unfinished_solve_tells_true_bounds(position: kb.Position) -> None:
    true, rng = naive.minimax_memoised(position, position.player), Random(1)
    for nodes in (1, 2, 3, *(rng.randint(4, 600) for _ in range(20))):
        result = kb.solve(position, nodes=nodes, all=rng.random() < 0.2, soon=rng.random() < 0.5)
        assert result.lower is not None
        assert result.upper is not None
        assert result.lower <= true <= result.upper
        assert (result.bound == "exact") == (result.lower == result.upper)
        assert result.value == (result.upper if result.bound == "upper" else result.lower)
        if result.bound != "upper":
            child = position.play(int(result.line[0]))
            assert result.value == position.game.constants["VALUES"][0] or naive.minimax_memoised(child, position.player) >= result.value
        if result.ended == "solved":
            assert result.exact


@pytest.mark.compiled
def test_true_bounds_at_a_hundred_random_moments() -> None:
    """Compiled, anywhere within solves of thousands of nodes."""
    game, rng, still_open = kb.load("kalah", holes=4, seeds=3), Random(100), 0
    positions = [game.start, game.position("1"), game.position("4 1"), game.position("2 3")]
    whole = [kb.solve(p) for p in positions]
    for _ in range(100):
        position, known = rng.choice(list(zip(positions, whole, strict=True)))
        stopped = kb.solve(position, nodes=rng.randint(1, known.nodes))
        assert stopped.lower is not None
        assert stopped.upper is not None
        assert stopped.lower <= known.value <= stopped.upper
        still_open += stopped.lower < stopped.upper
    assert still_open > 50


@pytest.mark.parametrize("position", small_positions(), ids=repr)
def test_every_move(position: kb.Position) -> None:
    result = kb.solve(position, all=True)
    assert {int(c.numbers[0]) for c in result.table} == set(position.numbers)
    assert result.value == result.table[0].value == naive.minimax_memoised(position, position.player)
    assert [c.value for c in result.table] == sorted((c.value for c in result.table), reverse=True)
    for candidate in result.table:
        child = position.play(candidate.numbers[0])
        assert candidate.value == naive.minimax_memoised(child, position.player)
        if candidate.distance is not None:
            assert candidate.distance == 1 + (0 if child.is_over else naive.outcome(child)[1])
        end = position.after_line(list(candidate.numbers))
        assert end.is_over
        assert end.utility(position.player) == candidate.value


def test_the_interval_closes() -> None:
    results = list(solving(kb.load("kalah", holes=3, seeds=2).start))
    widths = [r.upper - r.lower for r in results if r.lower is not None and r.upper is not None]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == 0
    assert any(r.note.startswith("value in [") for r in results[:-1])
    assert (results[-1].value, results[-1].ended, results[-1].note) == (4.0, "solved", "")


def test_threads_find_the_same() -> None:
    position = kb.load("connect4").position("44455554")
    if INTERPRETED:
        position = kb.load("connect4", rows=3, columns=4, line=3).start
    one, two = kb.solve(position), kb.solve(position, threads=2)
    assert (one.value, one.distance, one.exact) == (two.value, two.distance, two.exact)
    with pytest.raises(InputError, match="leave table=0 out"):
        kb.solve(position, threads=2, table=0)


# --- games that fit, and others ---


@pytest.mark.interpreted
def test_a_game_of_the_user(tmp_path: Path) -> None:
    file = tmp_path / "chomp.py"
    file.write_text(CHOMP)
    game = kb.load(str(file))
    solved, searched = kb.solve(game.start), kb.solve(game.start, "alphabeta")
    assert (solved.value, solved.distance) == (searched.value, searched.distance) == naive.outcome(game.start)
    assert solved.value == 1.0  # the first player wins, by an old argument: what the second would do with it he does first


def test_games_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")  # what is said needs no compiled search
    assert METHOD.unfit(kb.load("checkers")) is not None
    assert METHOD.unfit(kb.load("pig")) == "it has chance"
    assert kb.solve(kb.load("checkers").start, nodes=5).engine.startswith("solve(alphabeta")
    assert kb.solve(kb.load("tictactoe").start, nodes=5, aspiration=0.5).engine.startswith("solve(alphabeta")  # which knows the option
    with pytest.raises(InputError, match="positions may repeat"):
        kb.solve(kb.load("checkers").start, "solver")
    with pytest.raises(InputError, match="must be a number"):
        kb.solve(kb.load("kalah", holes=2, seeds=2).start, guess="much")


def test_a_utility_off_the_grain_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    file = tmp_path / "halves.py"
    file.write_text(CHOMP.replace("return 1.0 if player == s.turn else -1.0", "return 0.5 if player == s.turn else -0.5"))
    with pytest.raises(RulesError, match="no multiple of GRAIN"):
        kb.solve(kb.load(str(file)).start)


# --- what a game tells ---

LIES = {
    "candidates": ("def candidates(s, out):\n    out[0] = 0\n    return 1\n", "candidates: listed [0] of the moves"),
    "soonest": ("def soonest(s, player):\n    return 40\n", "soonest: said 40 for player"),
    "latest": ("def latest(s):\n    return 1\n", "latest: said 1, and"),
    "solving_order": ("def solving_order(s, move):\n    return np.nan\n", "solving_order: returned nan"),
}


@pytest.mark.compiled
@pytest.mark.parametrize("hook", LIES)
def test_check_finds_what_is_not_true(tmp_path: Path, hook: str) -> None:
    lie, problem = LIES[hook]
    file = tmp_path / f"{hook}.py"
    file.write_text(CHOMP + lie)
    assert any(problem in str(failure) for failure in check(kb.load(str(file)), games=3).failures)


def test_candidates_of_connect_four_hold_a_best_move() -> None:
    """On boards that are nearly full, by plain recursion."""
    game, rng, looked = kb.load("connect4"), Random(2), 0
    squares = game.constants["MAX_PLIES"]
    while looked < 25:
        position = game.start
        for _ in range(rng.randint(squares - 9, squares - 2)):
            if not position.is_over:
                position = position.play(rng.choice(position.numbers))
        if position.is_over:
            continue
        looked += 1
        out = np.zeros(game.constants["MAX_MOVES"], np.int64)
        found = [int(m) for m in out[: int(game.rule("candidates")(position.state, out))]]
        value, plies = naive.outcome(position)
        after = [position.play(m) for m in found]
        told = [(a.utility(position.player), 1) if a.is_over else (-naive.outcome(a)[0], naive.outcome(a)[1] + 1) for a in after]
        assert any(v == value and (p == plies or v == 0) for v, p in told)


def test_last_squares_of_othello() -> None:
    """Against plain recursion, where few squares are left; asked for more, for less, and for what it is."""
    game, rng = kb.load("othello"), Random(3)
    for _ in range(4 if INTERPRETED else 12):
        position = game.start
        while not position.is_over and 64 - bin(int(position.state.mine) | int(position.state.theirs)).count("1") > 4:
            position = position.play(rng.choice(position.numbers))
        if position.is_over:
            continue
        true = naive.minimax_memoised(position, position.player)
        for least in (true - 2, true, true + 2):
            told = float(game.rule("finish")(position.state, least))
            assert (told >= least) == (true >= least)
            assert told <= true if told >= least else told >= true


# --- the table, and the file that keeps it ---


def test_entries_say_what_was_stored() -> None:
    table, rng = np.zeros(64, bounds.Entry), Random(4)
    with np.errstate(over="ignore"):
        for _ in range(300):
            key = np.uint64(rng.getrandbits(64) | 1)
            low, high = sorted((rng.randint(-bounds.WIDEST, bounds.WIDEST), rng.randint(-bounds.WIDEST, bounds.WIDEST)))
            move, work = rng.randint(-1, 1 << 40), rng.randint(1, 60)
            bounds.store(59, table, key, low, high, move, work)
            known = bounds.probe(59, table, key)
            assert (bounds.lower(known), bounds.upper(known)) == (low, high)
            assert (bounds.hint(known), int(bounds.effort(known))) == (move & bounds.MOVE_BITS, work)


def test_a_stopped_solve_goes_on_from_its_file(tmp_path: Path) -> None:
    position, file = kb.load("connect4", rows=4, columns=4).start, tmp_path / "saved"
    whole = kb.solve(position)
    nodes = whole.nodes // 3
    first = kb.solve(position, resume=str(file), nodes=nodes)
    assert (first.ended, first.exact) == ("nodes", False)
    second = kb.solve(position, resume=str(file))
    assert (second.value, second.distance, second.ended) == (whole.value, whole.distance, "solved")
    assert second.nodes > first.nodes  # those of both
    assert kb.solve(position, resume=str(file)).nodes == second.nodes  # nothing is left to do
    assert [p.name for p in tmp_path.iterdir()] == ["saved"]


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    game, file = kb.load("connect4", rows=3, columns=4, line=3), tmp_path / "saved"
    kb.solve(game.start, resume=str(file), nodes=20)
    with pytest.raises(InputError, match="of other rules or options"):
        kb.solve(game.position("1"), resume=str(file))
    with pytest.raises(InputError, match="leave table=0 out"):
        kb.solve(game.start, resume=str(tmp_path / "other"), table=0)
    content = bytearray(file.read_bytes())
    content[-9] ^= 1
    for broken in (bytes(content), file.read_bytes()[:-16], b"", b"something else\n"):
        file.write_bytes(broken)
        with pytest.raises(InputError, match="is damaged"):
            kb.solve(game.start, resume=str(file))
    with pytest.raises(InputError, match="no folder"):
        kb.solve(game.start, resume=str(tmp_path / "none" / "saved"))


def test_games_are_loaded_with_their_hooks() -> None:
    game = kb.load("connect4")
    assert isinstance(game, Game)
    assert all(game.defines(hook) for hook in ("candidates", "latest", "solving_order", "canonical"))
