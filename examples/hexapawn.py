"""Hexapawn: pawns of chess, three against three, on a board of three by three. A pawn steps straight ahead onto an empty square, or takes one step
diagonally. Whoever brings a pawn to the far side wins, and so does whoever leaves the other without a move.

A board game: a board that is printed, read and drawn, moves that are named as in chess, and mirror images that are one position. Martin Gardner showed
in 1962 how a heap of matchboxes learns it; whoever moves second wins.

    kibitz solve examples/hexapawn.py
    kibitz play examples/hexapawn.py
"""

import re

import numpy as np

from kibitz import OVER, InputError, parameter, record, svg

ROWS = parameter("rows", 3, low=3, high=8)
COLUMNS = parameter("columns", 3, low=2, high=8)

SQUARES = ROWS * COLUMNS  # numbered from a1 to the right, then upwards
PAWNS = (1, -1)  # of the players; 0 is an empty square
FILES = "abcdefgh"[:COLUMNS]
GLYPHS = ".WB"  # of 0, 1 and -1: indices from either end

State = record(board=(np.int8, SQUARES), turn=np.int8)
PLAYERS = 2
PLAYER_NAMES = ("White", "Black")  # what people call the players
MAX_MOVES = 3 * COLUMNS
MAX_PLIES = 2 * COLUMNS * (ROWS - 1)  # every step brings a pawn closer
VALUES = (-1.0, 1.0)
GRAIN = 2.0
COLOURS = {"W": "bold yellow", "B": "bold blue"}


def start(s):
    for column in range(COLUMNS):
        s.board[column] = PAWNS[0]
        s.board[SQUARES - COLUMNS + column] = PAWNS[1]


def player(s):
    return OVER if has_arrived(s) or not can_move(s) else s.turn


def has_arrived(s):
    """Is a pawn of the player who has just moved on the far side?"""
    last = 1 - s.turn
    home = SQUARES - COLUMNS if last == 0 else 0
    for column in range(COLUMNS):
        if s.board[home + column] == PAWNS[last]:
            return True
    return False


def can_move(s):
    for square in range(SQUARES):
        if s.board[square] == PAWNS[s.turn]:
            for side in range(-1, 2):
                if is_legal(s, square, side):
                    return True
    return False


def is_legal(s, square, side):
    """May the pawn go ahead to this side: -1, 0 or 1 columns to the right?"""
    column = square % COLUMNS + side
    ahead = square + COLUMNS * PAWNS[s.turn] + side
    if column < 0 or column >= COLUMNS or ahead < 0 or ahead >= SQUARES:
        return False
    return s.board[ahead] == (0 if side == 0 else -PAWNS[s.turn])


def moves(s, out):
    """A move is where it begins, times 3, and its side: 0, 1 or 2."""
    n = 0
    for square in range(SQUARES):
        if s.board[square] == PAWNS[s.turn]:
            for side in range(-1, 2):
                if is_legal(s, square, side):
                    out[n] = 3 * square + side + 1
                    n += 1
    return n


def play(s, move):
    square = move // 3
    s.board[target(s, move)] = s.board[square]
    s.board[square] = 0
    s.turn = 1 - s.turn


def target(s, move):
    return move // 3 + COLUMNS * PAWNS[s.turn] + move % 3 - 1


def utility(s, player):
    return -1.0 if player == s.turn else 1.0  # whoever moved last has arrived, or left no move


# --- knowledge for search: all of it may be left out ---


def canonical(s):
    """Of a board and its mirror image, the one that is less: searches then take both for one position."""
    for square in range(SQUARES):
        image = square - 2 * (square % COLUMNS) + COLUMNS - 1
        if s.board[square] != s.board[image]:
            if s.board[square] > s.board[image]:
                reflect(s)
            return


def reflect(s):
    for square in range(SQUARES):
        image = square - 2 * (square % COLUMNS) + COLUMNS - 1
        if square < image:
            s.board[square], s.board[image] = s.board[image], s.board[square]


def order(s, move):
    """Captures first."""
    return 0.0 if move % 3 == 1 else 1.0


# --- for people ---


def square_name(square):
    return f"{FILES[square % COLUMNS]}{square // COLUMNS + 1}"


def name(s, move):
    """`a2`, or `axb2` where it captures; the pawn that steps straight ahead is known by where it goes."""
    to = square_name(target(s, move))
    return to if move % 3 == 1 else f"{FILES[move // 3 % COLUMNS]}x{to}"


def cells(s, move):
    """Where a page shows the move: these are two squares of the picture."""
    return square_name(move // 3), square_name(target(s, move))


def show(s):
    rows = [" ".join(GLYPHS[int(n)] for n in s.board[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS)]
    numbered = [f"{row + 1} {rows[row]}" for row in reversed(range(ROWS))]
    return "\n".join([*numbered, f"  {' '.join(FILES)}", f"{'WB'[s.turn]} to move"])


def read(text, s):
    """What `show` prints; lines may be separated by `/`."""
    found = re.findall(r"(?:^|[\n/])\s*(\d) ([.WB](?: [.WB])*)", text)
    turn = re.search(r"([WB]) to move", text)
    if [int(number) for number, _ in found] != list(range(ROWS, 0, -1)) or any(len(row.split()) != COLUMNS for _, row in found) or not turn:
        raise InputError(f"a position is {ROWS} numbered rows of {COLUMNS} squares, each . W or B, and then: W to move")
    for number, row in found:
        for column, glyph in enumerate(row.split()):
            s.board[(int(number) - 1) * COLUMNS + column] = (0, 1, -1)[GLYPHS.index(glyph)]
    s.turn = "WB".index(turn[1])


def draw(s):
    board = svg.Board(ROWS, COLUMNS, row_labels=[str(row) for row in range(ROWS, 0, -1)], column_labels=FILES)
    for square in range(SQUARES):
        row, column = ROWS - 1 - square // COLUMNS, square % COLUMNS
        board.square(row, column, "#f0d9b5" if (row + column) % 2 == 0 else "#b58863")
        if s.board[square] != 0:
            board.disc(row, column, "#fff8e7" if s.board[square] == PAWNS[0] else "#2b2b2b", 0.32)
    return board.render()
