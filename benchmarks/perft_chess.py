"""Chess perft on one thread: kibitz against Stockfish's `go perft` and against python-chess, side by side in one run.

    python -m benchmarks.perft_chess

The programs run in turn and the best time of each counts; their counts must agree. Stockfish is looked for where Debian puts it (`apt-get install stockfish`), and
counts the moves of the last ply without making them, as kibitz does. python-chess is asked for a smaller depth: at its speed the larger one would take minutes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from typing import Any

import kibitz
from benchmarks import Row, Skipped, alone, compared, peer
from kibitz.core.measuring.perft import perft

DEPTH, SMALL_DEPTH = 6, 3  # 119,060,324 and 8,902 paths
ROUNDS = 3
STOCKFISH_TARGET, PYTHON_TARGET = 0.25, 100.0
UNIT = "million paths/s"


def main() -> list[Row]:
    start = kibitz.load("chess", draws=False).start
    perft(start, 1)  # compiled before the clock runs
    program, chess = stockfish(), peer("chess", "chess")
    ours: list[float] = []
    theirs: list[float] = []
    python: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        paths = perft(start, DEPTH)
        ours.append(time.perf_counter() - began)
        found, seconds = stockfish_perft(program)
        theirs.append(seconds)
        began = time.perf_counter()
        few = python_perft(chess.Board(), SMALL_DEPTH)
        python.append(time.perf_counter() - began)
        if (paths, few) != (found, perft(start, SMALL_DEPTH)):
            sys.exit(f"the counts differ: kibitz {paths}, Stockfish {found}, python-chess {few} to depth {SMALL_DEPTH}")
    speeds = {"kibitz": paths / min(ours) / 1e6, "Stockfish": paths / min(theirs) / 1e6, "python-chess": few / min(python) / 1e6}
    print(f"{'chess perft':24} {UNIT:>16}")
    for name, speed in speeds.items():
        print(f"{name:24} {speed:16.2f}")
    return [
        compared("chess perft against Stockfish", speeds["kibitz"], speeds["Stockfish"], UNIT, STOCKFISH_TARGET),
        compared("chess perft against python-chess", speeds["kibitz"], speeds["python-chess"], UNIT, PYTHON_TARGET),
    ]


def stockfish() -> str:
    found = shutil.which("stockfish", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"]))
    if found is None:
        raise Skipped("Stockfish is not here: apt-get install stockfish")
    return found


def stockfish_perft(program: str) -> tuple[int, float]:
    """One count; the time is that from the command to the answer, without the program's start."""
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("isready\n")
        process.stdin.flush()
        while process.stdout.readline().strip() != "readyok":
            pass
        began = time.perf_counter()
        process.stdin.write(f"go perft {DEPTH}\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("Nodes searched"):
                seconds = time.perf_counter() - began
                process.stdin.write("quit\n")
                process.stdin.flush()
                return int(line.split(":")[1]), seconds
    raise Skipped("Stockfish ended without a count")


def python_perft(board: Any, depth: int) -> int:
    """As python-chess's own example counts: moves of the last ply are not made."""
    if depth == 1:
        return int(board.legal_moves.count())
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += python_perft(board, depth - 1)
        board.pop()
    return total


if __name__ == "__main__":
    alone(main)
