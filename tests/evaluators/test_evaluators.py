"""Evaluators: what they are asked, what they may answer, and what is said of answers that are none."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.evaluators.answer_cache import AnswerCache
from kibitz.evaluators.batch import Batch, Gatherer
from kibitz.evaluators.evaluator import Called, Own
from kibitz.evaluators.network import Network

onnx = pytest.importorskip("onnx", reason="networks for these tests are written with onnx")


@pytest.fixture(scope="module")
def game() -> kb.Game:
    return kb.load("connect4")


def states(game: kb.Game, *texts: str) -> Any:
    return np.array([game.position(text).state for text in texts], game.constants["State"])


def test_a_batch_lists_moves_as_the_game_does(game: kb.Game) -> None:
    batch = Gatherer(game).batch(states(game, "", "4", "444444", "1"))
    assert batch.players.tolist() == [0, 1, 0, 1]
    assert batch.counts.tolist() == [7, 7, 6, 7]
    for i, position in enumerate(batch.positions):
        assert batch.moves[i, : batch.counts[i]].tolist() == [int(m) for m in position.moves]


def test_inputs_show_both_players_stones(game: kb.Game) -> None:
    shown = Gatherer(game).batch(states(game, "", "4", "45")).inputs
    assert shown.shape == (3, 2, 6, 7)
    assert shown.dtype == np.float32
    assert not shown[0].any()
    assert np.argwhere(shown[1]).tolist() == [[1, 0, 3]]  # the other's stone, bottom row, fourth column
    assert np.argwhere(shown[2]).tolist() == [[0, 0, 3], [1, 0, 4]]


def test_the_games_own_opinion(game: kb.Game) -> None:
    asked = states(game, "44", "4455", "333")
    values, weights = Own(game).judge(asked)
    for i, text in enumerate(("44", "4455", "333")):
        position = game.position(text)
        assert values[i] == pytest.approx(game.rule("evaluate")(position.state, position.player))
        assert weights[i, : len(position.moves)] == pytest.approx(1 / len(position.moves))
    assert weights.sum(axis=1) == pytest.approx(1.0)


def test_a_function_is_asked_for_the_whole_batch(game: kb.Game) -> None:
    seen = []

    def centre(batch: Batch) -> tuple[Any, Any]:
        seen.append(len(batch))
        return np.zeros(len(batch)), 1.0 + (batch.moves == 3)

    _, weights = Called(game, centre).judge(states(game, "", "4", "444444"))
    assert seen == [3]
    assert weights[0].tolist() == pytest.approx([2 / 8, *[1 / 8] * 6])  # the game lists the middle first
    assert weights[2, :6].tolist() == pytest.approx([1 / 6] * 6)
    assert weights[2, 6] == 0.0


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda _: None, "it must return two arrays"),
        (lambda _: (np.zeros(3), np.ones((2, 7))), r"the values have the shape \(3,\); it must be \(2,\)"),
        (lambda _: (np.zeros(2), np.ones((2, 6))), r"the weights have the shape \(2, 6\); it must be \(2, 7\)"),
        (lambda _: (np.array([0.0, np.nan]), np.ones((2, 7))), "a value is nan; it must be a number from -1 to 1"),
        (lambda _: (np.array([0.0, 1.5]), np.ones((2, 7))), "a value is 1.5"),
        (lambda _: (np.zeros(2), -np.ones((2, 7))), "none negative"),
        (lambda _: (np.zeros(2), np.zeros((2, 7))), "not all 0"),
        (lambda _: (np.zeros(2), np.full((2, 7), np.nan)), "must be numbers"),
        (lambda _: (np.zeros(2), np.full((2, 7), np.inf)), "must be numbers"),
        (lambda _: ("one", "two"), "it must return two arrays"),
    ],
)
def test_answers_that_are_none(game: kb.Game, answer: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Called(game, answer).judge(states(game, "", "4"))


def test_positions_that_are_over_or_chances_are_refused(game: kb.Game) -> None:
    with pytest.raises(InputError, match="no player is to move"):
        Own(game).judge(states(game, "1212121"))
    pig = kb.load("pig")
    rolled = next(p for p in [pig.start.play(m) for m in pig.start.moves] if p.is_chance)
    with pytest.raises(InputError, match="no player is to move"):
        Gatherer(pig).batch(np.array([rolled.state], pig.constants["State"]))
    with pytest.raises(InputError, match="does not say what a network is shown; write INPUTS and inputs"):
        _ = Gatherer(pig).batch(np.array([pig.start.state], pig.constants["State"])).inputs


def test_no_position_is_asked_about_twice(game: kb.Game) -> None:
    asked: list[int] = []

    def count(batch: Batch) -> tuple[Any, Any]:
        asked.append(len(batch))
        return batch.counts / 10.0, 1.0 + batch.moves

    plain, kept = Called(game, count), AnswerCache(Called(game, count), most=3)
    for texts in (("", "4", ""), ("4", "5"), ("1", "2", "3", "4"), ("5",)):
        mine, theirs = kept.judge(states(game, *texts)), plain.judge(states(game, *texts))
        assert np.array_equal(mine.values, theirs.values)
        assert np.allclose(mine.weights, theirs.weights)
        assert len(kept.places) <= 3
    assert asked[::2] == [2, 1, 3, 1]  # of two that are equal one; "5" had to go when three newer ones came
    assert (kept.asked, kept.known) == (10, 2)


# --- networks ---


def written(path: Path, policy: int = 7, planes: int = 2, batch: Any = "batch", names: tuple[str, str] = ("policy", "value")) -> Path:
    """A network whose policy and value are sums over the planes with fixed weights."""
    make, floats = onnx.helper, onnx.TensorProto.FLOAT
    rng = np.random.default_rng(1)
    size = planes * 42
    weights = [
        onnx.numpy_helper.from_array(rng.normal(size=(size, policy)).astype(np.float32), "to_policy"),
        onnx.numpy_helper.from_array((rng.normal(size=(size, 1)) / 100).astype(np.float32), "to_value"),
    ]
    nodes = [
        make.make_node("Flatten", ["board"], ["flat"], axis=1),
        make.make_node("MatMul", ["flat", "to_policy"], [names[0]]),
        make.make_node("MatMul", ["flat", "to_value"], ["sum"]),
        make.make_node("Tanh", ["sum"], [names[1]]),
    ]
    graph = make.make_graph(
        nodes,
        "net",
        [make.make_tensor_value_info("board", floats, [batch, planes, 6, 7])],
        [make.make_tensor_value_info(names[0], floats, [batch, policy]), make.make_tensor_value_info(names[1], floats, [batch, 1])],
        weights,
    )
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=9)
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize("names", [("policy", "value"), ("a", "b")])
def test_a_network_says_what_its_numbers_say(game: kb.Game, tmp_path: Path, names: tuple[str, str]) -> None:
    network = Network(game, written(tmp_path / "net.onnx", names=names))
    asked = states(game, "4", "444444", "1234567")
    values, weights = network.judge(asked)
    rng = np.random.default_rng(1)
    to_policy, to_value = rng.normal(size=(84, 7)), rng.normal(size=(84, 1)) / 100
    shown = network.gatherer.batch(asked).inputs.reshape(3, -1)
    for i, position in enumerate(network.gatherer.batch(asked).positions):
        logits = (shown[i] @ to_policy)[[int(m) for m in position.moves]]
        expected = np.exp(logits) / np.exp(logits).sum()
        assert weights[i, : len(expected)] == pytest.approx(expected, rel=1e-4)
        assert values[i] == pytest.approx(np.tanh(shown[i] @ to_value)[0], abs=1e-5)


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"policy": 9}, "its policy has 9 outputs; connect4 has 7 slots"),
        ({"policy": 9, "names": ("a", "b")}, "no outputs called policy and value"),
        ({"planes": 3}, r"its input has the shape \(batch, 3, 6, 7\); connect4 shows \(batch, 2, 6, 7\)"),
        ({"batch": 4}, "it takes batches of 4 only"),
    ],
)
def test_networks_that_do_not_fit(game: kb.Game, tmp_path: Path, form: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Network(game, written(tmp_path / "net.onnx", **form))


def test_files_that_are_no_networks(game: kb.Game, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no network"):
        Network(game, tmp_path / "none.onnx")
    (tmp_path / "bad.onnx").write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match="is no network that onnxruntime can load"):
        Network(game, tmp_path / "bad.onnx")
