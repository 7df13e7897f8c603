"""Where pieces reach: tables made once at import, and look-ups in them.

A set of squares is one word, a1 the lowest bit, then b1, ..., h1, a2, ..., h8. What a bishop or a rook sees depends on what stands in its way.
Each of its lines is looked up by the six squares of it that can matter: on a line that crosses every column at most once, a multiplication
gathers them in the top bits of the word, column by column (on a column another one does, row by row), and `SEEN` says what is seen of eight
squares in a row. The tables are so small (8 KB) that they stay in the processor's nearest cache, and no magic numbers have to be found.
"""

import numpy as np

from kibitz import bits

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
NOTHING = 6  # on a board's square
NO_SQUARE = 64
WHITE, BLACK = 0, 1

COLUMN_A = np.uint64(0x0101010101010101)
NOT_COLUMN_A = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_COLUMN_H = np.uint64(0x7F7F7F7F7F7F7F7F)
ONE, SEVEN, EIGHT, NINE = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)

GATHER_COLUMNS = np.uint64(0x0202020202020202)
GATHER_ROWS = np.uint64(0x0080402010080400)
TOP_SIX = np.uint64(58)  # the shift that leaves the six highest bits


def _steps(square, ways, most):
    """The squares reached from `square` in steps of `ways`, at most `most` times, as a plain number."""
    found = 0
    for up, right in ways:
        row, column = square // 8, square % 8
        for _ in range(most):
            row, column = row + up, column + right
            if not (0 <= row < 8 and 0 <= column < 8):
                break
            found |= 1 << (8 * row + column)
    return found


def _table(ways, most):
    return np.array([_steps(square, ways, most) for square in range(64)], np.uint64)


def _seen_of_eight(place, between):
    """The places seen from `place` in a row of eight; `between` tells which of the six inner ones are occupied."""
    occupied, seen = between << 1, 0
    for way in (1, -1):
        at = place + way
        while 0 <= at < 8:
            seen |= 1 << at
            if occupied >> at & 1:
                break
            at += way
    return seen


def _reversed(six):
    return int(f"{six:06b}"[::-1], 2)


def _upright(eight):
    """Places of a row as squares of column a."""
    return sum(1 << (8 * place) for place in range(8) if eight >> place & 1)


KNIGHT_REACH = _table([(u, r) for u in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(u) != abs(r)], 1)
KING_REACH = _table([(u, r) for u in (-1, 0, 1) for r in (-1, 0, 1) if u or r], 1)
PAWN_REACH = np.array([_table([(u, -1), (u, 1)], 1) for u in (1, -1)])  # captures of white and black
ROWS, COLUMNS = _table([(0, -1), (0, 1)], 7), _table([(1, 0), (-1, 0)], 7)
RISING, FALLING = _table([(1, 1), (-1, -1)], 7), _table([(1, -1), (-1, 1)], 7)

SEEN = np.array([[_seen_of_eight(p, b) * int(COLUMN_A) for b in range(64)] for p in range(8)], np.uint64)  # in every row of the board
SEEN_UPRIGHT = np.array([[_upright(_seen_of_eight(p, _reversed(b))) for b in range(64)] for p in range(8)], np.uint64)  # in column a


def _joined(a, b):
    """What lies between two squares, and the whole line through both; nothing where no line joins them."""
    for way in ((0, 1), (1, 0), (1, 1), (1, -1)):
        ahead, back = _steps(a, [way], 7), _steps(a, [(-way[0], -way[1])], 7)
        if (ahead | back) >> b & 1:
            side = ahead if ahead >> b & 1 else back
            low, high = min(a, b), max(a, b)
            return side & ((1 << high) - (2 << low)), ahead | back | 1 << a
    return 0, 0


_JOINED = np.array([[_joined(a, b) for b in range(64)] for a in range(64)], np.uint64)
BETWEEN = np.ascontiguousarray(_JOINED[:, :, 0])
THROUGH = np.ascontiguousarray(_JOINED[:, :, 1])


def seen_along(line, square, occupied):
    """What is seen of a row or a diagonal; `line` is all of it but the square itself."""
    return line & SEEN[square & 7, ((line & occupied) * GATHER_COLUMNS) >> TOP_SIX]


def bishop_reach(square, occupied):
    return seen_along(RISING[square], square, occupied) | seen_along(FALLING[square], square, occupied)


def rook_reach(square, occupied):
    column = np.uint64(square & 7)
    upright = SEEN_UPRIGHT[square >> 3, (((occupied >> column) & COLUMN_A) * GATHER_ROWS) >> TOP_SIX]
    return seen_along(ROWS[square], square, occupied) | (upright << column)


def reach(kind, square, occupied):
    """What a piece that is no pawn attacks."""
    if kind == KNIGHT:
        return KNIGHT_REACH[square]
    if kind == KING:
        return KING_REACH[square]
    found = bits.NONE
    if kind != ROOK:
        found |= bishop_reach(square, occupied)
    if kind != BISHOP:
        found |= rook_reach(square, occupied)
    return found


def attackers(s, square, occupied):
    """The pieces of both sides that attack a square, were `occupied` what stands on the board."""
    kinds = s.kinds
    return (
        (PAWN_REACH[WHITE, square] & kinds[PAWN] & s.sides[BLACK])
        | (PAWN_REACH[BLACK, square] & kinds[PAWN] & s.sides[WHITE])
        | (KNIGHT_REACH[square] & kinds[KNIGHT])
        | (KING_REACH[square] & kinds[KING])
        | (bishop_reach(square, occupied) & (kinds[BISHOP] | kinds[QUEEN]))
        | (rook_reach(square, occupied) & (kinds[ROOK] | kinds[QUEEN]))
    )


def ahead(squares, side):
    """Every square one row on, as pawns of `side` go."""
    return squares << EIGHT if side == WHITE else squares >> EIGHT


def pawn_attacks(pawns, side):
    """All that these pawns attack."""
    rows = ahead(pawns, side)
    return ((rows & NOT_COLUMN_A) >> ONE) | ((rows & NOT_COLUMN_H) << ONE)
