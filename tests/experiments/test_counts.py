"""What the shipped experiments count, against twins that count it the slow way; and what their summaries make of it."""

import math
import re
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.measuring.intervals import Estimate
from kibitz.core.measuring.perft import perft
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.position.variants import remove_hooks
from kibitz.experiments.runner import run_experiment
from kibitz.experiments.studies import growth, noe_kalah, reinefeld
from kibitz.experiments.workloads import BARE, draw_opening, list_best_first, search_to_depth
from tests.experiments.twins import Counting

ROOT = Path(__file__).parent.parent.parent


def twin(position: Position, depth: int, how: str) -> tuple[float, int, int]:
    """Value, leaves, nodes."""
    counting = Counting(position, depth)
    return getattr(counting, how)(), counting.leaves, counting.nodes


# --- leaves ---


@pytest.mark.once
@pytest.mark.parametrize(("b", "d"), [(2, 5), (3, 4), (7, 3)])
def test_perfect_order_evaluates_the_fewest_leaves(b: int, d: int) -> None:
    game = load("uniform", branching=8, depth=6, order="perfect")
    tree = from_board(game, f"seed=3 branching={b} depth={d}")
    assert search_to_depth(tree, f"alphabeta({BARE}, table=0)", d).leaves == b ** ((d + 1) // 2) + b ** (d // 2) - 1
    for form in ("recursive", "levels"):
        assert search_to_depth(tree, f"minimax(deepening=false, form={form})", d).leaves == b**d


def test_leaves_short_of_the_end_are_counted_too() -> None:
    tree = from_board(load("uniform", branching=8, depth=6, order="perfect"), "seed=3 branching=3 depth=6")
    assert search_to_depth(tree, "minimax(deepening=false)", 4).leaves == 81
    assert search_to_depth(tree, "minimax", 4).leaves == 3 + 9 + 27 + 81


# --- reinefeld ---

SIZES = [(3, 3), (4, 4), (2, 6)]


@pytest.mark.parametrize(("b", "d"), SIZES)
def test_uniform_trees_are_counted_as_the_twins_count_them(b: int, d: int) -> None:
    found = reinefeld.run({"kind": "independent", "depth": d, "branching": b, "spread": 1000, "first": 0, "count": 4})
    game = load("uniform", branching=reinefeld.WIDEST, depth=reinefeld.DEEPEST, spread=1000)
    methods = {
        reinefeld.ALPHA_BETA: "alphabeta", reinefeld.SCOUT: "scout", reinefeld.NEGASCOUT: "negascout", reinefeld.MTDF: "mtdf",
    }  # fmt: skip
    for seed in range(4):
        tree = from_board(game, f"seed={seed} branching={b} depth={d}")
        twins = {name: twin(tree, d, how) for name, how in methods.items()}
        assert len({value for value, _, _ in twins.values()}) == 1
        for name, (_, leaves, nodes) in twins.items():
            assert found[name]["leaves"][seed] == leaves, name
            assert found[name]["nodes"][seed] == nodes, name


def test_reinefelds_table(tmp_path: Path) -> None:
    given = {"kinds": "independent", "widths": (3, 20), "depths": (3,), "trees": 12, "spread": 1000}
    outcome = run_experiment("reinefeld", given, store=tmp_path / "s")
    assert [(r["trees"], r["depth"], r["b"], r["number"], r["paper %"]) for r in outcome.summary.rows] == [
        ("independent", 3, 3, 12, None),
        ("independent", 3, 20, 12, "10 to 20"),
    ]
    counts = [f.result for f in outcome.results if f.inputs["branching"] == 20]
    ours = sum(n for c in counts for n in c["NegaScout"]["leaves"])
    theirs = sum(n for c in counts for n in c["alpha-beta"]["leaves"])
    saved = outcome.summary.rows[1]["NegaScout saves %"]
    assert isinstance(saved, Estimate)
    assert saved.value == pytest.approx(100 * (1 - ours / theirs))
    assert saved.low < saved.value < saved.high
    (note,) = outcome.summary.notes
    assert note.startswith(f"independent, depth 3: NegaScout saves {saved.value:.1f} % at b = 20 to 60 (paper: 10 to 20 %): ")


@pytest.mark.parametrize(
    ("known", "says"),
    [
        ({20: (12, 11, 13), 40: (15, 10, 20)}, "as claimed"),
        ({20: (5, 1, 9), 40: (15, 14, 16)}, "less at 20; as claimed at 40"),
        ({20: (9, 7, 11)}, "undecided"),
        ({20: (25, 21, 29)}, "more"),
    ],
)
def test_reinefelds_verdict(known: dict[int, tuple[float, float, float]], says: str) -> None:
    assert reinefeld.verdict({width: Estimate(*e) for width, e in known.items()}) == says


def test_mtdf_without_a_table_is_for_small_trees() -> None:
    assert reinefeld.MTDF in reinefeld.players_for("strong", 20, 4)
    assert reinefeld.MTDF not in reinefeld.players_for("strong", 60, 4)


# --- noe-kalah ---


def test_kalah_is_counted_as_the_twins_count_it() -> None:
    found = noe_kalah.run({"order": "promise", "depth": 3, "seeds": 4, "first": 0, "count": 6})
    plain = load("kalah", weights="start")
    game = list_best_first(plain)
    methods = {noe_kalah.ALPHA_BETA: "alphabeta", noe_kalah.SCOUT: "scout", noe_kalah.SHALLOW: "branch_and_bound"}
    for number in range(6):
        position = Position(game, draw_opening(plain, 4 + number, number).data)
        for name, how in methods.items():
            _, leaves, nodes = twin(position, 3, how)
            assert (found[name]["leaves"][number], found[name]["nodes"][number]) == (leaves, nodes), name


def test_moves_by_promise() -> None:
    plain = load("kalah")
    better = list_best_first(plain)
    assert better.defines("moves")
    assert not better.has_chance
    assert not remove_hooks(better, "best_case").defines("best_case")
    for seed in range(20):
        position = draw_opening(plain, 6, seed)
        order = plain.rule("order")
        expected = sorted(position.moves, key=lambda move: -order(position.state, int(move)))
        assert list(Position(better, position.data).moves) == expected


def noes_result(scout: list[int]) -> dict[str, Any]:
    counts = {"alpha-beta": [100, 100], "SCOUT": scout, "NegaScout": [80, 80], "branch and bound": [200, 200]}
    return {name: {"leaves": numbers, "nodes": numbers} for name, numbers in counts.items()}


@pytest.mark.parametrize(
    ("scout", "says"), [([50, 51], "not reproduced"), ([50, 50], "reproduced"), ([110, 111], "not reproduced"), ([50, 68], "open")]
)
def test_noes_verdict(scout: list[int], says: str) -> None:
    settings = noe_kalah.EXPERIMENT.settings({"orders": "listed"}, "noe-kalah")
    inputs = {"order": "listed", "depth": 5, "seeds": 4, "first": 0, "count": 2}
    summary = noe_kalah.summarise(settings, [noe_kalah.Finished(inputs, noes_result(scout))])
    saved = summary.rows[0]["SCOUT saves %"]
    assert isinstance(saved, Estimate)
    assert saved.value == pytest.approx(100 - sum(scout) / 2)
    if scout == [50, 51]:  # 49.5 +- 12.7 * 0.5
        assert "reproduced" in summary.notes[0]
    else:
        assert f"the paper saves over 40 %: {says}" in summary.notes[0]


# --- growth ---


def test_growth_on_connect_four(tmp_path: Path) -> None:
    given = {"games": "connect4", "positions": 2, "deeper": -3}
    outcome = run_experiment("growth", given, store=tmp_path / "s")
    rows = {str(r["search"]): r for r in outcome.summary.rows}
    assert list(rows) == list(growth.SEARCHES)
    slopes = []
    for seed, finished in enumerate(outcome.results):
        position = draw_opening(load("connect4"), growth.PLANS["connect4"].opening, seed)
        paths = [perft(position, depth) for depth in range(6)]
        if finished.result["nodes"]["minimax"][0] == 1 + paths[1]:  # not replaced because it was decided
            assert finished.result["nodes"]["minimax"] == [sum(paths[: d + 1]) for d in range(1, 6)]
        logs = [math.log(n) for n in finished.result["nodes"]["minimax"][1:]]
        slopes.append(sum((d - 3.5) * y for d, y in zip(range(2, 6), logs, strict=True)) / 5)
    growing = rows["minimax"]["growth"]
    assert isinstance(growing, Estimate)
    assert growing.value == pytest.approx(math.exp(sum(slopes) / 2))
    assert rows["minimax"]["depths"] == "2 to 5"
    assert rows["+ table"]["depths"] == "2 to 7"
    power = rows["+ table"]["as a power of b"]
    assert isinstance(power, Estimate)
    assert 0.3 < power.value < 1.0
    for column, ends in (
        ("power, first 3 depths", (2, 4)),
        ("power, last 3 depths", (5, 7)),
    ):  # the slope of three points is that of the outer two
        by_hand = []
        for finished in outcome.results:
            nodes = finished.result["nodes"]["+ table"]
            by_hand.append(math.log(nodes[ends[1] - 1] / nodes[ends[0] - 1]) / 2 / math.log(finished.result["branching"]))
        some = rows["+ table"][column]
        assert isinstance(some, Estimate)
        assert some.value == pytest.approx(sum(by_hand) / 2)
    assert outcome.summary.notes[0].startswith("connect4 (b = ")


def test_the_depth_that_a_number_of_nodes_reaches() -> None:
    assert growth.depth_for(1e9, [10, 100, 1000, 10_000]) == pytest.approx(9.0)


# --- unfinished, drawn, and written about ---


@pytest.mark.parametrize("name", ["growth", "noe-kalah", "reinefeld"])
def test_nothing_finished_is_an_empty_table(name: str, tmp_path: Path) -> None:
    def press(_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiment(name, {}, store=tmp_path / "s", watch=press)
    module = {"growth": growth, "noe-kalah": noe_kalah, "reinefeld": reinefeld}[name]
    assert module.EXPERIMENT.summarise(module.EXPERIMENT.settings({}, name), []).rows == []


@pytest.mark.parametrize("name", ["growth", "noe-kalah", "reinefeld"])
def test_every_experiment_has_a_page_with_its_command_and_plot(name: str) -> None:
    page = (ROOT / "docs" / "experiments" / f"{name}.md").read_text()
    assert f"    kibitz experiment {name}" in page
    assert f"({name}.svg)" in page
    assert (ROOT / "docs" / "experiments" / f"{name}.svg").read_text().startswith("<?xml")
    for target in re.findall(r"\]\(([^)#]+)\)", page):
        assert (ROOT / "docs" / "experiments" / target).exists(), target


def test_deep_cut_offs_begin_four_plies_deep() -> None:
    """Up to depth 3 branch and bound is alpha-beta, leaf for leaf; beyond, it never visits fewer."""
    for depth in (2, 3, 4, 5):
        found = noe_kalah.run({"order": "promise", "depth": depth, "seeds": 4, "first": 0, "count": 30})
        bounded, alphabeta = (sum(found[name]["leaves"]) for name in (noe_kalah.SHALLOW, noe_kalah.ALPHA_BETA))
        assert bounded == alphabeta if depth <= 3 else bounded > alphabeta
