"""The m,n,k-game: the first to get k stones in a row on a board of m columns and n rows wins; a full board is a draw.

Tic-tac-toe is (3,3,3), gomoku without further rules (15,15,5) or (19,19,5). With `overlines=false` a line must be exactly k long to win, as in
standard gomoku; a longer one then counts for nothing. Up to four may play (`players`): one wins what each of the others loses.

A board is a word of bits for each row and side. A move can only complete lines through its own square, so no others are looked at.

Notation: a move is a column and a row counted from the top left, `c2`. A board is its rows from the top, `X` for the first player, then `O`, `#` and `@`, with or without
letters, numbers and what happens next around them.
"""

import re

import numpy as np

from kibitz import OVER, InputError, bits, evaluation, hashing, parameter, record, svg, text

COLUMNS = parameter("m", 3, low=1, high=19, about="columns of the board")
ROWS = parameter("n", 3, low=1, high=19, about="rows of the board")
LINE = parameter("k", 3, low=2, high=19, about="stones in a row that win")
SIDES = parameter("players", 2, low=2, high=4, about="number of players")
OVERLINES = parameter("overlines", True, about="does a line longer than k win?")

CELLS = ROWS * COLUMNS
# `code`: a hash of the stones; `winner`: the player who has a line, or NOBODY
State = record(code=np.uint64, stones=(np.int32, (SIDES, ROWS)), placed=np.int16, turn=np.int8, winner=np.int8)
PLAYERS = SIDES
MAX_MOVES = CELLS
MAX_PLIES = CELLS
VALUES = (-1.0, PLAYERS - 1.0)
MARKS = "XO#@"[:PLAYERS]
PLAYER_NAMES = tuple(MARKS)
COLOURS = dict(zip(MARKS, ("bold red", "bold blue", "bold green", "bold magenta"), strict=False))
# X threatens to end a line on either side: O can close one, and # the other.
POSITIONS = {"alliance": "..../#X../..X./O... O to move"} if (COLUMNS, ROWS, LINE, SIDES) == (4, 4, 3, 3) else {}
INKS = ("#c22", "#22c", "#182", "#828")

NOBODY = -1
FULL = (1 << COLUMNS) - 1
LETTERS = "abcdefghijklmnopqrs"[:COLUMNS]
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows down and columns to the right
TURNS = hashing.words(PLAYERS + 1, hashing.SECOND)  # one too many, for nobody
WORDS = hashing.words(PLAYERS * CELLS).reshape(PLAYERS, CELLS)  # random words that a code is the sum (XOR) of

COMPLETES, PREVENTS, BRANCH = 1e6, 1e5, 8.0  # in `order`; one stone more in an open line is worth BRANCH times as much


def start(s):
    s.winner = NOBODY


def player(s):
    return s.turn


def moves(s, out):
    n = 0
    for row in range(ROWS):
        empty = FULL & ~filled(s, row)
        n = bits.list_members(out, n, row * COLUMNS, np.uint64(empty))
    return n


def filled(s, row):
    """The squares of a row that hold a stone."""
    word = s.stones[0, row]
    for side in range(1, PLAYERS):
        word |= s.stones[side, row]
    return word


def play(s, move):
    side = s.turn
    s.stones[side, move // COLUMNS] |= 1 << (move % COLUMNS)
    s.code ^= WORDS[side, move]
    s.placed += 1
    s.turn = (side + 1) % PLAYERS
    if completes(s, side, move):
        s.winner, s.turn = side, OVER
    elif s.placed == CELLS:
        s.turn = OVER


def utility(s, player):
    if s.winner == NOBODY:
        return 0.0
    return PLAYERS - 1.0 if player == s.winner else -1.0


def completes(s, side, cell):
    """Is a line through this cell, which is or would be the side's, long enough to win?"""
    row, column = cell // COLUMNS, cell % COLUMNS
    for down, right in WAYS:
        length = 1 + reach(s, side, row, column, down, right) + reach(s, side, row, column, -down, -right)
        if length == LINE or (OVERLINES and length > LINE):
            return True
    return False


def reach(s, side, row, column, down, right):
    """How many stones of a side follow each other from a cell in one direction."""
    count, row, column = 0, row + down, column + right
    while 0 <= row < ROWS and 0 <= column < COLUMNS and s.stones[side, row] >> column & 1 == 1:
        count, row, column = count + 1, row + down, column + right
    return count


def key(s):
    return s.code


if PLAYERS > 2:  # whose turn it is does not follow from the stones where a search lets players pass

    def key(s):
        return s.code ^ TURNS[s.turn]

    def skip(s):
        s.turn = (s.turn + 1) % PLAYERS
        return True


# --- knowledge for search ---


def order(s, move):
    """Wins, then what prevents the other's win at once, then by the lines through the square that are still open to either side."""
    side = s.turn
    if completes(s, side, move):
        return COMPLETES
    for other in range(PLAYERS):
        if other != side and completes(s, other, move):
            return PREVENTS
    total = 0.0
    for down, right in WAYS:
        for back in range(LINE):
            row, column = move // COLUMNS - back * down, move % COLUMNS - back * right
            mine, theirs = line_from(s, side, row, column, down, right)
            if theirs == 0:
                total += BRANCH**mine
            if mine == 0 and (PLAYERS == 2 or is_of_one(s, row, column, down, right)):
                total += BRANCH**theirs * 0.75
    return total


def line_from(s, side, row, column, down, right):
    """Stones of a side, and of all others, in the LINE squares from here on; of both some where these do not fit the board."""
    last_row, last_column = row + (LINE - 1) * down, column + (LINE - 1) * right
    if min(row, column, last_row, last_column) < 0 or max(row, last_row) >= ROWS or max(column, last_column) >= COLUMNS:
        return LINE, LINE
    mine, theirs = 0, 0
    for _ in range(LINE):
        mine += s.stones[side, row] >> column & 1
        for other in range(PLAYERS):
            if other != side:
                theirs += s.stones[other, row] >> column & 1
        row, column = row + down, column + right
    return mine, theirs


def is_of_one(s, row, column, down, right):
    """Can the line from here on, which fits the board, still be filled by somebody?"""
    for side in range(PLAYERS):
        if line_from(s, side, row, column, down, right)[1] == 0:
            return True
    return False


def evaluate(s, player):
    """Lines that only one side can still fill, each stone in them worth three times as much as the one before."""
    if s.turn == OVER:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    if PLAYERS > 2:
        return share(s, player)
    own, others = open_lines(s, player)
    return evaluation.squashed((own - others) * 3.0**-LINE, VALUES[0], VALUES[1])


def open_lines(s, side):
    """Worth of the lines that only `side` can still fill, and, of two sides, of those that only the other can."""
    own, others = 0.0, 0.0
    for row in range(ROWS):
        for column in range(COLUMNS):
            for down, right in WAYS:
                mine, theirs = line_from(s, side, row, column, down, right)
                if theirs == 0:
                    own += 3.0**mine
                if PLAYERS == 2 and mine == 0:
                    others += 3.0**theirs
    return own, others


def share(s, player):
    """A player's share of the lines that only one player can still fill, counted in the same way; evaluations of all add up to 0."""
    mine, everybody = 0.0, 0.0
    for side in range(PLAYERS):
        found = 1.0 + open_lines(s, side)[0]
        everybody += found
        if side == player:
            mine = found
    return PLAYERS * mine / everybody - 1.0


# --- for people ---


def show(s):
    rows = [[glyph(s, row, column) for column in range(COLUMNS)] for row in range(ROWS)]
    return "\n".join([*text.board(LETTERS, rows), status(s)])


def glyph(s, row, column):
    return next((MARKS[side] for side in range(PLAYERS) if s.stones[side, row] >> column & 1), ".")


def status(s):
    """What happens next."""
    if s.turn != OVER:
        return f"{MARKS[s.turn]} to move"
    return "a draw" if s.winner == NOBODY else f"{MARKS[s.winner]} has won"


def read(text, s):
    said = re.search(r"([XO#@] to move|[XO#@] has won|a draw)\s*$", text)
    words = (text[: said.start()] if said else text).replace("/", " ").split()
    cells = "".join(word for word in words if not re.fullmatch(r"[a-s]|\d+", word))
    if len(cells) != CELLS or set(cells) - set(MARKS + "."):
        raise InputError(f"a board is {ROWS} rows of {COLUMNS} squares, each {', '.join(MARKS)} or .; there are {len(cells)} squares")
    start(s)
    for cell, mark in enumerate(cells):
        if mark != ".":
            side = MARKS.index(mark)
            s.stones[side, cell // COLUMNS] |= 1 << (cell % COLUMNS)
            s.code ^= WORDS[side, cell]
    counts = [cells.count(mark) for mark in MARKS]
    s.placed, s.turn = sum(counts), sum(counts) % PLAYERS
    if counts != [(s.placed + PLAYERS - 1 - side) // PLAYERS for side in range(PLAYERS)]:
        have = " and ".join(f"{count} {mark}" for count, mark in zip(counts, MARKS, strict=True))
        if PLAYERS == 2:
            raise InputError(f"{have}: X moves first, so X has as many stones as O or one more")
        raise InputError(
            f"{have}: they move in this order, so each has as many stones as the next, or one more, and X no more than one more than {MARKS[-1]}"
        )
    last = (s.turn - 1) % PLAYERS
    if any(has_line(s, side) for side in range(PLAYERS) if side != last):
        whose = "the player to move" if PLAYERS == 2 else "a player who did not move last"
        raise InputError(f"{whose} has a winning line already; the game ended before")
    if has_line(s, last):
        s.winner, s.turn = last, OVER
    elif s.placed == CELLS:
        s.turn = OVER
    if said and said[1] != status(s):
        raise InputError(f"the board says '{said[1]}', but by the rules it is '{status(s)}'")


def has_line(s, side):
    return any(s.stones[side, cell // COLUMNS] >> (cell % COLUMNS) & 1 and completes(s, side, cell) for cell in range(CELLS))


def name(s, move):
    return f"{LETTERS[move % COLUMNS]}{move // COLUMNS + 1}"


def draw(s):
    board = svg.Board(ROWS, COLUMNS, row_labels=[str(row + 1) for row in range(ROWS)], column_labels=LETTERS)
    for row in range(ROWS):
        for column in range(COLUMNS):
            board.square(row, column, "#f3e3bf")
            if (mark := glyph(s, row, column)) != ".":
                board.text(row, column, mark, fill=INKS[MARKS.index(mark)], size=0.7)
    return board.render()
