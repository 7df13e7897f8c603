"""Pig: the value of optimal play, the rules' fine print, text, and games in step with OpenSpiel."""

import random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from kibitz.core.checking.conformance import check
from kibitz.core.compiling.binder import game
from kibitz.core.errors import InputError
from kibitz.core.measuring.random_games import random_games
from kibitz.core.position.game import Game, Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.rules import CHANCE
from kibitz.core.records.record import blank, record

GAME = load("pig")
SHORT = load("pig", target=10)


# --- the value of optimal play ---


def sweep(w: Any, chances: Any, target: int) -> float:
    """Improve the mover's chance of winning for all scores and totals, by the game's own rules; returns the largest change.

    `chances[mine, theirs, total]`: the mover is always the first player here.
    """
    change = 0.0
    for mine in range(target - 1, -1, -1):
        for theirs in range(target - 1, -1, -1):
            for total in range(target - 1 - mine, -1, -1):
                w.first.scores[0], w.first.scores[1], w.first.total = mine, theirs, total
                w.first.turn, w.first.rolling = 0, 0
                best = 0.0
                for i in range(game.moves(w.first, w.choices)):
                    w.second = w.first
                    game.play(w.second, w.choices[i])
                    best = max(best, chance_of(w, chances, target))
                change = max(change, abs(best - chances[mine, theirs, total]))
                chances[mine, theirs, total] = best
    return change


def chance_of(w: Any, chances: Any, target: int) -> float:
    """The first player's chance in `w.second`."""
    if game.player(w.second) != CHANCE:
        return settled(w.second, chances, target)
    n, total = game.outcomes(w.second, w.choices_of_chance, w.weights), 0.0
    for i in range(n):
        w.third = w.second
        game.play(w.third, w.choices_of_chance[i])
        total += settled(w.third, chances, target)
    return total / n


def settled(s: Any, chances: Any, target: int) -> float:
    """The first player's chance where no die is in the air; who has enough has won."""
    if s.scores[0] + (s.total if s.turn == 0 else 0) >= target:
        return 1.0
    if s.turn == 0:
        return chances[s.scores[0], s.scores[1], s.total]  # type: ignore[no-any-return]
    return 1.0 - chances[s.scores[1], s.scores[0], s.total]  # type: ignore[no-any-return]


def best_chance(solved: Game, target: str | None = None) -> float:
    """The first player's chance of winning with optimal play on both sides."""
    state, points = solved.constants["State"], int(solved.parameters["target"])
    w = blank(
        record(first=state, second=state, third=state, choices=(np.int32, 2), choices_of_chance=(np.int32, 20), weights=(np.float64, 20))
    )
    kernel = solved.bind(sweep, target=target, label="value iteration")
    chances = np.full((points, points, points), 0.5)
    while kernel(w, chances, points) > 1e-10:
        pass
    return float(chances[0, 0, 0])


@pytest.mark.compiled
def test_the_first_player_wins_with_optimal_play() -> None:
    assert best_chance(GAME) == pytest.approx(0.530592725, abs=5e-10)


def test_compiled_and_interpreted_agree() -> None:
    tiny = load("pig", target=5, sides=3)
    assert best_chance(tiny, "python") == pytest.approx(best_chance(tiny), abs=1e-12)


# --- rules ---


def test_a_turn() -> None:
    position = GAME.position("roll 6 roll 4 hold")
    assert position == from_board(GAME, "A 10 / B 0 / B has 0 this turn")
    assert position.play("roll", "5", "roll", "1") == from_board(GAME, "A 10 / B 0 / A has 0 this turn")
    assert position.play("roll").chances == (1 / 6,) * 6


def test_who_has_enough_can_only_hold() -> None:
    position = SHORT.position("roll 6 roll 4")
    assert [str(m) for m in position.moves] == ["hold"]
    won = position.play("hold")
    assert won.is_over
    assert (won.utility(0), won.utility(1)) == (1.0, -1.0)


def test_a_horizon_draws() -> None:
    position = load("pig", horizon=4).start.play("hold", "hold", "hold")
    assert position.play("hold").utility(0) == 0.0
    assert position.play("roll").is_over  # as in OpenSpiel, where the last roll is not even made


def test_more_players_take_turns_and_share_the_loss() -> None:
    position = load("pig", players=3, target=5).position("hold hold roll 6 hold")
    assert [position.utility(p) for p in range(3)] == [-0.5, -0.5, 1.0]


def test_random_games_end_long_before_the_limit() -> None:
    for parameters in ({}, {"sides": 2}, {"players": 6, "sides": 2, "target": 40}):
        found = random_games(load("pig", **parameters).start, 300, seed=1)
        assert found.unfinished == 0
        assert found.plies / 300 < load("pig", **parameters).constants["MAX_PLIES"] / 5


# --- knowledge ---


def test_evaluation_is_a_chance_of_winning() -> None:
    evaluate = GAME.rule("evaluate")
    for text in ("A 0 / B 0 / A has 0 this turn", "A 50 / B 30 / B rolls, 12 so far", "A 90 / B 99 / A has 9 this turn"):
        s = from_board(GAME, text).state
        assert evaluate(s, 0) == pytest.approx(-evaluate(s, 1))
        assert -1 < evaluate(s, 0) < 1
    assert evaluate(GAME.start.state, 0) == pytest.approx(2 * 0.5306 - 1, abs=0.05)
    assert evaluate(from_board(GAME, "A 90 / B 0 / A has 10 this turn").state, 0) > 0.99
    three = load("pig", players=3)
    s = from_board(three, "A 50 / B 30 / C 10 / B has 3 this turn").state
    assert sum(three.rule("evaluate")(s, p) for p in range(3)) == pytest.approx(0)


def test_hold_at_twenty() -> None:
    policy, order = GAME.rule("policy"), GAME.rule("order")
    for total, favourite in ((0, 0), (19, 0), (20, 1), (40, 1)):
        s = from_board(GAME, f"A 10 / B 0 / A has {total} this turn").state
        out = np.zeros(2)
        policy(s, np.array([0, 1]), 2, out)
        assert out[favourite] > out[1 - favourite] > 0
        assert order(s, favourite) > order(s, 1 - favourite)


# --- text ---


@pytest.mark.parametrize("parameters", [{}, {"players": 3}, {"horizon": 12, "target": 20}])
def test_every_position_of_some_games_reads_back(parameters: dict[str, int]) -> None:
    chooser, position = random.Random(2), load("pig", **parameters).start
    while True:
        assert from_board(position.game, position.show()) == position
        assert from_board(position.game, " / ".join(position.show().splitlines())) == position
        if position.is_over:
            break
        position = position.play(chooser.choice(position.moves))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a position is 'A 12 / B 12 / A has 8 this turn'"),
        ("A 1 / B 2 / C has 0 this turn", "a position is"),
        ("A 1 / A has 0 this turn", "a position is"),
        ("A 1 / B 120 / A has 0 this turn", "no score or total is above 106"),
        ("A 100 / B 2 / A has 0 this turn", "by the rules it is 'A has won'"),
        ("A 100 / B 100 / A has won", "cannot be"),
        ("A 1 / B 2 / drawn", "by the rules it is 'A has 0 this turn'"),
        ("A 95 / B 2 / A rolls, 5 so far", "A has enough to win, and does not roll"),
    ],
)
def test_bad_positions(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_board(GAME, text)
    assert "\n" not in str(caught.value)


def test_picture() -> None:
    picture = ElementTree.fromstring(from_board(GAME, "A 50 / B 30 / B has 12 this turn").draw())
    assert len(picture.findall("{*}line")) == 2 + 2 + 1  # tracks, scores, the turn's total


# --- conformance and a second opinion ---


@pytest.mark.parametrize("parameters", [{}, {"players": 3, "sides": 3, "target": 12, "horizon": 20}])
def test_conformance(parameters: dict[str, int]) -> None:
    assert not check(load("pig", **parameters), games=30).failures


@pytest.mark.parametrize(
    ("parameters", "games"),
    [
        ({"target": 100, "sides": 6, "players": 2, "horizon": 1000}, 15),
        ({"target": 30, "sides": 4, "players": 3, "horizon": 40}, 40),
        ({"target": 12, "sides": 6, "players": 2, "horizon": 1000}, 60),
    ],
)
def test_whole_games_in_step_with_openspiel(parameters: dict[str, int], games: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs_of = {"target": "winscore", "sides": "diceoutcomes", "players": "players", "horizon": "horizon"}
    other = pyspiel.load_game(f"pig({','.join(f'{theirs_of[name]}={value}' for name, value in parameters.items())})")
    for seed in range(games):
        in_step(other.new_initial_state(), load("pig", **parameters).start, random.Random(seed))


def in_step(theirs: Any, ours: Position, chooser: random.Random) -> None:
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            assert ours.chances == tuple(chance for _, chance in theirs.chance_outcomes())
            shift = 1  # their rolls count from 0
        else:
            assert ours.player == theirs.current_player()
            shift = 0
        assert [int(m) - shift for m in ours.moves] == theirs.legal_actions()
        action = chooser.choice(theirs.legal_actions())
        theirs.apply_action(action)
        ours = ours.play(action + shift)
    assert ours.is_over
    assert [ours.utility(p) for p in range(ours.game.players)] == theirs.returns()
