"""Othello: a disc must enclose opposing discs in straight lines between itself and its owner's others, and turns them over.

A player without such a move must pass; when neither has one the game is over. The utility is the difference in discs, and the squares
still empty go to the winner, as in the scores of the FFO endgame tests: a wipe-out is worth 64, a draw 0, whatever was left empty.

A board is two sets of squares in one word each, a1 the lowest bit, then b1, ..., h1, a2, ..., h8; a smaller one (`size`) is the middle of that. The state also holds where the player to
move may place a disc: it decides whether the game goes on, so every move computes it once, and nobody has to compute it again.

Notation: a move is its square or `pass`; `d3c5f6` is three moves. A board is its rows from the top, row 1, `X` for the first player
(black), then the side to move. The one-line form of the FFO tests is read too: the squares as X, O and -, and the side to move.
"""

import numpy as np

from kibitz import OVER, InputError, bits, evaluation, hashing, parameter, random, record, svg
from kibitz.games._discs import (
    EMPTY,
    NOT_FIRST_COLUMN,
    NOT_LAST_COLUMN,
    difference,
    last_squares,
    odd_quarters,
    placements,
    safe_discs,
    turned_by,
)

SIZE = parameter("size", 8, choices=(4, 6, 8), about="squares in a row and in a column")

# `mine`: the discs of the player to move, or of the first player once the game is over; `open`: where that player may place a disc
State = record(mine=np.uint64, theirs=np.uint64, open=np.uint64, turn=np.int8)
PLAYERS = 2
PLAYER_NAMES = ("Black (X)", "White (O)")
SQUARES = SIZE * SIZE
MAX_MOVES = SQUARES - 4  # the four centre squares are never empty
MAX_PLIES = 2 * MAX_MOVES  # a disc on each square, and at most one pass before each: two passes in a row end the game
VALUES = (-1.0 * SQUARES, 1.0 * SQUARES)
GRAIN = 2.0  # the winner has all but the loser's n discs, a difference of 64 - 2n; a draw is 0
COLOURS = {"X": "bold green", "O": "bold white"}

PASS = 64
CENTRE = np.uint64(0x0000001818000000)
OUTSIDE = (8 - SIZE) // 2  # rows and columns of the word that lie outside the board, on each side
LETTERS = "abcdefgh"[:SIZE]


def ring(inwards, corners):
    """The squares `inwards` rows and columns from the edge of the board: all round, or only the corners of that ring."""
    low, high = OUTSIDE + inwards, 7 - OUTSIDE - inwards
    inside = range(low, high + 1)
    outer = [(r, c) for r in inside for c in inside if (r in (low, high)) + (c in (low, high)) >= 1 + corners]
    return np.uint64(sum(1 << 8 * r + c for r, c in outer))


ROW = ((1 << SIZE) - 1) << OUTSIDE
BOARD = np.uint64(sum(ROW << 8 * row for row in range(OUTSIDE, 8 - OUTSIDE)))
EDGES, CORNERS = ring(0, False), ring(0, True)
ON_BOARD = tuple(i for i in range(64) if bits.has(BOARD, i))
X_SQUARES = ring(1, True)  # diagonally beside a corner: they mostly give it away

FEATURES = ("mobility", "liberties", "corners", "x squares", "c squares", "safe edge", "frontier", "discs", "last move")
START = (2.0, 0.0, 8.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0)
WEIGHTS = evaluation.fitted(__file__, FEATURES, (START, START))


def start(s):
    settle(s, bits.bit(28) | bits.bit(35), bits.bit(27) | bits.bit(36), 0)


def player(s):
    return s.turn


def moves(s, out):
    left, n = s.open, 0
    while left != EMPTY:
        out[n] = bits.lowest(left)
        left = bits.without_lowest(left)
        n += 1
    if n == 0:
        out[0] = PASS
        n = 1
    return n


def pick(s, out, rng):
    count = bits.popcount(s.open)
    number = random.below(rng, max(count, 1))
    return bits.nth(s.open, number) if count > 0 else PASS


def play(s, move):
    mine, theirs = s.mine, s.theirs
    if move != PASS:
        turned = turned_by(mine, theirs, bits.bit(move))
        mine |= turned | bits.bit(move)
        theirs ^= turned
    settle(s, theirs, mine, 1 - s.turn)


def utility(s, player):
    ahead = difference(bits.popcount(s.mine), bits.popcount(s.theirs), SQUARES)
    return float(ahead if player == 0 else -ahead)


def settle(s, mine, theirs, turn):
    """Write the position with `turn` to move. An ended game is always seen from the first player's side."""
    s.mine, s.theirs, s.turn = mine, theirs, turn
    s.open = placements(mine, theirs) & BOARD
    if s.open == EMPTY and placements(theirs, mine) & BOARD == EMPTY:
        if turn == 1:
            s.mine, s.theirs = theirs, mine
        s.turn = OVER


# --- knowledge for search ---


def order(s, move):
    """Corners, then the moves that leave the opponent the fewest replies, then X squares beside an empty corner."""
    if move == PASS:
        return 0.0
    disc = bits.bit(move)
    turned = turned_by(s.mine, s.theirs, disc)
    replies = bits.popcount(placements(s.theirs ^ turned, s.mine | turned | disc) & BOARD)
    if bits.has(CORNERS, move):
        return 64.0 - replies
    free = CORNERS & ~(s.mine | s.theirs)
    nine, seven = np.uint64(9), np.uint64(7)
    beside = X_SQUARES & ((free << nine) | (free >> nine) | (free << seven) | (free >> seven))
    return -64.0 - replies if bits.has(beside, move) else -float(replies)


def policy(s, moves, n, out):
    """Corners are likely, X squares beside an empty corner are not; of the others, those that leave few replies."""
    for i in range(n):
        promise = order(s, moves[i])
        out[i] = 2.0 if promise > 0.0 else 0.02 if promise <= -64.0 else 1.0 / (2.0 - promise)


def evaluate(s, player):
    """A guess at the final difference: what the features are worth by their weights, and a finished game's own difference."""
    if s.turn == OVER:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    return evaluation.squashed(evaluation.tapered(measured(s, player), WEIGHTS, phase(s)), VALUES[0], VALUES[1])


def features(s, player, out):
    evaluation.listed(measured(s, player), out)


def phase(s):
    """From 0 at the start to 1 when the board is full."""
    return (bits.popcount(s.mine | s.theirs) - 4) / MAX_MOVES


def measured(s, player):
    """How many more the player has of each:

    places to move to; empty squares beside the other's discs, which may become such places; corners; X and C squares (diagonally and straight beside
    a corner) while the corner is empty; discs on the edge that are safe for good; discs with an empty square beside them; discs; and, if an odd number
    of squares is empty, the last move for the one whose turn it is.
    """
    mine, theirs = s.mine, s.theirs
    empty = BOARD & ~(mine | theirs)
    free = CORNERS & empty
    near, beside = around(free) & X_SQUARES, around(free) & EDGES
    sign = 1 if player == s.turn else -1
    return (
        sign * (bits.popcount(s.open) - bits.popcount(placements(theirs, mine) & BOARD)),
        sign * (bits.popcount(around(theirs) & empty) - bits.popcount(around(mine) & empty)),
        sign * (bits.popcount(mine & CORNERS) - bits.popcount(theirs & CORNERS)),
        sign * (bits.popcount(mine & near) - bits.popcount(theirs & near)),
        sign * (bits.popcount(mine & beside) - bits.popcount(theirs & beside)),
        sign * (bits.popcount(anchored(mine)) - bits.popcount(anchored(theirs))),
        sign * (bits.popcount(mine & around(empty)) - bits.popcount(theirs & around(empty))),
        sign * (bits.popcount(mine) - bits.popcount(theirs)),
        sign * (bits.popcount(empty) & 1),
    )


def around(squares):
    """The squares themselves and the eight neighbours of each."""
    one, eight = np.uint64(1), np.uint64(8)
    rows = squares | ((squares << one) & NOT_FIRST_COLUMN) | ((squares >> one) & NOT_LAST_COLUMN)
    return rows | (rows << eight) | (rows >> eight)


def anchored(discs):
    """The discs in unbroken lines along the edge from a corner of the same colour: they can never be turned over."""
    held = discs & CORNERS
    if held == EMPTY:
        return held
    one, eight = np.uint64(1), np.uint64(8)
    for _ in range(6):
        sideways = ((held << one) & NOT_FIRST_COLUMN) | ((held >> one) & NOT_LAST_COLUMN)
        held |= discs & EDGES & (sideways | (held << eight) | (held >> eight))
    return held


def key(s):
    return hashing.combine(hashing.combine(np.uint64(s.turn + 1), s.mine), s.theirs)


def canonical(s):
    """Of the eight boards that turning and mirroring give, the one with the smallest pair of numbers.

    The rules treat all eight alike, but half of them can only come from a start with the colours of the centre exchanged.
    """
    mine, theirs = s.mine, s.theirs
    for i in range(8):  # the two mirrors in turn lead through all eight and back
        if i & 1 == 0:
            mine, theirs = mirrored_on_diagonal(mine), mirrored_on_diagonal(theirs)
        else:
            mine, theirs = upside_down(mine), upside_down(theirs)
        if mine < s.mine or (mine == s.mine and theirs < s.theirs):
            s.mine, s.theirs = mine, theirs
    s.open = placements(s.mine, s.theirs) & BOARD


def mirrored_on_diagonal(squares):
    """Column and row exchanged: in blocks of 1, then 2, then 4 squares."""
    for distance, block in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
        gap = np.uint64(distance)
        differing = (squares ^ (squares >> gap)) & np.uint64(block)
        squares ^= differing ^ (differing << gap)
    return squares


def upside_down(squares):
    """Row 1 exchanged with row 8, and so on: rows, then pairs of rows, then halves."""
    for distance, block in ((8, 0x00FF00FF00FF00FF), (16, 0x0000FFFF0000FFFF), (32, 0x00000000FFFFFFFF)):
        gap, kept = np.uint64(distance), np.uint64(block)
        squares = ((squares >> gap) & kept) | ((squares & kept) << gap)
    return squares


# --- knowledge for solving ---

SOLVING = {"stored": 16, "ordered": 12, "children": 20}  # passes counted in: twice the empty squares
LAST_SQUARES = 6  # the last empty squares are played out without lists of moves


def latest(s):
    """A pass before every disc, at most."""
    return 2 * bits.popcount(BOARD & ~(s.mine | s.theirs))


def solving_order(s, move):
    """The moves that leave the fewest replies, corners counted twice, and the fewest empty squares beside one's discs, where replies may come to be; then
    corners, and quarters with an odd number of empty squares: there the last move may be one's own.
    """
    if move == PASS:
        return 0.0
    disc = bits.bit(move)
    turned = turned_by(s.mine, s.theirs, disc)
    mine, theirs = s.mine | turned | disc, s.theirs ^ turned
    replies = placements(theirs, mine) & BOARD
    empty = BOARD & ~(s.mine | s.theirs)
    promise = -4.0 * (bits.popcount(replies) + bits.popcount(replies & CORNERS)) - 2.0 * bits.popcount(around(mine) & empty & ~disc)
    if bits.has(odd_quarters(empty), move):
        promise += 4.0
    return promise + 4.0 if bits.has(CORNERS, move) else promise


def finish(s, least):
    """The last squares played out, for the player to move; before that, what follows from the discs that stay for good."""
    filled = s.mine | s.theirs | ~BOARD
    empty = ~filled
    if bits.popcount(empty) > LAST_SQUARES:
        if s.theirs & CORNERS != EMPTY and SQUARES - 2 * bits.popcount(s.theirs) < least:
            most = SQUARES - 2 * bits.popcount(safe_discs(s.theirs | ~BOARD, filled) & BOARD)
            if most < least:
                return 1.0 * most
        if s.mine & CORNERS != EMPTY and 2 * bits.popcount(s.mine) - SQUARES >= least:
            sure = 2 * bits.popcount(safe_discs(s.mine | ~BOARD, filled) & BOARD) - SQUARES
            if sure >= least:
                return 1.0 * sure
        return np.nan
    return 1.0 * last_squares(s.mine, s.theirs, empty, np.int64(np.ceil(least)), np.int64(0), np.int64(SQUARES))


# --- for people ---


def show(s):
    marks = glyphs(s)
    rows = [f"{row + 1} {marks[SIZE * row : SIZE * row + SIZE]}" for row in range(SIZE)]
    return "\n".join([f"  {LETTERS}", *rows, status(s)])


def glyphs(s):
    """The squares from a1, X for the first player."""
    mine, theirs = "OX" if s.turn == 1 else "XO"
    return "".join(mine if bits.has(s.mine, i) else theirs if bits.has(s.theirs, i) else "." for i in ON_BOARD)


def status(s):
    """What happens next."""
    if s.turn == OVER:
        return f"game over: X {bits.popcount(s.mine)}, O {bits.popcount(s.theirs)}"
    return f"{'XO'[s.turn]} {'to move' if s.open != EMPTY else 'must pass'}"


def read(text, s):
    words = text.partition(";")[0].replace("/", " ").split()
    labels, marks = (LETTERS, *"12345678"), ""
    while words and len(marks) < SQUARES and (words[0] in labels or not set(words[0]) - set("XO.-")):
        word = words.pop(0)
        marks += "" if word in labels else word
    if len(marks) != SQUARES:
        raise InputError(
            f"a board is {SQUARES} squares, row by row from a1, each X, O, - or ., then the side to move, X or O; there are {len(marks)} squares"
        )
    said = " ".join(words)
    ended = said.startswith("game over")
    if not ended and said not in ("X", "O", "X to move", "O to move", "X must pass", "O must pass"):
        raise InputError(f"after the {SQUARES} squares comes the side to move, X or O, not {repr(said) if said else 'nothing'}")
    black, white = (sum((bits.bit(i) for i, found in zip(ON_BOARD, marks, strict=True) if found == mark), EMPTY) for mark in "XO")
    if (black | white) & CENTRE != CENTRE:
        names = [name(s, i) for i in ON_BOARD if bits.has(CENTRE, i)]
        raise InputError(
            f"{', '.join(names[:3])} and {names[3]} must hold discs: they do from the start, and a disc never leaves the board"
        )
    if said[0] == "O":
        settle(s, white, black, 1)
    else:
        settle(s, black, white, 0)
    if (ended or "pass" in said) and said != status(s):
        raise InputError(f"the board says '{said}', but by the rules it is '{status(s)}'")


def name(s, move):
    return "pass" if move == PASS else f"{LETTERS[move % 8 - OUTSIDE]}{move // 8 - OUTSIDE + 1}"


def draw(s):
    board = svg.Board(SIZE, SIZE, row_labels="12345678"[:SIZE], column_labels=LETTERS)
    fills = {"X": "#111", "O": "#f8f8f8"}
    for square, mark in zip(ON_BOARD, glyphs(s), strict=True):
        row, column = square // 8 - OUTSIDE, square % 8 - OUTSIDE
        board.square(row, column, "#2c7a4b", stroke="#1d5233")
        if mark != ".":
            board.disc(row, column, fills[mark])
        elif bits.has(s.open, square):
            board.disc(row, column, fills["XO"[s.turn]], size=0.08, stroke="none")
    return board.render()
