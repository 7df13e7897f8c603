"""Monte Carlo searches on random games of every kind, held against plain recursion: see tests/differential for the games and what is compared.

Beyond what other searches promise, the whole line of what is called exact is best play, however many players there are.
"""

from collections.abc import Iterator

import pytest

from tests.differential import cases
from tests.differential.families import FAMILIES
from tests.differential.judging import Judge
from tests.naive_graphs import Standing
from tests.searches.driver import INTERPRETED

SEARCHES = ("uct", "puct", "esprit", "montecarlo")


class WholeLine(Judge):
    """No move of a line that is called best may change what the game is worth to who asked."""

    def _keeps_value(self, line: tuple[int, ...], value: float) -> Iterator[str]:
        here: Standing | None = self.here
        for i, move in enumerate(line):
            here = self.truth.follow(here, int(move)) if here is not None else None
            if here is not None:
                yield from self._worth_exactly(here, value, f"after {i + 1} moves of {[int(m) for m in line]}, exact value")


def sweep(monkeypatch: pytest.MonkeyPatch, target: str, seed: int, number: int, pairs: list[tuple[str, str]], combinations: int = 1) -> int:
    """Cases without a fault, each pair compiled with several combinations of options; how many called something exact."""
    monkeypatch.setattr(cases, "Judge", WholeLine)
    exact = 0
    with cases.on(target):
        for i in range(number):
            case = cases.draw(seed, i, pairs, target == "python", combinations)
            outcome = cases.run(case)
            assert not outcome.faults, f"seed {seed}, case {i}: {outcome.faults}\n{case}"
            exact += outcome.exact
    return exact


@pytest.mark.once
def test_random_games_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sweep(monkeypatch, "python", 14, 100, cases.pairs(list(FAMILIES), SEARCHES)) > 20


@pytest.mark.long
@pytest.mark.compiled
def test_random_games_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sweep(monkeypatch, "cpu", 14, 400, [("three", "uct")]) > 50


@pytest.mark.long
@pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.compiled)])
def test_many_random_games(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    if INTERPRETED and target == "cpu":
        pytest.skip("compiled elsewhere")
    assert sweep(monkeypatch, target, 15, 3_000 if target == "python" else 30_000, cases.pairs(list(FAMILIES), SEARCHES), 2) > 500
