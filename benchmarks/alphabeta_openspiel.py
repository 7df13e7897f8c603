"""Alpha-beta on Connect Four, kibitz against OpenSpiel, side by side in one run on one core.

    python -m benchmarks.alphabeta_openspiel

OpenSpiel's rules are C++, its alpha-beta is Python (it offers no other); neither uses a table, deepening or move ordering here. OpenSpiel tries
columns from the left, kibitz from the centre, so the trees differ: what counts is positions visited a second, to the same depth and with the
same values. OpenSpiel's positions are counted in a run of their own, by a state that counts the moves made in it and its clones.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import kibitz
from benchmarks import Row, alone, compared, peer

PLAIN = "alphabeta(table=0, order=false, killers=off, history=off, deepening=false, distance=off)"
POSITIONS = ("", "4453", "44444325", "3514262", "33251764")  # columns played
DEPTH = 8
ROUNDS = 5
TARGET = 15.0


def main() -> list[Row]:
    pyspiel = peer("pyspiel", "open_spiel")
    minimax = peer("open_spiel.python.algorithms.minimax", "open_spiel")
    game = pyspiel.load_game("connect_four")
    states = [state_after(game, text) for text in POSITIONS]
    positions = [kibitz.load("connect4", weights="none").position(text) for text in POSITIONS]
    visited = [count_nodes(minimax, game, state) for state in states]
    kibitz.search(positions[0], PLAIN, depth=1)  # compiled before the clock runs
    ours, theirs = [float("inf")] * len(positions), [float("inf")] * len(positions)
    for _ in range(ROUNDS):
        for i, (position, state) in enumerate(zip(positions, states, strict=True)):
            result = kibitz.search(position, PLAIN, depth=DEPTH)
            began = time.perf_counter()
            value, _ = alpha_beta(minimax, game, state)
            theirs[i] = min(theirs[i], time.perf_counter() - began)
            ours[i] = min(ours[i], result.seconds)
            if value != result.value:
                sys.exit(f"the values of '{POSITIONS[i]}' differ: kibitz {result.value}, OpenSpiel {value}")
    nodes = sum(kibitz.search(p, PLAIN, depth=DEPTH).nodes for p in positions)
    return report(nodes / sum(ours), sum(visited) / sum(theirs))


def report(ours: float, theirs: float) -> list[Row]:
    print(f"{f'Connect Four, depth {DEPTH}':24} {'thousand nodes/s':>16}")
    print(f"{'kibitz':24} {ours / 1e3:16.1f}")
    print(f"{'OpenSpiel':24} {theirs / 1e3:16.1f}")
    return [compared("Connect Four alpha-beta against OpenSpiel", ours / 1e3, theirs / 1e3, "thousand nodes/s", TARGET)]


def state_after(game: Any, columns: str) -> Any:
    state = game.new_initial_state()
    for column in columns:
        state.apply_action(int(column) - 1)
    return state


def alpha_beta(minimax: Any, game: Any, state: Any) -> tuple[float, int]:
    found: tuple[float, int] = minimax.alpha_beta_search(game, state=state, value_function=level, maximum_depth=DEPTH)
    return found


def level(state: Any) -> float:  # noqa: ARG001  # what OpenSpiel calls at the horizon
    """Nothing is known of an unfinished game, as in kibitz's Connect Four without weights."""
    return 0.0


def count_nodes(minimax: Any, game: Any, state: Any) -> int:
    """Positions OpenSpiel visits: the root, and one for every move made."""
    root = Counting(state, [1])
    alpha_beta(minimax, game, root)
    return root.visited[0]


class Counting:
    """A state that counts the moves made in it and in its clones."""

    def __init__(self, state: Any, visited: list[int]) -> None:
        self.state, self.visited = state, visited

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def clone(self) -> Counting:
        return Counting(self.state.clone(), self.visited)

    def apply_action(self, action: int) -> None:
        self.visited[0] += 1
        self.state.apply_action(action)


if __name__ == "__main__":
    alone(main)
