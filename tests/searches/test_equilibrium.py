"""Unfolded games, best replies and regret minimisation: against their definitions on random games, and against OpenSpiel on poker."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import cfr as spiel_cfr
from open_spiel.python.algorithms import discounted_cfr, exploitability

import kibitz as kb
from kibitz.arena.exploitability import measure
from kibitz.core.hidden.view import view
from kibitz.searches.equilibrium.solving import Solver
from kibitz.searches.equilibrium.strategy import Strategy, normal
from kibitz.searches.equilibrium.unfolding import GameTree, unfold_position
from tests import hidden_trees, naive_hidden

KUHN, LEDUC = kb.load("kuhn_poker"), kb.load("leduc_poker")


@pytest.fixture(autouse=True)
def interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.node.get_closest_marker("compiled"):
        monkeypatch.setenv("KIBITZ_TARGET", "python")


def random_strategy(tree: GameTree, seed: int) -> Strategy:
    """Some moves never made."""
    rng = np.random.default_rng(seed)
    return normal(tree, np.where(rng.random(tree.slots) < 0.2, 0.0, rng.random(tree.slots)))


def as_naive(strategy: Strategy) -> naive_hidden.Strategy:
    tree = strategy.tree
    found: naive_hidden.Strategy = {}
    for info in range(tree.infosets):
        position = tree.position(info)
        found[naive_hidden.known(position, position.player)] = strategy.of(info)
    return found


def solved(tree: GameTree, form: str, rounds: int) -> Strategy:
    *_, last = Solver(tree, form).run(rounds)
    assert last.rounds == rounds
    return last.strategy


# --- against definitions ---


@pytest.mark.parametrize("seed", range(24))
def test_information_sets_values_and_best_replies(seed: int) -> None:
    start = hidden_trees.draw(seed, players=2 + (seed % 3 == 2))
    tree = unfold_position(start)
    sets = hidden_trees.infosets(start)
    assert tree.infosets == len(sets)
    for info in range(tree.infosets):
        here = tree.position(info)
        alike = sets[naive_hidden.known(here, here.player)]
        assert int((tree.h.info == info).sum()) == len(alike)
        assert {tree.h.states[i].tobytes() for i in np.flatnonzero(tree.h.info == info)} == {p.data for p in alike}
        assert tree.find(view(here, here.player)) == info
    strategy = random_strategy(tree, seed)
    plain = as_naive(strategy)
    for player in range(start.game.players):
        assert strategy.values[player] == pytest.approx(naive_hidden.worth(start, plain, player))
        reply = strategy.best_reply(player)
        own = [info for info in range(tree.infosets) if tree.sets.player[info] == player]
        if np.prod([float(tree.sets.count[info]) for info in own]) <= 300:
            assert reply.value == pytest.approx(naive_hidden.best_reply(start, plain, player))
        moves = {info: {tree.moves(info)[int(reply.moves[info])]: 1.0} for info in own}
        followed = Strategy.joined(tree, {**{info: strategy.of(info) for info in range(tree.infosets)}, **moves})
        assert followed.values[player] == pytest.approx(reply.value)


@pytest.mark.parametrize("seed", range(6))
def test_what_an_information_set_is_worth(seed: int) -> None:
    start = hidden_trees.draw(seed)
    tree = unfold_position(start)
    strategy = random_strategy(tree, seed)
    plain = as_naive(strategy)
    sets = hidden_trees.infosets(start)
    for info in range(tree.infosets):
        player = int(tree.sets.player[info])
        alike = sets[naive_hidden.known(tree.position(info), player)]
        weights = [_reach(start, here, plain, player) for here in alike]
        weights = weights if sum(weights) > 0 else [1.0] * len(alike)
        value, moves = strategy.worth(info)
        for move, found in moves.items():
            wanted = sum(w * naive_hidden.worth(here.play(move), plain, player) for w, here in zip(weights, alike, strict=True)) / sum(
                weights
            )
            assert found == pytest.approx(wanted)
        assert value == pytest.approx(sum(strategy.of(info)[move] * found for move, found in moves.items()))


def _reach(start: kb.Position, goal: kb.Position, strategy: naive_hidden.Strategy, player: int) -> float:
    """How likely all but the player make a position come about."""
    if start.data == goal.data:
        return 1.0
    if start.is_over:
        return 0.0
    found = naive_hidden.shares(start, strategy)
    return sum(
        (1.0 if start.player == player else share) * _reach(start.play(move), goal, strategy, player) for move, share in found.items()
    )


@pytest.mark.parametrize("seed", range(4))
def test_nobody_wins_from_an_equilibrium(seed: int) -> None:
    """What one side can be sure of is what the other cannot be driven above."""
    tree = unfold_position(hidden_trees.draw(seed))
    strategy = solved(tree, "plus", 60)
    assert strategy.exploitability < 0.15
    assert strategy.best_reply(0).value >= -strategy.best_reply(1).value - 1e-12


# --- poker ---


@pytest.mark.compiled
def test_kuhn_poker() -> None:
    """The first player loses 1/18 of a coin: Kuhn 1950."""
    tree = unfold_position(KUHN.start)
    assert (tree.histories, tree.infosets) == (58, 12)
    strategy = solved(tree, "plus", 1000)
    assert strategy.exploitability < 0.001
    assert strategy.values[0] == pytest.approx(-1 / 18, abs=1e-4)
    words = {tree.words(info): info for info in range(tree.infosets)}
    bluff = strategy.of(words["J -"])[1]
    assert strategy.of(words["K -"])[1] == pytest.approx(3 * bluff, abs=0.02)  # Kuhn's family of equilibria
    assert bluff <= 1 / 3 + 0.02
    assert strategy.of(words["- Q bet"])[1] == pytest.approx(1 / 3, abs=0.02)
    assert strategy.of(words["- J pass"])[1] == pytest.approx(1 / 3, abs=0.02)


@pytest.mark.compiled
def test_leduc_poker() -> None:
    """About -0.0856 for the first player."""
    tree = unfold_position(LEDUC.start)
    assert (tree.histories, tree.infosets) == (9457, 936)
    strategy = solved(tree, "discounted", 500)
    assert strategy.exploitability < 0.001
    assert strategy.values[0] == pytest.approx(-0.0856, abs=2e-4)


SPIEL: dict[str, Any] = {
    "vanilla": spiel_cfr.CFRSolver,
    "plus": spiel_cfr.CFRPlusSolver,
    "linear": discounted_cfr.LCFRSolver,
    "discounted": discounted_cfr.DCFRSolver,
}


@pytest.mark.parametrize("form", SPIEL)
def test_rounds_are_those_of_openspiel(form: str) -> None:
    game = pyspiel.load_game("kuhn_poker")
    theirs, solver = SPIEL[form](game), Solver(unfold_position(KUHN.start), form)
    for rounds in (1, 2, 7, 20):
        while theirs._iteration < rounds:
            theirs.evaluate_and_update_policy()
        *_, last = solver.run(rounds)
        assert last.exploitability == pytest.approx(exploitability.exploitability(game, theirs.average_policy()), abs=1e-9)


@pytest.mark.compiled
def test_exploitability_is_that_of_openspiel() -> None:
    """Of any strategy: here a random one of Leduc poker, each information set of ours being one of theirs."""
    tree, game = unfold_position(LEDUC.start), pyspiel.load_game("leduc_poker")
    strategy = random_strategy(tree, 3)
    theirs = spiel_policy.TabularPolicy(game)
    for info in range(tree.infosets):
        state = game.new_initial_state()
        for move in tree.path(int(tree.sets.node[info])):
            state.apply_action(move)
        row = theirs.action_probability_array[theirs.state_lookup[state.information_state_string()]]
        row[:] = 0.0
        for move, chance in strategy.of(info).items():
            row[move] = chance
    assert strategy.exploitability == pytest.approx(exploitability.exploitability(game, theirs), abs=1e-9)


# --- runs ---


def test_a_run_goes_on_from_its_file(tmp_path: Path) -> None:
    tree, place = unfold_position(KUHN.start), tmp_path / "kuhn.npz"
    first = Solver(tree)
    list(first.run(7))
    first.save(place)
    again = Solver(tree)
    again.resume(place)
    assert again.rounds == 7
    list(again.run(12))
    assert np.array_equal(again.mean().policy, solved(tree, "plus", 12).policy)
    with pytest.raises(kb.InputError, match=r"is of kuhn_poker, of other rules, or of another form"):
        Solver(tree, "vanilla").resume(place)
    for wrong in (b"", place.read_bytes()[:200], b"nothing"):
        place.write_bytes(wrong)
        with pytest.raises(kb.InputError, match="is damaged, or no saved equilibrium"):
            Solver(tree).resume(place)
    Solver(tree).resume(tmp_path / "none.npz")  # begins anew


def test_limits() -> None:
    tree = unfold_position(KUHN.start)
    *_, last = Solver(tree).run(10_000, enough=0.1)
    assert (last.ended, last.exploitability <= 0.1) == ("exploitability", True)
    *_, last = Solver(tree).run(1 << 30, seconds=0.05)
    assert last.ended == "time"
    with pytest.raises(kb.InputError, match="more than 40 histories, too many to unfold"):
        unfold_position(KUHN.start, 40)
    with pytest.raises(kb.InputError, match="hides nothing"):
        unfold_position(kb.load("tictactoe").start)
    with pytest.raises(kb.InputError, match="there is no form 'plu' of CFR; did you mean plus"):
        Solver(tree, "plu")


def test_a_player_that_plays_an_equilibrium(tmp_path: Path) -> None:
    asked = kb.player("cfr(rounds=50)")
    result = asked.search(KUHN.start.play("K", "Q", "bet"))
    assert str(result.move) in ("pass", "bet")
    assert result.table[0].share == pytest.approx(2 / 3, abs=0.1)
    drawn = [kb.search(KUHN.start.play("K", "Q", "bet"), "cfr(rounds=50)", seed=seed).move for seed in range(60)]
    assert 25 < sum(str(move) == "pass" for move in drawn) < 52
    solver = Solver(unfold_position(KUHN.start))
    list(solver.run(50))
    solver.save(tmp_path / "kuhn.npz")
    kept = kb.search(KUHN.start.play("K", "Q", "bet"), f"cfr(file='{tmp_path / 'kuhn.npz'}')")
    assert kept.table[0].share == result.table[0].share
    with pytest.raises(kb.InputError, match="there is too much of it to unfold"):
        kb.search(kb.load("blind_tictactoe").start, "cfr")
    with pytest.raises(kb.InputError, match="there is no such file"):
        kb.search(KUHN.start.play("K", "Q"), "cfr(file='none.npz')")


def test_what_can_be_won_from_a_player() -> None:
    """An equilibrium's player, asked for its moves again and again, is the equilibrium; one that always bets loses as it must."""
    tree = unfold_position(KUHN.start)
    found = measure(tree, kb.player("cfr(rounds=100)"), seeds=300)
    assert found.strategy.exploitability < 0.06
    assert found.searches <= 12 * 300
    bets = Strategy.joined(tree, {info: {1: 1.0} for info in range(12)})
    plain = as_naive(bets)
    assert bets.gains == pytest.approx(
        [naive_hidden.best_reply(KUHN.start, plain, p) - naive_hidden.worth(KUHN.start, plain, p) for p in (0, 1)]
    )


def test_random_lines_are_found_again() -> None:
    tree = unfold_position(KUHN.start)
    rng = Random(1)
    for _ in range(20):
        here = KUHN.start
        while not here.is_over:
            if here.player >= 0:
                info = tree.find(view(here, here.player))
                assert info is not None
                assert tree.moves(info) == list(here.numbers)
            here = here.play(int(rng.choice(here.moves)))
