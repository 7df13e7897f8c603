"""Random games of Connect Four, kibitz against OpenSpiel, side by side in one run on one core.

    python -m benchmarks.playouts_openspiel

OpenSpiel's rules are C++. Random games are played with them in three ways: by a Python loop over its states; by its C++ Monte Carlo tree
search with one playout a simulation, which grows a tree as well; and by the same search with a single simulation of very many playouts, which
leaves the C++ playouts alone. The fastest of the three is the one to compare with.
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

import kibitz
from benchmarks import Row, alone, compared, peer
from kibitz.core.measuring.random_games import random_games

OURS = 400_000  # games a round: each way plays for a fraction of a second
LOOP = 1_500
SEARCHED = 20_000
ROUNDS = 5
TARGET = 20.0
PLIES = 21.3  # of a random game
EXPLORATION = 2.0
TREE_MEGABYTES = 256


def main() -> list[Row]:
    pyspiel = peer("pyspiel", "open_spiel")
    game = pyspiel.load_game("connect_four")
    start = kibitz.load("connect4").start
    random_games(start, 1, seed=0)  # compiled before the clock runs
    ours, loop, tree, alone = [], [], [], []
    for number in range(ROUNDS):
        loop.append(looped_per_second(game, number))
        ours.append(ours_per_second(start, number))
        tree.append(searched_per_second(pyspiel, game, number, simulations=SEARCHED, playouts=1))
        alone.append(searched_per_second(pyspiel, game, number, simulations=1, playouts=SEARCHED))
    peers = {"Python loop": max(loop), "C++ MCTS, 1 playout": max(tree), "C++ playouts alone": max(alone)}
    return report(max(ours), {f"OpenSpiel {name}": theirs for name, theirs in peers.items()})


def report(ours: float, peers: dict[str, float]) -> list[Row]:
    print(f"{'Connect Four random games':32} {'thousand games/s':>16} {'kibitz is faster by':>20}")
    print(f"{'kibitz':32} {ours / 1e3:16.1f}")
    for name, theirs in peers.items():
        print(f"{name:32} {theirs / 1e3:16.1f} {ours / theirs:20.1f}")
    return [
        compared(f"Connect Four playouts against {name}", ours / 1e3, theirs / 1e3, "thousand games/s", TARGET)
        for name, theirs in peers.items()
    ]


def ours_per_second(start: kibitz.Position, seed: int) -> float:
    played = random_games(start, OURS, seed)
    check_length("kibitz", played.plies / played.games)
    return OURS / played.seconds


def looped_per_second(game: Any, seed: int) -> float:
    """Random games on OpenSpiel's states, each move chosen in Python."""
    choose = random.Random(seed).choice
    plies, began = 0, time.perf_counter()
    for _ in range(LOOP):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
            plies += 1
    seconds = time.perf_counter() - began
    check_length("OpenSpiel", plies / LOOP)
    return LOOP / seconds


def searched_per_second(pyspiel: Any, game: Any, seed: int, simulations: int, playouts: int) -> float:
    """Playouts of OpenSpiel's Monte Carlo tree search, `playouts` at the end of each simulation."""
    evaluator = pyspiel.RandomRolloutEvaluator(playouts, seed)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, TREE_MEGABYTES, False, seed, False)
    began = time.perf_counter()
    bot.mcts_search(game.new_initial_state())
    return simulations * playouts / (time.perf_counter() - began)


def check_length(who: str, plies: float) -> None:
    if abs(plies - PLIES) > 1.0:
        sys.exit(f"{who} plays {plies:.1f} moves a game, not {PLIES}: not the same game")


if __name__ == "__main__":
    alone(main)
