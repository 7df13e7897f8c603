"""Retractions: the predecessors of a position by quiet moves, for tables of endings; see `unplay` in the protocol.

Captures and promotions change what men there are and are left out, and so are castling and the counts of moves. What follows from the board (check, pins, the key) is not worked out.
"""

import numpy as np

from kibitz import bits
from kibitz.games.chess.attacks import KING, NO_SQUARE, NOTHING, PAWN, attackers, reach
from kibitz.games.chess.endings import can_pass
from kibitz.games.chess.movement import STEPS, passant_captors, relocated

MAX_UNPLAYS = 64  # of a king and two men: 8 + 27 + 27 at most, or a pawn's moves, each with and without a capture en passant at hand
OUTER_ROWS = np.uint64(0xFF000000000000FF)  # where no pawn stands


def list_unplays(s, out):
    """The positions that a quiet move leads to `s` from."""
    side = 1 - s.turn
    if s.passant != NO_SQUARE:  # a pawn has just passed
        ahead = STEPS[s.turn, 0]
        return taken_back(s, out, 0, side, PAWN, s.passant + ahead, s.passant - ahead)
    occupied = s.sides[0] | s.sides[1]
    left, n = s.sides[side], 0
    while left != bits.NONE:
        target = bits.lowest(left)
        left = bits.without_lowest(left)
        kind = s.board[target]
        if kind == PAWN:
            n = pawn_taken_back(s, out, n, side, target)
            continue
        sources = reach(kind, target, occupied) & ~occupied
        while sources != bits.NONE:
            n = taken_back(s, out, n, side, kind, bits.lowest(sources), target)
            sources = bits.without_lowest(sources)
    return n


def pawn_taken_back(s, out, n, side, target):
    """One step, and two where nobody could have captured en passant after them."""
    source = target - STEPS[side, 0]
    if bits.has(OUTER_ROWS, source) or s.board[source] != NOTHING:
        return n
    middle, n = source, taken_back(s, out, n, side, PAWN, source, target)
    source = target - STEPS[side, 1]
    if target >> 3 != (3 if side == 0 else 4) or s.board[source] != NOTHING:
        return n
    out[n] = s
    out[n].passant = middle
    return n if passant_captors(out[n]) != bits.NONE else taken_back(s, out, n, side, PAWN, source, target)


def taken_back(s, out, n, side, kind, source, target):
    """Add the position before the move, if it can be; and again with each pawn that might have been captured en passant instead."""
    p = out[n]
    out[n] = s
    relocated(p, side, kind, target, source)
    p.turn, p.passant = side, NO_SQUARE
    king = bits.lowest(p.kinds[KING] & p.sides[1 - side])
    if attackers(p, king, p.sides[0] | p.sides[1]) & p.sides[side] != bits.NONE:
        return n
    n += 1
    left = p.kinds[PAWN] & p.sides[1 - side] if p.kinds[PAWN] & p.sides[side] != bits.NONE else bits.NONE
    while left != bits.NONE:
        pawn = bits.lowest(left)
        left = bits.without_lowest(left)
        if pawn >> 3 == (4 if side == 0 else 3):
            out[n] = p
            out[n].passant = pawn + STEPS[side, 0]
            if can_pass(out[n]):
                n += 1
    return n
