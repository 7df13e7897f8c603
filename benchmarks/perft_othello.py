"""Othello perft, kibitz against the same algorithm in C++ (othello_perft.cpp, g++ -march=native), side by side in one run.

    python -m benchmarks.perft_othello

All run in turn and the best time of each counts, so that a busy machine slows all alike; their counts must agree.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import kibitz
from benchmarks import Row, _twin, alone, compared
from kibitz.core.measuring.perft import perft

DEPTH = 10  # 24,571,056 paths, about 0.2 seconds
ROUNDS = 7
TARGET = 0.85


def main() -> list[Row]:
    programs = _twin.built("othello_perft")
    start = kibitz.load("othello").start
    perft(start, 1)  # compiled before the clock runs
    ours: list[float] = []
    peers: dict[str, list[float]] = {level: [] for level in programs}
    for _ in range(ROUNDS):
        began = time.perf_counter()
        paths = perft(start, DEPTH)
        ours.append(time.perf_counter() - began)
        for level, program in programs.items():
            found, seconds = cpp_perft(program)
            peers[level].append(seconds)
            if paths != found:
                sys.exit(f"the counts differ: kibitz {paths}, C++ {found}")
    speeds = {f"C++ {level}": paths / min(seconds) / 1e6 for level, seconds in peers.items()}
    speed, unit = paths / min(ours) / 1e6, "million paths/s"
    print(f"{'Othello perft ' + str(DEPTH):24} {unit:>16}")
    for name, each in {"kibitz": speed, **speeds}.items():
        print(f"{name:24} {each:16.1f}")
    return [compared("Othello perft against C++", speed, max(speeds.values()), unit, TARGET)]


def cpp_perft(program: Path) -> tuple[int, float]:
    """One run of the C++ twin: its count, and its seconds by its own clock."""
    said = subprocess.run([str(program), str(DEPTH), "1"], check=True, capture_output=True, text=True).stdout.split()
    return int(said[0]), float(said[1])


if __name__ == "__main__":
    alone(main)
