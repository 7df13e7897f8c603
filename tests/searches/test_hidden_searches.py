"""Perfect-information Monte Carlo and information set tree search: against slow twins on random games, limits, memory, and what they may see."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.hidden.belief import Belief, SampleLost
from kibitz.core.hidden.informed import InformedBelief, knowledge_of
from kibitz.core.hidden.view import view
from kibitz.core.records import random
from kibitz.core.records.hashing import combine
from kibitz.searches.hidden import ismcts
from kibitz.searches.hidden.infoset_tree import NONE
from kibitz.searches.hidden.pimc import METHOD as PIMC
from tests import hidden_trees, naive_hidden, naive_ismcts

KUHN, LEDUC, BLIND = (kb.load(name) for name in ("kuhn_poker", "leduc_poker", "blind_tictactoe"))


@pytest.fixture(autouse=True)
def interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.node.get_closest_marker("compiled"):
        monkeypatch.setenv("KIBITZ_TARGET", "python")


def somewhere(seed: int, players: int = 2) -> kb.Position:
    """A random position of a random game, where it is a player's turn."""
    rng = Random(seed)
    for again in range(100):
        position = hidden_trees.line(hidden_trees.draw(seed + 1000 * again, players), rng, seed % 4)
        if position.player >= 0 and len(position.moves) > 1:
            return position
    raise AssertionError


# --- pimc ---


@pytest.mark.parametrize("seed", range(30))
def test_pimc_is_the_mean_over_all_open_positions(seed: int) -> None:
    position = somewhere(seed)
    wanted = naive_hidden.pimc(position)
    for inner in ("auto", "expectiminimax", "star1"):
        result = kb.search(position, f"pimc(inner='{inner}')")
        assert result.ended == "samples"
        assert {c.numbers[0]: c.value for c in result.table} == pytest.approx(wanted)
        assert result.value == pytest.approx(max(wanted.values()))
        assert wanted[int(result.move or 0)] == pytest.approx(result.value)
        assert f"{Belief.of(view(position, position.player)).size} position" in result.note


def test_pimc_with_three_players() -> None:
    """With an inner search that tells every player's value."""
    position = somewhere(5, players=3)
    result = kb.search(position, "pimc(inner='uct(playouts=300)')")
    assert result.ended == "samples"
    with pytest.raises(
        kb.InputError, match=r"inner=alphabeta: alphabeta cannot search hidden_trees_3 with the cards open: it has 3 players"
    ):
        kb.search(position, "pimc(inner='alphabeta')")


def test_pimc_draws_where_there_are_too_many() -> None:
    """In proportion to their probability, so that each counts alike."""
    position = next(p for p in map(somewhere, range(200)) if Belief.of(view(p, p.player)).size > 8)
    wanted = naive_hidden.pimc(position)
    result = kb.search(position, "pimc(samples=7, inner='expectiminimax')")
    assert {c.visits for c in result.table} == {7}
    assert result.note.endswith("7 drawn, by expectiminimax with everything open")
    many = kb.search(position, "pimc(samples=7, inner='expectiminimax')", states=4)
    assert "kept of those possible" in many.note
    means = []
    for seed in range(60):
        means.append({c.numbers[0]: c.value for c in kb.search(position, "pimc(samples=7, inner='expectiminimax')", seed=seed).table})
    for move, value in wanted.items():
        found = np.array([one[move] for one in means])
        assert abs(found.mean() - value) < 4.5 * found.std() / math.sqrt(len(found)) + 1e-9


def test_pimc_stops() -> None:
    position = BLIND.start.play("5", "1", "3")
    short = kb.search(position, "pimc(nodes=500)")
    assert short.ended == "nodes"
    assert len({c.visits for c in short.table}) == 1
    timed = kb.search(position, "pimc(time=0.2)")
    assert timed.ended == "time"
    assert timed.seconds < 5
    for wrong, said in (
        ("uct", "inner=uct: it would not end"),
        ("sampling", "its players see the whole position"),
        ("alphabeta(dpth=3)", "no option 'dpth'"),
        ("nothing", "unknown search 'nothing'"),
    ):
        with pytest.raises(kb.InputError, match=said):
            kb.search(position, f"pimc(inner='{wrong}')")


def test_pimc_keeps_what_it_found() -> None:
    player = kb.player("pimc(inner='star2', samples=100)").remembering()
    position = LEDUC.start.play("Ks", "Js", "check", "check", "Qs")
    first = player.search(position)
    again = player.search(position)
    assert (again.value, again.nodes) == (first.value, 0)
    assert player.search(position.play("raise")).ended == "samples"


def test_open_values_are_of_nobody_else() -> None:
    """A player's open games do not come from memory of another inner search."""
    memory = PIMC.memory
    assert memory is not None
    player = kb.player("pimc(inner='star2', samples=3)").remembering()
    position = KUHN.start.play("Q", "K")
    player.search(position)
    other = player.limited(inner="star2(depth=1)")
    assert other.search(position).nodes > 0


# --- who knows what ---


@pytest.mark.parametrize("seed", range(20))
def test_what_others_know_is_what_they_were_told(seed: int) -> None:
    position = somewhere(seed, players=2 + seed % 2)
    known = view(position, position.player)
    truth: dict[Any, float] = {}
    start = kb.Position(position.game, known.origin[0])
    for end, chance in naive_ismcts.histories(start, known.observer, known.events):
        key = end.data, tuple(knowledge_of(p, naive_ismcts.told(end, p)) for p in range(position.game.players))
        truth[key] = truth.get(key, 0.0) + chance
    found = InformedBelief.of(known)
    assert found.complete
    rows = zip(found.states, found.possible["knowledge"], found.weights, strict=True)
    total = sum(truth.values())
    assert {(s.tobytes(), tuple(int(k) for k in knows)): w for s, knows, w in rows} == pytest.approx(
        {k: v / total for k, v in truth.items()}
    )
    try:
        few = InformedBelief.of(known, limit=2)
    except SampleLost:
        return
    assert few.size <= min(2, found.size)
    assert not few.complete or few.size == found.size


# --- ismcts ---


def edges_of(search: ismcts.Search, player: int, events: Any, mover: int) -> dict[int, tuple[int, int, float]]:
    """Of a node of the fast tree, by moves."""
    with np.errstate(over="ignore"):
        key = combine(np.uint64(knowledge_of(player, events)), np.uint64(mover))
    at = next(i for i in range(int(search.tree.trunk.nodes)) if search.tree.nodes[i].key == key)
    found, e = {}, int(search.tree.nodes[at].first)
    while e != NONE:
        x = search.tree.edges[e]
        found[int(x.move)] = (int(x.visits), int(x.available), float(x.total))
        e = int(x.following)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_the_tree_is_the_twins(seed: int) -> None:
    """Visit for visit, whoever's knowledge nodes are, from wherever simulations begin."""
    position = somewhere(seed, players=2 + seed % 2)
    single, start = bool(seed & 2), bool(seed & 4)
    player = kb.player("ismcts", playouts=120, seed=seed, observers="single" if single else "multiple", begin="start" if start else "here")
    known = view(position, position.player)
    search = ismcts.Search(known, player.settings, "ismcts", ismcts.Memory())
    first = kb.Position(position.game, known.origin[0])
    roots: list[kb.Position] = [first]
    weights = [1.0]
    if not start:
        ways = list(naive_ismcts.histories(first, known.observer, known.events))
        assert search.roots is not None
        order = [(s.tobytes(), [int(k) for k in knows]) for s, knows in zip(search.roots.states, search.roots.knowledge, strict=True)]
        found = [_way(ways, data, None if single else knows) for data, knows in order]
        roots = found
        weights = np.diff(search.roots.heap, prepend=0.0).tolist()
    *_, result = search.results()
    assert result.playouts == 120
    twin = naive_ismcts.ismcts(roots, weights, known.observer, 120, 1.0, single, random.seeded(seed, len(known.events)))
    assert int(search.tree.trunk.nodes) >= len(twin) > 0
    for (who, events, mover), moves in twin.items():
        there = edges_of(search, who, events, mover)
        assert {m: (int(v), int(a)) for m, (v, a, _) in moves.items()} == {m: (v, a) for m, (v, a, _) in there.items()}
        for move, (_, _, total) in moves.items():
            assert there[move][2] == pytest.approx(total)
    own = twin.get((known.observer, known.events, known.observer), {})
    assert {c.numbers[0]: c.visits for c in result.table if c.visits} == {m: int(v) for m, (v, _, _) in own.items() if v}


def _way(ways: Any, data: bytes, knowledge: list[int] | None) -> kb.Position:
    """A history that leads to this position, in which everybody knows that."""
    return next(
        end
        for end, _ in ways
        if end.data == data
        and (knowledge is None or [knowledge_of(p, naive_ismcts.told(end, p)) for p in range(len(knowledge))] == knowledge)
    )


def test_memory_is_bounded() -> None:
    position = BLIND.start.play("5")
    result = kb.search(position, "ismcts(playouts=300, memory=0.002)")
    assert result.full == 1.0
    assert result.playouts == 300
    assert kb.search(position, "ismcts(playouts=50, memory=0.001)").move in position.moves


def test_a_tree_is_kept_from_move_to_move() -> None:
    player = kb.player("ismcts(playouts=200)").remembering()
    position = LEDUC.start.play("Ks", "Js")
    player.search(position)
    later = position.play("check", "raise")
    fresh, kept = kb.search(later, "ismcts(playouts=20)"), player.limited(playouts=20).search(later)
    assert sum(c.visits for c in kept.table) > sum(c.visits for c in fresh.table) == 20


def test_limits_and_the_same_seed() -> None:
    position = LEDUC.start.play("Ks", "Js")
    one, two, other = (kb.search(position, "ismcts(playouts=150)", seed=seed) for seed in (1, 1, 2))
    assert [c.value for c in one.table] == [c.value for c in two.table] != [c.value for c in other.table]
    assert kb.search(position, "ismcts(nodes=60)").ended == "nodes"
    assert kb.search(position, "ismcts(time=0.05)").ended == "time"
    shares = {str(kb.search(KUHN.start.play("Q", "K"), "ismcts(playouts=12, play=share)", seed=seed).move) for seed in range(30)}
    assert shares == {"pass", "bet"}


@pytest.mark.compiled
@pytest.mark.parametrize("observers", ["multiple", "single"])
def test_compiled_trees_are_the_same(observers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(8):
        position = somewhere(seed)
        found = []
        for target in ("cpu", "python"):
            monkeypatch.setenv("KIBITZ_TARGET", target)
            result = kb.search(position, "ismcts(playouts=200)", observers=observers, seed=seed)
            found.append([(c.numbers[0], c.visits, c.value) for c in result.table])
        assert found[0] == found[1]


@pytest.mark.parametrize(
    "search",
    ["pimc(inner='expectiminimax')", "ismcts(playouts=30)", "ismcts(playouts=30, observers=single)", "ismcts(playouts=30, begin=start)"],
)
def test_positions_that_look_alike_get_the_same_answer(search: str) -> None:
    for seed in range(12):
        position = somewhere(seed)
        known = view(position, position.player)
        answer = kb.search(position, search)
        for other in Belief.of(known).positions:
            same = kb.search(other, search)
            assert (same.move, same.value, [c.value for c in same.table]) == (answer.move, answer.value, [c.value for c in answer.table])
