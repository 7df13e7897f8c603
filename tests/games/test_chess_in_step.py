"""Chess in step with python-chess: legal moves, SAN, FEN and the ends of whole random games."""

from typing import Any

import numpy as np
import pytest

from kibitz.core.compiling.binder import game
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.rules import OVER
from kibitz.core.records.random import Rng, below, seed
from kibitz.core.records.record import blank, record
from kibitz.games.chess.notation import fen, uci

chess = pytest.importorskip("chess")

GAME = load("chess")
LONGEST = 1000
Game = record(
    rng=Rng,
    states=(GAME.constants["State"], LONGEST + 1),
    lists=(np.int16, (LONGEST + 1, GAME.constants["MAX_MOVES"])),
    counts=(np.int64, LONGEST + 1),
)


def random_game(w: Any, first: Any, number: int, most: int) -> int:
    """Play at random from `first`, at most `most` moves; the one made in each position is the first of its list. Returns how many were made."""
    seed(w.rng, number, 7)
    w.states[0] = first
    for ply in range(most + 1):
        s = w.states[ply]
        if game.player(s) == OVER:
            w.counts[ply] = 0
            return ply
        n = game.moves(s, w.lists[ply])
        w.counts[ply] = n
        chosen = below(w.rng, n)
        w.lists[ply, 0], w.lists[ply, chosen] = w.lists[ply, chosen], w.lists[ply, 0]
        if ply < most:
            w.states[ply + 1] = s
            game.play(w.states[ply + 1], w.lists[ply, 0])
    return most


def ending(board: Any) -> str:
    """How python-chess says the game ended."""
    if not any(board.legal_moves):
        return "mate" if board.is_check() else "stalemate"
    if board.halfmove_clock >= 100:
        return "fifty"
    return "material" if board.is_insufficient_material() else ""


def walk_in_step(first: Position, number: int, most: int, every_name: bool) -> str:
    w, board, name = blank(Game), chess.Board(first.show().splitlines()[-1]), GAME.people["name"]
    plies = GAME.bind(random_game, target="cpu")(w, first.state, number, most)
    for ply in range(plies + 1):
        s, moves = w.states[ply], w.lists[ply][: w.counts[ply]].tolist()
        assert fen(s) == board.fen()
        how = ending(board)
        assert ["", "mate", "stalemate", "fifty", "material"][s.status] == how
        if not how:
            assert len(moves) == len(set(moves))
            assert {uci(m) for m in moves} == {m.uci() for m in board.legal_moves}
            for move in moves if every_name else moves[:1]:
                assert name(s, move) == board.san(chess.Move.from_uci(uci(move)))
        if ply < plies:
            board.push_uci(uci(moves[0]))
    return how


def test_random_games() -> None:
    """Most are left after eighty moves: whoever plays at random shuffles about for hundreds more."""
    endings = [walk_in_step(GAME.start, number, 80 if number % 10 else LONGEST, number % 25 == 0) for number in range(200)]
    assert {"", "mate", "fifty", "material"} <= set(endings)


SHARP = (  # castling, promotions, pins, captures en passant: what random games from the start seldom reach
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k2r/3pp1p1/8/r1PPKP2/8/8/3p1p2/R6R b k - 0 1",
    "8/8/8/2k1p3/4P3/3K4/8/8 w - - 96 80",
    "7k/8/8/8/8/2q5/8/K7 w - - 0 1",
    "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 0",  # more knights than pawns could have become; moves counted from 0
    "kb6/pp6/2QQQQQ1/3QQQQ1/4QQQ1/8/8/QQ5K w - - 0 1",
)


def test_the_count_of_quiet_moves_may_be_high() -> None:
    """Where nobody has claimed the draw."""
    position = from_board(GAME, "4k3/8/8/8/8/8/8/4K2R b - - 149 120")
    assert position.show().endswith("149 120")
    assert position.is_over


@pytest.mark.parametrize("position", SHARP)
def test_sharp_positions(position: str) -> None:
    for number in range(12):
        walk_in_step(from_board(GAME, position), number, 30, every_name=True)


@pytest.mark.long
def test_ten_thousand_random_games() -> None:
    endings = [walk_in_step(GAME.start, number, LONGEST, every_name=False) for number in range(10_000)]
    assert {"mate", "stalemate", "fifty", "material"} <= set(endings)


def test_games_in_which_positions_come_up_again() -> None:
    """Both sides like to take their moves back: the third time ends the game, and not before; python-chess agrees each time."""
    repeated = 0
    for number in range(12):
        position, choose = from_board(GAME, SHARP[number % 2]), np.random.default_rng(number)
        board, back = chess.Board(position.show().splitlines()[-1]), [-1, -1]
        while not position.is_over and board.ply() < 30:
            legal = [int(m) for m in position.moves]
            mover = position.player
            move = back[mover] if back[mover] in legal and choose.random() < 0.9 else int(choose.choice(legal))
            back[mover] = (move & 63) * 64 + (move >> 6)
            position = position.play(move)
            board.push_uci(uci(move))
            assert position.is_repeated == board.is_repetition(3)
        if position.is_repeated:
            assert (position.is_over, position.moves, position.utility(0), position.utility(1)) == (True, (), 0.0, 0.0)
            repeated += 1
    assert repeated >= 3
