"""Intervals against computations by hand and against known tables."""

import math

import pytest

from kibitz.experiments.statistics import Estimate, mean, ratio, slope, student


@pytest.mark.parametrize(
    ("freedom", "t"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (10, 2.228), (30, 2.042), (120, 1.980), (10**9, 1.960)]
)
def test_students_table(freedom: int, t: float) -> None:
    assert student(freedom) == pytest.approx(t, abs=5e-4)


def test_mean_by_hand() -> None:
    """2, 4, 6, 8: mean 5, squares of deviations 9 + 1 + 1 + 9 = 20, variance 20/3, error of the mean sqrt(20/3/4) = 1.29099; t(3) = 3.18245."""
    found = mean([2, 4, 6, 8])
    assert found.value == 5.0
    assert found.high - 5.0 == pytest.approx(3.18245 * 1.29099, abs=1e-4)
    assert 5.0 - found.low == pytest.approx(found.high - 5.0)


def test_ratio_by_hand() -> None:
    """1/2, 3/4, 8/6: sums 12/12 = 1; deviations from 1 * bottom -1, -1, 2; error sqrt(6/2/3) = 1 over the mean bottom 4; t(2) = 4.30265."""
    found = ratio([1, 3, 8], [2, 4, 6])
    assert found.value == 1.0
    assert found.high - 1.0 == pytest.approx(4.30265 / 4, abs=1e-5)


def test_a_ratio_that_never_varies_is_certain() -> None:
    assert ratio([1, 2, 3], [2, 4, 6]) == Estimate(0.5, 0.5, 0.5)


def test_one_observation_has_no_interval() -> None:
    found = mean([7])
    assert found.value == 7.0
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert str(found) == "7"


def test_slope() -> None:
    assert slope([1, 2, 3], [5, 7, 9]) == 2.0
    assert slope([0, 1, 2, 3], [0, 2, 1, 3]) == pytest.approx(0.8)


def test_scaling_turns_the_interval_with_the_figure() -> None:
    assert Estimate(0.25, 0.125, 0.5).scaled(-100, 100) == Estimate(75.0, 50.0, 87.5)
    assert Estimate(0.0, -1.0, 1.0).exponential() == (1.0, pytest.approx(1 / math.e), pytest.approx(math.e))


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(13.4321, 12.2, 14.66), "13.4 ± 1.2"),
        (Estimate(1252.3, 1148.0, 1356.6), "1252 ± 104"),
        (Estimate(0.0123, 0.0111, 0.0135), "0.0123 ± 0.0012"),
        (Estimate(2.93, 2.5, 3.8), "2.93 [2.50, 3.80]"),
        (Estimate(0.0, 0.0, 0.0), "0 ± 0"),
    ],
)
def test_two_figures_of_the_margin_are_shown(estimate: Estimate, text: str) -> None:
    assert str(estimate) == text
