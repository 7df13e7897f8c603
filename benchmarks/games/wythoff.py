"""Wythoff's game: take from one heap, or as many from both; who takes the last one wins. Written as a user would, with no hook."""

import numpy as np

from kibitz import OVER, parameter, record

LARGEST = parameter("largest", 30, low=1, high=60)

State = record(heaps=(np.int8, 2), turn=np.int8)
PLAYERS = 2
MAX_MOVES = 3 * LARGEST
MAX_PLIES = 2 * LARGEST
VALUES = (-1.0, 1.0)


def start(s):
    s.heaps[0], s.heaps[1], s.turn = LARGEST - 1, LARGEST, 0


def player(s):
    return OVER if s.heaps[0] == 0 and s.heaps[1] == 0 else s.turn


def moves(s, out):
    n = 0
    for i in range(1, s.heaps[0] + 1):
        out[n], n = i, n + 1
    for i in range(1, s.heaps[1] + 1):
        out[n], n = LARGEST + i, n + 1
    for i in range(1, min(s.heaps[0], s.heaps[1]) + 1):
        out[n], n = 2 * LARGEST + i, n + 1
    return n


def play(s, move):
    which, taken = (move - 1) // LARGEST, (move - 1) % LARGEST + 1
    if which != 1:
        s.heaps[0] -= taken
    if which != 0:
        s.heaps[1] -= taken
    s.turn = 1 - s.turn


def utility(s, player):
    return -1.0 if player == s.turn else 1.0
