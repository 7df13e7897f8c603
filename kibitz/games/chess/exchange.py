"""The result of an exchange on one square, without making a move (static exchange evaluation).

Both sides capture on the square in turn, always with their least valuable man, and stop when going on would lose. Men that stand behind others join
in as these leave. Pins are ignored.
"""

import numpy as np

from kibitz import bits
from kibitz.games.chess.attacks import BISHOP, BLACK, KING, NOTHING, PAWN, QUEEN, ROOK, WHITE, attackers, bishop_reach, rook_reach

WORTH = np.array([1, 3, 3, 5, 9, 100, 0])  # of PAWN to KING, and of NOTHING


def victim_of(s, move):
    """The kind of man that a move captures, or NOTHING."""
    target = move >> 6 & 63
    if target == s.passant and s.board[move & 63] == PAWN:
        return PAWN
    return s.board[target]


def loses(s, move):
    """Does the side that captures (or moves there) come out of the exchange with less than it had?

    `owed` is what the side to capture next would be behind if the exchange stopped now: it goes on only while it can still come out even.
    """
    source, target = move & 63, move >> 6 & 63
    owed = WORTH[s.board[source]] - WORTH[victim_of(s, move)]  # if the man that moves is lost
    if owed <= 0:
        return False
    sliders = s.kinds[BISHOP] | s.kinds[QUEEN], s.kinds[ROOK] | s.kinds[QUEEN]
    occupied = (s.sides[WHITE] | s.sides[BLACK]) & ~bits.bit(source)
    around = attackers(s, target, occupied) & occupied
    side, losing = s.turn, False
    while True:
        side = 1 - side
        mine = around & s.sides[side]
        if mine == bits.NONE:
            return losing
        kind = PAWN
        while s.kinds[kind] & mine == bits.NONE:
            kind += 1
        if kind == KING and around & s.sides[1 - side] != bits.NONE:
            return losing  # the king may not go where it could be captured
        losing = not losing
        owed = WORTH[kind] - owed
        if (owed < 0) if losing else (owed <= 0):  # even if this man is lost too, its side has enough
            return losing
        occupied &= ~bits.bit(bits.lowest(s.kinds[kind] & mine))
        around |= (bishop_reach(target, occupied) & sliders[0]) | (rook_reach(target, occupied) & sliders[1])
        around &= occupied


def promise(s, move):
    """How early a search should try a move: good captures and new queens, quiet moves, captures that lose, other promotions."""
    victim, promotion = victim_of(s, move), move >> 12
    if promotion != 0 and promotion != QUEEN:
        return -200.0
    if victim == NOTHING and promotion == 0:
        return 0.0
    first = 16.0 * (WORTH[victim] + WORTH[QUEEN] * (promotion == QUEEN)) - WORTH[s.board[move & 63]]
    return first - 400.0 if promotion == 0 and loses(s, move) else first + 100.0
