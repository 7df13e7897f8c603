"""Which pieces of EinStein würfelt nicht! a roll lets move, and which ways they can go from a square: tables, so that rules need no branches."""

import numpy as np


def ways(size, directions):
    """For each side and square how many of the directions are open, and which, in this order: diagonal, sideways, down; X goes right and down, O left and up."""
    number, found = np.zeros((2, size * size), np.int8), np.zeros((2, size * size, 3), np.int8)
    for side in range(2):
        edge = size - 1 if side == 0 else 0
        for square in range(size * size):
            across, along = square % size != edge, square // size != edge
            is_open = [d for d, there in zip(directions, (across and along, across, along), strict=True) if there]
            number[side, square] = len(is_open)
            found[side, square, : len(is_open)] = is_open
    return number, found


def movable(pieces):
    """For each set of pieces that are left, and each roll, the two that may move: that number, or the nearest lower and the nearest higher one.

    Where there is none on one side the one on the other side stands for both.
    """
    found = np.zeros((1 << pieces, pieces, 2), np.int8)
    for left in range(1, 1 << pieces):
        there = [piece for piece in range(pieces) if left >> piece & 1]
        for roll in range(pieces):
            lower, higher = [p for p in there if p <= roll], [p for p in there if p >= roll]
            found[left, roll] = (lower or higher[:1])[-1], (higher or lower[-1:])[0]
    return found
