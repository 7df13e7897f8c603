"""df-pn, PN and PN^2 against plain recursion: random trees with two values and with many, all of small m,n,k-games, tiny memory, limits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import kibitz as kb
from kibitz.core.compiling.binder import default_target
from kibitz.core.errors import InputError
from kibitz.searches.proof.prove import METHODS, prove
from kibitz.searches.proof.values import questions, value_of
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN
from kibitz.tables.proof.file import verify
from tests.differential.cases import on
from tests.naive import minimax, minimax_memoised
from tests.searches.proof.naive_pn import random_tree

TREES = kb.load("trees", tree="[0, 1]", capacity=256, low=-9, high=20)
COMPILED = default_target() == "cpu"
SOLVERS = ("solver(table=0.1)", "alphabeta(table=0.1)")
LITTLE = {"memory": 0.05}  # megabytes: most of it is forgotten on the way


def agrees(position: kb.Position, goal: str, player: int, true: bool, **settings: Any) -> None:
    found = prove(position, goal, player, **settings)
    assert found.verdict == (PROVEN if true else DISPROVEN), (position.show(), goal, player, settings)
    assert (found.proof == 0) == true
    assert (found.disproof == 0) != true


def sweep(trees: range, solvers: tuple[str, ...] = ()) -> None:
    """Of each tree one claim with a random threshold for a random player, by every method; and its value by some of the searches that find values."""
    for seed in trees:
        rng = Random(seed)
        position = TREES.position(random_tree(rng, [0, 1] if seed % 2 else list(range(-9, 21, 3)), depth=rng.choice((3, 5, 6))))
        player = rng.randrange(2)
        worth, bound = minimax(position, player), rng.randrange(-9, 21)
        for method in METHODS:
            agrees(position, f"value >= {bound}", player, worth >= bound, method=method, memory=0.5)
        for solver in solvers:
            found = kb.solve(position, solver)
            assert (found.exact, found.value) == (True, minimax(position, position.player)), (seed, solver)
        value = value_of(position, player, method=rng.choice(METHODS), memory=0.5)
        assert (value.low, value.high, value.exact) == (worth, worth, True), seed
        shown = prove(position, f"value >= {bound}", player, with_strategy=True, **LITTLE)
        assert shown.strategy is not None
        assert verify(shown.strategy).verdict == shown.verdict


def test_random_trees() -> None:
    sweep(range(300 if COMPILED else 40))


@pytest.mark.once
def test_random_trees_interpreted() -> None:
    with on("python"):
        sweep(range(1000, 1020), SOLVERS)


@pytest.mark.long
@pytest.mark.compiled
def test_thousands_of_random_trees() -> None:
    sweep(range(10_000, 15_000), SOLVERS)


@pytest.mark.parametrize("settings", [{"method": "pn"}, {"method": "pn2"}, {"leaf": "moves"}, {"order": True, **LITTLE}])
def test_tic_tac_toe(settings: dict[str, Any]) -> None:
    """Positions after one to three moves, both goals and both players; what changes the kernel of df-pn, interpreted."""
    target = default_target() if "method" in settings else "python"
    with on(target):
        game, memo = kb.load("mnk"), {}
        positions = {p.data: p for first in game.start.moves for p in below(game.start.play(int(first)), 3)}
        for data in sorted(positions)[:: 4 if target == "cpu" else 60]:
            p = positions[data]
            worth = minimax_memoised(p, 0, memo)
            for player, value in ((0, worth), (1, -worth)):
                agrees(p, "win", player, value > 0, **{"memory": 0.5, **settings})
                agrees(p, "not lose", player, value >= 0, **{"memory": 0.5, **settings})


def every_position(game: kb.Game) -> list[kb.Position]:
    """All that the game can come to and go on from, once each."""
    found, rest = {}, [game.start]
    while rest:
        p = rest.pop()
        if p.data not in found and not p.is_over:
            found[p.data] = p
            rest += [p.play(int(m)) for m in p.moves]
    return list(found.values())


def everywhere(m: int, n: int, k: int, claims: int) -> int:
    """In every position of the m,n,k-game: what it is worth by either search for values, and a number of claims by each proof-number search; how many positions there are."""
    game, memo, rng = kb.load("mnk", m=m, n=n, k=k), dict[bytes, float](), Random(m * n * k)
    positions = every_position(game)
    for p in positions:
        worth = minimax_memoised(p, 0, memo)
        for solver in SOLVERS:
            assert kb.solve(p, solver).value == (worth if p.player == 0 else -worth), (p.show(), solver)
        asked = [(goal, player, true) for player, v in ((0, worth), (1, -worth)) for goal, true in (("win", v > 0), ("not lose", v >= 0))]
        for method, threads in (("pn", 1), ("pn2", 1), ("dfpn", 1), ("dfpn", 2)):
            for goal, player, true in rng.sample(asked, claims):
                agrees(p, goal, player, true, method=method, threads=threads, memory=0.1)
    return len(positions)


@pytest.mark.once
def test_every_position_of_a_small_board() -> None:
    with on("python"):
        assert everywhere(3, 2, 2, 1) == 57


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize(("m", "n", "k", "positions"), [(3, 2, 3, 241), (4, 2, 3, 1861), (3, 3, 2, 374), (3, 3, 3, 4520)])
def test_every_position(m: int, n: int, k: int, positions: int) -> None:
    """The numbers are those of unfinished positions; of tic-tac-toe's 5,478 there are 958 finished ones."""
    assert everywhere(m, n, k, 4) == positions


def below(position: kb.Position, plies: int) -> list[kb.Position]:
    if position.is_over:
        return []
    return [position] + [p for m in position.moves if plies > 1 for p in below(position.play(int(m)), plies - 1)]


def test_limits_leave_it_unknown() -> None:
    start = kb.load("mnk", m=4, n=4, k=4).start
    with on("python"):
        for method in METHODS:
            found = prove(start, nodes=60, method=method)
            assert (found.verdict, found.ended) == (UNKNOWN, "nodes")
            assert 60 <= found.nodes < 200
        full = prove(start, method="pn", memory=0.002)
        assert (full.verdict, full.ended) == (UNKNOWN, "memory")
        late = prove(start, method="dfpn", time=0.05)
        assert (late.verdict, late.ended) == (UNKNOWN, "time")
        seen: list[tuple[int, int, int, float]] = []
        prove(start, time=0.3, watch=lambda *told: seen.append(told))
        assert seen
        assert all(proof > 0 and disproof > 0 and megabytes >= 0 for proof, disproof, _, megabytes in seen)


def test_a_table_too_small_still_finishes() -> None:
    with on("python"):
        start = kb.load("mnk", m=3, n=3, k=3).position("b2 a1")
        large, small = prove(start, memory=1), prove(start, memory=0.001)
    assert large.verdict == small.verdict == DISPROVEN
    assert small.megabytes <= 0.002
    assert small.nodes >= large.nodes


# --- more than two values ---


@pytest.mark.parametrize("steps", [1, 2, 3, 10, 33])
def test_questions_end_with_the_value(steps: int) -> None:
    """Doubled until the answer is no, then halved, rounded up; no question twice."""
    for value in range(steps + 1):
        asked = list(questions(steps, lambda v, value=value: value >= v))
        assert len(set(asked)) == len(asked)
        assert max((v for v in asked if value >= v), default=0) == value
        assert value == steps or min(v for v in asked if v > value) == value + 1
        doubled = [v for i, v in enumerate(asked) if v == 2**i]
        assert doubled[: len(asked)] == asked[: len(doubled)]


def test_questions_by_hand() -> None:
    """13 of at most 100: 1, 2, 4, 8 yes, 16 no: 8 to 15; 12 yes: 12 to 15; 14 no: 12 or 13; 13 yes."""
    assert list(questions(100, lambda v: v <= 13)) == [1, 2, 4, 8, 16, 12, 14, 13]


def test_real_numbers_have_no_next_one() -> None:
    position = kb.load("trees", tree="[[0.5, 1], [0.25, 2]]").start
    with pytest.raises(InputError, match="real numbers"):
        value_of(position)
    with on("python"):
        agrees(position, "value >= 0.5", 0, True)
        agrees(position, "value >= 0.51", 0, False)
