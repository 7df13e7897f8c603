"""Othello's discs on a board of 64 bits, a1 the lowest: lines that are turned over, discs that stay, the quarters of the board, the last squares played out."""

import numpy as np

from kibitz import bits

EMPTY = np.uint64(0)
NOT_FIRST_COLUMN = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_LAST_COLUMN = np.uint64(0x7F7F7F7F7F7F7F7F)
EVERYWHERE = ~EMPTY
SIDES, ENDS = ~(NOT_FIRST_COLUMN & NOT_LAST_COLUMN), np.uint64(0xFF000000000000FF)  # the outer columns, the outer rows
INNER = NOT_FIRST_COLUMN & NOT_LAST_COLUMN  # discs in the outer columns cannot be turned over along a row or a diagonal
QUARTERS = tuple(np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36))
NO_VALUE = -100


# --- lines of discs, all at once ---


def placements(mine, theirs):
    """The empty squares where a disc of `mine` would turn over some of `theirs`."""
    inner = theirs & INNER
    ends = line_ends(mine, inner, 1) | line_ends(mine, theirs, 8) | line_ends(mine, inner, 7) | line_ends(mine, inner, 9)
    return ends & ~(mine | theirs)


def line_ends(origins, through, step):
    """The squares just beyond unbroken lines of `through` that begin beside `origins`, `step` bits apart, both ways."""
    one, two = np.uint64(step), np.uint64(2 * step)
    up, down = through & (origins << one), through & (origins >> one)
    up, down = up | (through & (up << one)), down | (through & (down >> one))
    pairs_up, pairs_down = through & (through << one), through & (through >> one)
    up, down = up | (pairs_up & (up << two)), down | (pairs_down & (down >> two))
    up, down = up | (pairs_up & (up << two)), down | (pairs_down & (down >> two))  # six discs, the longest line there can be
    return (up << one) | (down >> one)


def turned_by(mine, theirs, disc):
    """The discs of `theirs` that a new `disc` of `mine` turns over."""
    inner = theirs & INNER
    return (
        enclosed(mine, inner, disc, 1) | enclosed(mine, theirs, disc, 8) | enclosed(mine, inner, disc, 7) | enclosed(mine, inner, disc, 9)
    )


def enclosed(mine, through, disc, step):
    """The unbroken lines of `through` from `disc`, `step` bits apart and both ways, that end at one of `mine`."""
    one, two = np.uint64(step), np.uint64(2 * step)
    up, down = through & (disc << one), through & (disc >> one)
    up, down = up | (through & (up << one)), down | (through & (down >> one))
    pairs_up, pairs_down = through & (through << one), through & (through >> one)
    up, down = up | (pairs_up & (up << two)), down | (pairs_down & (down >> two))
    up, down = up | (pairs_up & (up << two)), down | (pairs_down & (down >> two))
    if (up << one) & mine == EMPTY:
        up = EMPTY
    if (down >> one) & mine == EMPTY:
        down = EMPTY
    return up | down


# --- discs that can never be turned over ---


def safe_discs(mine, filled):
    """Discs of `mine` that stay for good, whoever moves where; `filled` are all squares with discs.

    Of such a disc, in each of the four directions, the line through it is full, or it is the first of its line, or the next disc on one side is of the same kind.
    """
    rows = whole_lines(filled, 1, NOT_FIRST_COLUMN, NOT_LAST_COLUMN) | SIDES
    columns = whole_lines(filled, 8, EVERYWHERE, EVERYWHERE) | ENDS
    falling = whole_lines(filled, 9, NOT_FIRST_COLUMN, NOT_LAST_COLUMN) | SIDES | ENDS
    rising = whole_lines(filled, 7, NOT_LAST_COLUMN, NOT_FIRST_COLUMN) | SIDES | ENDS
    before, safe = EMPTY, mine & rows & columns & falling & rising
    while safe != before:
        before = safe
        left, right = safe & NOT_FIRST_COLUMN, safe & NOT_LAST_COLUMN
        one, seven, eight, nine = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)
        beside, above = (right << one) | (left >> one) | rows, (safe << eight) | (safe >> eight) | columns
        safe |= mine & beside & above & ((right << nine) | (left >> nine) | falling) & ((left << seven) | (right >> seven) | rising)
    return safe


def whole_lines(filled, step, up_into, down_into):
    """The squares through which the line in one direction, squares `step` bits apart, is full; it goes on `up_into` and `down_into` these squares."""
    one, two, four = np.uint64(step), np.uint64(2 * step), np.uint64(4 * step)
    up, down = ~filled, ~filled
    up, down = up | (up_into & (up << one)), down | (down_into & (down >> one))
    up_into, down_into = up_into & (up_into << one), down_into & (down_into >> one)
    up, down = up | (up_into & (up << two)), down | (down_into & (down >> two))
    up_into, down_into = up_into & (up_into << two), down_into & (down_into >> two)
    return ~(up | (up_into & (up << four)) | down | (down_into & (down >> four)))


# --- the end of the game ---


def difference(first, second, squares):
    """How many discs the first is ahead at the end on a board of `squares` squares, when empty squares go to the winner."""
    return squares - 2 * second if first > second else 2 * first - squares if second > first else 0


def odd_quarters(empty):
    """The quarters of the board with an odd number of empty squares."""
    odd = EMPTY
    for quarter in QUARTERS:
        if bits.popcount(empty & quarter) & 1:
            odd |= quarter
    return odd


def neighbours(square):
    """The set of squares beside one."""
    column, row = square % 8, square // 8
    near = [(column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i or j)]
    return sum(1 << 8 * r + c for c, r in near if 0 <= c < 8 and 0 <= r < 8)


BESIDE = np.array([neighbours(square) for square in range(64)], dtype=np.uint64)


def last_squares(mine, theirs, empty, asked, passed, squares):
    """The final difference on a board of `squares` squares for `mine`, who is to move, where it is less than `asked`, or one it surely reaches; `passed`: did the other just pass?"""
    if bits.without_lowest(empty) == EMPTY:
        return last_square(mine, theirs, empty, squares)
    best = np.int64(NO_VALUE)
    odd = odd_quarters(empty)
    for half in range(2):
        left = empty & odd if half == 0 else empty & ~odd
        while left != EMPTY:
            square = bits.lowest(left)
            left = bits.without_lowest(left)
            if BESIDE[square] & theirs != EMPTY:
                disc = bits.bit(square)
                turned = turned_by(mine, theirs, disc)
                if turned != EMPTY:
                    v = -last_squares(theirs ^ turned, mine | turned | disc, empty ^ disc, 1 - asked, np.int64(0), squares)
                    if v > best:
                        best = v
                        if v >= asked:
                            return v
    if best > NO_VALUE:
        return best
    if passed != 0:
        return difference(bits.popcount(mine), bits.popcount(theirs), squares)
    return -last_squares(theirs, mine, empty, 1 - asked, np.int64(1), squares)


def last_square(mine, theirs, disc, squares):
    """The final difference for `mine`, who is to move, with one empty square."""
    turned = turned_by(mine, theirs, disc)
    if turned != EMPTY:
        return 2 * (bits.popcount(mine | turned) + 1) - squares
    turned = turned_by(theirs, mine, disc)
    if turned != EMPTY:
        return squares - 2 * (bits.popcount(theirs | turned) + 1)
    return difference(bits.popcount(mine), bits.popcount(theirs), squares)
