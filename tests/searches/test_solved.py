"""Published values of solved games and positions."""

from functools import reduce
from itertools import product
from operator import xor
from pathlib import Path

import pytest

import kibitz as kb
from tests.searches.driver import INTERPRETED

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")]
SHARED = Path(__file__).parents[3] / "shared" / "data"  # larger collections, where they lie beside the project

KALAH = {(1, 3): 6, (2, 4): -12, (3, 3): 2}
KALAH_LONG = {
    **{(1, n): v for n, v in enumerate((0, -2, 6, -2), 1)},
    **{(2, n): v for n, v in enumerate((2, -2, -2, -12), 1)},
    **{(3, n): v for n, v in enumerate((0, 4, 2, 2), 1)},
    **{(4, n): v for n, v in enumerate((2, 6, 8, 2), 1)},
    (5, 3): 8,
    (5, 4): 12,
    (6, 2): 10,
    (6, 3): 2,
}
CONNECT4 = {"4455": 18, "2252576253462244111563365343671351441": -1, "7422341735647741166133573473242566": 1}
FFO = {  # Othello endgames: the board, a best move, the exact score
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X": ("g8", 18),
    "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X": ("a4", 10),
    "----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X": ("d1", 2),
}
FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"


def score(position: kb.Position, result: kb.Result) -> int:
    """Connect Four's usual score: k if the winner wins with his k-th stone from last, negative for a loss."""
    if not result.value:
        return 0
    assert result.distance is not None
    stones = (int(position.state.ply) + result.distance + 1) // 2
    return int(result.value) * (22 - stones)


def test_tictactoe_is_a_draw() -> None:
    result = kb.solve(kb.load("tictactoe").start)
    assert (result.value, result.exact, len(result.line)) == (0.0, True, 9)


@pytest.mark.parametrize("misere", [False, True])
def test_nim_by_the_xor_rule(misere: bool) -> None:
    game = kb.load("nim", heaps=(5, 5, 5), misere=misere)
    for heaps in product(range(6), repeat=3):
        if any(heaps) and list(heaps) == sorted(heaps):
            wins = bool(reduce(xor, heaps)) if not misere or max(heaps) > 1 else sum(heaps) % 2 == 0
            result = kb.solve(game.position(" ".join(map(str, heaps)) + " / X to move"))
            assert (result.value, result.exact) == (1.0 if wins else -1.0, True), heaps


@pytest.mark.parametrize(("holes", "seeds"), KALAH)
def test_kalah(holes: int, seeds: int) -> None:
    assert kb.solve(kb.load("kalah", holes=holes, seeds=seeds).start).value == KALAH[holes, seeds]


@pytest.mark.long
@pytest.mark.parametrize(("holes", "seeds"), KALAH_LONG)
def test_kalah_as_published(holes: int, seeds: int) -> None:
    result = kb.solve(kb.load("kalah", holes=holes, seeds=seeds).start)
    assert (result.value, result.exact) == (KALAH_LONG[holes, seeds], True)


@pytest.mark.parametrize("moves", CONNECT4)
def test_connect_four(moves: str) -> None:
    position = kb.load("connect4").position(moves)
    assert score(position, kb.solve(position)) == CONNECT4[moves]


@pytest.mark.parametrize("collection", ["connect4_end_easy.txt", pytest.param("connect4_middle_easy.txt", marks=pytest.mark.long)])
def test_connect_four_collections(collection: str) -> None:
    if not (SHARED / collection).exists():
        pytest.skip(f"{collection} does not lie beside the project")
    for line in (SHARED / collection).read_text().splitlines():
        moves, wanted = line.split()
        position = kb.load("connect4").position(moves)
        assert score(position, kb.solve(position)) == int(wanted), moves


@pytest.mark.parametrize("board", FFO)
def test_othello_endgames(board: str) -> None:
    result = kb.solve(kb.load("othello").position(board))
    assert (str(result.move), result.value, result.exact) == (*FFO[board], True)
    end = result.position.after_line([int(m) for m in result.line])
    assert end.is_over
    assert end.utility(result.position.player) == result.value


@pytest.mark.long
def test_othello_collections() -> None:
    if not (SHARED / "othello_ffo_1_19.obf").exists():
        pytest.skip("othello_ffo_1_19.obf does not lie beside the project")
    for line in (SHARED / "othello_ffo_1_19.obf").read_text().splitlines():
        board, *known = line.strip().strip(";").split(";")
        scores = {k.split(":")[0].strip().lower(): int(k.split(":")[1]) for k in known}
        result = kb.solve(kb.load("othello").position(board))
        assert result.value == max(scores.values()) == scores[str(result.move)], line


@pytest.mark.long
def test_ffo_40() -> None:
    result = kb.solve(kb.load("othello").position(FFO_40), table=512)
    assert (str(result.move), result.value, result.exact) == ("a2", 38.0, True)
