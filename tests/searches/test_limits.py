"""Limits, stopping and refusals."""

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.compiling.binder import bind
from kibitz.core.records.record import blank, record
from kibitz.core.running import control
from tests.searches.driver import INTERPRETED

compiled = pytest.mark.skipif(INTERPRETED, reason="about compiled speed")


@pytest.fixture
def start() -> kb.Position:
    return kb.load("othello").start


@compiled
@pytest.mark.compiled
def test_random_time_limits_end_searches(start: kb.Position) -> None:
    """That they are kept to the twentieth is measured on an idle machine: the long test below."""
    kb.search(start, "alphabeta(depth=2)")  # compiles
    chance = random.Random(1)
    for _ in range(10):
        limit = chance.uniform(0.005, 0.2)
        result = kb.search(start, "alphabeta", time=limit)
        assert result.ended == "time"
        assert limit <= result.seconds < limit + 2
        assert result.move in start.moves


@pytest.mark.long
@compiled
def test_two_hundred_time_limits(start: kb.Position) -> None:
    kb.search(start, "alphabeta(depth=2)")  # compiled or loaded before the clock runs
    chance, late = random.Random(2), []
    for _ in range(200):
        limit = chance.uniform(0.005, 0.5)
        began = time.perf_counter()
        kb.search(start, "alphabeta", time=limit)
        took = time.perf_counter() - began
        if took > limit * 1.05 + 0.05:
            late.append((limit, took))
    assert not late


def test_depth_and_nodes(start: kb.Position) -> None:
    assert kb.search(start, "alphabeta(depth=3)").depth == 3
    few = kb.search(start, "alphabeta", nodes=200)
    assert (few.ended, few.nodes) == ("nodes", 200)
    assert few.depth >= 1
    assert few.bound == "estimate"
    again = kb.search(start, "alphabeta", nodes=200)
    assert (again.move, again.value, again.nodes) == (few.move, few.value, few.nodes)


def test_nothing_finished_still_gives_a_move(start: kb.Position) -> None:
    result = kb.search(start, "alphabeta", nodes=1)
    assert (result.depth, result.ended) == (0, "nodes")
    assert result.move in start.moves


def test_analyse_yields_each_depth(start: kb.Position) -> None:
    results = list(kb.analyse(start, "alphabeta(depth=4)"))
    assert [r.depth for r in results] == [1, 2, 3, 4]
    assert all(a.nodes < b.nodes for a, b in itertools.pairwise(results))
    assert [r.ended for r in results] == ["", "", "", "depth"]


def test_solved_positions_stop_early() -> None:
    result = kb.search(kb.load("connect4").position("4455"), "alphabeta", depth=20)
    assert (result.ended, result.depth, result.value, result.distance) == ("solved", 3, 1.0, 3)


Busy = record(control=control.Control)


def walk(w: Any, depth: int) -> int:
    """A tree without end, like a search's."""
    w.control.nodes += 1
    total = depth
    for _ in range(3):
        if w.control.nodes >= w.control.limit:
            return 7
        if depth > 0:
            total += walk(w, depth - 1)
    return total


def busy(w: Any) -> int:
    return walk(w, np.int64(60))  # type: ignore[arg-type]


def test_a_running_kernel_can_be_watched_and_stopped() -> None:
    w = blank(Busy)
    w.control.limit = control.NO_LIMIT
    seen: list[int] = []
    run = control.supervise(bind(busy, {}, "busy"), w, control=w.control, seconds=0.3, watch=lambda _: seen.append(int(w.control.nodes)))
    assert run.result >= 7
    assert 0.3 <= run.seconds < 1.0
    assert not run.interrupted
    assert seen == sorted(seen)
    assert seen[0] > 0


def wait(w: Any) -> int:
    """A rule that does not return until somebody lets it."""
    w.control.nodes += 1
    while w.control.nodes < 2:
        pass
    return 7


@pytest.mark.once
def test_a_rule_that_does_not_return_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the search is to end, by a limit of time here; until then it may take as long as it likes."""
    w = blank(Busy)
    w.control.limit = control.NO_LIMIT
    monkeypatch.setattr(control, "PATIENCE", 0.5)
    began = time.perf_counter()
    with pytest.raises(kb.RulesError, match=r"told to end 0\.5 seconds ago, it is still at the same position: a rule does not return"):
        control.supervise(bind(wait, {}, "waiting"), w, control=w.control, seconds=0.2)
    assert time.perf_counter() - began >= 0.7
    w.control.nodes = 2  # and the thread ends


def test_ctrl_c_returns_the_best_so_far(start: kb.Position) -> None:
    kb.search(start, "alphabeta(depth=1)")
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    result = kb.search(start, "alphabeta", time=60)
    assert result.ended == "interrupted"
    assert result.depth >= 1
    assert result.seconds < 10


def test_stopping_during_compilation(tmp_path: Any) -> None:
    environment = {**os.environ, "KIBITZ_CACHE": str(tmp_path), "KIBITZ_TARGET": "cpu"}
    command = [sys.executable, "-m", "kibitz", "search", "othello", "--time", "60"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert "compiling alphabeta for othello" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=20)
    assert process.returncode == 130
    assert rest.splitlines()[-1] == "kibitz: stopped"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: kb.search(kb.load("tictactoe").position("14253")), "the game is over in this position"),
        (lambda: kb.search(kb.load("tictactoe").start, "alphabeta", time=-1), "time=-1: must be a number from 0"),
        (lambda: kb.search(kb.load("tictactoe").start, "alphabeta", depth=-1), "depth=-1: must be a whole number"),
        (lambda: kb.search(kb.load("tictactoe").start, "alphabeta", table=1 << 20), "no memory for a table of 1.04858e+06 MB"),
        (lambda: kb.search(kb.load("othello").start, "alphabeta(distance=on)"), "is not simply won, drawn or lost"),
        (lambda: kb.search(kb.load("connect4").start, "minimax(form=levels, memory=0.1)", depth=12), "needs more than memory=0.1 MB"),
    ],
)
def test_refusals(call: Any, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "no memory" in words:
        monkeypatch.setattr("numpy.zeros", _no_memory)
    with pytest.raises(kb.InputError) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def _no_memory(shape: Any, dtype: Any = float) -> Any:
    if isinstance(shape, int) and shape > 1 << 30:
        raise MemoryError
    return np.full(shape, 0, dtype)
