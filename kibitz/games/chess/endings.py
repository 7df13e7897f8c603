"""Numbers for all positions with at most four men: for endgame tables.

A *section* is a set of men, with the stronger side white: KBNK is king, bishop and knight against king. Positions with colours exchanged have the number of their counterpart.
Within a section a number is made of who moves, where the kings stand, and where each other man stands, counted over squares that are still free (pawns over their 48 squares).

Without pawns the board can be turned and mirrored in eight ways. White's king is brought to the triangle a1-d1-d4, and if it is on the diagonal, black's king to the diagonal or below
it: 462 placements of both. Where both are on the diagonal a position and its mirror image have the smaller of two numbers. With pawns only left and right are exchanged: white's king is
brought to the columns a to d, 1806 placements. KBNK has 462 x 62 x 61 x 2 = 3,494,568 numbers. A number that is not the one its own position has, and one of a position that
cannot be (men on one square, or the side that has moved in check), stands for nothing.

Positions in which a pawn can be captured en passant have numbers of their own, behind the others of KPKP. Positions with castling rights have no number. The moves since a capture or a
pawn's move are left out, and the repetitions: see `valid_plies` in the protocol.
"""

from itertools import combinations_with_replacement

import numpy as np

from kibitz import bits
from kibitz.games.chess.attacks import BLACK, KING, KING_REACH, NO_SQUARE, NOTHING, PAWN, WHITE, attackers
from kibitz.games.chess.movement import STEPS, passant_captors

LETTERS = "PNBRQ"
NOBODY = 10  # in place of a man: his side times 5 plus his kind
PAWN_SQUARES = 48
NORMAL, SWAPPED, FLIPPED = 0, 1, 2  # how the men of a position, the lower square first, become those of a section


def _turned(square, way):
    """Where a square goes: columns mirrored, rows mirrored, then rows and columns exchanged, as the three bits of `way` say."""
    row, column = square // 8, square % 8
    column = 7 - column if way & 1 else column
    row = 7 - row if way & 2 else row
    return 8 * column + row if way & 4 else 8 * row + column


TURNED = np.array([[_turned(square, way) for square in range(64)] for way in range(8)], np.int64)
EXCHANGED = 4  # the bit of a way that exchanges rows and columns


def _stands(white, black, pawns):
    """Are kings here where symmetry brings them?"""
    row, column = white // 8, white % 8
    if pawns:
        return column < 4
    return row <= column < 4 and (row < column or black // 8 <= black % 8)


def _king_tables(pawns):
    """Placements of both kings in order, and for any two squares the way that leads to a placement and its number; -1 where kings cannot stand so."""
    apart = [(w, b) for w in range(64) for b in range(64) if w != b and not bits.has(KING_REACH[w], b)]
    placements = [pair for pair in apart if _stands(*pair, pawns)]
    numbers = {pair: i for i, pair in enumerate(placements)}
    ways, places = np.full((64, 64), -1, np.int64), np.full((64, 64), -1, np.int64)
    for white, black in apart:
        way = next(way for way in range(2 if pawns else 8) if (_turned(white, way), _turned(black, way)) in numbers)
        ways[white, black], places[white, black] = way, numbers[_turned(white, way), _turned(black, way)]
    return placements, ways, places


_TABLES = [_king_tables(pawns) for pawns in (False, True)]
KING_PAIRS = [len(table[0]) for table in _TABLES]  # 462 and 1806
PLACEMENTS = np.zeros((2, max(KING_PAIRS), 2), np.int64)
for _pawns in range(2):
    PLACEMENTS[_pawns, : KING_PAIRS[_pawns]] = _TABLES[_pawns][0]
WAYS, PLACES = (np.array([table[part] for table in _TABLES]) for part in (1, 2))


def _materials():
    """The men of each section but the kings: white's and black's kinds, in an order in which moves lead back: fewer men first, then fewer pawns."""
    sides = [men for count in range(3) for men in combinations_with_replacement(range(4, -1, -1), count)]
    pairs = [
        (white, black) for white in sides for black in sides if len(white) + len(black) <= 2 and (len(white), white) >= (len(black), black)
    ]
    return sorted(
        pairs,
        key=lambda pair: (len(pair[0] + pair[1]), (pair[0] + pair[1]).count(PAWN), len(pair[1]), [-kind for kind in pair[0] + pair[1]]),
    )


def _slots(white, black):
    """The men of a section as numbers, pawns first: they have squares of their own, others are counted over those that are free."""
    men = [*white, *(5 + kind for kind in black)]
    return sorted(men, key=lambda man: (man % 5 != PAWN, men.index(man)))


def _name(white, black):
    return "K" + "".join(LETTERS[kind] for kind in white) + "K" + "".join(LETTERS[kind] for kind in black)


MATERIALS = _materials()
MOST_PASSANT = 2 * 8 * 2 * 64 * 64  # who captures, the column, from which side, the kings

SLOTS = np.full((len(MATERIALS), 2), NOBODY)
WIDTHS = np.ones((len(MATERIALS), 2), np.int64)  # how many squares a slot counts
HAS_PAWNS = np.zeros(len(MATERIALS), np.int64)
HALVES = np.zeros(len(MATERIALS), np.int64)  # numbers with one side to move
BEGINS = np.zeros(len(MATERIALS) + 1, np.int64)
SECTION_OF = np.full(
    (NOBODY + 1, NOBODY + 1), -1
)  # by the men on the lower and the higher square: 4 times the section, plus FLIPPED, plus SWAPPED


def _fill():
    for section, (white, black) in enumerate(MATERIALS):
        slots = _slots(white, black)
        SLOTS[section, : len(slots)] = slots
        for place, man in enumerate(slots):
            WIDTHS[section, place] = PAWN_SQUARES if man % 5 == PAWN else 62 - place
        HAS_PAWNS[section] = int(PAWN in white + black)
        HALVES[section] = KING_PAIRS[HAS_PAWNS[section]] * WIDTHS[section, 0] * WIDTHS[section, 1]
        passant = MOST_PASSANT if PAWN in white and PAWN in black else 0
        BEGINS[section + 1] = BEGINS[section] + 2 * HALVES[section] + passant
        for flipped in (FLIPPED, NORMAL):  # where both fit, as it stands
            first, second = ((man + 5) % 10 if man != NOBODY and flipped else man for man in SLOTS[section].tolist())
            SECTION_OF[second, first] = 4 * section + flipped + SWAPPED
            SECTION_OF[first, second] = 4 * section + flipped


_fill()
SIZE = int(BEGINS[-1])
SECTIONS = tuple((_name(*men), int(BEGINS[i]), int(BEGINS[i + 1]), 2 + len(men[0] + men[1])) for i, men in enumerate(MATERIALS))


def number_of(s):
    """The number of a position, -1 where there are more than four men, or somebody may castle."""
    kings = s.kinds[KING]
    left = (s.sides[WHITE] | s.sides[BLACK]) & ~kings
    if bits.popcount(left) > 2 or s.castling != 0:
        return -1
    first, second = bits.lowest(left), bits.lowest(bits.without_lowest(left))
    found = SECTION_OF[man_on(s, first), man_on(s, second)]
    section, mirror = found >> 2, 56 if found & FLIPPED != 0 else 0
    if found & SWAPPED != 0:
        first, second = second, first
    white, black = bits.lowest(kings & s.sides[WHITE]) ^ mirror, bits.lowest(kings & s.sides[BLACK]) ^ mirror
    if mirror != 0:
        white, black = black, white
    turn = 1 - s.turn if mirror != 0 else s.turn
    first, second = first ^ mirror, second ^ mirror
    if s.passant != NO_SQUARE:
        return (
            BEGINS[section]
            + 2 * HALVES[section]
            + passant_number(turn, s.passant & 7, (first if turn == WHITE else second) & 7, white, black)
        )
    way = WAYS[HAS_PAWNS[section], white, black]
    number = number_turned(section, white, black, first, second, way)
    if HAS_PAWNS[section] == 0 and on_diagonal(TURNED[way, white]) and on_diagonal(TURNED[way, black]):
        number = min(number, number_turned(section, white, black, first, second, way ^ EXCHANGED))
    return BEGINS[section] + turn * HALVES[section] + number


def man_on(s, square):
    """The man on a square as a number; 64 is no square."""
    if square == NO_SQUARE:
        return NOBODY
    return s.board[square] + (5 if bits.has(s.sides[BLACK], square) else 0)


def on_diagonal(square):
    return square >> 3 == square & 7


def number_turned(section, white, black, first, second, way):
    """The number of kings and men when the board is turned this way."""
    number = PLACES[HAS_PAWNS[section], white, black]
    if SLOTS[section, 0] == NOBODY:
        return number
    white, black, first = TURNED[way, white], TURNED[way, black], TURNED[way, first]
    if SLOTS[section, 1] == NOBODY:
        return number * WIDTHS[section, 0] + counted(SLOTS[section, 0], first, white, black, NO_SQUARE)
    second = TURNED[way, second]
    if SLOTS[section, 0] == SLOTS[section, 1] and second < first:
        first, second = second, first
    number = number * WIDTHS[section, 0] + counted(SLOTS[section, 0], first, white, black, NO_SQUARE)
    return number * WIDTHS[section, 1] + counted(SLOTS[section, 1], second, white, black, first)


def counted(man, square, white, black, first):
    """Which of the squares that are free for a man this is."""
    if man % 5 == PAWN:
        return square - 8
    return square - (1 if white < square else 0) - (1 if black < square else 0) - (1 if first < square else 0)


def square_counted(man, number, white, black, first):
    """The other way round."""
    if man % 5 == PAWN:
        return number + 8
    for square in range(64):
        if square != white and square != black and square != first:
            if number == 0:
                return square
            number -= 1
    return NO_SQUARE


def passant_number(turn, column, captor, white, black):
    """Of a pawn in a column that one in the next column can capture en passant; white's king in the columns a to d."""
    if white & 7 > 3:
        column, captor, white, black = 7 - column, 7 - captor, white ^ 7, black ^ 7
    return (((turn * 8 + column) * 2 + (1 if captor > column else 0)) * 64 + white) * 64 + black


def set_men(i, s):
    """Write to `s` the men of position number i, whose turn it is and what may be captured en passant; False where the number stands for nothing. What follows
    from the board (check, pins, the end of the game) is left to the rules."""
    section = np.searchsorted(BEGINS, i, "right") - 1
    left, slots = i - BEGINS[section], SLOTS[section]
    first, second = NO_SQUARE, NO_SQUARE
    s.passant = NO_SQUARE
    if left < 2 * HALVES[section]:
        turn, left = left // HALVES[section], left % HALVES[section]
        number_2, left = left % WIDTHS[section, 1], left // WIDTHS[section, 1]
        number_1, left = left % WIDTHS[section, 0], left // WIDTHS[section, 0]
        white, black = PLACEMENTS[HAS_PAWNS[section], left, 0], PLACEMENTS[HAS_PAWNS[section], left, 1]
        if slots[0] != NOBODY:
            first = square_counted(slots[0], number_1, white, black, NO_SQUARE)
        if slots[1] != NOBODY:
            second = square_counted(slots[1], number_2, white, black, first)
    else:
        left -= 2 * HALVES[section]
        turn, column, side = left >> 16, left >> 13 & 7, left >> 12 & 1
        white, black = left >> 6 & 63, left & 63
        captor = column + 2 * side - 1
        if captor < 0 or captor > 7 or white & 7 > 3:
            return False
        row = 4 if turn == WHITE else 3
        own, other = 8 * row + captor, 8 * row + column
        first, second = (own, other) if turn == WHITE else (other, own)
        s.passant = other + STEPS[turn, 0]
    if not place(s, turn, white, black, slots, first, second):
        return False
    return s.passant == NO_SQUARE or can_pass(s)


def place(s, turn, white, black, slots, first, second):
    """Put the men on an empty board; False where two stand on one square, or the side that has just moved is in check."""
    for kind in range(6):
        s.kinds[kind] = bits.NONE
    for square in range(64):
        s.board[square] = NOTHING
    s.sides[WHITE], s.sides[BLACK] = bits.bit(white), bits.bit(black)
    s.kinds[KING] = bits.bit(white) | bits.bit(black)
    s.board[white], s.board[black] = KING, KING
    for k in range(2):
        square = first if k == 0 else second
        if slots[k] != NOBODY:
            if s.board[square] != NOTHING:
                return False
            kind, side = slots[k] % 5, slots[k] // 5
            s.kinds[kind] |= bits.bit(square)
            s.sides[side] |= bits.bit(square)
            s.board[square] = kind
    s.turn, s.castling, s.quiet, s.number = turn, 0, 0, 1
    king = black if turn == WHITE else white
    occupied = s.sides[WHITE] | s.sides[BLACK]
    return white != black and attackers(s, king, occupied) & s.sides[turn] == bits.NONE


def can_pass(s):
    """Can a pawn have come by two steps over `s.passant`, and be captured there?"""
    behind = s.passant + STEPS[s.turn, 0]
    return s.board[s.passant] == NOTHING and s.board[behind] == NOTHING and passant_captors(s) != bits.NONE
