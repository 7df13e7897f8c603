"""Legal moves: who is in check, who is pinned, where each piece may go, and what a move does to the board.

Moves are found legal at once; none is made to see whether the king survives it. `s.checkers` are the pieces that give check: one must be
captured or blocked, from two only the king can flee. `s.pinned` are the mover's men that stand alone between their king and an attacker: they stay on
the line through both. Capturing en passant takes two men off a row at once, so it is looked at by itself; `s.passant` is set only where such
a capture is legal, and therefore two positions with the same moves are the same position.

A move is source + 64 * target + 4096 * promotion; a promotion is KNIGHT to QUEEN, 0 for none. Castling is the king's move.
"""

import numpy as np

from kibitz import bits, hashing
from kibitz.games.chess.attacks import (
    BETWEEN,
    BISHOP,
    BLACK,
    KING,
    KING_REACH,
    KNIGHT,
    KNIGHT_REACH,
    NO_SQUARE,
    NOT_COLUMN_A,
    NOT_COLUMN_H,
    NOTHING,
    ONE,
    PAWN,
    PAWN_REACH,
    QUEEN,
    ROOK,
    THROUGH,
    WHITE,
    ahead,
    attackers,
    bishop_reach,
    reach,
    rook_reach,
)

THIRD_ROWS = np.array([0x0000000000FF0000, 0x0000FF0000000000], np.uint64)  # where a single step leaves a pawn that may go on
LAST_ROWS = np.uint64(0xFF000000000000FF)
LIGHT = np.uint64(0x55AA55AA55AA55AA)  # squares
STEPS = np.array([[8, 16, 7, 9], [-8, -16, -9, -7]])  # of pawns: one, two, capture towards column a, towards column h

# Castling: `s.castling` has a bit for white's king's side, white's queen's side, black's king's side, black's queen's side.
MUST_BE_EMPTY = np.array([[0x60, 0x0E], [0x60 << 56, 0x0E << 56]], np.uint64)
MUST_BE_SAFE = np.array([[0x60, 0x0C], [0x60 << 56, 0x0C << 56]], np.uint64)  # besides the king's own square
RIGHTS_KEPT = np.full(64, 15)  # when something moves from or to a square
RIGHTS_KEPT[[0, 4, 7, 56, 60, 63]] = [15 - 2, 15 - 3, 15 - 1, 15 - 8, 15 - 12, 15 - 4]

# What the record of a position holds.
BITBOARDS = {
    "kinds": (np.uint64, 6),  # where the men of each kind stand, of both sides
    "sides": (np.uint64, 2),  # where the men of each side stand
    "checkers": np.uint64,  # the men that give check to the side to move
    "pinned": np.uint64,  # its men that shield its king
    "hash": np.uint64,
}
BOARD = {
    "board": (np.int8, 64),  # the kind of man on each square, or NOTHING
    "turn": np.int8,  # stays with the side that would be next when the game is over
    "castling": np.int8,  # a bit for each right, see above
    "passant": np.int8,  # the square where a pawn can be captured en passant, or NO_SQUARE
    "status": np.int8,  # PLAYING, or how the game ended
    "quiet": np.int16,  # moves of either side since a capture or a pawn's move
    "number": np.int16,  # of the move, as FEN counts
}
PLAYING, MATE, STALEMATE, FIFTY_MOVES, NO_MATERIAL = range(5)  # `s.status`
FIFTY = 100  # quiet moves of either side

# Random words that a key is the sum (XOR) of.
_WORDS = hashing.words(12 * 64 + 16 + 8 + 2)
MAN_WORDS = _WORDS[: 12 * 64].reshape(2, 6, 64).copy()
CASTLING_WORDS = _WORDS[768 : 768 + 16].copy()
PASSANT_WORDS = np.append(np.tile(_WORDS[784:792], 8), np.uint64(0))  # by square: its column counts; nothing for NO_SQUARE
TURN_WORD, DRAWN_BY_COUNT_WORD = _WORDS[792], _WORDS[793]

BACK_ROW = (ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK)

# --- where a piece may go ---


def list_moves(s, out):
    """Write the mover's legal moves to `out`; how many there are."""
    side = s.turn
    mine, theirs = s.sides[side], s.sides[1 - side]
    occupied, pinned = mine | theirs, s.pinned
    king = bits.lowest(s.kinds[KING] & mine)
    n = list_targets(out, 0, king, king_targets(s, king))
    allowed = answers(s, king) & ~mine
    if allowed == bits.NONE:
        return n
    n = list_pawn_moves(s, out, n, king, allowed)
    left = s.kinds[KNIGHT] & mine & ~pinned  # a pinned knight never stays on its line
    while left != bits.NONE:
        source = bits.lowest(left)
        left = bits.without_lowest(left)
        n = list_targets(out, n, source, KNIGHT_REACH[source] & allowed)
    for kind in (BISHOP, ROOK):  # and queens as both
        left = (s.kinds[kind] | s.kinds[QUEEN]) & mine
        while left != bits.NONE:
            source = bits.lowest(left)
            left = bits.without_lowest(left)
            targets = (bishop_reach(source, occupied) if kind == BISHOP else rook_reach(source, occupied)) & allowed
            n = list_targets(out, n, source, targets & THROUGH[king, source] if bits.has(pinned, source) else targets)
    return n


def list_targets(out, n, source, targets):
    while targets != bits.NONE:
        out[n] = source + (bits.lowest(targets) << 6)
        targets = bits.without_lowest(targets)
        n += 1
    return n


def list_pawn_moves(s, out, n, king, allowed):
    """All pawns at once, one way after the other: a step, two steps, a capture to either side; then en passant."""
    side = s.turn
    theirs = s.sides[1 - side]
    pawns, empty = s.kinds[PAWN] & s.sides[side], ~(s.sides[side] | theirs)
    steps = ahead(pawns, side) & empty
    for way in range(4):
        if way == 0:
            targets = steps & allowed
        elif way == 1:
            targets = ahead(steps & THIRD_ROWS[side], side) & empty & allowed
        elif way == 2:
            targets = (ahead(pawns & NOT_COLUMN_A, side) >> ONE) & theirs & allowed
        else:
            targets = (ahead(pawns & NOT_COLUMN_H, side) << ONE) & theirs & allowed
        step = STEPS[side, way]
        while targets != bits.NONE:
            target = bits.lowest(targets)
            targets = bits.without_lowest(targets)
            source = target - step
            if not bits.has(s.pinned, source) or bits.has(THROUGH[king, source], target):
                if bits.has(LAST_ROWS, target):
                    for kind in range(QUEEN, PAWN, -1):
                        out[n] = source + (target << 6) + (kind << 12)
                        n += 1
                else:
                    out[n] = source + (target << 6)
                    n += 1
    if s.passant != NO_SQUARE:
        left = passant_captors(s)
        while left != bits.NONE:
            out[n] = bits.lowest(left) + (s.passant << 6)
            left = bits.without_lowest(left)
            n += 1
    return n


def targets_of(s, source):
    """Where the mover's man on `source` may legally go."""
    side, kind = s.turn, s.board[source]
    mine, theirs = s.sides[side], s.sides[1 - side]
    king = bits.lowest(s.kinds[KING] & mine)
    if kind == KING:
        return king_targets(s, king)
    occupied = mine | theirs
    if kind == PAWN:
        step = ahead(bits.bit(source), side) & ~occupied
        targets = step | (ahead(step & THIRD_ROWS[side], side) & ~occupied) | (PAWN_REACH[side, source] & theirs)
    else:
        targets = reach(kind, source, occupied)
    targets &= answers(s, king) & ~mine
    if bits.has(s.pinned, source):
        targets &= THROUGH[king, source]
    if kind == PAWN and s.passant != NO_SQUARE and bits.has(passant_captors(s), source):
        targets |= bits.bit(s.passant)
    return targets


def answers(s, king):
    """The squares where a man other than the king may go as far as check is concerned."""
    if s.checkers == bits.NONE:
        return bits.ALL
    if bits.without_lowest(s.checkers) != bits.NONE:
        return bits.NONE
    return s.checkers | BETWEEN[king, bits.lowest(s.checkers)]


def king_targets(s, king):
    """Squares beside the king that are not attacked, and where castling takes it."""
    side = s.turn
    mine, occupied = s.sides[side], s.sides[WHITE] | s.sides[BLACK]
    found = safe(s, KING_REACH[king] & ~mine, occupied ^ bits.bit(king))
    if s.castling != 0 and s.checkers == bits.NONE:
        for wing in range(2):
            path = MUST_BE_SAFE[side, wing]
            if (
                s.castling >> (2 * side + wing) & 1
                and occupied & MUST_BE_EMPTY[side, wing] == bits.NONE
                and safe(s, path, occupied) == path
            ):
                found |= bits.bit(king + 2 - 4 * wing)
    return found


def safe(s, squares, occupied):
    """Those of the squares that the mover's opponent does not attack."""
    theirs, left, found = s.sides[1 - s.turn], squares, bits.NONE
    while left != bits.NONE:
        square = bits.lowest(left)
        left = bits.without_lowest(left)
        if attackers(s, square, occupied) & theirs == bits.NONE:
            found |= bits.bit(square)
    return found


def passant_captors(s):
    """The mover's pawns that may capture en passant without leaving their king in check."""
    side, target = s.turn, s.passant
    mine, theirs = s.sides[side], s.sides[1 - side]
    taken = bits.bit(target - STEPS[side, 0])
    king = bits.lowest(s.kinds[KING] & mine)
    left, found = PAWN_REACH[1 - side, target] & s.kinds[PAWN] & mine, bits.NONE
    while left != bits.NONE:
        source = bits.lowest(left)
        left = bits.without_lowest(left)
        occupied = ((mine | theirs) ^ taken ^ bits.bit(source)) | bits.bit(target)
        if attackers(s, king, occupied) & theirs & ~taken == bits.NONE:
            found |= bits.bit(source)
    return found


# --- what a move does ---


def set_out(s):
    """The men as a game begins."""
    for column in range(8):
        for square, kind in ((column, BACK_ROW[column]), (8 + column, PAWN), (48 + column, PAWN), (56 + column, BACK_ROW[column])):
            s.kinds[kind] |= bits.bit(square)
            s.board[square] = kind
    for square in range(16, 48):
        s.board[square] = NOTHING
    s.sides[0], s.sides[1] = np.uint64(0xFFFF), np.uint64(0xFFFF000000000000)
    s.passant, s.number = NO_SQUARE, 1


def make(s, move):
    """Move the men; the turn passes to the other side. `look_around` must follow."""
    source, target = move & 63, move >> 6 & 63
    side, kind = s.turn, s.board[source]
    key = s.hash ^ CASTLING_WORDS[s.castling] ^ displace(s, move)
    if kind == KING and abs(target - source) == 2:
        rook, beside = (target + 1, target - 1) if target > source else (target - 2, target + 1)
        key ^= relocated(s, side, ROOK, rook, beside)
    s.castling &= RIGHTS_KEPT[source] & RIGHTS_KEPT[target]
    if s.passant != NO_SQUARE and passant_captors(s) == bits.NONE:
        s.passant = NO_SQUARE
    s.hash = key ^ PASSANT_WORDS[s.passant] ^ CASTLING_WORDS[s.castling]


def displace(s, move):
    """Move one man, take one, promote a pawn; the turn passes. What that changes of the key, all but what `s.passant` adds to it.

    That is where a pawn has just passed a pawn of the other side, which might capture it there.
    """
    source, target, promotion = move & 63, move >> 6 & 63, move >> 12
    side, kind, victim = s.turn, s.board[source], s.board[target]
    key = TURN_WORD ^ PASSANT_WORDS[s.passant]
    quiet = s.quiet + 1
    passant, taken = s.passant, target
    s.passant = NO_SQUARE
    if kind == PAWN:
        quiet = 0
        if target == passant:
            taken, victim = target - STEPS[side, 0], PAWN
    if victim != NOTHING:
        quiet = 0
        s.kinds[victim] ^= bits.bit(taken)
        s.sides[1 - side] ^= bits.bit(taken)
        s.board[taken] = NOTHING
        key ^= MAN_WORDS[1 - side, victim, taken]
    key ^= relocated(s, side, kind, source, target)
    if promotion != 0:
        s.kinds[PAWN] ^= bits.bit(target)
        s.kinds[promotion] ^= bits.bit(target)
        s.board[target] = promotion
        key ^= MAN_WORDS[side, PAWN, target] ^ MAN_WORDS[side, promotion, target]
    s.quiet = quiet
    s.number += side
    s.turn = 1 - side
    if kind == PAWN and abs(target - source) == 16:
        middle = (source + target) >> 1
        if PAWN_REACH[side, middle] & s.kinds[PAWN] & s.sides[1 - side] != bits.NONE:
            s.passant = middle
    return key


def relocated(s, side, kind, source, target):
    """Move one man to an empty square; what that changes of the key."""
    both = bits.bit(source) | bits.bit(target)
    s.kinds[kind] ^= both
    s.sides[side] ^= both
    s.board[source] = NOTHING
    s.board[target] = kind
    return MAN_WORDS[side, kind, source] ^ MAN_WORDS[side, kind, target]


def look_around(s):
    """Find who gives check and who is pinned, for the side to move."""
    side = s.turn
    mine, theirs, kinds = s.sides[side], s.sides[1 - side], s.kinds
    king = bits.lowest(kinds[KING] & mine)
    checkers = ((PAWN_REACH[side, king] & kinds[PAWN]) | (KNIGHT_REACH[king] & kinds[KNIGHT])) & theirs
    pinned = bits.NONE
    left = bishop_reach(king, theirs) & (kinds[BISHOP] | kinds[QUEEN]) | rook_reach(king, theirs) & (kinds[ROOK] | kinds[QUEEN])
    left &= theirs
    while left != bits.NONE:
        between = BETWEEN[king, bits.lowest(left)] & mine
        if between == bits.NONE:
            checkers |= bits.bit(bits.lowest(left))
        elif bits.without_lowest(between) == bits.NONE:
            pinned |= between
        left = bits.without_lowest(left)
    s.checkers, s.pinned = checkers, pinned


def find_status(s, draws):
    """What follows from the board: check, pins, and whether the game is over. `draws`: do fifty moves and a lack of men end it?"""
    look_around(s)
    s.status = PLAYING
    if not can_move(s):
        s.status = STALEMATE if s.checkers == bits.NONE else MATE
    elif draws and s.quiet >= FIFTY:
        s.status = FIFTY_MOVES
    elif draws and cannot_mate(s):
        s.status = NO_MATERIAL


def can_move(s):
    """Has the mover a legal move? Mostly some pawn can step."""
    side = s.turn
    mine = s.sides[side]
    if s.checkers == bits.NONE and ahead(s.kinds[PAWN] & mine & ~s.pinned, side) & ~(mine | s.sides[1 - side]) != bits.NONE:
        return True
    left = mine
    while left != bits.NONE:
        if targets_of(s, bits.lowest(left)) != bits.NONE:
            return True
        left = bits.without_lowest(left)
    return False


def cannot_mate(s):
    """Can nobody ever be mated: bare kings, one knight or bishop more, or bishops on squares of one colour only?"""
    kinds = s.kinds
    if kinds[PAWN] | kinds[ROOK] | kinds[QUEEN] != bits.NONE:
        return False
    if bits.popcount(s.sides[WHITE] | s.sides[BLACK]) <= 3:
        return True
    return kinds[KNIGHT] == bits.NONE and (kinds[BISHOP] & LIGHT == bits.NONE or kinds[BISHOP] & ~LIGHT == bits.NONE)


def key_of(s):
    """The key of a board computed from nothing; moves keep `s.hash` equal to it."""
    key = PASSANT_WORDS[s.passant] ^ CASTLING_WORDS[s.castling]
    if s.turn == BLACK:
        key ^= TURN_WORD
    for side in range(2):
        left = s.sides[side]
        while left != bits.NONE:
            square = bits.lowest(left)
            left = bits.without_lowest(left)
            key ^= MAN_WORDS[side, s.board[square], square]
    return key
