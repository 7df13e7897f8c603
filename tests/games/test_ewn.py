"""EinStein würfelt nicht!: the fine print of dice, captures and set-ups, determinacy, symmetry, text, and games in step with OpenSpiel."""

import random
import re
from fractions import Fraction
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.position.game import Game, Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.rules import CHANCE

GAME = load("ewn")
GIVEN = load("ewn", setup="123456")
MERGED = load("ewn", setup="123456", dice="merged")
SMALL = load("ewn", size=3, setup="123")


def board(rows: str, following: str, game: Game = GAME) -> Position:
    return from_board(game, f"{rows} / {following}")


FEW = "X1 .. .. .. .. / .. X3 .. .. .. / .. .. X6 O2 .. / .. .. .. .. O5 / .. .. .. .. .."


# --- rules ---


@pytest.mark.parametrize(
    ("roll", "movable"),
    [("1", "1"), ("2", "1 or 3"), ("3", "3"), ("4", "3 or 6"), ("5", "3 or 6"), ("6", "6")],
)
def test_a_missing_number_lets_its_neighbours_move(roll: str, movable: str) -> None:
    rolled = board(FEW, "X to roll").play(roll)
    assert rolled.show().endswith(f"X moves {movable}")
    assert rolled == board(FEW, f"X rolled {roll}") == board(FEW, f"X moves {movable}")
    assert {str(m)[0] for m in rolled.moves} == set(movable.replace(" or ", ""))


@pytest.mark.parametrize(("roll", "movable"), [("1", "2"), ("3", "2 or 5"), ("6", "5")])
def test_beyond_the_last_number_there_is_one_way(roll: str, movable: str) -> None:
    assert board(FEW, "O to roll").play(roll) == board(FEW, f"O moves {movable}")


def test_pieces_step_towards_the_far_corner_only() -> None:
    assert {str(m) for m in board(FEW, "X moves 3").moves} == {"3c4", "3b3", "3xc3"}
    assert {str(m) for m in board(FEW, "O moves 2").moves} == {"2xc3", "2d4", "2c4"}
    assert {str(m) for m in board(FEW, "O moves 5").moves} == {"5e3", "5d2", "5xd3"}
    edge = ".. .. .. .. X1 / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / O1 .. .. .. .."
    assert [str(m) for m in board(edge, "X moves 1").moves] == ["1e4"]
    assert [str(m) for m in board(edge, "O moves 1").moves] == ["1a2"]


def test_captures_of_either_side() -> None:
    own = board(FEW, "X moves 3").play("3xc3")
    assert own == board("X1 .. .. .. .. / .. .. .. .. .. / .. .. X3 O2 .. / .. .. .. .. O5 / .. .. .. .. ..", "O to roll")
    theirs = board(FEW, "X moves 6").play("6xd3")
    assert theirs == board("X1 .. .. .. .. / .. X3 .. .. .. / .. .. .. X6 .. / .. .. .. .. O5 / .. .. .. .. ..", "O to roll")


def test_the_corner_wins_and_so_does_the_last_capture() -> None:
    corner = board(".. .. .. .. .. / .. O4 .. .. .. / .. .. .. .. .. / .. .. .. X2 .. / .. .. .. .. ..", "X moves 2").play("2e1")
    last = board(".. .. .. .. .. / X2 O4 .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. ..", "X moves 2").play("2xb4")
    other = board(".. .. .. .. .. / .. O4 .. .. .. / .. .. .. .. .. / .. .. .. X2 .. / .. .. .. .. ..", "O moves 4").play("4a5")
    for position, winner in ((corner, 0), (last, 0), (other, 1)):
        assert position.is_over
        assert (position.utility(winner), position.utility(1 - winner)) == (1.0, -1.0)


def test_set_up_by_chance_is_uniform_and_made_in_small_steps() -> None:
    position = GAME.start
    for left in (6, 5, 4, 3, 2, 6, 5, 4, 3, 2):
        assert position.player == CHANCE
        assert position.chances == (1 / left,) * left
        position = position.play(position.moves[-1])
    assert position.data == load("ewn", setup="654321").start.data


def test_set_up_by_choice_is_the_players_own() -> None:
    position = load("ewn", setup="choice").start
    movers = []
    for number in "2413562413":
        movers.append(position.player)
        position = position.play(number if number in map(str, position.moves) else position.moves[0])
    assert movers == [0] * 5 + [1] * 5
    assert position.player == CHANCE


def test_given_set_ups_are_read_from_each_owners_corner() -> None:
    assert load("ewn", setup="615243/123456").start.show().splitlines() == [
        "5 X6 X1 X5 .. ..",
        "4 X2 X4 .. .. ..",
        "3 X3 .. .. .. O6",
        "2 .. .. .. O5 O4",
        "1 .. .. O3 O2 O1",
        "  a  b  c  d  e",
        "X to roll",
    ]


@pytest.mark.parametrize("size", [3, 4, 6])
def test_other_sizes(size: int) -> None:
    game = load("ewn", size=size, setup="".join(str(n + 1) for n in range(3 if size < 5 else 6)))
    assert len(game.start.moves) == game.constants["MAX_OUTCOMES"] == (3 if size < 5 else 6)


@pytest.mark.parametrize("setup", ["12345", "112345", "123456/123457", "1/2/3", "dice"])
def test_bad_set_ups(setup: str) -> None:
    with pytest.raises(InputError, match=f"setup={setup}: must be chance, choice, or each of 1 to 6 once"):
        load("ewn", setup=setup)


# --- rolls that come to the same ---


def test_equal_rolls_are_one_position() -> None:
    two = board("X1 .. .. .. .. / .. X6 .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. O1", "X to roll")
    after = [two.play(roll) for roll in two.moves]
    assert len({p.key for p in after}) == 3
    assert after[1] == after[2] == after[3] == after[4]


def test_merged_rolls_carry_their_weight() -> None:
    rows = "X1 .. .. .. .. / .. X6 .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. O1"
    merged = board(rows, "X to roll", MERGED)
    assert [str(m) for m in merged.moves] == ["1", "2-5", "6"]
    assert merged.chances == (1 / 6, 4 / 6, 1 / 6)
    one = board(rows, "O to roll", MERGED)
    assert [str(m) for m in one.moves] == ["1-6"]


def test_merging_changes_no_chance() -> None:
    for seed in range(8):
        for position in whole_game(GIVEN, seed):
            if position.is_chance:
                merged = Position(MERGED, position.data)
                assert spread(position) == spread(merged)


def spread(position: Position) -> dict[bytes, Fraction]:
    """The chance of each position after the roll."""
    total: dict[bytes, Fraction] = {}
    for move, chance in zip(position.moves, position.chances, strict=True):
        after = position.play(move).data
        total[after] = total.get(after, Fraction(0)) + Fraction(chance).limit_denominator(6)
    return total


# --- two pieces ---


@pytest.mark.parametrize(("second", "expected"), [(6, 0.6633), (2, 0.3167)])
def test_expected_winning_rates_of_two_pieces(second: int, expected: float) -> None:
    """The winning rate is 0.75 if piece 1 moves and 0.23 if the other does: the mover takes the better one that the roll allows."""
    position = board(f"X1 .. .. .. .. / .. .. X{second} .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. O1 .. ..", "X to roll")
    rates = [max(0.75 if str(m)[0] == "1" else 0.23 for m in position.play(roll).moves) for roll in position.moves]
    assert sum(rates) / 6 == pytest.approx(expected, abs=5e-5)


# --- symmetry and knowledge ---


def image(position: Position, reverse: tuple[bool, bool]) -> Position:
    """The board turned over its diagonal, and the numbers of a side counted from the other end."""
    rows = [line.split()[1:] for line in position.show().splitlines()[:5]]
    words = position.show().splitlines()[-1]

    def renamed(cell: str) -> str:
        return f"{cell[0]}{7 - int(cell[1])}" if cell != ".." and reverse["XO".index(cell[0])] else cell

    turned = [[renamed(rows[column][row]) for column in range(5)] for row in range(5)]
    if "moves" in words and reverse["XO".index(words[0])]:
        numbers = sorted(str(7 - int(n)) for n in re.findall(r"\d", words))
        words = f"{words[0]} moves {' or '.join(numbers)}"
    return board(" / ".join(" ".join(row) for row in turned), words)


@pytest.mark.parametrize("reverse", [(False, False), (True, False), (False, True), (True, True)])
def test_images_have_one_canonical_form(reverse: tuple[bool, bool]) -> None:
    for position in whole_game(GIVEN, 4):
        states = [position.state, image(position, reverse).state]
        for s in states:
            GIVEN.rule("canonical")(s)
        assert states[0].tobytes() == states[1].tobytes()


def test_images_are_worth_the_same() -> None:
    """Late in games on the smallest board, where all can be searched."""
    checked, memo = 0, dict[bytes, float]()
    for seed in range(20):
        for position in whole_game(SMALL, seed)[12:]:
            s = position.state
            SMALL.rule("canonical")(s)
            assert expected(Position(SMALL, s.tobytes()), memo) == pytest.approx(expected(position, memo))
            checked += s.tobytes() != position.data
    assert checked > 10


def expected(position: Position, memo: dict[bytes, float]) -> float:
    """What a position is worth to the first player when both play their best, each different position searched once."""
    if position.data not in memo:
        if position.is_over:
            memo[position.data] = position.utility(0)
        else:
            values = [expected(position.play(move), memo) for move in position.moves]
            memo[position.data] = sum(values) / len(values) if position.is_chance else (max, min)[position.player](values)
    return memo[position.data]


def test_evaluation_is_a_chance_of_winning() -> None:
    evaluate = GIVEN.rule("evaluate")
    for seed in range(5):
        for position in whole_game(GIVEN, seed)[:-1]:
            values = [evaluate(position.state, player) for player in (0, 1)]
            assert values[0] == -values[1]
            assert abs(values[0]) < 1
    near = board(".. .. .. .. .. / .. .. .. .. O4 / .. .. .. .. .. / .. .. .. X2 .. / .. .. .. .. ..", "X to roll")
    assert evaluate(near.state, 0) > 0.99
    assert evaluate(board(FEW, "X to roll").state, 0) > evaluate(board(FEW, "O to roll").state, 0)


def test_evaluation_foretells_results() -> None:
    """Where both sides look one move ahead, the squared error of the chance of winning is below that of always saying one half."""
    errors = []
    for seed in range(100):
        chooser, positions = random.Random(seed), [GAME.start]
        while not positions[-1].is_over:
            last = positions[-1]
            positions.append(last.play(chooser.choice(last.moves) if last.is_chance else max(last.moves, key=lambda m: worth(last, m))))
        won = (positions[-1].utility(0) + 1) / 2
        errors += [((GAME.rule("evaluate")(p.state, 0) + 1) / 2 - won) ** 2 for p in positions[10:-1]]
    assert sum(errors) / len(errors) < 0.235


def worth(position: Position, move: int) -> float:
    """What a move seems worth to the mover."""
    after = position.play(move)
    return after.utility(position.player) if after.is_over else float(GAME.rule("evaluate")(after.state, position.player))


def test_the_corner_then_captures_are_tried_first() -> None:
    position = board(".. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. X1 O4 X2 .. / .. O5 .. .. ..", "X rolled 1")
    ranked = sorted(position.moves, key=lambda m: -GAME.rule("order")(position.state, int(m)))
    assert [str(m) for m in ranked] == ["1xc2", "1xb1", "1c1"]
    winning = board(".. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. X2 O4 / .. .. .. .. ..", "X rolled 1")
    assert str(max(winning.moves, key=lambda m: GAME.rule("order")(winning.state, int(m)))) == "2e1"


# --- text ---


@pytest.mark.parametrize("game", [GAME, MERGED, SMALL, load("ewn", size=6, setup="choice")])
def test_every_position_of_some_games_reads_back(game: Game) -> None:
    for position in whole_game(game, 3):
        assert from_board(game, position.show()) == position
        assert from_board(game, " / ".join(position.show().splitlines())) == position


def test_notation() -> None:
    assert GIVEN.position("3 3d4 1 1xd2 3 3xe3") == GIVEN.start.play("3", "3d4", "1", "1xd2", "3", "3xe3")
    assert GIVEN.position("33d4") == GIVEN.start.play("3", "3d4")


EMPTY = ".. .. .. .. .. / " * 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a board ends with what happens next"),
        (FEW, "a board ends with what happens next"),
        (FEW + " / Z to roll", "a board ends with what happens next"),
        ("X1 .. .. / X to roll", "a board is 5 rows of 5 squares"),
        (FEW.replace("O2", "O7") + " / X to roll", "X1 to X6 or O1 to O6"),
        (FEW.replace("O2", "X1") + " / X to roll", "X1 stands on the board twice"),
        (FEW + " / X rolled 7", "a die shows 1 to 6"),
        (FEW + " / X moves 6 or 3", "of two pieces the lower comes first"),
        (FEW + " / X moves 1 or 6", "no roll lets both of them move"),
        (FEW + " / X moves 2", "the board says 'X moves 2', but by the rules it is 'X moves 1 or 3'"),
        (FEW + " / X has won", "by the rules it is 'X to roll'"),
        (EMPTY + ".. .. .. .. X1 / X to roll", "by the rules it is 'X has won'"),
        ("O1 .. .. .. .. / " + EMPTY[:-3] + "/ .. .. .. .. X1 / X has won", "a board is 5 rows"),
        ("O1 .. .. .. .. / " + ".. .. .. .. .. / " * 3 + ".. .. .. .. X1 / X has won", "both sides have won"),
        (FEW + " / X to be placed", "a set-up fills the squares row by row"),
    ],
)
def test_bad_boards(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        from_board(GAME, text)
    assert "\n" not in str(caught.value)


def test_picture() -> None:
    position = board(FEW, "X rolled 2")
    picture = ElementTree.fromstring(position.draw())
    assert len(picture.findall("{*}rect")) == 25
    fills = [circle.get("fill") for circle in picture.findall("{*}circle")]
    assert len(fills) == 5 + 2
    assert fills.count("#ffd21f") == 2  # 1 and 3 may move


# --- conformance and a second opinion ---


@pytest.mark.parametrize("parameters", [{}, pytest.param({"size": 3, "dice": "merged", "setup": "choice"}, marks=pytest.mark.once)])
def test_conformance(parameters: dict[str, Any]) -> None:
    assert not check(load("ewn", **parameters), games=50).failures


def whole_game(game: Game, seed: int) -> list[Position]:
    """All positions of a random game."""
    choose, positions = random.Random(seed).choice, [game.start]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(choose(positions[-1].moves)))
    return positions


def test_no_step_is_ever_taken_back() -> None:
    for before, after in pairwise(whole_game(GIVEN, 9)):
        assert before != after
        for side in (0, 1):
            for a, b in zip(before.state.at[side], after.state.at[side], strict=True):
                assert b == -1 or ((b >= a) if side == 0 else (b <= a))


@pytest.mark.parametrize("games", [150, pytest.param(3000, marks=pytest.mark.long)])
def test_whole_games_in_step_with_openspiel(games: int) -> None:
    """There white moves first and starts at the bottom right: the board is turned, their player 1 is our first."""
    pyspiel = pytest.importorskip("pyspiel")
    other = pyspiel.load_game("einstein_wurfelt_nicht")
    for seed in range(games):
        in_step(other.new_initial_state(), random.Random(seed))


def in_step(theirs: Any, chooser: random.Random) -> None:
    for _ in range(2):
        assert len(theirs.chance_outcomes()) == 720
        theirs.apply_action(chooser.randrange(720))
    cells = turned_board(theirs)
    ours = GAME.start.play(*[c[1] for c in cells if c[0] == "X"][:5], *[c[1] for c in reversed(cells) if c[0] == "O"][:5])
    while not theirs.is_terminal():
        assert turned_board(theirs) == [cell for line in ours.show().splitlines()[:5] for cell in line.split()[1:]]
        if theirs.is_chance_node():
            assert ours.chances == tuple(chance for _, chance in theirs.chance_outcomes())
            action = chooser.randrange(6)
            ours = ours.play(theirs.action_to_string(-1, action).split()[1])
        else:
            assert ours.player == 1 - theirs.current_player()
            named = {turned_move(theirs.action_to_string(action)): action for action in theirs.legal_actions()}
            legal = {(int(m), "x" in str(m)): m for m in ours.moves}
            assert set(legal) == set(named)
            move = chooser.choice(sorted(named))
            action = named[move]
            ours = ours.play(legal[move])
        theirs.apply_action(action)
    assert ours.is_over
    assert [ours.utility(1), ours.utility(0)] == theirs.returns()


def turned_board(theirs: Any) -> list[str]:
    cells = re.findall(r"\|(..)\|", str(theirs))
    return [".." if cell == "__" else f"{'X' if cell[0] == 'w' else 'O'}{cell[1]}" for cell in reversed(cells)]


def turned_move(text: str) -> tuple[int, bool]:
    """Our number of a move such as `W3-diag*`, and whether it captures."""
    found = re.fullmatch(r"[WB](\d)-(left|right|up|down|diag)(\*?)", text)
    assert found
    direction = {"left": 0, "right": 0, "up": 1, "down": 1, "diag": 2}[found[2]]
    return 3 * (int(found[1]) - 1) + direction, bool(found[3])
