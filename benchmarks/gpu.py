"""UCT and random games on an NVIDIA GPU, thousands of trees at once: simulations and games a second, each game played to its end.

    python -m benchmarks.gpu

Counted are simulations over the seconds in which trees grow, and over all: planting them, growing, and bringing what their roots know to the host. The code is made before,
which takes LLVM and the driver some seconds, once. Targets hold for an H200.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import kibitz
from benchmarks import Row, Skipped, alone, reached
from kibitz.core.device.driver import driver, why_none
from kibitz.core.device.machine import machine_for
from kibitz.searches.mcts.fleet.trees import Trees, past_of, prototype, roots_of, tree_bytes

ROUNDS = 3
FLAT = (("connect4", {}, 65_536 * 1024, 1800.0), ("othello", {}, 65_536 * 128, None), ("tictactoe", {}, 65_536 * 1024, None))
TREES: tuple[tuple[str, dict[str, Any], str, int, int, float | None], ...] = (
    ("connect4", {}, "uct", 65_536, 256, 700.0),
    ("connect4", {}, "uct", 65_536, 1024, None),
    ("connect4", {}, "uct", 16_384, 4096, 150.0),
    ("othello", {}, "uct", 65_536, 256, 300.0),
    ("othello", {}, "uct(solve=false)", 65_536, 256, None),
    ("tictactoe", {}, "uct(solve=false)", 65_536, 256, None),
    ("breakthrough", {}, "uct", 65_536, 256, None),
    ("kalah", {}, "uct", 65_536, 256, None),
    ("ewn", {}, "uct", 65_536, 256, 100.0),
    ("hex", {}, "uct", 65_536, 128, None),
    ("go", {"size": 9}, "uct", 65_536, 128, 5.0),
    ("go", {"size": 9}, "uct(playout=uniform)", 65_536, 128, None),
    ("simulated", {}, "esprit", 10_000, 2048, None),
)


def main() -> list[Row]:
    if (reason := why_none()) is not None:
        raise Skipped(reason)
    print(driver().describe(), flush=True)
    return [*(flat(*one) for one in FLAT), *(trees(*one) for one in TREES)]


def flat(name: str, parameters: dict[str, Any], games: int, target: float | None) -> Row:
    """Random games."""
    start = kibitz.load(name, **parameters).start
    kibitz.many_games(start, 65_536, device="cuda")
    best = max(found.games / found.seconds for found in (kibitz.many_games(start, games, seed, device="cuda") for seed in range(ROUNDS)))
    print(f"{name + ', random games':46} {best / 1e6:10.1f} M/s", flush=True)
    return reached(f"{name}, random games", best / 1e6, "million/s", target or 0.0)


def trees(name: str, parameters: dict[str, Any], player: str, count: int, playouts: int, target: float | None) -> Row:
    """Trees of as many positions: here all the same, each with random numbers of its own."""
    start, chosen, machine = kibitz.load(name, **parameters).start, kibitz.player(player), machine_for("cuda")
    past = past_of([start])
    search = prototype(start, chosen.method.name, chosen.settings, past)
    each = tree_bytes(search, playouts)
    grown = Trees(machine, search, count, each)
    grown.prepare()
    roots, speeds, whole = roots_of([start] * count, past), [], []
    for seed in range(ROUNDS):
        began = time.perf_counter()
        grown.plant(roots, seed, 0, playouts)
        planted = time.perf_counter()
        grown.grow(playouts)
        done = time.perf_counter()
        found = grown.summaries()
        total = float(np.sum(found["playouts"]))
        speeds.append(total / (done - planted))
        whole.append(total / (time.perf_counter() - began))
    grown.release()
    said = f"{name}{' 9x9' if name == 'go' else ''}, {player}, {count:,} trees of {playouts}"
    print(f"{said:46} {max(speeds) / 1e6:10.1f} M/s, {max(whole) / 1e6:8.1f} in all, {count * each / 1e9:6.1f} GB", flush=True)
    return reached(said, max(speeds) / 1e6, "million/s", target or 0.0)


if __name__ == "__main__":
    alone(main)
