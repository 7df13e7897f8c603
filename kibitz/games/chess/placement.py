"""Values of men and piece-square tables: a weight for every kind of man, and one for every square it can stand on, in the opening and in the ending.

Squares are white's: for black the board is turned over. Columns are mirrored, so that one weight serves for a and h, one for b and g, and so on.
"""

import numpy as np

from kibitz import bits
from kibitz.games.chess.attacks import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE

MEN = (("pawns", 0.85, 1.1), ("knights", 3.2, 3.0), ("bishops", 3.3, 3.2), ("rooks", 4.7, 5.2), ("queens", 9.5, 9.6))  # what they are worth
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
PLACES = tuple((kind, row, column) for kind in range(6) for row in (range(1, 7) if kind == PAWN else range(8)) for column in range(4))
NAMES = tuple(name for name, _, _ in MEN) + tuple(f"{KINDS[kind]} on {'abcd'[column]}{row + 1}" for kind, row, column in PLACES)


def _by_hand(kind, row, column):
    """The weights of a square in the opening and in the ending, before any were fitted."""
    centred = min(row, 7 - row, column)  # 0 at the rim to 3 on the four squares in the middle
    if kind == PAWN:
        return 0.02 * (row - 1) + (0.2 if centred == 3 else 0.0), 0.05 * (row - 1)
    if kind == KNIGHT:
        return 0.08 * centred, 0.06 * centred
    if kind == BISHOP:
        return 0.04 * centred, 0.03 * centred
    if kind == ROOK:
        return (0.1, 0.15) if row == 6 else (0.0, 0.0)
    if kind == QUEEN:
        return 0.0, 0.05 * centred
    return -0.15 * centred + ((0.3, 0.3, 0.15, 0.0)[column] if row < 2 else 0.0), 0.12 * centred


BY_HAND = tuple(
    tuple(man[1 + phase] for man in MEN) + tuple(round(_by_hand(*place)[phase], 3) for place in PLACES) for phase in range(2)
)  # a row for the opening, and one for the ending
_NUMBERS = {place: len(MEN) + i for i, place in enumerate(PLACES)}
NUMBER_OF = np.array(  # where the weight of a kind on a square stands among all; pawns are never on their first and last rows
    [[_NUMBERS.get((kind, square // 8, min(square % 8, 7 - square % 8)), 0) for square in range(64)] for kind in range(6)], np.int64
)


def tables(weights):
    """What each kind is worth on each of white's squares, man and square together, in the opening and in the ending."""
    worth = np.zeros((6, 64, 2))
    for phase in range(2):
        for kind in range(6):
            man = weights[phase][kind] if kind < KING else 0.0
            worth[kind, :, phase] = [man + weights[phase][number] for number in NUMBER_OF[kind]]
    return worth


def placed(s, worth, phase):
    """What all men are worth where they stand, white's less black's."""
    opening, ending = 0.0, 0.0
    for kind in range(6):
        left = s.kinds[kind] & s.sides[WHITE]
        while left != bits.NONE:
            square = bits.lowest(left)
            left = bits.without_lowest(left)
            opening += worth[kind, square, 0]
            ending += worth[kind, square, 1]
        left = s.kinds[kind] & s.sides[BLACK]
        while left != bits.NONE:
            square = bits.lowest(left) ^ 56
            left = bits.without_lowest(left)
            opening -= worth[kind, square, 0]
            ending -= worth[kind, square, 1]
    return opening + (ending - opening) * phase


def counted(s, out):
    """The same as counts, white's less black's, in the order of NAMES."""
    for i in range(len(NAMES)):
        out[i] = 0
    for kind in range(6):
        for side in range(2):
            left = s.kinds[kind] & s.sides[side]
            if kind < KING:
                out[kind] += (1 - 2 * side) * bits.popcount(left)
            while left != bits.NONE:
                square = bits.lowest(left) ^ 56 if side == BLACK else bits.lowest(left)
                left = bits.without_lowest(left)
                out[NUMBER_OF[kind, square]] += 1 - 2 * side
