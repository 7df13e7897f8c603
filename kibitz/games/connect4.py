"""Connect Four: stones fall to the bottom of a column; the first to get four in a row wins, a full board is a draw.

Rows, columns and the length of a line are parameters. A board is two sets of squares in one word each. A column takes one bit more than it
has rows, always empty, so that no line wraps into the next column; on the usual board:

     6 13 20 27 34 41 48   always empty
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42   columns 1 to 7

Notation: a move is the number of its column; `4453` is four moves. A board is its rows from the top, `X` for the first player.
"""

import numpy as np

from kibitz import OVER, InputError, bits, evaluation, parameter, record, svg

ROWS = parameter("rows", 6, low=1, high=15, about="squares in a column")
COLUMNS = parameter("columns", 7, low=1, high=32, about="columns of the board")
LINE = parameter("line", 4, low=2, high=15, about="stones in a row that win")
if COLUMNS * (ROWS + 1) > 64:
    raise InputError(f"connect4: columns times (rows + 1) is {COLUMNS * (ROWS + 1)}; it must be at most 64")

State = record(mine=np.uint64, stones=np.uint64, ply=np.int16, won=np.bool_)  # `mine`: the stones of the player to move
PLAYERS = 2
PLAYER_NAMES = ("Red (X)", "Yellow (O)")
MAX_MOVES = COLUMNS
MAX_PLIES = ROWS * COLUMNS
MAX_UNPLAYS = COLUMNS
VALUES = (-1.0, 1.0)
COLOURS = {"X": "bold red", "O": "bold yellow"}

HEIGHT = ROWS + 1
SLANTED = (HEIGHT - 1, HEIGHT + 1) if min(ROWS, COLUMNS) >= LINE else ()
# Up, sideways, and the diagonals, as far as a line fits the board: where it does not, shifts would be wider than a word.
DIRECTIONS = (1, *((HEIGHT,) if COLUMNS >= LINE else ()), *SLANTED)
CENTRE_FIRST = tuple(sorted(range(COLUMNS), key=lambda c: (abs(2 * c - COLUMNS + 1), c)))

EMPTY, ONE = np.uint64(0), np.uint64(1)
COLUMN = np.uint64((1 << ROWS) - 1)
FLOOR = np.uint64(sum(1 << column * HEIGHT for column in range(COLUMNS)))
BOARD = np.uint64(int(FLOOR) * ((1 << ROWS) - 1))
ODD_ROWS = np.uint64(int(FLOOR) * sum(1 << row for row in range(0, ROWS, 2)))  # the first, the third, ... from the bottom
MIDDLE = np.uint64(sum(((1 << ROWS) - 1) << column * HEIGHT for column in CENTRE_FIRST[: 2 - COLUMNS % 2]))
INSIDE = np.uint64(sum(((1 << ROWS) - 1) << column * HEIGHT for column in CENTRE_FIRST[: max(1, COLUMNS - 2)]))  # all but the outer columns

FEATURES = ("middle", "inside", "pairs", "own rows", "other rows", "stacked", "turn", "wins next", "two at once")
START = (0.03, 0.0, 0.02, 0.1, 0.1, 0.0, 0.0, 0.0, 0.0)
WEIGHTS = evaluation.fitted(__file__, FEATURES, (START, START))

SQUARES = ROWS * COLUMNS
SOLVING = {"mirrored": SQUARES // 2}
INPUTS = (2, ROWS, COLUMNS)
SLOTS = COLUMNS


def start(s):
    s.mine, s.stones, s.ply, s.won = np.uint64(0), np.uint64(0), 0, False


def player(s):
    return OVER if s.won or s.ply == MAX_PLIES else s.ply & 1


def moves(s, out):
    n = 0
    for column in CENTRE_FIRST:
        if not bits.has(s.stones, column * HEIGHT + ROWS - 1):
            out[n] = column
            n += 1
    return n


def play(s, move):
    theirs = s.mine ^ s.stones
    s.stones |= s.stones + bits.bit(move * HEIGHT)
    s.won = has_line(theirs ^ s.stones)  # the mover's stones, the new one among them
    s.mine = theirs
    s.ply += 1


def utility(s, player):
    if not s.won:
        return 0.0
    return -1.0 if player == s.ply & 1 else 1.0  # the player to move has just been beaten


def key(s):
    return s.mine + s.stones  # unique: the carry marks the top of each column


def canonical(s):
    """Of a board and its mirror image the one whose columns, read as a number, are the smaller."""
    mine, stones = mirrored(s.mine), mirrored(s.stones)
    if mine + stones < s.mine + s.stones:
        s.mine, s.stones = mine, stones


def unplay(s, out):
    """The stone on top of each column taken away, if it is the other's: he has moved last."""
    n, mine = 0, s.mine
    for column in range(COLUMNS):
        stones = (s.stones >> np.uint64(column * HEIGHT)) & COLUMN
        top = ((stones + ONE) >> ONE) << np.uint64(column * HEIGHT)
        if stones != EMPTY and mine & top == EMPTY:
            out[n] = s
            out[n].stones = s.stones ^ top
            out[n].mine = (s.stones ^ mine) ^ top
            out[n].ply = s.ply - 1
            n += 1
    return n


def mirrored(stones):
    """The first column exchanged with the last one, and so on."""
    image = EMPTY
    for column in range(COLUMNS):
        image |= ((stones >> np.uint64(column * HEIGHT)) & COLUMN) << np.uint64((COLUMNS - 1 - column) * HEIGHT)
    return image


def has_line(stones):
    for step in DIRECTIONS:
        run, length = stones, 1  # `run`: where a line of `length` stones starts
        while 2 * length <= LINE:
            run &= run >> np.uint64(length * step)
            length *= 2
        if run & (run >> np.uint64((LINE - length) * step)) != np.uint64(0):
            return True
    return False


# --- knowledge for search ---


def evaluate(s, player):
    """What the features are worth by their weights; a finished game counts as what it is."""
    if s.won or s.ply == MAX_PLIES:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    return evaluation.squashed(evaluation.tapered(measured(s, player), WEIGHTS, phase(s)), VALUES[0], VALUES[1])


def features(s, player, out):
    evaluation.listed(measured(s, player), out)


def inputs(s, out):
    """Two planes, rows from the bottom: the stones of the player to move, and the other's."""
    theirs = s.mine ^ s.stones
    for row in range(ROWS):
        for column in range(COLUMNS):
            square = column * HEIGHT + row
            out[row * COLUMNS + column] = 1.0 if bits.has(s.mine, square) else 0.0
            out[SQUARES + row * COLUMNS + column] = 1.0 if bits.has(theirs, square) else 0.0


def slot(s, move):
    return move


def phase(s):
    """From 0 on the empty board to 1 on the full one."""
    return s.ply / MAX_PLIES


def measured(s, player):
    """How many more the player has of each:

    stones in the middle; stones in any but the outer columns; lines with two squares to fill, none of them the other's; squares that complete a line
    (threats) in the rows that fall to him when all other squares are filled, odd ones to the first player and even ones to the second; threats in
    the other rows; threats one above the other; the turn; the turn and a line to complete with it; two lines to complete, and the other has the turn
    but none. Of the last two the first wins at once, and the second with the move after the next.
    """
    mine, theirs = s.mine, s.mine ^ s.stones
    sign = 1 if player == s.ply & 1 else -1
    ours, others = threats(mine, s.stones), threats(theirs, s.stones)
    rows = ODD_ROWS if s.ply & 1 == 0 else ~ODD_ROWS  # those of the player to move
    playable = (s.stones + FLOOR) & BOARD
    wins, facing = bits.popcount(ours & playable), bits.popcount(others & playable)
    return (
        sign * (bits.popcount(mine & MIDDLE) - bits.popcount(theirs & MIDDLE)),
        sign * (bits.popcount(mine & INSIDE) - bits.popcount(theirs & INSIDE)),
        sign * (open_pairs(mine, theirs) - open_pairs(theirs, mine)),
        sign * (bits.popcount(ours & rows) - bits.popcount(others & ~rows)),
        sign * (bits.popcount(ours & ~rows) - bits.popcount(others & rows)),
        sign * (bits.popcount(ours & (ours << ONE)) - bits.popcount(others & (others << ONE))),
        sign,
        sign * min(wins, 1),
        -sign * evaluation.both(1 - wins, facing - 1),
    )


def threats(side, stones):
    """The empty squares where one more stone of `side` makes a line."""
    found = EMPTY
    for step in DIRECTIONS:
        for place in range(LINE):  # of the missing stone in the line
            line = ~EMPTY
            for i in range(LINE):
                if i != place:
                    line &= side >> np.uint64(i * step)
            found |= line << np.uint64(place * step)
    return found & BOARD & ~stones


def open_pairs(side, other):
    """The lines in which `side` lacks two stones and `other` has none: all lines at once, their stones counted in binary."""
    count, free = 0, BOARD & ~other
    for step in DIRECTIONS:
        lines, ones, twos, fours, eights = ~EMPTY, EMPTY, EMPTY, EMPTY, EMPTY
        for i in range(LINE):
            lines &= free >> np.uint64(i * step)
            carry = side >> np.uint64(i * step)
            ones, carry = ones ^ carry, ones & carry
            twos, carry = twos ^ carry, twos & carry
            fours, carry = fours ^ carry, fours & carry
            eights |= carry
        for digit, plane in ((1, ones), (2, twos), (4, fours), (8, eights)):
            lines &= plane if (LINE - 2) & digit else ~plane
        count += bits.popcount(lines)
    return count


# --- knowledge for solving ---


def candidates(s, out):
    """A win alone; else what blocks one; else the moves that do not hand one over, from the centre outwards. Where all lose alike: one that loses last."""
    playable = (s.stones + FLOOR) & BOARD
    wins = threats(s.mine, s.stones) & playable
    if wins != EMPTY:
        out[0] = bits.lowest(wins) // HEIGHT
        return 1
    danger = threats(s.mine ^ s.stones, s.stones)
    forced = playable & danger
    if forced != EMPTY:
        out[0] = bits.lowest(forced) // HEIGHT  # if there are more, the other one wins on the next
        return 1
    safe = playable & ~(danger >> ONE)
    if safe == EMPTY:
        out[0] = bits.lowest(playable) // HEIGHT
        return 1
    n = 0
    for column in CENTRE_FIRST:
        if safe & (COLUMN << np.uint64(column * HEIGHT)) != EMPTY:
            out[n] = column
            n += 1
    return n


def solving_order(s, move):
    """How many squares then complete a line."""
    stones = s.stones | (s.stones + bits.bit(move * HEIGHT))
    return 1.0 * bits.popcount(threats(s.mine | (stones ^ s.stones), stones))


def latest(s):
    """Until the board is full."""
    return SQUARES - s.ply


# --- for people ---


def show(s):
    rows = ["".join(glyph(s, row, column) for column in range(COLUMNS)) for row in reversed(range(ROWS))]
    return "\n".join([*rows, "".join(str((c + 1) % 10) for c in range(COLUMNS))])


def glyph(s, row, column):
    square = column * HEIGHT + row
    if not bits.has(s.stones, square):
        return "."
    return "XO"[s.ply & 1] if bits.has(s.mine, square) else "OX"[s.ply & 1]


def read(text, s):
    rows = [line for line in text.replace("/", "\n").split() if not line.isdigit()]
    if len(rows) != ROWS or any(len(row) != COLUMNS or set(row) - set("XO.") for row in rows):
        raise InputError(f"a board is {ROWS} rows of {COLUMNS} characters, each X, O or . (rows may be separated by /)")
    start(s)
    sides = [np.uint64(0), np.uint64(0)]
    for row, line in enumerate(reversed(rows)):
        for column, mark in enumerate(line):
            if mark == "." and any(upper[column] != "." for upper in rows[: ROWS - row]):
                raise InputError(f"a stone hangs in the air above row {row + 1} of column {column + 1}")
            if mark != ".":
                sides["XO".index(mark)] |= bits.bit(column * HEIGHT + row)
    first, second = bits.popcount(sides[0]), bits.popcount(sides[1])
    if first - second not in (0, 1):
        raise InputError(f"{first} X and {second} O: X moves first, so X has as many stones as O or one more")
    won = [has_line(side) for side in sides]
    s.ply, s.stones, s.mine = first + second, sides[0] | sides[1], sides[(first + second) & 1]
    s.won = won[1 - (s.ply & 1)]
    if won[s.ply & 1]:
        raise InputError("the player to move already has a winning line; the game ended before")


def name(s, move):
    return str(move + 1)


def draw(s):
    board = svg.Board(ROWS, COLUMNS, column_labels=[str(c + 1) for c in range(COLUMNS)])
    fills = {".": "#f4f4f8", "X": "#d33", "O": "#ec3"}
    for row in range(ROWS):
        for column in range(COLUMNS):
            board.square(row, column, "#2a56b0", stroke="#2a56b0")
            board.disc(row, column, fills[glyph(s, ROWS - 1 - row, column)])
    return board.render()
