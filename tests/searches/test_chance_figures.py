"""Chance nodes in figures: the recurrences of the sources against direct sums, their examples and their errata, seen in what the engine writes down."""

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.core.compiling.binder import bind
from kibitz.core.records.record import blank
from kibitz.searches import trace
from kibitz.searches.chance import expectation
from kibitz.searches.chance.family import Search
from kibitz.searches.method import method
from tests import naive
from tests.searches.chances import placed, searcher, trees, uniform_trees

ARITHMETICS = {
    "uniform": {"EQUAL": True, "SHARES": False},
    "weighted": {"EQUAL": False, "SHARES": False},
    "general": {"EQUAL": False, "SHARES": True},
}
LOW, HIGH = -10.0, 10.0
BASE = '[{"chance": [1, 1], "moves": [2.5, 3]}]'


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handful of nodes each: not worth a compilation. Compiled, the same kernels are held against the oracle elsewhere."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")


class Node:
    """A chance node whose outcomes become known one after another, with the kernel's own arithmetic."""

    def __init__(self, kind: str, weights: list[float], low: float = LOW, high: float = HIGH) -> None:
        flags = {**ARITHMETICS[kind], "PRUNE": True, "INSIDE": True, "CUTS": True}
        self.ask = {f: bind(getattr(expectation, f), {}, f, flags, "python") for f in ("window", "narrow", "mean", "weighted")}
        self.f, total = blank(expectation.Fork), sum(weights)
        self.outcomes = []
        for weight in weights:
            o = blank(expectation.Outcome)
            o.weight, o.low, o.high = weight / total if kind == "general" else weight, low, high
            self.outcomes.append(o)
        self.f.count, self.f.total = len(weights), 1.0 if kind == "general" else total
        self.f.low = sum(self.ask["weighted"](o, o.low) for o in self.outcomes)
        self.f.high = sum(self.ask["weighted"](o, o.high) for o in self.outcomes)

    def learn(self, i: int, low: float, high: float) -> None:
        self.ask["narrow"](self.f, self.outcomes[i], low, high)

    @property
    def bounds(self) -> tuple[float, float]:
        return self.ask["mean"](self.f, self.f.low), self.ask["mean"](self.f, self.f.high)

    def window(self, i: int, alpha: float, beta: float) -> tuple[float, float]:
        found: tuple[float, float] = self.ask["window"](self.f, self.outcomes[i], alpha, beta)
        return found


def drawn(kind: str, seed: int) -> tuple[list[float], list[float], float, float]:
    """Weights, values and a window."""
    r = random.Random(seed)
    n = r.randint(2, 7)
    weights = [{"uniform": 1.0, "weighted": float(r.randint(1, 6)), "general": r.uniform(0.1, 3)}[kind] for _ in range(n)]
    alpha = r.uniform(LOW, HIGH - 1)
    return weights, [r.uniform(LOW, HIGH) for _ in range(n)], alpha, r.uniform(alpha, HIGH)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", ARITHMETICS)
def test_recurrences_are_sums(kind: str, seed: int) -> None:
    """(1), (2), (7), (8), (13), (14) for m and M; (3) to (6), (9) to (12), (15) to (18) for the windows."""
    weights, values, alpha, beta = drawn(kind, seed)
    c, total = len(weights), sum(weights)
    p = [w / total for w in weights]
    node, m, top = Node(kind, weights), LOW, HIGH
    if kind == "uniform":
        a, b = c * (alpha - HIGH) + HIGH, c * (beta - LOW) + LOW  # (3) (4)
    elif kind == "weighted":
        a, b = total / weights[0] * (alpha - HIGH) + HIGH, total / weights[0] * (beta - LOW) + LOW  # (15) (16)
    else:
        a, b = (alpha - HIGH * sum(p)) / p[0] + HIGH, (beta - LOW * sum(p)) / p[0] + LOW  # (9) (10)
    for i, v in enumerate(values):
        assert node.bounds == pytest.approx((m, top))
        assert node.window(i, alpha, beta) == pytest.approx((a, b))
        # Errata 1: in the thresholds written out the remainder is added.
        rest = sum(weights[i + 1 :])
        known = sum(w * x for w, x in zip(weights[:i], values, strict=False))
        assert a == pytest.approx((total * alpha - known - HIGH * rest) / weights[i])
        assert b == pytest.approx((total * beta - known - LOW * rest) / weights[i])
        node.learn(i, v, v)
        if kind == "uniform":
            m, top = m + (v - LOW) / c, top + (v - HIGH) / c  # (1) (2)
            a, b = a + HIGH - v, b + LOW - v  # (5) (6)
        elif kind == "weighted":
            m, top = m + weights[i] / total * (v - LOW), top + weights[i] / total * (v - HIGH)  # (13) (14)
            if i + 1 < c:
                ratio = weights[i] / weights[i + 1]
                a, b = ratio * (a - v) + HIGH, ratio * (b - v) + LOW  # (17) (18)
        else:
            m, top = m + p[i] * (v - LOW), top + p[i] * (v - HIGH)  # (7) (8)
            if i + 1 < c:
                a = (p[i] * a + p[i + 1] * HIGH - p[i] * v) / p[i + 1]  # (11)
                b = (p[i] * b + p[i + 1] * LOW - p[i] * v) / p[i + 1]  # (12)
        direct = sum(w * x for w, x in zip(weights[: i + 1], values, strict=False))
        assert m == pytest.approx((direct + LOW * rest) / total)
        assert top == pytest.approx((direct + HIGH * rest) / total)
    assert node.bounds == pytest.approx((m, m))


# --- what the engine itself writes down ---


def traced(
    tree: Any, window: tuple[float, float], name: str, low: float = LOW, high: float = HIGH, **options: Any
) -> tuple[float, list[Any]]:
    """The value of a search in a window, and the events it wrote down."""
    position = kb.load("trees", tree=BASE, low=low, high=high).position(_written(tree))
    recorder = trace.Recorder()
    settings = {
        **method(name).settings({"table": 0, "merge": False, "order": False, "killers": "off", "history": "off", **options}),
        "trace": recorder,
    }
    found = Search(position, settings, name, name).value(8, window)
    return found, [e for e in recorder.events if e["parent"] == 0]


def _written(tree: Any) -> str:
    return repr(tree).replace("'", '"')


def bounds(event: Any) -> tuple[float, float]:
    return float(event["least"]), float(event["most"])


def fork(*outcomes: Any) -> dict[str, Any]:
    """A chance node with equal chances."""
    return {"chance": [1] * len(outcomes), "moves": list(outcomes)}


def test_two_dice() -> None:
    found, (first, second) = traced(fork([3], [4]), (3.25, 3.95), "star1", 1.0, 6.0)
    assert bounds(first) == (2.0, 4.5)
    assert (second["low"], second["high"]) == pytest.approx((3.5, 4.9))
    assert found == 3.5


@pytest.mark.parametrize(("value", "low", "high"), [(-2, Fraction(-62, 7), Fraction(58, 7)), (3, Fraction(-57, 7), Fraction(9))])
def test_seven_choices(value: int, low: Fraction, high: Fraction) -> None:
    _, events = traced(fork([value], *([[0]] * 6)), (-10.0, 10.0), "star05")
    assert bounds(events[0]) == pytest.approx((float(low), float(high)))
    assert round(58 / 7, 2) == 8.29  # errata 2


def test_a_probe_that_fails_high_proves_no_upper_bound() -> None:
    """Errata 4: the second outcome's first child is good enough for its window, so nothing is known of what the other player would choose."""
    tree = fork({"player": 1, "moves": [-9, -8]}, {"player": 1, "moves": [{"player": 0, "moves": [9.5, 10]}, 9]})
    _, events = traced(tree, (-1.0, -0.5), "star2")
    assert [int(e["how"]) for e in events[:2]] == [trace.PROBED, trace.PROBED]
    assert bounds(events[0]) == (-10.0, 0.5)
    assert bounds(events[1]) == bounds(events[0])
    assert events[1]["value"] >= events[1]["high"]


def test_further_probes_replace_the_earlier_bound() -> None:
    """Errata 4: with h > 1 the update subtracts the choice's previous bound, not v_max again; when all were probed the value is exact."""
    tree = fork({"player": 1, "moves": [6, 4, 5]}, {"player": 1, "moves": [2, 3, 1]})
    highs = {"cyclic": [(6, 10), (6, 2), (4, 2), (4, 2), (4, 2), (4, 1)], "sequential": [(6, 10), (4, 10), (4, 10), (4, 2), (4, 2), (4, 1)]}
    for probing, known in highs.items():
        found, events = traced(tree, (-10.0, 10.0), "star25", probe=3, probing=probing)
        assert found == 2.5
        assert [e["how"] for e in events] == [trace.PROBED] * 6  # and nothing is searched after that
        assert [bounds(e)[1] for e in events] == [(a + b) / 2 for a, b in known]
        assert bounds(events[-1]) == (2.5, 2.5)


def test_probes_of_a_min_node_raise_the_lower_bound() -> None:
    """Errata 3: m rises by Pr (v - v_min). Chance follows the second player's move, and the first player chooses."""
    tree = {"player": 1, "moves": [fork([5, 6], [7, 1])]}
    position = kb.load("trees", tree=BASE, low=LOW, high=HIGH).position(_written(tree))
    recorder = trace.Recorder()
    settings = {
        **method("star2").settings({"table": 0, "merge": False, "order": False, "killers": "off", "history": "off"}),
        "trace": recorder,
    }
    assert Search(position, settings, "star2", "star2").value(8) == -6.5
    node = next(i for i, e in enumerate(recorder.events) if e["parent"] == 0)
    events = [e for e in recorder.events if e["parent"] == node]
    seen = [(-float(e["most"]), -float(e["least"])) for e in events]  # as the first player sees them
    m1 = LOW + 0.5 * (5 - LOW)
    assert seen == [(m1, 10.0), (m1 + 0.5 * (7 - LOW), 10.0), (6.5, 8.0), (6.5, 6.5)]


def test_probing_at_once_and_in_rounds_is_the_same_once() -> None:
    tree = fork([[3, 4], [5, 6]], [[1, 9], [8, 2]], [[0, 1], 7])
    one, other = (traced(tree, (-2.0, 5.0), "star25", probe=1, probing=p) for p in ("cyclic", "sequential"))
    assert one[0] == other[0]
    assert [(e["move"], e["how"]) for e in one[1]] == [(e["move"], e["how"]) for e in other[1]]


def test_no_probes_is_star1() -> None:
    tree = fork([[3, 4], [5, 6]], [[1, 9], [8, 2]], [[0, 1], 7])
    none, star1 = traced(tree, (1.0, 3.0), "star25", probe=0), traced(tree, (1.0, 3.0), "star1")
    assert none[0] == star1[0]
    assert len(none[1]) == len(star1[1])


@settings(max_examples=40)
@given(tree=trees(st.just(1)))
def test_searches_evaluate_the_leaves_that_the_description_says(tree: Any) -> None:
    """Exact sums only: chance nodes of one, two or four outcomes."""
    assume(all(count in (1, 2, 4) for count in forks(tree)))
    position = placed(uniform_trees(), tree)
    low, high = position.game.constants["VALUES"]
    for name, h, cyclic in (("star1", 0, True), ("star2", 1, True), ("star25", 2, True), ("star25", 2, False)):
        twin = naive.Star(low, high, h, cyclic)
        wanted = twin.value(position, -1000.0, 1000.0, max(0, position.player), root=True)
        more = {"probe": h, "probing": "cyclic" if cyclic else "sequential"} if h else {}
        search = searcher(position, name, table=0, merge=False, order=False, killers="off", history="off", **more)
        assert search.value(32, (-1000.0, 1000.0)) == wanted
        assert int(search.w.leaves) == twin.leaves


def forks(tree: Any) -> list[int]:
    """How many outcomes each chance node has."""
    if isinstance(tree, int | float):
        return []
    node = tree if isinstance(tree, dict) else {"moves": tree}
    return [n for t in node["moves"] for n in forks(t)] + ([len(node["moves"])] if "chance" in node else [])


# --- examples ---


@pytest.mark.parametrize(("other", "expected"), [(6, 0.6633), (2, 0.3167)])
def test_two_pieces_left(other: int, expected: float) -> None:
    """Winning rates 0.75 for piece 1 and 0.23 for the other; the die says which may move, both where neither number is left."""
    may = [[0.75] if die == 1 else [0.23] if die >= other else [0.75, 0.23] for die in range(1, 7)]
    position = placed(uniform_trees(), {"chance": [1] * 6, "moves": may})
    for name in ("expectiminimax", "star1", "star2"):
        assert searcher(position, name).value(4) == pytest.approx(expected, abs=5e-5)
    assert searcher(position, "star2").value(4) == pytest.approx(naive.expectiminimax(position))


def test_backgammon_weights() -> None:
    """21 throws of two dice: doubles 1/36, others 1/18."""
    throws = [(a, b) for a in range(1, 7) for b in range(a, 7)]
    tree = {"chance": [1 if a == b else 2 for a, b in throws], "moves": [[a + b, a * b] for a, b in throws]}
    position = placed(kb.load("trees", tree='{"chance": [1, 2], "moves": [1, 2]}', low=-100, high=100), tree)
    assert sorted({Fraction(p).limit_denominator(100) for p in position.chances}) == [Fraction(1, 36), Fraction(1, 18)]
    wanted = sum(Fraction(1 if a == b else 2, 36) * max(a + b, a * b) for a, b in throws)
    for name in ("expectiminimax", "star1", "star2"):
        assert searcher(position, name).value(4) == pytest.approx(float(wanted), rel=1e-12)


def test_leaf_values_that_only_keep_their_order_choose_another_move() -> None:
    for figure, value, move in (("aima-chance", 2.1, "1"), ("aima-chance2", 40.9, "2")):
        for name in ("expectiminimax", "star2"):
            result = kb.search(kb.load("trees", tree=figure).start, name)
            assert (result.value, str(result.move), result.exact) == (pytest.approx(value), move, True)
