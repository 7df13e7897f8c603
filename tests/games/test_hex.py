"""Hex: who has won against a plain search of the board, swap, symmetry, text, and games in step with OpenSpiel."""

import random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import perft
from kibitz.core.position.game import Game, Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.records import random as drawing
from kibitz.core.records.random import Rng
from kibitz.core.records.record import blank

GAME = load("hex")
SMALL = load("hex", size=3)
SWAP = load("hex", size=4, swap=True)


def marks(position: Position) -> list[str]:
    """The rows of the board."""
    size = int(position.game.parameters["size"])
    return ["".join(line.split()[1:]) for line in position.show().splitlines()[1 : size + 1]]


def winner(rows: list[str]) -> int | None:
    """By looking: cells of one mark from edge to edge."""
    size = len(rows)
    for side, mark in enumerate("XO"):
        seen = {(0, i) if side == 0 else (i, 0) for i in range(size) if (rows[0][i] if side == 0 else rows[i][0]) == mark}
        rest = list(seen)
        while rest:
            row, column = rest.pop()
            if (row if side == 0 else column) == size - 1:
                return side
            for r, c in (
                (row, column - 1),
                (row, column + 1),
                (row - 1, column),
                (row - 1, column + 1),
                (row + 1, column),
                (row + 1, column - 1),
            ):
                if 0 <= r < size and 0 <= c < size and rows[r][c] == mark and (r, c) not in seen:
                    seen.add((r, c))
                    rest.append((r, c))
    return None


def whole_game(game: Game, seed: int) -> list[Position]:
    choose, positions = random.Random(seed).choice, [game.start]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(choose(positions[-1].moves)))
    return positions


# --- rules ---


@pytest.mark.parametrize(("size", "games"), [(1, 1), (2, 10), (5, 20), (11, 4), (19, 1)])
def test_the_winner_is_seen_at_once(size: int, games: int) -> None:
    for seed in range(games):
        positions = whole_game(load("hex", size=size), seed)
        for position in positions[:-1]:
            assert winner(marks(position)) is None
        final = winner(marks(positions[-1]))
        assert final is not None
        assert positions[-1].utility(final) == 1.0
        assert positions[-1].utility(1 - final) == -1.0


def test_a_long_snake_is_joined_by_its_last_stone() -> None:
    """It is built from the bottom: no stone of it is joined to the top before the last."""
    snake = ["e5", "e4", "d4", "c4", "b4", "a4", "a3", "a2", "b2", "c2", "d2", "e2", "e1"]
    others = ["a1", "b1", "c1", "d1", "b3", "c3", "d3", "e3", "a5", "b5", "c5", "d5"]
    position = load("hex", size=5).start
    for mine, theirs in zip(snake, others, strict=False):
        position = position.play(mine, theirs)
        assert not position.state.joined[0].any()
    position = position.play(snake[-1])
    assert position.is_over
    assert position.utility(0) == 1.0
    assert sum(int(row).bit_count() for row in position.state.joined[0]) == len(snake)


KNOWN: dict[bytes, bool] = {}  # of SMALL's positions: does the first player win?


def first_wins(position: Position, memo: dict[bytes, bool]) -> bool:
    """Plain recursion that stops at the first move that wins; nobody draws."""
    if position.is_over:
        return position.utility(0) > 0
    if position.data not in memo:
        after = (first_wins(position.after_line([n]), memo) for n in position.numbers)
        memo[position.data] = any(after) if position.player == 0 else all(after)
    return memo[position.data]


def test_strategy_stealing() -> None:
    """The first player wins on small boards, the second where he may swap."""
    assert first_wins(SMALL.start, KNOWN)
    assert not first_wins(load("hex", size=3, swap=True).start, {})


def test_openings_that_win_on_three_by_three() -> None:
    won = {str(m) for m in SMALL.start.moves if first_wins(SMALL.start.play(m), KNOWN)}
    assert "b2" in won
    assert "a1" not in won  # the acute corner loses
    turned = {f"{'abc'[2 - 'abc'.index(m[0])]}{4 - int(m[1])}" for m in won}
    assert won == turned


@pytest.mark.parametrize(("game", "counts"), [(SMALL, (9, 72, 504)), (SWAP, (16, 16 * 16, 16 * (15 * 14 + 15)))])
def test_compiled_and_interpreted_count_alike(game: Game, counts: tuple[int, ...]) -> None:
    for depth, paths in enumerate(counts, 1):
        assert perft(game.start, depth, target="python") == perft(game.start, depth, target="cpu") == paths


def test_swap_mirrors_the_first_stone() -> None:
    position = SWAP.position("b1 swap")
    assert marks(position) == ["....", "O...", "....", "...."]
    assert position.player == 0
    assert "swap" not in map(str, position.moves)
    assert "swap" not in map(str, SWAP.position("b1 c1").moves)
    assert "swap" not in map(str, SMALL.position("b1").moves)


# --- symmetry and knowledge ---


@pytest.mark.parametrize("size", [4, 5, 11])
def test_a_board_turned_by_half_has_the_same_canonical_form(size: int) -> None:
    game = load("hex", size=size)
    for position in whole_game(game, 5)[::3]:
        rows = [row[::-1] for row in reversed(marks(position))]
        turned = from_board(game, f"{' / '.join(rows)} / {position.show().splitlines()[-1].partition(' after')[0]}")
        states = [position.state, turned.state]
        for s in states:
            game.rule("canonical")(s)
        assert states[0].tobytes() == states[1].tobytes()
        same = from_board(game, f"{' / '.join(marks(position))} / {position.show().splitlines()[-1].partition(' after')[0]}")
        assert states[0].tobytes() in (same.data, turned.data)


def needed(rows: list[str], side: int) -> int:
    """The fewest empty cells that join a side's edges, by shortest paths relaxed until nothing changes."""
    size, mark = len(rows), "XO"[side]
    price = {(r, c): {mark: 0, ".": 1}.get(rows[r][c], 999) for r in range(size) for c in range(size)}
    best = {cell: price[cell] if (cell[0] if side == 0 else cell[1]) == 0 else 999 for cell in price}
    for _ in range(size * size):
        for r, c in price:
            around = ((r, c - 1), (r, c + 1), (r - 1, c), (r - 1, c + 1), (r + 1, c), (r + 1, c - 1))
            best[r, c] = min(best[r, c], price[r, c] + min(best.get(cell, 999) for cell in around))
    return min(best[cell] for cell in price if (cell[0] if side == 0 else cell[1]) == size - 1)


def test_evaluation_counts_missing_stones() -> None:
    game = load("hex", size=6)
    for seed in range(4):
        for position in whole_game(game, seed)[:-1:2]:
            rows, mover = marks(position), position.player
            x = needed(rows, 1 - mover) - needed(rows, mover) + 0.5
            assert game.rule("evaluate")(position.state, mover) == pytest.approx(x / (3 + abs(x)))
            assert game.rule("evaluate")(position.state, 1 - mover) == pytest.approx(-x / (3 + abs(x)))


def test_near_stones_and_the_centre_are_tried_first() -> None:
    position = load("hex", size=5).position("c3 a1")
    ranked = sorted(position.moves, key=lambda m: -position.game.rule("order")(position.state, int(m)))
    assert {str(m) for m in ranked[:8]} == {"c2", "d2", "b3", "d3", "b4", "c4", "b1", "a2"}
    assert str(ranked[-1]) == "e5"


# --- text ---


@pytest.mark.parametrize("game", [SMALL, SWAP, load("hex", size=1), load("hex", size=12)])
def test_every_position_of_some_games_reads_back(game: Game) -> None:
    for seed in range(3):
        for position in whole_game(game, seed):
            assert from_board(game, position.show()) == position
            assert from_board(game, " / ".join(position.show().splitlines())) == position


def answers(board: str, times: int = 40) -> set[str]:
    """Moves that playouts make on a board of five rows."""
    position = from_board(load("hex", size=5), board)
    rng, out = blank(Rng), np.zeros(position.game.constants["MAX_MOVES"], np.int32)
    with np.errstate(over="ignore"):
        drawing.seed(rng, 1, 0)
        return {str(position.move(int(position.game.rule("playout")(position.state, out, rng)))) for _ in range(times)}


def test_playouts_keep_bridges() -> None:
    assert answers("O..../..X../..O../.X.../..... X to move after c3") == {"b3"}  # c2 and b4 stay joined
    assert answers("O..../..X../.O.../.X.../..... X to move after b3") == {"c3"}
    assert answers("..O../..X../...../...../..... X to move after c1") == {"d1"}  # c2 and the upper edge, which is X's
    assert answers("...../OX.../...../...../..... X to move after a2") != {"b1"}  # nothing was parted
    assert len(answers("O..../..X../..O../.X.../..... X to move")) > 10  # nobody knows the last move


def test_show() -> None:
    assert SMALL.position("b2 c1").show().splitlines() == ["  a b c", "1  . . O", " 2  . X .", "  3  . . .", "X to move after c1"]
    assert from_board(SMALL, "..O/.X./... X to move after c1") == SMALL.position("b2 c1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "after the board comes the side to move"),
        (".../.../...", "after the board comes the side to move"),
        (".../... X", "there are 6 cells"),
        (".../..Z/... X", "each X, O or ."),
        ("X../.../... X", "1 X and 0 O cannot be: the players take turns, X first, and X is next"),
        ("XX./.../... O", "2 X and 0 O cannot be"),
        ("O../.../... X", "0 X and 1 O cannot be"),
        (".../.X./... O to move after a1", "a1 cannot have been the last move: there is no stone of X"),
        ("XO./XO./X.. X to move", "by the rules it is 'X has won'"),
        ("XO./X../... X has won", "nobody has joined his edges"),
    ],
)
def test_bad_boards(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_board(SMALL, text)
    assert "\n" not in str(caught.value)


def test_a_won_board_may_name_the_loser_as_the_side_to_move() -> None:
    assert from_board(SMALL, "XO./XO./X.. O") == from_board(SMALL, "XO./XO./X.. X has won")


def test_picture() -> None:
    picture = ElementTree.fromstring(SMALL.position("b2 c1").draw())
    cells = [c.get("data-cell") for c in picture.findall("{*}polygon")]
    assert cells == [f"{file}{rank}" for rank in (1, 2, 3) for file in "abc"] + [
        None,
        None,
    ]  # behind the board: two outlines of the last move
    assert {c.get("points") for c in picture.findall("{*}polygon")[9:]} == {picture.findall("{*}polygon")[2].get("points")}
    assert [c.get("fill") for c in picture.findall("{*}circle")] == ["#2b5f9e", "#c0392b"]
    assert len(picture.findall("{*}line")) == 4 * 3 * 2  # two sides of each cell along each edge


# --- conformance and a second opinion ---


@pytest.mark.parametrize("parameters", [{"size": 4, "swap": True}, pytest.param({}, marks=pytest.mark.once)])
def test_conformance(parameters: dict[str, Any]) -> None:
    assert not check(load("hex", **parameters), games=30 if parameters else 2).failures


@pytest.mark.parametrize(("size", "swap", "games"), [(11, False, 4), (5, True, 60), (4, False, 60)])
def test_whole_games_in_step_with_openspiel(size: int, swap: bool, games: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    other, game = pyspiel.load_game(f"hex(board_size={size},swap={swap})"), load("hex", size=size, swap=swap)
    for seed in range(games):
        choose, theirs, ours = random.Random(seed).choice, other.new_initial_state(), game.start
        while not theirs.is_terminal():
            assert ours.player == theirs.current_player()
            assert {str(m): int(m) for m in ours.moves} == {theirs.action_to_string(a): a for a in theirs.legal_actions()}
            action = choose(theirs.legal_actions())
            action = size * size if swap and seed % 2 and size * size in theirs.legal_actions() else action
            theirs.apply_action(action)
            ours = ours.play(action)
            assert "".join(marks(ours)).lower() == "".join(str(theirs).split())
        assert ours.is_over
        assert [ours.utility(0), ours.utility(1)] == theirs.returns()
