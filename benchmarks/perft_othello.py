"""Othello perft, kibitz against the same algorithm in C++ (othello_perft.cpp, g++ -O3 -march=native), side by side in one run.

    python benchmarks/perft_othello.py

Both run in turn and the best time of each counts, so that a busy machine slows both alike; their counts must agree.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import kibitz
from kibitz.core.perft import perft

HERE = Path(__file__).parent
SOURCE = HERE / "othello_perft.cpp"
PROGRAM = HERE / "build" / "othello_perft"
DEPTH = 10  # 24,571,056 paths, about 0.2 seconds
ROUNDS = 7


def main() -> list[dict[str, Any]]:
    build()
    start = kibitz.load("othello").start
    perft(start, 1)  # compiled before the clock runs
    ours, peer = [], []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        paths = perft(start, DEPTH)
        ours.append(time.perf_counter() - began)
        found, seconds = cpp_perft()
        peer.append(seconds)
        if paths != found:
            sys.exit(f"the counts differ: kibitz {paths}, C++ {found}")
    speeds = [paths / min(seconds) / 1e6 for seconds in (ours, peer)]
    result = {"name": "Othello perft", "ours": speeds[0], "peer": speeds[1], "ratio": speeds[0] / speeds[1], "unit": "million paths/s"}
    print(f"{'Othello perft ' + str(DEPTH):24} {'million paths/s':>16}")
    print(f"{'kibitz':24} {result['ours']:16.1f}")
    print(f"{'C++ -O3 -march=native':24} {result['peer']:16.1f}")
    print(f"kibitz/C++ speed ratio: {result['ratio']:.3f}")
    return [result]


def build() -> None:
    """Compile the C++ twin, if it is not there yet."""
    compiler = shutil.which("g++")
    if compiler is None:
        sys.exit("g++ is not installed; the C++ twin cannot be built")
    if not PROGRAM.exists() or PROGRAM.stat().st_mtime < SOURCE.stat().st_mtime:
        PROGRAM.parent.mkdir(exist_ok=True)
        subprocess.run([compiler, "-O3", "-march=native", "-std=c++17", "-Wall", "-o", str(PROGRAM), str(SOURCE)], check=True)


def cpp_perft() -> tuple[int, float]:
    """One run of the C++ twin: its count, and its seconds by its own clock."""
    said = subprocess.run([str(PROGRAM), str(DEPTH), "1"], check=True, capture_output=True, text=True).stdout.split()
    return int(said[0]), float(said[1])


if __name__ == "__main__":
    main()
