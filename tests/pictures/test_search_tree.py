"""Trees of real searches: the textbooks' figures come out as in the textbooks, as text, as data and as pictures."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings

import kibitz as kb
from kibitz.pictures.trace_tree import Node
from kibitz.pictures.tree_excerpt import fold_tree
from kibitz.searches import trace
from tests.searches.driver import trees

TREES = kb.load("trees")
PLAIN = "table=0, killers=off, history=off, deepening=false, depth=32"


def figure(name: str, search: str) -> kb.SearchTree:
    return kb.tree(kb.load("trees", tree=name).start, search)


def at(tree: kb.SearchTree, *names: str) -> Node:
    """The node that these moves lead to."""
    node = tree.root
    for name in names:
        node = next(child for child in node.children.values() if child.name == name)
    return node


def known(node: Node) -> Any:
    """The value, or a bound as (relation, value)."""
    found = node.known
    return found if isinstance(found, float) or found is None else (found.relation, found.value) if found.relation != "=" else found.value


# --- the figures ---


def test_minimax_on_the_textbooks_tree() -> None:
    tree = figure("aima", "minimax")
    assert known(tree.root) == 3.0
    assert [known(at(tree, m)) for m in "123"] == [3.0, 2.0, 2.0]
    assert str(tree.result.move) == "1"
    assert not any(node.skipped for node in tree.root.walk())
    assert [node.name for node in tree.root.walk() if node.best] == ["", "1", "1"]


@pytest.mark.parametrize("search", [f"alphabeta({PLAIN})", f"alphabeta({PLAIN}, form=recursive)", "alphabeta"])
def test_alpha_beta_on_the_textbooks_tree(search: str) -> None:
    tree = figure("aima", search)
    assert known(tree.root) == 3.0
    assert [known(at(tree, m)) for m in "123"] == [3.0, ("≤", 2.0), ("≤", 2.0)]
    windows = [(v.low, v.high) for m in ("1", "2", "3") for v in at(tree, m).visits]
    assert windows == [(-math.inf, math.inf), (3.0, math.inf), (3.0, math.inf)]
    assert [str(m) for m in at(tree, "2").skipped] == ["2", "3"]  # the leaves 4 and 6
    assert [at(tree, m).is_cut for m in "123"] == [False, True, True]
    assert at(tree, "3").skipped == ()
    assert tree.recorder.nodes == 11


def test_the_textbooks_tree_as_text() -> None:
    assert figure("aima", f"alphabeta({PLAIN})").text() == (
        "trees: alphabeta(depth=32, table=0.0, killers=off, history=off, deepening=False): move 1, value 3 for MAX; depth 2, 11 nodes\n"
        "▲ 3  (-∞, ∞)\n"
        "┝━ 1 ▼ 3  (-∞, ∞)\n"
        "│  ┝━ 1 ■ 3\n"
        "│  ├─ 2 ■ 12\n"
        "│  └─ 3 ■ 8\n"
        "├─ 2 ▼ ≤ 2  (3, ∞) cut\n"
        "│  ├─ 1 ■ 2\n"
        "│  └─ ✂ 2, 3 cut off\n"
        "└─ 3 ▼ ≤ 2  (3, ∞)\n"
        "   ├─ 1 ■ 14\n"
        "   ├─ 2 ■ 5\n"
        "   └─ 3 ■ 2\n"
        "▲ MAX (player 1)  ▼ MIN (player 2)  ■ the game is over  ━ best line  ✂ cut off"
    )


def test_scout_on_slide_10() -> None:
    """TEST(p, >, 5) skips K's second branch, 15."""
    tree = figure("test-skips", "scout(deepening=false, depth=8)")
    assert [str(m) for m in at(tree, "p", "K").skipped] == ["2"]
    lines = tree.text().splitlines()
    assert "└─ p ▼ ≤ 5  > 5? no" in lines
    assert "   ├─ K ▲ > 5  > 5? yes cut" in lines
    assert "   │  └─ ✂ 2 cut off" in lines


def test_scout_on_slide_11() -> None:
    """C and D are visited again and again; alpha-beta leaves C before D."""
    tree = figure("scout-revisits", "scout(deepening=false, depth=8)")
    assert [len(at(tree, *"ABCD"[:n]).visits) for n in (1, 2, 3, 4)] == [2, 3, 4, 2]
    assert "      ├─ C ▼ 5  1: > 10? no cut  2: ≥ 25? no cut  3: > 0? yes  4: 5" in tree.text().splitlines()
    by_alphabeta = figure("scout-revisits", f"alphabeta({PLAIN})")
    assert [str(m) for m in at(by_alphabeta, "A", "B", "C").skipped] == ["D"]


def test_negascout_on_slide_24() -> None:
    tree = figure("negascout", f"negascout({PLAIN}, form=minimax)")
    asked, again = at(tree, "3").visits
    assert (asked.low, asked.high, asked.value) == (4.0, 5.0, 4.0)
    assert (again.low, again.high, again.value) == (-math.inf, 4.0, 3.0)
    assert known(at(tree, "3")) == 3.0
    assert "┕━ 3 ▲ 3  1: (4, 5) ≤ 4  2: (-∞, 4) 3" in tree.text().splitlines()
    by_floats = figure("negascout", f"negascout({PLAIN})")
    assert "┕━ 3 ▲ 3  1: ≥ 5? ≤ 4  2: (-∞, 4) 3" in by_floats.text().splitlines()


def test_the_passes_of_mtdf_meet() -> None:
    tree = figure("aima", "mtdf(deepening=false, depth=8)")
    assert [v.relation for v in tree.root.visits] == ["≥", "≤"]
    assert known(tree.root) == 3.0


def test_chance() -> None:
    tree = figure("aima-chance", "star1(deepening=false, depth=8, table=0)")
    assert known(tree.root) == pytest.approx(2.1)
    assert [node.chance for node in at(tree, "1").children.values()] == [0.9, 0.1]
    last = [node.visits[-1] for node in at(tree, "1").children.values()]
    assert (last[0].least, last[0].most) == (pytest.approx(0.9 * 2 - 10), pytest.approx(0.9 * 2 + 10))
    assert (last[1].least, last[1].most) == (pytest.approx(2.1), pytest.approx(2.1))
    assert "1 · 0.9 ▼ 2" in tree.text()
    assert "→ [-8.2, 11.8]" in tree.text()
    assert "<circle" in tree.svg()


# --- any tree ---


@settings(max_examples=40)
@given(tree=trees())
def test_the_tree_holds_the_search(tree: Any) -> None:
    position = TREES.position(json.dumps(tree))
    for search in (f"alphabeta({PLAIN})", f"negascout({PLAIN}, form=minimax)"):
        drawn = kb.tree(position, search)
        nodes = list(drawn.root.walk())
        assert drawn.root.size == len(nodes) == len({(n.position.data) for n in nodes})
        assert sum(len(n.visits) for n in nodes) == len(drawn.recorder.events)
        assert known(drawn.root) == drawn.result.value * (1 if position.player == 0 else -1)
        line = [n for n in nodes if n.best]
        assert [str(n.name) for n in line[1:]] == [str(m) for m in drawn.result.line]
        for node in nodes:
            if not node.is_leaf:
                assert set(node.children) | {int(m) for m in node.skipped} == {int(m) for m in node.position.moves}
                assert not node.skipped or node.is_cut


def test_players_who_move_again_and_distances() -> None:
    tree = kb.tree(kb.load("kalah", holes=4).start, "alphabeta(depth=3)")
    assert any(n.parent and n.mover == n.parent.mover for n in tree.root.walk() if not n.is_leaf)
    won = kb.tree(kb.load("tictactoe").position("1 4 2 5"), "alphabeta(depth=3)")
    assert "value 1 in 1 for MAX" in won.headline
    assert "┝━ 3 ■ 1 in 1" in won.text()


# --- folding ---


def test_large_trees_fold_and_keep_the_best_line_open() -> None:
    tree = kb.tree(kb.load("tictactoe").start, "minimax(depth=4)")
    for size in (1, 5, 20, 100):
        text = tree.text(size).splitlines()[1:-1]
        assert len(text) <= max(size, 1 + 4 * 4)  # the best line has four nodes with moves, and shows three of them, and a stub, at least
        depths = [line.index("━") // 3 for line in text if "━" in line]
        assert depths == [0, 1, 2, 3]
    assert tree.text(5).count("… ") >= 4
    everything = tree.text(10**6).splitlines()
    assert len(everything) == tree.root.size + 2
    hidden = sum(int(line.split("… ")[1].split(" moves, ")[-1].split()[0]) for line in tree.text(30).splitlines() if "… " in line)
    assert hidden + sum(1 for line in tree.text(30).splitlines()[1:-1] if any(s in line for s in "▲▼■◆")) == tree.root.size


def test_moves_that_were_not_searched_stand_together_where_they_are_many() -> None:
    tree = kb.tree(kb.load("connect4").start, f"alphabeta({PLAIN.replace('32', '2')})")
    top = fold_tree(tree.root, 100)
    stubs = [item for child in top.children for item in child.children if item.skipped]
    assert any(item.said == "6 skipped" and len(item.skipped) == 6 and item.cut for item in stubs)


def test_a_trace_without_room_says_so() -> None:
    start = kb.load("tictactoe").start
    tree, whole = (kb.tree(start, "alphabeta(depth=3, table=0)", room=room) for room in (30, 1000))
    visits = whole.recorder.nodes
    assert tree.remark == f"only 2 plies are recorded, {tree.root.size} of {visits} visits; search less deep, or give more room"
    assert tree.remark in tree.text()
    assert tree.remark in tree.svg()
    assert tree.as_dict()["lost"] == visits - tree.root.size
    assert all(not n.skipped for n in tree.root.walk() if not n.is_recorded)
    assert tree.root.below == whole.root.below == visits - 1
    for node in tree.root.walk():
        if not node.is_recorded:
            assert f"… {node.below} node" in tree.text(1000)
    by_levels = kb.tree(start, "minimax(depth=3, form=levels, memory=1, deepening=false)", room=30)
    assert by_levels.remark == "only the first 30 of 586 visits; search less deep, or give more room"
    assert "… more" in by_levels.text(1000)
    assert kb.tree(start, "alphabeta", room=200).remark == ""  # no limit: as deep as there is room for


def test_an_unfinished_search_says_so() -> None:
    tree = kb.tree(kb.load("tictactoe").start, "alphabeta(nodes=50, deepening=false, table=0)")
    assert "unfinished" in tree.headline
    assert known(tree.root) is None
    assert "▲ ?  unfinished" in tree.text()
    assert not any(n.best for n in tree.root.walk())


# --- data, and what is refused ---


def test_as_data() -> None:
    found = json.loads(json.dumps(figure("aima", f"alphabeta({PLAIN})").as_dict(), allow_nan=False))
    assert (found["game"], found["move"], found["value"], found["nodes"], found["lost"]) == ("trees", "1", 3.0, 11, 0)
    assert len(found["visits"]) == 11
    assert [v["visit"] for v in found["visits"]] == list(range(11))
    cut = next(v for v in found["visits"] if v["move"] == "2" and v["parent"] == 0)
    assert (cut["player"], cut["window"], cut["value"], cut["bound"], cut["ended"]) == (1, [3.0, None], 2.0, "upper", "cut")
    leaf = found["visits"][2]
    assert (leaf["parent"], leaf["player"], leaf["window"], leaf["bound"], leaf["ended"]) == (1, None, None, "exact", "over")
    assert all(v["window"] is None for v in figure("aima", "minimax").as_dict()["visits"])


def test_data_has_utilities_and_distances_apart() -> None:
    """Inside, a win in three is a little less than a win in one: none of that shows."""
    tree = kb.tree(kb.load("tictactoe").position("1 4 2 5"), "negascout(depth=4, deepening=false)")
    found = tree.as_dict()
    assert (found["value"], found["bound"], found["distance"]) == (1.0, "exact", 1)
    for visit in found["visits"]:
        ends = [end for ends in (visit["window"], visit["running"]) for end in ends or ()]
        assert {visit["value"], *ends} <= {-1.0, 0.0, 1.0, None}
        assert (visit["distance"] is not None) == (visit["value"] in (-1.0, 1.0))
        for name in ("window", "running"):
            assert (visit[name] is None) == (visit[f"{name}_distances"] is None)
    over = [v for v in found["visits"] if v["ended"] == "over"]
    assert {(v["value"], v["distance"]) for v in over} <= {(1.0, 1), (-1.0, 2), (1.0, 3), (-1.0, 4)}
    assert len(over) > 2


def test_in_a_notebook() -> None:
    tree = figure("aima", "minimax")
    assert tree._repr_svg_().startswith("<svg")
    assert "<svg" in tree._repr_html_()
    assert str(tree) == tree.text()
    assert repr(tree) == "<tree of trees: minimax: move 1, value 3 for MAX; depth 2, 13 nodes>"
    assert tree.rich().plain == tree.text()


def test_options_beside_the_player() -> None:
    start = kb.load("tictactoe").start
    assert kb.tree(start, "minimax", depth=2).recorder.depth == 2
    assert kb.tree(start, kb.player("minimax(depth=1)")).recorder.depth == 1


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda p: kb.tree(p, "alphabta"), "unknown search 'alphabta'; did you mean alphabeta?"),
        (lambda p: kb.tree(p, "minimax", room=0), "room=0: it must be a number of visits from 1 to 1000000"),
        (lambda p: kb.tree(p, "minimax", depth=1).svg(0), "size=0: a picture shows one node at least"),
        (lambda p: kb.tree(p.play(0, 3, 1, 4, 2), "minimax"), "the game is over in this position"),
        (lambda _: kb.tree(kb.load("trees", tree="aima-chance").start, "alphabeta"), "alphabeta cannot search trees: it has chance"),
    ],
)
def test_what_is_refused(call: Any, says: str) -> None:
    with pytest.raises(kb.InputError) as error:
        call(kb.load("tictactoe").start)
    assert says in str(error.value)


def test_a_search_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = kb.player("minimax(depth=1)")
    monkeypatch.setattr(trace.Recorder, "keep", lambda *_: None)
    with pytest.raises(kb.InputError, match="minimax leaves no trace that could be drawn"):
        kb.tree(kb.load("tictactoe").start, chosen)
