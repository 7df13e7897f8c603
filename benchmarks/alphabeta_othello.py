"""Alpha-beta on Othello endgames, kibitz against the same algorithm in C++ (othello_alphabeta.cpp, g++ -march=native), node for node.

    python -m benchmarks.alphabeta_othello

Recursive, fail-soft, without table and move ordering, to the end of the game. The endgames come from random games with fixed seeds. All run in
turn and the best time of each endgame counts; values, numbers of nodes and best lines must agree.
"""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import kibitz
from benchmarks import Row, _twin, alone, compared
from kibitz.core.records.bits import popcount

PLAIN = "alphabeta(table=0, order=false, killers=off, history=off, deepening=false)"
EMPTIES = 12
SEEDS = range(1, 9)
ROUNDS = 7
TARGET = 0.85


@dataclass(frozen=True)
class Found:
    """What a search answered; two that did the same are equal."""

    value: float
    nodes: int
    line: tuple[int, ...]


def main() -> list[Row]:
    programs = _twin.build("othello_alphabeta")
    positions = [endgame(seed, EMPTIES) for seed in SEEDS]
    depth = 2 * EMPTIES  # before each disc there may be a pass
    ours([positions[0]], 1)  # compiled before the clock runs
    best: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        answers, seconds = ours(positions, depth)
        keep(best, "kibitz", seconds)
        for level, program in programs.items():
            theirs, seconds = cpp(program, positions, depth)
            keep(best, f"C++ {level}", seconds)
            if answers != theirs:
                pairs = [f"{a} and {b}" for a, b in zip(answers, theirs, strict=True) if a != b]
                sys.exit(f"kibitz and C++ {level} differ: {'; '.join(pairs)}")
    return report(sum(a.nodes for a in answers), {who: sum(seconds) for who, seconds in best.items()})


def report(nodes: int, seconds: dict[str, float]) -> list[Row]:
    speeds = {who: nodes / each / 1e6 for who, each in seconds.items()}
    unit = "million nodes/s"
    print(f"{f'Othello, {EMPTIES} empty, {nodes:,} nodes':36} {unit:>16}")
    for who, speed in speeds.items():
        print(f"{who:36} {speed:16.2f}")
    mine = speeds.pop("kibitz")
    return [compared("Othello alpha-beta against C++", mine, max(speeds.values()), unit, TARGET)]


def endgame(seed: int, empties: int) -> kibitz.Position:
    """A position with the given number of empty squares, from a random game; from the next one where the game ends before."""
    choose = random.Random(seed).choice
    start = kibitz.load("othello", weights="start").start  # the twin computes these weights
    position = start
    while empty_squares(position) > empties:
        position = position.play(choose(position.moves))
        if position.is_over:
            position = start
    return position


def empty_squares(position: kibitz.Position) -> int:
    s = position.state
    return 64 - int(popcount(s.mine | s.theirs))


def ours(positions: list[kibitz.Position], depth: int) -> tuple[list[Found], list[float]]:
    """What kibitz finds, and its seconds."""
    results = [kibitz.search(p, PLAIN, depth=depth) for p in positions]
    return [Found(r.value, r.nodes, tuple(int(m) for m in r.line)) for r in results], [r.seconds for r in results]


def cpp(program: Path, positions: list[kibitz.Position], depth: int) -> tuple[list[Found], list[float]]:
    """What the C++ twin finds, and its seconds by its own clock."""
    asked = "".join(f"{int(p.state.mine):x} {int(p.state.theirs):x} {p.player} {depth}\n" for p in positions)
    said = subprocess.run([str(program)], input=asked, check=True, capture_output=True, text=True).stdout
    words = [line.split() for line in said.splitlines()]
    return [Found(float(w[0]), int(w[1]), tuple(int(m) for m in w[3:])) for w in words], [float(w[2]) for w in words]


def keep(best: dict[str, list[float]], who: str, seconds: list[float]) -> None:
    """The least seconds of each position so far."""
    best[who] = [min(pair) for pair in zip(best.get(who, seconds), seconds, strict=True)]


if __name__ == "__main__":
    alone(main)
