"""Tic-tac-toe for OpenSpiel, written in Python and lean: two sets of squares in a word each, as in kibitz's own file.

OpenSpiel's reference game of that kind, `python_tic_tac_toe`, keeps a NumPy array of characters and is several times slower.
"""

from __future__ import annotations

from typing import Any

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
NAME = "kibitz_lean_tic_tac_toe"


def register(pyspiel: Any) -> str:
    """Make the game known to OpenSpiel; its name there."""
    if NAME not in pyspiel.registered_names():
        kind = pyspiel.GameType(
            short_name=NAME,
            long_name="Lean Tic-Tac-Toe",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
            parameter_specification={},
        )
        pyspiel.register_game(kind, _game(pyspiel, kind))
    return NAME


def _game(pyspiel: Any, kind: Any) -> Any:
    class Game(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            info = pyspiel.GameInfo(
                num_distinct_actions=9,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=9,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> Any:
            return State(self)

    class State(pyspiel.State):  # type: ignore[misc]
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.stones, self.ply, self.winner = [0, 0], 0, -1

        def current_player(self) -> int:
            return pyspiel.PlayerId.TERMINAL if self.winner >= 0 or self.ply == 9 else self.ply & 1

        def is_terminal(self) -> bool:
            return self.winner >= 0 or self.ply == 9

        def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
            taken = self.stones[0] | self.stones[1]
            return [square for square in range(9) if not taken >> square & 1]

        def _apply_action(self, action: int) -> None:
            player = self.ply & 1
            mine = self.stones[player] | 1 << action
            self.stones[player] = mine
            for line in LINES:
                if mine & line == line:
                    self.winner = player
                    break
            self.ply += 1

        def returns(self) -> list[float]:
            return [0.0, 0.0] if self.winner < 0 else [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]

        def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
            return str(action + 1)

        def __str__(self) -> str:
            return f"{self.stones[0]:09b}/{self.stones[1]:09b}"

    return Game
