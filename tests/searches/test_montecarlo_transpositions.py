"""Transpositions in UCT: one node for a position, the tree of its naive twin, true proofs, sound memory; and nothing of it where it is off."""

import json
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import kibitz as kb
from tests import naive, naive_transpositions
from tests.searches.driver import INTERPRETED, trees
from tests.searches.test_montecarlo import grown
from tests.searches.test_repetition import ring

ON = {"transpositions": True}
ONCE = pytest.mark.skipif(INTERPRETED, reason="runs interpreted in any case")
C4 = kb.load("connect4")


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


@ONCE
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("name", "moves", "parameters"),
    [
        ("tictactoe", "5 1 9", {}),
        ("nim", "", {}),
        ("connect4", "12", {"rows": 4, "columns": 4, "line": 3}),
        ("kalah", "", {"holes": 2, "seeds": 2}),  # players move twice, and its key leaves out what is banked
    ],
)
def test_grows_the_tree_of_its_twin(name: str, moves: str, parameters: dict[str, int]) -> None:
    position = kb.load(name, **parameters).position(moves)
    for explore, seed, playouts in ((0.3, 5, 140), (1.4, 0, 60)):
        _, tree = grown(position, playouts=playouts, solve=False, explore=explore, seed=seed, **ON)
        naive_transpositions.same(tree, naive_transpositions.Shared(position, explore, seed).run(playouts))
        shares = naive_transpositions.sound(tree)
        assert name == "kalah" or playouts < 100 or shares > 0
        naive_transpositions.visits_add_up(tree)


# --- proofs ---


@ONCE
@pytest.mark.usefixtures("interpreted")
@settings(max_examples=15)
@given(tree=trees(), seed=st.integers(0, 99))
def test_proofs_are_true(tree: Any, seed: int) -> None:
    position = kb.load("trees").position(json.dumps(tree))
    result, memory = grown(position, playouts=1500, seed=seed, memory=0.1, **ON)
    if result.exact:
        assert result.value == naive.minimax(position, position.player)
        assert result.move in naive.best_moves(position)
    naive_transpositions.sound(memory)


@ONCE
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("name", "parameters"),
    [("duel", {"rounds": 2, "sides": 3}), ("duel", {"rounds": 1, "sides": 3, "dice": 2}), ("pig", {"target": 4, "horizon": 3})],
)
def test_chance_is_proven(name: str, parameters: dict[str, int]) -> None:
    """The order of rolls does not matter; what they add up to does."""
    start = kb.load(name, **parameters).start
    result, tree = grown(start, playouts=1500, explore=5.0, **ON)
    assert result.exact
    assert result.value == pytest.approx(naive.expectiminimax(start, max(0, start.player)))
    naive_transpositions.sound(tree)


def test_tictactoe_is_proven_in_fewer_simulations_and_less_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled, too; and byte for byte what runs interpreted."""
    start = kb.load("tictactoe").start
    short, small = grown(start, playouts=150, **ON)
    content = small.nodes.memory[: small.used].tobytes()
    naive_transpositions.sound(small)
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    again = grown(start, playouts=150, **ON)[1]
    assert again.nodes.memory[: again.used].tobytes() == content
    assert sum(c.visits for c in short.table) == 150
    if INTERPRETED:
        return
    monkeypatch.setenv("KIBITZ_TARGET", "cpu")
    result, tree = grown(start, playouts=200_000, **ON)
    assert (result.bound, result.value, result.ended) == ("exact", 0.0, "solved")
    assert result.playouts is not None
    assert result.playouts < 20_000  # one by one it takes some 90 000
    assert tree.trunk.nodes < 5478  # positions there are; finished games are counted several times
    assert naive_transpositions.sound(tree) > 500


# --- memory, kept trees, threads ---


@ONCE
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("options", [{}, {"solve": False, "memory": 0.006}, {"rave": 50.0}])
def test_a_game_with_one_tree(options: dict[str, Any]) -> None:
    """Search, move, reply, search: garbage goes when its last link does, and its memory is used again."""
    player = kb.player("uct", **{"playouts": 150, "memory": 0.03, **ON, **options}).remembering()
    position, carried = kb.load("connect4", rows=4, columns=4, line=3).start, 0
    for _ in range(5):
        result = player.search(position)
        tree = player.memory.tree
        naive_transpositions.sound(tree)
        assert tree.used <= options.get("memory", 0.03) * 2**20
        carried += sum(c.visits for c in result.table) > (result.playouts or 0)
        for _ in range(2):
            if not position.is_over:
                position = position.play(int(result.line[0]) if position.player == result.position.player else int(position.moves[0]))
        if position.is_over or result.exact:
            break
    assert carried >= 1 or result.exact


@ONCE
@pytest.mark.usefixtures("interpreted")
def test_a_full_tree_still_finds_what_is_there() -> None:
    result, tree = grown(C4.start, playouts=600, memory=0.01, solve=False, **ON)
    assert result.note.startswith("the tree is full")
    assert sum(c.visits for c in result.table) == 600
    naive_transpositions.sound(tree)
    naive_transpositions.visits_add_up(tree)


@pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=[pytest.mark.long, pytest.mark.compiled])])
@pytest.mark.parametrize("solve", [False, True])
def test_threads_share_nodes(monkeypatch: pytest.MonkeyPatch, target: str, solve: bool) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", target)
    playouts = 400 if target == "python" else 300_000
    result, tree = grown(C4.position("4453"), playouts=playouts, threads=3, solve=solve, **ON)
    assert result.playouts == playouts == sum(c.visits for c in result.table)
    assert naive_transpositions.sound(tree) > 0
    naive_transpositions.visits_add_up(tree)


# --- what is refused ---


def test_positions_that_repeat_are_refused(tmp_path: Path) -> None:
    with pytest.raises(kb.InputError, match="transpositions=true: a position of ring that comes up again counts by how it came about"):
        kb.search(ring(tmp_path).start, "uct(transpositions=true)", playouts=10)
