"""A hundred mates in 6 to 10 moves, put to df-pn: how many are proven within ten seconds of processor time each?

python -m benchmarks.mates
python -m benchmarks.mates 20      # every fifth

A proof is the strategy as well, with every reply, walked by the rules; the length asked for is that of the collection.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator

import kibitz
from benchmarks import FOLDER, Row, alone, reached, table

SECONDS = 10.0
NODES = 75_000_000  # more than ten seconds' worth; what is settled later is not counted
LENGTHS = range(6, 11)


def problems() -> Iterator[tuple[str, int]]:
    """Each position with the number of moves to the mate."""
    for line in (FOLDER / "mates.epd").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"([^#]+) bm #(\d+)$", line):
            yield f"{found[1]} 0 1", int(found[2])


def proven(fen: str, moves: int, nodes: int = NODES) -> tuple[bool, int, float]:
    """Is the mate proven? With the positions visited and seconds of the processor."""
    position, began = kibitz.load("chess").position(fen), time.process_time()
    found = kibitz.prove(position, "win", within=2 * moves - 1, leaf="moves", nodes=nodes)
    if found.verdict == "disproven":
        raise AssertionError(f"{fen}: no mate in {moves} moves, says df-pn; the collection says there is")
    return found.verdict == "proven", found.nodes, time.process_time() - began


def main(wanted: int = 100) -> list[Row]:
    chosen = list(problems())[:: max(1, 100 // wanted)]
    proven(*chosen[0])  # compiles
    counts = dict.fromkeys(LENGTHS, 0)
    for fen, moves in chosen:
        is_proven, nodes, seconds = proven(fen, moves)
        counts[moves] += is_proven and seconds <= SECONDS
        print(f"{moves} moves  {'mate' if is_proven else 'open'}  {nodes:11,} nodes  {seconds:5.1f} s  {fen}", flush=True)
    for moves in LENGTHS:
        print(f"mate in {moves}: {counts[moves]} of {sum(m == moves for _, m in chosen)} within {SECONDS:g} s each")
    rows = [reached("mates proven in ten seconds", sum(counts.values()) / len(chosen), "of all", 0.9)]
    print(table(rows))
    return rows


if __name__ == "__main__":
    alone(lambda: main(*(int(n) for n in sys.argv[1:])))
