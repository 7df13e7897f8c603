"""The trace of a search: what was visited, in which window, with which value; bounded, and gone where it is off."""

import json
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.core.compiling.binder import bind
from kibitz.core.records.record import blank, record
from kibitz.searches import deepening, trace
from kibitz.searches.deterministic import alphabeta, scout
from kibitz.searches.method import method
from kibitz.searches.window import node
from tests.searches.driver import trees

TREES = kb.load("trees")
PLAIN = {"table": 0.0, "killers": "off", "history": "off", "deepening": False, "depth": 32}
# Every search and form, and whether a node that is searched again counts again.
SEARCHES: tuple[tuple[str, dict[str, Any], bool], ...] = (
    ("minimax", {"form": "recursive", "deepening": False, "depth": 32}, True),
    ("minimax", {"form": "stack", "deepening": False, "depth": 32}, True),
    ("minimax", {"form": "levels", "deepening": False, "depth": 32, "memory": 1.0}, True),
    ("alphabeta", PLAIN, True),
    ("alphabeta", {**PLAIN, "form": "stack", "soft": False}, True),
    ("alphabeta", {**PLAIN, "table": 0.01}, True),
    ("negascout", PLAIN, False),
    ("negascout", {**PLAIN, "form": "minimax", "table": 0.01}, False),
    ("scout", {"deepening": False, "depth": 32}, True),
    ("mtdf", {**PLAIN, "table": 0.01}, False),
)

Visit = tuple[tuple[int, ...], float, float, float]  # the moves from the root, the window, the value: all for player 0


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is traced is the same interpreted and compiled (there is a test); only the first needs no compilation."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def traced(position: kb.Position, name: str, options: dict[str, Any], room: int = trace.MOST) -> tuple[kb.Result, trace.Recorder]:
    chosen, recorder = method(name), trace.Recorder(room)
    for result in chosen.run(position, {**chosen.settings(options), "trace": recorder}, name):
        last = result
    return last, recorder


def written(events: Any) -> str:
    """Every field of every event; the bytes between fields mean nothing."""
    return repr(events.tolist())


def visits(recorder: trace.Recorder) -> list[Visit]:
    """In the order in which they began; a window's end beyond all values is no end. Leaves have no window."""
    found: list[Visit] = []
    for e in recorder.events:
        before = found[e["parent"]][0] if e["parent"] >= 0 else ()
        sign = 1.0 if e["side"] == 0 else -1.0
        low, high = (e["low"], e["high"]) if e["side"] == 0 else (-e["high"], -e["low"])
        low, high = (-math.inf if low < -100 else low), (math.inf if high > 100 else high)
        path = (*before, int(e["move"])) if e["parent"] >= 0 else ()
        found.append((path, float(low), float(high), sign * float(e["value"])))
    return found


def twin(position: kb.Position, low: float, high: float, path: tuple[int, ...], seen: list[Visit]) -> float:
    """Fail-soft alpha-beta over positions that writes down what it visits; the value for player 0."""
    place = len(seen)
    seen.append((path, math.nan, math.nan, 0.0))
    if position.is_over:
        best = position.utility(0)
    else:
        best, sign = (-math.inf, 1) if position.player == 0 else (math.inf, -1)
        for move in position.moves:
            window = (max(low, best), high) if sign > 0 else (low, min(high, best))
            value = twin(position.play(move), *window, (*path, int(move)), seen)
            best = max(best, value) if sign > 0 else min(best, value)
            if best >= high if sign > 0 else best <= low:
                break
        seen[place] = (path, low, high, 0.0)
    seen[place] = (*seen[place][:3], best)
    return best


def same(one: list[Visit], other: list[Visit]) -> bool:
    return [v[0] for v in one] == [v[0] for v in other] and np.array_equal(
        [v[1:] for v in one], [v[1:] for v in other], equal_nan=True
    )  # fmt: skip


@pytest.mark.usefixtures("interpreted")
@settings(max_examples=60)
@given(tree=trees())
def test_visits_are_those_of_the_twin(tree: Any) -> None:
    position = TREES.position(json.dumps(tree))
    _, recorder = traced(position, "alphabeta", PLAIN)
    seen: list[Visit] = []
    twin(position, -math.inf, math.inf, (), seen)
    assert same(visits(recorder), seen)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("name", "options", "counts_again"), SEARCHES, ids=lambda x: str(x)[:30])
@settings(max_examples=25)
@given(tree=trees())
def test_as_many_visits_as_nodes(name: str, options: dict[str, Any], counts_again: bool, tree: Any) -> None:
    result, recorder = traced(TREES.position(json.dumps(tree)), name, options)
    events = [tuple(e) for e in recorder.events[["parent", "move"]].tolist()]
    again = 0 if counts_again else len(events) - len(set(events))
    assert len(events) - again == recorder.nodes == result.nodes
    assert recorder.finished
    assert recorder.lost == 0
    assert all(e["how"] != trace.OPEN and not math.isnan(e["value"]) for e in recorder.events)
    root = recorder.events[recorder.events["parent"] < 0][-1]
    assert root["mover"] == result.position.player
    assert root["value"] == (result.value if root["side"] == root["mover"] else -result.value)
    for number, e in enumerate(recorder.events):
        assert e["entered"] == sum(recorder.events["parent"] == number)


@pytest.mark.usefixtures("interpreted")
def test_the_three_forms_of_minimax_and_the_two_of_alpha_beta_leave_the_same_trace() -> None:
    position = TREES.position('[[3, [12, 4], 8], {"player": 0, "moves": [2, [4, 6]]}, [14, 5, 2]]')
    depth = {"deepening": False, "depth": 3}
    forms = [visits(traced(position, "minimax", {**depth, "form": form})[1]) for form in ("recursive", "stack", "levels")]
    assert same(forms[0], forms[1])
    assert same(sorted(forms[0]), sorted(forms[2]))  # level by level
    walks = [visits(traced(position, "alphabeta", {**PLAIN, "form": form})[1]) for form in ("recursive", "stack")]
    assert same(*walks)


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "room"), [
    ("negascout", trace.MOST), ("alphabeta", 4), pytest.param("alphabeta", trace.MOST, marks=pytest.mark.long)
])  # fmt: skip
def test_compiled_and_interpreted_leave_the_same_trace(name: str, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for tree in ("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", kb.load("trees", tree="negascout").start.show()):
        position = TREES.position(tree)
        monkeypatch.setenv("KIBITZ_TARGET", "cpu")
        compiled = traced(position, name, PLAIN, room)[1]
        monkeypatch.setenv("KIBITZ_TARGET", "python")
        plain = traced(position, name, PLAIN, room)[1]
        assert written(compiled.events) == written(plain.events)
        assert (compiled.lost, compiled.deepest) == (plain.lost, plain.deepest)
        assert len(compiled.events) >= min(room, 8)


# --- what kind of visit ---


@pytest.mark.usefixtures("interpreted")
def test_how_visits_end() -> None:
    position = TREES.position("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    events = traced(position, "alphabeta", PLAIN)[1].events
    assert [trace.ENDINGS[e["how"]] for e in events if e["parent"] <= 0] == ["searched", "searched", "cut", "cut"]
    assert {trace.ENDINGS[e["how"]] for e in events if e["parent"] > 0} == {"over"}
    shallow = traced(position, "alphabeta", {**PLAIN, "depth": 1})[1].events
    assert [trace.ENDINGS[e["how"]] for e in shallow] == ["searched", "horizon", "horizon", "horizon"]
    start = kb.load("tictactoe").start
    hows = traced(start, "alphabeta", {"depth": 4})[1].events["how"]
    assert trace.KNOWN in hows  # the same position by another order of moves
    hows = traced(kb.load("kalah", holes=2, seeds=4).start, "alphabeta", {"depth": 8, "table": 0.0})[1].events["how"]
    assert trace.BEYOND in hows


@pytest.mark.usefixtures("interpreted")
def test_scout_asks_and_searches_again() -> None:
    """Slide 11: C and D are visited again; alpha-beta never sees D."""
    root = kb.load("trees", tree="scout-revisits").start
    by_scout = visits(traced(root, "scout", {"deepening": False, "depth": 32})[1])
    names = {"A": (1,), "B": (1, 1), "C": (1, 1, 1), "D": (1, 1, 1, 1)}
    assert [sum(v[0] == path for v in by_scout) for path in names.values()] == [2, 3, 4, 2]
    asked = [v[1:] for v in by_scout if v[0] == names["C"]]
    assert asked[2] == (0.0, math.nextafter(0.0, 1.0), math.nextafter(0.0, 1.0))  # TEST(C, >, 0): yes
    assert asked[3] == (-math.inf, math.inf, 5.0)
    by_alphabeta = visits(traced(root, "alphabeta", PLAIN)[1])
    assert names["D"] not in [v[0] for v in by_alphabeta]
    assert [v[1:] for v in by_alphabeta if v[0] == names["C"]] == [(10.0, 25.0, 8.0)]


@pytest.mark.usefixtures("interpreted")
def test_test_skips_what_alpha_beta_visits() -> None:
    """Slide 10: TEST(p, >, 5) leaves K after 8; alpha-beta has to see 15."""
    root = kb.load("trees", tree="test-skips").start
    recorder = trace.Recorder()
    chosen = {**scout._plain({**method("scout").settings({"depth": 8}), "distance": "off"}), "trace": recorder}
    search = deepening.Search(root.play("p"), chosen, "test", deepening.Kernel(scout.root_of_test))
    assert search.value(8, (-5.0, 0.0)) == 1.0  # p's mover asks whether his value is at least -5: 5 or less for MAX
    seen = visits(recorder)
    assert [v[0] for v in seen] == [(), (0,), (0, 0), (1,), (2,)]
    above = math.nextafter(5.0, 6.0)
    assert [v[1:] for v in seen if len(v[0]) < 2][:2] == [(5.0, above, 5.0), (5.0, above, above)]
    assert (1, 0, 1) in [v[0] for v in visits(traced(root, "alphabeta", PLAIN)[1])]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("form", ["negamax", "minimax"])
def test_negascouts_windows_are_the_slides(form: str) -> None:
    """Slides 23 and 24, from the window [3, 9]: one question of the third branch, and then a search again with [3, 4]."""
    from kibitz.searches.deterministic import negascout

    root = kb.load("trees", tree="negascout").start
    recorder = trace.Recorder()
    chosen = {**method("negascout").settings(PLAIN), "trace": recorder}
    search = deepening.Search(root, chosen, "negascout", negascout.kernel(form == "minimax"))
    assert search.value(8, (-9.0, -3.0)) == -3.0
    below = math.nextafter(5.0, 4.0) if form == "negamax" else 4.0  # nothing lies between, either way
    windows = [v for v in visits(recorder) if not math.isnan(v[1])]
    assert windows == [
        ((), 3.0, 9.0, 3.0),
        ((0,), 3.0, 9.0, 5.0),
        ((2,), below, 5.0, 4.0),
        ((2, 0), below, 5.0, 4.0),
        ((2,), 3.0, 4.0, 3.0),
        ((2, 0), 3.0, 4.0, 3.0),
    ]


@pytest.mark.usefixtures("interpreted")
def test_a_visit_inside_a_visit_of_the_same_node() -> None:
    def kernel(w: Any) -> None:
        trace.enter(w, 0, 5, -1.0, 1.0, 0)
        trace.enter(w, 0, 2, 0.0, 0.5, 0)  # a shallow search first
        trace.step(w, 0, 7)
        trace.enter(w, 1, 1, 0.0, 0.5, 1)
        trace.leave(w, 1, 0.25)
        trace.bounds(w, 0, 0.1, 0.9, 0)
        trace.settle(w, 0, 0.75, trace.PROBED)
        trace.step(w, 0, 8)
        trace.leaf(w, 1, 0.5, -1, 0)
        trace.leave(w, 0, 0.5)

    w = workspace(10)
    kb.load("tictactoe").bind(kernel, {"TRACE": True, "SUM": 0.0, "VECTORS": False, "COALITION": False}, target="python")(w)
    events = w.log.events[: w.log.written]
    assert [(e.parent, e.outer, e.move, e.how, e.depth) for e in events] == [
        (-1, -1, -1, trace.SEARCHED, 5),
        (-1, 0, -1, trace.PROBED, 2),
        (1, -1, 7, trace.SEARCHED, 1),
        (0, -1, 8, trace.FINISHED, 0),
    ]
    assert [e.value for e in events] == [0.5, 0.75, 0.25, 0.5]
    assert (events[2].least, events[2].most) == (0.1, 0.9)


def workspace(room: int) -> Any:
    constants = kb.load("tictactoe").constants
    w = blank(record(**node.fields(constants), **trace.fields(node.plies(constants), room)))
    w.states[0] = kb.load("tictactoe").start.state
    w.states[1] = w.states[0]
    w.control.limit = 1 << 40
    trace.clear(w)
    return w


# --- bounds ---


@pytest.mark.usefixtures("interpreted")
@settings(max_examples=25)
@example(tree=[[0, 0], [1, 1, [0]]], room=8)
@given(tree=trees(), room=st.integers(1, 20))
def test_what_there_is_no_room_for_is_counted(tree: Any, room: int) -> None:
    """As many plies are kept as there is room for, with values, windows, and what was entered and visited below."""
    position = TREES.position(json.dumps(tree))
    for name in ("alphabeta", "negascout"):
        whole = traced(position, name, PLAIN)[1]
        part = traced(position, name, PLAIN, room)[1]
        plies = max(p for p in range(33) if p == 0 or sum(whole.events["ply"] <= p) <= room)
        kept = whole.events[whole.events["ply"] <= plies][:room]
        alike = ["move", "mover", "side", "how", "ply", "depth", "entered", "nodes", "low", "high", "value"]
        assert written(part.events[alike]) == written(kept[alike])
        assert [v[0] for v in visits(part)] == [v[0] for v in visits(whole) if len(v[0]) <= plies]
        assert len(part.events) + part.lost == len(whole.events)
        assert part.deepest == (None if part.lost == 0 else plies)
    whole = traced(position, "minimax", {"form": "levels", "memory": 1.0, "deepening": False, "depth": 32})[1]
    part = traced(position, "minimax", {"form": "levels", "memory": 1.0, "deepening": False, "depth": 32}, room)[1]
    assert len(part.events) + part.lost == len(whole.events)
    assert len(part.events) == min(room, len(whole.events))
    assert same(visits(part), visits(whole)[:room])


@pytest.mark.usefixtures("interpreted")
@settings(max_examples=25)
@given(tree=trees())
def test_nodes_below_are_counted(tree: Any) -> None:
    events = traced(TREES.position(json.dumps(tree)), "alphabeta", PLAIN)[1].events
    below = [0] * len(events)
    for number in range(len(events) - 1, 0, -1):
        below[events[number]["parent"]] += 1 + below[number]
    assert events["nodes"].tolist() == below


@pytest.mark.usefixtures("interpreted")
def test_the_deepest_finished_depth_is_kept() -> None:
    start = kb.load("tictactoe").start
    per_depth = [r.nodes for r in kb.analyse(start, "alphabeta(depth=4, table=1)")]
    result, recorder = traced(start, "alphabeta", {"depth": 4, "table": 1.0})
    assert (recorder.depth, recorder.nodes, recorder.finished) == (4, per_depth[3] - per_depth[2], True)
    assert len(recorder.events) == recorder.nodes
    result, recorder = traced(start, "alphabeta", {"nodes": per_depth[2] + 20, "table": 1.0})
    assert result.ended == "nodes"
    assert (recorder.depth, recorder.finished, recorder.nodes) == (3, True, per_depth[2] - per_depth[1])
    result, recorder = traced(start, "alphabeta", {"nodes": 100, "table": 0.0, "deepening": False})
    assert not recorder.finished
    assert recorder.events[0]["how"] == trace.OPEN
    assert math.isnan(recorder.events[0]["value"])
    assert len(recorder.events) == recorder.nodes


@pytest.mark.usefixtures("interpreted")
def test_telling_a_solved_line_leaves_no_trace() -> None:
    """The engine searches on along the line it tells; the trace is that of the search alone."""
    position = kb.load("tictactoe").position("1 5 2 3")
    result, recorder = traced(position, "alphabeta", {"depth": 9})
    assert result.exact
    assert recorder.events[0]["mover"] == position.player
    assert sum(recorder.events["parent"] < 0) == 1


# --- off ---


def hooked(w: Any, n: int) -> float:
    total = 0.0
    for i in range(n):
        trace.enter(w, i % 3, n, total, 1.0, 0)
        trace.step(w, i % 3, i)
        total += w.scores[i % 4]
        trace.leaf(w, 1, total, 0, 1)
        trace.ask(w, 0, n, total, True, 0)
        trace.answer(w, 0, total > 1.0)
        trace.bounds(w, 0, total, total, 0)
        trace.foresee(w, 1, total, trace.KNOWN, 1)
        trace.leave(w, i % 3, total)
    trace.settle(w, 0, total, trace.CUT)
    return total


def bare(w: Any, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += w.scores[i % 4]
    return total


def instructions(kernel: Any, w: Any) -> list[str]:
    """The machine code of a bound function, names and labels left out."""
    kernel.prepare(w, 3)
    (assembly,) = kernel.function.inspect_asm().values()
    body = re.split(rf"^_ZN\w*{kernel.function.py_func.__name__}_\S*:.*$", assembly, maxsplit=1, flags=re.MULTILINE)[1]
    body = body[: body.index(".size")]
    lines = (re.sub(r"\S*(_ZN|NumbaEnv|\.L)\S*", "name", line.split("#")[0]).strip() for line in body.splitlines())
    return [line for line in lines if line and not line.startswith((".", "name"))]


@pytest.mark.compiled
def test_switched_off_nothing_is_left_in_the_machine_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))  # machine code from disk cannot be read as text
    namespace = kb.load("tictactoe").namespace
    constants = kb.load("tictactoe").constants
    w = blank(record(**node.fields(constants)))
    w.scores[:4] = [1.0, 2.0, 3.0, 4.0]
    with_hooks = bind(hooked, namespace, "hooked", {"TRACE": False, "SUM": 0.0, "VECTORS": False, "COALITION": False}, "cpu")
    without = bind(bare, namespace, "bare", {}, "cpu")
    assert instructions(with_hooks, w) == instructions(without, w)
    assert len(instructions(without, w)) > 10
    assert with_hooks(w, 7) == without(w, 7) == 16.0


def test_switched_off_there_is_no_room_for_it() -> None:
    search = deepening.Search(kb.load("tictactoe").start, method("alphabeta").settings({"depth": 2}), "alphabeta", alphabeta.kernel())
    assert "log" not in search.w.dtype.names
    assert trace.fields(9, 0) == {}
