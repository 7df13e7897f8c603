"""The match of UCT against alpha-beta: what a game tells, and what is made of many."""

from typing import Any

import pytest

from kibitz.core.position.game import Position
from kibitz.core.position.loading import load
from kibitz.experiments import uct_vs_alphabeta as experiment
from kibitz.experiments.experiment import Finished

SETTINGS = experiment.EXPERIMENT.settings({"games": "hex5,connect4", "pairs": 3}, "uct-vs-alphabeta")


def test_a_shard_is_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    shards = experiment.shards(SETTINGS)
    assert len(shards) == 12
    small = {"uct": "uct(playouts=2)", "alphabeta": "alphabeta(depth=1, table=0)", "seconds": 1000.0}
    for shard in shards[:2]:
        found = experiment.run({**shard.inputs, **small})
        assert found["score"] in (0.0, 1.0)
        assert 9 <= found["moves"] <= 25
        assert found["choices"] == pytest.approx(25 - (2 + found["moves"] - 1) / 2)  # one cell less with every move
        assert found["depth"] == 1.0
        assert found["late"] == [0, 0]


def test_moves_to_choose_from() -> None:
    game, moves = load("tictactoe"), ("1", "5", "9", "3")
    assert experiment.choices(game, moves, 0) == (9 + 8 + 7 + 6) / 4
    assert experiment.choices(game, moves, 3) == 6
    assert len(Position(game, game.start.data).moves) == 9


def finished(game: str, pair: int, first: int, score: float, choices: float) -> Finished:
    result: dict[str, Any] = {"score": score, "moves": 30, "choices": choices, "nodes": [10.0, 20.0], "depth": 5.0, "late": [0, 1]}
    return Finished({"game": game, "pair": pair, "first": first}, result)


def test_summary() -> None:
    many = experiment.EXPERIMENT.settings({"games": "hex5,connect4", "pairs": 30}, "uct-vs-alphabeta")
    results = [finished("hex5", pair, first, 1.0, 18.0) for pair in range(30) for first in (0, 1)]
    results += [finished("connect4", pair, first, float(pair == 0), 6.0) for pair in range(30) for first in (0, 1)]
    results.append(finished("connect4", 99, 0, 1.0, 6.0))  # half a pair does not count
    summary = experiment.summarise(many, results)
    assert [row["game"] for row in summary.rows] == ["connect4", "hex5"]
    assert [row["UCT's score"].value for row in summary.rows] == [pytest.approx(1 / 30), 1.0]
    assert (summary.rows[0]["won"], summary.rows[0]["lost"], summary.rows[1]["late moves"]) == (3, 58, 60)
    assert summary.notes == ("UCT wins: hex5", "alpha-beta wins: connect4")
    assert experiment.summarise(many, results[:2]).notes == ("open: hex5",)
    assert experiment.summarise(many, []).rows == []
