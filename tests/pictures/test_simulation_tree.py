"""Trees of Monte Carlo searches: the textbook's example comes out with the textbook's numbers; any search's last simulation is told step by step."""

import json
import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import kibitz as kb
from kibitz.pictures.simulation_tree import MonteCarloTree
from kibitz.searches.mcts import uct
from kibitz.searches.mcts.report.last_simulation import Steps
from kibitz.searches.mcts.search import Memory
from kibitz.searches.method import method
from tests.cli.test_commands import answer, kibitz
from tests.searches.test_montecarlo import AFTER_100, planted

PICTURE = Path(__file__).parent.parent.parent / "docs" / "pictures" / "uct.svg"
WON = [100, 100]
SHAPE = [[WON, [[WON, WON], WON]], WON, WON]  # the first player wins every playout


def textbook() -> MonteCarloTree:
    """One simulation more, in the textbook's tree of 100."""
    start = kb.load("trees").position(json.dumps(SHAPE))
    steps = Steps()
    chosen = method("uct").settings({"playouts": 1, "solve": False, "explore": math.sqrt(2.0)})
    search = uct.make_search(start, {**chosen, "trace": steps}, "uct", Memory())
    planted(search.tree, AFTER_100)
    search.tree.nodes[int(search.tree.trunk.root)].total = 63  # the tree keeps the first player's, the picture shows the second's
    for result in search.results():
        last = result
    return MonteCarloTree(last, steps)


def draw_label(position: kb.Position, search: str) -> MonteCarloTree:
    found: Any = kb.tree(position, search)
    assert isinstance(found, MonteCarloTree)
    return found


def test_the_four_steps_of_the_textbook() -> None:
    tree = textbook()
    new = tree._names()[-1]
    assert tree.told == [
        "1 select: 1, 2, 1",
        f"2 expand: {new} comes into the tree",
        "3 simulate: player 1 wins",
        "4 back up: 0/0 → 0/1, 27/35 → 28/36, 16/53 → 16/54, 60/79 → 61/80, 37/100 → 37/101",
    ]
    root, first, second, third, leaf = tree.steps.path
    assert tree.steps.bound(second, third) == pytest.approx(1.24774, abs=5e-6)
    assert leaf.is_new
    for parent, chosen in ((root, first), (first, second), (second, third)):
        bounds = [tree.steps.bound(parent, child) for child in parent.children]
        assert max(b for b in bounds if b is not None) == tree.steps.bound(parent, chosen)
    assert [tree.steps.bound(third, child) for child in third.children] == [None]  # nothing to compare with


def test_the_textbook_as_text() -> None:
    lines = textbook().text().splitlines()
    assert lines[0] == "trees: uct: move 1, value +52.5 for player 1; 101 simulations"
    assert lines[5:10] == [
        "▲ 37/101  was 37/100",
        "┝━ 1 ▼ 61/80  was 60/79  UCB 1.10094",
        "│  ├─ 1 ▲ 3/26  UCB 0.69514",
        "│  ┕━ 2 ▲ 16/54  was 16/53  UCB 0.70795",
        "│     ┝━ 1 ▼ 28/36  was 27/35  UCB 1.24774",
    ]


def test_the_textbook_as_a_picture() -> None:
    """To draw it again: python -c "from tests.pictures.test_simulation_tree import *; PICTURE.write_text(textbook().svg())"."""
    picture = textbook().svg()
    assert PICTURE.read_text() == picture
    said = [t.text for t in ElementTree.fromstring(picture).iter() if t.tag.endswith("text")]
    for count, times in {"37/100": 3, "60/79": 3, "27/35": 3, "0/0": 2, "37/101": 1, "61/80": 1, "16/54": 1, "28/36": 1, "0/1": 1}.items():
        assert said.count(count) == times, count
    assert "UCB 1.24774" in said


def test_a_search_and_its_picture_grow_the_same_tree() -> None:
    """To look at the last simulation changes nothing."""
    start = kb.load("tictactoe").start
    tree = draw_label(start, "uct(playouts=40, seed=3)")
    plain = kb.search(start, "uct(playouts=40, seed=3)")
    assert tree.steps.simulations == 40 == tree.result.playouts
    assert [(c.move, c.visits, c.value) for c in tree.result.table] == [(c.move, c.visits, c.value) for c in plain.table]
    assert {str(c.move): c.visits for c in plain.table if c.visits} == {
        str(start.named_line([t.move])[0]): t.visits for t in tree.root.children
    }
    for before, after in zip(tree.steps.path[:-1], tree.steps.path[1:], strict=True):
        assert after in before.children
        assert after.owner == 1 - before.owner
    assert tree.steps.path[-1].is_new


@pytest.mark.parametrize(
    ("game", "search"),
    [
        (("trees", {"tree": "aima-chance"}), "uct(playouts=30, solve=false)"),
        (("pig", {"target": 10}), "uct(playouts=20, threads=2)"),
        (("tictactoe", {}), "uct(playouts=25, rave=50)"),
        (("tictactoe", {}), "montecarlo(playouts=25)"),
        (("connect4", {}), "uct"),
    ],
)
def test_any_search_that_simulates(game: Any, search: str) -> None:
    tree = draw_label(kb.load(game[0], **game[1]).start, search)
    assert len(tree.told) == 4
    assert tree.told[0].startswith("1 select: ")
    for size in (1, 5, 40):
        assert ElementTree.fromstring(tree.svg(size)).tag.endswith("svg")
        assert tree.text(size)
    data = json.loads(json.dumps(tree.as_dict()))
    assert data["simulations"] == data["nodes"][0]["visits"]
    assert [n["node"] for n in data["nodes"]] == list(range(len(data["nodes"])))
    assert tree._repr_svg_() in tree._repr_html_()
    assert "simulations>" in repr(tree)


def test_a_proven_root_and_a_finished_game() -> None:
    solved = draw_label(kb.load("trees", tree="[1, 2]", low=0, high=3).start, "uct(playouts=50)")
    assert solved.told == ["proven: no simulation was left to make"]
    assert "proven +2 for player 1" in solved.text()
    over = draw_label(kb.load("trees", tree="[1, 2]", low=0, high=3).start, "uct(playouts=50, solve=false)")
    assert over.told[1] == "2 expand: nothing, the game is over there"
    assert over.told[2] == "3 simulate: 0.667 for player 1, 0.333 for player 2"


def test_room_and_size() -> None:
    start = kb.load("connect4").start
    tree: Any = kb.tree(start, "uct(playouts=60)", room=10)
    assert sum(1 for _ in tree.as_dict()["nodes"]) <= 10 + len(tree.steps.path)
    assert "more" in tree.text()
    with pytest.raises(kb.InputError, match="a picture shows one position at least"):
        tree.svg(0)


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["tree", "tictactoe", "--with", "uct", "--playouts", "20", "--seed", "2"]
    code, out, _ = kibitz(capsys, *words)
    assert code == 0
    assert "20 simulations" in out
    assert "4 back up: " in out
    code, _, _ = kibitz(capsys, *words, "--svg", str(tmp_path / "t.svg"), "--size", "6")
    assert code == 0
    assert "UCB" in (tmp_path / "t.svg").read_text()
    assert answer(capsys, *words)["simulations"] == 20
    code, _, err = kibitz(capsys, "tree", "tictactoe", "--with", "uct", "--depth", "3")
    assert code == 2
    assert "uct has no option 'depth'" in err
