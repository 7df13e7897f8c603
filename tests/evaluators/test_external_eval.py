"""Searches that ask an evaluator: the game's own opinion through it grows the plain tree; networks, small searches, failures."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.evaluators.batch import Batch
from kibitz.evaluators.evaluator import Own
from kibitz.evaluators.network import Network, place
from kibitz.searches.mcts import puct
from kibitz.searches.mcts.leaf.external_eval import choose_evaluator
from kibitz.searches.method import method
from tests.evaluators.test_evaluators import written

GAME = kb.load("connect4")


def table(result: kb.Result) -> dict[str, tuple[int, float]]:
    return {str(c.move): (c.visits, c.value) for c in result.table}


@pytest.mark.once
@pytest.mark.parametrize(
    "text", ["puct(playouts=60, solve=false, wave=1, policy=even)", "esprit(playouts=64, solve=false, wave=8, policy=even)"]
)
def test_the_games_own_opinion_grows_the_plain_tree(text: str) -> None:
    position = GAME.position("44")
    plain, asking = kb.search(position, text), kb.search(position, text, evaluator=Own(GAME))
    assert asking.playouts == plain.playouts >= 60
    found, expected = table(asking), table(plain)
    assert {m: v for m, (v, _) in found.items()} == {m: v for m, (v, _) in expected.items()}
    assert [found[m][1] for m in found] == pytest.approx([expected[m][1] for m in found], nan_ok=True, abs=1e-6)


def test_a_function_guides_the_search() -> None:
    def likes_the_edge(batch: Batch) -> tuple[Any, Any]:
        return np.zeros(len(batch)), np.where(batch.moves == 6, 1.0, 1e-6)

    result = kb.search(GAME.start, "puct(playouts=40, solve=false)", evaluator=likes_the_edge)
    assert str(result.move) == "7"


def test_a_network_plays(tmp_path: Path) -> None:
    path = written(tmp_path / "a net.onnx")
    player = kb.player(f"puct(network={str(path)!r}, playouts=200, solve=false)")
    result = player.search(GAME.position("4455"))
    assert result.playouts == 200
    again = kb.player(player.name)  # a name can be read back, whatever the path
    assert again.settings == player.settings


def test_small_searches_see_what_one_look_does_not() -> None:
    """A move that wins in three is seen by searches from the positions after it."""
    result = kb.search(GAME.position("4455"), "puct(playouts=24, subtree=300, wave=8, solve=false)")
    assert str(result.move) in ("3", "6")
    assert result.playouts == 24


class Failing:
    """Right at first, then not at all."""

    def __init__(self, error: BaseException | None) -> None:
        self.calls, self.error = 0, error

    def __call__(self, batch: Batch) -> tuple[Any, Any]:
        self.calls += 1
        if self.calls > 3:
            if self.error is not None:
                raise self.error
            return np.full(len(batch), np.nan), np.ones(batch.moves.shape)
        return np.zeros(len(batch)), np.ones(batch.moves.shape)


@pytest.mark.parametrize("error", [None, RuntimeError("the network is gone"), KeyboardInterrupt()])
def test_a_failure_leaves_the_tree_whole(error: BaseException | None) -> None:
    settings = method("puct").settings({"playouts": 1000, "wave": 8, "solve": False})
    search = puct.make_search(GAME.start, settings, "puct", None, choose_evaluator(GAME, settings, Failing(error)))
    with pytest.raises(type(error) if error is not None else InputError):
        search.grow(1000)
    visits = search.playouts
    assert 0 < visits <= 16
    edges = [search.tree.edges[e] for e in search.tree.block_of(int(search.tree.trunk.root))]
    assert all(x.waiting == 0.0 for x in edges)
    search.evaluator = choose_evaluator(GAME, settings, Own(GAME))
    search.grow(visits + 40)
    assert search.playouts == visits + 40


@pytest.mark.parametrize(
    ("game", "text", "options", "says"),
    [
        ("connect4", "uct", {"evaluator": len}, "uct asks no evaluator; searches that do: esprit, puct"),
        ("connect4", "puct(network='none.onnx')", {}, "there is no network none.onnx"),
        ("connect4", "puct(network='none.onnx', subtree=5)", {}, "network and subtree: there can be one evaluator only"),
        ("pig", "puct(subtree=5)", {}, "subtree: evaluators need a game without chance"),
        ("connect4", "puct(subtree=5, reward=win)", {}, "use reward=score"),
        ("connect4", "puct(solve=false)", {"evaluator": lambda _: 1}, "it must return two arrays"),
    ],
)
def test_what_cannot_be(game: str, text: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        kb.search(kb.load(game).start, text, playouts=10, **options)


def test_the_network_that_comes_along() -> None:
    """It knows where to begin, and who stands better."""
    first = kb.search(GAME.start, "puct(network=connect4, solve=false)", playouts=100)
    assert str(first.move) == "4"
    network = Network(GAME, place("connect4"))
    three, parted = (
        GAME.position(moves).state for moves in ("415161", "414253")
    )  # an open line of three and the move; nothing of the kind
    values, _ = network.judge(np.array([three, parted], GAME.constants["State"]))
    assert values[0] > 0.5
    assert values[0] > values[1]
    with pytest.raises(InputError, match=r"there is no network .*; give the path of an ONNX file, or one of ours: connect4"):
        kb.search(GAME.start, "puct(network=othello, solve=false)", playouts=10)


@pytest.mark.long
@pytest.mark.compiled
def test_it_beats_uct_at_equal_playouts() -> None:
    one = "puct(network=connect4, playouts=400, wave=4, c0=2.5, untried=parent, first=0.05)"
    found = kb.match(one, "uct(playouts=400)", GAME, games=160, seed=7, openings=4, jobs=2)
    assert found.interval[0] > 0.5
