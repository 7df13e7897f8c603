"""The moves of Go playouts: what they answer, shapes and last liberties against slow twins, and that they are legal and fill no eyes."""

import numpy as np
import pytest

from kibitz.core.position.game import Game, Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.records.random import Rng, seed
from kibitz.core.records.record import blank
from kibitz.games.go.board import DIAGONALLY, NONE, SIDEWAYS, neighbours
from kibitz.games.go.chains import is_eye, last_liberty
from kibitz.games.go.playouts import CALLS, MEANT, SHAPES, surroundings

SIZE = 5
GAME = load("go", size=SIZE)
BESIDE, CORNERS = neighbours(SIZE, SIZE, SIDEWAYS), neighbours(SIZE, SIZE, DIAGONALLY)


def drawn(position: Position, times: int, number: int = 1) -> list[int]:
    """Moves that playouts make here."""
    rng, out = blank(Rng), np.zeros(position.game.constants["MAX_MOVES"], np.int32)
    with np.errstate(over="ignore"):
        seed(rng, number, 0)
        return [int(position.game.rule("playout")(position.state, out, rng)) for _ in range(times)]


def names(board: str, times: int = 40) -> set[str]:
    position = from_board(GAME, board)
    return {str(position.move(move)) for move in drawn(position, times)}


def game(number: int, plies: int = 60) -> list[Position]:
    """The positions of one playout."""
    found = [GAME.start]
    for ply in range(plies):
        if found[-1].is_over:
            break
        found.append(found[-1].after_line(drawn(found[-1], 1, 100 * number + ply)))
    return found


# --- what they answer ---


def test_a_stone_put_in_atari_is_captured() -> None:
    assert names("...../...../O..../XO.../..... / O to move after A2") == {"A1"}


def test_a_chain_in_atari_is_saved() -> None:
    assert names("...../...../.O.../OXO../..... / X to move after C2") == {"B1"}


def test_what_cannot_be_saved_is_left() -> None:
    assert "A1" not in names("...../...../O..../XO.../..... / X to move after B2", 10)  # one liberty more would be no help


def test_shapes_around_the_last_move_are_played() -> None:
    around = {"B4", "C4", "D4", "B2", "C2", "D2", "D3"}
    found = names("...../...../.XO../...../..... / X to move after C3")
    assert len(found) > 1
    assert found <= around


def test_elsewhere_any_point_but_eyes_may_come() -> None:
    assert len(names("...../...../...../...../..... / X to move")) > 10
    assert names(".X.X. / XXXXX / OOOOO / O.O.O / OOOOO / X to move") == {"pass"}  # White's eyes cannot be filled, one's own are not


def likely(board: str) -> dict[str, float]:
    """The policy's weights by the moves' names."""
    position = from_board(GAME, board)
    numbers, weights = np.array([int(m) for m in position.moves]), np.zeros(len(position.moves))
    GAME.rule("policy")(position.state, numbers, len(numbers), weights)
    return dict(zip(map(str, position.moves), weights, strict=True))


def test_what_is_likely() -> None:
    weights = likely("...../...../O..../XO.../..... / O to move after A2")
    assert max(weights, key=lambda name: weights[name]) == "A1"  # captures
    weights = likely("...../...../.O.../OXO../..... / X to move after C2")
    assert max(weights, key=lambda name: weights[name]) == "B1"  # saves
    weights = likely("...../...../.XO../...../..... / X to move after C3")
    assert weights["C4"] > 1.0 > weights["A1"]  # a shape beside the last move; far away at the edge
    weights = likely("...../...../...../...../..... / X to move")
    assert weights["A1"] < weights["B2"] < weights["C3"]
    assert 0 < weights["pass"] < weights["A1"]


# --- slow twins ---


def test_moves_are_legal_and_fill_no_eyes() -> None:
    seen = 0
    for number in range(6):
        for position in game(number):
            if not position.is_over:
                for move in drawn(position, 3):
                    assert move in [int(m) for m in Position(GAME, position.data).moves]
                    assert move == GAME.constants["MAX_MOVES"] - 1 or not is_eye(position.state, move, position.player + 1, BESIDE, CORNERS)
                    seen += 1
    assert seen > 300


def point(position: Position, row: int, column: int) -> str:
    """What is there: an edge, a stone or nothing."""
    inside = 0 <= row < SIZE and 0 <= column < SIZE
    return ".XO"[position.state.colour[row * SIZE + column]] if inside else "_"


def calls(position: Position, cell: int) -> bool:
    """Does one of the shapes lie around the point, however it is turned, mirrored or coloured?"""
    row, column = divmod(cell, SIZE)
    square = [[point(position, row + up, column + right) for right in (-1, 0, 1)] for up in (1, 0, -1)]
    swapped = [[word.translate(str.maketrans("XO", "OX")) for word in line] for line in square]
    for seen in (square, swapped):
        for _ in range(4):
            seen = [list(line) for line in zip(*seen[::-1], strict=True)]
            for turned in (seen, seen[::-1]):
                if any(fits(turned, shape) for shape in SHAPES):
                    return True
    return False


def fits(square: list[list[str]], shape: tuple[str, ...]) -> bool:
    places = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    return all(square[r][c] in MEANT[shape[r][c]] for r, c in places)


def liberties(position: Position, cell: int) -> set[int]:
    """Of the chain at a point."""
    colours = position.state.colour
    chain, todo, found = {cell}, [cell], set()
    while todo:
        for near in BESIDE[todo.pop()]:
            if near != NONE and colours[near] == 0:
                found.add(int(near))
            elif near != NONE and colours[near] == colours[cell] and int(near) not in chain:
                chain.add(int(near))
                todo.append(int(near))
    return found


@pytest.mark.parametrize("number", range(4))
def test_shapes_and_last_liberties(number: int) -> None:
    seen = 0
    for position in game(number)[2::3]:
        s = position.state
        for cell in range(SIZE * SIZE):
            if s.colour[cell] == 0:
                assert bool(CALLS[surroundings(s, cell, BESIDE, CORNERS)]) == calls(position, cell)
                seen += calls(position, cell)
            else:
                free = liberties(position, cell)
                assert last_liberty(s, s.chain[cell], BESIDE) == (next(iter(free)) if len(free) == 1 else NONE)
    assert seen > 5


@pytest.mark.parametrize("parameters", [{"size": 1}, {"size": 2, "columns": 3}, {"size": 1, "columns": 5}, {"size": 7}])
def test_playouts_come_to_an_end(parameters: dict[str, int]) -> None:
    assert ended(load("go", **parameters), 7)


def ended(game: Game, number: int) -> bool:
    position = game.start
    for ply in range(game.constants["MAX_PLIES"]):
        if position.is_over:
            return True
        position = position.after_line(drawn(position, 1, number + ply))
    return position.is_over
