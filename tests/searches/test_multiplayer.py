"""Max^n, paranoid and best-reply search: the textbook's figure, ties, what may be pruned and what not, what results say. The fuzzer holds them against recursion."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.searches.method import method
from kibitz.searches.multiplayer import maxn
from kibitz.searches.multiplayer.ties import RULES
from kibitz.searches.multiplayer.vector_search import UNIQUE, VectorSearch
from tests.differential import graphs
from tests.differential.cases import on
from tests.differential.families import FAMILIES
from tests.naive_graph_players import MaxN
from tests.naive_graphs import Truth

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def tree(structure: Any, **parameters: Any) -> kb.Position:
    return kb.load("trees", tree=structure if isinstance(structure, str) else json.dumps(structure), **parameters).start


def leaf(*values: float) -> dict[str, list[float]]:
    return {"value": list(values)}


# --- the textbook's figure ---


def test_the_figure() -> None:
    """Russell and Norvig, figure 5.4; Ansótegui, optimal decisions in multiplayer games: A, B and C move in turn."""
    root = tree("three")
    result = kb.search(root, "maxn")
    assert (result.values, result.exact, [str(m) for m in result.line]) == ((1, 2, 6), True, ["1", "1", "1"])
    below = {path: kb.search(root.play(*path.split()), "maxn").values for path in ("1", "2", "1 1", "1 2", "2 1", "2 2")}
    assert below == {"1": (1, 2, 6), "2": (1, 5, 2), "1 1": (1, 2, 6), "1 2": (6, 1, 2), "2 1": (1, 5, 2), "2 2": (5, 4, 5)}
    drawn = str(kb.tree(root, "maxn(deepening=false)"))
    assert "┝━ 1 ② (1, 2, 6)" in drawn
    assert "└─ 2 ② (1, 5, 2)" in drawn
    assert "③ player 3" in drawn


def test_ties_decide_the_figure() -> None:
    """Both of A's moves are worth 1 to it, and B and C care which it makes."""
    found = {rule: kb.search(tree("three"), f"maxn(ties={rule})") for rule in RULES}
    assert {rule: result.values for rule, result in found.items() if rule != "random"} == {
        "first": (1, 2, 6), "soon": (1, 2, 6), "against": (1, 2, 6), "leader": (1, 5, 2), "spiteful": (1, 5, 2), "kind": (1, 2, 6),
    }  # fmt: skip
    assert all(f"ties={rule}" in result.note for rule, result in found.items())
    drawn = {kb.search(tree("three"), f"maxn(ties=random, seed={seed})").values for seed in range(12)}
    assert drawn == {(1, 2, 6), (1, 5, 2)}
    assert kb.search(tree([leaf(1, 2, 6), leaf(2, 5, 2)]), "maxn").note == UNIQUE


def test_the_rule_of_ties_does_not_depend_on_the_order_of_search() -> None:
    """Whatever the table and the history put first."""
    family = FAMILIES["pie"]
    for number in range(60):
        position = family.position(graphs.draw(family.kind, Random(number), 12))
        plain = {"table": 0, "order": False, "killers": "off", "history": "off", "deepening": False, "prune": False}
        for rule in RULES:
            assert kb.search(position, "maxn", ties=rule, **plain).values == kb.search(position, "maxn", ties=rule, table=0.001).values


# --- pruning ---


def nodes(structure: Any, **options: Any) -> tuple[int, tuple[float, ...]]:
    result = kb.search(tree(structure, low=0.0, high=9.0), "maxn", table=0, order=False, deepening=False, **options)
    return result.nodes, result.values


def test_immediate_pruning() -> None:
    """Nobody can have more than 9; and whoever has all there is leaves the others the same, whatever the rule of ties."""
    structure = [leaf(9, 0, 0), leaf(9, 0, 0), [leaf(1, 8, 0), leaf(2, 3, 4)]]
    assert nodes(structure) == (2, (9, 0, 0))
    assert nodes(structure, ties="against") == (2, (9, 0, 0))
    assert nodes(structure, prune=False)[0] == 6
    unbounded = [leaf(9, 5, 0), leaf(9, 0, 3)]
    assert nodes(unbounded) == (2, (9, 5, 0))
    assert nodes(unbounded, ties="spiteful") == (3, (9, 0, 3))  # there might be a better one


def test_shallow_pruning() -> None:
    """Player 1 has 5; player 2 has found 5 of 9 for himself and leaves no more than 4."""
    structure = [leaf(5, 2, 2), [leaf(1, 5, 3), leaf(0, 9, 0)]]
    assert nodes(structure) == (4, (5, 2, 2))
    assert nodes(structure, prune=False) == (5, (5, 2, 2))
    even = [leaf(5, 2, 2), [leaf(2, 4, 3), leaf(0, 9, 0)]]  # leaves 5, which is as good
    assert nodes(even)[0] == 4
    assert nodes(even, ties="kind")[0] == 5


def test_deep_pruning_would_be_wrong() -> None:
    """Korf 1991: player 1 has 5, player 3 finds 5 for himself, so that 1 cannot get more than 4 here; but what else 3 finds decides what 2 does."""
    structure = [leaf(5, 4, 0), [leaf(6, 1, 2), [leaf(2, 2, 5), leaf(3, 0, 6)]]]
    visited, values = nodes(structure)
    assert (visited, values) == (7, (6, 1, 2))
    assert nodes(structure, prune=False) == (7, (6, 1, 2))


@pytest.mark.parametrize("search", ["maxn", "maxn(ties=soon)", "maxn(ties=leader, table=0)"])
def test_evaluations_that_promise_too_much_are_not_pruned_by(search: str) -> None:
    """Their sum is more than that of the utilities: what a player has does not say what is left for the others."""
    inner = {"value": [5, 5, 5], "moves": [leaf(3, 3, 3), leaf(1, 4, 4)]}
    structure = [leaf(4, 3, 2), [inner, leaf(2, 3, 4)]]
    position = tree(structure, low=0.0, high=9.0)
    pruned, whole = (kb.search(position, search, depth=2, prune=prune) for prune in (True, False))
    assert pruned.values == whole.values == (5, 5, 5)
    assert not pruned.exact


def test_pruned_is_unpruned() -> None:
    """Thousands of positions are in the fuzzer; here with the number of nodes, which never grows."""
    family, fewer = FAMILIES["pie"], 0
    for number in range(150):
        position = family.position(graphs.draw(family.kind, Random(number), 12))
        pruned, whole = (kb.search(position, "maxn", prune=prune, table=0, order=False, deepening=False) for prune in (True, False))
        assert (pruned.values, [int(m) for m in pruned.line]) == (whole.values, [int(m) for m in whole.line])
        assert pruned.nodes <= whole.nodes
        fewer += pruned.nodes < whole.nodes
    assert fewer > 20


# --- any number of players ---


@pytest.mark.parametrize("name", ["alone", "plain", "barter", "three", "pie", "four", "ring"])
def test_one_to_four_players(name: str) -> None:
    family = FAMILIES[name]
    for number in range(25):
        graph = graphs.draw(family.kind, Random(1000 + number), 7)
        truth = Truth(graph, family.game.constants)
        here = truth.first()
        twin = MaxN(truth, "first", max(0, truth.player(here)), 0, graph.number)
        result = kb.search(family.position(graph), "maxn", table=0)
        assert result.exact
        assert result.values == pytest.approx(twin.values(here))


def test_one_search_of_one_depth() -> None:
    position = tree("three")
    search = VectorSearch(position, method("maxn").settings({}), "maxn", maxn.root)
    assert search.vector(3) == (1, 2, 6)
    assert search.vector(1) != (1, 2, 6)  # evaluations


def test_compiled() -> None:
    with on("cpu"):
        assert kb.search(tree("three"), "maxn").values == (1, 2, 6)


# --- one against all ---


def test_paranoid_is_a_guarantee_and_says_so() -> None:
    """Others who play for themselves leave him more: max^n finds 2, and nobody could promise it."""
    structure = [leaf(1, 1, 1), [leaf(2, 3, 0), leaf(0, 2, 9)]]
    root = tree(structure)
    sure, each = kb.search(root, "paranoid"), kb.search(root, "maxn")
    assert (sure.value, sure.bound, str(sure.move)) == (1, "lower", "1")
    assert (each.value, each.bound, str(each.move)) == (2, "exact", "2")
    assert "at least +1 for player 1" in str(sure)
    assert "▼ all others" in str(kb.tree(root, "paranoid"))


def test_lines() -> None:
    structure = [leaf(1, 1, 1), [leaf(2, 3, 0), leaf(0, 2, 9)], leaf(0, 0, 0)]
    each = kb.search(tree(structure), "maxn(lines=3)")
    assert [(str(c.move), c.values, c.bound) for c in each.table] == [
        ("2", (2, 3, 0), "exact"), ("1", (1, 1, 1), "exact"), ("3", (0, 0, 0), "exact"),
    ]  # fmt: skip
    sure = kb.search(tree(structure), "paranoid(lines=2)")
    assert [(str(c.move), c.value, c.bound) for c in sure.table] == [("1", 1, "lower"), ("2", 0, "lower")]


def test_what_does_not_fit() -> None:
    three, two = tree("three"), kb.load("tictactoe").start
    for search, position, said in (
        ("paranoid", two, "alphabeta is the same search"),
        ("bestreply", three, "it does not say how a turn is skipped"),
        ("alphabeta", three, "it has 3 players, not two"),
        ("paranoid", kb.load("kuhn_poker").start, "do not see the whole position"),
        ("paranoid", FAMILIES["alone"].position(graphs.draw(FAMILIES["alone"].kind, Random(1), 5)), "nobody against him"),
    ):
        with pytest.raises(InputError, match=said):
            kb.search(position, search)
    with pytest.raises(InputError, match=r"paranoid cannot search .*searches that fit: .*maxn"):
        kb.search(two, "paranoid")
    with pytest.raises(InputError, match="ties"):
        kb.player("maxn(ties=last)")


def test_a_picture_has_numbers_and_vectors(tmp_path: Path) -> None:
    drawn = kb.tree(tree("three"), "maxn(deepening=false)")
    for said in ("(1, 2, 6)", "(7, 7, 1)", ">player 3<"):
        assert said in drawn.svg()
    visits = drawn.as_dict()["visits"]
    assert visits[0]["values"] == [1, 2, 6]
    assert {visit["player"] for visit in visits} == {None, 0, 1, 2}
    cut = kb.tree(tree([leaf(5, 2, 2), [leaf(1, 5, 3), leaf(0, 9, 0)]], low=0.0, high=9.0), "maxn(deepening=false, order=false)")
    assert "2 ② ≥ 5 for 2  cut" in str(cut)
