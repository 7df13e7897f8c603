"""How much of a search is spent in the tree, where a network takes a millisecond a batch: at most 15 %.

    python -m benchmarks.network

The network does nothing for a millisecond of processor time. PUCT grows a tree of Connect Four in waves of 16, 32 and 64 positions; the share is that of the whole
search, from the first batch to the answer, in processor time, so that other work on the machine does not count.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import kibitz
from benchmarks import Row, alone, reached
from kibitz.evaluators.batch import Batch

WAVES = (16, 32, 64)
BATCHES = 2000
LEAST = 0.85  # of the time in the network


class Slow:
    """A network that takes a millisecond, whatever the batch."""

    def __init__(self) -> None:
        self.spent = 0.0

    def __call__(self, batch: Batch) -> tuple[Any, Any]:
        began = time.process_time()
        values, weights = np.zeros(len(batch)), np.ones(batch.moves.shape)
        while time.process_time() < began + 0.001:
            pass
        self.spent += time.process_time() - began
        return values, weights


def main() -> list[Row]:
    position = kibitz.load("connect4").position("44")
    rows: list[Row] = []
    for wave in WAVES:
        kibitz.search(position, f"puct(wave={wave}, solve=false)", playouts=2 * wave, evaluator=Slow())  # compiled before the clock runs
        network, began = Slow(), time.process_time()
        kibitz.search(position, f"puct(wave={wave}, solve=false)", playouts=BATCHES * wave, evaluator=network)
        share = network.spent / (time.process_time() - began)
        print(f"waves of {wave}: {100 * share:.1f} % of the time in the network", flush=True)
        rows.append(reached(f"time in a network of 1 ms, waves of {wave}", share, "share", LEAST))
    return rows


if __name__ == "__main__":
    alone(main)
