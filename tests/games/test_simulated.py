"""Simulated trees: what is drawn has the statistics that the paper asks for; the same path is the same node; the truth stays where it belongs."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load

SIMULATED = load("simulated")


def root(game: Any = SIMULATED, **parameters: float) -> Position:
    return from_board(game, " ".join(f"{name}={value}" for name, value in {"tree": 0, **parameters}.items()))


def true(position: Position) -> float:
    """The true value for the player to move."""
    return 1.0 / (1.0 + math.exp(-position.state.logit))


def evaluation(position: Position) -> float:
    return float(position.game.rule("evaluate")(position.state, position.player))


def policy(position: Position, moves: list[int]) -> np.ndarray:
    out = np.zeros(len(moves))
    position.game.rule("policy")(position.state, moves, len(moves), out)
    return out


def drawn(what: Any, number: int, **parameters: float) -> np.ndarray:
    """Something of the roots of a number of trees."""
    return np.array([what(root(tree=tree, **parameters)) for tree in range(number)])


# --- the statistics ---


def test_number_of_moves() -> None:
    """Normal around the mean of m_mean and the parent's, the nearest whole number from 1 to m_max."""
    counts = drawn(lambda p: len(p.moves), 600, m_root=50, m_mean=30)
    assert counts.mean() == pytest.approx(40.0, abs=4 * 5 / math.sqrt(600))
    assert counts.std() == pytest.approx(5.0, abs=0.7)
    after = drawn(lambda p: len(p.play(0).moves) - 0.5 * (30 + len(p.moves)), 400, m_root=10)
    assert after.mean() == pytest.approx(0.0, abs=4 * 5 / math.sqrt(400))
    assert set(drawn(lambda p: len(p.moves), 50, m_sd=0)) == {30}
    assert set(drawn(lambda p: len(p.moves), 50, m_root=1, m_mean=1, m_sd=30, m_max=3)) == {1, 2, 3}


@pytest.mark.parametrize(("t_root", "scale"), [(0.5, 0.2), (0.9, 0.4), (0.1, 0.1)])
def test_true_values(t_root: float, scale: float) -> None:
    """The first move keeps its parent's value; the log-odds of the others grow by exponential draws of mean t_scale / sqrt(moves)."""
    gaps = []
    for tree in range(20):
        position = root(tree=tree, t_root=t_root, t_scale=scale, m_sd=0.0)
        values = [position.play(move).state.logit for move in position.moves]
        assert true(position) == pytest.approx(t_root)
        assert true(position.play(0)) == pytest.approx(1.0 - t_root)
        assert all(b > a for a, b in itertools.pairwise(values))
        gaps += list(np.diff(values) * math.sqrt(len(values)) / scale)
    assert np.mean(gaps) == pytest.approx(1.0, abs=4 / math.sqrt(len(gaps)))
    assert np.mean(np.array(gaps) > 1.0) == pytest.approx(math.exp(-1.0), abs=0.08)


def test_the_best_line_keeps_the_value_of_the_root() -> None:
    position = root(t_root=0.7)
    for ply in range(12):
        assert true(position) == pytest.approx(0.7 if ply % 2 == 0 else 0.3)
        position = position.play(0)


def noise(position: Position) -> float:
    """x': by how much the log-odds of the evaluation are below the true ones."""
    v = evaluation(position)
    return float(position.state.logit - math.log(v / (1.0 - v)))


@pytest.mark.parametrize("freedom", [2.0, 3.0, 4.0])
def test_noise_is_students(freedom: float) -> None:
    """The quartiles of Student's t for 2, 3 and 4 degrees of freedom; and its tails."""
    xs = np.array([noise(p.play(m)) for p in (root(tree=t, e_df=freedom, e_ch=0.5) for t in range(40)) for m in p.moves]) / 0.5
    quartile = {2.0: 0.816497, 3.0: 0.764892, 4.0: 0.740697}[freedom]
    assert np.mean(xs < quartile) == pytest.approx(0.75, abs=4 * math.sqrt(0.1875 / len(xs)))
    assert np.mean(xs < 0.0) == pytest.approx(0.5, abs=4 * math.sqrt(0.25 / len(xs)))
    beyond = {2.0: 4.302653, 3.0: 3.182446, 4.0: 2.776445}[freedom]
    assert np.mean(np.abs(xs) > beyond) == pytest.approx(0.05, abs=4 * math.sqrt(0.0475 / len(xs)))


def test_noise_is_inherited_from_the_parents_own() -> None:
    """(12): x' = (x - e_par x*) / sqrt(1 + e_par^2), where x* is the parent's x before that, and the root's is 0."""
    for tree in range(5):
        alone, inheriting = root(tree=tree), root(tree=tree, e_par=5.0)
        for move in (0, 3):
            child, own = inheriting.play(move), noise(alone.play(move))
            assert noise(child) == pytest.approx(own / math.sqrt(26.0), abs=1e-9)
            below = noise(alone.play(move).play(2))
            assert noise(child.play(2)) == pytest.approx((below - 5.0 * own) / math.sqrt(26.0), abs=1e-9)
    assert evaluation(root(t_root=0.3)) == pytest.approx(0.3)


def test_policy() -> None:
    """Without noise exp(-p_sm t); with it, the noise is as much as asked for, and has its share of the evaluation's."""
    exact = root(p_ch=0.0, p_eval=0.0)
    moves = [int(m) for m in exact.moves]
    assert policy(exact, moves) == pytest.approx([math.exp(-10.0 * true(exact.play(m))) for m in moves])
    shared = root(p_ch=0.0, p_eval=0.3)
    ys = [-math.log(p) / 10.0 for p in policy(shared, moves)]
    for m, y in zip(moves, ys, strict=True):
        child = shared.play(m)
        assert child.state.logit - math.log(y / (1.0 - y)) == pytest.approx(0.3 * noise(child), abs=1e-9)
    independent = np.array(
        [math.log((1.0 - y) / y) + q.state.logit for p in (root(tree=t, p_eval=0.0, p_ch=0.3, p_df=2.0) for t in range(20)) for m in p.moves
         for q, y in [(p.play(m), -math.log(policy(p, [int(m)])[0]) / 10.0)]]
    ) / 0.3  # fmt: skip
    assert np.mean(np.abs(independent) < 0.816497) == pytest.approx(0.5, abs=0.09)


def test_policy_of_moves_in_any_order() -> None:
    position = root(tree=3)
    moves = [int(m) for m in position.moves]
    weights = dict(zip(moves, policy(position, moves), strict=True))
    backwards = moves[::-1]
    assert list(policy(position, backwards)) == [weights[m] for m in backwards]
    assert list(policy(position, [7, 2])) == [weights[7], weights[2]]


# --- paths ---


def test_same_path_same_node() -> None:
    one, again, other = root(tree=5), load("simulated", tree=5).start, root(tree=6)
    assert one.data == again.data
    line = [0, 4, 1]
    assert one.after_line(line).data == again.after_line(line).data
    assert one.after_line(line).data != one.after_line([4, 0, 1]).data
    assert evaluation(one.play(0)) != evaluation(other.play(0))
    assert from_board(SIMULATED, one.after_line(line).show()) == one.after_line(line)


def test_shuffled_moves_are_the_same_moves() -> None:
    shuffled = root(load("simulated", order="shuffled"), tree=5)
    plain = root(tree=5)
    assert sorted(int(m) for m in shuffled.moves) == [int(m) for m in plain.moves]
    assert [int(m) for m in shuffled.moves] != [int(m) for m in plain.moves]
    assert [int(m) for m in shuffled.play(2).moves] != [int(m) for m in shuffled.moves]
    assert evaluation(shuffled.play(3)) == evaluation(plain.play(3))


def test_the_game_stops_with_its_true_value() -> None:
    position = root(load("simulated", depth=3), t_root=0.7)
    for _ in range(3):
        position = position.play(0)
    assert position.is_over
    assert position.utility(1) == pytest.approx(0.3)
    assert position.utility(0) + position.utility(1) == 1.0


@pytest.mark.parametrize(
    "parameters", [{}, {"m_max": 2, "m_mean": 2, "m_root": 2, "m_sd": 0}, {"order": "shuffled", "e_df": 1, "e_ch": 10}]
)
def test_conformance(parameters: dict[str, Any]) -> None:
    assert not check(load("simulated", depth=20, **parameters), games=20).failures


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tree=-1", "'tree=-1': must be a number from 0 to"),
        ("tree=1 t_root=1", "'t_root=1': must be a number from 0.001 to 0.999"),
        ("tree=1 e_df=x", "'e_df=x': must be a number from 1 to 1000"),
        ("tree=1 m_max=101", "m_max at most 100 in this game"),
        ("tree=1 ply=2", "'tree=1' is not FIELD=VALUE"),
    ],
)
def test_positions_that_are_none(text: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        from_board(SIMULATED, text)
    assert says in str(error.value)


def test_parameters_that_cannot_be() -> None:
    with pytest.raises(InputError, match="parameter e_df=0: must be a number from 1 to 1000"):
        load("simulated", e_df=0)
