"""Whole games of `kibitz gtp` against itself under sudden death, by pipes and a real clock, as a controller would play them."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
LONGEST = 400  # plies


class Engine:
    """The program, compiled."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "kibitz", "gtp"]
        environment = {**os.environ, "KIBITZ_TARGET": "cpu"}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment, cwd=ROOT
        )

    def ask(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline().strip()
        while self.process.stdout.readline().strip():
            pass
        assert reply.startswith("="), (line, reply)
        return reply[1:].strip()

    def end(self) -> None:
        self.ask("quit")
        self.process.wait(10)


def play_by_the_clock(engines: tuple[Engine, Engine], seconds: float, tells: str) -> tuple[int, list[float]]:
    """How many plies a game had, and what was left on both clocks; not more than 0 where one has run out."""
    for engine in engines:
        for line in ("boardsize 9", "komi 7.5", f"time_settings {seconds:g} 0 0", "clear_board"):
            engine.ask(line)
    left, passes = [seconds, seconds], 0
    for ply in range(LONGEST):
        side, colour = ply % 2, "bw"[ply % 2]
        began = time.perf_counter()
        if tells:
            engines[side].ask(f"time_left {colour} {format(left[side], tells)} 0")
        move = engines[side].ask(f"genmove {colour}")
        left[side] -= time.perf_counter() - began
        passes = passes + 1 if move == "pass" else 0
        if left[side] <= 0 or passes == 2:
            return ply + 1, left
        engines[1 - side].ask(f"play {colour} {move}")
    return LONGEST, left


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("tells", [".3f", ".0f", ""], ids=["exactly", "rounded", "never"])
def test_no_game_of_fifty_is_lost_on_time(tells: str) -> None:
    """Ten seconds a side; the controller tells what is left exactly, rounded, or never."""
    engines = Engine(), Engine()
    try:
        for number in range(17):
            _, left = play_by_the_clock(engines, 10.0, tells)
            assert min(left) > 0, number
    finally:
        for engine in engines:
            engine.end()
