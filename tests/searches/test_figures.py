"""The figures of the textbooks, by name, and the trees on which alpha-beta is at its best and at its worst."""

import pytest

import kibitz as kb
from tests.searches.driver import INTERPRETED, MINIMAX, minimax_result, searcher

FORMS = ({"table": 0}, {"table": 0, "form": "stack"}, {"table": 0, "soft": False})


def perfect(b: int, depth: int) -> int:
    """H2: the nodes alpha-beta must visit in a uniform tree, all levels counted."""
    return sum(b ** -(-i // 2) + b ** (i // 2) - 1 for i in range(depth + 1))


@pytest.mark.parametrize(("figure", "value", "move", "inner"), [("aima", 3, "1", (3, 2, 2)), ("aima2", 12, "2", (1, 12, 2))])
def test_textbook_trees(figure: str, value: int, move: str, inner: tuple[int, ...]) -> None:
    root = kb.load("trees", tree=figure).start
    for name in ("minimax", "alphabeta"):
        result = kb.search(root, name)
        assert (result.value, str(result.move), result.exact) == (value, move, True)
    for child, wanted in zip(root.moves, inner, strict=True):
        assert -kb.search(root.play(child), "minimax").value == wanted
    for form in MINIMAX:
        assert minimax_result(root, form, deepening=False).nodes == 13


def test_values_of_h2() -> None:
    assert [perfect(*case) for case in ((2, 4), (3, 4), (4, 6), (10, 4))] == [18, 37, 268, 338]


@pytest.mark.parametrize(("b", "depth"), [(2, 4), (3, 4), (4, 6), (10, 4)])
def test_perfect_order_visits_h2_nodes(b: int, depth: int) -> None:
    position = kb.load("uniform", branching=10, depth=6, order="perfect").position(f"seed=0 branching={b} depth={depth}")
    for options in FORMS:
        search = searcher(position, killers="off", history="off", **options)
        search.value(depth)
        assert int(search.w.control.nodes) == perfect(b, depth)


@pytest.mark.parametrize(("b", "depth"), [(2, 4), (3, 4)] if INTERPRETED else [(2, 4), (3, 4), (4, 6)])
def test_worst_order_visits_everything(b: int, depth: int) -> None:
    position = kb.load("uniform", branching=4, depth=6, order="worst").position(f"seed=0 branching={b} depth={depth}")
    everything = (b ** (depth + 1) - 1) // (b - 1)
    search = searcher(position, table=0, killers="off", history="off")
    value = search.value(depth)
    assert int(search.w.control.nodes) == everything
    plain = minimax_result(position, "recursive", deepening=False)
    assert (plain.value, plain.nodes) == (value, everything)


def test_random_order_lies_between() -> None:
    b, depth = 3, 6
    for seed in range(3 if INTERPRETED else 20):
        position = kb.load("uniform", branching=b, depth=depth, order="random").position(f"seed={seed}")
        search = searcher(position, table=0, killers="off", history="off")
        value = search.value(depth)
        assert perfect(b, depth) <= search.w.control.nodes <= (b ** (depth + 1) - 1) // (b - 1)
        assert value == minimax_result(position, "recursive", deepening=False).value
