"""What evaluations are made of: sums, phases, squashing; compiled as interpreted; and where a game's weights come from."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.core.checking import evaluation_check
from kibitz.core.compiling.binder import bind
from kibitz.core.measuring import random_games
from kibitz.core.position.game import Game
from kibitz.core.protocol import evaluation, weights
from kibitz.core.protocol.evaluation import both, chance_of, compared, ended, linear, listed, squashed, tapered
from kibitz.core.records import random
from kibitz.core.records.random import Rng
from kibitz.core.records.record import blank
from kibitz.core.running.control import NO_LIMIT

RANGES = ((-1.0, 1.0), (-64.0, 64.0), (0.0, 1.0), (-3.0, 100.0))
FINITE = st.floats(-1e300, 1e300)

OPENING, ENDING = (0.0, 2.0, 0.5, -3.0), (1.0, 2.0, 0.0, 4.0)


# --- the helpers, as a game uses them ---


def mixed(a, b):
    """Features of three types."""
    return (a, b, 0.5 * a, np.int16(7))


def all_helpers(a, b, phase, out):
    values = mixed(a, b)
    listed(values, out)
    compared(values, mixed(b, a), out[4:])
    out[8] = linear(values, OPENING)
    out[9] = tapered(values, (OPENING, ENDING), phase)
    out[10] = both(a, b)
    out[11] = squashed(out[9], -64.0, 64.0)
    out[12] = chance_of(out[9], -1.0, 1.0)
    out[13] = ended(float(a), -64.0, 64.0)


def by_hand(a: int, b: int, phase: float) -> list[float]:
    """The same from the definitions."""
    values, others = (a, b, a / 2, 7), (b, a, b / 2, 7)
    blended = sum(((1 - phase) * o + phase * e) * v for o, e, v in zip(OPENING, ENDING, values, strict=True))
    return [
        *values,
        *(x - y for x, y in zip(values, others, strict=True)),
        sum(o * v for o, v in zip(OPENING, values, strict=True)),
        blended,
        float(a > 0 and b > 0),
        64 * blended / (64 + abs(blended)),
        np.tanh(blended),
        a * (1 - 2.0**-30),
    ]


@pytest.mark.parametrize("target", [pytest.param("cpu", marks=pytest.mark.compiled), "python"])
def test_helpers_are_what_they_say(target: str) -> None:
    kernel = bind(all_helpers, {}, "helpers", target=target)
    for a, b, phase in ((3, -2, 0.0), (-5, 4, 1.0), (1, 1, 0.25), (0, 0, 0.5), (2, 9, 0.8)):
        out = np.zeros(14)
        kernel(a, b, phase, out)
        assert out == pytest.approx(by_hand(a, b, phase), rel=1e-6, abs=1e-12)


@pytest.mark.compiled
@settings(max_examples=200)
@given(a=st.integers(-50, 50), b=st.integers(-50, 50), phase=st.floats(0.0, 1.0))
def test_compiled_and_interpreted_are_equal_to_the_bit(a: int, b: int, phase: float) -> None:
    one, other = np.zeros(14), np.zeros(14)
    bind(all_helpers, {}, "helpers", target="cpu")(a, b, phase, one)
    bind(all_helpers, {}, "helpers", target="python")(a, b, phase, other)
    assert one[:12].tolist() == other[:12].tolist()
    assert one == pytest.approx(other, rel=1e-14)  # the exponential may differ in its last bit


@pytest.mark.parametrize("squash", [squashed, chance_of])
@pytest.mark.parametrize("bounds", RANGES)
@settings(max_examples=200)
@given(one=FINITE, other=FINITE)
def test_squashed_sums_stay_inside_and_in_order(
    squash: Callable[[float, float, float], float], bounds: tuple[float, float], one: float, other: float
) -> None:
    low, high = bounds
    assert (
        low
        < ended(low, low, high)
        < squash(min(one, other), low, high)
        <= squash(max(one, other), low, high)
        < ended(high, low, high)
        < high
    )


@pytest.mark.parametrize("squash", [squashed, chance_of])
@pytest.mark.parametrize("bounds", RANGES)
def test_squashing_begins_in_the_middle_as_steep_as_the_sum(
    squash: Callable[[float, float, float], float], bounds: tuple[float, float]
) -> None:
    low, high = bounds
    small = 1e-6 * (high - low)
    assert squash(0.0, low, high) == pytest.approx(0.5 * (low + high))
    assert squash(small, low, high) - squash(-small, low, high) == pytest.approx(2 * small, rel=1e-4)
    steps = [squash(x * (high - low) / 8, low, high) for x in range(-24, 25)]
    assert steps == sorted(set(steps))


def test_an_empty_range_has_one_value() -> None:
    assert squashed(0.0, -0.0, 0.0) == 0.0


# --- where weights come from ---

WEIGHED = '''"""Take one or two."""
import numpy as np
from kibitz import OVER, evaluation, record
State = record(heap=np.int16, turn=np.int8)
PLAYERS, MAX_MOVES, MAX_PLIES = 2, 2, 9
VALUES = (-1.0, 1.0)
FEATURES = ("turn", "heap")
WEIGHTS = evaluation.fitted(__file__, FEATURES, (0.25, 0.0))
def start(s):
    s.heap = 9
def player(s):
    return OVER if s.heap == 0 else s.turn
def moves(s, out):
    out[0], out[1] = 1, 2
    return min(2, s.heap)
def play(s, move):
    s.heap, s.turn = s.heap - move, 1 - s.turn
def utility(s, player):
    return -1.0 if player == s.turn else 1.0
def measured(s, player):
    sign = 1 if player == s.turn else -1
    return (sign, sign * s.heap / 9)
def features(s, player, out):
    evaluation.listed(measured(s, player), out)
def evaluate(s, player):
    return evaluation.squashed(evaluation.linear(measured(s, player), WEIGHTS), VALUES[0], VALUES[1])
'''


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    path = tmp_path / "taking.py"
    path.write_text(WEIGHED)
    return path


def loaded(path: Path, **parameters: Any) -> Any:
    return kb.load(str(path), **parameters).constants["WEIGHTS"]


def test_weights_of_a_users_game(game_file: Path) -> None:
    assert loaded(game_file) == (0.25, 0.0)  # nothing is fitted yet
    weights.write(weights.beside(game_file), "taking", ("turn", "heap"), (0.5, 1 / 3), {"games": 7})
    kb.core.position.loading.forget()  # type: ignore[attr-defined]
    assert loaded(game_file) == (0.5, 0.333333)
    assert loaded(game_file, weights="start") == (0.25, 0.0)
    assert loaded(game_file, weights="none") == (0.0, 0.0)
    other = game_file.with_name("other.json")
    weights.write(other, "taking", ("turn", "heap"), (-2.0, 4.0), {})
    assert loaded(game_file, weights=str(other)) == (-2.0, 4.0)
    assert not list(game_file.parent.glob("*.json.*"))  # no temporary files left


def test_the_weights_count(game_file: Path) -> None:
    start = kb.load(str(game_file)).start
    values = [kb.load(str(game_file), weights=w).rule("evaluate")(start.state, 0) for w in ("start", "none")]
    assert values == [0.2, 0.0]
    assert kb.load(str(game_file), weights="start") != kb.load(str(game_file), weights="none")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.replace("0.5", "0.6"), "is damaged, or no file of weights; make it again"),
        (lambda _: "{", "is damaged"),
        (lambda t: t, "has weights for other features than the game's (turn, heap); fit them again with kibitz tune eval"),
    ],
)
def test_files_that_will_not_do(game_file: Path, change: Callable[[str], str], message: str) -> None:
    path = weights.beside(game_file)
    weights.write(path, "taking", ("turn", "heap") if "damaged" in message else ("turn", "pile"), (0.5, 0.5), {})
    path.write_text(change(path.read_text()))
    with pytest.raises(kb.InputError) as caught:
        loaded(game_file, weights=str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"features": ["turn", "heap"], "weights": [[1.0, 2.0], [3.0, 4.0]]}, "has two rows of weights, the game wants another number"),
        ({"features": ["turn", "heap"], "weights": [1.0, 2.0, 3.0]}, "must be one number for each of the 2 features"),
        ({"features": ["turn", "heap"], "weights": ["one", 2.0]}, "must be one number for each of the 2 features"),
        ({"features": ["turn", "heap"]}, "holds no weights"),
        ([], "holds no weights"),
    ],
)
def test_contents_that_will_not_do(game_file: Path, content: Any, message: str) -> None:
    from kibitz.core.files import write_json

    path = game_file.with_name("strange.json")
    write_json(path, content)
    with pytest.raises(kb.InputError) as caught:
        loaded(game_file, weights=str(path))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("strat", "weights=strat: must be fitted, start, none or the path of a .json file"),
        ("gone.json", "cannot read gone.json: No such file"),
    ],
)
def test_weights_that_are_not_there(game_file: Path, given: str, message: str) -> None:
    with pytest.raises(kb.InputError) as caught:
        loaded(game_file, weights=given)
    assert message in str(caught.value)


def test_weights_to_start_from_must_fit(game_file: Path) -> None:
    game_file.write_text(WEIGHED.replace("(0.25, 0.0)", "(0.25, 0.0, 1.0)"))
    with pytest.raises(kb.RulesError, match="the weights to start from: must be one number for each of the 2 features"):
        loaded(game_file)


def test_files_are_readable_and_checked() -> None:
    for name in ("othello", "connect4", "breakthrough", "kalah"):
        path = weights.beside(Path(kb.games.__path__[0]) / f"{name}.py")  # type: ignore[attr-defined]
        content = json.loads(path.read_text())["content"]
        game = kb.load(name)
        assert weights.checked(content["weights"], content["features"], name) == game.constants["WEIGHTS"]
        assert content["how"]["after"]["log_loss"] < content["how"]["before"]["log_loss"]


# --- what `kibitz check` says of evaluations ---

WRONG = {
    "evaluation not opposite": ("return evaluation.squashed(", "return 0.1 + evaluation.squashed(", "evaluate: said"),
    "feature not opposite": ("return (sign, sign", "return (1, sign", "'turn' is 1.0 for player 0 and 1.0 for player 1"),
    "too few": ("    evaluation.listed(measured(s, player), out)", "    out[0] = 0.0", "numbers than FEATURES has names"),
    "too many": ("    evaluation.listed(measured(s, player), out)", "    out[:] = 0.0", "numbers than FEATURES has names"),
    "no features": ("def features", "def featured", "FEATURES and features(s, player, out) go together"),
    "phase out of range": ("def features", "def phase(s):\n    return 2.0\ndef features", "phase: returned 2.0"),
    "phase without rows": (
        "def features",
        "def phase(s):\n    return 0.5\ndef features",
        "two rows of weights go with a function phase(s)",
    ),
    "above the best case": ("def features", "def best_case(s, player):\n    return 0.0\ndef features", "above best_case, 0.0"),
    "not by the key": ("def features", "def key(s):\n    return np.uint64(7)\ndef features", "in a position with the same key"),
    "weights missing": ("WEIGHTS)", "(0.25, 0.0))", ""),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_knowledge_that_does_not_hang_together(game_file: Path, mistake: str) -> None:
    right, wrong, words = WRONG[mistake]
    assert WEIGHED.count(right) == 1
    game_file.write_text(WEIGHED.replace(right, wrong))
    game = kb.load(str(game_file))
    positions = [game.start, game.position("1"), game.position("1 2"), game.position("2 1")]
    found = [f"{function}: {problem}" for function, problem, _, _ in evaluation_check.problems(game, [(p.state, []) for p in positions])]
    assert bool(found) == bool(words)
    assert any(words in line for line in found) or not words


# --- finished games ---

EVALUATED = [name for name in kb.shipped() if kb.load(name).defines("evaluate")]


def finished(game: Game, games: int) -> list[Any]:
    """The last positions of random games."""
    kernel = game.bind(random_games.playouts, label="random games")
    w, rng = blank(random_games.workspace(game.constants)), blank(Rng)
    w.root, w.control.limit = game.start.state, NO_LIMIT
    with np.errstate(over="ignore"):
        random.seed(rng, 5, 0)
    found = []
    for _ in range(games):
        kernel(w, rng, 1)
        if game.rule("player")(w.state) == kb.OVER:
            found.append(w.state.copy())
    return found


@pytest.mark.compiled
@pytest.mark.parametrize("name", EVALUATED)
def test_evaluations_order_finished_games_as_utilities_do(name: str) -> None:
    """Of any two finished games that differ in who won, or in whether somebody did, the better one for a player has the higher evaluation: every
    game won is evaluated above every game drawn, and every one drawn above every one lost. (Searches never ask: they know the utility.)"""
    game = kb.load(name)
    middle = 0.5 * sum(game.constants["VALUES"])
    ends = finished(game, 60)
    assert ends
    for player in range(game.players):
        evaluated: dict[float, list[float]] = {-1.0: [], 0.0: [], 1.0: []}
        for s in ends:
            won = float(np.sign(game.rule("utility")(s, player) - middle))
            evaluated[won].append(float(game.rule("evaluate")(s, player)))
        lost, drawn, won_ = evaluated[-1.0], evaluated[0.0], evaluated[1.0]
        for worse, better in ((lost, drawn), (drawn, won_), (lost, won_)):
            assert not worse or not better or max(worse) < min(better)


def test_the_public_names_are_there() -> None:
    assert all(callable(getattr(evaluation, name)) for name in evaluation.__all__)
