"""The solver against alpha-beta with deepening, at the same positions in one run: CPU time to the exact value, which must be the same.

python -m benchmarks.solver
"""

from __future__ import annotations

import time

import kibitz
from benchmarks import Row, alone, compared, table

POSITIONS = (  # game, position, least ratio of the times
    ("connect4", "1212333443676471", 3.0),
    ("othello", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 2.0),
    ("kalah", "", 1.0),
    ("nim", "", 1.0),
    ("benchmarks/games/wythoff.py", "", 1.0),  # users' games, without a hook
    ("benchmarks/games/chomp.py", "", 1.0),
)
PARAMETERS = {"kalah": {"holes": 4, "seeds": 3}, "nim": {"heaps": "5,6,7"}}


def main() -> list[Row]:
    rows = []
    for name, text, least in POSITIONS:
        position = kibitz.load(name, **PARAMETERS.get(name, {})).position(text)
        (ours, value), (other, known) = measured(position, "solver"), measured(position, "alphabeta")
        if value != known:
            raise AssertionError(f"{name} {text}: the solver says {value}, alpha-beta {known}")
        rows.append(compared(f"solve {position.game.name}", 1 / ours, 1 / other, "solves/s", least))
    print(table(rows))
    return rows


def measured(position: kibitz.Position, search: str) -> tuple[float, tuple[float, int | None]]:
    """CPU seconds of the quicker of two solves, and what they found."""
    kibitz.solve(position, search, nodes=10)  # compiles
    seconds = []
    for _ in range(2):
        began = time.process_time()
        result = kibitz.solve(position, search)
        seconds.append(time.process_time() - began)
    return min(seconds), (result.value, result.distance)


if __name__ == "__main__":
    alone(main)
