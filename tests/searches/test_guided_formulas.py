"""The formulas of PUCT, ESPRIT and the regularised policy on worked nodes: by hand, against the naive ones, and what must hold of any node."""

import math
from collections.abc import Sequence
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given, settings

import kibitz as kb
from kibitz.core.compiling.binder import options
from kibitz.searches.mcts.guided_search import GuidedSearch
from kibitz.searches.mcts.tree.layout import first_edge, node
from tests import naive_guided
from tests.searches.test_guided import USUAL, _interpreted, interpreted, searching  # noqa: F401

Moves = Sequence[tuple[int, float, float]]  # visits, value, prior of each


def worked(name: str, moves: Moves, **options: Any) -> GuidedSearch:
    """A search whose root has these moves; those without visits come last, the likeliest first."""
    search = searching(kb.load("tictactoe").start, name, **options)
    t, n = search.tree.trunk, search.tree.nodes[0]
    n.visits, n.count, n.opened = 1 + sum(m[0] for m in moves), len(moves), sum(m[0] > 0 for m in moves)
    t.root, t.nodes, t.end = 0, 1, search.tree.node_units + len(moves)
    for move, (e, (tried, value, prior)) in enumerate(zip(search.tree.block_of(0), moves, strict=True)):
        x = search.tree.edges[e]
        x.move, x.child, x.value, x.scale, x.prior = move, -1 - tried, value, tried, prior
    return search


def shares(search: GuidedSearch) -> list[float]:
    count = search.shares(search.workers[0], *search.tree.arguments[1:], 0)
    return list(search.workers[0].share[:count])


def preferred(w: Any, nodes: Any, edges: Any) -> int:
    """The root's edge that the rule follows, counted from 0."""
    return options.select(w, edges, node(nodes, 0), first_edge(0), first_edge(0) + node(nodes, 0).count) - first_edge(0)


def followed(search: GuidedSearch) -> int:
    return int(search.position.game.bind(preferred, search.options)(search.workers[0], *search.tree.arguments[1:]))


@interpreted
def test_esprit_by_hand() -> None:
    """n = 4, 1: z = 2, 1; Z = 3/2; f(0.1) = (1 + 0.1 sqrt(1.5) / 0.07)^-3 = 0.0481029; q = 0.9541048, 0.0458952; r' = 0.8027366, 0.2729476."""
    found = shares(worked("esprit", [(4, 0.6, 0.5), (1, 0.5, 0.5)]))
    assert found == pytest.approx([0.7462566, 0.2537434], abs=3e-6)
    assert followed(worked("esprit", [(4, 0.6, 0.5), (1, 0.5, 0.5)])) == 0  # 0.8027 / 5 and 0.2729 / 2


@interpreted
def test_esprit_with_unvisited_moves_by_hand() -> None:
    """n = 1, 0, 0: Z = 1/3; f(0.5) = (1 + 0.5 sqrt(1/3) / 0.07)^-3 = 0.0074334; q_1 = 0.9853511; r' = 0.7426756, 0.3, 0.2: those have what the policy says."""
    found = shares(worked("esprit", [(1, 0.5, 0.5), (0, 0.0, 0.3), (0, 0.0, 0.2)]))
    assert found == pytest.approx([0.5976425, 0.2414145, 0.1609430], abs=3e-6)
    assert followed(worked("esprit", [(1, 0.5, 0.5), (0, 0.0, 0.3), (0, 0.0, 0.2)])) == 0  # 0.3713 against 0.3


@interpreted
def test_esprit_is_its_policy_while_nothing_is_visited() -> None:
    assert shares(worked("esprit", [(0, 0.0, 0.5), (0, 0.0, 0.3), (0, 0.0, 0.2)])) == pytest.approx([0.5, 0.3, 0.2], abs=1e-6)
    assert followed(worked("esprit", [(0, 0.0, 0.5), (0, 0.0, 0.3), (0, 0.0, 0.2)])) == 0


@interpreted
@pytest.mark.parametrize("options", [{}, {"alpha": 0.7, "gamma": 2.5, "sigma": 0.2, "lam": 0.5}, {"first": 0.4}])
def test_esprit_formulas(options: dict[str, float]) -> None:
    moves = [(9, 0.55, 0.3), (4, 0.6, 0.4), (1, 0.1, 0.1), (0, 0.0, 0.15), (0, 0.0, 0.05)]
    of = {**USUAL, **options}
    told = naive_guided.esprit_shares([m[0] for m in moves], [m[1] if m[0] else of["first"] for m in moves], [m[2] for m in moves], of)
    assert shares(worked("esprit", moves, **options)) == pytest.approx([r / sum(told) for r in told], rel=1e-5)


@interpreted
def test_puct_by_hand() -> None:
    """n = 3, 1, so N = 5; C = 1.25 + ln(19658 / 19652) = 1.2503053; u = C sqrt(5) / 4 * 0.6 = 0.4193642 and C sqrt(5) / 2 * 0.4 = 0.5591523."""
    search = worked("puct", [(3, 0.5, 0.6), (1, 0.4, 0.4)])
    assert followed(search) == 1  # 0.9193642 against 0.9591523
    assert followed(worked("puct", [(3, 0.5, 0.6), (1, 0.35, 0.4)])) == 0  # 0.9091523
    x = [0.6 + math.sqrt(5) / 1.2503053 * 0.5 * 4 / 5, 0.4 + math.sqrt(5) / 1.2503053 * 0.4 * 2 / 5]
    assert shares(search) == pytest.approx([x[0] / sum(x), x[1] / sum(x)], rel=1e-6)


nodes_ = st.lists(
    st.tuples(st.integers(0, 50), st.floats(0.0, 1.0, width=32), st.floats(1 / 64, 1.0, width=32)), min_size=1, max_size=9
).map(lambda moves: sorted(moves, key=lambda m: (m[0] == 0, -m[2])))  # as the tree keeps them


def scaled(moves: Moves) -> Moves:
    total = sum(m[2] for m in moves)
    return [(n, v if n else 0.0, p / total) for n, v, p in moves]


@interpreted
@settings(max_examples=60)
@given(moves=nodes_.map(scaled), name=st.sampled_from(["puct", "esprit", "regularised"]))
def test_shares_add_up_to_one_and_are_none_below_zero(moves: Moves, name: str) -> None:
    found = shares(worked(name, moves))
    assert sum(found) == pytest.approx(1.0)
    assert min(found) >= 0.0


@interpreted
@settings(max_examples=60)
@given(moves=nodes_.map(scaled))
def test_puct_reinterpreted_chooses_the_same_move(moves: Moves) -> None:
    """(8) and (9): the largest x / (1 + n) is the largest v + u."""
    search = worked("puct", moves)
    scores = [x / (1 + m[0]) for x, m in zip(shares(search), moves, strict=True)]
    best = sorted(scores)[-2:]
    assume(len(best) < 2 or best[1] - best[0] > 1e-7)  # nearer than that, rounding decides
    assert followed(search) == scores.index(max(scores))


@interpreted
@settings(max_examples=40)
@given(moves=nodes_.map(scaled))
def test_regularised_policy(moves: Moves) -> None:
    """At the optimum v + k p / y is the same for all moves."""
    assume(sum(m[0] for m in moves) > 0)
    visited = 1.0 + sum(m[0] for m in moves)
    k = (1.25 + math.log((1.0 + visited + 19652.0) / 19652.0)) * math.sqrt(visited - 1.0) / (len(moves) + visited - 1.0)
    found = shares(worked("regularised", moves))
    told = naive_guided.regularised_shares([], [m[1] for m in moves], [m[2] for m in moves], k)
    assert found == pytest.approx(told, abs=1e-6)


@interpreted
def test_first_play_values() -> None:
    moves = [(2, 0.5, 0.5), (0, 0.0, 0.5)]
    reach = (1.25 + math.log(19656 / 19652)) * math.sqrt(3)
    assert followed(worked("puct", moves, c0=0.2)) == 0  # 0.5 + u against 0 + 3 u
    assert followed(worked("puct", moves, c0=0.2, first=0.6)) == 1
    assert followed(worked("puct", moves, c0=0.2, first=0.1, untried="parent")) == 1  # 0.4 + 3 u
    assert 0.5 + reach / 3 * 0.5 < reach * 0.5 + 0.5
    equal = shares(worked("esprit", [(1, 0.5, 0.5), (0, 0.0, 0.5)], first=0.5))
    assert equal[0] == pytest.approx(0.5)  # q = 1/2, 1/2


@interpreted
def test_ties_are_broken_by_value_not_by_number() -> None:
    for moves in ([(2, 0.4, 0.3), (2, 0.6, 0.3), (2, 0.5, 0.4)], [(2, 0.6, 0.3), (2, 0.4, 0.3), (2, 0.5, 0.4)]):
        search = worked("puct", moves)
        assert moves[search.chosen()][1] == 0.6
    assert worked("esprit", [(3, 0.4, 0.9), (2, 0.6, 0.1)]).chosen() == 0
    assert worked("esprit", [(3, 0.1, 0.1), (2, 0.9, 0.9)], choose="r").chosen() == 1


@interpreted
def test_descents_are_drawn_by_the_shares() -> None:
    moves = [(9, 0.55, 0.3), (4, 0.6, 0.4), (1, 0.1, 0.1), (0, 0.0, 0.15), (0, 0.0, 0.05)]
    wanted = shares(worked("esprit", moves))
    search = worked("esprit", moves, descend="sample")
    drawn = [followed(search) for _ in range(800)]
    for move, share in enumerate(wanted):
        assert drawn.count(move) / 800 == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 800))
