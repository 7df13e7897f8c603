"""Breakthrough: pawns step forward, straight or diagonally, and capture diagonally only; the first to reach the far row wins.

A player who loses every pawn has lost too. Rows and columns are parameters; each side starts with two rows of pawns, or with one where the
board has fewer than five rows. A board is two sets of squares in one word each, eight bits a row whatever the width: a1 is bit 0, b1 bit 1,
a2 bit 8. The first player is white and starts on row 1.

Notation: a move is the squares it joins, `a2a3`, with an x between them where it captures: `a2xb3`. A board is its rows from the top, `W`
and `B` for the pawns, then the side to move.
"""

import numpy as np

from kibitz import OVER, InputError, bits, evaluation, parameter, random, record, svg

ROWS = parameter("rows", 8, low=3, high=8, about="squares from one side's home to the other's")
COLUMNS = parameter("columns", 8, low=3, high=8, about="squares in a row")

PAWN_ROWS = 2 if ROWS >= 5 else 1
PAWNS = PAWN_ROWS * COLUMNS

State = record(pawns=(np.uint64, 2), turn=np.int8, winner=np.int8)  # `winner` is 0 until the turn is OVER
PLAYERS = 2
PLAYER_NAMES = ("White (W)", "Black (B)")
MAX_MOVES = 3 * PAWNS
MAX_PLIES = 2 * PAWNS * (ROWS - 2) + 1  # the steps all pawns can take short of the far row, and the one that reaches it
VALUES = (-1.0, 1.0)
POSITIONS = {"horizon": ".B.BB/BBB../.BB.B/.WWWB/WW.WW/.W..W W"} if (ROWS, COLUMNS) == (6, 5) else {}  # told in docs/horizon.md
COLOURS = {"W": "bold white", "B": "bold green"}

EMPTY = np.uint64(0)
FULL_ROW = (1 << COLUMNS) - 1
BOARD = np.uint64(sum(FULL_ROW << 8 * row for row in range(ROWS)))
HOMES = (
    np.uint64(sum(FULL_ROW << 8 * row for row in range(PAWN_ROWS))),
    np.uint64(sum(FULL_ROW << 8 * row for row in range(ROWS - PAWN_ROWS, ROWS))),
)
GOALS = (np.uint64(FULL_ROW << 8 * (ROWS - 1)), np.uint64(FULL_ROW))  # the row each side wants to reach
BEFORE_GOALS = (np.uint64(FULL_ROW << 8 * (ROWS - 2)), np.uint64(FULL_ROW << 8))  # one step from there
NOT_FIRST_COLUMN = np.uint64(0xFEFEFEFEFEFEFEFE)
LETTERS = "abcdefgh"[:COLUMNS]
NOT_LAST_COLUMN = np.uint64(0x7F7F7F7F7F7F7F7F)
FAR_HALF = np.uint64(sum(FULL_ROW << 8 * row for row in range((ROWS + 1) // 2, ROWS)))

FEATURES = (
    "pawns", "foremost", "turn", "rows", "far half", "home", "unstoppable", "wins next", "guarded", "hanging", "prey", "columns", "abreast",
)  # fmt: skip
START = (0.25, 0.125, 0.125, *(0.0,) * 10)
WEIGHTS = evaluation.fitted(__file__, FEATURES, START)


def start(s):
    s.pawns[0], s.pawns[1], s.turn, s.winner = HOMES[0], HOMES[1], 0, 0


def player(s):
    return s.turn


def moves(s, out):
    """Captures first. There is always a move: diagonally before the foremost pawn is an empty square or a pawn to capture."""
    mine, theirs = s.pawns[s.turn], s.pawns[1 - s.turn]
    ahead = 8 if s.turn == 0 else -8
    forward = advanced(mine, s.turn)
    left, right = (forward & NOT_FIRST_COLUMN) >> np.uint64(1), (forward << np.uint64(1)) & NOT_FIRST_COLUMN
    empty = BOARD & ~(mine | theirs)
    n = written(left & theirs, ahead - 1, out, 0)
    n = written(right & theirs, ahead + 1, out, n)
    n = written(left & empty, ahead - 1, out, n)
    n = written(right & empty, ahead + 1, out, n)
    return written(forward & empty, ahead, out, n)


def pick(s, out, rng):
    """The sets of `moves` again: counted, not written out. Choosing among them takes no jumps, which a processor could not foresee."""
    mine, theirs = s.pawns[s.turn], s.pawns[1 - s.turn]
    ahead = 8 if s.turn == 0 else -8
    forward = advanced(mine, s.turn)
    left, right = (forward & NOT_FIRST_COLUMN) >> np.uint64(1), (forward << np.uint64(1)) & NOT_FIRST_COLUMN
    empty = BOARD & ~(mine | theirs)
    end_1 = bits.popcount(left & theirs)
    end_2 = end_1 + bits.popcount(right & theirs)
    end_3 = end_2 + bits.popcount(left & empty)
    end_4 = end_3 + bits.popcount(right & empty)
    number = random.below(rng, end_4 + bits.popcount(forward & empty))
    targets, before, side = forward & empty, end_4, 0
    targets, before, side = (right & empty, end_3, 1) if number < end_4 else (targets, before, side)
    targets, before, side = (left & empty, end_2, -1) if number < end_3 else (targets, before, side)
    targets, before, side = (right & theirs, end_1, 1) if number < end_2 else (targets, before, side)
    targets, before, side = (left & theirs, 0, -1) if number < end_1 else (targets, before, side)
    target = bits.nth(targets, number - before)
    return (target - ahead - side) * 64 + target


def play(s, move):
    turn, origin, target = s.turn, move // 64, move % 64
    s.pawns[turn] ^= bits.bit(origin) | bits.bit(target)
    s.pawns[1 - turn] &= ~bits.bit(target)
    if s.pawns[1 - turn] == EMPTY or bits.has(GOALS[turn], target):
        s.turn, s.winner = OVER, turn
    else:
        s.turn = 1 - turn


def utility(s, player):
    return 1.0 if player == s.winner else -1.0


def advanced(pawns, turn):
    """The pawns one row further on; none stands on the last row while the game goes on."""
    return pawns << np.uint64(8) if turn == 0 else pawns >> np.uint64(8)


def written(targets, step, out, n):
    """Add the moves that reach `targets` by this step, a move being 64 times the square it leaves plus the one it reaches."""
    while targets != EMPTY:
        target = bits.lowest(targets)
        out[n] = (target - step) * 64 + target
        targets = bits.without_lowest(targets)
        n += 1
    return n


# --- knowledge for search ---


def order(s, move):
    """A winning step, then captures, then the pawns that are furthest on."""
    target = move % 64
    row = target // 8 if s.turn == 0 else ROWS - 1 - target // 8
    if row == ROWS - 1:
        return 100.0
    return 10.0 + row if bits.has(s.pawns[1 - s.turn], target) else float(row)


def noisy(s, move):
    """Captures."""
    return bits.has(s.pawns[1 - s.turn], move % 64)


def restless(s):
    """The other side wins with its next move unless something is done."""
    return s.pawns[1 - s.turn] & BEFORE_GOALS[1 - s.turn] != EMPTY


def policy(s, moves, n, out):
    """A step that wins is all but certain; captures are likely, the more the further on; of the others, those of pawns that are far."""
    for i in range(n):
        promise = order(s, moves[i])
        out[i] = 1000.0 if promise >= 100.0 else promise if promise >= 10.0 else 1.0 + 0.5 * promise


def skip(s):
    """To have the move is nearly always good here."""
    s.turn = 1 - s.turn
    return True


def evaluate(s, player):
    """What the features are worth by their weights; a finished game counts as what it is."""
    if s.turn == OVER:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    white, black = measured(s, 0), measured(s, 1)
    value = evaluation.squashed(evaluation.linear(white, WEIGHTS) - evaluation.linear(black, WEIGHTS), VALUES[0], VALUES[1])
    return value if player == 0 else -value


def features(s, player, out):
    evaluation.compared(measured(s, player), measured(s, 1 - player), out)


def measured(s, side):
    """What a side has: pawns; rows that its foremost pawn has come; the turn; rows that all its pawns have come; pawns in the other half; pawns at
    home, on the first row; rows that the foremost pawn has come which nothing can stop any more; 1 if it reaches the last row with the next move;
    pawns that another one guards; pawns attacked and not guarded; unguarded pawns of the other side to capture with the next move; columns
    with a pawn; pawns with another one to their right.
    """
    own, other, moves_next = s.pawns[side], s.pawns[1 - side], s.turn == side
    if side == 1:  # seen from black's side, so that everybody moves up
        own, other = upside_down(own), upside_down(other)
    free = own & ~swept(other)
    guards, attackers = diagonals(own << np.uint64(8)), diagonals(other >> np.uint64(8))
    rows, columns = 0, own
    for row in range(1, ROWS):
        rows += bits.popcount(own >> np.uint64(8 * row))
        columns |= own >> np.uint64(8 * row)
    return (
        bits.popcount(own),
        bits.highest(own) // 8,
        1 if moves_next else 0,
        rows,
        bits.popcount(own & FAR_HALF),
        bits.popcount(own & GOALS[1]),
        (bits.highest(free) + 8) // 8,
        1 if moves_next and own & BEFORE_GOALS[0] != EMPTY else 0,
        bits.popcount(own & guards),
        bits.popcount(own & attackers & ~guards),
        bits.popcount(other & guards & ~attackers) if moves_next else 0,
        bits.popcount(columns & GOALS[1]),
        bits.popcount(own & (own >> np.uint64(1)) & NOT_LAST_COLUMN),
    )


def diagonals(squares):
    """The squares to the left and to the right of these."""
    return ((squares >> np.uint64(1)) & NOT_LAST_COLUMN) | ((squares << np.uint64(1)) & NOT_FIRST_COLUMN)


def swept(pawns):
    """Where pawns that move down stand or might get to: a pawn in front of all this cannot be stopped."""
    for _ in range(ROWS - 1):
        step = pawns >> np.uint64(8)
        pawns |= step | diagonals(step)
    return pawns


def upside_down(squares):
    """The first row exchanged with the last, and so on: rows, pairs of rows and halves of eight rows, then pushed back to the first row."""
    for distance, block in ((8, 0x00FF00FF00FF00FF), (16, 0x0000FFFF0000FFFF), (32, 0x00000000FFFFFFFF)):
        gap, kept = np.uint64(distance), np.uint64(block)
        squares = ((squares >> gap) & kept) | ((squares & kept) << gap)
    return squares >> np.uint64(8 * (8 - ROWS))


def canonical(s):
    """Of the board and its mirror image, left and right exchanged, the one with the smaller pair of numbers."""
    white, black = mirrored(s.pawns[0]), mirrored(s.pawns[1])
    if white < s.pawns[0] or (white == s.pawns[0] and black < s.pawns[1]):
        s.pawns[0], s.pawns[1] = white, black


def mirrored(squares):
    """Every row reversed: single squares, pairs and fours exchanged, then pushed back to the first column."""
    for distance, block in ((1, 0x5555555555555555), (2, 0x3333333333333333), (4, 0x0F0F0F0F0F0F0F0F)):
        gap, kept = np.uint64(distance), np.uint64(block)
        squares = ((squares >> gap) & kept) | ((squares & kept) << gap)
    return squares >> np.uint64(8 - COLUMNS)


# --- for people ---


def show(s):
    rows = [f"{row + 1} {''.join(glyph(s, row, column) for column in range(COLUMNS))}" for row in reversed(range(ROWS))]
    return "\n".join([*rows, f"  {LETTERS}", status(s)])


def glyph(s, row, column):
    square = 8 * row + column
    return "W" if bits.has(s.pawns[0], square) else "B" if bits.has(s.pawns[1], square) else "."


def status(s):
    """What happens next."""
    return f"{'WB'[s.winner]} has won" if s.turn == OVER else f"{'WB'[s.turn]} to move"


def read(text, s):
    words = text.replace("/", " ").split()
    words = [word for word in words if word != LETTERS and word not in tuple("12345678")]
    rows, said = words[:ROWS], " ".join(words[ROWS:])
    if len(rows) != ROWS or any(len(row) != COLUMNS or set(row) - set("WB.") for row in rows):
        raise InputError(f"a board is {ROWS} rows of {COLUMNS} characters, each W, B or ., then the side to move, W or B")
    if said not in ("W", "B", "W to move", "B to move", "W has won", "B has won"):
        raise InputError(f"after the {ROWS} rows comes the side to move, W or B, not {repr(said) if said else 'nothing'}")
    start(s)
    s.pawns[0], s.pawns[1] = EMPTY, EMPTY
    for row, line in enumerate(reversed(rows)):
        for column, mark in enumerate(line):
            if mark != ".":
                s.pawns["WB".index(mark)] |= bits.bit(8 * row + column)
    counts = [bits.popcount(s.pawns[side]) for side in (0, 1)]
    if max(counts) > PAWNS or counts == [0, 0]:
        raise InputError(f"{counts[0]} W and {counts[1]} B: each side has at most {PAWNS} pawns, and one of them some")
    won = [counts[1 - side] == 0 or s.pawns[side] & GOALS[side] != EMPTY for side in (0, 1)]
    if won[0] and won[1]:
        raise InputError("both sides have won; the game ended before")
    named = "WB".index(said[0])
    if won[0] or won[1]:
        s.turn, s.winner = OVER, won.index(True)
        named_rightly = said == status(s) or ("won" not in said and named != s.winner)  # the loser would have been next
    else:
        s.turn = named
        named_rightly = "won" not in said
    if not named_rightly:
        raise InputError(f"the board says '{said}', but by the rules it is '{status(s)}'")


def name(s, move):
    origin, target = divmod(move, 64)
    return f"{square_name(origin)}{'x' if bits.has(s.pawns[1 - s.turn], target) else ''}{square_name(target)}"


def square_name(square):
    return f"{LETTERS[square % 8]}{square // 8 + 1}"


def draw(s):
    board = svg.Board(ROWS, COLUMNS, row_labels=[str(ROWS - row) for row in range(ROWS)], column_labels=LETTERS)
    fills = {"W": "#f8f8f8", "B": "#222"}
    for row in range(ROWS):
        for column in range(COLUMNS):
            board.square(ROWS - 1 - row, column, "#b58863" if (row + column) % 2 == 0 else "#f0d9b5")
            if (mark := glyph(s, row, column)) != ".":
                board.disc(ROWS - 1 - row, column, fills[mark], size=0.36)
    return board.render()
