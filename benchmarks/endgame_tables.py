"""Endgame tables: positions a second that builders take, and probes a second in a kernel and through Python; processor time.

python -m benchmarks.endgame_tables
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import kibitz as kb
from benchmarks import Row, alone, reached
from kibitz.core.position.game import Position
from kibitz.tables.endgame.builders.building import build
from kibitz.tables.endgame.inspecting import position_at
from kibitz.tables.endgame.numbering import Numbers
from kibitz.tables.endgame.probing import Known, Tables, result_at

POSITIONS, ROUNDS = 20_000, 100
PLENTY = 1 << 20  # megabytes: all moves are sure to fit, and are listed
BUILDS: tuple[tuple[str, dict[str, Any], str, float], ...] = (
    ("chess", {}, "KRK", 1),
    ("chess", {}, "KBNK", 1),
    ("chess", {}, "KBNK", PLENTY),
    ("connect4", {"columns": 4, "rows": 4}, "", PLENTY),
    ("pig", {"target": 40}, "", PLENTY),
)
LEAST = {"kernel": 1.0, "python": 0.02, "build": 0.05}  # millions a second


def main() -> list[Row]:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, parameters, section, memory in BUILDS:
            game, place = kb.load(name, **parameters), Path(folder) / f"{memory:g}"
            build(game, place / "warm", [section] if section else [], memory=memory)  # compiled before the clock runs
            seconds, (table, *_) = clocked(lambda g=game, p=place, s=section, m=memory: build(g, p, [s] if s else [], memory=m))
            how = "moves listed" if memory == PLENTY else "predecessors asked of the rules"
            label = f"builder, {game.label} {section}".strip()
            rows.append(reached(f"{label}, {how}", table.section.size / seconds / 1e6, "million positions/s", LEAST["build"]))
        rows += probing(Tables(Path(folder) / "1", kb.load("chess")))
    for row in rows:
        print(f"{row['name']}: {row['ours']:.3f} {row['unit']}", flush=True)
    return rows


def probing(tables: Tables) -> list[Row]:
    """Of random positions of KBNK."""
    positions, section = [], tables.numbering.section("KBNK")
    draw = random.Random(1)
    while len(positions) < POSITIONS:
        position = position_at(tables, draw.randrange(section.begin, section.end))
        if position is not None and not position.is_over:
            positions.append(position)
    states = np.concatenate([np.frombuffer(p.data, tables.game.constants["State"]) for p in positions])
    kernel, known, numbers = tables.numbering.bind(probe_all), tables.known(), tables.numbering.numbers
    kernel(tables._w, numbers, known, states, 1)
    seconds, total = clocked(lambda: kernel(tables._w, numbers, known, states, ROUNDS))
    by_python, values = clocked(lambda: [signed(tables, p) for p in positions])
    assert total == ROUNDS * sum(values)
    return [
        reached("probes in a kernel, KBNK", ROUNDS * POSITIONS / seconds / 1e6, "million/s", LEAST["kernel"]),
        reached("probes through Python, KBNK", POSITIONS / by_python / 1e6, "million/s", LEAST["python"]),
    ]


def probe_all(w: Any, numbers: Numbers, known: Known, states: Any, rounds: int) -> int:
    """The sum of all results, so often."""
    total = 0
    for _ in range(rounds):
        for i in range(states.shape[0]):
            total += result_at(w, numbers, known, states[i])
    return total


def signed(tables: Tables, position: Position) -> int:
    entry = tables.look_up(position)
    assert entry is not None
    return (entry.distance or 0) * (1 if entry.value > 0 else -1)


def clocked(work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds and the answer."""
    began = time.process_time()
    answer = work()
    return time.process_time() - began, answer


if __name__ == "__main__":
    alone(main)
