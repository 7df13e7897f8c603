"""Searches that ask an evaluator end in time, and when they are told to; nobody finds likely lines that nobody reads."""

import pickle
import threading
import time
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.running.control import Stop, heeding
from kibitz.evaluators.batch import Batch
from kibitz.evaluators.evaluator import Own
from kibitz.evaluators.remembered import Remembered
from kibitz.searches.montecarlo import guiding, likely

GAME = kb.load("connect4")
LATE = 0.15  # seconds that other work on the machine may take


class Slow:
    """Takes a while for a batch, and for each position of it."""

    def __init__(self, batch: float, position: float) -> None:
        self.batch, self.position, self.sizes = batch, position, list[int]()

    def __call__(self, batch: Batch) -> tuple[Any, Any]:
        self.sizes.append(len(batch))
        time.sleep(self.batch + self.position * len(batch))
        return np.zeros(len(batch)), np.ones(batch.moves.shape)


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


@pytest.mark.parametrize(("batch", "position"), [(0.0, 0.03), (0.3, 0.0), (0.1, 0.01)])
def test_a_wave_that_would_end_too_late_is_smaller_or_not_sent(batch: float, position: float) -> None:
    slow = Slow(batch, position)
    result = kb.search(GAME.start, "puct(wave=16, solve=false)", time=1.0, evaluator=slow)
    assert result.ended == "time"
    assert result.seconds < 1.0 + LATE
    assert slow.sizes[0] == 1  # the root
    assert max(slow.sizes) > 4
    assert sum(slow.sizes) == (result.playouts or 0) + 1


def test_without_a_deadline_waves_are_whole() -> None:
    slow = Slow(0.0, 0.001)
    assert kb.search(GAME.start, "puct(wave=7, solve=false)", playouts=21, evaluator=slow).playouts == 21
    assert slow.sizes == [1, 7, 7, 7]


@pytest.mark.parametrize("how", ["asked", "deadline"])
def test_a_stop_is_heeded_between_waves(how: str) -> None:
    stop = Stop()
    timer = threading.Timer(0.4, stop.ask) if how == "asked" else None
    if timer is None:
        stop.deadline = time.perf_counter() + 0.4
    else:
        timer.start()
    with heeding(stop):
        began = time.perf_counter()
        result = kb.search(GAME.start, "puct(wave=4, solve=false)", time=20, evaluator=Slow(0.0, 0.01))
    assert result.ended == "interrupted"
    assert time.perf_counter() - began < 0.4 + 3 * LATE
    assert result.move in GAME.start.moves


# --- answers that are kept ---


def test_what_is_banked_counts_for_an_answer() -> None:
    """Kalah's key leaves out the stores, which decide what a position is worth."""
    game = kb.load("kalah", holes=2, seeds=2)
    one, other = game.start.state, game.start.state
    other.pits[2], other.pits[5] = other.pits[2] + 3, other.pits[5]
    assert game.rule("key")(one) == game.rule("key")(other)
    states = np.array([one, other], game.constants["State"])
    plain, kept = Own(game), Remembered(Own(game))
    for asked in (states[:1], states, states[::-1]):
        assert np.array_equal(kept.judge(asked).values, plain.judge(asked).values)
    assert kept.judge(states).values[0] != kept.judge(states).values[1]


# --- likely lines ---


@pytest.fixture
def finding(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The lines that were found, each time somebody looked."""
    found: list[tuple[Any, ...]] = []

    def find(*given: Any) -> tuple[Any, ...]:
        found.append(likely.likeliest_lines(*given))
        return found[-1]

    monkeypatch.setattr(guiding, "likeliest_lines", find)
    return found


def test_likely_lines_are_found_when_somebody_looks(finding: list[tuple[Any, ...]]) -> None:
    result = kb.search(GAME.start, "puct(leaf=evaluate, solve=false)", playouts=40)
    assert result.value is not None
    assert not finding
    assert [one.share for one in result.likely] == sorted((one.share for one in result.likely), reverse=True)
    assert len(result.likely) == likely.LINES
    assert result.likely == finding[0]
    assert result.likely[0].line
    assert len(finding) == 1
    assert pickle.loads(pickle.dumps(result.likely)) == result.likely


def test_likely_lines_are_of_the_tree_as_it_was(finding: list[tuple[Any, ...]]) -> None:
    """The next search goes on with the same tree: what somebody may still look at is found first."""
    player = kb.player("puct", solve=False, playouts=40).remembering()
    first = player.search(GAME.start)
    second = player.search(GAME.start.play(int(first.move or 0)))
    assert len(finding) == 1
    assert list(first.likely) == list(kb.search(GAME.start, "puct", solve=False, playouts=40).likely)
    del first, second
    finding.clear()
    player.search(GAME.start)
    player.search(GAME.start)  # nobody holds the result before it
    assert not finding
