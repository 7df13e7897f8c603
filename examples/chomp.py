"""Chomp: a bar of chocolate whose corner square a1 is poisoned. A bite takes a square with all above it and to its right; whoever eats a1 loses.

A game with a field that is an array: `heights`, how many squares are left in each column. It never rises from left to right.

Whoever begins wins on every bar but a single square: if some other bite won against the bite of the far corner, it could have been the first. Which bite
wins is known for few bars; of a square one it is the one at b2, after which every bite is answered in a mirror.

    kibitz solve examples/chomp.py -p rows=4 -p columns=4 --all
"""

import numpy as np

from kibitz import OVER, parameter, record, svg

ROWS = parameter("rows", 3, low=1, high=8)
COLUMNS = parameter("columns", 4, low=1, high=8)

State = record(heights=(np.int8, COLUMNS), turn=np.int8)  # an array is a pair: its type and its length, or a tuple of lengths
PLAYERS = 2
MAX_MOVES = ROWS * COLUMNS
MAX_PLIES = ROWS * COLUMNS
VALUES = (-1.0, 1.0)
GRAIN = 2.0  # there is no draw


def start(s):
    for column in range(COLUMNS):  # element by element, as in C: an array of a record is a place, not a value
        s.heights[column] = ROWS


def player(s):
    return OVER if s.heights[0] == 0 else s.turn


def moves(s, out):
    n = 0
    for column in range(COLUMNS):
        for row in range(s.heights[column]):
            out[n] = ROWS * column + row
            n += 1
    return n


def play(s, move):
    column, row = move // ROWS, move % ROWS
    for right in range(column, COLUMNS):
        s.heights[right] = min(s.heights[right], row)
    s.turn = 1 - s.turn


def utility(s, player):
    return 1.0 if player == s.turn else -1.0  # the other one ate the poison


# --- for people: ordinary Python from here on ---


def name(s, move):
    return f"{'abcdefgh'[move // ROWS]}{move % ROWS + 1}"


def show(s):
    rows = ["".join("x" if column + row == 0 else "#" for column in range(COLUMNS) if s.heights[column] > row) for row in range(ROWS)]
    return "\n".join([*(f"{row + 1} {rows[row]}" for row in reversed(range(ROWS))), f"  {'abcdefgh'[:COLUMNS]}", f"player {s.turn + 1}"])


def read(text, s):
    """What `show` prints."""
    from kibitz import InputError

    lines = text.split("\n") if "\n" in text else text.split("/")
    rows = [line.split()[1:] for line in lines if line.split() and line.split()[0].isdigit()]
    heights = [sum(len("".join(row)) > column for row in rows) for column in range(COLUMNS)]
    last = lines[-1].split()
    if len(rows) != ROWS or last[:1] != ["player"] or last[1] not in ("1", "2"):
        raise InputError(f"a position is {ROWS} numbered rows of #, the lowest with the x, the letters, and whose turn it is: player 1")
    for column in range(COLUMNS):
        s.heights[column] = heights[column]
    s.turn = int(last[1]) - 1


def draw(s):
    board = svg.Board(ROWS, COLUMNS, row_labels=[str(row) for row in range(ROWS, 0, -1)], column_labels="abcdefgh"[:COLUMNS])
    for column in range(COLUMNS):
        for row in range(s.heights[column]):
            board.square(ROWS - 1 - row, column, "#6b8e23" if row + column == 0 else "#7b4a21", "#e9d8c4")
    return board.render()
