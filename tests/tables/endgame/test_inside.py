"""Tables at the nodes of a search. That what a search makes of them is true, on random games, is for the fuzzer: tests/differential/tabled.py."""

from pathlib import Path
from typing import Any

import pytest

import kibitz as kb
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.players import player, solving
from kibitz.tables.endgame.builders.building import build
from kibitz.tables.endgame.probing import Tables
from tests.tables.endgame import graphs as twins


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of tic-tac-toe, and of Pig to 8 points."""
    place = tmp_path_factory.mktemp("tables")
    build(kb.load("tictactoe"), place, target="python")
    build(kb.load("pig", target=8), place, target="python")
    return place


def searched(position: Position, text: str) -> Result:
    """By the search alone, which is not asked for the root."""
    *_, last = player(text).run(position, {})
    return last


@pytest.mark.parametrize("search", ["alphabeta", "negascout", "mtdf", "selective", "solver", "realization"])
def test_one_ply_is_enough(search: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All moves lead into tables: the value is exact, and so is the distance; the line goes on to the end."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    position = kb.load("tictactoe").position("12")
    result = searched(position, f"{search}(tables='{folder}')")
    assert (result.value, result.bound, result.distance) == (1.0, "exact", 5)
    assert result.hits is not None
    assert result.nodes < 20
    assert f"by tables: {result.hits} positions looked up" in result.note
    assert result.as_dict()["hits"] == result.hits
    assert len(result.line) == 5
    assert position.play(*result.line).utility(0) == 1.0


def test_proofs_of_simulations(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    result = searched(kb.load("tictactoe").start, f"uct(tables='{folder}', playouts=50)")
    assert (result.value, result.bound, result.playouts, result.hits) == (0.0, "exact", 9, 9)
    without = searched(kb.load("tictactoe").start, "uct(playouts=50)")
    assert (without.bound, without.hits, without.note) == ("estimate", None, "")


@pytest.mark.parametrize("search", ["star0", "star1", "star2", "star25", "uct"])
def test_games_of_chance(search: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    game = kb.load("pig", target=8)
    entry = Tables(folder, game).look_up(game.start)
    assert entry is not None
    result = searched(game.start, f"{search}(tables='{folder}', nodes=500)")
    assert result.bound == "exact"
    assert result.value == pytest.approx(entry.value, abs=1e-12)
    assert "to within" in result.note


def test_a_search_meets_the_tables_below_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph of two sections, of which only the lower one has a table."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    walks = twins.Graphs(1, seed=1, cycles=False)
    for seed in range(1, 400):
        walks = twins.Graphs(1, seed=seed, cycles=False)
        if any(t >= 4 for t in walks.targets(8)) and twins.results(walks).get(8, 0) != 0 and walks.mover[8] >= 0:
            break
    names: dict[str, Any] = dict(twins.game_of(walks).namespace)
    game = type(twins.game_of(walks))({**names, "SECTIONS": (("low", 0, 6, 1), ("high", 6, twins.NODES, 2))}, "graphs")
    build(game, tmp_path, ["low"], target="python")
    truth = twins.results(walks)
    compared = 0
    for node in range(6, twins.NODES):
        s = game.start.state
        s.node = node
        position = Position(game, s.tobytes())
        if position.is_over:
            continue
        for search in ("alphabeta", "negascout(table=0)", "mtdf"):
            result = searched(position, f"{search[:-1]}, tables='{tmp_path}')" if ")" in search else f"{search}(tables='{tmp_path}')")
            if result.exact:
                assert (result.distance or 0) * (1 if result.value > 0 else -1) == truth[node]
                compared += 1
    assert compared > 2


def test_solve_answers_from_the_tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    start = kb.load("tictactoe").start
    *_, result = solving(start, f"solver(tables='{folder}')")
    assert (result.value, result.bound, result.nodes, result.ended) == (0.0, "exact", 0, "tables")


def test_what_costs_nothing_without_tables() -> None:
    """The workspace, and so the kernel's signature, is the same; the options are folded."""
    from kibitz.tables.endgame import lookup

    assert lookup.fields(kb.load("tictactoe").constants["State"], None) == {}
    assert not lookup.flags(None)["ENDINGS"]
