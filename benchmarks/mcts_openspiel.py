"""Monte Carlo tree search, kibitz against OpenSpiel's C++ MCTS bot, side by side in one run on one core.

    python -m benchmarks.mcts_openspiel

Both grow a tree of as many simulations from the same position, one uniformly random playout each, nothing proven, and explore alike (OpenSpiel's
rewards run from -1 to 1, ours from 0 to 1, so its constant is twice ours); each search starts with an empty tree. Counted are simulations in a second
of processor time. OpenSpiel's rules are C++, except in the last two rows: there they are Python, as kibitz's are everywhere, in a lean form and
in that of OpenSpiel's own reference game.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

import kibitz
from benchmarks import Row, _openspiel_python, alone, compared, peer

ROUNDS = 4
EXPLORE = 1.4
MEGABYTES = 1000
LEAST_SECONDS = 0.4  # ours is repeated until it has taken that long
TOLERANCE = 0.12  # between the values both give the first move, of a range of 2


@dataclass(frozen=True)
class Match:
    """The same game here and there."""

    label: str
    ours: str
    theirs: str
    simulations: int
    target: float | None
    setup: tuple[int, ...] = ()  # actions that lead OpenSpiel to our position
    moves: str = ""  # and what leads us there
    parameters: tuple[tuple[str, Any], ...] = ()


MATCHES = (
    Match("tic-tac-toe", "tictactoe", "tic_tac_toe", 200_000, 4.0),
    Match("Connect Four", "connect4", "connect_four", 100_000, 10.0),
    Match("Breakthrough", "breakthrough", "breakthrough", 20_000, 50.0),
    Match("Othello", "othello", "othello", 8_000, 100.0),
    Match("EWN", "ewn", "einstein_wurfelt_nicht", 50_000, 8.0, (0, 0, 0), "1", (("setup", "654321/123456"),)),
    Match("tic-tac-toe in lean Python", "tictactoe", "", 40_000, 100.0),
    Match("tic-tac-toe in OpenSpiel's Python", "tictactoe", "python_tic_tac_toe", 5_000, 100.0),
)


def main() -> list[Row]:
    pyspiel = peer("pyspiel", "open_spiel")
    peer("open_spiel.python.games.tic_tac_toe", "open_spiel")  # registers itself
    print(f"{'simulations per second':36} {'kibitz':>12} {'OpenSpiel':>12} {'ratio':>8}")
    rows = []
    for match in MATCHES:
        ours, theirs = measure(pyspiel, match)
        print(f"{match.label:36} {ours:12,.0f} {theirs:12,.0f} {ours / theirs:8.1f}", flush=True)
        rows.append(compared(f"UCT, {match.label}, against OpenSpiel", ours / 1e3, theirs / 1e3, "thousand simulations/s", match.target))
    return rows


def measure(pyspiel: Any, match: Match) -> tuple[float, float]:
    """The best round of each."""
    position = kibitz.load(match.ours, **dict(match.parameters)).position(match.moves)
    game = pyspiel.load_game(match.theirs or _openspiel_python.register(pyspiel))
    state = game.new_initial_state()
    for action in match.setup:
        state.apply_action(action)
    our_speed(position, 10, 0)  # compiled before the clock runs
    ours, theirs = [], []
    for number in range(ROUNDS):
        speed, their_value = their_speed(pyspiel, game, state, match.simulations, number)
        theirs.append(speed)
        speed, our_value = our_speed(position, match.simulations, number)
        ours.append(speed)
        if abs(our_value - their_value) > TOLERANCE:
            sys.exit(f"{match.label}: kibitz gives the first move {our_value:+.2f}, OpenSpiel {their_value:+.2f}: not the same game")
    return max(ours), max(theirs)


def our_speed(position: kibitz.Position, simulations: int, seed: int) -> tuple[float, float]:
    """Simulations per second of processor time, and what the best move is worth, from -1 to 1."""
    engine = kibitz.player("uct", playouts=simulations, solve=False, playout="uniform", reward="win", explore=EXPLORE, memory=MEGABYTES)
    done, began = 0, time.process_time()
    while done == 0 or time.process_time() - began < LEAST_SECONDS:
        result = kibitz.search(position, engine, seed=1000 * seed + done // simulations)
        done += simulations
    low, high = position.game.constants["VALUES"]
    return done / (time.process_time() - began), 2.0 * (result.value - low) / (high - low) - 1.0


def their_speed(pyspiel: Any, game: Any, state: Any, simulations: int, seed: int) -> tuple[float, float]:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0 * EXPLORE, simulations, MEGABYTES, False, seed, False)
    began = time.process_time()
    root = bot.mcts_search(state)
    seconds = time.process_time() - began
    best = max(root.children, key=lambda child: child.explore_count)
    return simulations / seconds, best.total_reward / best.explore_count


if __name__ == "__main__":
    alone(main)
