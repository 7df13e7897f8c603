"""Domineering: the first player lays dominoes upright, the second flat; a player without room for one more loses.

It does not matter who laid which domino, so a board is just the set of covered squares: a word of bits for each row.

Notation: a move is the upper or left square of the domino, a column and a row counted from the top left: `b1`. A board is its rows from the top,
`#` for covered squares; whose turn it is follows from their number.
"""

import re

import numpy as np

from kibitz import OVER, InputError, bits, evaluation, hashing, parameter, record, svg, text

ROWS = parameter("rows", 8, low=2, high=16, about="squares in a column")
COLUMNS = parameter("columns", 8, low=2, high=16, about="squares in a row")

CELLS = ROWS * COLUMNS
State = record(code=np.uint64, covered=(np.int32, ROWS), laid=np.int16, turn=np.int8, loser=np.int8)  # `loser`: once the turn is OVER
PLAYERS = 2
PLAYER_NAMES = ("upright", "flat")
MAX_MOVES = max((ROWS - 1) * COLUMNS, ROWS * (COLUMNS - 1))
MAX_PLIES = CELLS // 2
VALUES = (-1.0, 1.0)
COLOURS = {"#": "bold cyan"}

UPRIGHT, FLAT = 0, 1
FULL = (1 << COLUMNS) - 1
LETTERS = "abcdefghijklmnop"[:COLUMNS]
WORDS = hashing.words(CELLS)  # random words that a code is the sum (XOR) of


def start(s):
    s.turn = UPRIGHT


def player(s):
    return s.turn


def moves(s, out):
    n = 0
    for row in range(ROWS):
        n = bits.list_members(out, n, row * COLUMNS, np.uint64(room(s, s.turn, row)))
    return n


def play(s, move):
    other = move + COLUMNS if s.turn == UPRIGHT else move + 1
    s.covered[move // COLUMNS] |= 1 << (move % COLUMNS)
    s.covered[other // COLUMNS] |= 1 << (other % COLUMNS)
    s.code ^= WORDS[move] ^ WORDS[other]
    s.laid += 1
    s.turn = 1 - s.turn
    end_without_room(s)


def end_without_room(s):
    if not has_room(s, s.turn):
        s.loser, s.turn = s.turn, OVER


def room(s, side, row):
    """The squares of a row where a side can lay a domino that begins there."""
    if side == FLAT:
        empty = FULL & ~s.covered[row]
        return empty & (empty >> 1)
    if row == ROWS - 1:
        return 0
    return FULL & ~(s.covered[row] | s.covered[row + 1])


def has_room(s, side):
    for row in range(ROWS):
        if room(s, side, row) != 0:
            return True
    return False


def utility(s, player):
    return -1.0 if player == s.loser else 1.0


def key(s):
    return s.code


# --- knowledge for search ---


def places(s, side):
    """How many moves a side would have."""
    count = 0
    for row in range(ROWS):
        count += bits.popcount(np.uint64(room(s, side, row)))
    return count


def evaluate(s, player):
    """The difference in moves; being on move is one half."""
    if s.turn == OVER:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    ahead = places(s, s.turn) - places(s, 1 - s.turn) + 0.5
    value = evaluation.squashed(0.1 * ahead, VALUES[0], VALUES[1])
    return value if player == s.turn else -value


def order(s, move):
    """What takes most moves from the other side, and fewest from one's own."""
    row, column = move // COLUMNS, move % COLUMNS
    if s.turn == UPRIGHT:
        taken = around(s, FLAT, row, column - 1, 2, 2)
        lost = around(s, UPRIGHT, row - 1, column, 3, 1)
    else:
        taken = around(s, UPRIGHT, row - 1, column, 2, 2)
        lost = around(s, FLAT, row, column - 1, 1, 3)
    return taken - 0.5 * lost


def around(s, side, row, column, rows, columns):
    """How many moves of a side begin in a rectangle."""
    count = 0
    for i in range(max(row, 0), min(row + rows, ROWS)):
        open_here = room(s, side, i)
        for j in range(max(column, 0), min(column + columns, COLUMNS)):
            count += open_here >> j & 1
    return count


# --- for people ---


def show(s):
    rows = [[glyph(s, row, column) for column in range(COLUMNS)] for row in range(ROWS)]
    return "\n".join([*text.board(LETTERS, rows), status(s)])


def glyph(s, row, column):
    return "#" if s.covered[row] >> column & 1 else "."


def status(s):
    """What happens next."""
    return f"{PLAYER_NAMES[1 - s.loser]} has won" if s.turn == OVER else f"{PLAYER_NAMES[s.turn]} to move"


def read(text, s):
    said = re.search(r"(upright|flat) (to move|has won)\s*$", text)
    words = (text[: said.start()] if said else text).replace("/", " ").split()
    cells = "".join(word for word in words if not re.fullmatch(r"[a-p]|\d+", word))
    if len(cells) != CELLS or set(cells) - set("#."):
        raise InputError(f"a board is {ROWS} rows of {COLUMNS} squares, each # or .; there are {len(cells)} squares")
    if cells.count("#") % 2:
        raise InputError(f"{cells.count('#')} squares are covered; dominoes cover two each")
    for cell, mark in enumerate(cells):
        if mark == "#":
            s.covered[cell // COLUMNS] |= 1 << (cell % COLUMNS)
            s.code ^= WORDS[cell]
    s.laid = cells.count("#") // 2
    s.turn = s.laid % 2
    end_without_room(s)
    if said and said[0].strip() != status(s):
        raise InputError(f"the board says '{said[0].strip()}', but by the rules it is '{status(s)}'")


def name(s, move):
    return f"{LETTERS[move % COLUMNS]}{move // COLUMNS + 1}"


def draw(s):
    board = svg.Board(ROWS, COLUMNS, row_labels=[str(row + 1) for row in range(ROWS)], column_labels=LETTERS)
    for row in range(ROWS):
        for column in range(COLUMNS):
            board.square(row, column, "#4a6a8a" if glyph(s, row, column) == "#" else "#f4f0e4")
    return board.render()
