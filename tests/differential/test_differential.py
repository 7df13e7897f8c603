"""The fuzzer itself, and a run of it: every search against plain recursion on random games. Seeds are fixed; a failure prints how to see it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from kibitz.searches.method import method, names
from tests import naive
from tests.differential import graphs, options, others, patience
from tests.differential.cases import Case, on, run
from tests.differential.families import FAMILIES
from tests.differential.judging import Judge
from tests.differential.sweeping import Plan, Tally, sweep
from tests.naive_graphs import Truth

SHOWN = 3

# Pairs that `make test` compiles: a handful, each with one choice of options.
COMPILED = (("scores", "alphabeta"), ("losing", "negascout"), ("weighted", "star2"), ("wins", "uct"), ("bank", "selective"))
CHECKED = (("captures", "alphabeta"), ("gambling", "star25"))


def assert_nothing_found(plan: Plan, first: int, cases: int) -> None:
    tally = Tally()
    found = [finding for finding, _ in zip(sweep(plan, first, cases, tally), range(SHOWN), strict=False)]
    print(f"seed {plan.seed}: {tally}")
    assert not found, "\n\n".join(finding.told(plan)[1] for finding in found)


@pytest.mark.parametrize("part", range(15))
def test_interpreted(part: int) -> None:
    assert_nothing_found(Plan(seed=14), 100 * part, 100)


def test_compiled() -> None:
    assert_nothing_found(Plan(seed=15, target="cpu", named=COMPILED, combinations=1), 0, 350)


def test_compiled_with_bounds_checks() -> None:
    assert_nothing_found(Plan(seed=16, target="cpu", checked=True, named=CHECKED, combinations=1), 0, 150)


@pytest.mark.once
@pytest.mark.parametrize("kind", others.KINDS)
def test_other_kinds(kind: str) -> None:
    cases = 80 if kind == "claims" else 40
    assert [(number, str(case), *wrong) for number, case, wrong in others.sweep(others.KINDS[kind], 17, 0, cases, "python")] == []


@pytest.mark.long
@pytest.mark.parametrize("kind", others.KINDS)
@pytest.mark.parametrize("target", ["python", "cpu"])
def test_other_kinds_at_length(kind: str, target: str) -> None:
    assert [(number, str(case), *wrong) for number, case, wrong in others.sweep(others.KINDS[kind], 18, 0, 5000, target)] == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_many_interpreted(part: int) -> None:
    assert_nothing_found(Plan(seed=100 + part), 0, 5000)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_many_compiled(part: int) -> None:
    """Each part with pairs and options of its own; the last two with bounds checks."""
    assert_nothing_found(Plan(seed=200 + part, target="cpu", checked=part >= 8, pairs=18, combinations=2), 0, 20_000)


@pytest.mark.parametrize("path", sorted((Path(__file__).parent / "found").glob("*.json")), ids=lambda path: path.stem)
def test_what_was_found_once_is_not_found_again(path: Path) -> None:
    """Findings that were saved (`--save`), each named after its cause."""
    with on("python"):
        outcome = run(Case.read(path))
    assert not outcome.refused
    assert not outcome.faults


# --- the fuzzer itself ---


@pytest.mark.parametrize("name", FAMILIES)
def test_truth_is_that_of_positions(name: str) -> None:
    """The rules in the state, the rules of the graph, and two recursions: all say the same."""
    family = FAMILIES[name]
    for number in range(6):
        graph = graphs.draw(family.kind, Random(number), 5)
        truth, position = Truth(graph, family.game.constants), family.position(graph)
        here = truth.first()
        for _ in range(3):
            assert position.player == truth.player(here)
            assert [int(m) for m in position.moves] == [e.label for e in truth.moves(here)]
            if truth.opposite:
                for player in range(family.kind.players):
                    assert truth.value(here)[player] == pytest.approx(naive.expectiminimax(position, player))
            if position.is_over:
                break
            label = Random(number).choice(truth.moves(here)).label
            position, here = position.play(label), truth.follow(here, label) or here


@pytest.mark.parametrize("search", names())
def test_every_option_is_drawn(search: str) -> None:
    for option in method(search).options:
        assert all(option.value(one) == one for one in options.pool(option))


def test_every_search_fits_a_family() -> None:
    assert {search for _, search in Plan(seed=1).choices} == {
        search for search in names() if not method(search).views
    }  # nothing is hidden in them


def test_a_case_that_takes_too_long_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it heeds Ctrl-C, as searches do, or nothing at all."""
    monkeypatch.setattr(patience, "INTERPRETED", 0.3)
    case = next(c for number in range(1000) if (c := Plan(seed=3, searches=["alphabeta"]).case(number)).family == "draws")
    endless = replace(case, asks=(replace(case.asks[0], options={"depth": 0, "table": 0.0, "deepening": False}),))

    def follow(*_: object) -> None:
        while True:
            pass

    with on("python"):
        assert not run(endless).endless
        monkeypatch.setattr(Judge, "faults", follow)
        outcome = run(endless)
    assert outcome.endless
    assert outcome.faults[0] == "it took more than 0.3 seconds of processor time"


def test_a_case_can_be_written_down() -> None:
    for number in range(0, 400, 7):
        case = Plan(seed=3).case(number)
        assert Case.of_json(case.as_json()) == case


def test_cases_depend_on_their_number_alone() -> None:
    assert Plan(seed=3).case(17) == Plan(seed=3).case(17)
    assert len({Plan(seed=3).case(number).as_json() for number in range(100)}) == 100
