"""Chess search on one thread: positions a second of the strongest search, over some middle games; Stockfish's for comparison; how long `uciok` and compiling take.

    python -m benchmarks.search_chess

Positions a second of two programs are no measure of strength: each counts in its own way, and spends what it likes on one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import kibitz
from benchmarks import FOLDER, Row, Skipped, alone, compared, table, timed
from benchmarks.perft_chess import stockfish
from kibitz.core.position.game import from_board

PLAYER, NODES = "selective", 2_000_000
LEAST = 1.0  # million positions a second
MOST_COLD, MOST_GREETING = 60.0, 1.0  # seconds
POSITIONS = (  # reached in a few moves of common openings, and an ending
    "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)


def main() -> list[Row]:
    game = kibitz.load("chess")
    player = kibitz.player(PLAYER, nodes=NODES)
    player.prepare(game.start)
    speeds = []
    for position in POSITIONS:
        result = player.search(from_board(game, position))
        speeds.append(result.nodes / result.seconds / 1e6)
    ours = len(speeds) / sum(1 / speed for speed in speeds)
    rows = [{**compared("chess search", ours, LEAST, "million positions/s", 1.0), "name": "chess search, peer: the aim"}]
    try:
        rows.append(compared("chess search beside Stockfish", ours, stockfish_speed(), "million positions/s"))
    except Skipped as reason:
        print(reason)
    with tempfile.TemporaryDirectory() as cache:
        rows.append(timed("kibitz uci, uciok, nothing compiled", min(greeting(cache) for _ in range(3)), MOST_GREETING))
        rows.append(timed("chess with the strongest search, compiling", answered(cache, "isready", "readyok"), MOST_COLD))
    print(table(rows))
    return rows


def stockfish_speed() -> float:
    """Its positions a second, over the same ones, in million."""
    program, total, seconds = stockfish(), 0, 0.0
    for position in POSITIONS:
        lines = f"position fen {position}\ngo nodes {NODES}\n"
        with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin
            assert process.stdout
            process.stdin.write(lines)
            process.stdin.flush()
            last: list[str] = []
            for line in process.stdout:
                words = line.split()
                last = words if "nodes" in words else last
                if words[:1] == ["bestmove"]:
                    process.stdin.write("quit\n")
                    process.stdin.flush()
                    break
        total += int(last[last.index("nodes") + 1])
        seconds += int(last[last.index("time") + 1]) / 1000
    return total / seconds / 1e6


def greeting(cache: str) -> float:
    return answered(cache, "uci", "uciok")


def answered(cache: str, line: str, answer: str) -> float:
    """Seconds from the start of `kibitz uci` to its answer."""
    began = time.perf_counter()
    environment = {**os.environ, "KIBITZ_CACHE": cache}
    command = [sys.executable, "-m", "kibitz", "uci"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=FOLDER.parent, env=environment) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        for said in process.stdout:
            if said.strip() == answer:
                break
        took = time.perf_counter() - began
        process.stdin.write("quit\n")
        process.stdin.flush()
    return took


if __name__ == "__main__":
    alone(main)
