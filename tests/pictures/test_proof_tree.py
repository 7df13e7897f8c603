"""Trees of proof-number search: step by step like the slow twin, the lecture's figures, text, picture and data."""

import math
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.pictures.proof_tree import ProofTree
from tests.cli.test_commands import answer, kibitz
from tests.searches.proof.naive_pn import Question, random_tree

TREES = kb.load("trees", tree="[0, 1]", capacity=256, low=-9, high=20)
PAIR = tuple[float, float]
DOCS = Path(__file__).parent.parent.parent / "docs"


def drawn(position: kb.Position, search: str, **options: Any) -> ProofTree:
    tree = kb.tree(position, search, **options)
    assert isinstance(tree, ProofTree)
    return tree


def figure(name: str, search: str) -> ProofTree:
    return drawn(kb.load("trees", tree=name).start, search)


def moments(data: dict[str, Any]) -> list[dict[int, PAIR]]:
    """All numbers after each step, put together from the first ones and the changes."""
    found: list[dict[int, PAIR]] = []
    for step in range(len(data["steps"]) + 1):
        here = dict(found[-1]) if found else {}
        here |= {n["node"]: pair(n["first"]) for n in data["nodes"] if n["came"] == step}
        if step:
            here |= {node: pair(numbers) for node, *numbers in data["steps"][step - 1]["changed"]}
        found.append(here)
    return found


def pair(numbers: list[int | None]) -> PAIR:
    proof, disproof = (math.inf if n is None else n for n in numbers)
    return proof, disproof


def paths(data: dict[str, Any]) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for node in data["nodes"]:
        found[node["node"]] = () if node["parent"] is None else (*found[node["parent"]], node["move"])
    return found


@pytest.mark.once
@pytest.mark.parametrize("lecture", [False, True])
def test_every_step_is_the_twins(lecture: bool) -> None:
    for seed in range(60):
        rng = Random(seed)
        position, player = TREES.position(random_tree(rng, [-2, 0, 1, 3], depth=4)), rng.randrange(2)
        threshold = rng.choice([-1, 0, 1, 2, 3])
        threshold = threshold if player == 0 else 11 - threshold
        data = drawn(position, "pn", goal=f"value >= {threshold}", player=player + 1, lecture=lecture).as_dict()
        question, named = Question(position, player, threshold, not lecture), paths(data)
        told = moments(data)
        assert {named[n]: numbers for n, numbers in told[0].items()} == question.all_numbers()
        for step, numbers in zip(data["steps"], told[1:], strict=True):
            assert question.step()
            assert named[step["leaf"]] == question.order[-1]
            assert {named[n]: found for n, found in numbers.items()} == question.all_numbers(), (seed, step)
        assert not question.step()
        assert {n["node"]: pair(n["numbers"]) for n in data["nodes"]} == told[-1]
        assert [n["expanded"] for n in sorted(data["nodes"], key=lambda n: n["expanded"] or 0) if n["expanded"]] == [
            step["step"] for step in data["steps"]
        ]


@pytest.mark.once
def test_searches_at_leaves_settle_the_same() -> None:
    for seed in range(40):
        rng = Random(seed)
        position = TREES.position(random_tree(rng, [0, 1], depth=6))
        one, two = (drawn(position, search, goal="value >= 1", player=1) for search in ("pn", "pn2"))
        assert one.growth.verdict == two.growth.verdict == kb.prove(position, "value >= 1", 0).verdict
        assert len(two.growth.steps) <= len(one.growth.steps)


@pytest.mark.once
def test_what_is_bold_settles_the_root() -> None:
    """Of it alone the root's value follows: a strategy, with every reply."""
    for seed in range(60):
        position = TREES.position(random_tree(Random(seed), [0, 1], depth=5))
        tree = drawn(position, "pn", goal="value >= 1", player=1)
        growth, bold = tree.growth, tree.growth.settling()
        holder = 0 if growth.verdict == "proven" else 1
        for node in bold:
            here = position.after_line(node.line)
            if here.is_over:
                assert (here.utility(0) >= 1) == (holder == 0)
            elif here.player == holder:
                assert sum(child in bold for child in node.children) == 1
            else:
                assert len(node.children) == len(here.moves)
                assert all(child in bold for child in node.children)


@pytest.mark.once
def test_the_lectures_tree() -> None:
    """Slide 38: after a, b and e, which disproves b; c is what is left to prove (see tests/searches/proof/test_pn.py for the printed numbers)."""
    tree = figure("proof-numbers", "pn(goal='value >= 1', steps=3)")
    assert tree.text().splitlines()[1:] == [
        "▲ 1, 1  #1",
        "├─ b ▼ ∞, 0  #2",
        "│  ├─ d ■ 0, ∞",
        "│  └─ e ▲ ∞, 0  #3",
        "│     └─ 1 ■ ∞, 0",
        "┕━ c ▼ 1, 1  ?",
        "p, d: proof and disproof number  #n: expanded n-th  ?: open leaf  ▲ player 1 to move  ▼ player 2",
    ]
    assert tree.growth.ended == "steps"
    assert (figure("proof-numbers-values", "pn(goal='value >= 19')").growth.verdict, figure("proof-numbers2", "pn").growth.verdict) == (
        "disproven", "proven",
    )  # fmt: skip


@pytest.mark.once
def test_the_document_shows_it() -> None:
    """To draw it anew: kibitz tree trees -p tree=proof-numbers --with pn --svg docs/pictures/proof-numbers.svg"""
    tree = figure("proof-numbers", "pn")
    assert (DOCS / "pictures" / "proof-numbers.svg").read_text() == tree.svg()
    page = (DOCS / "proofs.md").read_text()
    for line in tree.text().splitlines():
        assert f"    {line}\n" in page, line


@pytest.mark.once
def test_large_trees_fold() -> None:
    tree = drawn(kb.load("mnk").start, "pn", steps=200)
    for size in (1, 12, 60):
        assert len(tree.text(size).splitlines()) <= size + 2
        assert ElementTree.fromstring(tree.svg(size)).tag.endswith("svg")
    assert "more" in tree.text(12)
    small = drawn(kb.load("mnk").start, "pn", room=300)
    assert (small.growth.ended, small.growth.verdict) == ("room", "unknown")
    assert drawn(kb.load("mnk").position("a1 a2 b1 b2 c1"), "pn", player=1).growth.verdict == "proven"
    assert "repetition" in drawn(kb.load("chess").position("7k/8/5K2/8/8/8/8/6R1 w - - 0 1"), "pn(within=3)", leaf="moves").text()


@pytest.mark.once
def test_as_a_user_types_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = answer(capsys, "tree", "mnk", "--moves", "b2 a1 b1", "--with", "pn(leaf=moves)", "--nodes", "40")
    assert (data["engine"], data["verdict"], data["nodes"][0]["numbers"]) == (
        "pn(nodes=40, leaf=moves)",
        "unknown",
        data["steps"][-1]["changed"][-1][1:],
    )
    path = tmp_path / "t.svg"
    code, out, _ = kibitz(capsys, "tree", "mnk", "--with", "pn2(steps=5)", "--svg", str(path))
    assert (code, path.exists()) == (0, True)
    assert "picture written to" in out


@pytest.mark.once
@pytest.mark.parametrize(
    ("game", "search", "words"),
    [
        ("mnk", "dfpn", "no tree to draw"),
        ("mnk", "pn(stps=3)", "did you mean steps"),
        ("mnk", "pn(goal=draw)", "is no goal"),
        ("chess", "pn", "bounded claim"),
        ("pig", "pn", "nothing can be proven"),
    ],
)
def test_what_cannot_be_drawn(game: str, search: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        kb.tree(kb.load(game).start, search)
