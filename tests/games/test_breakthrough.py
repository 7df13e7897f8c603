"""Breakthrough: counts, captures, both ways to win, board sizes, text, and whole games in step with OpenSpiel."""

import random
from xml.etree import ElementTree

import pytest

from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import perft
from kibitz.core.position.game import Game, Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.rules import OVER

GAME = load("breakthrough")
SMALL = load("breakthrough", rows=4, columns=3)
PERFT = (22, 484, 11132, 256036, 6182818)

BOARD = """
8 ........
7 .W......
6 ........
5 ...B....
4 ..W.....
3 ........
2 ......BW
1 W.......
  abcdefgh
"""


def notations(position: Position) -> set[str]:
    return {str(move) for move in position.moves}


# --- counting ---


@pytest.mark.parametrize(("depth", "paths"), list(enumerate(PERFT, 1)))
def test_perft(depth: int, paths: int) -> None:
    assert perft(GAME.start, depth, target="cpu") == paths


@pytest.mark.parametrize(("depth", "paths"), list(enumerate(PERFT[:3], 1)))
def test_perft_interpreted(depth: int, paths: int) -> None:
    assert perft(GAME.start, depth, target="python") == paths


@pytest.mark.parametrize("size", [{"rows": 3, "columns": 8}, {"rows": 5, "columns": 3}, {"rows": 8, "columns": 4}])
def test_sizes_count_alike_compiled_and_interpreted(size: dict[str, int]) -> None:
    start = load("breakthrough", **size).start
    assert perft(start, 4, target="cpu") == perft(start, 4, target="python") > 0


# --- rules ---


def test_moves_of_both_sides() -> None:
    white, black = from_board(GAME, BOARD + "W"), from_board(GAME, BOARD + "B")
    assert notations(white) == {
        *("b7a8", "b7b8", "b7c8"),
        *("c4b5", "c4c5", "c4xd5"),
        *("a1a2", "a1b2"),
        *("h2g3", "h2h3"),
    }
    assert notations(black) == {"d5xc4", "d5d4", "d5e4", "g2f1", "g2g1", "g2h1"}
    assert str(white.moves[0]) == "c4xd5"  # captures come first


def test_a_pawn_ahead_blocks_and_is_not_captured() -> None:
    position = from_board(GAME, "........ ........ ........ B....... W....... ........ ........ ........ W")
    assert notations(position) == {"a4b5"}


def test_capture_removes_the_pawn() -> None:
    position = GAME.position("a2a3b7b6a3a4b6b5").play("a4xb5")
    assert sum(line.count("B") for line in position.show().splitlines()[:8]) == 15
    assert position.show().splitlines()[3] == "5 .W......"


@pytest.mark.parametrize(("side", "move", "winner"), [("W", "b7b8", 0), ("B", "g2h1", 1)])
def test_reaching_the_far_row_wins(side: str, move: str, winner: int) -> None:
    position = from_board(GAME, BOARD + side).play(move)
    assert (position.player, position.moves) == (OVER, ())
    assert (position.utility(winner), position.utility(1 - winner)) == (1.0, -1.0)
    assert position.show().endswith(f"{side} has won")


@pytest.mark.parametrize(("side", "move", "winner"), [("W", "a2xb3", 0), ("B", "b3xa2", 1)])
def test_taking_the_last_pawn_wins(side: str, move: str, winner: int) -> None:
    position = from_board(GAME, "........ " * 5 + ".B...... W....... ........ " + side).play(move)
    assert position.is_over
    assert position.utility(winner) == 1.0


@pytest.mark.parametrize(("rows", "pawn_rows"), [(3, 1), (4, 1), (5, 2), (8, 2)])
def test_two_rows_of_pawns_where_there_is_room(rows: int, pawn_rows: int) -> None:
    board = load("breakthrough", rows=rows, columns=6).start.show().splitlines()[:rows]
    assert [line[2:] for line in board] == ["BBBBBB"] * pawn_rows + ["......"] * (rows - 2 * pawn_rows) + ["WWWWWW"] * pawn_rows


@pytest.mark.parametrize(("name", "value"), [("rows", 2), ("rows", 9), ("columns", 2), ("columns", 9)])
def test_impossible_sizes(name: str, value: int) -> None:
    with pytest.raises(InputError, match=f"parameter {name}={value}: must be a whole number from 3 to 8"):
        load("breakthrough", **{name: value})


# --- text ---


@pytest.mark.parametrize("game", [GAME, SMALL, load("breakthrough", rows=6, columns=5)])
def test_every_position_of_some_games_reads_back(game: Game) -> None:
    choose, position = random.Random(3).choice, game.start
    positions = [position]
    while not position.is_over:
        position = position.play(choose(position.moves))
        positions.append(position)
    assert len(positions) > 4
    for position in positions:
        assert from_board(position.game, position.show()) == position
        assert from_board(position.game, "/".join(position.show().split("\n"))) == position


def test_notation() -> None:
    assert GAME.position("a2a3b7b6a3a4b6b5a4xb5") == GAME.start.play("a2a3", "b7b6", "a3a4", "b6b5", "a4xb5")
    assert str(GAME.position("h2g3").play("A7A6").moves[-1]) == "g3g4"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a board is 4 rows of 3 characters"),
        ("BBB/.../.../WWWW W", "a board is 4 rows of 3 characters"),
        ("BBB/..X/.../WWW W", "each W, B or ."),
        ("BBB/.../.../WWW", "after the 4 rows comes the side to move, W or B, not nothing"),
        ("BBB/.../.../WWW X", "not 'X'"),
        ("BBB/.../W../WWW W", "4 W and 3 B: each side has at most 3 pawns"),
        (".../.../.../... W", "0 W and 0 B"),
        ("WB./.../.../.WB W", "both sides have won"),
        ("WB./.../.../.W. W", "says 'W', but by the rules it is 'W has won'"),
        ("WB./.../.../.W. B has won", "by the rules it is 'W has won'"),
        ("BBB/.../.../WWW W has won", "by the rules it is 'W to move'"),
    ],
)
def test_bad_boards(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_board(SMALL, text)
    assert "\n" not in str(caught.value)


def test_a_won_board_may_name_the_loser_as_the_side_to_move() -> None:
    won = from_board(SMALL, "WB./.../.../.W. B")
    assert won == from_board(SMALL, "WB./.../.../.W. W has won")
    assert (won.player, won.utility(1)) == (OVER, -1.0)


@pytest.mark.parametrize("move", ["a2a4", "a2xb3", "a7a6", "a1a2"])
def test_illegal_moves(move: str) -> None:
    with pytest.raises(InputError, match=f"illegal move '{move}': legal moves are"):
        GAME.start.play(move)


def test_picture() -> None:
    picture = ElementTree.fromstring(GAME.start.draw())
    assert len(picture.findall("{*}circle")) == 32
    assert len(picture.findall("{*}rect")) == 64


# --- knowledge ---


@pytest.mark.parametrize("size", [{"rows": 8, "columns": 8}, {"rows": 6, "columns": 5}])
def test_mirror_images_have_one_canonical_form(size: dict[str, int]) -> None:
    game = load("breakthrough", **size)
    choose, position = random.Random(8).choice, game.start
    for _ in range(20):
        position = position.play(choose(position.moves))
        if position.is_over:
            break
        rows = [line[2:] for line in position.show().splitlines()[: size["rows"]]]
        image = from_board(game, f"{'/'.join(row[::-1] for row in rows)} {position.show().splitlines()[-1]}")
        assert image != position or rows == [row[::-1] for row in rows]
        states = [p.state for p in (position, image)]
        for s in states:
            game.rule("canonical")(s)
        smaller = min((position, image), key=lambda p: p.state.pawns.tolist())
        assert states[0].tobytes() == states[1].tobytes() == smaller.data


def test_evaluation_is_opposite_for_the_two_and_inside_the_range() -> None:
    evaluate = GAME.rule("evaluate")
    choose, position, seen = random.Random(1).choice, GAME.start, set()
    while not position.is_over:
        values = [evaluate(position.state, player) for player in (0, 1)]
        assert values[0] == -values[1]
        assert -1 < values[0] < 1
        seen.add(values[0])
        position = position.play(choose(position.moves))
    assert len(seen) > 5
    ahead = from_board(GAME, BOARD + "W").state  # four pawns against two, the foremost ones equally near
    assert evaluate(ahead, 0) > evaluate(GAME.start.state, 0) > 0 > evaluate(ahead, 1)


def test_wins_then_captures_then_far_pawns_are_tried_first() -> None:
    position = from_board(GAME, BOARD + "W")
    order = sorted(position.moves, key=lambda move: -GAME.rule("order")(position.state, int(move)))
    ranked = [str(m) for m in order]
    assert set(ranked[:3]) == {"b7a8", "b7b8", "b7c8"}
    assert ranked[3] == "c4xd5"
    assert set(ranked[-2:]) == {"a1a2", "a1b2"}
    far_back = from_board(GAME, "........ ........ W....... ........ ........ ...B.... ..W..... ........ W")
    assert str(max(far_back.moves, key=lambda move: GAME.rule("order")(far_back.state, int(move)))) == "c2xd3"


# --- a second opinion ---


@pytest.mark.parametrize(("rows", "columns", "games"), [(8, 8, 80), (6, 6, 100), (4, 5, 150)])
def test_whole_games_in_step_with_openspiel(rows: int, columns: int, games: int) -> None:
    """There the first player starts on the top row: their rank r is our row `rows` + 1 - r."""
    pyspiel = pytest.importorskip("pyspiel")
    other, ours_at = pyspiel.load_game(f"breakthrough(rows={rows},columns={columns})"), load("breakthrough", rows=rows, columns=columns)

    def turned(notation: str) -> str:
        return "".join(str(rows + 1 - int(c)) if c.isdigit() else c for c in notation if c not in "x*")

    for seed in range(games):
        choose = random.Random(seed).choice
        theirs, ours = other.new_initial_state(), ours_at.start
        while not theirs.is_terminal():
            named = {turned(theirs.action_to_string(action)): action for action in theirs.legal_actions()}
            legal = {str(m).replace("x", ""): m for m in ours.moves}
            assert (ours.player, set(legal)) == (theirs.current_player(), set(named))
            move = choose(sorted(named))
            theirs.apply_action(named[move])
            ours = ours.play(legal[move])
        assert ours.is_over
        assert [ours.utility(0), ours.utility(1)] == theirs.returns()
