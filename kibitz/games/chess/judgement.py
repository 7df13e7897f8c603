"""Terms of the evaluation besides men and their squares: pawns, kings, mobility.

Every feature is what white has less what black has. The two rows of weights, in pawns, are for a full board and for one with kings and pawns only.
"""

import numpy as np

from kibitz import bits
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
    ("bishop pair", 0.3, 0.5),
    ("doubled pawns", -0.1, -0.2),
    ("isolated pawns", -0.12, -0.15),
    ("supported pawns", 0.06, 0.06),
    ("passed pawns", 0.1, 0.2),
    ("passed pawns advanced", 0.02, 0.05),  # rows, squared
    ("passed pawns stopped", 0.0, -0.1),  # by a man of the other side before them
    ("kings near passed pawns", 0.0, 0.03),  # steps of the other king to the square before a pawn, less those of its own king
    ("pawns' threats", 0.2, 0.15),  # knights, bishops, rooks and queens that pawns attack
    ("king's pawns", 0.12, 0.0),  # beside and before it
    ("king attacked", 0.03, 0.01),  # squares around the other king, times the men that attack them
    ("king besieged", 0.02, 0.0),  # the weight of these men, squared
    ("king in the open", -0.1, 0.0),  # columns at and beside it without a pawn of its own
    ("checks", 0.1, 0.05),  # moves of knights, bishops, rooks and queens that would give check where no pawn captures them
    ("knights' reach", 0.04, 0.03),  # squares
    ("bishops' reach", 0.04, 0.05),
    ("rooks' reach", 0.02, 0.04),
    ("queens' reach", 0.01, 0.03),
    ("rooks on open columns", 0.25, 0.1),  # no pawns
    ("rooks on half-open columns", 0.12, 0.05),  # no pawns of their own
    ("turn to move", 0.1, 0.05),
)
NAMES = tuple(name for name, _, _ in TERMS)
BY_HAND = tuple(opening for _, opening, _ in TERMS), tuple(ending for _, _, ending in TERMS)

FIRST_ROW = np.uint64(0xFF)
COLUMNS_AT = np.array([0xFF & (7 << column >> 1) for column in range(8)], np.uint64)  # a king's and those beside it, on the first row
ATTACKERS = (0, 1, 1, 2, 3)  # how much a man's attack on a king weighs, by its kind
ALL_MEN = 24.0  # knights and bishops count 1, rooks 2, queens 4
SIXTEEN, THIRTY_TWO = np.uint64(16), np.uint64(32)


def phase_of(s):
    """From 0 with all the men to 1 with kings and pawns only."""
    kinds = s.kinds
    men = bits.popcount(kinds[KNIGHT] | kinds[BISHOP]) + 2 * bits.popcount(kinds[ROOK]) + 4 * bits.popcount(kinds[QUEEN])
    return 1.0 - min(men / ALL_MEN, 1.0)


def measured(s):
    """All features, white's less black's."""
    bishops, others = bits.popcount(s.kinds[BISHOP] & s.sides[WHITE]), bits.popcount(s.kinds[BISHOP] & s.sides[BLACK])
    pair = (1 if bishops > 1 else 0) - (1 if others > 1 else 0)
    return (pair,) + of_pawns(s) + of_kings_and_reach(s) + of_rooks(s) + (1 if s.turn == WHITE else -1,)  # noqa: RUF005


def of_pawns(s):
    """Doubled, isolated, supported by another; passed, their rows squared, stopped, nearer to their own king; what pawns threaten."""
    doubled = isolated = supported = passed = far = stopped = near = threats = 0
    for side in range(2):
        sign = 1 - 2 * side
        mine, theirs = s.kinds[PAWN] & s.sides[side], s.kinds[PAWN] & s.sides[1 - side]
        columns = mine | swept(mine, WHITE) | swept(mine, BLACK)
        beside = ((columns & NOT_COLUMN_A) >> ONE) | ((columns & NOT_COLUMN_H) << ONE)
        held = theirs | pawn_attacks(theirs, 1 - side)
        free = mine & ~(held | swept(held, 1 - side) | swept(mine, 1 - side))
        attacked = pawn_attacks(mine, side)
        doubled += sign * bits.popcount(mine & swept(mine, side))
        isolated += sign * bits.popcount(mine & ~beside)
        supported += sign * bits.popcount(mine & attacked)
        threats += sign * bits.popcount(attacked & s.sides[1 - side] & ~(theirs | s.kinds[KING]))
        passed += sign * bits.popcount(free)
        own, other = bits.lowest(s.kinds[KING] & s.sides[side]), bits.lowest(s.kinds[KING] & s.sides[1 - side])
        while free != bits.NONE:
            square = bits.lowest(free)
            free = bits.without_lowest(free)
            row = (square >> 3) - 1 if side == WHITE else 6 - (square >> 3)  # rows beyond the one where pawns begin
            ahead = square + 8 if side == WHITE else square - 8
            far += sign * row * row
            stopped += sign * (1 if s.sides[1 - side] >> np.uint64(ahead) & ONE != bits.NONE else 0)
            near += sign * (steps(other, ahead) - steps(own, ahead))
    return doubled, isolated, supported, passed, far, stopped, near, threats


def steps(one, other):
    """How many moves of a king from a square to another."""
    return max(abs((one >> 3) - (other >> 3)), abs((one & 7) - (other & 7)))


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
    """The king's pawns, the attack on the other king in three ways and its own want of cover; the reach of knights, bishops, rooks, queens.

    Reach: squares without a man of one's own that no pawn of the other side attacks.
    """
    pawns = attack = siege = bare = checks = knights = bishops = rooks = queens = 0
    occupied = s.sides[WHITE] | s.sides[BLACK]
    for side in range(2):
        sign = 1 - 2 * side
        mine, theirs = s.sides[side], s.sides[1 - side]
        own, other = bits.lowest(s.kinds[KING] & mine), bits.lowest(s.kinds[KING] & theirs)
        cover = s.kinds[PAWN] & mine
        pawns += sign * bits.popcount(KING_REACH[own] & cover)
        bare += sign * bits.popcount(COLUMNS_AT[own & 7] & FIRST_ROW & ~((cover | swept(cover, BLACK)) & FIRST_ROW))
        around = KING_REACH[other] | s.kinds[KING] & theirs
        room = ~(mine | pawn_attacks(s.kinds[PAWN] & theirs, 1 - side))
        hits, men, weight = 0, 0, 0
        for kind in range(KNIGHT, KING):
            left, squares = s.kinds[kind] & mine, 0
            checking = reach(kind, other, occupied) & room
            while left != bits.NONE:
                seen = reach(kind, bits.lowest(left), occupied)
                left = bits.without_lowest(left)
                squares += bits.popcount(seen & room)
                checks += sign * bits.popcount(seen & checking)
                if seen & around != bits.NONE:
                    hits += bits.popcount(seen & around)
                    men += 1
                    weight += ATTACKERS[kind]
            if kind == KNIGHT:
                knights += sign * squares
            elif kind == BISHOP:
                bishops += sign * squares
            elif kind == ROOK:
                rooks += sign * squares
            else:
                queens += sign * squares
        attack += sign * hits * men
        siege += sign * weight * weight
    return pawns, attack, siege, bare, checks, knights, bishops, rooks, queens


def of_rooks(s):
    """On columns without pawns, on columns without pawns of their own."""
    unblocked = half = 0
    for side in range(2):
        sign = 1 - 2 * side
        rooks, pawns = s.kinds[ROOK] & s.sides[side], s.kinds[PAWN] & s.sides[side]
        both = s.kinds[PAWN]
        free_of_own = rooks & ~(swept(pawns, WHITE) | swept(pawns, BLACK))
        free = rooks & ~(swept(both, WHITE) | swept(both, BLACK))
        unblocked += sign * bits.popcount(free)
        half += sign * bits.popcount(free_of_own & ~free)
    return unblocked, half
