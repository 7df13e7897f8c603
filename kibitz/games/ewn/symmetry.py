"""The eight images of a position of EinStein würfelt nicht!: the board turned over its diagonal, and each side numbered from the other end.

A die shows every number equally often, and its neighbours above and below count alike: which end the numbers start from is of no account.
Compiled with the rules; `size` is the board's.
"""

REVERSE_X, REVERSE_O, TURN_OVER = 1, 2, 4  # add up to a symmetry
GONE = NONE = -1


def make_smallest(s, size, symmetries):
    """Turn `s` into the image, under one of the first `symmetries`, that has the smallest numbers."""
    best = 0
    for symmetry in range(1, symmetries):
        if precedes(s, size, symmetry, best):
            best = symmetry
    low, high = image_of_movable(s, best)
    s.low, s.high = low, high
    pieces = s.at.shape[1]
    for side in range(2):
        if best & TURN_OVER != 0:
            for piece in range(pieces):
                s.at[side, piece] = turned_over(s.at[side, piece], size)
        if best & (1 << side) != 0:
            for piece in range(pieces // 2):
                other = pieces - 1 - piece
                kept = s.at[side, piece]
                s.at[side, piece] = s.at[side, other]
                s.at[side, other] = kept


def precedes(s, size, one, other):
    """Is the image under the symmetry `one` before that under the `other`?"""
    for side in range(2):
        for piece in range(s.at.shape[1]):
            a, b = image_of_square(s, size, side, piece, one), image_of_square(s, size, side, piece, other)
            if a != b:
                return a < b
    return image_of_movable(s, one) < image_of_movable(s, other)


def image_of_square(s, size, side, piece, symmetry):
    """Where the piece with this number stands in the image."""
    square = s.at[side, s.at.shape[1] - 1 - piece if symmetry & (1 << side) != 0 else piece]
    return turned_over(square, size) if symmetry & TURN_OVER != 0 else square


def image_of_movable(s, symmetry):
    """The pieces that may move in the image, the lower first."""
    if s.low == NONE or symmetry & (1 << s.turn) == 0:
        return s.low, s.high
    last = s.at.shape[1] - 1
    return last - s.high, last - s.low


def turned_over(square, size):
    """Row and column exchanged."""
    return square if square == GONE else square % size * size + square // size
