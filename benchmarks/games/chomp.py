"""Chomp: eat a square of the chocolate and all that is below and to the right of it; the first square is poisoned. With no hook."""

import numpy as np

from kibitz import OVER, parameter, record

ROWS, COLUMNS = parameter("rows", 5, low=1, high=8), parameter("columns", 6, low=1, high=8)

State = record(left=(np.int8, ROWS), turn=np.int8)  # squares left in each row, never more than in the row above
PLAYERS = 2
MAX_MOVES = ROWS * COLUMNS
MAX_PLIES = ROWS * COLUMNS
VALUES = (-1.0, 1.0)


def start(s):
    for row in range(ROWS):
        s.left[row] = COLUMNS
    s.turn = 0


def player(s):
    return OVER if s.left[0] == 0 else s.turn


def moves(s, out):
    n = 0
    for row in range(ROWS):
        for column in range(s.left[row]):
            out[n], n = row * COLUMNS + column, n + 1
    return n


def play(s, move):
    top, column = move // COLUMNS, move % COLUMNS
    for row in range(top, ROWS):
        s.left[row] = min(s.left[row], column)
    s.turn = 1 - s.turn


def utility(s, player):
    return 1.0 if player == s.turn else -1.0
