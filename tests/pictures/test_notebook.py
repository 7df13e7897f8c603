"""A notebook, executed: answers show themselves with what belongs to them, as HTML that is well formed, and mistakes in one line."""

from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient

from kibitz.core.drawing import marks

CELLS = {
    "position": "import kibitz as kb; game = kb.load('connect4'); p = game.position('4453'); p",
    "lines": "kb.search(p, 'selective(depth=3, lines=2)')",
    "sampled": "kb.search(kb.load('hex', size=3).start, 'uct(playouts=60)', seed=1)",
    "risk": "kb.search(kb.load('pig', target=20).start.play('roll', '5'), 'star2(depth=2, risk=both)')",
    "hidden": "kb.search(kb.load('blind_tictactoe').position('5'), 'sampling(playouts=9)')",
    "player": "kb.player('selective(depth=4, beam=3)')",
    "match": "kb.match('alphabeta(depth=2)', 'alphabeta(depth=1)', kb.load('tictactoe'), games=4, seed=1)",
    "tree": "kb.tree(p, 'negascout(depth=2)')",
    "simulation": "kb.tree(kb.load('tictactoe').start, 'uct(playouts=20)', seed=1)",
    "proof": "kb.prove(kb.load('tictactoe').position('5'), 'not lose')",
    "mistake": "kb.player('alphabeta(dept=3)')",
}


@pytest.fixture(scope="module")
def outputs() -> dict[str, nbformat.NotebookNode]:
    """What each cell shows; a kernel of its own runs them all, interpreted."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("KIBITZ_TARGET", "python")
        patched.setenv("JUPYTER_PLATFORM_DIRS", "1")
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS.values()])
        NotebookClient(book, timeout=300, kernel_name="python3", allow_errors=True).execute()
    return {name: cell.outputs[-1] for name, cell in zip(CELLS, book.cells, strict=True)}


@pytest.mark.parametrize("name", [name for name in CELLS if name != "mistake"])
def test_html_is_well_formed(outputs: dict[str, nbformat.NotebookNode], name: str) -> None:
    ElementTree.fromstring(outputs[name].data["text/html"].replace("&nbsp;", " "))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("position", ["<svg", 'data-cell="4']),
        ("lines", ["<svg", "about", "as deep as asked", "selective(depth=3, lines=2)", "<th", ">value<", ">line<"]),
        ("sampled", ["60 playouts", ">visits<", ">±<"]),
        ("risk", [">spread<", ">win<"]),
        ("hidden", ["<pre"]),
        ("player", ["selective(depth=4, beam=3)", ">beam<", "<details>", "all other options"]),
        ("match", ["alphabeta(depth=2)", "4 games in 2 pairs", "<circle", "Elo"]),
        ("tree", ["<svg", "negascout"]),
        ("simulation", ["<svg", "select"]),
        ("proof", ["<svg", "O can avoid losing"]),
    ],
)
def test_what_belongs_to_an_answer_is_there(outputs: dict[str, nbformat.NotebookNode], name: str, words: list[str]) -> None:
    shown = outputs[name].data["text/html"]
    assert [word for word in words if word not in shown] == []


def test_the_best_move_is_marked(outputs: dict[str, nbformat.NotebookNode]) -> None:
    """Beside the last one, which every board marks."""
    position, lines = (outputs[name].data["text/html"] for name in ("position", "lines"))
    assert [marks.LAST in shown for shown in (position, lines)] == [True, True]
    assert [marks.BEST in shown for shown in (position, lines)] == [False, True]


def test_no_more_of_a_hidden_game_than_the_mover_sees(outputs: dict[str, nbformat.NotebookNode]) -> None:
    """The first player's mark in the middle is not for the second player's eyes."""
    assert "X" not in outputs["hidden"].data["text/html"].split("</pre>")[0]


def test_a_mistake_is_told_in_one_line(outputs: dict[str, nbformat.NotebookNode]) -> None:
    assert outputs["mistake"].traceback == ["InputError: alphabeta has no option 'dept'; did you mean depth?"]
