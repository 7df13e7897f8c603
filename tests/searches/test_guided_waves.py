"""Waves: a wave of one is the plain search; larger ones grow the tree of their twin; evaluators outside the kernel, good, bad and slow."""

import time
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.searches.mcts import esprit, puct
from kibitz.searches.mcts.guided_search import Answerer, GuidedSearch
from kibitz.searches.mcts.step import waves
from kibitz.searches.method import method
from tests import naive, naive_guided
from tests.searches.driver import INTERPRETED
from tests.searches.test_guided import TREES, USUAL, _interpreted, grown, interpreted, searching, visits  # noqa: F401

CHANCE = kb.load("trees", tree='[{"chance": [1, 3], "moves": [[6, 1], 4]}, {"chance": [1, 1], "moves": [[0, 9], 2]}, 3]', low=-1, high=10)


def outside(position: kb.Position, name: str, size: int, evaluator: Answerer, **options: Any) -> GuidedSearch:
    """A search in waves that somebody else evaluates."""
    chosen = method(name).settings({"solve": False, "memory": 1.0, "playouts": 1 << 20, "wave": size, **options})
    return (puct if name == "puct" else esprit).make_search(position, chosen, name, None, evaluator)


def as_the_game_does(game: kb.Game) -> Answerer:
    """An evaluator in Python that says what the game says."""
    low, high = game.constants["VALUES"]

    def evaluate(batch: Any) -> None:
        for leaf in batch:
            if leaf.kind == waves.ASKED:
                if leaf.count_:
                    game.rule("policy")(leaf.state, leaf.moves, leaf.count_, leaf.weights)
                values = [float(game.rule("evaluate")(leaf.state, p)) for p in range(game.players)]
                leaf.rewards[:] = [(value - low) / (high - low) for value in values]

    return evaluate


def nobody_is_waiting(search: GuidedSearch, at: int) -> bool:
    tree = search.tree
    return all(
        tree.edges[e].waiting == 0.0 and (tree.edges[e].child < 0 or nobody_is_waiting(search, int(tree.edges[e].child)))
        for e in tree.block_of(at)
    )


@interpreted
@pytest.mark.parametrize(
    ("name", "options"), [("esprit", {}), ("puct", {"c0": 0.5}), ("esprit", {"descend": "sample", "seed": 3}), ("esprit", {"solve": True})]
)
def test_a_wave_of_one_is_the_plain_search(name: str, options: dict[str, Any]) -> None:
    position = TREES.position("tree=1")
    search = outside(position, name, 1, as_the_game_does(TREES), **options)
    search.grow(50)
    assert visits(search) == visits(grown(position, name, 50, **options))
    assert search.playouts == 50


@pytest.mark.parametrize("name", ["esprit", "puct"])
def test_waves_grow_the_tree_of_their_twin(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "puct":
        monkeypatch.setenv("KIBITZ_TARGET", "python")
    playouts = 60 if INTERPRETED or name == "puct" else 300
    for tree, size in ((1, 4), (2, 16)):
        position = TREES.position(f"tree={tree} e_ch=0.5")
        search = grown(position, name, playouts, wave=size)
        assert visits(search) == naive_guided.visits_of(naive_guided.waves(position, playouts, name, USUAL, size))
        assert search.playouts == playouts
        assert nobody_is_waiting(search, int(search.tree.trunk.root))


@interpreted
def test_those_at_the_root_are_shared_out_by_r() -> None:
    """Visits and those under way together come to be in the proportion of the shares."""
    search = outside(TREES.position("tree=3"), "esprit", 64, as_the_game_does(TREES))
    search.grow(200)
    rows = search._rows()
    search.workers[0].most_playouts = 400
    number = int(search.kernel(*search._arguments(search.workers[0])))
    sent = {int(x.move): float(x.scale) + float(x.waiting) for x in (search.tree.edges[e] for e in search.tree.block_of(0))}
    assert sum(sent.values()) == 200 + number
    under = [row for row in rows if row["share"] > row["visits"] / 200 and sent[int(row["move"])] > row["visits"] + 3]
    assert under
    for row in under:
        assert sent[int(row["move"])] / (200 + number) <= row["share"] + 0.05


@interpreted
def test_outside_and_inside_grow_the_same_tree() -> None:
    position = TREES.position("tree=5")
    search = outside(position, "esprit", 8, as_the_game_does(TREES))
    search.grow(60)
    assert visits(search) == visits(grown(position, "esprit", 60, wave=8))


@interpreted
@pytest.mark.parametrize("size", [1, 4])
def test_proofs_and_chance(size: int) -> None:
    position = CHANCE.start
    *_, result = outside(position, "esprit", size, as_the_game_does(CHANCE), solve=True, leaf="playout").results()
    assert (result.ended, result.bound, result.value) == ("solved", "exact", naive.expectiminimax(position, position.player))
    assert kb.search(position, f"puct(wave={size}, policy=even)", playouts=400).value == result.value


@interpreted
@pytest.mark.parametrize(
    ("weights", "rewards", "said"),
    [
        (np.nan, 0.5, "the policy gave weights"),
        (-1.0, 0.5, "the policy gave weights"),
        (0.0, 0.5, "the policy gave weights"),
        (1.0, np.nan, "evaluate gave"),
        (1.0, 7.0, "evaluate gave"),
    ],
)
def test_a_bad_answer_is_refused_and_leaves_the_tree_as_it_was(weights: float, rewards: float, said: str) -> None:
    good = as_the_game_does(TREES)
    answers = 0

    def evaluate(batch: Any) -> None:
        nonlocal answers
        answers += 1
        good(batch)
        asked = [leaf for leaf in batch if leaf.kind == waves.ASKED]
        if answers >= 6 and asked:
            asked[-1].weights[:] = weights
            asked[-1].rewards[:] = rewards

    search = outside(TREES.position("tree=1"), "esprit", 4, evaluate)
    with pytest.raises(InputError, match=said):
        search.grow(100)
    before = outside(TREES.position("tree=1"), "esprit", 4, good)
    before.grow(search.playouts)
    assert visits(search) == visits(before)
    assert nobody_is_waiting(search, int(search.tree.trunk.root))


@interpreted
def test_a_slow_evaluator_is_stopped_in_time() -> None:
    good = as_the_game_does(TREES)

    def evaluate(batch: Any) -> None:
        time.sleep(0.05)
        good(batch)

    *_, result = outside(TREES.position("tree=1"), "esprit", 4, evaluate, time=0.3).results()
    assert result.ended == "time"
    assert 0 < (result.playouts or 0) <= 30
    assert result.seconds < 2.0


@interpreted
def test_threads_and_waves_do_not_go_together() -> None:
    with pytest.raises(InputError, match="a search in waves has one thread"):
        kb.search(TREES.start, "esprit(wave=4, threads=2)", playouts=5)
