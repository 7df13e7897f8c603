"""A game its user writes in some forty lines, searched by kibitz and by easyAI's Negamax, side by side in one run on one core.

    python -m benchmarks.negamax_easyai

Four in a line on five columns of four squares, written twice in the same plain way: a list of squares, lines looked for around the last stone.
easyAI runs it twice: with the rules alone, as kibitz does, when it copies the position for every move; and with an `unmake_move`, which spares it
the copies. Nobody uses a table. All search the same tree: easyAI's positions are its `make_move` calls, counted in a run of their own, and must
be as many as kibitz's; so must the move found be the same.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import kibitz
from benchmarks import Row, alone, compared, peer

PLAIN = "alphabeta(table=0, order=false, killers=off, history=off, deepening=false)"
DEPTH = 12
ROUNDS = 3
TARGET = 200.0

OURS = '''"""Four in a line on five columns of four squares."""

import numpy as np

from kibitz import OVER, record

ROWS, COLUMNS, LINE = 4, 5, 4
SIZE = ROWS * COLUMNS
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

State = record(board=(np.int8, SIZE), height=(np.int8, COLUMNS), stones=np.int16, won=np.int8)
PLAYERS = 2
MAX_MOVES = COLUMNS
MAX_PLIES = SIZE
VALUES = (-1.0, 1.0)


def start(s):
    s.stones = 0


def player(s):
    return OVER if s.won or s.stones == SIZE else s.stones % 2


def moves(s, out):
    n = 0
    for column in range(COLUMNS):
        if s.height[column] < ROWS:
            out[n] = column
            n += 1
    return n


def play(s, move):
    row = s.height[move]
    s.board[row * COLUMNS + move] = 1 + s.stones % 2
    s.height[move] += 1
    s.stones += 1
    s.won = lines_up(s, row, move)


def utility(s, player):
    return 0.0 if not s.won else -1.0 if player == s.stones % 2 else 1.0


def lines_up(s, row, column):
    mark = s.board[row * COLUMNS + column]
    for up, right in DIRECTIONS:
        length = 1
        for sign in (1, -1):
            r, c = row + sign * up, column + sign * right
            while 0 <= r < ROWS and 0 <= c < COLUMNS and s.board[r * COLUMNS + c] == mark:
                length += 1
                r, c = r + sign * up, c + sign * right
        if length >= LINE:
            return True
    return False
'''

ROWS, COLUMNS, LINE = 4, 5, 4
SIZE = ROWS * COLUMNS
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def main() -> list[Row]:
    easy = peer("easyAI", "easyAI")
    rules_alone, undoing = their_games(easy)
    start = our_game().start
    nodes, move = count_nodes(easy, undoing)
    kibitz.search(start, PLAIN, depth=1)  # compiled before the clock runs
    ours: list[float] = []
    theirs: dict[str, list[float]] = {"easyAI": [], "easyAI with unmake_move": []}
    for _ in range(ROUNDS):
        for seconds, game in zip(theirs.values(), (rules_alone, undoing), strict=True):
            seconds.append(time_search(easy, game))
            result = kibitz.search(start, PLAIN, depth=DEPTH)
            ours.append(result.seconds)
            if (result.nodes, result.move) != (nodes, move):
                sys.exit(f"the searches differ: kibitz {result.nodes} nodes, move {result.move!r}; easyAI {nodes} nodes, move {move}")
    speeds = {who: nodes / min(seconds) / 1e3 for who, seconds in {"kibitz": ours, **theirs}.items()}
    return report(nodes, speeds)


def report(nodes: int, speeds: dict[str, float]) -> list[Row]:
    unit = "thousand nodes/s"
    print(f"{f'Four in a line, depth {DEPTH}, {nodes:,} nodes':40} {unit:>16}")
    for who, speed in speeds.items():
        print(f"{who:40} {speed:16.1f}")
    ours = speeds.pop("kibitz")
    return [compared(f"a user's own game against {who}", ours, speed, unit, TARGET) for who, speed in speeds.items()]


def our_game() -> kibitz.Game:
    """The game as its user would have it: a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "four_in_line.py"
        path.write_text(OURS, encoding="utf-8")
        return kibitz.load(str(path))


def time_search(easy: Any, game: Any) -> float:
    """The seconds of one search by easyAI."""
    position, search = game(), easy.Negamax(DEPTH)
    began = time.perf_counter()
    search(position)
    return time.perf_counter() - began


def count_nodes(easy: Any, game: Any) -> tuple[int, int]:
    """The positions easyAI visits, the root among them, and the move it finds."""
    position = game()
    visited, make_move = [1], position.make_move

    def count_and_make(column: int) -> None:
        visited[0] += 1
        make_move(column)

    position.make_move = count_and_make
    move = easy.Negamax(DEPTH)(position)
    return visited[0], move


def their_games(easy: Any) -> tuple[Any, Any]:
    """The same game as a class of easyAI's; and with `unmake_move`."""

    class FourInLine(easy.TwoPlayerGame):  # type: ignore[misc]
        def __init__(self) -> None:
            self.players, self.current_player = [None, None], 1
            self.board, self.height = [0] * SIZE, [0] * COLUMNS
            self.stones, self.won = 0, False

        def possible_moves(self) -> list[int]:
            return [column for column in range(COLUMNS) if self.height[column] < ROWS]

        def make_move(self, column: int) -> None:
            row = self.height[column]
            self.board[row * COLUMNS + column] = self.current_player
            self.height[column] += 1
            self.stones += 1
            self.won = self.lines_up(row, column)

        def is_over(self) -> bool:
            return self.won or self.stones == SIZE

        def scoring(self) -> int:
            return -100 if self.won else 0

        def lines_up(self, row: int, column: int) -> bool:
            board, mark = self.board, self.current_player
            for up, right in DIRECTIONS:
                length = 1
                for sign in (1, -1):
                    r, c = row + sign * up, column + sign * right
                    while 0 <= r < ROWS and 0 <= c < COLUMNS and board[r * COLUMNS + c] == mark:
                        length += 1
                        r, c = r + sign * up, c + sign * right
                if length >= LINE:
                    return True
            return False

    class Undoing(FourInLine):
        def unmake_move(self, column: int) -> None:
            self.height[column] -= 1
            self.board[self.height[column] * COLUMNS + column] = 0
            self.stones -= 1
            self.won = False

    return FourInLine, Undoing


if __name__ == "__main__":
    alone(main)
