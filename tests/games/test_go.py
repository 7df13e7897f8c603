"""Go: captures, ko, superko and scoring, counts of positions and games, solved boards, text, and games in step with OpenSpiel."""

import random
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import perft, successors, workspace
from kibitz.core.position.game import Game, Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.position.notation import Move
from kibitz.core.records.record import blank
from kibitz.players import search
from tests.naive import minimax_to_depth

GAME = load("go")
TWO = load("go", size=2, komi=0, score="area")
THREE = load("go", size=3, komi=0)
LINE = load("go", size=1, columns=3, komi=0, score="area")


def legal(position: Position) -> set[str]:
    return {str(m) for m in position.moves}


def stones(position: Position) -> str:
    """The points of the board from the top."""
    return "".join("".join(line.split()[1:]) for line in position.show().splitlines()[:-2])


def eyeless_game(game: Game, seed: int, most: int = 400) -> Iterator[Position]:
    """The positions of a random game of useful moves."""
    chooser, position = random.Random(seed), game.start
    for _ in range(most):
        yield position
        if position.is_over:
            return
        position = position.after_line([int(useful(position, chooser))])


def useful(position: Position, chooser: random.Random) -> Move:
    """Any move that does not fill an eye of one's own; a pass only where there is none."""
    listed = Position(position.game, position.data).moves  # superko is asked of the one that is chosen, that is faster
    open_ = [m for m in listed if position.game.rule("order")(position.state, int(m)) > -50]
    chooser.shuffle(open_)
    return next((m for m in open_ if not position._would_repeat(int(m))), listed[-1])


# --- captures and suicide ---


def test_one_stone_is_captured() -> None:
    position = GAME.position("E5 D5 A1 F5 B1 E6 J9 E4")
    assert position.state.colour[4 * 9 + 4] == 0
    assert "E5" not in legal(position)  # Black would have no liberty there


def test_a_chain_is_captured_whole() -> None:
    taken = from_board(THREE, "OOX/OXX/.X. / X to move").play("A1")
    assert stones(taken) == "..X.XXXX."


def test_capturing_goes_before_suicide() -> None:
    board = ".XO/XXO/OO."  # A3 is the last liberty of the stones around it
    assert stones(from_board(THREE, f"{board} / O to move").play("A3")) == "O.O..OOO."
    assert "A3" not in legal(from_board(THREE, f"{board} / X to move"))


def test_suicide_is_forbidden_whatever_the_size() -> None:
    four = load("go", size=4)
    assert "A1" not in legal(from_board(THREE, ".../O../.O. / X to move"))
    assert "A1" not in legal(from_board(four, "..../OO../XXO./.O.. / X to move"))
    assert "A1" in legal(from_board(four, "..../OO../XXO./.OX. / X to move"))  # it captures B1


# --- ko and superko ---

KO = "D4 E4 C5 F5 D6 E6 E5 A1 A9 D5"  # the last move takes E5


def test_a_ko_is_not_taken_back_at_once() -> None:
    position = GAME.position(KO)
    assert position.show().endswith("X to move after D5, ko at E5")
    assert "E5" not in legal(position)
    assert "E5" not in legal(Position(GAME, position.data))  # the state knows by itself
    assert "E5" in legal(position.play("H2", "H8"))  # a threat and its answer have changed the board


@pytest.mark.parametrize("game", [TWO, THREE, LINE, load("go", size=2, columns=3)])
def test_forbidden_is_what_brings_a_board_back(game: Game) -> None:
    """By looking at the boards: of the moves the rules alone would allow, those to a board that has been there, and no others."""
    forbidden = 0
    for seed in range(15):
        choose, position, seen = random.Random(seed).choice, game.start, [stones(game.start)]
        while not position.is_over and len(seen) < 60:
            for move in Position(game, position.data).moves:  # knows no past
                after = stones(position.after_line([int(move)]))
                back = after in seen and after != seen[-1]
                assert (str(move) in legal(position)) == (not back)
                forbidden += back
            placing = [m for m in position.moves if str(m) != "pass"]
            position = position.play(choose(placing or position.moves))
            seen.append(stones(position))
    assert forbidden > 3


def test_passing_is_always_allowed_and_twice_ends_the_game() -> None:
    position = THREE.position("B2 pass C2 pass A2")
    assert "pass" in legal(position)
    over = position.play("pass", "pass")
    assert over.is_over
    assert over.utility(0) == 1.0


# --- counting ---


def boards(game: Game) -> int:
    """All boards that can be reached when either side may move at any time, and whatever has been there before."""
    kernel, w = game.bind(successors, {"CANONICAL": False}), blank(workspace(game.constants))
    layer, seen = np.array([game.start.state], game.constants["State"]), {game.start.state.colour.tobytes()}
    while len(layer):
        both = np.concatenate([layer, layer])
        both["turn"][: len(layer)], both["turn"][len(layer) :] = 0, 1
        both["ko"], both["passes"] = -1, 0
        following = np.zeros(len(both) * game.constants["MAX_MOVES"], both.dtype)
        n = kernel(w, both, following)
        new = {s["colour"].tobytes(): s for s in following[:n]}
        layer = np.array([s for colours, s in new.items() if colours not in seen], both.dtype)
        seen |= set(new)
    return len(seen)


@pytest.mark.parametrize(("size", "positions"), [(1, 1), (2, 57), (3, 12675)])
def test_legal_positions(size: int, positions: int) -> None:
    assert boards(load("go", size=size)) == positions


def games_from(position: Position) -> int:
    """Sequences of boards, each got from the one before by a stone of either side, none of them twice."""
    total = 1
    for moved in (position, position.play("pass")):
        total += sum(games_from(moved.play(m)) for m in moved.moves if str(m) != "pass")
    return total


@pytest.mark.parametrize(("columns", "games"), [(1, 1), (2, 9), (3, 907)])
def test_number_of_games_without_repeated_boards(columns: int, games: int) -> None:
    assert games_from(load("go", size=1, columns=columns).start) == games


def paths(position: Position, depth: int) -> int:
    return 1 if depth == 0 else sum(paths(position.play(m), depth - 1) for m in position.moves)


@pytest.mark.parametrize(("game", "moves", "depth"), [(TWO, "", 5), (TWO, "A1 B2 B1 A2", 5), (LINE, "A1 C1", 6)])
def test_perft_leaves_out_what_is_forbidden(game: Game, moves: str, depth: int) -> None:
    position = game.position(moves)
    assert perft(position, depth, target="python") == perft(position, depth, target="cpu") == paths(position, depth)


def test_superko_makes_a_difference_to_perft() -> None:
    free = Position(TWO, TWO.position("A1 B2 B1 A2").data)  # the same board without its past
    assert perft(free, 4) > perft(TWO.position("A1 B2 B1 A2"), 4)


# --- searching ---


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "moves", "depth"), [
    (TWO, "", 5), (TWO, "A1 B2 B1 A2", 4), *(pytest.param(LINE, moves, 6, marks=pytest.mark.long) for moves in ("", "A1 C1")),
])  # fmt: skip
def test_searches_agree_with_plain_recursion(game: Game, moves: str, depth: int) -> None:
    position = game.position(moves)
    expected = minimax_to_depth(position, depth, position.player)
    for engine in (f"minimax(depth={depth})", f"alphabeta(depth={depth}, table=0)"):
        result = search(position, engine)
        assert result.value == pytest.approx(expected)
        assert str(result.move) in legal(position)


@pytest.mark.compiled
def test_the_whole_line_is_blacks() -> None:
    result = search(LINE.start, "alphabeta(table=0)", depth=8)
    assert (result.value, str(result.move), result.exact) == (3.0, "B1", True)


@pytest.mark.long
def test_two_by_two_is_won_by_one_point() -> None:
    result = search(TWO.start, "alphabeta(table=0)", depth=76)
    assert (result.value, result.exact) == (1.0, True)


@pytest.mark.long
@pytest.mark.compiled
def test_monte_carlo_plays_what_is_allowed() -> None:
    for position in list(eyeless_game(THREE, 1, 30))[::4]:
        if not position.is_over:
            assert str(search(position, "uct(playouts=200, playout=policy, seed=1)").move) in legal(position)


# --- score ---


@pytest.mark.parametrize(
    ("board", "points"),
    [("... / ... / ...", 0), ("... / .X. / ...", 9), ("X.O / X.O / X.O", 0), (".XO / XXO / OO.", 4 - 5), (".X. / XXX / O.O", 6 - 2)],
)
def test_area(board: str, points: int) -> None:
    over = from_board(load("go", size=3, komi=0, score="area"), f"{board} / X to move").play("pass", "pass")
    assert (over.utility(0), over.utility(1)) == (points, -points)
    with_komi = from_board(load("go", size=3, komi=points, score="win"), f"{board} / X to move").play("pass", "pass")
    assert with_komi.utility(0) == 0.0


@pytest.mark.parametrize("komi", ["0.3", "x", "500"])
def test_bad_komi(komi: str) -> None:
    with pytest.raises(InputError, match="komi"):
        load("go", komi=komi)


# --- chains, symmetry, knowledge ---


def test_a_state_is_a_function_of_its_board() -> None:
    """However the stones came there: chains, liberties and hash are those of the same board read from text."""
    for seed, size in ((1, 5), (2, 7), (3, 9)):
        game = load("go", size=size)
        for position in list(eyeless_game(game, seed, 90))[::5]:
            assert from_board(game, position.show()) == position


@pytest.mark.parametrize("parameters", [{"size": 5}, {"size": 3, "columns": 5}])
def test_images_have_one_canonical_form(parameters: dict[str, int]) -> None:
    game = load("go", **parameters)
    for position in list(eyeless_game(game, 7, 60))[::6]:
        rows = [line.split()[1:] for line in position.show().splitlines()[:-2]]
        images = [rows, rows[::-1], [row[::-1] for row in rows], [row[::-1] for row in rows[::-1]]]
        if len(rows) == len(rows[0]):
            images += [[list(column) for column in zip(*image, strict=True)] for image in images]
        forms = set()
        for image in images:
            s = from_board(game, " / ".join("".join(row) for row in image) + f" / {'XO'[position.player]}").state
            game.rule("canonical")(s)
            forms.add(s.tobytes())
        assert len(forms) == 1


def test_eyes_are_left_alone() -> None:
    position = from_board(load("go", size=5), ".X.O. / XX.OO / ..... / XX.OX / .X.X. / X to move")
    rule = position.game.rule
    numbers = np.array([int(m) for m in position.moves])
    weights = np.zeros(len(numbers))
    rule("policy")(position.state, numbers, len(numbers), weights)
    by_name = dict(zip(map(str, position.moves), weights, strict=True))
    assert by_name["A5"] < by_name["pass"] < by_name["C3"]
    assert by_name["A1"] < by_name["pass"]
    assert by_name["E1"] > by_name["pass"]  # one White stone diagonally, at the edge: no eye
    assert "E5" not in by_name  # White's eye
    order = {str(m): rule("order")(position.state, int(m)) for m in position.moves}
    assert order["A5"] < order["pass"] < order["C3"]


def test_captures_are_tried_first() -> None:
    position = from_board(THREE, "OOX/OXX/.X. / X to move")
    assert str(max(position.moves, key=lambda m: THREE.rule("order")(position.state, int(m)))) == "A1"


# --- text ---


def test_show_and_points() -> None:
    position = load("go", size=10).position("J10 A1")
    lines = position.show().splitlines()
    assert lines[0] == "10 . . . . . . . . X ."
    assert lines[9:] == [" 1 O . . . . . . . . .", "   a b c d e f g h j k", "X to move after A1"]
    assert "I5" not in legal(position)


def test_text_remembers_passes_ko_and_the_end() -> None:
    ko = GAME.position(KO)
    for position in (ko, ko.play("pass"), ko.play("pass", "pass"), load("go", size=19).position("O14 T19")):
        assert from_board(position.game, position.show()) == position
        assert from_board(position.game, " / ".join(position.show().splitlines())) == position
    assert ko.play("pass", "pass").show().splitlines()[-1] == "game over: O wins by 9.5"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "after the board comes what happens next"),
        (".../.../...", "after the board comes what happens next"),
        (".../... / X", "there are 6 points"),
        (".../..Y/... / X to move", "each X, O or ."),
        ("XXX/XXX/XXX / O to move", "a chain on the board has no liberty"),
        (".../.../... / X to move, ko at A1", "there is no ko at A1"),
        (".../.../... / X to move, ko at D4", "there is no point D4; the points are A1 to C3"),
        (".X./.../... / X to move after B3", "B3 cannot have been the last move: there is no stone of O"),
        (".../.../... / game over: O wins by 3", "by the rules it is 'game over: drawn'"),
    ],
)
def test_bad_boards(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_board(THREE, text)
    assert "\n" not in str(caught.value)


def test_picture() -> None:
    picture = ElementTree.fromstring(GAME.position(KO).draw())
    circles = picture.findall("{*}circle")
    assert (sum(c.get("r") == "18" for c in circles), len(circles)) == (9, 14)  # stones, and five star points
    assert len(picture.findall("{*}line")) == 18
    assert "x" in [t.text for t in picture.findall("{*}text")]  # the ko


# --- conformance and a second opinion ---


@pytest.mark.parametrize("parameters", [{"size": 2, "columns": 4, "komi": 0.5, "score": "area"}, pytest.param({}, marks=pytest.mark.once)])
def test_conformance(parameters: dict[str, Any]) -> None:
    assert not check(load("go", **parameters), games=20 if parameters else 0).failures


@pytest.mark.parametrize(("size", "games"), [(2, 20), (3, 20), (5, 8), (9, 1)])
def test_whole_games_in_step_with_openspiel(size: int, games: int) -> None:
    """There a repeated board ends the game instead of being forbidden: our moves before superko are theirs."""
    pyspiel = pytest.importorskip("pyspiel")
    other, game = pyspiel.load_game(f"go(board_size={size},komi=0.5,max_game_length=1000)"), load("go", size=size, komi=0.5)
    for seed in range(games):
        chooser, theirs, ours = random.Random(seed), other.new_initial_state(), game.start
        while not ours.is_over:
            assert ours.player == theirs.current_player()
            assert [int(m) for m in Position(game, ours.data).moves] == theirs.legal_actions()
            move = useful(ours, chooser)
            theirs.apply_action(int(move))
            ours = ours.after_line([int(move)])
            rows = [line.split()[1] for line in str(theirs).splitlines() if line.strip() and line.split()[0].isdigit()]
            assert stones(ours) == "".join(rows).replace("+", ".")
        assert theirs.is_terminal()
        assert [ours.utility(0), ours.utility(1)] == theirs.returns()


@pytest.mark.parametrize(("size", "marked"), [(4, 0), (5, 1), (9, 5), (13, 5), (19, 9)])
def test_star_points(size: int, marked: int) -> None:
    assert load("go", size=size).start.draw().count('fill="#5a4320" stroke="none"') == marked
