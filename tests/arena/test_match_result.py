"""Intervals that hold what they promise, and the arithmetic around them."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz as kb
from kibitz.arena.contest import Contestant
from kibitz.arena.match_result import Match, _plain, _signed
from kibitz.core.measuring.intervals import elo, score, superiority

PAIRS = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60)


@given(pairs=PAIRS)
def test_the_interval_holds_the_score(pairs: list[float]) -> None:
    e = score(pairs)
    assert e.value == pytest.approx(sum(pairs) / len(pairs))
    assert 0.0 <= e.low <= e.value <= e.high <= 1.0
    assert e.low < e.high
    assert 0.0 < superiority(pairs) < 1.0 or len(pairs) > 20


@given(pairs=PAIRS)
def test_the_other_contestant_sees_the_mirror_image(pairs: list[float]) -> None:
    mirrored = [1.0 - x for x in pairs]
    one, other = score(pairs), score(mirrored)
    assert one.value + other.value == pytest.approx(1.0)
    assert one.low + other.high == pytest.approx(1.0)
    assert superiority(pairs) + superiority(mirrored) == pytest.approx(1.0)


@pytest.mark.parametrize("chance", [0.5, 0.65, 0.9])
@pytest.mark.parametrize("kept", [0.0, 0.5])  # how often the opening decides, so that each player wins once
def test_the_interval_covers_the_truth_often_enough(chance: float, kept: float) -> None:
    """100 pairs, 2000 times: about 95 % of the intervals hold the true mean."""
    draw, inside, truth = random.Random(1), 0, kept * 0.5 + (1 - kept) * chance
    for _ in range(2000):
        pairs = [0.5 if draw.random() < kept else 0.5 * ((draw.random() < chance) + (draw.random() < chance)) for _ in range(100)]
        _, low, high = score(pairs)
        inside += low <= truth <= high
    assert 0.93 <= inside / 2000 <= 0.985


def test_nothing_is_certain() -> None:
    assert score([])[1:] == (0.0, 1.0)
    assert superiority([]) == 0.5
    assert 0.96 < score([1.0] * 100).low < 0.99
    assert score([0.5] * 100)[1:] == pytest.approx((0.486, 0.514), abs=0.001)
    assert score([1.0]).low == 0.0


def test_elo() -> None:
    assert elo(0.5) == 0.0
    assert elo(0.75) == pytest.approx(400 * math.log10(3))
    assert elo(0.25) == pytest.approx(-400 * math.log10(3))
    assert elo(0.0) == -math.inf
    assert elo(1.0) == math.inf


def test_an_infinite_difference_keeps_its_sign() -> None:
    """Everything lost, in one pair: Elo is minus infinite, and nothing is known."""
    contestant = Contestant.of("alphabeta", kb.load("tictactoe"))
    lost = Match((contestant, contestant), (), (0.0,), 2, 0, 0.0)
    assert (lost.elo, lost.elo_interval) == (-math.inf, (-math.inf, math.inf))
    assert [_signed(end) for end in (lost.elo, *lost.elo_interval)] == ["minus infinite", "minus infinite", "plus infinite"]
    assert [float(_plain(end)) for end in lost.elo_interval] == [-math.inf, math.inf]
