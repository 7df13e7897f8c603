"""Antichess: whole random games in step with python-chess's two kinds of losing chess, published counts of moves, claims proven."""

import random
from typing import Any

import numpy as np
import pytest

from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import perft
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.games.chess.notation import fen, uci
from kibitz.searches.proof.prove import prove
from kibitz.tables.proof.claim import DISPROVEN, PROVEN
from kibitz.tables.proof.file import verify
from tests.differential.cases import on

GAME = load("antichess")
SUICIDE = load("antichess", stalemate="fewer")
COUNTS = [20, 400, 8067, 153_299, 2_732_672]  # published for the first position

ODD = (  # promotions, several kings, captures en passant, and men that cannot move
    "8/1P6/8/8/8/8/6p1/8 w - - 0 1",
    "kkk5/8/8/4p3/3P4/8/8/5KKK b - - 0 1",
    "8/8/8/8/1p1p1p2/8/P1P1P3/8 w - - 0 1",
    "8/8/p6p/P6P/8/8/8/b6B w - - 3 20",
    "1n6/P1P5/8/8/8/8/p1p5/1N6 b - - 0 1",
    "8/8/8/8/8/k7/8/K7 w - - 96 80",
)


def walk_in_step(first: Position, seed: int, most: int, names: bool) -> str:
    """One random game; how it ended."""
    variant = pytest.importorskip("chess.variant")
    chess, rng, position = pytest.importorskip("chess"), random.Random(seed), first
    kind = variant.AntichessBoard if first.game == GAME else variant.SuicideBoard
    board: Any = kind(fen(first.state))
    for _ in range(most):
        s = position.state
        assert fen(s) == board.fen()
        legal = {m.uci() for m in board.legal_moves}
        over = not legal or board.halfmove_clock >= 100
        assert (s.status != 0) == over
        if over:
            result = 0 if legal else int(board.is_variant_win()) - int(board.is_variant_loss())
            assert position.game.rule("utility")(s, s.turn) == result
            return ["", "no men", "stuck", "fifty"][s.status]
        moves = [int(n) for n in position.numbers]
        assert len(moves) == len(set(moves))
        assert {uci(m) for m in moves} == legal
        for move in position.moves if names else ():
            assert str(move) == board.san(chess.Move.from_uci(uci(int(move))))
        chosen = rng.choice(sorted(moves))
        position = Position(position.game, position.play(chosen).data)  # repetition is tested with chess
        board.push_uci(uci(chosen))
    return ""


@pytest.mark.once
def test_random_games() -> None:
    with on("python"), np.errstate(over="ignore"):
        ends = [walk_in_step((GAME if n % 2 else SUICIDE).start, n, 60 if n % 4 else 400, n % 6 == 0) for n in range(12)]
        ends += [walk_in_step(from_board(game, text), n, 40, True) for text in ODD for n in range(3) for game in (GAME, SUICIDE)]
    assert {"no men", "stuck", "fifty"} <= set(ends)


@pytest.mark.long
def test_a_thousand_random_games() -> None:
    with on("python"), np.errstate(over="ignore"):
        ends = [walk_in_step((GAME if n % 2 else SUICIDE).start, n, 1000, n % 25 == 0) for n in range(1000)]
    assert {"no men", "stuck", "fifty"} <= set(ends)


@pytest.mark.once
def test_counts() -> None:
    with on("python"), np.errstate(over="ignore"):
        assert [perft(GAME.start, depth) for depth in (1, 2, 3)] == COUNTS[:3]


@pytest.mark.long
@pytest.mark.compiled
def test_more_counts() -> None:
    assert [perft(GAME.start, depth) for depth in range(1, 6)] == COUNTS


@pytest.mark.parametrize(
    ("stalemate", "value"),
    [("win", 1.0), ("fewer", -1.0), ("draw", 0.0)],
)
def test_who_cannot_move(stalemate: str, value: float) -> None:
    """White's two pawns are blocked by one man each and one is gone: he has more men."""
    game = load("antichess", stalemate=stalemate)
    position = from_board(game, "8/8/8/p7/P7/P7/8/8 w - - 0 1")
    assert position.is_over
    assert position.utility(0) == value
    assert "cannot move" in position.show()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no man on the board"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "no castling"),
        ("8/8/8/8/8/8/8/QQQQQQQQ w - - 0", "6 fields"),
        ("PPPPPPPP/8/8/8/8/8/8/8 w - - 0 1", "row 1 or row 8"),
    ],
)
def test_what_is_no_position(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        from_board(GAME, text)


@pytest.mark.once
def test_claims() -> None:
    """A lone pawn one step from being taken; and a rook that must take everything there is."""
    with on("python"), np.errstate(over="ignore"):
        for text, within, verdict in (
            ("8/1p6/8/P7/8/8/8/8 w - - 0 1", 2, PROVEN),  # a6 bxa6
            ("8/8/8/8/8/8/7R/7r w - - 0 1", 5, DISPROVEN),  # it takes the last man there is
        ):
            found = prove(from_board(GAME, text), "win", 0, within=within, with_strategy=True)
            assert found.verdict == verdict, text
            assert found.strategy is not None
            verify(found.strategy)


@pytest.mark.once
@pytest.mark.parametrize("first", ["d4", pytest.param("e4", marks=pytest.mark.long), pytest.param("d3", marks=pytest.mark.long)])
def test_first_moves_that_lose(first: str) -> None:
    """Long known: whoever opens with one of these loses by force. The proofs hold a few hundred positions, since lines that meet are walked as one."""
    with on("python"), np.errstate(over="ignore"):
        found = prove(GAME.position(first), "win", 1, within=40, leaf="moves", with_strategy=True, memory=1)
        assert found.verdict == PROVEN
        assert found.strategy is not None
        assert found.strategy.merged
        assert (verify(found.strategy).longest, found.strategy.positions < 400) == (32, True)
