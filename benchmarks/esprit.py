"""PUCT and ESPRIT on the simulated trees of Jones 2021, test A: playouts in a second of processor time on one core, the target of each being 100,000.

    python -m benchmarks.esprit

Every tree has parameters of its own, as in `kibitz experiment esprit`; each search grows a tree of 2^16 playouts from nothing, and the trees' own numbers
are drawn on the way, which is part of the time.
"""

from __future__ import annotations

import time

from benchmarks import Row, alone, reached
from kibitz.experiments.studies.esprit import ESPRIT, PUCT, make_search, plant_tree

TREES, PLAYOUTS = 12, 1 << 16
TARGET = 100.0  # thousand playouts in a second


def main() -> list[Row]:
    roots = [plant_tree("A", number) for number in range(TREES)]
    rows: list[Row] = []
    for name, options in ((ESPRIT, {}), (PUCT, {"c0": 2.5})):
        make_search(roots[0], name, 64, options).grow(64)  # compiled before the clock runs
        seconds = 0.0
        for root in roots:
            search = make_search(root, name, PLAYOUTS, options)
            began = time.process_time()
            search.grow(PLAYOUTS)
            seconds += time.process_time() - began
        speed = TREES * PLAYOUTS / seconds / 1e3
        print(f"{name}: {speed:,.0f} thousand playouts in a second", flush=True)
        rows.append(reached(f"{name} on simulated trees, test A", speed, "thousand playouts/s", TARGET))
    return rows


if __name__ == "__main__":
    alone(main)
