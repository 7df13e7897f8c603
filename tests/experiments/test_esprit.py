"""ESPRIT against PUCT: the trees are drawn from the paper's lists, regrets are what they are called, tables have the paper's numbers beside ours."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from kibitz.cli.main import run as command
from kibitz.core.measuring.intervals import Estimate, standard_error
from kibitz.experiments.experiment import Finished
from kibitz.experiments.studies import esprit, esprit_params, esprit_real
from tests import naive_guided
from tests.experiments.test_command import DICE
from tests.searches.test_guided import USUAL

SETTINGS = {"test": "C", "trees": 6, "playouts": 16, "c0": 0.0, "samples": 4, "device": "cpu"}


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))


def finished(module: Any, settings: dict[str, Any]) -> list[Finished]:
    return [Finished(s.inputs, json.loads(json.dumps(module.run(s.inputs)))) for s in module.shards(settings)]


def test_parameters_come_from_the_papers_lists() -> None:
    drawn = [esprit.parameters_of("A", number) for number in range(300)]
    for name, values in esprit.TESTS["A"].items():
        counts = [sum(d[name] == value for d in drawn) for value in values]
        assert sum(counts) == 300
        assert min(counts) > 0.5 * 300 / len(values)
    assert esprit.parameters_of("A", 7) == esprit.parameters_of("A", 7) != esprit.parameters_of("B", 7)
    root = esprit.plant_tree("A", 7)
    assert root.state.e_df == drawn[7]["e_df"]
    assert 1.0 / (1.0 + math.exp(-root.state.logit)) == pytest.approx(drawn[7]["t_root"])


def test_regrets_are_those_of_the_naive_searches() -> None:
    found = esprit.run({"test": "C", "playouts": 16, "c0": 0.4, "first": 0, "count": 5})
    for name, rule, of in ((esprit.ESPRIT, "esprit", USUAL), (esprit.PUCT, "puct", {**USUAL, "c0": 0.4})):
        for number in range(5):
            tree = esprit.plant_tree("C", number)
            true = esprit.truths(tree)
            assert true[0] == pytest.approx(1.0 - esprit.parameters_of("C", number)["t_root"])
            for k, playouts in enumerate((1, 2, 4, 8, 16)):
                twin = naive_guided.guided(tree, playouts, rule, of)
                choice = max(twin.children(), key=lambda c: (c.visits, c.value if c.visits else -1.0)).move
                assert found[name][number][k] == pytest.approx(true[choice] - true[0])


def test_tables() -> None:
    summary = esprit.summarise(SETTINGS, finished(esprit, SETTINGS))
    every = [r for r in summary.rows if r["trees"] == "all"]
    assert [r["playouts"] for r in every] == [1, 2, 4, 8, 16]
    assert every[0]["paper's right"] == "68, 68"
    assert every[0]["number"] == 6
    assert every[0]["ESPRIT regret"] == every[0]["PUCT regret"]  # both follow the policy first
    for name in ("t_root", "e_df"):
        assert sum(int(r["number"] or 0) for r in summary.rows if str(r["trees"]).startswith(name)) == 6  # type: ignore[call-overload]
    assert any("PUCT's regret less ESPRIT's" in note for note in summary.notes)
    assert any("4 roots of 30 moves" in note for note in summary.notes)


def test_the_papers_table_3_stands_beside_ours() -> None:
    settings = {**SETTINGS, "test": "A", "trees": 40, "playouts": 1 << 16, "samples": 0}
    made = {name: [[0.002] * 16 + [value] for value in (0.001, 0.003) * 20] for name in (esprit.ESPRIT, esprit.PUCT)}
    summary = esprit.summarise(settings, [Finished({"first": 0, "count": 40}, made)])
    rows = {r["trees"]: r for r in summary.rows if r["playouts"] == 1 << 16}
    assert rows["all"]["paper's regrets"] == "1.85, 3.16"
    assert rows["p_df 2"]["paper's regrets"] == "2.11, 4.65"
    overall = rows["all"]["ESPRIT regret"]
    assert isinstance(overall, Estimate)
    assert overall.value == pytest.approx(2.0)
    assert any("ESPRIT: mean regret 2.00, standard error 0.16; paper 1.85: +0.9 of them away" in note for note in summary.notes)


def test_ranks() -> None:
    found = esprit.ranks([esprit.sampled_root("A", number) for number in range(40)])
    assert len(found["evaluation"]) == len(found["policy"]) == 40
    assert all(1 <= rank <= 30 for rank in found["evaluation"] + found["policy"])
    assert found["policy"].count(1) >= 3  # about one in five
    assert all(span > 0.0 for span in found["span"])


def test_plot(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib.figure")
    figure = matplotlib.Figure(layout="constrained")
    esprit.plot(figure, SETTINGS, finished(esprit, SETTINGS))
    figure.savefig(tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").stat().st_size > 10_000


def test_sweeps() -> None:
    settings = {"test": "C", "trees": 3, "playouts": 8, "sweeps": "sigma"}
    summary = esprit_params.summarise(settings, finished(esprit_params, settings))
    assert [r["value"] for r in summary.rows] == list(esprit_params.SWEPT["sigma"])
    assert [r["value"] for r in summary.rows if r["paper"]] == [0.07]
    assert any(note.startswith("sigma: lowest regret") for note in summary.notes)


def test_real_games_are_matches_of_the_two() -> None:
    result = {"pairs": [0.5, 1.0, 0.75], "games": [4, 1, 1]}
    inputs = {"game": "othello", "playouts": 100}
    (row,) = esprit_real.summarise({}, [Finished(inputs, result)]).rows
    score = row["ESPRIT's score %"]
    assert isinstance(score, Estimate)
    assert (score.value, row["won"], row["drawn"], row["lost"]) == (75.0, 4, 1, 1)
    settings = {"games": "connect4,chess", "pairs": 7, "playouts": (100,), "c0": 0.0, "sigma": 0.07, "seed": 1}
    made = esprit_real.shards(settings)
    assert {s.inputs["seed"] for s in made} == {1}
    assert [(s.inputs["game"], s.inputs["first"], s.inputs["count"], s.inputs["c0"]) for s in made] == [
        ("connect4", 0, 5, 1.3), ("connect4", 5, 2, 1.3), ("chess", 0, 5, 3.0), ("chess", 5, 2, 3.0),
    ]  # fmt: skip


def test_two_pairs_prove_nothing() -> None:
    (row,) = esprit_real.summarise({}, [Finished({"game": "othello", "playouts": 100}, {"pairs": [1.0, 1.0], "games": [4, 0, 0]})]).rows
    assert row["ESPRIT's score %"] == (100.0, 0.0, 100.0)
    assert esprit_real.verdict(row).endswith("undecided")


def test_openings_of_real_games_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also between shards: the nine first pairs of Connect Four after one random move would be the same few openings again and again."""
    begun = []

    def watched(contestants: Any, opening: Any, seed: int, pair: int, remember: bool) -> Any:
        begun.append((pair, opening))
        return esprit_real_pair(contestants, opening, seed, pair, remember=remember)

    esprit_real_pair = esprit_real.play_pair
    monkeypatch.setattr(esprit_real, "play_pair", watched)
    monkeypatch.setitem(esprit_real.GAMES["connect4"], "plies", 1)
    scores = []
    for first, count in ((0, 2), (2, 2)):
        inputs = {"game": "connect4", "playouts": 2, "c0": 1.3, "sigma": 0.07, "seed": 1, "first": first, "count": count}
        found = esprit_real.run(inputs)
        assert sum(found["games"]) == 4
        scores += found["pairs"]
    assert [pair for pair, _ in begun] == [0, 1, 2, 3]
    assert len({opening for _, opening in begun}) == 4  # of the four that symmetry leaves
    assert all(score in (0.0, 0.25, 0.5, 0.75, 1.0) for score in scores)


# --- parameters as options of their own ---


@pytest.mark.parametrize("words", [["--shards", "2", "--sides=6"], ["--shards", "2", "-p", "sides=6"]])
def test_parameters_may_be_options(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command(["experiment", DICE, "--jobs", "1", *words, "--json"])
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert (told["parameters"]["shards"], told["parameters"]["sides"]) == ("2", "6")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--shards"], "--shards needs a value, such as --shards 10; or there is no such option: see kibitz experiment --help"),
        (["shards=2"], "'shards=2' is too much; parameters are written --NAME VALUE or --param NAME=VALUE"),
        (["--shard", "2"], "experiment dice has no parameter 'shard'; did you mean shards?"),
    ],
)
def test_options_that_are_none(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command(["experiment", DICE, *words])
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"kibitz: {said}\n"


@pytest.mark.long
def test_esprit_beats_puct_on_two_hundred_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Test A after 1024 playouts: the means of 2000 trees were 8.7 and 13.8, and one playout was right on 21 % of them."""
    monkeypatch.setenv("KIBITZ_TARGET", "cpu")
    found = esprit.run({"test": "A", "playouts": 1024, "c0": 2.5, "first": 0, "count": 200})
    last = {name: [regrets[-1] for regrets in found[name]] for name in (esprit.ESPRIT, esprit.PUCT)}
    differences = [p - e for p, e in zip(last[esprit.PUCT], last[esprit.ESPRIT], strict=True)]
    assert sum(differences) / 200 > 2 * standard_error(differences)
    for name, mean in ((esprit.ESPRIT, 0.0087), (esprit.PUCT, 0.0138)):
        assert abs(sum(last[name]) / 200 - mean) < 3 * standard_error(last[name])
    assert 0.12 < sum(regrets[0] == 0.0 for regrets in found[esprit.ESPRIT]) / 200 < 0.30
