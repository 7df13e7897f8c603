"""What the evaluation counts: material, where men stand and how far they reach, pawns and kings.

Every feature is what white has less what black has. The two rows of weights, in pawns, are for a full board and for one with kings and pawns only.
"""

import numpy as np

from kibitz.core.bits import NONE, lowest, popcount, without_lowest
from kibitz.games.chess.attacks import (
    BISHOP,
    BLACK,
    EIGHT,
    KING,
    KING_REACH,
    KNIGHT,
    NOT_COLUMN_A,
    NOT_COLUMN_H,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    pawn_attacks,
    reach,
)

TERMS = (  # name, weight in the opening, weight in the ending
    ("pawns", 0.85, 1.1),
    ("knights", 3.2, 3.0),
    ("bishops", 3.3, 3.2),
    ("rooks", 4.7, 5.2),
    ("queens", 9.5, 9.6),
    ("bishop pair", 0.3, 0.5),
    ("pawns advanced", 0.02, 0.05),  # rows
    ("pawns in the centre", 0.2, 0.0),
    ("doubled pawns", -0.1, -0.2),
    ("isolated pawns", -0.12, -0.15),
    ("supported pawns", 0.06, 0.06),
    ("passed pawns", 0.1, 0.2),
    ("passed pawns advanced", 0.02, 0.05),  # rows, squared
    ("knights in the centre", 0.08, 0.06),  # 0 at the rim to 3 on the four squares in the middle, as all that follow
    ("bishops in the centre", 0.04, 0.03),
    ("queens in the centre", 0.0, 0.05),
    ("king in the centre", -0.15, 0.12),
    ("king tucked away", 0.3, 0.0),
    ("king's pawns", 0.12, 0.0),  # beside and before it
    ("king attacked", 0.03, 0.01),  # squares around the other king, times the men that attack them
    ("knights' reach", 0.04, 0.03),  # squares
    ("bishops' reach", 0.04, 0.05),
    ("rooks' reach", 0.02, 0.04),
    ("queens' reach", 0.01, 0.03),
    ("rooks on the seventh row", 0.1, 0.15),
    ("rooks on open columns", 0.25, 0.1),  # no pawns
    ("rooks on half-open columns", 0.12, 0.05),  # no pawns of their own
    ("turn to move", 0.1, 0.05),
)
NAMES = tuple(name for name, _, _ in TERMS)
BY_HAND = tuple(opening for _, opening, _ in TERMS), tuple(ending for _, _, ending in TERMS)

INNER = np.uint64(0x007E7E7E7E7E7E00)
MIDDLE = np.uint64(0x00003C3C3C3C0000)
CENTRE = np.uint64(0x0000001818000000)
FIRST_ROW = np.uint64(0xFF)
SEVENTH_ROWS = np.array([0x00FF000000000000, 0x000000000000FF00], np.uint64)
TUCKED_AWAY = np.array([0xC7C7, 0xC7C7 << 48], np.uint64)  # two rows, without the three columns where the fight is
ALL_MEN = 24.0  # knights and bishops count 1, rooks 2, queens 4
SIXTEEN, THIRTY_TWO = np.uint64(16), np.uint64(32)


def phase_of(s):
    """From 0 with all the men to 1 with kings and pawns only."""
    kinds = s.kinds
    men = popcount(kinds[KNIGHT] | kinds[BISHOP]) + 2 * popcount(kinds[ROOK]) + 4 * popcount(kinds[QUEEN])
    return 1.0 - min(men / ALL_MEN, 1.0)


def measured(s):
    """All features, white's less black's."""
    kinds, white, black = s.kinds, s.sides[WHITE], s.sides[BLACK]
    bishops, others = popcount(kinds[BISHOP] & white), popcount(kinds[BISHOP] & black)
    material = (
        more(kinds[PAWN], white, black),
        more(kinds[KNIGHT], white, black),
        bishops - others,
        more(kinds[ROOK], white, black),
        more(kinds[QUEEN], white, black),
        (1 if bishops > 1 else 0) - (1 if others > 1 else 0),
    )
    centred = (
        central(kinds[KNIGHT], white, black),
        central(kinds[BISHOP], white, black),
        central(kinds[QUEEN], white, black),
        central(kinds[KING], white, black),
    )
    return material + of_pawns(s) + centred + of_kings_and_reach(s) + of_rooks(s) + (1 if s.turn == WHITE else -1,)


def more(men, white, black):
    return popcount(men & white) - popcount(men & black)


def central(men, white, black):
    """0 to 3 for each, by how far from the rim."""
    return more(men & INNER, white, black) + more(men & MIDDLE, white, black) + more(men & CENTRE, white, black)


def of_pawns(s):
    """Rows advanced, in the centre, doubled, isolated, supported by another, passed, and their rows squared."""
    advanced = centre = doubled = isolated = supported = passed = far = 0
    for side in range(2):
        sign = 1 - 2 * side
        mine, theirs = s.kinds[PAWN] & s.sides[side], s.kinds[PAWN] & s.sides[1 - side]
        columns = mine | swept(mine, WHITE) | swept(mine, BLACK)
        beside = ((columns & NOT_COLUMN_A) >> ONE) | ((columns & NOT_COLUMN_H) << ONE)
        stopped = theirs | pawn_attacks(theirs, 1 - side)
        free = mine & ~(stopped | swept(stopped, 1 - side) | swept(mine, 1 - side))
        for row in range(1, 6):  # rows beyond the one where pawns begin
            line = FIRST_ROW << np.uint64(8 * (row + 1 if side == WHITE else 6 - row))
            advanced += sign * row * popcount(mine & line)
            far += sign * row * row * popcount(free & line)
        centre += sign * popcount(mine & CENTRE)
        doubled += sign * popcount(mine & swept(mine, side))
        isolated += sign * popcount(mine & ~beside)
        supported += sign * popcount(mine & pawn_attacks(mine, side))
        passed += sign * popcount(free)
    return advanced, centre, doubled, isolated, supported, passed, far


def swept(squares, side):
    """All squares ahead of these, as pawns of `side` go."""
    if side == WHITE:
        squares |= squares << EIGHT
        squares |= squares << SIXTEEN
        return (squares | squares << THIRTY_TWO) << EIGHT
    squares |= squares >> EIGHT
    squares |= squares >> SIXTEEN
    return (squares | squares >> THIRTY_TWO) >> EIGHT


def of_kings_and_reach(s):
    """The king tucked away, its pawns, the attack on the other king; the reach of knights, bishops, rooks, queens.

    Reach: squares without a man of one's own that no pawn of the other side attacks.
    """
    tucked = pawns = attack = knights = bishops = rooks = queens = 0
    occupied = s.sides[WHITE] | s.sides[BLACK]
    for side in range(2):
        sign = 1 - 2 * side
        mine, theirs = s.sides[side], s.sides[1 - side]
        own, target = s.kinds[KING] & mine, s.kinds[KING] & theirs
        shelter = KING_REACH[lowest(own)]
        tucked += sign * (1 if own & TUCKED_AWAY[side] != NONE else 0)
        pawns += sign * popcount(shelter & s.kinds[PAWN] & mine)
        around = KING_REACH[lowest(target)] | target
        room = ~(mine | pawn_attacks(s.kinds[PAWN] & theirs, 1 - side))
        hits, men = 0, 0
        for kind in range(KNIGHT, KING):
            left, squares = s.kinds[kind] & mine, 0
            while left != NONE:
                seen = reach(kind, lowest(left), occupied)
                left = without_lowest(left)
                squares += popcount(seen & room)
                if seen & around != NONE:
                    hits += popcount(seen & around)
                    men += 1
            if kind == KNIGHT:
                knights += sign * squares
            elif kind == BISHOP:
                bishops += sign * squares
            elif kind == ROOK:
                rooks += sign * squares
            else:
                queens += sign * squares
        attack += sign * hits * men
    return tucked, pawns, attack, knights, bishops, rooks, queens


def of_rooks(s):
    """On the seventh row, on columns without pawns, on columns without pawns of their own."""
    seventh = unblocked = half = 0
    for side in range(2):
        sign = 1 - 2 * side
        rooks, pawns = s.kinds[ROOK] & s.sides[side], s.kinds[PAWN] & s.sides[side]
        both = s.kinds[PAWN]
        free_of_own = rooks & ~(swept(pawns, WHITE) | swept(pawns, BLACK))
        free = rooks & ~(swept(both, WHITE) | swept(both, BLACK))
        seventh += sign * popcount(rooks & SEVENTH_ROWS[side])
        unblocked += sign * popcount(free)
        half += sign * popcount(free_of_own & ~free)
    return seventh, unblocked, half
