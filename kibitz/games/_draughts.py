"""The dark squares of a board of checkers, and numbers for all positions with at most four men: for endgame tables.

A *section* is a set of men: KMvK is a king and a man against a king. The side with more men, or more kings among equally many, is black: positions with colours exchanged and the board
turned round have the number of their counterpart. A number is whose turn it is and then a square for each man: black's men, black's kings, white's men, white's kings, each group in the order
of its squares. Numbers with two men on one square, or a man on the far row, stand for nothing. The count of quiet moves is left out, and repetitions.
"""

from itertools import product

import numpy as np

from kibitz import bits

BLACK, WHITE = 0, 1
SQUARES = np.array([8 * (n // 4) + 2 * (n % 4) + (1 if n // 4 % 2 == 0 else 0) for n in range(32)])
NUMBERS = np.zeros(64, np.int64)
NUMBERS[SQUARES] = np.arange(32)
FAR_ROWS = np.array([0xFF00000000000000, 0x00000000000000FF], np.uint64)
MOST = 4  # men and kings of both sides

_SIDES = [side for side in product(range(MOST), repeat=2) if 0 < sum(side) < MOST]  # men and kings
_PAIRS = [
    black + white for black in _SIDES for white in _SIDES if sum(black + white) <= MOST and (sum(black), black[1]) >= (sum(white), white[1])
]
GROUPS = np.array(
    sorted(_PAIRS, key=lambda g: (sum(g), g[0] + g[2], -g[0] - g[1], g))
)  # men, kings, men, kings; crowning leads to fewer men
COUNTS = GROUPS.sum(axis=1)
BEGINS = np.concatenate([[0], np.cumsum(2 * 32**COUNTS)])
SECTION_OF = np.full((MOST,) * 4, -1)  # twice the section, and one more where colours are exchanged
for _section, (_men, _kings, _other_men, _other_kings) in enumerate(GROUPS.tolist()):
    SECTION_OF[_other_men, _other_kings, _men, _kings] = 2 * _section + 1
    SECTION_OF[_men, _kings, _other_men, _other_kings] = 2 * _section  # where both fit, as it stands


def _name(men, kings, other_men, other_kings):
    return f"{'K' * kings}{'M' * men}v{'K' * other_kings}{'M' * other_men}"


SIZE = int(BEGINS[-1])
SECTIONS = tuple((_name(*g), int(BEGINS[i]), int(BEGINS[i + 1]), int(COUNTS[i])) for i, g in enumerate(GROUPS.tolist()))


def rank(s):
    """The number of a position, -1 where there are more than four men, or a side has none."""
    counts = bits.popcount(s.men[BLACK]), bits.popcount(s.kings[BLACK]), bits.popcount(s.men[WHITE]), bits.popcount(s.kings[WHITE])
    if counts[0] + counts[1] + counts[2] + counts[3] > MOST or counts[0] + counts[1] >= MOST or counts[2] + counts[3] >= MOST:
        return -1
    found = SECTION_OF[counts[0], counts[1], counts[2], counts[3]]
    if found < 0:
        return -1
    exchanged = found & 1
    number = s.turn ^ exchanged
    for group in range(4):
        side = (group >> 1) ^ exchanged
        squares = s.men[side] if group & 1 == 0 else s.kings[side]
        if squares != bits.NONE:
            for n in range(32):
                if bits.has(squares, SQUARES[31 - n if exchanged == 1 else n]):
                    number = 32 * number + n
    return BEGINS[found >> 1] + number


def set_men(i, s):
    """Write the men of position number i and whose turn it is; False where the number stands for nothing. What follows is left to the rules."""
    section = np.searchsorted(BEGINS, i, "right") - 1
    left, place = i - BEGINS[section], COUNTS[section]
    s.turn, s.quiet = left >> (5 * place), 0
    taken = bits.NONE
    for group in range(4):
        side, squares, last = group >> 1, bits.NONE, -1
        for _ in range(GROUPS[section, group]):
            place -= 1
            n = left >> (5 * place) & 31
            if n <= last or bits.has(taken, SQUARES[n]):
                return False
            last = n
            squares |= bits.bit(SQUARES[n])
            taken |= bits.bit(SQUARES[n])
        if group & 1 == 0:
            if squares & FAR_ROWS[side] != bits.NONE:
                return False
            s.men[side] = squares
        else:
            s.kings[side] = squares
    return True


def rows_gone(s, side):
    """How many rows the men of a side have gone, all together."""
    total = 0
    for row in range(1, 7):
        line = np.uint64(0xFF) << np.uint64(8 * (row if side == BLACK else 7 - row))
        total += row * bits.popcount(s.men[side] & line)
    return total
