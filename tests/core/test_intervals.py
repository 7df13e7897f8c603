"""Intervals against computations by hand and against known tables, and how often they hold the truth."""

import math

import pytest

from kibitz.core.measuring.intervals import Estimate, beta_distribution, mean, ratio, score, share, standard_error, student
from kibitz.experiments.statistics import slope


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


def chance_of(hits: int, tries: int, p: float) -> float:
    return math.comb(tries, hits) * p**hits * (1.0 - p) ** (tries - hits)


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    [(0, 10, 0.0, 0.3085), (1, 10, 0.0025, 0.4450), (5, 10, 0.1871, 0.8129), (10, 10, 0.6915, 1.0), (0, 200, 0.0, 0.0183), (15, 50, 0.1786, 0.4461)],
)  # fmt: skip
def test_shares_of_the_tables(hits: int, tries: int, low: float, high: float) -> None:
    """Clopper and Pearson's exact limits as textbooks print them."""
    assert share(hits, tries) == (hits / tries, pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_a_share_is_never_certain() -> None:
    assert str(share(0, 200).scaled(100.0)) == "0.0 [0.0, 1.8]"
    assert str(share(200, 200).scaled(100.0)) == "100.0 [98.2, 100.0]"


@pytest.mark.parametrize("tries", [1, 5, 20, 100])
@pytest.mark.parametrize("p", [0.001, 0.01, 0.05, 0.2, 0.5, 0.77, 0.99])
def test_the_interval_of_a_share_holds_the_truth_95_times_in_100(p: float, tries: int) -> None:
    """Not by drawing: all that can happen, each as likely as it is. By Student's t it was 18 times in 100 at p = 0.01 and 20 tries."""
    found = [(share(hits, tries), chance_of(hits, tries, p)) for hits in range(tries + 1)]
    assert sum(chance for e, chance in found if e.low <= p <= e.high) >= 0.95
    by_student = [(mean([1.0] * hits + [0.0] * (20 - hits)), chance_of(hits, 20, 0.01)) for hits in range(21)]
    assert sum(chance for e, chance in by_student if e.low <= 0.01 <= e.high) < 0.19


def test_what_is_no_share_is_refused() -> None:
    for hits, tries in ((1, 0), (-1, 5), (6, 5)):
        with pytest.raises(ValueError, match="is no share"):
            share(hits, tries)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 3), (1, 20), (30, 2), (400, 1601)])
def test_the_beta_distribution_is_a_tail_of_binomial_ones(a: int, b: int) -> None:
    """P(beta(a, b) <= x) = P(at least a hits in a + b - 1 tries with chance x)."""
    for x in (0.001, 0.1, 0.2, 0.5, 0.93):
        tail = math.fsum(math.exp(_log_chance(k, a + b - 1, x)) for k in range(a, a + b))
        assert beta_distribution(a, b, x) == pytest.approx(tail, abs=1e-12)
    assert (beta_distribution(a, b, 0.0), beta_distribution(a, b, 1.0)) == (0.0, 1.0)


def _log_chance(hits: int, tries: int, p: float) -> float:
    ways = math.lgamma(tries + 1) - math.lgamma(hits + 1) - math.lgamma(tries - hits + 1)
    return ways + hits * math.log(p) + (tries - hits) * math.log1p(-p)


def test_a_few_pairs_prove_nothing() -> None:
    """Two pairs won: with one won and one lost added 0, 1, 1, 1, mean 3/4, error 1/4, t(3) = 3.18."""
    assert score([1.0, 1.0]) == Estimate(1.0, 0.0, 1.0)
    assert score([]) == Estimate(0.5, 0.0, 1.0)
    assert score([1.0] * 20).low == pytest.approx(21 / 22 - 2.0796 * standard_error([0.0] + [1.0] * 21), abs=1e-4)
    assert standard_error([2, 4, 6, 8]) == pytest.approx(1.29099, abs=1e-5)


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
