"""Pictures of trees: well-formed, nothing written over anything else, everything inside."""

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.core.drawing import svg, tree_layout
from kibitz.pictures.display import PAGE
from tests.pictures.test_search_tree import PLAIN, figure

Box = tuple[float, float, float, float]  # left, top, right, bottom
SPACE = "{http://www.w3.org/2000/svg}"


def draw_label(tree: kb.SearchTree, size: int = 30) -> ElementTree.Element:
    return ElementTree.fromstring(tree.svg(size))


def texts(root: ElementTree.Element) -> list[tuple[str, Box]]:
    """Every piece of text and the room it takes; the legend's signs are moved by their group."""
    found = []
    for group in root.iter():
        moved = group.get("transform", "translate(0 0)").removeprefix("translate(").removesuffix(")").split()
        for element in group:
            if element.tag == f"{SPACE}text":
                said, size = element.text or "", float(element.get("font-size", "0"))
                x, y = float(element.get("x", "0")) + float(moved[0]), float(element.get("y", "0")) + float(moved[1])
                wide = svg.width_of(said, size)
                left = x if element.get("text-anchor") == "start" else x - wide / 2
                found.append((said, (left, y - size / 2, left + wide, y + size / 2)))
    return found


def shapes(root: ElementTree.Element) -> list[Box]:
    """Nodes of the tree, not the legend's signs."""
    found = []
    for element in root:
        if element.tag == f"{SPACE}polygon":
            points = [tuple(map(float, point.split(","))) for point in element.get("points", "").split()]
            found.append((min(x for x, _ in points), min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points)))
        elif element.tag == f"{SPACE}circle":
            x, y, r = (float(element.get(name, "0")) for name in ("cx", "cy", "r"))
            found.append((x - r, y - r, x + r, y + r))
        elif element.tag == f"{SPACE}rect" and element.get("x"):
            x, y, width, height = (float(element.get(name, "0")) for name in ("x", "y", "width", "height"))
            found.append((x, y, x + width, y + height))
    return found


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def check(root: ElementTree.Element) -> None:
    pieces, nodes = texts(root), shapes(root)
    for i, (said, box) in enumerate(pieces):
        for other, there in pieces[:i]:
            assert not overlap(box, there), (said, other)
    for i, box in enumerate(nodes):
        assert not any(overlap(box, there) for there in nodes[:i])
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for left, top, right, bottom in [box for _, box in pieces] + nodes:
        assert left >= 0
        assert top >= 0
        assert right <= width + 1
        assert bottom <= height + 1


CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("trees", {"tree": "aima"}, "", "minimax"),
    ("trees", {"tree": "aima"}, "", f"alphabeta({PLAIN})"),
    ("trees", {"tree": "aima"}, "", "mtdf(deepening=false, depth=8)"),
    ("trees", {"tree": "scout-revisits"}, "", "scout(deepening=false, depth=8)"),
    ("trees", {"tree": "test-skips"}, "", "scout(deepening=false, depth=8)"),
    ("trees", {"tree": "negascout"}, "", f"negascout({PLAIN})"),
    ("trees", {"tree": "aima-chance"}, "", "star2"),
    ("uniform", {"branching": 3, "depth": 3}, "", "minimax"),
    ("tictactoe", {}, "1 5 2", "alphabeta(depth=3)"),
    ("connect4", {}, "4453", "negascout(depth=3)"),
    ("othello", {}, "d3c3c4", "negascout(depth=2)"),
    ("kalah", {"holes": 4}, "3", "alphabeta(depth=4)"),
]


@pytest.mark.parametrize(("game", "parameters", "moves", "search"), CASES, ids=lambda x: str(x)[:24])
def test_nothing_is_drawn_over_anything(game: str, parameters: dict[str, Any], moves: str, search: str) -> None:
    tree = kb.tree(kb.load(game, **parameters).position(moves), search)
    for size in (3, 30, 200):
        check(draw_label(tree, size))


def test_the_textbooks_tree() -> None:
    root = draw_label(figure("aima", f"alphabeta({PLAIN})"))
    said = [text for text, _ in texts(root)]
    for words in ("3", "≤ 2", "(3, ∞) cut", "(3, ∞)", "12", "8", "14", "4", "6", "MAX: player 1", "cut off"):
        assert words in said
    greys = [e.text for e in root.iter(f"{SPACE}text") if e.get("fill") == "#aaa"]
    assert [text for text in greys if text not in ("2", "3")] == ["4", "6"]  # the leaves nobody looked at, and the names of their moves
    strokes = [e for e in root if e.tag == f"{SPACE}line" and e.get("stroke") == "#c22"]
    assert len(strokes) == 4  # two on each edge
    bold = [e for e in root.iter(f"{SPACE}polyline") if e.get("stroke-width") == "2.6"]
    assert len(bold) == 2
    assert sum(1 for e in root if e.tag == f"{SPACE}polygon") == 4


def test_every_sign_is_explained_only_where_it_occurs() -> None:
    said = [text for text, _ in texts(draw_label(figure("aima", "minimax")))]
    assert "game over" in said
    for other in ("cut off", "evaluated", "window", "visited again", "chance", "known already", "not searched"):
        assert other not in said


@settings(max_examples=200)
@given(st.data())
def test_boxes_never_meet(data: st.DataObject) -> None:
    """Any tree, any sizes: children are below and in order, a parent stands in the middle of its first and last child."""
    count = data.draw(st.integers(1, 25))
    children: list[list[int]] = [[] for _ in range(count)]
    for node in range(1, count):
        children[data.draw(st.integers(0, node - 1))].append(node)
    size = st.floats(1, 60)
    boxes = [tree_layout.Box(*data.draw(st.tuples(size, size, size, size))) for _ in range(count)]
    found = tree_layout.places(children, boxes, 5, 10)
    placed = [(x - b.left, y - b.up, x + b.right, y + b.down) for (x, y), b in zip(found.centres, boxes, strict=True)]
    for i, box in enumerate(placed):
        assert not any(overlap(box, other) for other in placed[:i])
        assert box[0] >= -1e-9
        assert box[2] <= found.width + 1e-9
        assert box[3] <= found.height + 1e-9
    for node, below in enumerate(children):
        across = [found.centres[child][0] for child in below]
        assert across == sorted(across)
        if below:
            assert found.centres[node][0] == pytest.approx((across[0] + across[-1]) / 2)
            assert all(placed[child][1] >= placed[node][3] for child in below)


def test_a_wide_tree_folds_to_fit_a_page() -> None:
    """The README's example took 3450 pixels. Whoever asks for a size gets it."""
    tree = kb.tree(kb.load("connect4").position("4453"), "negascout(depth=3)")
    assert svg.width_of_document(tree.svg(30)) > 2 * PAGE
    fits = tree.svg()
    assert PAGE / 2 < svg.width_of_document(fits) <= PAGE
    assert "… 4 moves" in fits
    best = [e for e in ElementTree.fromstring(fits).iter(f"{SPACE}polyline") if e.get("stroke-width") == "2.6"]
    assert len(best) == len(tree.result.line) == 2


def test_the_frames_of_a_simulation_have_a_legend() -> None:
    drawn = kb.tree(kb.load("tictactoe").start, "uct(playouts=30)").svg()
    for said in ("X moves", "O moves", "upper confidence bound", "path of this simulation", "moves not shown"):
        assert said in drawn
    assert "upper confidence bound" not in kb.tree(kb.load("tictactoe").start, "puct(playouts=30)").svg()
