"""`kibitz uci` driven by python-chess's engine client, as a chess board would: whole games, clocks, analysis."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

chess = pytest.importorskip("chess")
engine_client = pytest.importorskip("chess.engine")

pytestmark = pytest.mark.compiled
ROOT = Path(__file__).parent.parent.parent
PATIENCE = 300.0  # seconds, compiling included
OVERHEAD = {"Move Overhead": 300, "Hash": 16}  # milliseconds: other tests run beside this one


def started() -> Any:
    """The program, compiled."""
    environment = {**os.environ, "KIBITZ_TARGET": "cpu"}
    engine = engine_client.SimpleEngine.popen_uci([sys.executable, "-m", "kibitz", "uci"], timeout=PATIENCE, env=environment, cwd=ROOT)
    engine.configure(OVERHEAD)
    engine.ping()
    return engine


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    engine = started()
    yield engine
    engine.quit()


def play_by_the_clock(engine: Any, start: float, increment: float, opening: str, most: int) -> tuple[Any, list[float]]:
    """A game of the engine against itself; what its clocks showed at their lowest."""
    board, clocks, lowest = chess.Board(), [start, start], [start, start]
    for move in opening.split():
        board.push_san(move)
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < most:
        side = 0 if board.turn else 1
        limit = engine_client.Limit(white_clock=clocks[0], black_clock=clocks[1], white_inc=increment, black_inc=increment)
        began = time.perf_counter()
        played = engine.play(board, limit, game=game)
        clocks[side] -= time.perf_counter() - began
        lowest[side] = min(lowest[side], clocks[side])
        clocks[side] += increment
        board.push(played.move)  # python-chess has looked whether it is legal
    return board, lowest


def test_a_whole_game_by_the_clock(engine: Any) -> None:
    board, lowest = play_by_the_clock(engine, 4.0, 0.1, "e4 e5 f4 exf4", 120)
    assert board.is_game_over(claim_draw=True) or board.ply() == 120
    assert min(lowest) > 0


def test_mates_are_found_and_told(engine: Any) -> None:
    board = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    info = engine.analyse(board, engine_client.Limit(depth=3))
    assert info["score"].white() == engine_client.Mate(1)
    assert info["pv"][0].uci() == "h5f7"


def test_an_analysis_of_several_lines(engine: Any) -> None:
    found = engine.analyse(chess.Board(), engine_client.Limit(depth=4), multipv=3)
    assert len({info["pv"][0] for info in found}) == 3
    assert all({"depth", "seldepth", "score", "nodes", "nps", "hashfull", "time", "multipv"} <= set(info) for info in found)


def test_only_some_moves_are_looked_at(engine: Any) -> None:
    board = chess.Board()
    wanted = [board.parse_san("a4"), board.parse_san("h4")]
    assert engine.play(board, engine_client.Limit(nodes=2000), root_moves=wanted).move in wanted


def test_a_game_goes_on_where_nobody_claims_a_draw(engine: Any) -> None:
    board = chess.Board()
    for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 3:
        board.push_san(move)
    assert board.is_repetition(4)
    assert engine.play(board, engine_client.Limit(nodes=500)).move in board.legal_moves


def test_an_endless_analysis_is_stopped(engine: Any) -> None:
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
        analysis.stop()
        assert analysis.wait().move in chess.Board().legal_moves


def test_pondering(engine: Any) -> None:
    board = chess.Board()
    played = engine.play(board, engine_client.Limit(white_clock=2, black_clock=2), ponder=True)
    board.push(played.move)
    if played.ponder:
        board.push(played.ponder)
    assert engine.play(board, engine_client.Limit(white_clock=2, black_clock=2)).move in board.legal_moves


@pytest.mark.long
def test_no_game_of_a_hundred_is_lost_on_time() -> None:
    """Two seconds, and a twentieth for every move."""
    replies = ("e5", "d5", "c5", "Nf6", "g6", "b6", "e6", "d6", "c6", "a6")
    firsts = [f"{one} {other}" for one in ("e4", "d4", "c4", "Nf3", "g3", "b3", "f4", "Nc3", "e3", "d3") for other in replies]
    with started() as engine:
        engine.configure({"Move Overhead": 100})
        for opening in firsts:
            _, lowest = play_by_the_clock(engine, 2.0, 0.05, opening, 120)
            assert min(lowest) > 0
