"""Expectiminimax on EinStein würfelt nicht!, kibitz against OpenSpiel, side by side in one run on one core; and the Star searches beside each other.

    python -m benchmarks.expectiminimax_openspiel

OpenSpiel's rules are C++, its expectiminimax is Python (it offers no other). Both search the same positions to the same depth, visit every node and
know nothing of an unfinished game; chance is evaluated, not resolved, at the horizon, as OpenSpiel does it. Their board is turned: their player 1 is our
first. OpenSpiel's positions are counted in a run of their own, by a state that counts the moves made in it and its clones. The Star searches find the
same values as expectiminimax with kibitz's own evaluation, with their usual order and without a table: positions a second of each, and how many it takes.
"""

from __future__ import annotations

import random
import re
import sys
import time
from typing import Any

import kibitz
from benchmarks import Row, alone, compared, peer
from benchmarks.alphabeta_openspiel import Counting
from kibitz.core.position.variants import remove_hooks

PLAIN = "expectiminimax(deepening=false, last=1)"
STARS = ("expectiminimax", "star0", "star05", "star1", "star2", "star25")
PLIES = (5, 9, 13, 17, 21)  # moves and rolls before each position
DEPTH, STAR_DEPTH = 5, 5
ROUNDS = 3
TARGET = 30.0


def main() -> list[Row]:
    pyspiel = peer("pyspiel", "open_spiel")
    minimax = peer("open_spiel.python.algorithms.minimax", "open_spiel")
    game = pyspiel.load_game("einstein_wurfelt_nicht")
    states = [play_at_random(game, plies) for plies in PLIES]
    known = kibitz.load("ewn", setup="123456")
    bare = remove_hooks(known, "evaluate", "order")
    positions = [bare.position(ours(state)) for state in states]
    visited = [count_nodes(minimax, state) for state in states]
    kibitz.search(positions[0], PLAIN, depth=1)  # compiled before the clock runs
    our_time, their_time, nodes = [float("inf")] * len(states), [float("inf")] * len(states), [0] * len(states)
    for _ in range(ROUNDS):
        for i, (position, state) in enumerate(zip(positions, states, strict=True)):
            result = kibitz.search(position, PLAIN, depth=DEPTH)
            began = time.perf_counter()
            value, _ = expectiminimax(minimax, state)
            their_time[i] = min(their_time[i], time.perf_counter() - began)
            our_time[i], nodes[i] = min(our_time[i], result.seconds), result.nodes
            if abs(value - result.value) > 1e-9 or visited[i] != result.nodes:
                sys.exit(f"{position.show()}: kibitz {result.value} with {result.nodes} nodes, OpenSpiel {value} with {visited[i]}")
    rows = [report(sum(nodes) / sum(our_time), sum(visited) / sum(their_time))]
    stars([known.position(ours(state)) for state in states])
    return rows


def report(mine: float, theirs: float) -> Row:
    print(f"{f'EWN, depth {DEPTH}':24} {'thousand nodes/s':>16}")
    print(f"{'kibitz':24} {mine / 1e3:16.1f}")
    print(f"{'OpenSpiel':24} {theirs / 1e3:16.1f}")
    return compared("EWN expectiminimax against OpenSpiel", mine / 1e3, theirs / 1e3, "thousand nodes/s", TARGET)


def stars(positions: list[kibitz.Position]) -> None:
    """Every search of the family on the same positions."""
    print(f"\n{f'EWN, depth {STAR_DEPTH}, no table':24} {'thousand nodes/s':>16} {'nodes':>12} {'leaves':>12} {'seconds':>9}")
    values: set[tuple[float, ...]] = set()
    for name in STARS:
        text = f"{name}(deepening=false{'' if name == 'expectiminimax' else ', table=0'})"
        kibitz.search(positions[0], text, depth=1)
        results = [kibitz.search(position, text, depth=STAR_DEPTH) for position in positions]
        nodes, leaves, seconds = (sum(getattr(r, what) for r in results) for what in ("nodes", "leaves", "seconds"))
        print(f"{name:24} {nodes / seconds / 1e3:16.1f} {nodes:12,} {leaves:12,} {seconds:9.3f}")
        values.add(tuple(round(r.value, 9) for r in results))
    if len(values) > 1:
        sys.exit(f"the searches disagree: {values}")


def play_at_random(game: Any, plies: int) -> Any:
    """A position after random moves and rolls in which a player has rolled."""
    chooser, state = random.Random(plies), game.new_initial_state()
    for _ in range(2 + plies):
        state.apply_action(chooser.choice([a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()))
    return state


def ours(state: Any) -> str:
    """The same position as kibitz writes it."""
    cells = [".." if c == "__" else f"{'X' if c[0] == 'w' else 'O'}{c[1]}" for c in reversed(re.findall(r"\|(..)\|", str(state)))]
    movable = sorted({re.sub(r"[WB](\d).*", r"\1", state.action_to_string(a)) for a in state.legal_actions()})
    return f"{' '.join(cells)} / {'XO'[1 - state.current_player()]} moves {' or '.join(movable)}"


def expectiminimax(minimax: Any, state: Any) -> tuple[float, int]:
    found: tuple[float, int] = minimax.expectiminimax(state, DEPTH, level, state.current_player())
    return found


def level(state: Any) -> float:  # noqa: ARG001  # what OpenSpiel calls at the horizon
    """Nothing is known of an unfinished game."""
    return 0.0


def count_nodes(minimax: Any, state: Any) -> int:
    """Positions OpenSpiel visits: the root, and one for every move and outcome made."""
    root = Counting(state, [1])
    expectiminimax(minimax, root)
    return root.visited[0]


if __name__ == "__main__":
    alone(main)
