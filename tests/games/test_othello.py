"""Othello: counts, passes, ends of games, text, symmetry, and whole games in step with OpenSpiel."""

import random
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest

from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import count_games, perft
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.games._discs import safe_discs
from kibitz.players import solve

GAME = load("othello")
PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216)

WIPE_OUT = "e6f4e3f6g5d6e7f5c5"  # the shortest game: nine moves, no white disc left
BEFORE_PASS = "d3c3e6d2d1e1b2c1"
DOUBLE_PASS = (  # one square is empty, and neither side can use it
    "d3c3f5f4b3c6c5e6e3d2e1b6f3d6b5c4e7a5d7g2b4d8f2g5h5g3h2f7c7g4g6f6g8g1g7b2e2c2c8c1a4b8a2h4b7h6e8f8a8a3h3a7h7d1b1f1h1a1a6"
)
# FFO endgame 1, 14 empty squares: G8 is best, and X then wins by 18.
FFO_1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;"


def squares(position: Position) -> str:
    return "".join(line[2:] for line in position.show().splitlines()[1:9])


def random_game(seed: int) -> list[Position]:
    choose, positions = random.Random(seed).choice, [GAME.start]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(choose(positions[-1].moves)))
    return positions


# --- discs that stay ---

LINES = (((0, 1), (0, -1)), ((1, 0), (-1, 0)), ((1, 1), (-1, -1)), ((1, -1), (-1, 1)))


def safe_by_rule(mine: int, filled: int) -> int:
    """The slow twin of `safe_discs`: square by square, until no more is found."""
    safe: set[int] = set()
    while more := {i for i in range(64) if mine >> i & 1 and i not in safe and all(held(i, pair, safe, filled) for pair in LINES)}:
        safe |= more
    return sum(1 << i for i in safe)


def held(square: int, pair: tuple[tuple[int, int], tuple[int, int]], safe: set[int], filled: int) -> bool:
    """Can nobody turn the disc over along this line?"""
    rays = [list(ray(square, *step)) for step in pair]
    return any(not r or r[0] in safe for r in rays) or all(filled >> i & 1 for r in rays for i in r)


def ray(square: int, down: int, right: int) -> Iterator[int]:
    row, column = square // 8 + down, square % 8 + right
    while 0 <= row < 8 and 0 <= column < 8:
        yield 8 * row + column
        row, column = row + down, column + right


@pytest.mark.once
def test_safe_discs_are_those_of_the_rule_and_stay() -> None:
    found = 0
    for seed in range(12):
        before = [0, 0]
        for position in random_game(seed)[:-1]:
            s = position.state
            discs = [int(s.mine), int(s.theirs)] if position.player == 0 else [int(s.theirs), int(s.mine)]
            for player in (0, 1):
                safe = int(safe_discs(np.uint64(discs[player]), np.uint64(discs[0] | discs[1])))
                assert safe == safe_by_rule(discs[player], discs[0] | discs[1])
                assert before[player] & ~safe == 0
                before[player] = safe
                found += safe.bit_count()
    assert found > 1000


# --- counting ---


@pytest.mark.parametrize(("depth", "paths"), list(enumerate(PERFT, 1)))
def test_perft(depth: int, paths: int) -> None:
    assert perft(GAME.start, depth, target="cpu") == paths


@pytest.mark.parametrize(("depth", "paths"), list(enumerate(PERFT[:4], 1)))
def test_perft_interpreted(depth: int, paths: int) -> None:
    assert perft(GAME.start, depth, target="python") == paths


def test_shortest_games() -> None:
    """228 games end after nine moves; published counts of ten moves go on counting them, 24571284 in all."""
    shortest = count_games(GAME.start, 9, target="cpu")
    assert (shortest.games, shortest.by_utility) == (228, {64.0: 228})
    assert perft(GAME.start, 10, target="cpu") + shortest.games == 24571284


# --- rules ---


def test_start() -> None:
    assert [str(m) for m in GAME.start.moves] == ["d3", "c4", "f5", "e6"]
    assert GAME.start.player == 0


def test_a_player_without_a_move_must_pass() -> None:
    position = GAME.position(BEFORE_PASS)
    assert [str(m) for m in position.moves] == ["pass"]
    after = position.play("pass")
    assert (position.player, after.player) == (0, 1)
    assert squares(after) == squares(position)
    assert "pass" not in [str(m) for m in after.moves]
    assert GAME.position(BEFORE_PASS + "pass") == after


def test_wipe_out() -> None:
    position = GAME.position(WIPE_OUT)
    assert position.is_over
    assert position.moves == ()
    assert squares(position).count("O") == 0
    assert (position.utility(0), position.utility(1)) == (64.0, -64.0)


def test_double_pass_gives_the_empty_squares_to_the_winner() -> None:
    position = GAME.position(DOUBLE_PASS)
    assert position.is_over
    assert position.show().endswith("game over: X 40, O 23")
    assert (position.utility(0), position.utility(1)) == (18.0, -18.0)  # 41 to 23


def naive_moves(board: list[str], size: int, mover: str) -> dict[int, set[int]]:
    """By squares and lines, one after another: each empty square that turns something over, and what it turns."""
    found: dict[int, set[int]] = {}
    for square in (i for i in range(size * size) if board[i] == "."):
        for down, right in ((d, r) for d in (-1, 0, 1) for r in (-1, 0, 1) if d or r):
            row, column, line = square // size + down, square % size + right, set[int]()
            while 0 <= row < size and 0 <= column < size and board[size * row + column] not in (".", mover):
                line.add(size * row + column)
                row, column = row + down, column + right
            if line and 0 <= row < size and 0 <= column < size and board[size * row + column] == mover:
                found.setdefault(square, set()).update(line)
    return found


@pytest.mark.once
@pytest.mark.parametrize("size", [4, 6, 8])
def test_boards_of_every_size_in_step_with_naive_rules(size: int) -> None:
    game = load("othello", size=size)
    for seed in range(12):
        choose, position, board, mover = random.Random(seed).choice, game.start, ["."] * size * size, "X"
        middle = size * size // 2 + size // 2
        board[middle], board[middle - size - 1], board[middle - 1], board[middle - size] = "O", "O", "X", "X"
        while not position.is_over:
            assert "".join(line[2:] for line in position.show().splitlines()[1 : size + 1]) == "".join(board)
            assert position.player == "XO".index(mover)
            listed = naive_moves(board, size, mover)
            names = {"abcdefgh"[i % size] + str(i // size + 1): i for i in listed}
            assert {str(m) for m in position.moves} == (set(names) or {"pass"})
            move = choose(position.moves)
            if names:
                for i in (names[str(move)], *listed[names[str(move)]]):
                    board[i] = mover
            position, mover = position.play(move), "O" if mover == "X" else "X"
        assert not any(naive_moves(board, size, side) for side in "XO")
        first, second = board.count("X"), board.count("O")
        won = size * size - 2 * min(first, second)
        assert position.utility(0) == (won if first > second else -won if second > first else 0)
        assert game.position(position.show()).utility(0) == position.utility(0)


def test_the_smallest_board_is_lost() -> None:
    """By 3 discs to 11, with two squares empty that go to the winner."""
    result = solve(load("othello", size=4).start)
    assert (result.value, result.bound) == (-10.0, "exact")


def test_a_draw_is_worth_nothing_whatever_is_empty() -> None:
    level = from_board(GAME, "X" * 16 + "-" * 8 + "O" * 16 + "-" * 24 + " X")  # the sides never touch
    assert level.is_over
    assert (level.utility(0), level.utility(1)) == (0.0, 0.0)


def test_the_winner_does_not_depend_on_who_was_to_move() -> None:
    ended = squares(GAME.position(WIPE_OUT))
    assert from_board(GAME, ended + " X") == from_board(GAME, ended + " O") == GAME.position(WIPE_OUT)


@pytest.mark.parametrize(("move", "score"), [("g8", 18.0), ("h1", 12.0)])
def test_published_endgame_scores(move: str, score: float) -> None:
    assert solve(GAME.position(FFO_1).play(move)).value == -score  # the other side is to move


# --- text ---


def test_every_position_of_some_games_reads_back() -> None:
    for position in (p for seed in range(3) for p in random_game(seed)):
        assert from_board(GAME, position.show()) == position
        if not position.is_over:
            assert from_board(GAME, f"{squares(position).replace('.', '-')} {'XO'[position.player]};") == position


def test_notation() -> None:
    position = GAME.position("d3c5f6")
    assert position == GAME.position("D3 c5, f6") == GAME.start.play("d3", "c5", "f6")
    assert position.show().splitlines()[3:7] == ["3 ...X....", "4 ...XX...", "5 ..OOX...", "6 .....X.."]
    assert position.show().endswith("O to move")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X" * 63 + " X", "64 squares"),
        ("X" * 70 + " X", "64 squares.*there are 70"),
        ("-" * 64 + " X", "d4, e4, d5 and e5 must hold discs"),
        ("X" * 64, "the side to move, X or O, not nothing"),
        ("X" * 64 + " Z", "the side to move, X or O, not 'Z'"),
        (FFO_1.split()[0] + " X must pass", "says 'X must pass', but by the rules it is 'X to move'"),
        (FFO_1.split()[0] + " game over: X 1, O 2", "but by the rules it is 'X to move'"),
        ("", "there are 0 squares"),
        ("?" * 64 + " X", "there are 0 squares"),
    ],
)
def test_bad_boards(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_board(GAME, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("moves", "illegal"), [("d3d3", "d3"), ("a1", "a1"), ("pass", "pass"), (BEFORE_PASS + "a1", "a1")])
def test_illegal_moves(moves: str, illegal: str) -> None:
    with pytest.raises(InputError, match=f"illegal move '{illegal}': legal moves are"):
        GAME.start.play_line(moves)


@pytest.mark.parametrize("moves", ["", BEFORE_PASS, WIPE_OUT])
def test_picture(moves: str) -> None:
    position = GAME.position(moves)
    circles = ElementTree.fromstring(position.draw()).findall("{*}circle")
    hints = [m for m in position.moves if str(m) != "pass"]
    assert len(circles) == 64 - squares(position).count(".") + len(hints)


# --- knowledge ---


def test_symmetric_positions_have_one_canonical_form() -> None:
    canonical = GAME.rule("canonical")
    for position in random_game(5)[::7]:
        grid = np.array(list(squares(position))).reshape(8, 8)
        forms = set()
        for image in (np.rot90(g, turns) for g in (grid, grid.T) for turns in range(4)):
            s = from_board(GAME, f"{''.join(image.ravel())} {'XO'[max(position.player, 0)]}").state
            canonical(s)
            forms.add(s.tobytes())
        assert len(forms) == 1
        assert len(Position(GAME, forms.pop()).moves) == len(position.moves)


def test_the_side_to_move_counts_in_the_key() -> None:
    board = squares(GAME.start)
    keys = {from_board(GAME, f"{board} {side}").key for side in "XO"}
    swapped = board.translate(str.maketrans("XO", "OX"))
    assert len(keys | {from_board(GAME, f"{swapped} O").key}) == 3


def test_evaluation_is_opposite_for_the_two_and_inside_the_range() -> None:
    evaluate = GAME.rule("evaluate")
    for position in random_game(2)[:-1]:
        values = [evaluate(position.state, player) for player in (0, 1)]
        assert values[0] == -values[1]
        assert -64 < values[0] < 64
    assert evaluate(GAME.start.state, 0) == 0
    cornered = "X......." + "........" * 2 + "...XO..." + "...OX..." + "........" * 3
    assert evaluate(from_board(GAME, f"{cornered} X").state, 0) > 0 > evaluate(from_board(GAME, f"{cornered} O").state, 1)


def test_corners_are_tried_first_and_x_squares_last() -> None:
    position = from_board(
        GAME, "........" + "..O....." + "..XXX..." + ".OOOOOO." + "...XX..." + ".....O.." + "......X." + "........" + " O"
    )
    order = sorted(position.moves, key=lambda move: -GAME.rule("order")(position.state, int(move)))
    assert "h8" in map(str, position.moves)
    assert str(order[0]) == "h8"
    given_away = from_board(GAME, "........" + "........" + "..O....." + "...OX..." + "...XX..." + "........" * 3 + " X")
    order = sorted(given_away.moves, key=lambda move: -GAME.rule("order")(given_away.state, int(move)))
    assert len(order) > 1
    assert str(order[-1]) == "b2"


# --- a second opinion ---


def test_whole_games_in_step_with_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    other, passes = pyspiel.load_game("othello"), 0
    for seed in range(300):
        choose = random.Random(seed).choice
        theirs, ours = other.new_initial_state(), GAME.start
        while not theirs.is_terminal():
            legal = theirs.legal_actions()
            assert (ours.player, [int(m) for m in ours.moves]) == (theirs.current_player(), sorted(legal))
            action = choose(legal)
            passes += action == 64
            theirs.apply_action(action)
            ours = ours.play(action)
        assert ours.is_over
        assert np.sign([ours.utility(0), ours.utility(1)]).tolist() == theirs.returns()
        board = [line.split()[1:9] for line in str(theirs).splitlines() if line[0] in "12345678"]
        assert squares(ours) == "".join(mark for row in board for mark in row).upper().replace("-", ".")
    assert passes > 50
