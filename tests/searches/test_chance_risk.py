"""What may come of each move, risk at the root, and approximate probes that never claim to be exact."""

import itertools
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.core.position.result import Outlook
from tests.searches.chances import GENERAL, placed, trees, worth
from tests.searches.driver import INTERPRETED

EXAMPLES = 10 if INTERPRETED else 80

pytestmark = pytest.mark.long  # many pairs of search and game to compile
TREES = kb.load("trees", tree=GENERAL)
GAMBLES = [
    {"chance": [1, 1], "moves": [-10, 8]},
    -2,
    {"chance": [3, 1], "moves": [[1, 2], [-24, 40]]},
]


def ends(tree: Any, turn: int = 0, chance: float = 1.0) -> list[tuple[float, float]]:
    """Where best play leads: probabilities and the first player's results. Of equal moves the first one is played."""
    if isinstance(tree, int | float):
        return [(chance, float(tree))]
    node = tree if isinstance(tree, dict) else {"moves": tree}
    if "chance" in node:
        total = sum(node["chance"])
        return [e for w, t in zip(node["chance"], node["moves"], strict=True) for e in ends(t, turn, chance * w / total)]
    mover = node.get("player", turn)
    values = [worth(t, turn=1 - mover) for t in node["moves"]]
    best = min(values) if mover else max(values)
    return ends(node["moves"][values.index(best)], 1 - mover, chance)


@settings(max_examples=EXAMPLES)
@given(tree=trees(st.sampled_from([1, 2, 0.5])))
def test_outlooks_on_random_trees(tree: Any) -> None:
    position = placed(TREES, tree)
    result = kb.search(position, "star2(table=0, outlook=true, deepening=false)", depth=30)
    if position.is_chance:
        assert result.outlooks == ()
        return
    moves = tree["moves"] if isinstance(tree, dict) else tree
    mover = position.player
    assert [o.move for o in result.outlooks] == list(position.moves)
    for found, below in zip(result.outlooks, moves, strict=True):
        sign = -1 if mover else 1
        values = [worth(below, turn=1 - mover)]
        assert found.mean == pytest.approx(sign * values[0], rel=1e-9, abs=1e-9)
        assert sum(found.shares) == pytest.approx(1.0)
        told = [(p, sign * v) for p, v in ends(below, 1 - mover)]
        if ties(below, 1 - mover):
            continue  # another best move may lead elsewhere
        square = sum(p * v * v for p, v in told) - found.mean**2
        assert found.spread == pytest.approx(math.sqrt(max(0.0, square)), abs=1e-5)
        assert found.win == pytest.approx(sum(p for p, v in told if v > 0))
        assert found.loss == pytest.approx(sum(p for p, v in told if v < 0))


def ties(tree: Any, turn: int) -> bool:
    """Is there a choice between two moves of (nearly) the same value?"""
    if isinstance(tree, int | float):
        return False
    node = tree if isinstance(tree, dict) else {"moves": tree}
    mover = node.get("player", turn)
    onward = turn if "chance" in node else 1 - mover
    if any(ties(t, onward) for t in node["moves"]):
        return True
    values = sorted(worth(t, turn=onward) for t in node["moves"])
    return "chance" not in node and any(math.isclose(a, b, abs_tol=1e-9) for a, b in itertools.pairwise(values))


@pytest.mark.parametrize(
    ("risk", "margin", "move"), [("neutral", 0.1, "1"), ("hope", 0.1, "3"), ("hope", 0.01, "1"), ("safety", 0.1, "1"), ("both", 0.1, "3")]
)
def test_hope_when_behind(risk: str, margin: float, move: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The means are -1, -2 and -5.25; the third move wins three times in four."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    result = kb.search(placed(TREES, GAMBLES), "star1", risk=risk, margin=margin)
    assert (str(result.move), result.value, result.exact) == (move, -1.0, True)
    assert [o.mean for o in result.outlooks] == ([-1.0, -2.0, -5.25] if risk != "neutral" else [])


def test_safety_when_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    ahead = placed(TREES, [{"chance": [1, 1], "moves": [-10, 18]}, 2, 3])
    for risk, move in (("neutral", "1"), ("hope", "1"), ("safety", "3"), ("both", "3")):
        result = kb.search(ahead, "expectiminimax", risk=risk)
        assert (str(result.move), result.value) == (move, 4.0)


def test_outlooks_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    told = kb.search(placed(TREES, GAMBLES), "star1(outlook=true)").as_dict()["outlooks"]
    assert [(o["move"], o["mean"], o["win"]) for o in told] == [("1", -1.0, 0.5), ("2", -2.0, 0.0), ("3", -5.25, 0.75)]
    assert isinstance(kb.search(placed(TREES, GAMBLES), "star1(outlook=true)").outlooks[0], Outlook)


# --- approximate probes ---


@pytest.mark.parametrize("kind", ["some", "look", "playouts"])
def test_approximate_results_are_never_exact(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    result = kb.search(placed(TREES, GAMBLES), "star1", approximate=kind, confidence=0.9)
    assert result.bound == "estimate"
    assert "at a confidence of 90% each" in result.note


@pytest.mark.skipif(INTERPRETED, reason="thousands of nodes")
@pytest.mark.parametrize(
    "options", ["approximate=some", "approximate=look", "approximate=look, error=0.03", "approximate=playouts, games=4, error=0.05"]
)
def test_approximate_probes_save_work_and_stay_close(options: str) -> None:
    position = kb.load("ewn", setup="123456").start.play("3")
    exact = kb.search(position, "star1(table=0, deepening=false)", depth=4)
    rough = kb.search(position, f"star1(table=0, deepening=false, {options}, confidence=0.8)", depth=4)
    assert rough.leaves is not None
    assert exact.leaves is not None
    assert rough.leaves < exact.leaves
    assert rough.value == pytest.approx(exact.value, abs=0.3)
    again = kb.search(position, f"star1(table=0, deepening=false, {options}, confidence=0.8)", depth=4)
    assert (again.nodes, again.value) == (rough.nodes, rough.value)
