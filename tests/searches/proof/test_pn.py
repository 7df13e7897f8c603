"""Best-first search, node by node: the lecture's trees, and random ones against the slow twin."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.compiling.binder import default_target
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT
from kibitz.games.trees.figures import FIGURES
from kibitz.searches.proof import numbers, pn
from tests.searches.proof.naive_pn import Question, random_tree

OPTIONS = {
    "BOUNDED": False,
    "BANKED": False,
    "SYMMETRY": False,
    "ORDER": False,
    "BY_MOVES": False,
    "BY_GAME": False,
    "SQUARED": False,
    "BOUNDS": False,
    "ENDINGS": 0,
    "RANKED": False,
    "ERROR": 0.0,
}
GAME = kb.load("trees", tree="[0, 1]", capacity=256, low=-9, high=20)


class Grown:
    """A tree that the search's own kernels grow, one step at a time or to the end."""

    def __init__(self, position: kb.Position, threshold: float, player: int = 0, both: bool = True, **options: Any) -> None:
        self.position, self.game = position, position.game
        self.options = {**OPTIONS, "BOTH": both, **options}
        self.w = blank(record(**pn.fields(self.game.constants)))
        self.w.player, self.w.threshold, self.w.within = player, threshold, numbers.plies(self.game.constants)
        self.w.states[0], self.w.control.limit, self.w.most_expanded = position.state, NO_LIMIT, NO_LIMIT
        self.tree = np.zeros(2000, pn.node_record(self.game.constants))

    def search(self, target: str | None = None) -> Grown:
        second = np.zeros(2000, self.tree.dtype)
        self.game.bind(pn.search, self.options, target)(self.w, self.tree, second)
        return self

    def expand(self, *paths: str) -> Grown:
        """Give these nodes their children, whether it is their turn or not."""
        python = {f: self.game.bind(f, self.options, "python") for f in (pn.plant, pn.expand, pn.back_up)}
        if not paths or self.w.used == 0:
            python[pn.plant](self.w, self.tree, 0)
            self.w.used = 1
        for path in paths:
            node, position = 0, self.position
            self.w.states[0] = position.state
            for ply, move in enumerate(path.split()):
                node = self.child(node, position, move)
                position = position.play(move)
                self.w.states[ply + 1] = position.state
            self.w.used = python[pn.expand](self.w, self.tree, node, len(path.split()), self.w.used)
            python[pn.back_up](self.tree, node, len(path.split()))
        return self

    def child(self, node: int, position: kb.Position, move: str) -> int:
        mother, number = self.tree[node], int(position.move(move))
        return next(i for i in range(mother["first"], mother["first"] + mother["count"]) if self.tree[i]["move"] == number)

    def next_leaf(self) -> tuple[str, ...]:
        self.w.states[0] = self.position.state
        node, _ = self.game.bind(pn.most_proving, self.options, "python")(self.w, self.tree, 0, 0)
        return self.path(int(node))

    def path(self, node: int) -> tuple[str, ...]:
        moves: list[int] = []
        while node:
            moves.append(int(self.tree[node]["move"]))
            node = int(self.tree[node]["parent"])
        return tuple(str(m) for m in self.position.named_line(moves[::-1]))

    def order(self) -> list[tuple[str, ...]]:
        """The nodes that were expanded, the first one first: children stand in that order."""
        expanded = [i for i in range(self.w.used) if self.tree[i]["count"] > 0]
        return [self.path(i) for i in sorted(expanded, key=lambda i: int(self.tree[i]["first"]))]

    def all_numbers(self) -> dict[tuple[str, ...], tuple[float, float]]:
        found = {}
        for i in range(self.w.used):
            pair = (int(self.tree[i]["proof"]), int(self.tree[i]["disproof"]))
            found[self.path(i)] = tuple(math.inf if n == numbers.NEVER else n for n in pair)
        return found  # type: ignore[return-value]


def of_letters(found: dict[tuple[str, ...], tuple[float, float]]) -> dict[str, tuple[float, float]]:
    return {path[-1] if path else "a": pair for path, pair in found.items()}


# --- the lecture: slides 34, 38, 42 and 43 ---

# The lines of the pictures did not come down to us with the text; what was read into them stands beside the trees.
FIRST, SECOND, VALUED = (FIGURES[name].tree for name in ("proof-numbers", "proof-numbers2", "proof-numbers-values"))


def test_first_figure() -> None:
    grown = Grown(GAME.position(FIRST), 1).expand("", "b", "c")
    found = of_letters(grown.all_numbers())
    assert (found["a"], found["b"], found["c"]) == ((1, 2), (1, 1), (2, 1))
    assert (found["d"], found["e"], found["f"], found["g"]) == ((0, math.inf), (1, 1), (0, math.inf), (1, 1))
    assert grown.next_leaf() == ("b", "e")  # the most proving node: if it is 1, so are b and a


def test_second_figure() -> None:
    grown = Grown(GAME.position(SECOND), 1).expand("", "b", "c", "c h")
    found = of_letters(grown.all_numbers())
    assert (found["a"], found["b"], found["c"], found["h"]) == ((2, 1), (math.inf, 0), (2, 1), (1, 1))
    assert grown.next_leaf() == ("c", "g")  # the most disproving node, leftmost of two
    assert Grown(GAME.position(SECOND), 1, both=False).expand("", "b", "c", "c h").next_leaf() == ("c", "g")


def test_order_of_expansion() -> None:
    """The lecture's loop by hand on the first tree: a; b, the leftmost of two alike; e, which disproves it; c; g and h, each leftmost of what is open."""
    for both in (True, False):
        grown = Grown(GAME.position(FIRST), 1, both=both).search()
        assert grown.order() == [(), ("b",), ("b", "e"), ("c",), ("c", "g"), ("c", "h")]
        assert of_letters(grown.all_numbers())["a"] == (0, math.inf)


@pytest.mark.parametrize(
    ("v", "a", "b", "c"),
    [(10, (1, 2), (1, 1), (2, 1)), (11, (1, 1), (1, 1), (math.inf, 0)), (18, (1, 1), (1, 1), (math.inf, 0)), (19, (math.inf, 0), (math.inf, 0), (math.inf, 0))],
)  # fmt: skip
def test_multi_valued_figures(v: int, a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> None:
    """What 18 and 10 say of b and c depends on the value that is asked for; above 18 nothing is left to search (slide 43)."""
    found = of_letters(Grown(GAME.position(VALUED), v).expand("", "b", "c").all_numbers())
    assert (found["a"], found["b"], found["c"]) == (a, b, c)


# --- the twin ---


@pytest.mark.parametrize("both", [True, False])
def test_node_by_node_like_the_twin(both: bool) -> None:
    for seed in range(150):
        rng = Random(seed)
        position, player = GAME.position(random_tree(rng, [-2, 0, 1, 3])), rng.randrange(2)
        threshold = rng.choice([-1, 0, 1, 2, 3]) if player == 0 else 11 - rng.choice([-1, 0, 1, 2, 3])
        question = Question(position, player, threshold, both)
        while question.step():
            pass
        grown = Grown(position, threshold, player, both).search(default_target() if seed < 75 else "python")
        assert grown.order() == question.order, seed
        assert grown.all_numbers() == question.all_numbers(), seed


def tree(text: str) -> kb.Position:
    """Names of moves stand for lists."""
    return GAME.position(text.replace('{"', '{"moves": {"').replace("}", "}}"))


def test_leaf_costs() -> None:
    """By the number of moves: an open MAX node needs one of them proven and all of them disproven."""
    found = of_letters(Grown(tree('{"b": {"d": [1, 0, 1], "e": [0]}, "c": [[1], 0]}'), 1, BY_MOVES=True).expand("").all_numbers())
    assert (found["a"], found["b"], found["c"]) == ((2, 2), (2, 1), (2, 1))
    found = of_letters(Grown(tree('{"b": {"d": [1, 0, 1], "e": [0]}, "c": [[1], 0]}'), 1, BY_MOVES=True).expand("", "b").all_numbers())
    assert (found["b"], found["d"], found["e"]) == ((2, 1), (1, 3), (1, 1))
