"""How long a person waits for the first answer, each command in a new process: compiled code on disk (warm), and nothing on disk yet (cold).

python -m benchmarks.warm_start
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from benchmarks import FOLDER, Row, alone, table, timed

PERFT = ("perft", "connect4", "4")
SEARCH = ("search", "connect4", "--depth", "4")
WARM_ROUNDS = 5
COLD_ROUNDS = 2

# Each command: most seconds warm, most seconds cold.
COMMANDS = {PERFT: (1.2, 10.0), SEARCH: (1.5, 10.0)}


def main() -> list[Row]:
    rows = []
    for command, (most_warm, most_cold) in COMMANDS.items():
        name = f"kibitz {' '.join(command)}"
        cold, warm = [], []
        for _ in range(COLD_ROUNDS):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(seconds(command, cache))
                if not any(os.scandir(cache)):
                    sys.exit(f"{name} left no compiled code on disk")
                warm += [seconds(command, cache) for _ in range(WARM_ROUNDS)]
        rows += [timed(f"{name}, warm", min(warm), most_warm), timed(f"{name}, cold", min(cold), most_cold)]
    print(table(rows))
    return rows


def seconds(command: tuple[str, ...], cache: str) -> float:
    """From start to end of one command with its compiled code in the folder `cache`."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", *command],
        check=False,
        capture_output=True,
        text=True,
        cwd=FOLDER.parent,
        env={**os.environ, "KIBITZ_CACHE": cache},
    )
    took = time.perf_counter() - began
    if done.returncode:
        sys.exit(f"kibitz {' '.join(command)} failed: {done.stderr}")
    return took


if __name__ == "__main__":
    alone(main)
