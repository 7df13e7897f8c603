"""Life and death: rules in step with sets of points, answers by plain recursion, problems with published answers, SGF."""

from pathlib import Path
from random import Random

import pytest

import kibitz as kb
from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.position.game import from_board
from kibitz.core.position.transcript import recorded
from kibitz.searches.proof.prove import prove
from kibitz.tables.proof.claim import PROVEN
from kibitz.tables.proof.file import verify
from tests.differential.cases import on
from tests.games.go_rules import Board, kills, random_problem

ROOT = Path(__file__).parent.parent.parent
SMALL = kb.load("go_problem", size=5, captures=2)

# --- the rules ---


def in_step(position: kb.Position, board: Board, rng: Random) -> None:
    """A random game, move by move, until the twin knows how it ended; go_problem may know before, by two eyes."""
    while not board.over:
        assert position.is_over == board.safe()
        if position.is_over:
            assert position.show().endswith("O lives")
            assert position.utility(1) == 1
            return
        following = board.moves()
        assert {str(m) for m in position.moves} == set(following)
        assert from_board(position.game, position.show()).data == position.data
        assert (int(position.state["left"]), int(position.state["captures"])) == (len(board.asked), board.captures)
        chosen = rng.choice(sorted(following))
        position, board = position.play(chosen), following[chosen]
    assert position.is_over
    assert position.utility(0) == (1 if board.over == "dies" else -1)
    assert from_board(position.game, position.show()).data == position.data


def test_random_games_in_step_with_sets_of_points() -> None:
    for seed in range(50):
        rng = Random(seed)
        board = random_problem(rng, free=rng.choice((4, 6, 8)))
        in_step(SMALL.position(board.text()), board, rng)


def test_problems_against_plain_recursion() -> None:
    """Which knows nothing of eyes: so what is called safe is."""
    sweep(range(25))


@pytest.mark.long
def test_a_thousand_problems_against_plain_recursion() -> None:
    sweep(range(1000, 2000))


def sweep(seeds: range) -> None:
    answers = []
    with on("python"):
        for seed in seeds:
            rng = Random(seed)
            board = random_problem(rng, free=rng.choice((3, 4, 5)), most=2)
            found = prove(SMALL.position(board.text()), "win", 0, with_strategy=True, leaf=rng.choice(("one", "moves")), memory=1)
            answers.append(found.verdict == PROVEN)
            assert answers[-1] == kills(board), seed
            assert found.strategy is not None
            verify(found.strategy)
    assert 0.2 < sum(answers) / len(answers) < 0.8


def test_it_is_sound() -> None:
    threats = {"black_threats": 1, "white_threats": 2, "captures": 1, "beyond": "dies"}
    report = check(kb.load("go_problem", **threats), games=60)
    assert report.passed, str(report)


def test_beyond_the_last_capture() -> None:
    """What comes of the stones then is for the parameter to say."""
    for beyond, value in (("lives", -1), ("dies", 1)):
        game = kb.load("go_problem", size=5, captures=1, beyond=beyond)
        position = game.position("_____/_____/XXXXX/WWWWX/XX.WX O to move, 1 capture made").play("C1")
        assert position.is_over
        assert position.utility(0) == value


def test_snapback() -> None:
    """Black throws a stone in at A1, White takes it with A2, and three are taken back at A1."""
    position = kb.load("go_problem", size=5).position("_____/_____/XXX__/.WX__/.WX__ X to move").play("A1", "A2", "A1")
    assert position.is_over
    assert position.utility(0) == 1


# --- published answers ---


def answer(name: str, to_move: str = "X", threats: tuple[int, int] = (0, 0), changed: str = "", size: int = 7, columns: int = 0) -> str:
    """Do the stones live or die?"""
    game = kb.load("go_problem", size=size, columns=columns)
    board = changed or game.positions[name].removesuffix(" X to move")
    position = game.position(f"{board} {to_move} to move, threats: X {threats[0]}, O {threats[1]}")
    return "dies" if prove(position, "win", 0, leaf="moves", memory=16).verdict == PROVEN else "lives"


@pytest.mark.parametrize(
    ("name", "black", "white"),
    [("", "dies", "lives"), ("bulky-five", "dies", "lives"), ("square-four", "dies", "dies")],
)
def test_eyes_in_a_row_and_in_a_lump(name: str, black: str, white: str) -> None:
    with on("python"):
        board = "_______/_______/_______/_______/XXXXX__/WWWWX__/...WX__" if not name else ""
        assert (answer(name, changed=board), answer(name, "O", changed=board)) == (black, white)


def test_four_in_a_row_lives() -> None:
    with on("python"):
        board = "_______/_______/_______/_______/XXXXXX_/WWWWWX_/....WX_"
        assert (answer("", changed=board), answer("", "O", changed=board)) == ("lives", "lives")


def test_bent_four_in_the_corner() -> None:
    """A ko that Black may begin and White may not end: dead, unless White has threats that Black cannot take away."""
    with on("python"):
        for to_move in "XO":
            told = [answer("bent-four-corner", to_move, threats) for threats in ((0, 0), (0, 9), (9, 0), (3, 3))]
            assert told == ["dies", "lives", "dies", "dies"]


@pytest.mark.long
@pytest.mark.compiled
def test_open_shapes_in_the_corner_and_at_the_edge() -> None:
    """Sensei's Library, "Common Corner Shapes"; J. Davies, Life and Death (1975): the door group."""
    corner = "_______/_______/XXXXX__/.XXXX__/{}WWWX__/...WX__/...{}.X_"
    edge = "_________/_________/_________/_XXXXXXX_/_XWWWWWX_/_XW...WX_/X.{}...{}.X"
    for shape, columns in ((corner, 7), (edge, 9)):
        for legs, told in (
            (("", ""), ("dies", "")),
            (("W", ""), ("dies", "lives")),
            (("", "W"), ("dies", "lives")),
            (("W", "W"), ("lives", "lives")),
        ):
            board = shape.format(*(leg or "." for leg in legs))
            assert [answer("", side, changed=board, columns=columns) for side, t in zip("XO", told, strict=True) if t] == [
                t for t in told if t
            ]
    assert answer("l-group", "O") == "dies"


@pytest.mark.long
@pytest.mark.compiled
def test_liberties_outside() -> None:
    """Two by three in the corner: dead without, a ko with one, alive with two."""
    assert (answer("rectangular-six"), answer("rectangular-six", threats=(0, 9)), answer("rectangular-six", "O")) == (
        "dies",
        "dies",
        "lives",
    )
    one = "_______/_______/XX_____/.XXXX__/WWWWX__/...WX__/...WX__"
    two = "_______/_______/XX_____/.XXXX__/WWWWX__/...WX__/...W.X_"
    assert [answer("", threats=t, changed=one) for t in ((0, 0), (0, 9), (9, 0))] == ["dies", "lives", "dies"]
    assert [answer("", threats=t, changed=two) for t in ((0, 0), (0, 9), (9, 0))] == ["lives", "lives", "lives"]


@pytest.mark.long
@pytest.mark.compiled
def test_carpenters_square() -> None:
    """A ko, if Black begins."""
    assert [answer("carpenters-square", threats=t) for t in ((0, 0), (0, 9), (9, 0))] == ["dies", "lives", "dies"]
    assert [answer("carpenters-square", "O", threats=t) for t in ((0, 0), (9, 0))] == ["lives", "lives"]


@pytest.mark.long
@pytest.mark.compiled
def test_six_in_a_lump() -> None:
    assert (answer("rabbity-six"), answer("rabbity-six", "O")) == ("dies", "lives")


# --- text and files ---


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("_____/_____/XXXXX/OOOOX/...OX X to move", "no stones are in question"),
        ("_____/_____/BBXXX/WWWWX/...WX X to move", "stones of both sides"),
        ("_____/_____/XXXXX/WWWWX/...W X to move", "5 rows of 5 points"),
        ("_____/_____/XXXXX/WWWWX/...WX", "what happens next"),
        ("XXXXX/XXXXX/XXXXX/WWWWX/XXXWX X to move", "has no liberty"),
    ],
)
def test_positions_that_are_none(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        SMALL.position(text)


def test_what_is_alive_already_is_over() -> None:
    position = SMALL.position("_____/_____/XXXXX/WWWWX/.W.WX X to move")
    assert (position.is_over, position.utility(1), position.show().splitlines()[-1]) == (True, 1, "game over: O lives")


def read(content: str, folder: Path, **given: object) -> kb.Position:
    path = folder / "problem.sgf"
    path.write_text(content)
    _, positions = recorded("go_problem", path, given)
    assert len(positions) == 1  # answers are left out
    return positions[0]


def test_problems_from_files(tmp_path: Path) -> None:
    pytest.importorskip("sgfmill")
    corner = "(;SZ[9]AW[ag][bg][cg][dg][eg][eh][ei]AB[ah][bh][ch][dh][di]{}PL[{}];W[bi])"
    position = read(corner.format("TR[ah]", "W"), tmp_path)
    assert position.show().splitlines()[-4:] == ["2 B X X X O _ _ _ _", "1 . . . X O _ _ _ _", "  a b c d e f g h j", "O to move"]
    with on("python"):
        assert prove(position, "win").verdict == PROVEN
        assert prove(read(corner.format("MA[ah][ch]", "B"), tmp_path, white_threats=2), "win").verdict == PROVEN
    assert "threats: X 0, O 2" in read(corner.format("SQ[ah]", "B"), tmp_path, white_threats=2).show()
    free = read(corner.format("CR[ah][ai][bi][ci][fi]", "W"), tmp_path)
    assert [str(m) for m in free.moves] == ["A1", "B1", "C1", "F1", "pass"]


def test_a_stone_inside_is_reached_and_a_wall_is_not(tmp_path: Path) -> None:
    """White has put a stone into the eye; where it stood may be played on after it is taken."""
    pytest.importorskip("sgfmill")
    content = "(;SZ[9]AW[ag][bg][cg][dg][eg][eh][ei][bi]AB[ah][bh][ch][dh][di]TR[ah]PL[B])"
    position = read(content, tmp_path)
    assert [str(m) for m in position.moves] == ["A1", "C1", "pass"]
    assert position.state["settled"][1] == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("(;SZ[9]AB[aa]AW[ba])", "no stones are in question"),
        ("(;SZ[9]AB[aa]AW[ba]TR[aa][ba])", "stones of both sides are marked"),
        ("(;SZ[9]AB[aa]AW[ba]TR[aa])", "reach 79 empty points"),
        ("(;GM[2])", "another game than Go"),
        ("no file", "no SGF file"),
    ],
)
def test_files_that_set_no_problem(content: str, words: str, tmp_path: Path) -> None:
    pytest.importorskip("sgfmill")
    with pytest.raises(InputError, match=words):
        read(content, tmp_path)


def test_pictures_mark_the_stones_in_question() -> None:
    drawn = SMALL.start.draw()
    assert drawn.count("<polygon") == 5
    assert drawn.count("#c49a55") > 5
